#include "scene/instance/affine.h"

#include <fmt/format.h>

#include <algorithm>

#include "scene/room/coordinate_limit.h"

namespace tocsin::scene {
namespace {

/// Rotation quaternions may be so far from unit length: those of files are rounded.
constexpr double kUnitSlack = 1e-3;

Error bad(std::string text) { return {ErrorCode::kInput, std::move(text)}; }

bool valid_scale(double s) { return s != 0.0 && std::fabs(s) <= kMaxCoordinate; }

}  // namespace

Vec3 to_mesh(const Affine& at, const Vec3& p) {
  const Vec3 d = p - at.t;
  const auto along = [&](double x, double y, double z) {
    // A column is the scale times a unit vector. Its square may not underflow.
    const double size = std::max({std::fabs(x), std::fabs(y), std::fabs(z)});
    const Vec3 unit{x / size, y / size, z / size};
    return core::dot(unit, d) / core::dot(unit, unit) / size;
  };
  return {along(at.m[0].x, at.m[1].x, at.m[2].x), along(at.m[0].y, at.m[1].y, at.m[2].y),
          along(at.m[0].z, at.m[1].z, at.m[2].z)};
}

Result<Affine> affine_of(const ShapePlacement& at) {
  const Quat& q = at.rotation;
  const double length = std::sqrt(((q.w * q.w + q.x * q.x) + q.y * q.y) + q.z * q.z);
  if (!within_reach(at.translation)) {
    return bad("an object's translation must be finite and within 1e6 m");
  }
  if (!(std::fabs(length - 1.0) <= kUnitSlack)) {
    return bad(fmt::format("an object's rotation must be of unit length, is of {}", length));
  }
  if (!valid_scale(at.scale.x) || !valid_scale(at.scale.y) || !valid_scale(at.scale.z)) {
    return bad(
        fmt::format("an object's scale must be finite, within 1e6 and not 0, is ({}, {}, {})",
                    at.scale.x, at.scale.y, at.scale.z));
  }
  const core::Mat3 turn = core::to_matrix({q.w / length, q.x / length, q.y / length, q.z / length});
  const Vec3& s = at.scale;
  Affine out;
  for (std::size_t i = 0; i < 3; ++i) {
    out.m[i] = {s.x * turn.row[i].x, s.y * turn.row[i].y, s.z * turn.row[i].z};
  }
  out.t = at.translation;
  out.mirrors = (s.x < 0.0) != ((s.y < 0.0) != (s.z < 0.0));
  return out;
}

}  // namespace tocsin::scene
