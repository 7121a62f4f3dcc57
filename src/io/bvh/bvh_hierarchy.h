// The first half of a BVH file: the tree of joints, and the channel of each number of a frame line.
//
// Own words of the format (Biovision, 1990s; no standard exists): HIERARCHY, ROOT, JOINT, End Site,
// OFFSET, CHANNELS, MOTION. They are taken in any case of letters.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/text_scanner.h"
#include "tocsin/result.h"
#include "tocsin/skeleton.h"

namespace tocsin::io {

/// A larger skeleton is refused. Captured skeletons, fingers and face included, have under 300
/// joints, and some algorithms are quadratic in the depth.
inline constexpr std::size_t kMaxBvhJoints = 10'000;

/// What a number of a frame line sets: a position or a rotation (degrees), about or along axis 0, 1
/// or 2.
struct BvhChannel {
  std::int32_t joint = 0;
  bool rotation = false;
  std::uint8_t axis = 0;
};

struct BvhHierarchy {
  /// Parents before children, in file order; the End Site of J is a joint J_end (J_end2, ... for
  /// more). Rest transforms: OFFSET as written, in the file's unit and axes, and the identity
  /// rotation.
  std::vector<Joint> joints;
  std::vector<BvhChannel> channels;   ///< in the order of a frame line's numbers
  std::vector<std::string> warnings;  ///< with file and line
};

/// True where a comment begins: `#` or `//`, which some programs write.
inline bool at_bvh_comment(const base::TextScanner& in) {
  return in.rest().starts_with('#') || in.rest().starts_with("//");
}
/// Moves past blanks, line ends and comments; true if no token follows in the text.
inline bool at_bvh_end(base::TextScanner& in) {
  while (!in.at_text_end()) {
    if (!at_bvh_comment(in)) return false;
    in.next_line();
  }
  return true;
}

/// Reads up to and including MOTION; the scanner stands behind it then. No recursion: depth costs
/// no stack. Errors (kInput): `file:line: cause`.
Result<BvhHierarchy> read_bvh_hierarchy(base::TextScanner& in, std::string_view file);

}  // namespace tocsin::io
