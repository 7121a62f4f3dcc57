#include "oracle/nearby.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace tocsin::oracle {
namespace {

// Room for the rounding of the doubles below, relative to the largest coordinate: 2^13 times what
// they need. More lets a few more triangles through to the proofs.
constexpr double kReachRoom = 0x1p-38;

// Times at which the link is looked at. More: fewer triangles are let through, each costs more.
constexpr int kParts = 8;

double square(double x) { return x * x; }

// The link around one time: everything within `reach` of the segment a-b, world frame.
struct Capsule {
  Vec3 a;
  Vec3 d;  // b - a
  double inverse_square = 0.0;
  double reach = 0.0;

  [[nodiscard]] bool may_meet(const Sphere& s) const {
    const double x = s.centre.x - a.x;
    const double y = s.centre.y - a.y;
    const double z = s.centre.z - a.z;
    const double f = std::clamp((x * d.x + y * d.y + z * d.z) * inverse_square, 0.0, 1.0);
    const double apart = square(x - f * d.x) + square(y - f * d.y) + square(z - f * d.z);
    return !(apart > square(reach + s.radius));
  }
};

double largest(const Vec3& v) { return std::max({std::fabs(v.x), std::fabs(v.y), std::fabs(v.z)}); }

Vec3 world(const RealVec& p, const Vec3& origin) {
  return {static_cast<double>(p.x + origin.x), static_cast<double>(p.y + origin.y),
          static_cast<double>(p.z + origin.z)};
}

// The link within `half` a step of time t.
Capsule capsule_at(const LinkPath& path, Real t, Real half, double radius) {
  const Axis<Real> axis = path.at(t);
  Capsule c;
  c.a = world(axis.a, path.origin());
  const Vec3 b = world(axis.b, path.origin());
  c.d = {b.x - c.a.x, b.y - c.a.y, b.z - c.a.z};
  const double dd = square(c.d.x) + square(c.d.y) + square(c.d.z);
  c.inverse_square = dd > 1e-30 ? 1.0 / dd : 0.0;
  const double short_link = dd > 1e-30 ? 0.0 : 1e-15;
  c.reach = static_cast<double>(path.bounds().speed * half) + radius + short_link;
  c.reach += kReachRoom * (c.reach + largest(c.a) + largest(b));
  return c;
}

}  // namespace

std::vector<Sphere> spheres_of(const Environment& environment) {
  std::vector<Sphere> out;
  out.reserve(environment.triangles().size());
  const std::span<const Vec3f> vertices = environment.vertices();
  for (const TriangleIndices& t : environment.triangles()) {
    std::array<Vec3, 3> v;
    for (std::size_t i = 0; i < 3; ++i)
      v[i] = {vertices[t[i]].x, vertices[t[i]].y, vertices[t[i]].z};
    Sphere s;
    s.centre = {(v[0].x + v[1].x + v[2].x) / 3.0, (v[0].y + v[1].y + v[2].y) / 3.0,
                (v[0].z + v[1].z + v[2].z) / 3.0};
    double most = 0.0;
    double far = 0.0;
    for (const Vec3& p : v) {
      most = std::max(
          most, square(p.x - s.centre.x) + square(p.y - s.centre.y) + square(p.z - s.centre.z));
      far = std::max(far, largest(p));
    }
    s.radius = std::sqrt(most) * (1.0 + kReachRoom) + kReachRoom * far;
    out.push_back(s);
  }
  return out;
}

std::vector<std::uint32_t> nearby(const LinkPath& path, double radius,
                                  const std::vector<Sphere>& spheres) {
  const Capsule whole = capsule_at(path, 0.5L, 0.5L, radius);
  std::array<Capsule, kParts> parts;
  for (int i = 0; i < kParts; ++i) {
    const Real half = 0.5L / kParts;
    parts[static_cast<std::size_t>(i)] =
        capsule_at(path, static_cast<Real>(2 * i + 1) * half, half, radius);
  }
  std::vector<std::uint32_t> out;
  for (std::size_t i = 0; i < spheres.size(); ++i) {
    const Sphere& s = spheres[i];
    if (!whole.may_meet(s)) continue;
    const bool near =
        std::any_of(parts.begin(), parts.end(), [&](const Capsule& c) { return c.may_meet(s); });
    if (near) out.push_back(static_cast<std::uint32_t>(i));
  }
  return out;
}

}  // namespace tocsin::oracle
