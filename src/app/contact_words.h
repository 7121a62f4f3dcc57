// What people call the two of a contact.
#pragma once

#include <cstdint>
#include <string>

#include "app/job.h"

namespace tocsin::app {

/// A link, and of several avatars whose.
std::string link_text(const Job& job, std::int32_t avatar, std::int32_t link);

/// What a link of an avatar touches: an object, or a link.
std::string touched_text(const Job& job, std::int32_t avatar, const Contact& contact);

}  // namespace tocsin::app
