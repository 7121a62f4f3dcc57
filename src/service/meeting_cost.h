// Who makes a meeting's tick take long. Estimates, nothing that is proved.
//
// A tick's work is about the pairs of links of two members whose boxes around the whole step meet,
// and each such pair's work grows with the joints of both links' chains: joints are the unit. Who
// has more links, or longer chains than a body's, bears more of it; where one of the two boxes is
// larger than any body's link, who has the larger one does.
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

/// Whoever bears `least` joints or more with some one other member, or eight times as many with all
/// of them together (about eight bodies fit around one); of whoever has a link's box that is larger
/// than a body's, all that it bears counts in full. So those who crowd into one body do not make
/// that one the culprit. As many of the costliest of these as it takes to leave half of the work or
/// less; indices, in order. Empty: nobody is to blame.
std::vector<std::size_t> most_costly(std::span<const Member> members, std::span<const Step> steps,
                                     std::uint64_t least);

/// The `count` costliest, whatever they bear (of equals those who came last), or all; indices, in
/// order.
std::vector<std::size_t> costliest(std::span<const Member> members, std::span<const Step> steps,
                                   std::size_t count);

}  // namespace tocsin::service
