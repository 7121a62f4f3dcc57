// A cursor over the text of an ASF file. To it commas and parentheses are blanks, and what follows
// a token that starts with # is a comment.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/text_scanner.h"

namespace tocsin::io {

class AsfScanner {
 public:
  explicit AsfScanner(std::string_view text) : in_(text) {}

  /// The line that the cursor is on, from 1.
  [[nodiscard]] std::int64_t line() const { return in_.line(); }
  /// Moves past blanks; true if no token follows on this line.
  bool at_line_end();
  /// Moves past blanks, comments and line ends; true if no token follows in the text.
  bool at_text_end();
  /// The same; true if no token follows, or a keyword (":root").
  bool at_section_end();
  /// Moves to the start of the next line.
  void next_line() { in_.next_line(); }
  /// Moves to the next line that starts with a keyword, and counts what is passed over: lines with
  /// something on them, this one's rest included.
  std::int64_t pass_section();

  /// The next token on this line, empty if there is none, without moving or moving past it.
  std::string_view peek();
  std::string_view token();
  /// Moves past the next token on this line if it is `word`, in any case of letters.
  bool accept(std::string_view word);
  /// The next token on this line as a finite number; else none, without moving.
  std::optional<double> number();
  /// Why there is none.
  std::string number_problem();
  /// The next token for an error message.
  std::string found();

 private:
  base::TextScanner in_;
};

}  // namespace tocsin::io
