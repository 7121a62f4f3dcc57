// Estimates which members make a meeting's tick expensive. Nothing of this is proved.
//
// A tick's work is about the pairs of links of two members whose boxes around the whole step meet.
// A pair's work grows with the joints of both links' chains, so joints are the unit. The cost of a
// pair is shared by both members. A member with more links, or with longer chains than a body's,
// gets the larger share. If one of the two boxes is larger than any body's link, the member with
// the larger box does.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "tocsin/avatar.h"
#include "tocsin/detector.h"
#include "tocsin/motion.h"

namespace tocsin::service {

/// Per link: how many joints there are from the root to the link's own.
std::vector<std::size_t> chain_lengths(const Avatar& avatar);

/// The members whose cost is at least `least` joints with one other member, or eight times that
/// with all together (about eight bodies fit around one). If a member has a link's box that is
/// larger than a body's, its cost with all others counts in full. So a crowd around one body does
/// not make that body too expensive. Returns the costliest of these, as many as it takes to leave
/// half of the work or less: indices, in order. Empty: no member is too expensive.
std::vector<std::size_t> most_costly(std::span<const Member> members, std::span<const Step> steps,
                                     std::uint64_t least);

/// The `count` costliest members (of equals the last ones), or all: indices, in order.
std::vector<std::size_t> costliest(std::span<const Member> members, std::span<const Step> steps,
                                   std::size_t count);

}  // namespace tocsin::service
