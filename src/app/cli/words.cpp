#include "app/cli/words.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "base/json_text.h"

namespace tocsin::app {
namespace {

/// Decodes the character at `i` of valid UTF-8 and moves `i` behind it.
char32_t next_character(std::string_view text, std::size_t& i) {
  const auto first = static_cast<unsigned char>(text[i++]);
  if (first < 0x80U) return first;
  const int more = first >= 0xF0U ? 3 : first >= 0xE0U ? 2 : 1;
  char32_t code = first & (0x3FU >> static_cast<unsigned>(more));
  for (int k = 0; k < more && i < text.size(); ++k) {
    code = (code << 6U) | (static_cast<unsigned char>(text[i++]) & 0x3FU);
  }
  return code;
}

bool within(char32_t code, char32_t low, char32_t high) { return code >= low && code <= high; }

/// A short form of Unicode's East Asian Width and combining classes: enough to keep columns
/// straight.
int character_width(char32_t code) {
  if (within(code, 0x300, 0x36F) || within(code, 0x200B, 0x200F) || within(code, 0xFE00, 0xFE0F)) {
    return 0;
  }
  const bool wide = within(code, 0x1100, 0x115F) || within(code, 0x2E80, 0xA4CF) ||
                    within(code, 0xAC00, 0xD7A3) || within(code, 0xF900, 0xFAFF) ||
                    within(code, 0xFE30, 0xFE6F) || within(code, 0xFF00, 0xFF60) ||
                    within(code, 0xFFE0, 0xFFE6) || within(code, 0x1F300, 0x1FAFF) ||
                    within(code, 0x20000, 0x3FFFD);
  return wide ? 2 : 1;
}

void print(std::string_view command, std::string_view kind, std::string_view message) {
  const std::string line = fmt::format("{}: {}{}\n", command, kind, base::printable(message));
  std::fputs(line.c_str(), stderr);
}

}  // namespace

std::string grouped(std::int64_t number) {
  std::string digits = fmt::format("{}", number);
  const std::size_t sign = number < 0 ? 1 : 0;
  for (std::size_t at = digits.size(); at > sign + 3;) {
    at -= 3;
    digits.insert(at, 1, ',');
  }
  return digits;
}

std::string count_of(std::int64_t number, std::string_view singular, std::string_view plural) {
  if (number == 1) return fmt::format("1 {}", singular);
  if (plural.empty()) return fmt::format("{} {}s", grouped(number), singular);
  return fmt::format("{} {}", grouped(number), plural);
}

std::string listed(const std::vector<std::string>& words) {
  std::string out;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (i > 0) out += i + 1 == words.size() ? " and " : ", ";
    out += words[i];
  }
  return out;
}

std::string brief(double number) {
  const double size = std::fabs(number);
  if (number == 0.0) return "0";
  if (size >= 1e7 || size < 1e-5) return fmt::format("{:.3g}", number);
  if (size >= 1000.0) return fmt::format("{:.0f}", number);
  return fmt::format("{:.4g}", number);
}

std::string fixed(double number, int decimals) {
  std::string out = fmt::format("{:.{}f}", number, decimals);
  const bool is_zero = out.find_first_not_of("-0.") == std::string::npos;
  if (is_zero && out.front() == '-') out.erase(0, 1);
  return out;
}

std::string moment(const std::array<double, 2>& bracket, int decimals) {
  double resolution = 1.0;
  for (int i = 0; i < decimals; ++i) resolution /= 10.0;
  if (bracket[1] - bracket[0] < 0.5 * resolution)
    return fmt::format("{:.{}f} s", bracket[1], decimals);
  return fmt::format("{:.{}f} to {:.{}f} s", bracket[0], decimals, bracket[1], decimals);
}

std::string fact(std::string_view label, std::string_view text) {
  return fmt::format("{:<9}  {}\n", label, base::printable(text));
}

std::string extent(double low, double high, std::string_view unit) {
  return fmt::format("{} to {} {}", brief(low), brief(high), unit);
}

int display_width(std::string_view text) {
  const std::string valid = base::valid_utf8(text);
  int width = 0;
  for (std::size_t i = 0; i < valid.size();) width += character_width(next_character(valid, i));
  return width;
}

std::string shortened(std::string_view text, int width) {
  std::string valid = base::printable(text);
  if (display_width(valid) <= width) return valid;
  std::vector<std::pair<std::string, int>> characters;
  for (std::size_t i = 0; i < valid.size();) {
    const std::size_t begin = i;
    const int columns = character_width(next_character(valid, i));
    characters.emplace_back(valid.substr(begin, i - begin), columns);
  }
  const int front_columns = width / 2;
  const int back_columns = width - 1 - front_columns;
  std::string front;
  int used = 0;
  for (const auto& [character, columns] : characters) {
    if ((used += columns) > front_columns) break;
    front += character;
  }
  std::string back;
  used = 0;
  for (auto it = characters.rbegin(); it != characters.rend(); ++it) {
    if ((used += it->second) > back_columns) break;
    back.insert(0, it->first);
  }
  return front + "…" + back;
}

void print_warning(std::string_view command, std::string_view message) {
  print(command, "warning: ", message);
}
void print_warnings(std::string_view command, std::span<const std::string> warnings) {
  constexpr std::size_t kMost =
      20;  // a broken file can cause thousands; the first ones show the cause
  for (const std::string& warning : warnings.first(std::min(kMost, warnings.size()))) {
    print_warning(command, warning);
  }
  if (warnings.size() > kMost) {
    print_warning(command, fmt::format("... and {} more", warnings.size() - kMost));
  }
}
void print_note(std::string_view command, std::string_view message) {
  print(command, "note: ", message);
}
void print_error(std::string_view command, std::string_view message) {
  print(command, "", message);
}

}  // namespace tocsin::app
