// Shared by the readers of motion text files: parts of transforms, and limits of the poses' memory.
#pragma once

#include <cstddef>

#include "core/vector/vec.h"
#include "io/up_axis.h"
#include "tocsin/types.h"

namespace tocsin::io {

/// Bytes of poses per byte of file. A captured frame takes about 3 to 30 (56 bytes a joint, three
/// numbers of 2 to 10 characters each); joints without channels take more, and a hostile file could
/// make 10,000 of them out of every two-byte line. Lower, and legitimate files full of "0 0 0" and
/// End Sites would be refused.
inline constexpr std::size_t kMaxPoseBytesPerByte = 64;
/// Bytes of poses that any file may take, so that the limit above does not matter for small files.
inline constexpr std::size_t kFreePoseBytes = std::size_t{1} << 22U;

/// Bytes of a joint name. A longer one is no real name, and each end of its joint would repeat it.
inline constexpr std::size_t kMaxJointNameBytes = 256;

/// Component 0, 1 or 2.
constexpr double& component(Vec3& a, int axis) { return axis == 0 ? a.x : axis == 1 ? a.y : a.z; }

/// A root's transform, in Tocsin's axes.
inline Transform turned_up_root(const Transform& root, UpAxis up) {
  if (up == UpAxis::kY) return root;
  return {up_rotation(up) * root.rotation, turned_up(root.translation, up)};
}

}  // namespace tocsin::io
