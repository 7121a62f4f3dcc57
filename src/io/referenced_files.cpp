#include "io/referenced_files.h"

#include <algorithm>
#include <nlohmann/json.hpp>

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
    std::string path = (file.parent_path() / uri).string();
    if (std::find(out.begin(), out.end(), path) == out.end()) out.push_back(std::move(path));
  }
  return out;
}

}  // namespace tocsin::io
