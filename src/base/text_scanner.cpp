#include "base/text_scanner.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <system_error>

#include "base/lower_case.h"
#include "base/text_file.h"

namespace tocsin::base {
namespace {

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\v' || c == '\f'; }
bool is_line_break(char c) { return c == '\n' || c == '\r'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

/// std::from_chars takes no leading plus. Returns what follows one.
const char* after_plus(const char* begin, const char* end) {
  const bool plus = end - begin > 1 && *begin == '+' && begin[1] != '-';
  return plus ? begin + 1 : begin;
}

/// Of a decimal number that no double can hold: is it too small, not too large? Compares the
/// decimal exponent of its first digit that is not 0 with 0.
bool is_too_small(std::string_view number) {
  std::int64_t before_point =
      0;  // digits from the first nonzero one to the point; negative: zeros after
  bool point = false;
  bool nonzero = false;
  std::size_t i = 0;
  for (; i < number.size() && lower(number[i]) != 'e'; ++i) {
    if (number[i] == '.') point = true;
    if (!is_digit(number[i])) continue;
    nonzero = nonzero || number[i] != '0';
    if (nonzero && !point) ++before_point;
    if (!nonzero && point) --before_point;
  }
  constexpr std::int64_t kHuge = std::int64_t{1}
                                 << 56;  // times 10 fits; no file has as many digits
  std::int64_t exponent = 0;
  const bool negative = i + 1 < number.size() && number[i + 1] == '-';
  for (; i < number.size(); ++i) {
    if (is_digit(number[i])) exponent = std::min(kHuge, 10 * exponent + (number[i] - '0'));
  }
  return (negative ? -exponent : exponent) + before_point < 0;
}

/// Length of the valid UTF-8 sequence of two to four bytes that starts at `i`, or 0.
std::size_t utf8_length(std::string_view s, std::size_t i) {
  const auto byte = [&](std::size_t k) { return static_cast<unsigned char>(s[k]); };
  const unsigned lead = byte(i);
  const std::size_t length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
  if (lead < 0xc2 || lead > 0xf4 || i + length > s.size()) return 0;
  for (std::size_t k = 1; k < length; ++k) {
    if ((byte(i + k) & 0xc0U) != 0x80U) return 0;
  }
  const unsigned second = byte(i + 1);
  const bool too_long = (lead == 0xe0 && second < 0xa0) || (lead == 0xf0 && second < 0x90);
  const bool surrogate = lead == 0xed && second > 0x9f;
  const bool too_large = lead == 0xf4 && second > 0x8f;
  return too_long || surrogate || too_large ? 0 : length;
}

/// "D+00", the rest of 1.0D+00. No reader of these formats takes it: neither C's strtod nor
/// Python's float does.
bool is_fortran_exponent(std::string_view rest) {
  if (rest.empty() || lower(rest.front()) != 'd') return false;
  rest.remove_prefix(1);
  if (!rest.empty() && (rest.front() == '+' || rest.front() == '-')) rest.remove_prefix(1);
  return !rest.empty() && std::all_of(rest.begin(), rest.end(), is_digit);
}

}  // namespace

TextScanner::TextScanner(std::string_view text, Continuation continuation)
    : text_(text), continuation_(continuation == Continuation::kYes) {
  if (text_.substr(0, kByteOrderMark.size()) == kByteOrderMark) at_ = kByteOrderMark.size();
}

/// Length of the line break at `i`: 0 if there is none.
std::size_t TextScanner::line_break_at(std::size_t i) const {
  if (i >= text_.size() || !is_line_break(text_[i])) return 0;
  return text_[i] == '\r' && i + 1 < text_.size() && text_[i + 1] == '\n' ? 2 : 1;
}

/// True if a token ends before `i`.
bool TextScanner::separator_at(std::size_t i) const {
  if (i >= text_.size()) return true;
  const char c = text_[i];
  return is_blank(c) || is_line_break(c) ||
         (continuation_ && c == '\\' && line_break_at(i + 1) != 0);
}

void TextScanner::skip_blanks() {
  while (at_ < text_.size()) {
    if (is_blank(text_[at_])) {
      ++at_;
    } else if (continuation_ && text_[at_] == '\\' && line_break_at(at_ + 1) != 0) {
      at_ += 1 + line_break_at(at_ + 1);
      ++line_;
    } else {
      return;
    }
  }
}

bool TextScanner::at_line_end() {
  skip_blanks();
  return at_ == text_.size() || is_line_break(text_[at_]);
}

bool TextScanner::at_text_end() {
  while (at_line_end() && at_ < text_.size()) next_line();
  return at_ == text_.size();
}

void TextScanner::next_line() {
  while (at_ < text_.size() && !is_line_break(text_[at_])) ++at_;
  if (at_ == text_.size()) return;
  at_ += line_break_at(at_);
  ++line_;
}

std::string_view TextScanner::peek() {
  skip_blanks();
  std::size_t end = at_;
  while (!separator_at(end)) ++end;
  return text_.substr(at_, end - at_);
}

std::string TextScanner::found() {
  if (!at_line_end()) return in_quotes(peek());
  return at_end() ? "the end of the file" : "the end of the line";
}

std::string_view TextScanner::token() {
  const std::string_view next = peek();
  at_ += next.size();
  return next;
}

bool TextScanner::accept_word(std::string_view word) {
  skip_blanks();
  if (!same_ignoring_case(text_.substr(at_, word.size()), word)) return false;
  const std::size_t end = at_ + word.size();
  if (end < text_.size() && is_letter(text_[end])) return false;
  at_ = end;
  return true;
}

bool TextScanner::accept(char c) {
  skip_blanks();
  if (at_ == text_.size() || text_[at_] != c) return false;
  ++at_;
  return true;
}

std::string_view TextScanner::rest_of_line(char stop) {
  while (at_ < text_.size() && is_blank(text_[at_])) ++at_;
  std::size_t end = at_;
  while (end < text_.size() && !is_line_break(text_[end]) && text_[end] != stop) ++end;
  std::string_view piece = text_.substr(at_, end - at_);
  at_ = end;
  while (!piece.empty() && is_blank(piece.back())) piece.remove_suffix(1);
  return piece;
}

std::optional<double> TextScanner::number() {
  skip_blanks();
  const char* const end = text_.data() + text_.size();
  const char* const begin = after_plus(text_.data() + at_, end);
  double value = 0.0;
  const auto [stop, error] = std::from_chars(begin, end, value);
  const auto next = static_cast<std::size_t>(stop - text_.data());
  if (error == std::errc::invalid_argument || !separator_at(next)) return std::nullopt;
  if (error == std::errc::result_out_of_range) {
    if (!is_too_small({begin, static_cast<std::size_t>(stop - begin)})) return std::nullopt;
    value = *begin == '-' ? -0.0 : 0.0;
  }
  if (!std::isfinite(value)) return std::nullopt;
  at_ = next;
  return value;
}

std::string TextScanner::number_problem() {
  const std::string_view next = peek();
  const char* const end = next.data() + next.size();
  const char* const begin = after_plus(next.data(), end);
  double value = 0.0;
  const auto [stop, error] = std::from_chars(begin, end, value);
  if (next.find("1.#") <= 1) {
    // As Microsoft's C library writes it: 1.#QNAN, -1.#IND, 1.#INF.
    return fmt::format("the number {} is not finite", in_quotes(next));
  }
  if (next.empty() || stop != end || error == std::errc::invalid_argument) {
    const bool comma = stop != end && *stop == ',' && stop + 1 != end && is_digit(stop[1]);
    std::string remedy = comma ? ": a decimal comma; write a point instead" : "";
    if (error == std::errc() && is_fortran_exponent({stop, end})) {
      remedy = ": an exponent as Fortran writes it; write e instead of d";
    }
    return "expected a number, found " + found() + remedy;
  }
  const char* const what = error == std::errc() ? "is not finite" : "is too large for a double";
  return fmt::format("the number {} {}", in_quotes(next), what);
}

std::optional<std::int64_t> TextScanner::integer() {
  const std::string_view next = peek();
  const char* const end = next.data() + next.size();
  std::int64_t value = 0;
  const auto [stop, error] = std::from_chars(after_plus(next.data(), end), end, value);
  if (error != std::errc() || stop != end) return std::nullopt;
  at_ += next.size();
  return value;
}

bool same_ignoring_case(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](char p, char q) { return lower(p) == lower(q); });
}

std::optional<std::int64_t> TextScanner::count() {
  const TextScanner before = *this;
  const std::optional<std::int64_t> value = integer();
  if (!value || *value >= 0) return value;
  *this = before;
  return std::nullopt;
}

Error input_error(std::string_view file, std::int64_t line, std::string_view text) {
  return {ErrorCode::kInput, fmt::format("{}:{}: {}", file, line, text)};
}

std::string clean_name(std::string_view raw, bool& changed) {
  std::string name;
  for (std::size_t i = 0; i < raw.size();) {
    const auto byte = static_cast<unsigned char>(raw[i]);
    const std::size_t length = byte < 0x80 ? 1 : utf8_length(raw, i);
    if (byte < 0x20 || byte == 0x7f) {
      name += "\xef\xbf\xbd";
      changed = true;
    } else if (length > 0) {
      name += raw.substr(i, length);
    } else {
      name += static_cast<char>(0xc0U | (byte >> 6U));
      name += static_cast<char>(0x80U | (byte & 0x3fU));
      changed = true;
    }
    i += std::max<std::size_t>(length, 1);
  }
  return name;
}

}  // namespace tocsin::base
