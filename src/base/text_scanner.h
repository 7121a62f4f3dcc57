// A cursor over a text file in memory: lines, tokens, numbers, and where an error is.
//
// Line ends are LF, CR LF or a lone CR, mixed at will; blanks are space, tab, vertical tab and form
// feed; a UTF-8 byte order mark at the start is skipped. Nothing is copied and nothing is
// allocated, except for the text of an error. The text must outlive the scanner and the views that
// it hands out.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/quoted.h"
#include "tocsin/result.h"

namespace tocsin::base {

/// Whether a backslash at the end of a line joins it with the next one (OBJ).
enum class Continuation : std::uint8_t { kNo, kYes };

class TextScanner {
 public:
  explicit TextScanner(std::string_view text, Continuation continuation = Continuation::kNo);

  /// The line that the cursor is on, from 1.
  [[nodiscard]] std::int64_t line() const { return line_; }
  /// The text from the cursor on.
  [[nodiscard]] std::string_view rest() const { return text_.substr(at_); }
  /// True if nothing at all follows.
  [[nodiscard]] bool at_end() const { return at_ == text_.size(); }

  /// Moves on by bytes that were read without the scanner: none of them ends a line.
  void advance(std::size_t bytes) { at_ += bytes; }
  /// Moves past blanks; true if no token follows on this line.
  bool at_line_end();
  /// Moves past blanks and line ends; true if no token follows in the text.
  bool at_text_end();
  /// Moves to the start of the next line, or to the end of the text.
  void next_line();

  /// The next token on this line, empty if there is none. A token ends before a blank or a line
  /// end.
  std::string_view token();
  /// The next token on this line, without moving.
  [[nodiscard]] std::string_view peek();
  /// The next token for an error message ("expected X, found " + found()): quoted, or "the end of
  /// the line", or "the end of the file".
  [[nodiscard]] std::string found();
  /// Moves past `word` if it comes next on this line, in any case of letters, and no letter follows
  /// it.
  bool accept_word(std::string_view word);
  /// Moves past `c` if it comes next on this line.
  bool accept(char c);
  /// The rest of this line, without blanks around it, up to `stop` if that is on the line.
  /// Continuations are ignored, because names may end in a backslash.
  std::string_view rest_of_line(char stop = '\n');

  /// The next token on this line as a finite double, correctly rounded, whatever the locale:
  /// decimal, with or without sign (also +), fraction and exponent of any length; too small becomes
  /// zero. None, without moving, if there is no such token; number_problem() then says why.
  std::optional<double> number();
  [[nodiscard]] std::string number_problem();
  /// The next token on this line as an integer that fits; else none, without moving.
  std::optional<std::int64_t> integer();
  /// The same, but not a negative one.
  std::optional<std::int64_t> count();

 private:
  [[nodiscard]] bool separator_at(std::size_t i) const;
  [[nodiscard]] std::size_t line_break_at(std::size_t i) const;
  void skip_blanks();

  std::string_view text_;
  std::size_t at_ = 0;
  std::int64_t line_ = 1;
  bool continuation_ = false;
};

/// True if a and b are the same but for the case of ASCII letters.
bool same_ignoring_case(std::string_view a, std::string_view b);

/// An input error, `file:line: text`.
Error input_error(std::string_view file, std::int64_t line, std::string_view text);

/// A name from a file as valid UTF-8: bytes that are not are taken for Latin-1, control characters
/// become U+FFFD. `changed` is set if that changed anything, and left alone otherwise.
std::string clean_name(std::string_view raw, bool& changed);

}  // namespace tocsin::base
