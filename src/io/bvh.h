// BVH motion files.
#pragma once

#include <string_view>

#include "tocsin/io.h"

namespace tocsin::io {

/// Bytes of poses per byte of file. A captured frame takes about 3 to 30 (56 bytes a joint, three
/// numbers of 2 to 10 characters each); joints without channels take more, and a hostile file could
/// make 10,000 of them out of every two-byte line. Lower, and legitimate files full of "0 0 0" and
/// End Sites would be refused.
inline constexpr std::size_t kMaxPoseBytesPerByte = 64;
/// Bytes of poses that any file may take: makes the limit irrelevant for small files.
inline constexpr std::size_t kFreePoseBytes = std::size_t{1} << 22U;

/// Reads the text of a BVH file; `file` is its name in messages and in Motion::source().
///
/// Frames: rotation channels (degrees) multiply from left to right in the order listed, whichever
/// and however many they are; a position channel replaces its axis of the OFFSET. Lengths are
/// multiplied by the unit (MotionOptions) in double; the up axis is turned at the roots only. The
/// rest pose is the OFFSETs with identity rotations. More or fewer whole frame lines than announced
/// are read and warned about. Errors (kInput) are `file:line: cause`, or name the frame and joint;
/// kUsage for senseless options.
Result<Motion> parse_bvh(std::string_view text, std::string_view file,
                         const MotionOptions& options = {});

}  // namespace tocsin::io
