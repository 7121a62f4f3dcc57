// Text files as UTF-8.
#pragma once

#include <cstdint>
#include <string>

namespace tocsin::base {

/// Makes the bytes of a text file UTF-8: text in UTF-16 or UTF-32 with a byte order mark, and
/// UTF-16 without one whose first two characters are ASCII. All else stays as it is, byte for byte.
/// The byte order mark of what was converted is left out.
/// Empty, or what is wrong, without the file's name: the text ends in the middle of a character, or
/// holds half of one. Memory: up to twice the bytes.
std::string make_utf8(std::string& bytes);

/// A character as UTF-8; empty if there is none of that number.
std::string utf8_of(std::uint32_t character);

}  // namespace tocsin::base
