#include "io/obj/obj_plain.h"

#include <algorithm>
#include <array>
#include <cstdint>

namespace tocsin::io {
namespace {

/// A cursor; '\n' stands for the end of the text.
struct TextCursor {
  const char* at;
  const char* end;

  [[nodiscard]] char peek() const { return at == end ? '\n' : *at; }
  [[nodiscard]] bool at_digit() const { return at != end && *at >= '0' && *at <= '9'; }
  [[nodiscard]] bool at_line_end() const { return peek() == '\n' || peek() == '\r'; }
  [[nodiscard]] bool at_blank() const { return peek() == ' '; }
  void skip_blanks() {
    while (at_blank()) ++at;
  }
  bool accept(char c) {
    if (at == end || *at != c) return false;
    ++at;
    return true;
  }
  void skip_digits() {
    while (at_digit()) ++at;
  }
};

/// Any integer of so many digits is a double.
constexpr std::ptrdiff_t kExactDigits = 15;

/// Exact: 10^22 is the largest power of ten that is a double.
constexpr std::array<double, kExactDigits + 1> kPowers{
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15};

/// A number that a blank or the line's end follows. Both sides of the division are exact, so the
/// quotient is the double next to the decimal.
bool read_decimal(TextCursor& in, double& value) {
  const bool negative = in.accept('-');
  const char* const begin = in.at;
  std::uint64_t digits = 0;
  for (; in.at_digit(); ++in.at) digits = 10 * digits + static_cast<std::uint64_t>(*in.at - '0');
  std::ptrdiff_t count = in.at - begin;
  std::ptrdiff_t places = 0;
  if (in.accept('.')) {
    const char* const point = in.at;
    for (; in.at_digit(); ++in.at) digits = 10 * digits + static_cast<std::uint64_t>(*in.at - '0');
    places = in.at - point;
    count += places;
  }
  if (count == 0 || count > kExactDigits || !(in.at_blank() || in.at_line_end())) return false;
  const double magnitude = static_cast<double>(digits) / kPowers[static_cast<std::size_t>(places)];
  value = negative ? -magnitude : magnitude;
  return true;
}

/// An index from 1 to `most`, counted from 0, and past what follows it up to a blank.
bool read_index(TextCursor& in, std::size_t most, std::uint32_t& index) {
  constexpr std::ptrdiff_t kMostDigits = 10;  // of a 32-bit number; more are left to the slow way
  const char* const begin = in.at;
  std::uint64_t value = 0;
  for (; in.at_digit() && in.at - begin < kMostDigits; ++in.at) {
    value = 10 * value + static_cast<std::uint64_t>(*in.at - '0');
  }
  if (value == 0 || value > most) return false;
  if (in.accept('/')) {
    in.skip_digits();
    if (in.accept('/')) in.skip_digits();
  }
  index = static_cast<std::uint32_t>(value - 1);
  return in.at_blank() || in.at_line_end();
}

}  // namespace

std::size_t read_plain_vertex(std::string_view text, Vec3& position) {
  TextCursor in{text.data(), text.data() + text.size()};
  for (double* value : {&position.x, &position.y, &position.z}) {
    if (!in.at_blank()) return 0;
    in.skip_blanks();
    if (!read_decimal(in, *value)) return 0;
  }
  in.skip_blanks();
  return in.at_line_end() ? static_cast<std::size_t>(in.at - text.data()) : 0;
}

std::size_t read_plain_face(std::string_view text, std::size_t vertex_count,
                            std::vector<TriangleIndices>& triangles) {
  const std::size_t before = triangles.size();
  TextCursor in{text.data(), text.data() + text.size()};
  TriangleIndices fan{};
  std::size_t corners = 0;
  for (in.skip_blanks(); !in.at_line_end(); in.skip_blanks(), ++corners) {
    if (corners >= 3) fan[1] = fan[2];
    if (!read_index(in, vertex_count, fan[std::min<std::size_t>(corners, 2)])) {
      triangles.resize(before);
      return 0;
    }
    if (corners >= 2) triangles.push_back(fan);
  }
  return corners >= 3 ? static_cast<std::size_t>(in.at - text.data()) : 0;
}

}  // namespace tocsin::io
