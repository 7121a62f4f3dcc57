// Packets, as text of hexadecimal digits.
#pragma once

#include <cctype>
#include <string>
#include <string_view>

namespace tocsin::test {

/// "4d 58" is "MX"; 'text' in single quotes is itself; spaces and line ends say nothing.
inline std::string bytes_of(std::string_view text) {
  std::string out;
  const auto digit = [](char c) {
    return std::isdigit(static_cast<unsigned char>(c)) != 0 ? c - '0' : c - 'a' + 10;
  };
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\'') {
      while (text[++i] != '\'') out.push_back(text[i]);
    } else if (text[i] != ' ' && text[i] != '\n') {
      out.push_back(static_cast<char>(digit(text[i]) * 16 + digit(text[i + 1])));
      ++i;
    }
  }
  return out;
}

}  // namespace tocsin::test
