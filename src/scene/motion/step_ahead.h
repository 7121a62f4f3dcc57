// step_ahead() for a caller that needs some of the joints alone.
#pragma once

#include <cstdint>
#include <span>

#include "tocsin/live/lookahead.h"

namespace tocsin::scene {

/// The step that step_ahead(step, seconds) makes, in which only joints with `moves` go on; the
/// others stay as they are at the step's end. Nothing but what hangs on a joint, or on one below
/// it, sees the difference. `moves`: one a joint; empty: all. Errors: as step_ahead().
[[nodiscard]] Result<Step> step_ahead_of(const Step& step, double seconds,
                                         std::span<const std::uint8_t> moves);

}  // namespace tocsin::scene
