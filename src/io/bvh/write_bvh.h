// Writing BVH motion files.
#pragma once

#include <filesystem>

#include "tocsin/io.h"
#include "tocsin/motion.h"
#include "tocsin/result.h"

namespace tocsin::io {

/// Writes a motion so that parse_bvh() reads it back: the same joints at the same world positions
/// in every frame (to rounding, some 1e-15 of the size), and the same in-between motions. Metres, Y
/// up; numbers are written so that they read back as the same double.
///
/// BVH has no rest rotations. Joint frames are turned to be aligned with the world at rest: with G
/// a joint's rest rotation in the world and G_p its parent's, its transform (q, t) becomes (G_p q
/// G^-1, G_p t). Every point of the body moves as before; coordinates in a joint's own frame are
/// turned by G.
///
/// A joint has rotation channels Z, Y, X, and position channels if it is a root or ever leaves its
/// rest translation. A leaf that never moves against its parent and is called as the reader would
/// call it (X_end, then X_end2, ... below X) becomes an End Site. Joints come depth first. Blanks,
/// braces and control characters in a name become '_', an empty name "joint"; a name that this or
/// its length (over 256 bytes: cut) makes equal to another gets a number (warning).
///
/// Nothing is left half-written. Errors: kInput for an empty motion, for frames that are not evenly
/// spaced, and for more than 10,000 joints, which the reader refuses; kResource, naming the file,
/// if it cannot be written.
Result<SaveNotes> write_bvh(const Motion& motion, const std::filesystem::path& file);

}  // namespace tocsin::io
