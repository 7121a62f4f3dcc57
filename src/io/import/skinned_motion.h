// Motions of skeletons in glTF and FBX files.
#pragma once

#include <cstdint>
#include <filesystem>

#include "io/input_files.h"
#include "tocsin/io.h"
#include "tocsin/result.h"

namespace tocsin::io {

/// Steps that any file may take, and beyond that per byte of file. A frame takes two for every
/// joint (its place and its pose), and one for every node that the clip moves at or above one. A
/// step takes up to 0.15 us and 28 bytes: a small file ends within 1.5 s and 240 MB, a large one
/// within 0.6 s and 120 MB more for each MB of it. The free ones are 7 minutes of a hundred moving
/// joints at 60 Hz; a take with a key for every frame has some 16 bytes for each joint of a frame,
/// and needs 3 or 4 steps for it. Keys that are far apart make more frames than the file has bytes,
/// and a hostile file could have an hour at 10^6 Hz below 500 nested nodes. Smaller: long takes
/// with few keys are refused. Larger: a hostile file delays its caller for longer.
inline constexpr std::uint64_t kFreeSkinnedSteps = std::uint64_t{1} << 23U;
inline constexpr std::uint64_t kSkinnedStepsPerByte = 4;

/// Reads one clip's motion of one skeleton from a .glb, .gltf or .fbx.
///
/// Skeleton: scene_skeletons.h. Its rest pose is that of the scene's nodes. Each frame, and at
/// rest, every joint's place in the world is taken whole (nodes above the skeleton, scale and shear
/// included), brought to metres and Y up, and its position kept exactly; its rotation is the
/// nearest to what is left (rigid.h). Joints are in file order, parents before children.
///
/// Frames: on the keys, if all lie on one even grid (key_times.h); else, or if options.rate says
/// so, at that rate from the first key to the last; without one at the rate that an FBX file
/// states, else at 60 Hz, with a warning. Between keys: clip_sampler.h.
///
/// Unit and axes: glTF is in metres, Y up; FBX as it states. options.unit_metres is one unit of the
/// file instead; options.up turns what comes out of that.
///
/// Errors: kInput, naming the file: as read_animated_scene(); no animation, no skeleton; several
/// and none named, or none of that name (lists them); broken keys (clip, joint, key); a joint that
/// is mirrored or flattened; frames out of proportion to the file. kUsage: a senseless unit or
/// rate.
Result<Motion> read_skinned_motion(const std::filesystem::path& file, const MotionOptions& options,
                                   InputLog* log = nullptr);

}  // namespace tocsin::io
