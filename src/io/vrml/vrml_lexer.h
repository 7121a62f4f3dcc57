// The tokens of VRML97 (ISO/IEC 14772-1, annex A): brackets, strings, and words, which are names,
// keywords and numbers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace tocsin::io {

struct VrmlToken {
  enum class Kind : std::uint8_t {
    kEnd,
    kOpenBrace,
    kCloseBrace,
    kOpenBracket,
    kCloseBracket,
    kString,  ///< text: what is between the quotes, escapes as they stand
    kWord,
    kOpenString,  ///< a string that the file does not close
  };
  Kind kind = Kind::kEnd;
  std::string_view text;
  std::int64_t line = 1;

  [[nodiscard]] bool is_word(std::string_view word) const {
    return kind == Kind::kWord && text == word;
  }
  /// True for a word that can only be meant as a number.
  [[nodiscard]] bool looks_like_number() const;
  /// For a message: "expected X, found " + found().
  [[nodiscard]] std::string found() const;
};

/// Reads tokens with one of look-ahead. Commas are blanks, `#` starts a comment, lines end with LF,
/// CR LF or CR. Words may hold any other character, dots too: exporters write names that the
/// standard forbids. The text must outlive the lexer and its tokens.
class VrmlLexer {
 public:
  explicit VrmlLexer(std::string_view text);

  /// The token that comes next.
  [[nodiscard]] const VrmlToken& peek() const { return next_; }
  /// The same, and moves past it.
  VrmlToken take();
  /// Moves past a token of that kind, if it comes next.
  bool accept(VrmlToken::Kind kind);

  /// The next token as a finite number, decimal or (an integer) `0x` hexadecimal; else none,
  /// without moving, and number_problem() says why.
  std::optional<double> number();
  [[nodiscard]] std::string number_problem() const;

 private:
  void skip_blanks();
  void read_next();
  void read_string();

  std::string_view text_;
  std::size_t at_ = 0;
  std::int64_t line_ = 1;
  VrmlToken next_;
};

}  // namespace tocsin::io
