#include "service/rooms/room_bytes.h"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "base/extension.h"
#include "base/text_file.h"
#include "io/folder_guard.h"

namespace tocsin::service {
namespace {

namespace fs = std::filesystem;

/// What a file counts at most, so that sums do not overflow. No reader takes as much.
constexpr std::uint64_t kMost = std::uint64_t{1} << 50U;
/// Of a file that is searched for what it refers to. Beyond it, its own size says enough.
constexpr std::size_t kMostText = std::size_t{16} << 20U;
/// Files within files. assimp goes on recursively, and would not survive more.
constexpr int kDeepest = 64;

std::uint64_t sum(std::uint64_t a, std::uint64_t b) { return std::min(a + b, kMost); }

/// Bytes of the buffers that a glTF file says it has; 0: it says none that can be read.
std::uint64_t bytes_of_buffers(const std::string& text) {
  const auto root = nlohmann::json::parse(text, nullptr, false);
  const auto buffers = root.is_object() ? root.find("buffers") : root.end();
  if (!root.is_object() || buffers == root.end() || !buffers->is_array()) return 0;
  std::uint64_t out = 0;
  for (const auto& buffer : *buffers) {
    const auto length = buffer.is_object() ? buffer.find("byteLength") : buffer.end();
    if (!buffer.is_object() || length == buffer.end() || !length->is_number_unsigned()) continue;
    out = sum(out, std::min(length->get<std::uint64_t>(), kMost));
  }
  return out;
}

/// The value of an attribute in a tag's text: between its quotes.
std::string attribute(std::string_view tag, std::string_view name) {
  constexpr std::string_view kBlanks = " \t\r\n";
  for (std::size_t at = tag.find(name); at != std::string_view::npos; at = tag.find(name, at + 1)) {
    const std::size_t equals = tag.find_first_not_of(kBlanks, at + name.size());
    if (equals == std::string_view::npos || tag[equals] != '=') continue;
    const std::size_t open = tag.find_first_not_of(kBlanks, equals + 1);
    if (open == std::string_view::npos || (tag[open] != '"' && tag[open] != '\'')) continue;
    const std::size_t close = tag.find(tag[open], open + 1);
    return std::string(tag.substr(open + 1, close - open - 1));
  }
  return {};
}

/// The first name of an X3D list of strings: `"chair.x3d" "http://..."`, or a bare name.
std::string first_name(std::string list) {
  constexpr std::string_view kQuote = "&quot;";
  for (std::size_t at = list.find(kQuote); at != std::string::npos; at = list.find(kQuote)) {
    list.replace(at, kQuote.size(), "\"");
  }
  const std::size_t open = list.find('"');
  if (open == std::string::npos) return list;
  return list.substr(open + 1, list.find('"', open + 1) - open - 1);
}

/// The files that an X3D text inlines, as it names them: assimp takes the first name of each.
std::vector<std::string> inlined_by(std::string_view text) {
  constexpr std::string_view kTag = "<Inline";
  std::vector<std::string> out;
  for (std::size_t at = text.find(kTag); at != std::string_view::npos;
       at = text.find(kTag, at + kTag.size())) {
    const std::size_t end = std::min(text.find("<", at + 1), text.size());
    std::string name = first_name(attribute(text.substr(at, end - at), "url"));
    if (!name.empty()) out.push_back(std::move(name));
  }
  return out;
}

class Total {
 public:
  explicit Total(const fs::path& root) : root_(root) {}

  std::uint64_t of(const fs::path& file, int depth = 0) {
    std::error_code error;
    const fs::path meant = fs::weakly_canonical(file, error);
    if (error || !io::lies_in(root_, meant) || !fs::is_regular_file(meant, error)) return 0;
    const auto [known, is_new] = totals_.emplace(meant, 0);  // 0 meanwhile: a file inlines itself
    if (!is_new) return known->second;
    const std::uint64_t size = fs::file_size(meant, error);
    if (error) return 0;
    const std::uint64_t out = sum(std::min(size, kMost), of_references(meant, depth));
    return totals_[meant] = out;
  }

 private:
  std::uint64_t of_references(const fs::path& file, int depth) {
    const std::string kind = base::lower_extension(file);
    if ((kind != ".gltf" && kind != ".x3d") || depth >= kDeepest) return 0;
    const Result<std::string> text = base::read_file(file, kMostText);
    if (!text) return 0;
    if (kind == ".gltf") return bytes_of_buffers(*text);
    std::uint64_t out = 0;
    for (const std::string& name : inlined_by(*text)) {
      out = sum(out, of(file.parent_path() / name, depth + 1));
    }
    return out;
  }

  const fs::path& root_;
  std::map<fs::path, std::uint64_t> totals_;
};

}  // namespace

std::uint64_t room_bytes(const fs::path& root, const fs::path& file) {
  return Total(root).of(file);
}

}  // namespace tocsin::service
