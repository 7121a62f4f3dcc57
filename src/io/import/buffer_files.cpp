#include "io/import/buffer_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <system_error>

#include "base/extension.h"
#include "base/quoted.h"
#include "io/gltf/glb.h"

namespace tocsin::io {
namespace {

/// Collects the different buffers[i].uri while JSON goes by, up to one more than kMostBuffers. In
/// glTF 1, "buffers" is an object instead of a list.
class BufferUris final : public nlohmann::json_sax<nlohmann::json> {
 public:
  std::vector<std::string> uris;

  bool null() override { return true; }
  bool boolean(bool) override { return true; }
  bool number_integer(number_integer_t) override { return true; }
  bool number_unsigned(number_unsigned_t) override { return true; }
  bool number_float(number_float_t, const string_t&) override { return true; }
  bool binary(binary_t&) override { return true; }
  bool start_object(std::size_t) override { return enter(); }
  bool end_object() override { return leave(); }
  bool start_array(std::size_t) override { return enter(); }
  bool end_array() override { return leave(); }
  bool parse_error(std::size_t, const std::string&, const nlohmann::detail::exception&) override {
    return false;
  }
  bool key(string_t& name) override {
    if (depth_ == 1) in_buffers_ = name == "buffers";
    at_uri_ = in_buffers_ && depth_ == kBufferDepth && name == "uri";
    return true;
  }
  bool string(string_t& value) override {
    const bool is_file =
        at_uri_ && depth_ == kBufferDepth && !value.empty() && !value.starts_with("data:");
    if (is_file && std::find(uris.begin(), uris.end(), value) == uris.end()) {
      uris.push_back(value);
    }
    return uris.size() <= kMostBuffers;
  }

 private:
  static constexpr int kBufferDepth = 3;  // the file's object, "buffers", one buffer

  bool enter() {
    ++depth_;
    at_uri_ = false;
    return true;
  }
  bool leave() {
    --depth_;
    return true;
  }

  int depth_ = 0;
  bool in_buffers_ = false;
  bool at_uri_ = false;
};

/// The JSON of a .gltf or .glb.
std::string_view json_of(std::string_view bytes) {
  constexpr std::size_t kHeads = kGlbHead + kGlbChunkHead;
  if (!bytes.starts_with(kGlbMagic) || bytes.size() < kHeads) return bytes;
  std::uint32_t length = 0;
  for (std::size_t i = 4; i-- > 0;) {
    length = length << 8U | static_cast<unsigned char>(bytes[kGlbHead + i]);
  }
  return bytes.substr(kHeads, length);
}

Error not_regular(const std::filesystem::path& file, const std::string& buffer) {
  return {ErrorCode::kInput,
          fmt::format("{}: its buffer {} is not a regular file", file.string(), buffer)};
}

std::vector<std::string> uris_in(const std::filesystem::path& file, std::string_view bytes) {
  const std::string extension = base::lower_extension(file);
  if (extension != ".gltf" && extension != ".glb") return {};
  BufferUris found;
  (void)nlohmann::json::sax_parse(json_of(bytes), &found);
  return std::move(found.uris);
}

/// Their paths beside `file`, each once.
std::vector<std::string> paths_of(const std::vector<std::string>& uris,
                                  const std::filesystem::path& file) {
  std::vector<std::string> out;
  for (const std::string& uri : uris) {
    std::string path = buffer_path(file, uri);
    if (std::find(out.begin(), out.end(), path) == out.end()) out.push_back(std::move(path));
  }
  return out;
}

}  // namespace

Result<std::vector<BufferFile>> read_buffers(const std::filesystem::path& file,
                                             std::string_view bytes, const FolderGuard& guard,
                                             InputLog* log) {
  const std::vector<std::string> uris = uris_in(file, bytes);
  if (uris.size() > kMostBuffers) {
    return {ErrorCode::kInput,
            fmt::format("{}: names more than {} buffer files", file.string(), kMostBuffers)};
  }
  std::vector<BufferFile> out;
  for (const std::string& name : paths_of(uris, file)) {
    if (!guard.allows(name)) {
      return {ErrorCode::kUsage, fmt::format("{}: refers to {}, which may not be read",
                                             file.string(), base::in_quotes(name, 500))};
    }
    std::error_code error;
    const auto status = std::filesystem::status(name, error);
    if (!std::filesystem::is_regular_file(status)) {
      if (log == nullptr) continue;
      if (std::filesystem::exists(status)) return not_regular(file, name);
    }
    Result<std::string> buffer = read_input(name, "buffer", log, kMaxRoomBytes);
    if (!buffer.ok()) return buffer.error();
    out.push_back({name, std::move(*buffer)});
  }
  return out;
}

std::string buffer_path(const std::filesystem::path& file, const std::string& uri) {
  const std::string name = file.string();
  return decoded_path(name.substr(0, name.rfind('/') + 1) + uri);  // npos + 1 is 0
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
