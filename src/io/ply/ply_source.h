// Numbers from the body of a PLY file, one after the other: text or binary, behind one interface.
//
// Each source has: next_item(), to be called before an element, false if the file ends; number(),
// integer(), skip(), which give nothing where there is no such value; end_item(), false if an
// element has more values than it should; problem() after one of these failed; where(), what comes
// before a message.
#pragma once

#include <fmt/format.h>

#include <bit>
#include <concepts>
#include <cstdint>
#include <cstring>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

#include "base/text_scanner.h"
#include "io/ply/ply_header.h"

namespace tocsin::io {

/// Reads a number from memory, with its bytes reversed if `kReversed`.
template <class T, bool kReversed>
T load_number(const char* from) {
  T value{};
  if constexpr (kReversed) {
    char bytes[sizeof(T)];  // NOLINT: what memcpy wants
    for (std::size_t i = 0; i < sizeof(T); ++i) bytes[i] = from[sizeof(T) - 1 - i];
    std::memcpy(&value, bytes, sizeof(T));
  } else {
    std::memcpy(&value, from, sizeof(T));
  }
  return value;
}

/// Takes a number from the front of `rest`; none if it is too short.
template <class T>
std::optional<T> take_number(std::string_view& rest, bool reversed) {
  if (rest.size() < sizeof(T)) return std::nullopt;
  const T value = reversed ? load_number<T, true>(rest.data()) : load_number<T, false>(rest.data());
  rest.remove_prefix(sizeof(T));
  return value;
}

/// True if numbers of this format have their bytes in the other order than this machine's.
constexpr bool is_reversed(PlyFormat format) {
  return (format == PlyFormat::kBigEndian) != (std::endian::native == std::endian::big);
}

/// Calls f(T{}) for the C++ type that a PLY type is.
template <class Function>
constexpr decltype(auto) with_type(PlyType type, Function f) {
  static_assert(std::numeric_limits<float>::is_iec559 && sizeof(double) == 8);
  switch (type) {
    case PlyType::kInt8:
      return f(std::int8_t{});
    case PlyType::kUint8:
      return f(std::uint8_t{});
    case PlyType::kInt16:
      return f(std::int16_t{});
    case PlyType::kUint16:
      return f(std::uint16_t{});
    case PlyType::kInt32:
      return f(std::int32_t{});
    case PlyType::kUint32:
      return f(std::uint32_t{});
    case PlyType::kFloat32:
      return f(float{});
    case PlyType::kFloat64:
      break;
  }
  return f(double{});
}

/// One element a line, blank lines between them.
class PlyTextSource {
 public:
  PlyTextSource(const PlyHeader& header, std::string_view file)
      : in_(file.substr(header.bytes)), header_lines_(header.lines) {}

  bool next_item() { return !in_.at_text_end(); }
  std::optional<double> number(PlyType /*type*/) {
    wants_integer_ = false;
    return in_.number();
  }
  std::optional<std::int64_t> integer(PlyType /*type*/) {
    wants_integer_ = true;
    return in_.integer();
  }
  bool skip(PlyType /*type*/, std::uint64_t count) {
    wants_integer_ = false;
    while (count > 0 && !in_.token().empty()) --count;
    return count == 0;
  }
  bool end_item() {
    if (!in_.at_line_end()) return false;
    in_.next_line();
    return true;
  }

  std::string problem() {
    if (wants_integer_) return "expected an integer, found " + in_.found();
    return in_.number_problem();
  }
  [[nodiscard]] std::string where() const {
    return fmt::format("line {}: ", header_lines_ + in_.line());
  }
  /// Bytes from here to the end, counted as if a line break were the last.
  [[nodiscard]] std::size_t left() const { return in_.rest().size() + 1; }
  /// Fewest bytes that a property takes: a digit and a blank, also for a list's length.
  static std::size_t least_size(const PlyProperty& /*property*/) { return 2; }

 private:
  base::TextScanner in_;
  std::int64_t header_lines_;
  bool wants_integer_ = false;
};

class PlyBinarySource {
 public:
  PlyBinarySource(const PlyHeader& header, std::string_view file)
      : rest_(file.substr(header.bytes)), reversed_(is_reversed(header.format)) {}

  [[nodiscard]] bool next_item() const { return !rest_.empty(); }
  std::optional<double> number(PlyType type) {
    return with_type(type, [this](auto t) -> std::optional<double> {
      if (const auto value = take_number<decltype(t)>(rest_, reversed_))
        return static_cast<double>(*value);
      return std::nullopt;
    });
  }
  /// Precondition: an integer type.
  std::optional<std::int64_t> integer(PlyType type) {
    return with_type(type, [this](auto t) -> std::optional<std::int64_t> {
      if constexpr (std::integral<decltype(t)>) {
        if (const auto value = take_number<decltype(t)>(rest_, reversed_))
          return static_cast<std::int64_t>(*value);
      }
      return std::nullopt;
    });
  }
  bool skip(PlyType type, std::uint64_t count) {
    if (count > rest_.size() / size_of(type)) return false;
    rest_.remove_prefix(count * size_of(type));
    return true;
  }
  static bool end_item() { return true; }

  static std::string problem() { return "the file ends within it"; }
  static std::string where() { return {}; }
  [[nodiscard]] std::size_t left() const { return rest_.size(); }
  static std::size_t least_size(const PlyProperty& property) { return property.least_size(); }

  /// The bytes that are still to be read, and whether their numbers are reversed.
  [[nodiscard]] std::string_view rest() const { return rest_; }
  [[nodiscard]] bool reversed() const { return reversed_; }
  void advance(std::size_t bytes) { rest_.remove_prefix(bytes); }

 private:
  std::string_view rest_;
  bool reversed_;
};

}  // namespace tocsin::io
