// What a report of a watched session is called, for people.
#pragma once

#include <string>
#include <vector>

#include "tocsin/track.h"

namespace tocsin::view {

/// "7, 9 to 12".
std::string frames_text(const std::vector<IdRange>& ranges);
/// What a link touches: an object, or a link of another session with that session's label.
std::string other_text(const ContactNames& names);

}  // namespace tocsin::view
