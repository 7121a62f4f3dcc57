// What is asked about two links, and what a report says of their contact.
#pragma once

#include <cstddef>
#include <optional>

#include "detect/crowd/near_links.h"
#include "detect/shapes/feature_search.h"
#include "detect/step/moving_links.h"
#include "tocsin/step_report.h"

namespace tocsin::detect {

class ShapeContacts;

/// The contact of two links, if there is any: a pure function of both motions and the limits, which
/// are those of core::certify_pair; nothing is pruned where a link has a shape. `other`: how the
/// contact names the second link. Throws Stopped if the limits' stop is asked for, and
/// std::bad_alloc, where a link has a shape.
std::optional<Contact> contact_of_links(MovingLinks& a, MovingLinks& b, const NearLinks& pair,
                                        const OtherLink& other, const SearchLimits& limits,
                                        StepCounters& counters);
/// The same with memory of the caller's for links that have shapes. Throws Spent, too, as
/// FeatureSearch does.
std::optional<Contact> contact_of_links(MovingLinks& a, MovingLinks& b, const NearLinks& pair,
                                        const OtherLink& other, const SearchLimits& limits,
                                        ShapeContacts& shapes, StepCounters& counters);

/// proved_clearance() of two links of any kind. Their motions are made already. Throws Stopped once
/// `stop` asks for it (null: never), and std::bad_alloc, where a link has a shape.
double clearance_of_links(MovingLinks& a, std::size_t link, MovingLinks& b, std::size_t other,
                          const std::stop_token* stop);

}  // namespace tocsin::detect
