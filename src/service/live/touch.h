// A contact as something that is felt: how fast the link comes, and how deep it is.
#pragma once

#include <cstdint>
#include <optional>

#include "service/rooms/room.h"
#include "tocsin/avatar.h"
#include "tocsin/contact.h"
#include "tocsin/motion.h"
#include "tocsin/types.h"

namespace tocsin::service {

/// How fast the link's material at the contact's point moves against what it touches when they
/// touch: along the contact's normal, or, without one, in all. Metres a second; below 0: away from
/// it. Of two links the other one's motion is left out. Computed by differences over a 2000th of
/// the step, not certified. 0 if the step takes no time.
double approach_speed(const Avatar& avatar, const Step& step, const Contact& contact);

/// How deep the link is in the object at the step's end, metres, without margin
/// (Detector::depth); none: it is free then, or the room changes.
std::optional<double> depth_at_end(const Room& room, const Avatar& avatar, const Step& step,
                                   std::int32_t link, std::uint32_t object);

}  // namespace tocsin::service
