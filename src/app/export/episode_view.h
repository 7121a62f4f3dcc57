// From where an episode of contact is seen best.
#pragma once

#include <optional>

#include "app/check/job.h"
#include "io/report/told.h"
#include "view/choose_camera.h"
#include "view/sight.h"

namespace tocsin::app {

/// The camera of `tocsin render --episode` for an episode with this first contact, half as near
/// again, in a picture of that size; none: nothing to look at. `sight`: of the job's room.
/// Precondition: the room did not change.
std::optional<view::View> episode_view(const Job& job, const io::ToldContact& first,
                                       const view::Sight& sight, int width, int height);

/// A camera that sees all that are there at a time, of which the room hides least; likewise.
std::optional<view::View> overview_of(const Job& job, double seconds, const view::Sight& sight,
                                      int width, int height);

}  // namespace tocsin::app
