// What the paper's swept surface does not enclose: points inside the link, at some time of the
// step, that are seen from outside along a coordinate axis. CULLIDE on this surface calls whatever
// is there free of it (docs/gl.md, "The paper's surface").
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <vector>

#include "core/query/distance.h"
#include "core/vector/vec.h"
#include "papers/surface_deviation.h"
#include "scene/swept/swept_surface.h"
#include "support/scenes/one_joint_link.h"
#include "support/scenes/random_link.h"

namespace tocsin::scene::swept_surface_gaps_test {
namespace {

using core::cross;
using core::dot;
using core::norm;
using test::make_link;
using test::RandomLink;
using test::RandomLinks;

/// True if the ray from p along n meets the triangle (Moeller and Trumbore).
bool meets(const Vec3& p, const Vec3& n, const Vec3& v0, const Vec3& v1, const Vec3& v2) {
  const Vec3 e1 = v1 - v0;
  const Vec3 e2 = v2 - v0;
  const Vec3 q = cross(n, e2);
  const double det = dot(e1, q);
  if (det == 0.0) return false;
  const Vec3 w = p - v0;
  const double u = dot(w, q) / det;
  const double v = dot(n, cross(w, e1)) / det;
  return u >= 0 && v >= 0 && u + v <= 1 && dot(e2, cross(w, e1)) / det > 0;
}

/// True if from p nothing of the surface is seen along one of the six axes.
bool seen_from_outside(const SweptSurface& s, const Vec3& p) {
  for (const Vec3& n : {Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{0, 0, 1}}) {
    for (const double side : {1.0, -1.0}) {
      const bool hidden = std::any_of(s.triangles.begin(), s.triangles.end(), [&](const auto& t) {
        return meets(p, side * n, s.positions[t[0]], s.positions[t[1]], s.positions[t[2]]);
      });
      if (!hidden) return true;
    }
  }
  return false;
}

double distance_to(const SweptSurface& s, const Vec3& p) {
  double least = HUGE_VAL;
  for (const auto& t : s.triangles) {
    const core::Closest c =
        core::closest_points(p, p, {s.positions[t[0]], s.positions[t[1]], s.positions[t[2]]});
    least = std::min(least, c.squared);
  }
  return std::sqrt(least);
}

double distance_to_axis(const core::AxisState& x, const Vec3& p) {
  const Vec3 along = x.b - x.a;
  const double s = core::clamp_to(dot(p - x.a, along) / dot(along, along), 0.0, 1.0);
  return norm(p - (x.a + s * along));
}

TEST(SweptSurfaceGaps, SheetsAreOpenWhereALinkSlidesAlongItselfWhileItTurns) {
  // The mid goes along x at v, the link turns about z at w: it slides past the point of its own, v
  // sin(wt) / w from the mid, that moves along the link. That point runs on a cycloid which every
  // position of the axis touches: the ruled surface ends there, and folds back.
  const double v = 0.4 * M_PI;
  const double w = M_PI / 2;
  const double d = 0.05;
  RandomLink r;
  make_link(r, {.a = {-2, 0, 0}, .b = {2, 0, 0}, .angle = w, .travel = {v, 0, 0}, .radius = d});
  double least = HUGE_VAL;
  for (const int slabs : {16, 64, 256}) {
    const SweptSurface s = swept_surface(r.link, {.slabs = slabs, .along = 8});
    for (const double t : {0.35, 0.4, 0.45, 0.5}) {
      const double sine = std::sin(w * t);
      const double cosine = std::cos(w * t);
      const Vec3 fold{v * t + (v / w) * sine * cosine, (v / w) * sine * sine, 0};
      const Vec3 p = fold + 0.9 * d * Vec3{-sine, cosine, 0};
      // A tenth of a radius deep in the link at t, ...
      EXPECT_NEAR(distance_to_axis(core::evaluate(r.link, t), p), 0.9 * d, 1e-12);
      // ... outside of the surface, and nowhere near it, however finely it is cut.
      EXPECT_TRUE(seen_from_outside(s, p)) << t << " " << slabs;
      const double far = distance_to(s, p);
      EXPECT_GT(far, 1.2 * d) << t << " " << slabs;
      least = std::min(least, far);
    }
  }
  std::printf("points of a link of radius %.3f m lie %.3f m outside of its folded surface\n", d,
              least);
}

TEST(SweptSurfaceGaps, FewTrianglesMissATwistedPatch) {
  // A rod across x that screws along it by a right angle: the corners of its patch are the corners
  // of a tetrahedron, and two triangles are two of its faces. Their shared edge passes the patch's
  // mid by |a0 - b0 - a1 + b1| / 4.
  const double l = 0.4;
  RandomLink r;
  make_link(r, {.a = {0, -l, 0},
                .b = {0, l, 0},
                .axis = {1, 0, 0},
                .angle = M_PI / 2,
                .travel = {2, 0, 0},
                .radius = 0.02});
  const core::AxisState x0 = core::evaluate(r.link, 0);
  const core::AxisState x1 = core::evaluate(r.link, 1);
  const double twist = norm(x0.a - x0.b - x1.a + x1.b) / 4;
  EXPECT_NEAR(twist, l / std::sqrt(2.0), 1e-12);
  const SurfaceResolution coarse{.slabs = 1, .along = 1};
  const Vec3 mid{1, 0, 0};  // on the axis at t = 0.5
  EXPECT_LT(distance_to_axis(core::evaluate(r.link, 0.5), mid), 1e-12);
  const SweptSurface s = swept_surface(r.link, coarse);
  EXPECT_TRUE(seen_from_outside(s, mid));
  EXPECT_GT(distance_to(s, mid), 0.4 * l);
  // The bound knows: the sheets deviate by the twist, less what their normals take back.
  EXPECT_GE(papers::deviation_by_intervals(r.link, coarse).offsets, twist - 2 * 0.02);
  // Finer, and the mid is inside.
  EXPECT_FALSE(seen_from_outside(swept_surface(r.link, {}), mid));
}

TEST(SweptSurfaceGaps, OfRandomMotionsAreFew) {
  // Points just below the surface of what the link really sweeps: 0.96 d from the axis at some
  // time, and no nearer at 65 times of the step.
  const double d = 0.05;
  RandomLinks random(91);
  for (const double turn : {0.02, 0.1, 0.5}) {
    int asked = 0;
    int seen = 0;
    int links = 0;
    double farthest = 0;
    for (int i = 0; i < 100; ++i) {
      RandomLink r;
      random.make(r, 1 + i % 6, i % 2 == 0 ? InBetween::kScrew : InBetween::kTranslateRotate, 0.4,
                  turn, 0.05, 2.0);
      r.link.radius = d;
      std::vector<core::AxisState> axis;
      for (int k = 0; k <= 64; ++k) axis.push_back(core::evaluate(r.link, k / 64.0));
      const SweptSurface s = swept_surface(r.link, {});
      const int before = seen;
      for (int k = 0; k < 5000; ++k) {
        const core::AxisState& x = axis[static_cast<std::size_t>(random.uniform(0, 65))];
        const double part = random.uniform(0, 1);
        const Vec3 p = (1 - part) * x.a + part * x.b + 0.96 * d * random.direction();
        const bool deep = std::any_of(axis.begin(), axis.end(), [&](const core::AxisState& y) {
          return distance_to_axis(y, p) < 0.955 * d;
        });
        if (deep) continue;
        ++asked;
        if (!seen_from_outside(s, p)) continue;
        ++seen;
        farthest = std::max(farthest, distance_to(s, p));
      }
      links += seen > before ? 1 : 0;
    }
    EXPECT_GT(asked, 3000);
    EXPECT_GT(seen, 0);
    EXPECT_LT(seen, asked / 50);
    std::printf(
        "turns up to %.2f: %d of %d points seen from outside, of %d links, up to %.1f mm away\n",
        turn, seen, asked, links, 1000 * farthest);
  }
}

}  // namespace
}  // namespace tocsin::scene::swept_surface_gaps_test
