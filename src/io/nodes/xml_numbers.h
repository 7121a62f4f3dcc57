// Lists of numbers in XML.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "base/text_scanner.h"

namespace tocsin::io {

/// Exactly that many numbers, between blanks, line ends and commas; nothing if they are not that.
template <std::size_t count>
std::optional<std::array<double, count>> xml_numbers(std::string_view text) {
  std::string plain(text);
  std::replace(plain.begin(), plain.end(), ',', ' ');
  base::TextScanner in(plain);
  std::array<double, count> out{};
  for (double& value : out) {
    in.at_text_end();
    const std::optional<double> number = in.number();
    if (!number) return std::nullopt;
    value = *number;
  }
  if (!in.at_text_end()) return std::nullopt;
  return out;
}

}  // namespace tocsin::io
