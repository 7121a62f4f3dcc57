// The frame of a piece of furniture, or of a part of one.
#pragma once

#include "core/vector/trig.h"
#include "core/vector/vec.h"
#include "tocsin/types.h"

namespace tocsin::make {

/// Maps a part's own coordinates p to turn * p + origin. Metres; `turn` is a rotation.
struct Frame {
  core::Mat3 turn{{{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}}};
  Vec3 origin;

  Vec3 operator*(const Vec3& p) const { return turn * p + origin; }
};

/// The frame whose origin is p of `at`.
inline Frame moved(const Frame& at, const Vec3& p) { return {at.turn, at * p}; }

/// The frame turned about its own x, y or z axis, in degrees; about y, 90 maps +z to +x.
inline Frame turned_x(const Frame& at, double degrees) {
  const core::SinCos a = core::sincos_degrees(degrees);
  return {at.turn * core::Mat3{{{1.0, 0.0, 0.0}, {0.0, a.cos, -a.sin}, {0.0, a.sin, a.cos}}},
          at.origin};
}
inline Frame turned_y(const Frame& at, double degrees) {
  const core::SinCos a = core::sincos_degrees(degrees);
  return {at.turn * core::Mat3{{{a.cos, 0.0, a.sin}, {0.0, 1.0, 0.0}, {-a.sin, 0.0, a.cos}}},
          at.origin};
}
inline Frame turned_z(const Frame& at, double degrees) {
  const core::SinCos a = core::sincos_degrees(degrees);
  return {at.turn * core::Mat3{{{a.cos, -a.sin, 0.0}, {a.sin, a.cos, 0.0}, {0.0, 0.0, 1.0}}},
          at.origin};
}

/// v scaled to length 1; v must not be zero.
inline Vec3 unit_vector(const Vec3& v) { return (1.0 / core::norm(v)) * v; }

}  // namespace tocsin::make
