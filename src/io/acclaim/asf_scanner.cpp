#include "io/acclaim/asf_scanner.h"

namespace tocsin::io {
namespace {

bool is_ignored(char c) { return c == ',' || c == '(' || c == ')'; }

}  // namespace

bool AsfScanner::at_line_end() {
  while (!in_.at_line_end()) {
    const char next = in_.rest().front();
    if (next == '#') return true;
    if (!is_ignored(next)) return false;
    in_.accept(next);
  }
  return true;
}

bool AsfScanner::at_text_end() {
  while (at_line_end()) {
    if (in_.at_end()) return true;
    in_.next_line();
  }
  return false;
}

bool AsfScanner::at_section_end() { return at_text_end() || peek().front() == ':'; }

// Documentation is any text. Only a colon at the start of a line, with a letter after it, ends it.
std::int64_t AsfScanner::pass_section() {
  std::int64_t lines = 0;
  while (!in_.at_text_end()) {
    const std::string_view word = in_.peek();
    const char second = word.size() > 1 ? word[1] : ' ';
    const bool letter = (second >= 'a' && second <= 'z') || (second >= 'A' && second <= 'Z');
    if (word.front() == ':' && letter) break;
    ++lines;
    in_.next_line();
  }
  return lines;
}

std::string_view AsfScanner::peek() {
  if (at_line_end()) return {};
  const std::string_view word = in_.peek();
  return word.substr(0, word.find_first_of(",()"));
}

std::string_view AsfScanner::token() {
  const std::string_view word = peek();
  // What follows is no letter, so the word is accepted just as long as it is.
  if (!word.empty()) in_.accept_word(word);
  return word;
}

bool AsfScanner::accept(std::string_view word) {
  if (!base::same_ignoring_case(peek(), word)) return false;
  token();
  return true;
}

std::optional<double> AsfScanner::number() {
  const std::optional<double> value = base::TextScanner(peek()).number();
  if (value) token();
  return value;
}

std::string AsfScanner::number_problem() {
  const std::string_view word = peek();
  return word.empty() ? "expected a number, found " + found()
                      : base::TextScanner(word).number_problem();
}

std::string AsfScanner::found() {
  const std::string_view word = peek();
  if (!word.empty()) return base::in_quotes(word);
  return in_.at_end() ? "the end of the file" : "the end of the line";
}

}  // namespace tocsin::io
