// Names of a contact's two sides, for people.
#pragma once

#include <cstdint>
#include <string>

#include "app/check/job.h"

namespace tocsin::app {

/// A link's name; with several avatars, with its avatar's name.
std::string link_text(const Job& job, std::int32_t avatar, std::int32_t link);

/// An object's, by its index or, in a room that changed, its number.
const std::string& object_name(const Job& job, std::uint32_t object);

/// What a link of an avatar touches: an object, or a link.
std::string touched_text(const Job& job, std::int32_t avatar, const Contact& contact);

}  // namespace tocsin::app
