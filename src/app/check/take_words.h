// A take's length and frame rate, for people.
#pragma once

#include <optional>
#include <string>

#include "app/cli/options.h"
#include "tocsin/motion.h"

namespace tocsin::app {

/// Between the frames of a take that are not evenly spaced, seconds.
struct FrameGaps {
  double least = 0.0;
  double mean = 0.0;
  double greatest = 0.0;
};

/// None if the frames are evenly spaced.
std::optional<FrameGaps> frame_gaps(const Motion& motion);

/// "at 30 Hz (4.333 s)"; "at uneven times, 29.5 Hz on average (4.372 s)".
std::string rate_text(const Motion& motion);

/// Leaves frame 0 out of `frames` under --skip-rest if it shows the rest pose (io::rest_frame()).
/// Returns a warning where the rest pose is there and not left out, or the other way round; else
/// nothing.
std::optional<std::string> settle_rest_frame(const Take& asked, const Motion& motion,
                                             FrameRange& frames);
/// What `tocsin info` says of a take that begins with its rest pose; nothing of others.
std::optional<std::string> rest_frame_text(const std::string& file, const Motion& motion);

/// "frames 0 to 129, stride 10". Precondition: the last frame is decided.
std::string frames_text(const FrameRange& frames);

}  // namespace tocsin::app
