// What is asked about two links, and what a report says of their contact.
#pragma once

#include <cstddef>
#include <optional>

#include "detect/crowd/near_links.h"
#include "detect/step/moving_links.h"
#include "tocsin/step_report.h"

namespace tocsin::detect {

/// The contact of two links, if there is any: a pure function of both motions, the tolerance, and
/// `stop_after` as core::certify_pair takes it. `other`: how the contact names the second link.
std::optional<Contact> contact_of_links(MovingLinks& a, MovingLinks& b, const NearLinks& pair,
                                        const OtherLink& other, double tolerance, double stop_after,
                                        StepCounters& counters);

}  // namespace tocsin::detect
