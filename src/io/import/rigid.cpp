#include "io/import/rigid.h"

#include <cmath>

#include "core/vector/trig.h"
#include "core/vector/vec.h"

namespace tocsin::io {
namespace {

using core::Mat3;

double frobenius(const Mat3& m) {
  return std::sqrt((core::dot(m.row[0], m.row[0]) + core::dot(m.row[1], m.row[1])) +
                   core::dot(m.row[2], m.row[2]));
}

Mat3 scaled(double s, const Mat3& m) { return {{s * m.row[0], s * m.row[1], s * m.row[2]}}; }

/// The unit quaternion of a rotation matrix. The largest of its four numbers is found first, so
/// that nothing is divided by what is near zero.
Quat to_quat(const Mat3& m) {
  const double xx = m.row[0].x;
  const double yy = m.row[1].y;
  const double zz = m.row[2].z;
  const double zy = m.row[2].y - m.row[1].z;
  const double xz = m.row[0].z - m.row[2].x;
  const double yx = m.row[1].x - m.row[0].y;
  const double xy = m.row[0].y + m.row[1].x;
  const double zx = m.row[0].z + m.row[2].x;
  const double yz = m.row[1].z + m.row[2].y;
  Quat q{1.0 + ((xx + yy) + zz), zy, xz, yx};
  if (xx > yy && xx > zz && q.w < 1.0 + ((xx - yy) - zz)) {
    q = {zy, 1.0 + ((xx - yy) - zz), xy, zx};
  } else if (yy > zz && q.w < 1.0 + ((yy - xx) - zz)) {
    q = {xz, xy, 1.0 + ((yy - xx) - zz), yz};
  } else if (q.w < 1.0 + ((zz - xx) - yy)) {
    q = {yx, zx, yz, 1.0 + ((zz - xx) - yy)};
  }
  return core::normalized(q);
}

/// Of the linear part as it is after division by its mean stretch: below this, the map flattens.
/// The determinant is the product of the three stretches then.
constexpr double kLeastDeterminant = 1e-6;

}  // namespace

std::optional<Transform> rigid_part(const Affine& map) {
  const double size = frobenius(map.linear);
  if (!std::isfinite(size) || !core::is_finite(map.origin) || size < core::kLeastLength) {
    return std::nullopt;
  }
  constexpr double kRootOf3 = 0x1.bb67ae8584caap+0;
  Mat3 m = scaled(kRootOf3 / size, map.linear);
  // X <- (X + X^-T) / 2 brings every stretch s to (s + 1/s) / 2; it doubles the digits each time
  // once they are near 1, and halves the large ones before that.
  constexpr int kMostRounds = 40;
  for (int round = 0; round < kMostRounds; ++round) {
    const Mat3 cofactor{{core::cross(m.row[1], m.row[2]), core::cross(m.row[2], m.row[0]),
                         core::cross(m.row[0], m.row[1])}};
    const double determinant = core::dot(m.row[0], cofactor.row[0]);
    if (!(determinant > kLeastDeterminant)) return std::nullopt;
    Mat3 next{};
    for (int i = 0; i < 3; ++i) {
      next.row[i] = 0.5 * (m.row[i] + (1.0 / determinant) * cofactor.row[i]);
    }
    const Mat3 change{{next.row[0] - m.row[0], next.row[1] - m.row[1], next.row[2] - m.row[2]}};
    m = next;
    // The next round would change the square of this: nothing.
    if (frobenius(change) < 1e-9) break;
  }
  return Transform{to_quat(m), map.origin};
}

Vec3 stretches(const Affine& map) {
  const auto stretch = [&](int axis) { return core::norm(core::column(map.linear, axis)); };
  return {stretch(0), stretch(1), stretch(2)};
}

Affine compose(const Vec3& translation, const Quat& rotation, const Vec3& scale) {
  Affine out{core::to_matrix(rotation), translation};
  for (Vec3& row : out.linear.row) row = {row.x * scale.x, row.y * scale.y, row.z * scale.z};
  return out;
}

Transform relative(const Transform& parent, const Transform& child) {
  using core::operator*;
  const Quat back = core::conjugate(parent.rotation);
  return {core::normalized(back * child.rotation),
          core::rotate(back, child.translation - parent.translation)};
}

Quat slerp(const Quat& from, const Quat& to, double u) {
  const auto blend = [](double a, const Quat& p, double b, const Quat& q) {
    return core::normalized(
        {a * p.w + b * q.w, a * p.x + b * q.x, a * p.y + b * q.y, a * p.z + b * q.z});
  };
  double cosine = (from.w * to.w + from.x * to.x) + (from.y * to.y + from.z * to.z);
  const double sign = cosine < 0.0 ? -1.0 : 1.0;
  cosine *= sign;
  const Quat aside{sign * to.w - cosine * from.w, sign * to.x - cosine * from.x,
                   sign * to.y - cosine * from.y, sign * to.z - cosine * from.z};
  const double sine = core::norm(aside);
  // So close together that the chord is the arc, to the last bit.
  constexpr double kClose = 1e-9;
  if (sine < kClose) return blend(1.0 - u, from, sign * u, to);
  // Both in [0, pi/2]: the short way.
  const double angle = core::atan2_quadrant(sine, cosine);
  const core::SinCos there = core::sincos_quadrant(core::clamp_to(u * angle, 0.0, core::kHalfPi));
  return blend(there.cos, from, there.sin / sine, aside);
}

}  // namespace tocsin::io
