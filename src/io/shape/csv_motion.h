// The motion of a body as a table of comma-separated values: docs/reference/bodies.md.
#pragma once

#include <string>
#include <string_view>

#include "tocsin/motion.h"
#include "tocsin/result.h"

namespace tocsin::io {

/// Where a body is over time.
struct BodyMotion {
  Motion motion;       ///< of a skeleton with one joint
  double start = 0.0;  ///< seconds at which its frame 0 is
};

/// Reads `time,x,y,z,qw,qx,qy,qz` and a row for each frame: seconds, in increasing order; metres, Y
/// up; a rotation from the body's frame to the world's. Blank lines do not count. Errors (kInput),
/// naming file and line: another header; not 8 finite numbers; a time that is not later than the
/// one before, or beyond 1e6 s; a place beyond 1e6 m; a rotation whose length is off 1 by more than
/// 1e-3; no row.
Result<BodyMotion> parse_csv_motion(std::string_view text, const std::string& file);

}  // namespace tocsin::io
