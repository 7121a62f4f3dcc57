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
/// Metres, seconds; 32-bit floats. Frame k is at Motion::seconds(k). Every joint has its rotation
/// at every frame, successive ones without a change of sign; its translation too if any frame's is
/// not exactly that at rest. `extras.frame_time` of the animation holds the frame time as a double,
/// by which read_skinned_motion() recovers it; frames that are not evenly spaced have none. Names
/// that are not UTF-8 are mended. Source: Khronos, glTF 2.0 specification, sections 3.6 to 3.11.
///
/// Errors: kInput: an empty motion; more than 4 GiB; frames that 32-bit floats cannot tell
/// apart. kResource: it cannot be written.
Status write_motion_glb(const Motion& motion, const std::filesystem::path& file);

}  // namespace tocsin::io
