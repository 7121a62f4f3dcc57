#include "papers/axis_range.h"

#include "core/vector/vec.h"

namespace tocsin::papers {
namespace {

using core::cross;
using core::norm;

Ball operator+(const Ball& a, const Ball& b) { return {a.mid + b.mid, a.radius + b.radius}; }
Ball operator*(double s, const Ball& a) { return {s * a.mid, s * a.radius}; }
Ball operator*(const core::Mat3& m, const Ball& a) { return {m * a.mid, a.radius}; }
/// For a unit vector u.
Ball cross(const Vec3& u, const Ball& a) { return {cross(u, a.mid), a.radius}; }

/// A joint over a stretch: its rotation R(u, wt) and its translation T(t) with derivatives.
struct JointRange {
  const core::JointMotion& m;
  core::detail::JointState middle;
  double half_angle = 0.0;  ///< it turns by this much to either side of the middle, radians
  PointRange translation;
};

/// R(u, wt) y. A point y turns on a circle of radius |u x y|, and a chord is no longer than its
/// arc.
Ball turned_ball(const JointRange& j, const Ball& y) {
  if (!(j.m.w > 0.0)) return y;
  return {core::detail::turn(j.m, j.middle, y.mid),
          y.radius + j.half_angle * norm(cross(j.m.u, y.mid))};
}

JointRange joint_range(const core::JointMotion& m, InBetween kind, double t0, double t1) {
  const double half = 0.5 * (t1 - t0);
  JointRange j{m, core::detail::joint_state(m, kind, t0 + half), half * m.w, {}};
  const Vec3& velocity = j.middle.velocity;
  if (kind == InBetween::kTranslateRotate) {
    j.translation = {{m.c + j.middle.travel, half * norm(velocity)}, {velocity, 0.0}, {}};
    return j;
  }
  // T' = h u + R(u, wt) v with v across u: as long throughout; T'' = w u x T'.
  j.translation.position = {m.c + j.middle.travel, half * norm(velocity)};
  j.translation.velocity = {velocity, j.half_angle * norm(m.v)};
  j.translation.acceleration = m.w * cross(m.u, j.translation.velocity);
  return j;
}

/// R(u, wt) R0 p, by the product rule.
PointRange rotated(const JointRange& j, const PointRange& p) {
  PointRange out{turned_ball(j, j.m.r0 * p.position), turned_ball(j, j.m.r0 * p.velocity),
                 turned_ball(j, j.m.r0 * p.acceleration)};
  if (!(j.m.w > 0.0)) return out;
  const Ball spin = j.m.w * cross(j.m.u, out.position);
  const Ball drift = j.m.w * cross(j.m.u, out.velocity);
  out.acceleration = out.acceleration + 2.0 * drift + j.m.w * cross(j.m.u, spin);
  out.velocity = out.velocity + spin;
  return out;
}

PointRange operator+(const PointRange& p, const PointRange& q) {
  return {p.position + q.position, p.velocity + q.velocity, p.acceleration + q.acceleration};
}

}  // namespace

AxisRange axis_range(const core::LinkMotion& link, double t0, double t1) {
  AxisRange out;
  out.a.position.mid = link.a;
  out.b.position.mid = link.b;
  out.along.position.mid = link.b - link.a;
  for (std::int32_t k = link.chain_length - 1; k >= 0; --k) {
    JointRange j = joint_range(link.joints[link.chain[k]], link.kind, t0, t1);
    if (k == 0) j.translation.position.mid = (j.m.c - link.ref) + j.middle.travel;
    out.a = rotated(j, out.a) + j.translation;
    out.b = rotated(j, out.b) + j.translation;
    out.along = rotated(j, out.along);
  }
  return out;
}

}  // namespace tocsin::papers
