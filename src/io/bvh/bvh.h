// BVH motion files.
#pragma once

#include <string_view>

#include "io/unit.h"
#include "tocsin/io.h"

namespace tocsin::io {

/// Reads the text of a BVH file; `file` is its name in messages and in Motion::source().
///
/// Frames: rotation channels (degrees) multiply from left to right in the order listed, in any
/// number and order. A position channel replaces its axis of the OFFSET. Lengths are multiplied by
/// the unit (MotionOptions) in double; the up axis is turned at the roots only. The rest pose is
/// the OFFSETs with identity rotations. More or fewer whole frame lines than announced are read and
/// warned about. Errors (kInput) are `file:line: cause`, or name the frame and joint; kUsage for
/// senseless options. `unit`, unless it is null, is the unit, whatever the options and the rest
/// pose say.
Result<Motion> parse_bvh(std::string_view text, std::string_view file,
                         const MotionOptions& options = {}, const UnitChoice* unit = nullptr);

}  // namespace tocsin::io
