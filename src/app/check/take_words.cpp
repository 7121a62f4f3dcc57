#include "app/check/take_words.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/cli/words.h"
#include "io/rest_frame.h"

namespace tocsin::app {

std::optional<FrameGaps> frame_gaps(const Motion& motion) {
  const std::int64_t last = motion.frame_count() - 1;
  if (motion.ticks().empty() || last < 1) return std::nullopt;
  FrameGaps out{motion.seconds(1), motion.seconds(last) / static_cast<double>(last), 0.0};
  for (std::int64_t frame = 1; frame <= last; ++frame) {
    const double gap = motion.seconds(frame) - motion.seconds(frame - 1);
    out.least = std::min(out.least, gap);
    out.greatest = std::max(out.greatest, gap);
  }
  return out;
}

std::string rate_text(const Motion& motion) {
  if (const auto gaps = frame_gaps(motion)) {
    return fmt::format("at uneven times, {} Hz on average ({} s)", brief(1.0 / gaps->mean),
                       brief(motion.seconds(motion.frame_count() - 1)));
  }
  return fmt::format("at {} Hz ({} s)", brief(1.0 / motion.frame_time()),
                     brief(motion.frame_time() * static_cast<double>(motion.frame_count())));
}

std::optional<std::string> rest_frame_text(const std::string& file, const Motion& motion) {
  const std::optional<io::RestFrame> rest = io::rest_frame(motion);
  if (!rest) return std::nullopt;
  return fmt::format(
      "{}: frame 0 is the skeleton's rest pose, from which a joint turns by {:.0f} degrees to "
      "frame "
      "1 (then by {:.1f} at most); --skip-rest leaves it out",
      file, rest->degrees, rest->usual);
}

std::optional<std::string> settle_rest_frame(const Take& asked, const Motion& motion,
                                             FrameRange& frames) {
  if (frames.first != 0) return std::nullopt;
  std::optional<std::string> said = rest_frame_text(asked.motion, motion);
  if (!asked.skip_rest) return said;
  if (!said) {
    return fmt::format("{}: --skip-rest leaves out nothing: frame 0 is part of the motion",
                       asked.motion);
  }
  frames.first = 1;
  return std::nullopt;
}

std::string frames_text(const FrameRange& frames) {
  const auto& [first, last, stride] = frames;
  std::string out = fmt::format("frames {} to {}", grouped(first), grouped(last));
  if (stride > 1) out += fmt::format(", stride {}", grouped(stride));
  return out;
}

}  // namespace tocsin::app
