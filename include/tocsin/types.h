// The plain value types that all of Tocsin uses.
//
// Frames: unless a function says otherwise, positions are in the world frame, metres, right-handed,
// +Y up. Rotations are unit quaternions that map a joint's frame to its parent's frame.
#pragma once

#include <array>
#include <cstdint>

namespace tocsin {

/// A point, or a vector, in double precision. Metres unless stated otherwise.
struct Vec3 {
  double x = 0.0;
  double y = 0.0;
  double z = 0.0;
  friend constexpr bool operator==(const Vec3&, const Vec3&) = default;
};

/// A point in single precision: an environment's vertex. "Exact" answers are relative to these.
struct Vec3f {
  float x = 0.0F;
  float y = 0.0F;
  float z = 0.0F;
  friend constexpr bool operator==(const Vec3f&, const Vec3f&) = default;
};

/// Three indices into a list of corners.
using TriangleIndices = std::array<std::uint32_t, 3>;

/// A unit quaternion, scalar first. (1, 0, 0, 0) is the identity.
struct Quat {
  double w = 1.0;
  double x = 0.0;
  double y = 0.0;
  double z = 0.0;
  friend constexpr bool operator==(const Quat&, const Quat&) = default;
};

/// A rigid transform x -> rotation(x) + translation, from a joint's frame to its parent's.
struct Transform {
  Quat rotation;
  Vec3 translation;
  friend constexpr bool operator==(const Transform&, const Transform&) = default;
};

/// The axis that points up in a file. Tocsin itself is always Y up: kZ maps (x, y, z) to (x, z,
/// -y), kX maps (x, y, z) to (-y, x, z).
enum class UpAxis : std::uint8_t { kY, kZ, kX };

/// How a joint moves in its parent's frame between two poses.
enum class InBetween : std::uint8_t {
  kScrew,  ///< along the screw that joins the poses (paper 004's alternative; the default)
  kTranslateRotate,  ///< constant rotation and translation velocities (paper 004, eq. 6-10)
};

}  // namespace tocsin
