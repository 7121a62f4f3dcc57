// AMC motions (Acclaim): the numbers that move the bones of an ASF skeleton, frame by frame.
#pragma once

#include <string_view>

#include "io/acclaim/asf_skeleton.h"
#include "io/unit.h"
#include "tocsin/io.h"

namespace tocsin::io {

/// Hz. What the CMU database was captured at; .amc files rarely say.
inline constexpr double kAmcRate = 120.0;

/// Reads the text of an AMC file; `file` is its name in messages and in Motion::source().
///
/// Joints: "root"; one at the start of every bone, named like it; and NAME_end at the end of every
/// bone NAME that nothing hangs on. At rest their frames are aligned with the root's, which stands
/// as the ASF's `orientation` says (almost always: with the world).
///
/// Frames: with C the bone's `axis` and M the product of its rotation dofs, the first one applied
/// first, a bone turns by C M C^-1 against its parent; tx, ty, tz shift its start along C's axes; l
/// is its length instead of the ASF's. The root turns by orientation * M and lies at position +
/// (tx, ty, tz). Lengths are multiplied by the unit in double: as told (MotionOptions), else 0.0254
/// m /
/// `:units length`, else the one that fits the rest height. `unit`, unless it is null, is the unit
/// in any case. The up axis is turned at the root only.
///
/// A bone that no frame names stays at rest (warning). Errors (kInput) are `file:line: cause`:
/// frame numbers that do not rise by 1, bones that are missing in a frame or come twice, too few or
/// too many values, a word that is no number; or they name frame (from 0) and joint. kUsage for
/// senseless options.
Result<Motion> parse_amc(std::string_view text, std::string_view file, const AsfSkeleton& asf,
                         const MotionOptions& options = {}, const UnitChoice* unit = nullptr);

}  // namespace tocsin::io
