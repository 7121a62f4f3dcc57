// Motions of skeletons in glTF and FBX files.
#pragma once

#include <cstdint>
#include <filesystem>

#include "tocsin/io.h"
#include "tocsin/result.h"

namespace tocsin::io {

/// Bytes of poses that any file may make, and beyond that per byte of file. A minute of a hundred
/// joints at 120 Hz is 40 MB; keys that are far apart, and a high rate, make more of them than the
/// file has bytes, and a hostile one could ask for an hour at 10^6 Hz. Lower, and long takes that
/// are stored as few keys are refused.
inline constexpr std::uint64_t kFreeSkinnedPoseBytes = std::uint64_t{1} << 28U;
inline constexpr std::uint64_t kSkinnedPoseBytesPerByte = 64;

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
Result<Motion> read_skinned_motion(const std::filesystem::path& file, const MotionOptions& options);

}  // namespace tocsin::io
