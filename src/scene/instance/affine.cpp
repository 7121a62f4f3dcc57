#include "scene/instance/affine.h"

#include <fmt/format.h>

#include "scene/room/coordinate_limit.h"

namespace tocsin::scene {
namespace {

/// Rotation quaternions may be so far from unit length: those of files are rounded.
constexpr double kUnitSlack = 1e-3;

Error bad(std::string text) { return {ErrorCode::kInput, std::move(text)}; }

bool valid_scale(double s) { return s != 0.0 && std::fabs(s) <= kMaxCoordinate; }

}  // namespace

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
  const double w = q.w / length;
  const double x = q.x / length;
  const double y = q.y / length;
  const double z = q.z / length;
  const Vec3& s = at.scale;
  Affine out;
  out.m[0] = {s.x * (1.0 - 2.0 * (y * y + z * z)), s.y * (2.0 * (x * y - w * z)),
              s.z * (2.0 * (x * z + w * y))};
  out.m[1] = {s.x * (2.0 * (x * y + w * z)), s.y * (1.0 - 2.0 * (x * x + z * z)),
              s.z * (2.0 * (y * z - w * x))};
  out.m[2] = {s.x * (2.0 * (x * z - w * y)), s.y * (2.0 * (y * z + w * x)),
              s.z * (1.0 - 2.0 * (x * x + y * y))};
  out.t = at.translation;
  out.mirrors = (s.x < 0.0) != ((s.y < 0.0) != (s.z < 0.0));
  return out;
}

}  // namespace tocsin::scene
