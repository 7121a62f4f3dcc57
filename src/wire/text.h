// Names on the wire: UTF-8, not too long.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace tocsin::wire {

/// Bytes of a name (joint, link, room, label): longer ones are refused.
inline constexpr std::size_t kLongestName = 256;

/// Writes text as the wire has it: bytes that are not UTF-8 become U+FFFD, as in reports. (A name
/// from a file may be in any encoding; a message with such a string could not be read.)
void put_text(std::string_view text, std::string& out);

/// Checks a received text: longer than `longest` bytes, or no UTF-8. Returns the problem as "is
/// ..." or "has ..."; empty: none.
std::string text_problem(std::string_view text, std::size_t longest = kLongestName);

/// The same for names and patterns. It also refuses control characters, which a terminal would
/// execute, line ends and tabulators.
std::string label_problem(std::string_view text, std::size_t longest = kLongestName);

}  // namespace tocsin::wire
