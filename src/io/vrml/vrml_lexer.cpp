#include "io/vrml/vrml_lexer.h"

#include <algorithm>
#include <charconv>
#include <system_error>

#include "base/text_file.h"
#include "base/text_scanner.h"

namespace tocsin::io {
namespace {

/// Ends a word.
bool is_separator(char c) {
  return (c >= '\0' && c <= ' ') || c == ',' || c == '"' || c == '#' || c == '{' || c == '}' ||
         c == '[' || c == ']';
}

/// A carriage return counts unless a line feed follows it, which does.
bool ends_line(std::string_view text, std::size_t i) {
  return text[i] == '\n' || (text[i] == '\r' && (i + 1 == text.size() || text[i + 1] != '\n'));
}

std::optional<double> hexadecimal(std::string_view word) {
  if (!word.starts_with("0x") && !word.starts_with("0X")) return std::nullopt;
  const char* const end = word.data() + word.size();
  std::uint32_t value = 0;
  const auto [stop, error] = std::from_chars(word.data() + 2, end, value, 16);
  if (error != std::errc() || stop != end) return std::nullopt;
  return static_cast<double>(value);
}

}  // namespace

bool VrmlToken::looks_like_number() const {
  if (kind != Kind::kWord) return false;
  const char c = text.front();
  return (c >= '0' && c <= '9') || c == '+' || c == '-' || c == '.';
}

std::string VrmlToken::found() const {
  if (kind == Kind::kEnd) return "the end of the file";
  if (kind == Kind::kString) return "the string " + base::in_quotes(text);
  if (kind == Kind::kOpenString) return "a string that does not end, " + base::in_quotes(text);
  return base::in_quotes(text);
}

VrmlLexer::VrmlLexer(std::string_view text) : text_(text) {
  if (text_.starts_with(base::kByteOrderMark)) text_.remove_prefix(base::kByteOrderMark.size());
  read_next();
}

VrmlToken VrmlLexer::take() {
  const VrmlToken token = next_;
  read_next();
  return token;
}

bool VrmlLexer::accept(VrmlToken::Kind kind) {
  if (next_.kind != kind) return false;
  read_next();
  return true;
}

std::optional<double> VrmlLexer::number() {
  if (next_.kind != VrmlToken::Kind::kWord) return std::nullopt;
  std::optional<double> value = base::TextScanner(next_.text).number();
  if (!value) value = hexadecimal(next_.text);
  if (value) read_next();
  return value;
}

std::string VrmlLexer::number_problem() const {
  if (!next_.looks_like_number()) return "expected a number, found " + next_.found();
  return base::TextScanner(next_.text).number_problem();
}

void VrmlLexer::skip_blanks() {
  bool comment = false;
  for (; at_ < text_.size(); ++at_) {
    const char c = text_[at_];
    if (ends_line(text_, at_)) {
      ++line_;
      comment = false;
    } else if (c == '\r') {
      comment = false;
    } else if (c == '#') {
      comment = true;
    } else if (!comment && c != ' ' && c != ',' && !(c >= '\t' && c <= '\f')) {
      return;
    }
  }
}

void VrmlLexer::read_next() {
  skip_blanks();
  next_ = {VrmlToken::Kind::kEnd, {}, line_};
  if (at_ == text_.size()) return;
  const char c = text_[at_];
  if (c == '"') return read_string();
  std::size_t end = at_ + 1;
  next_.kind = c == '{'   ? VrmlToken::Kind::kOpenBrace
               : c == '}' ? VrmlToken::Kind::kCloseBrace
               : c == '[' ? VrmlToken::Kind::kOpenBracket
               : c == ']' ? VrmlToken::Kind::kCloseBracket
                          : VrmlToken::Kind::kWord;
  if (next_.kind == VrmlToken::Kind::kWord) {
    while (end < text_.size() && !is_separator(text_[end])) ++end;
  }
  next_.text = text_.substr(at_, end - at_);
  at_ = end;
}

void VrmlLexer::read_string() {
  const std::size_t begin = ++at_;
  while (at_ < text_.size() && text_[at_] != '"') {
    if (text_[at_] == '\\' && at_ + 1 < text_.size()) ++at_;
    if (ends_line(text_, at_)) ++line_;
    ++at_;
  }
  next_.kind = at_ < text_.size() ? VrmlToken::Kind::kString : VrmlToken::Kind::kOpenString;
  next_.text = text_.substr(begin, std::min(at_, text_.size()) - begin);
  at_ = std::min(at_ + 1, text_.size());
}

}  // namespace tocsin::io
