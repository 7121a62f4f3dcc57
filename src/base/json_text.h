// JSON as text: strings and numbers written the one way that reports use, so that equal values are
// equal bytes on every compiler and machine.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace tocsin::base {

/// The text with every byte that is not part of valid UTF-8 replaced by U+FFFD (one per ill-formed
/// sequence; overlong forms, surrogates and code points beyond U+10FFFF are ill-formed).
std::string valid_utf8(std::string_view text);

/// True if `c` is a control character of ASCII, which a terminal would execute.
constexpr bool is_control(char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; }

/// valid_utf8(), and control characters replaced by '?'; '\n' and '\t'
/// stay.
std::string printable(std::string_view text);

/// Appends a JSON string with its quotes. Bytes that are not UTF-8 become U+FFFD.
void append_json(std::string& out, std::string_view text);

/// Appends the shortest decimal that reads back as the same double. JSON has no infinities and no
/// NaN: these become null.
void append_json(std::string& out, double value);

void append_json(std::string& out, std::int64_t value);
void append_json(std::string& out, std::uint64_t value);

}  // namespace tocsin::base
