// The header of a PLY file: which elements it has, and where and how they are stored.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tocsin/result.h"

namespace tocsin::io {

enum class PlyFormat : std::uint8_t { kAscii, kLittleEndian, kBigEndian };

enum class PlyType : std::uint8_t {
  kInt8,
  kUint8,
  kInt16,
  kUint16,
  kInt32,
  kUint32,
  kFloat32,
  kFloat64
};

/// Bytes of a number in a binary file.
constexpr std::size_t size_of(PlyType type) {
  switch (type) {
    case PlyType::kInt8:
    case PlyType::kUint8:
      return 1;
    case PlyType::kInt16:
    case PlyType::kUint16:
      return 2;
    case PlyType::kFloat64:
      return 8;
    default:
      return 4;
  }
}

constexpr bool is_integer(PlyType type) {
  return type != PlyType::kFloat32 && type != PlyType::kFloat64;
}

struct PlyProperty {
  std::string_view name;
  PlyType type = PlyType::kInt8;      ///< of the value, or of a list's values
  std::optional<PlyType> count_type;  ///< of a list's length; none: not a list

  /// Fewest bytes that it takes in a binary file.
  [[nodiscard]] std::size_t least_size() const { return size_of(count_type.value_or(type)); }
};

struct PlyElement {
  std::string_view name;
  std::uint64_t count = 0;
  std::int64_t line = 0;  ///< of the header, from 1
  std::vector<PlyProperty> properties;

  /// True if all take the same number of bytes: there are no lists.
  [[nodiscard]] bool is_fixed() const;
};

struct PlyComment {
  std::string_view text;  ///< without the word and one blank behind it
  std::int64_t line = 0;  ///< of the header, from 1
};

/// Holds views into the file's bytes.
struct PlyHeader {
  PlyFormat format = PlyFormat::kAscii;
  std::vector<PlyElement> elements;
  std::vector<PlyComment> comments;
  std::size_t bytes = 0;   ///< where the body begins
  std::int64_t lines = 0;  ///< of the header
};

/// Reads a header (Turk, "The PLY Polygon File Format", 1994). Lines end as the first one does: LF
/// (a CR before it is a blank) or a lone CR. Takes memory in proportion to the header. Errors
/// (kInput), `line N: cause`, without file: a line that the format does not know, a count that the
/// file has not the bytes for, no `format` or `end_header`.
Result<PlyHeader> parse_ply_header(std::string_view bytes);

}  // namespace tocsin::io
