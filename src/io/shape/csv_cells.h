// Cells of comma-separated values.
#pragma once

#include <charconv>
#include <cmath>
#include <optional>
#include <string_view>
#include <system_error>

namespace tocsin::io {

/// Without the blanks around it, and without the CR of a line end.
inline std::string_view trimmed_cell(std::string_view text) {
  constexpr std::string_view kSpaces = " \t\r";
  const std::size_t begin = text.find_first_not_of(kSpaces);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kSpaces) - begin + 1);
}

/// A decimal number, correctly rounded; none: the text is no finite number.
inline std::optional<double> finite_cell(std::string_view text) {
  if (text.starts_with('+') && !text.starts_with("+-")) text.remove_prefix(1);
  double out = 0.0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, out);
  const bool read = error == std::errc() && stop == end && !text.empty() && std::isfinite(out);
  return read ? std::optional(out) : std::nullopt;
}

}  // namespace tocsin::io
