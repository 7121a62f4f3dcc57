// Flights in a motion: what leaps or falls has the Earth's acceleration, whatever it is.
#pragma once

#include <optional>

#include "tocsin/motion.h"

namespace tocsin::io {

/// The acceleration of the motion's flights, in its own lengths a second squared, if there are two
/// flights of 0.2 s or more, or one of 0.3 s, that agree to a tenth. A flight: the middle of the
/// bones, each weighted by its length, moves on a parabola that bends down (off it by a fiftieth of
/// its bend at most, as a root mean square), while every joint is above the lowest place of the
/// whole motion by 0.03 of `size`. Looks at 20,000 frames at most; frame 0 may be a
/// reference pose and is left out. Y is up.
std::optional<double> free_fall(const Motion& motion, double size);

}  // namespace tocsin::io
