#include <fmt/format.h>

#include <cstddef>
#include <cstdint>
#include <string>

#include "base/packed.h"
#include "base/text_scanner.h"
#include "io/import/room_caveats.h"

namespace tocsin::io {
namespace {

// From the format, not to be changed: bytes of a binary file.
constexpr std::size_t kCountAt = 80;
constexpr std::size_t kHead = 84;
constexpr std::uint64_t kFacet = 50;

/// As assimp decides it: the size is what the count of facets says.
bool is_binary(std::string_view bytes) {
  return bytes.size() >= kHead &&
         bytes.size() == kHead + kFacet * base::get_packed(bytes.data() + kCountAt);
}

/// Follows the words that assimp heeds, wherever they stand on a line. It takes a file that ends
/// too early for one that ends.
class StlText {
 public:
  /// `text` begins with "solid", but for blanks and line ends.
  explicit StlText(std::string_view text) : scanner_(text) {}

  /// Empty, or what is wrong.
  std::string fault() {
    scanner_
        .at_text_end();  // to the first word, "solid", which the name may follow without a blank
    solid_line_ = scanner_.line();
    while (!scanner_.at_text_end()) {
      const std::string cause = read(scanner_.token());
      if (!cause.empty()) return fmt::format("line {}: {}", scanner_.line(), cause);
    }
    if (!in_solid_) return {};
    return fmt::format("line {}: the file ends in the middle of a solid, that of line {}",
                       scanner_.line(), solid_line_);
  }

 private:
  std::string read(std::string_view word) {
    if (word.find('\0') != std::string_view::npos) {
      return "a zero byte: this is neither text nor a whole binary STL file";
    }
    // Other words, also those of names, are passed over.
    if (word == "facet" && scanner_.peek() == "normal") return begin_facet();
    if (word == "endfacet") return end_facet();
    if (word == "vertex" && in_facet_) ++vertices_;
    if (word == "solid" && !in_solid_) {
      in_solid_ = true;
      solid_line_ = scanner_.line();
    }
    if (word == "endsolid") {
      if (in_facet_) return fmt::format("the facet of line {} does not end", facet_line_);
      in_solid_ = false;
      scanner_.next_line();
    }
    return {};
  }

  std::string begin_facet() {
    if (in_facet_) return fmt::format("the facet of line {} does not end", facet_line_);
    if (!in_solid_) return "a facet outside of a solid";
    in_facet_ = true;
    facet_line_ = scanner_.line();
    vertices_ = 0;
    return {};
  }

  std::string end_facet() {
    if (!in_facet_) return "the end of a facet that does not begin";
    if (vertices_ != 3) return fmt::format("a facet with {} vertices, not 3", vertices_);
    in_facet_ = false;
    return {};
  }

  base::TextScanner scanner_;
  bool in_solid_ = true;
  bool in_facet_ = false;
  std::int64_t solid_line_ = 0;
  std::int64_t facet_line_ = 0;
  std::int64_t vertices_ = 0;
};

/// What is wrong with a file that is neither: assimp says that it cannot tell which.
std::string neither(std::string_view bytes) {
  if (bytes.size() < kHead) {
    return fmt::format(
        "{} bytes, which are no text that begins with \"solid\": a binary STL file has {} at least",
        bytes.size(), kHead);
  }
  const std::uint64_t count = base::get_packed(bytes.data() + kCountAt);
  return fmt::format(
      "byte {}: {} triangles are announced, which make {} bytes with the head; the file has {}",
      kCountAt, count, kHead + kFacet * count, bytes.size());
}

}  // namespace

Result<RoomCaveats> stl_caveats(std::string_view bytes) {
  if (is_binary(bytes)) return RoomCaveats{};
  const std::size_t begin = bytes.find_first_not_of(" \t\r\n");
  if (begin == std::string_view::npos || !bytes.substr(begin).starts_with("solid")) {
    return {ErrorCode::kInput, neither(bytes)};
  }
  // Some writers pad with zeros.
  const std::size_t end = bytes.find_last_not_of('\0') + 1;
  const std::string fault = StlText(bytes.substr(0, end)).fault();
  if (!fault.empty()) return {ErrorCode::kInput, fault};
  return RoomCaveats{};
}

}  // namespace tocsin::io
