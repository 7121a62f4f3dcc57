// The tessellated swept surface of paper 004, section 6: every position where eq. 4 or eq. 12 has
// it, triangles that wind outward and belong to their slab, frames that survive what Frenet's does
// not, and finite answers where the ruled surface has no normal.
#include "scene/swept/swept_surface.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

#include "core/vector/vec.h"
#include "papers/surface_deviation.h"
#include "support/scenes/one_joint_link.h"
#include "support/scenes/random_link.h"

namespace tocsin::scene::swept_surface_test {
namespace {

using core::cross;
using core::dot;
using core::norm;
using test::make_link;
using test::OneJoint;
using test::RandomLink;
using test::RandomLinks;

using Triangle = std::array<std::uint32_t, 3>;

/// Which part of the surface a triangle belongs to, by its place among its slab's.
enum class Part { kSheet, kPipeA, kPipeB, kCap };

Part part_of(const SurfaceResolution& r, std::uint32_t place) {
  const auto sheets = static_cast<std::uint32_t>(4 * r.along);
  const auto pipe = static_cast<std::uint32_t>(2 * r.around);
  return place < sheets              ? Part::kSheet
         : place < sheets + pipe     ? Part::kPipeA
         : place < sheets + 2 * pipe ? Part::kPipeB
                                     : Part::kCap;
}

/// Calls f(triangle, its part, its slab) for all triangles.
template <class F>
void for_each_triangle(const SweptSurface& surface, const SurfaceResolution& r, const F& f) {
  for (std::size_t slab = 0; slab + 1 < surface.slab_begin.size(); ++slab) {
    for (std::uint32_t i = surface.slab_begin[slab]; i < surface.slab_begin[slab + 1]; ++i) {
      f(surface.triangles[i], part_of(r, i - surface.slab_begin[slab]), static_cast<int>(slab));
    }
  }
}

void expect_sound(const SweptSurface& s, const SurfaceResolution& r, const std::string& what) {
  SCOPED_TRACE(what);
  ASSERT_EQ(s.normals.size(), s.positions.size());
  ASSERT_EQ(s.times.size(), s.positions.size());
  ASSERT_EQ(s.slab_begin.size(), static_cast<std::size_t>(r.slabs) + 1);
  EXPECT_EQ(s.slab_begin.front(), 0U);
  EXPECT_EQ(s.slab_begin.back(), s.triangles.size());
  for (std::size_t i = 0; i < s.positions.size(); ++i) {
    ASSERT_TRUE(core::is_finite(s.positions[i])) << i;
    ASSERT_NEAR(norm(s.normals[i]), 1.0, 1e-14) << i;
  }
  for_each_triangle(s, r, [&](const Triangle& t, Part part, int slab) {
    bool early = false;
    bool late = false;
    for (const std::uint32_t corner : t) {
      ASSERT_LT(corner, s.positions.size());
      const float from = static_cast<float>(static_cast<double>(slab) / r.slabs);
      const float to = static_cast<float>(static_cast<double>(slab + 1) / r.slabs);
      ASSERT_TRUE(s.times[corner] == from || s.times[corner] == to);
      early = early || s.times[corner] == from;
      late = late || s.times[corner] == to;
    }
    ASSERT_EQ(early && late, part != Part::kCap);
  });
}

using test::kind_of;

TEST(SweptSurface, EveryPositionIsWhereThePaperHasIt) {
  RandomLinks random(81);
  int sheets = 0;
  int pipes = 0;
  for (int i = 0; i < 120; ++i) {
    RandomLink r;
    random.make(r, 1 + i % 8, kind_of(i), 0.5, i % 3 == 0 ? 3.1 : 0.4, 0.5, 3.0);
    const SurfaceResolution resolution{8, 5, 9};  // eighths: exact in float
    const SweptSurface s = swept_surface(r.link, resolution);
    expect_sound(s, resolution, std::to_string(i));
    for_each_triangle(s, resolution, [&](const Triangle& t, Part part, int) {
      for (const std::uint32_t corner : t) {
        const double time = static_cast<double>(s.times[corner]);
        const core::AxisState x = core::evaluate(r.link, time);
        const Vec3 along = x.b - x.a;
        const Vec3& n = s.normals[corner];
        const Vec3 foot = s.positions[corner] - r.link.radius * n;
        const double at = dot(foot - x.a, along) / dot(along, along);
        // On the axis, at a whole number of its parts.
        constexpr double kLittle = 1e-9;
        ASSERT_LT(norm(foot - (x.a + at * along)), 1e-12);
        ASSERT_NEAR(at * resolution.along, std::round(at * resolution.along), kLittle);
        ASSERT_TRUE(part != Part::kPipeA || std::fabs(at) < kLittle);
        ASSERT_TRUE(part != Part::kPipeB || std::fabs(at - 1) < kLittle);
        // Velocities from positions, which does not use what the tessellation uses.
        const double h = time == 0.0 || time == 1.0 ? 0.0 : 1e-5;
        if (h == 0.0 || part == Part::kCap) continue;
        const core::AxisState before = core::evaluate(r.link, time - h);
        const core::AxisState after = core::evaluate(r.link, time + h);
        const Vec3 va = (0.5 / h) * (after.a - before.a);
        const Vec3 vb = (0.5 / h) * (after.b - before.b);
        const Vec3 v = (1 - at) * va + at * vb;
        if (part == Part::kSheet) {
          const Vec3 normal = cross(v, along);  // eq. 4, before it is made unit
          if (norm(normal) < 1e-2 * norm(along)) continue;
          ASSERT_LT(norm(cross(normal, n)), 1e-5 * norm(normal));
          ++sheets;
        } else if (norm(v) > 1e-2) {
          ASSERT_LT(std::fabs(dot(v, n)), 1e-5 * norm(v));
          ++pipes;
        }
      }
    });
  }
  EXPECT_GT(sheets, 40'000);
  EXPECT_GT(pipes, 80'000);
}

TEST(SweptSurface, TrianglesWindOutward) {
  RandomLinks random(82);
  for (int i = 0; i < 60; ++i) {
    RandomLink r;
    random.make(r, 1 + i % 6, kind_of(i), 0.4, 0.05, 1.0, 3.0);
    r.link.radius = 0.01;
    const SurfaceResolution resolution;
    const SweptSurface s = swept_surface(r.link, resolution);
    int inward = 0;
    for (const Triangle& t : s.triangles) {
      const Vec3 face =
          cross(s.positions[t[1]] - s.positions[t[0]], s.positions[t[2]] - s.positions[t[0]]);
      const Vec3 out = s.normals[t[0]] + s.normals[t[1]] + s.normals[t[2]];
      inward += dot(face, out) > 0 ? 0 : 1;
    }
    // None but where an offset folds over itself (a bend narrower than the radius).
    EXPECT_LE(inward, static_cast<int>(s.triangles.size() / 50)) << i;
  }
}

TEST(SweptSurface, AStraightMoveHasNoInwardTriangleAndTheRightAreas) {
  RandomLink r;
  make_link(r, {.a = {0, 0, -0.3}, .b = {0, 0, 0.3}, .travel = {0.8, 0, 0}, .radius = 0.1});
  const SurfaceResolution resolution{4, 3, 64};
  const SweptSurface s = swept_surface(r.link, resolution);
  EXPECT_EQ(s.irregular, 0U);
  std::array<double, 4> area{};
  for_each_triangle(s, resolution, [&](const Triangle& t, Part part, int) {
    const Vec3 face =
        cross(s.positions[t[1]] - s.positions[t[0]], s.positions[t[2]] - s.positions[t[0]]);
    EXPECT_GT(dot(face, s.normals[t[0]]), 0);
    area[static_cast<std::size_t>(part)] += 0.5 * norm(face);
  });
  EXPECT_NEAR(area[static_cast<std::size_t>(Part::kSheet)], 2 * 0.8 * 0.6, 1e-12);
  EXPECT_NEAR(area[static_cast<std::size_t>(Part::kPipeA)], 2 * M_PI * 0.1 * 0.8, 1e-3);
  EXPECT_NEAR(area[static_cast<std::size_t>(Part::kPipeB)], 2 * M_PI * 0.1 * 0.8, 1e-3);
  const double capsule = 2 * M_PI * 0.1 * 0.6 + 4 * M_PI * 0.1 * 0.1;
  EXPECT_NEAR(area[static_cast<std::size_t>(Part::kCap)], 2 * capsule, 2e-3);
}

TEST(SweptSurface, PipesMeetTheSheets) {
  // Every edge point of a sheet is a corner of the pipe: no slit along the seam.
  RandomLinks random(83);
  for (int i = 0; i < 30; ++i) {
    RandomLink r;
    random.make(r, 1 + i % 6, kind_of(i), 0.4, 0.3, 1.0, 3.0);
    const SurfaceResolution resolution{8, 4, 12};
    const SweptSurface s = swept_surface(r.link, resolution);
    std::array<std::vector<Vec3>, 4> points;
    for_each_triangle(s, resolution, [&](const Triangle& t, Part part, int) {
      for (const std::uint32_t c : t)
        points[static_cast<std::size_t>(part)].push_back(s.positions[c]);
    });
    for_each_triangle(s, resolution, [&](const Triangle& t, Part part, int) {
      if (part != Part::kSheet) return;
      for (const std::uint32_t c : t) {
        const core::AxisState x = core::evaluate(r.link, static_cast<double>(s.times[c]));
        const Vec3 foot = s.positions[c] - r.link.radius * s.normals[c];
        for (const Part pipe : {Part::kPipeA, Part::kPipeB}) {
          if (norm(foot - (pipe == Part::kPipeA ? x.a : x.b)) > 1e-9) continue;
          double nearest = HUGE_VAL;
          for (const Vec3& p : points[static_cast<std::size_t>(pipe)]) {
            nearest = std::min(nearest, norm(p - s.positions[c]));
          }
          ASSERT_LT(nearest, 1e-12) << i;
        }
      }
    });
  }
}

/// The greatest angle between neighbours in time on the pipes, radians.
double greatest_turn(const SweptSurface& s, const SurfaceResolution& resolution) {
  double least = 1;
  for_each_triangle(s, resolution, [&](const Triangle& t, Part part, int) {
    if (part != Part::kPipeA && part != Part::kPipeB) return;
    // Of the three edges of a triangle one goes on in time alone; its ends are nearest.
    double nearest = -1;
    for (std::size_t k = 0; k < 3; ++k) {
      const std::uint32_t p = t[k];
      const std::uint32_t q = t[(k + 1) % 3];
      if (s.times[p] != s.times[q]) nearest = std::max(nearest, dot(s.normals[p], s.normals[q]));
    }
    least = std::min(least, nearest);
  });
  return std::acos(std::min(1.0, least));
}

TEST(SweptSurface, FramesSurviveWhatFrenetsDoesNot) {
  const SurfaceResolution resolution{32, 4, 16};
  const double part = 2 * M_PI / resolution.around;
  struct Case {
    const char* name;
    OneJoint how;
    double tangent_turns;  ///< by at most, in one slab
  };
  const std::array<Case, 6> cases{{
      {"straight", {.a = {0, 0, 0}, .b = {0.5, 0, 0}, .travel = {0, 1, 0}}, 0},
      {"at rest", {.a = {0, 0, 0}, .b = {0.5, 0, 0}}, 0},
      {"one end rests", {.a = {0, 0, 0}, .b = {0.5, 0, 0}, .angle = 1.5}, 1.6 / 32},
      // A trochoid that bends one way and the other.
      {"inflection",
       {.a = {0, 0.1, 0}, .b = {0.5, 0.1, 0.2}, .angle = 3.1, .travel = {0.5, 0, 0}},
       0.5},
      // A cycloid's cusp: a point of the rolling circle that comes to rest and goes back.
      {"cusp", {.a = {0, -0.1, 0}, .b = {0, -0.1, 0.5}, .angle = -2.0, .travel = {0.2, 0, 0}}, 0.5},
      {"along itself", {.a = {0, 0, 0}, .b = {0.5, 0, 0}, .travel = {1, 0, 0}}, 0},
  }};
  for (const Case& c : cases) {
    RandomLink r;
    make_link(r, c.how);
    const SweptSurface s = swept_surface(r.link, resolution);
    expect_sound(s, resolution, c.name);
    EXPECT_LE(greatest_turn(s, resolution), c.tangent_turns + 0.5 * part + 1e-6) << c.name;
  }
}

TEST(SweptSurface, PointsWithoutANormalAreCountedAndHaveOne) {
  const SurfaceResolution r{10, 6, 7};
  const std::uint32_t all = 11 * 7;
  struct Case {
    const char* name;
    OneJoint how;
    std::uint32_t irregular;
  };
  const Vec3 x{0.4, 0, 0};
  const std::array<Case, 10> cases{{
      {"across", {.a = -x, .b = x, .travel = {0, 1, 0}}, 0},
      {"at rest", {.a = -x, .b = x}, all},
      {"along itself", {.a = -x, .b = x, .travel = {3, 0, 0}}, all},
      {"a hair along itself", {.a = -x, .b = x, .travel = {1e-9, 0, 0}}, all},
      {"about its mid", {.a = -x, .b = x, .angle = 2.0}, 11},
      {"about its end", {.a = {}, .b = x, .angle = 2.0}, 11},
      {"about itself", {.a = -x, .b = x, .axis = {1, 0, 0}, .angle = 2.0}, all},
      {"a ball that moves", {.a = x, .b = x, .angle = 1.0}, all},
      {"a ball at rest", {.a = x, .b = x}, all},
      {"half a turn", {.a = -x, .b = x, .angle = M_PI, .travel = {0, 0, 1}}, 0},
  }};
  for (const Case& c : cases) {
    for (const InBetween kind : {InBetween::kTranslateRotate, InBetween::kScrew}) {
      for (const double radius : {0.0, 1e-6, 0.1, 2.0}) {
        OneJoint how = c.how;
        how.kind = kind;
        how.radius = radius;
        RandomLink link;
        make_link(link, how);
        const SweptSurface s = swept_surface(link.link, r);
        expect_sound(s, r, c.name);
        EXPECT_EQ(s.irregular, c.irregular) << c.name;
        for (const papers::SurfaceDeviation& d : {papers::deviation_by_intervals(link.link, r),
                                                  papers::deviation_by_newton(link.link, r)}) {
          EXPECT_TRUE(std::isfinite(d.offsets) && std::isfinite(d.pipes) && std::isfinite(d.caps))
              << c.name;
        }
      }
    }
  }
}

TEST(SweptSurface, ALinkThatTurnsAboutItsMidHasFlatSheets) {
  // Eq. 4's normal changes sign at the pivot; the sheets must not cross there.
  RandomLink r;
  make_link(r, {.a = {-0.4, 0, 0}, .b = {0.4, 0, 0}, .angle = 2.0});
  for (const int along : {3, 6}) {
    const SurfaceResolution resolution{10, along, 7};
    const SweptSurface s = swept_surface(r.link, resolution);
    for_each_triangle(s, resolution, [&](const Triangle& t, Part part, int) {
      if (part != Part::kSheet) return;
      EXPECT_NEAR(std::fabs(s.positions[t[0]].z), r.link.radius, 1e-15);
      EXPECT_NEAR(s.positions[t[0]].z, s.positions[t[1]].z, 1e-15);
      EXPECT_NEAR(s.positions[t[0]].z, s.positions[t[2]].z, 1e-15);
    });
  }
}

TEST(SweptSurface, AnyResolution) {
  RandomLinks random(84);
  RandomLink r;
  random.make(r, 5, InBetween::kScrew, 0.4, 0.5, 1.0, 3.0);
  for (const SurfaceResolution& resolution :
       {SurfaceResolution{1, 1, 3}, SurfaceResolution{1, 9, 4}, SurfaceResolution{7, 1, 5},
        SurfaceResolution{3, 2, 33}, SurfaceResolution{100, 20, 50}}) {
    expect_sound(swept_surface(r.link, resolution), resolution, "");
  }
}

}  // namespace
}  // namespace tocsin::scene::swept_surface_test
