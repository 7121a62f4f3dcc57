#include "io/referenced_files.h"

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <nlohmann/json.hpp>
#include <system_error>

#include "io/extension.h"
#include "io/text_file.h"

namespace tocsin::io {

std::vector<std::string> referenced_files(const std::filesystem::path& file) {
  std::vector<std::string> out;
  if (lower_extension(file) != ".gltf") return out;
  const auto text = read_file(file);
  if (!text.ok()) return out;
  const auto json = nlohmann::json::parse(text.value(), nullptr, false);
  if (!json.is_object() || !json.contains("buffers") || !json["buffers"].is_array()) return out;
  for (const auto& buffer : json["buffers"]) {
    if (!buffer.is_object() || !buffer.contains("uri") || !buffer["uri"].is_string()) continue;
    const auto& uri = buffer["uri"].get_ref<const std::string&>();
    if (uri.empty() || uri.starts_with("data:")) continue;
    std::string path = decoded_path((file.parent_path() / uri).string());
    if (std::find(out.begin(), out.end(), path) == out.end()) out.push_back(std::move(path));
  }
  return out;
}

std::string decoded_path(const std::string& path) {
  std::error_code ignored;
  if (path.find('%') == std::string::npos || std::filesystem::exists(path, ignored)) return path;
  std::string out;
  for (std::size_t i = 0; i < path.size(); ++i) {
    unsigned char byte = 0;
    const char* const digits = path.data() + i + 1;
    const bool encoded = path[i] == '%' && i + 2 < path.size() &&
                         std::from_chars(digits, digits + 2, byte, 16).ptr == digits + 2;
    out += encoded ? static_cast<char>(byte) : path[i];
    if (encoded) i += 2;
  }
  return out;
}

}  // namespace tocsin::io
