// Motions as binary glTF.
#pragma once

#include <filesystem>

#include "tocsin/motion.h"
#include "tocsin/result.h"

namespace tocsin::io {

/// Writes a motion as a .glb: a node a joint at its rest transform, one skin of all joints with
/// their inverse bind matrices, an octahedron a bone so that there is something to see, and one
/// animation, named after the file that the motion came from (else after this one).
///
/// Metres, seconds; 32-bit floats. Frame k is at k frame_time. Every joint has its rotation at
/// every frame, successive ones without a change of sign; its translation too if any frame's is not
/// exactly that at rest. `extras.frame_time` of the animation holds the frame time as a double, by
/// which read_skinned_motion() recovers it. Names that are not UTF-8 are mended.
/// Source: Khronos, glTF 2.0 specification, sections 3.6 to 3.11.
///
/// Errors: kInput: an empty motion; more than 4 GiB; more frames than 32-bit floats can tell apart
/// at this frame time. kResource: it cannot be written.
Status write_motion_glb(const Motion& motion, const std::filesystem::path& file);

}  // namespace tocsin::io
