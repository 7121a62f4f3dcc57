// Where joints go on, and how far links then are from objects, in long double and by no line of the
// house: the textbook's exp and log of a joint's displacement, matrices down the tree, and the
// distances of a segment and a triangle's parts.
#pragma once

#include <Eigen/Dense>
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <span>
#include <vector>

#include "tocsin/avatar.h"
#include "tocsin/environment.h"
#include "tocsin/motion.h"

namespace tocsin::test {

class PredictedMotion {
 public:
  using Real = long double;
  using V = Eigen::Matrix<Real, 3, 1>;
  using M = Eigen::Matrix<Real, 3, 3>;

  /// The motion after the step from p0 to p1, which lasts `lasted` seconds, for `ahead` seconds.
  PredictedMotion(const Skeleton& skeleton, std::span<const Transform> p0,
                  std::span<const Transform> p1, Real lasted, Real ahead)
      : skeleton_(skeleton), p0_(p0), p1_(p1), steps_(ahead / lasted) {}

  /// Radians that a joint turns at most, of all joints.
  [[nodiscard]] Real most_turn() const {
    Real out = 0;
    for (std::size_t i = 0; i < p0_.size(); ++i) {
      out = std::max(out, steps_ * turn_of(p0_[i], p1_[i]).norm());
    }
    return out;
  }

  /// Distance of a link's axis from an object's triangles at time t, 0 to 1.
  [[nodiscard]] Real distance(const Link& link, const Environment& room, const Object& object,
                              Real t) const {
    const auto [rotation, translation] = world_of(link.joint, 1 + t * steps_);
    const V a = rotation * wide(link.a) + translation;
    const V b = rotation * wide(link.b) + translation;
    const V middle = (a + b) / 2;
    const Real half = (b - a).norm() / 2;
    Real least = std::numeric_limits<Real>::infinity();
    for (std::size_t i = 0; i < object.triangle_count; ++i) {
      const auto& corners = room.triangles()[object.first_triangle + i];
      std::array<V, 3> p;
      for (std::size_t k = 0; k < 3; ++k) {
        const Vec3f& v = room.vertices()[corners[k]];
        p[k] = {v.x, v.y, v.z};
      }
      // A ball around the segment and one around the triangle are farther apart than that.
      const Real around = std::max((p[1] - p[0]).norm(), (p[2] - p[0]).norm());
      if ((p[0] - middle).norm() - around - half > least) continue;
      least = std::min(least, segment_triangle(a, b, p));
    }
    return least;
  }

 private:
  struct World {
    M rotation;
    V translation;
  };

  static V wide(const Vec3& v) { return {v.x, v.y, v.z}; }
  static Eigen::Quaternion<Real> wide(const Quat& q) {
    return Eigen::Quaternion<Real>(q.w, q.x, q.y, q.z).normalized();
  }
  static V turn_of(const Transform& p0, const Transform& p1) {
    const Eigen::AngleAxis<Real> turn(wide(p1.rotation) * wide(p0.rotation).conjugate());
    Real angle = turn.angle();
    if (angle > std::acos(Real(-1))) angle -= 2 * std::acos(Real(-1));
    return turn.axis() * angle;
  }
  static M crossing(const V& a) {
    M m;
    m << 0, -a.z(), a.y(), a.z(), 0, -a.x(), -a.y(), a.x(), 0;
    return m;
  }
  static M exp_of(const V& turn) {
    const Real angle = turn.norm();
    if (angle == 0) return M::Identity();
    return Eigen::AngleAxis<Real>(angle, turn / angle).toRotationMatrix();
  }
  /// The integral of exp(s turn), s from 0 to 1.
  static M jacobian(const V& turn) {
    const Real a = turn.norm();
    const M k = crossing(turn);
    if (a < Real(1e-4)) return M::Identity() + k / 2 + k * k / 6;
    return M::Identity() + (1 - std::cos(a)) / (a * a) * k +
           (a - std::sin(a)) / (a * a * a) * k * k;
  }

  [[nodiscard]] World local_of(std::size_t joint, Real t) const {
    const V turn = turn_of(p0_[joint], p1_[joint]);
    const V c0 = wide(p0_[joint].translation);
    const V c1 = wide(p1_[joint].translation);
    const V rho = jacobian(turn).inverse() * (c1 - exp_of(turn) * c0);
    return {exp_of(t * turn) * wide(p0_[joint].rotation).toRotationMatrix(),
            exp_of(t * turn) * c0 + t * (jacobian(t * turn) * rho)};
  }
  [[nodiscard]] World world_of(int joint, Real t) const {
    World out = local_of(static_cast<std::size_t>(joint), t);
    for (int up = skeleton_.joints()[static_cast<std::size_t>(joint)].parent; up >= 0;
         up = skeleton_.joints()[static_cast<std::size_t>(up)].parent) {
      const World above = local_of(static_cast<std::size_t>(up), t);
      out = {above.rotation * out.rotation, above.rotation * out.translation + above.translation};
    }
    return out;
  }

  static Real point_segment(const V& p, const V& a, const V& b) {
    const V d = b - a;
    const Real s = d.squaredNorm() > 0
                       ? std::clamp<Real>((p - a).dot(d) / d.squaredNorm(), Real(0), Real(1))
                       : Real(0);
    return (a + s * d - p).norm();
  }
  static Real segments(const V& a, const V& b, const V& c, const V& d) {
    Real least = std::min({point_segment(a, c, d), point_segment(b, c, d), point_segment(c, a, b),
                           point_segment(d, a, b)});
    const V u = b - a;
    const V v = d - c;
    const V w = c - a;
    const Real det = u.dot(u) * v.dot(v) - u.dot(v) * u.dot(v);
    if (det <= 0) return least;
    const Real s = (u.dot(w) * v.dot(v) - v.dot(w) * u.dot(v)) / det;
    const Real t = (u.dot(w) * u.dot(v) - v.dot(w) * u.dot(u)) / det;
    if (s >= 0 && s <= 1 && t >= 0 && t <= 1)
      least = std::min(least, (a + s * u - c - t * v).norm());
    return least;
  }
  /// True if the point's foot on the plane is in the triangle.
  static bool is_above(const V& p, const std::array<V, 3>& t, const V& n) {
    for (std::size_t k = 0; k < 3; ++k) {
      const V& from = t[k];
      if (n.cross(t[(k + 1) % 3] - from).dot(p - from) < 0) return false;
    }
    return true;
  }
  static Real segment_triangle(const V& a, const V& b, const std::array<V, 3>& t) {
    Real least = std::min(
        {segments(a, b, t[0], t[1]), segments(a, b, t[1], t[2]), segments(a, b, t[2], t[0])});
    const V n = (t[1] - t[0]).cross(t[2] - t[0]);
    if (n.squaredNorm() == 0) return least;
    const Real at_a = n.dot(a - t[0]) / n.norm();
    const Real at_b = n.dot(b - t[0]) / n.norm();
    if (is_above(a, t, n)) least = std::min(least, std::abs(at_a));
    if (is_above(b, t, n)) least = std::min(least, std::abs(at_b));
    if (at_a * at_b < 0 && is_above(a + at_a / (at_a - at_b) * (b - a), t, n)) least = 0;
    return least;
  }

  const Skeleton& skeleton_;
  std::span<const Transform> p0_;
  std::span<const Transform> p1_;
  Real steps_;
};

}  // namespace tocsin::test
