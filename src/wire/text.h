// Names on the wire: UTF-8, not too long.
#pragma once

#include <string>
#include <string_view>

#include "wire/skeletons.h"

namespace tocsin::wire {

/// Writes text as the wire has it: bytes that are not UTF-8 become U+FFFD, as in reports. (A name
/// from a file may be in any encoding; a message with such a string could not be read.)
void put_text(std::string_view text, std::string& out);

/// What is wrong with a text that came in, as "is ..." or "has ..."; empty if nothing is: longer
/// than `longest` bytes, or no UTF-8.
std::string text_problem(std::string_view text, std::size_t longest = kLongestName);

/// The same for names that people give (a link's, a label): besides, control characters are
/// refused, which a terminal would obey.
std::string label_problem(std::string_view text, std::size_t longest = kLongestName);

}  // namespace tocsin::wire
