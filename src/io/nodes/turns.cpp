#include "io/nodes/turns.h"

#include <cmath>

#include "core/vector/rotation.h"

namespace tocsin::io {

bool turn_about(const Vec3& axis, double degrees, core::Mat3& out) {
  using core::operator*;
  out = kIdentity;
  if (degrees == 0.0) return true;
  const double size =
      core::max_of(std::fabs(axis.x), core::max_of(std::fabs(axis.y), std::fabs(axis.z)));
  if (!std::isfinite(degrees) || !(size > 0.0) || !std::isfinite(size)) return false;
  // Divided by its largest component first, so that no square overflows or vanishes.
  const Vec3 shrunk{axis.x / size, axis.y / size, axis.z / size};
  const Vec3 unit = (1.0 / core::norm(shrunk)) * shrunk;
  const core::SinCos turn = core::sincos_degrees(degrees);
  const double versed = 1.0 - turn.cos;
  const Vec3 s = turn.sin * unit;
  out.row[0] = {turn.cos + versed * unit.x * unit.x, versed * unit.x * unit.y - s.z,
                versed * unit.x * unit.z + s.y};
  out.row[1] = {versed * unit.y * unit.x + s.z, turn.cos + versed * unit.y * unit.y,
                versed * unit.y * unit.z - s.x};
  out.row[2] = {versed * unit.z * unit.x - s.y, versed * unit.z * unit.y + s.x,
                turn.cos + versed * unit.z * unit.z};
  return true;
}

Affine transform_of(const TransformFields& fields) {
  using core::operator*;
  const Vec3& s = fields.scale;
  const core::Mat3& along = fields.scale_orientation;
  const core::Mat3 scaling{{{s.x, 0.0, 0.0}, {0.0, s.y, 0.0}, {0.0, 0.0, s.z}}};
  const core::Mat3 back{{core::column(along, 0), core::column(along, 1), core::column(along, 2)}};
  Affine out;
  out.linear = fields.rotation * (along * (scaling * back));
  out.origin = fields.translation + (fields.center - out.linear * fields.center);
  return out;
}

}  // namespace tocsin::io
