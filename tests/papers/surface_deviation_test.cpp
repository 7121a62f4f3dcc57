// The deviation bound of paper 004, section 6.3, against a million sampled deviations, against
// Newton's method, and against the order of convergence that linear interpolation has.
//
// A sample is a random point p of a triangle as swept_surface returns it. Its parameters (t, s) are
// read off the triangle's corners (where a corner's normal, shortened to nothing, meets the axis),
// and x(t, s) comes from core::evaluate, which tests/core/motion/link_motion_test.cpp checks
// against Eigen. So nothing that bounds or maximises the deviation has a part in what it is
// compared with: neither second derivatives nor the grid behind the triangles.
#include "papers/surface_deviation.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <vector>

#include "core/vector/vec.h"
#include "papers/axis_range.h"
#include "scene/swept/swept_surface.h"
#include "support/scenes/one_joint_link.h"
#include "support/scenes/random_link.h"

namespace tocsin::papers::surface_deviation_test {
namespace {

using core::norm;
using scene::swept_surface;
using scene::SweptSurface;
using test::kind_of;
using test::make_link;
using test::RandomLink;
using test::RandomLinks;

/// Greatest sampled deviations, and how many there were.
struct Sampled {
  SurfaceDeviation greatest;
  std::size_t count = 0;
};

class Sampler {
 public:
  Sampler(const core::LinkMotion& link, const SurfaceResolution& resolution)
      : link_(link), resolution_(resolution), surface_(swept_surface(link, resolution)) {
    for (int i = 0; i <= resolution.slabs; ++i) {
      rows_.push_back(core::evaluate(link, static_cast<double>(i) / resolution.slabs));
    }
  }

  /// `times` random times, `per_time` points of the triangles of that time's slab each.
  Sampled run(RandomLinks& random, int times, int per_time) {
    for (int i = 0; i < times; ++i) {
      const double u = i % 4 == 0 ? 0.5 : random.uniform(0, 1);
      const auto slab = static_cast<std::size_t>(random.uniform(0, resolution_.slabs));
      for (int j = 0; j < per_time; ++j) sample(random, slab, u);
    }
    return out_;
  }

 private:
  [[nodiscard]] int row_of(std::uint32_t corner) const {
    const double slabs = resolution_.slabs;
    return static_cast<int>(std::round(static_cast<double>(surface_.times[corner]) * slabs));
  }
  [[nodiscard]] double time_of(std::uint32_t corner) const {
    return static_cast<double>(row_of(corner)) / resolution_.slabs;
  }
  /// Where on the axis a corner stands, 0 at a, 1 at b.
  [[nodiscard]] double part_of(std::uint32_t corner) const {
    const core::AxisState& s = rows_[static_cast<std::size_t>(row_of(corner))];
    const Vec3 foot = surface_.positions[corner] - link_.radius * surface_.normals[corner];
    const Vec3 along = s.b - s.a;
    return core::dot(foot - s.a, along) / core::dot(along, along);
  }

  void sample(RandomLinks& random, std::size_t slab, double u) {
    const std::uint32_t begin = surface_.slab_begin[slab];
    const std::uint32_t end = surface_.slab_begin[slab + 1];
    const auto offset = static_cast<std::uint32_t>(random.uniform(0, end - begin));
    const auto& triangle = surface_.triangles[begin + offset];
    // Two corners have one time, the third the other, unless the triangle is a cap's.
    const std::array<double, 3> t{time_of(triangle[0]), time_of(triangle[1]), time_of(triangle[2])};
    const auto lone = static_cast<std::size_t>(t[0] == t[1] ? 2 : t[0] == t[2] ? 1 : 0);
    const bool still = t[0] == t[1] && t[1] == t[2];
    const double r = offset % 3 == 0 ? 0.0 : offset % 3 == 1 ? 0.5 : random.uniform(0, 1);
    std::array<double, 3> weight{};
    weight[lone] = u;
    weight[(lone + 1) % 3] = (1 - u) * r;
    weight[(lone + 2) % 3] = (1 - u) * (1 - r);

    Vec3 p;
    double time = 0;
    double s = 0;
    for (std::size_t k = 0; k < 3; ++k) {
      p = p + weight[k] * surface_.positions[triangle[k]];
      time += weight[k] * t[k];
      s += weight[k] * part_of(triangle[k]);
    }
    const core::AxisState x = core::evaluate(link_, std::min(1.0, time));
    const double deviation = std::fabs(core::norm(p - ((1 - s) * x.a + s * x.b)) - link_.radius);
    const auto sheets = static_cast<std::uint32_t>(4 * resolution_.along);
    double& greatest = still             ? out_.greatest.caps
                       : offset < sheets ? out_.greatest.offsets
                                         : out_.greatest.pipes;
    greatest = std::max(greatest, deviation);
    ++out_.count;
  }

  const core::LinkMotion& link_;
  SurfaceResolution resolution_;
  SweptSurface surface_;
  std::vector<core::AxisState> rows_;
  Sampled out_;
};

using test::kind_of;

double quantile(std::vector<double> of, double share) {
  const auto at = static_cast<std::ptrdiff_t>(share * static_cast<double>(of.size() - 1));
  std::nth_element(of.begin(), of.begin() + at, of.end());
  return of[static_cast<std::size_t>(at)];
}

/// Chains of 1 to 12 joints, each of which turns by up to 0.05, 0.5 or 3.1 radians in the step.
enum Violence : std::size_t { kGentle, kQuick, kAbsurd, kViolences };

void make_random(RandomLink& out, RandomLinks& random, int i) {
  const auto violence = static_cast<std::size_t>(i) % kViolences;
  const double turn = violence == kGentle ? 0.05 : violence == kQuick ? 0.5 : 3.1;
  random.make(out, 1 + i % 12, kind_of(i), 0.5, turn, violence == kGentle ? 0.05 : 0.5, 3.0);
}

constexpr std::array<SurfaceResolution, 4> kResolutions{
    SurfaceResolution{1, 1, 3}, SurfaceResolution{2, 3, 5}, SurfaceResolution{5, 4, 8},
    SurfaceResolution{16, 8, 16}};

TEST(SweptSurfaceDeviation, AMillionSamplesStayBelowTheBound) {
  RandomLinks random(71);
  std::size_t samples = 0;
  // Bound over sampled maximum, by violence and resolution; of the sheets, of the pipes.
  std::array<std::array<std::array<std::vector<double>, 2>, kResolutions.size()>, kViolences> ratio;
  std::array<int, 2> newton_finds{};
  int cases = 0;
  for (int i = 0; i < 320; ++i) {
    RandomLink r;
    make_random(r, random, i);
    for (std::size_t k = 0; k < kResolutions.size(); ++k) {
      const SurfaceResolution& resolution = kResolutions[k];
      const Sampled sampled = Sampler(r.link, resolution).run(random, 20, 40);
      const SurfaceDeviation bound = deviation_by_intervals(r.link, resolution);
      const SurfaceDeviation newton = deviation_by_newton(r.link, resolution);
      samples += sampled.count;
      ASSERT_LE(sampled.greatest.offsets, bound.offsets) << i << " " << resolution.slabs;
      ASSERT_LE(sampled.greatest.pipes, bound.pipes) << i << " " << resolution.slabs;
      ASSERT_LE(sampled.greatest.caps, bound.caps) << i << " " << resolution.slabs;
      ASSERT_LE(newton.offsets, bound.offsets) << i << " " << resolution.slabs;
      ASSERT_LE(newton.pipes, bound.pipes) << i << " " << resolution.slabs;
      ASSERT_LE(newton.caps, bound.caps) << i << " " << resolution.slabs;
      auto& of = ratio[static_cast<std::size_t>(i) % kViolences][k];
      of[0].push_back(bound.offsets / sampled.greatest.offsets);
      of[1].push_back(bound.pipes / sampled.greatest.pipes);
      newton_finds[0] += newton.offsets >= 0.999 * sampled.greatest.offsets ? 1 : 0;
      newton_finds[1] += newton.pipes >= 0.999 * sampled.greatest.pipes ? 1 : 0;
      ++cases;
    }
  }
  EXPECT_GE(samples, 1'000'000U);
  // Newton's method finds what sampling finds, and more.
  EXPECT_GE(newton_finds[0], cases * 97 / 100);
  EXPECT_GE(newton_finds[1], cases * 97 / 100);
  std::printf(
      "%zu samples in %d cases; Newton found at least 0.999 of the sampled maximum in %d "
      "(sheets) and %d (pipes)\n",
      samples, cases, newton_finds[0], newton_finds[1]);
  for (std::size_t v = 0; v < kViolences; ++v) {
    for (std::size_t k = 0; k < kResolutions.size(); ++k) {
      const auto& of = ratio[v][k];
      std::printf(
          "turns %zu, %2d slabs: bound over sampled maximum, median and 90%%: sheets %.2f "
          "%.2f, pipes %.2f %.2f\n",
          v, kResolutions[k].slabs, quantile(of[0], 0.5), quantile(of[0], 0.9),
          quantile(of[1], 0.5), quantile(of[1], 0.9));
    }
  }
  // At the resolution that is used by default the bound says what there is.
  EXPECT_LT(quantile(ratio[kGentle].back()[0], 0.5), 1.3);
  EXPECT_LT(quantile(ratio[kGentle].back()[1], 0.5), 1.3);
  EXPECT_LT(quantile(ratio[kQuick].back()[0], 0.5), 2.0);
  EXPECT_LT(quantile(ratio[kQuick].back()[1], 0.5), 1.5);
  EXPECT_LT(quantile(ratio[kAbsurd].back()[0], 0.5), 4.0);
  EXPECT_LT(quantile(ratio[kAbsurd].back()[1], 0.5), 4.0);
}

TEST(SweptSurfaceDeviation, FallsWithTheSquareOfTheCells) {
  RandomLinks random(72);
  std::array<std::vector<double>, 4> falls;  // of bound and Newton's value, sheets and pipes
  for (int i = 0; i < 60; ++i) {
    RandomLink r;
    make_random(r, random, 3 * i + i % 2);  // gentle and quick ones
    const SurfaceResolution coarse{16, 8, 16};
    const SurfaceResolution fine{32, 16, 32};
    const SurfaceDeviation bound = deviation_by_intervals(r.link, coarse);
    const SurfaceDeviation half_bound = deviation_by_intervals(r.link, fine);
    const SurfaceDeviation newton = deviation_by_newton(r.link, coarse);
    const SurfaceDeviation half_newton = deviation_by_newton(r.link, fine);
    falls[0].push_back(bound.offsets / half_bound.offsets);
    falls[1].push_back(bound.pipes / half_bound.pipes);
    falls[2].push_back(newton.offsets / half_newton.offsets);
    falls[3].push_back(newton.pipes / half_newton.pipes);
  }
  for (const std::vector<double>& fall : falls) {
    std::printf("half the cell, deviation falls by: 10%% %.2f, median %.2f, 90%% %.2f\n",
                quantile(fall, 0.1), quantile(fall, 0.5), quantile(fall, 0.9));
    EXPECT_GT(quantile(fall, 0.5), 3.6);
    EXPECT_LT(quantile(fall, 0.5), 4.6);
  }
  // Near a point where the ruled surface has no normal the sheets are not smooth: only the pipes
  // of (nearly) all links must fall.
  EXPECT_GT(quantile(falls[1], 0.1), 3.4);
  EXPECT_GT(quantile(falls[3], 0.1), 3.4);
}

TEST(SweptSurfaceDeviation, OfAStraightMoveIsThatOfAPolygon) {
  RandomLink r;
  make_link(r, {.a = {0, 0, -0.3}, .b = {0, 0, 0.3}, .travel = {1, 0, 0}});
  for (const int around : {3, 4, 7, 16}) {
    const SurfaceResolution resolution{4, 2, around};
    const double polygon = 0.05 * (1 - std::cos(M_PI / around));
    const SurfaceDeviation bound = deviation_by_intervals(r.link, resolution);
    const SurfaceDeviation newton = deviation_by_newton(r.link, resolution);
    EXPECT_NEAR(bound.offsets, 0.0, 1e-10);
    EXPECT_NEAR(bound.pipes, polygon, 1e-10);
    EXPECT_NEAR(newton.offsets, 0.0, 1e-15);
    EXPECT_NEAR(newton.pipes, polygon, 1e-15);
    EXPECT_GE(bound.caps, polygon);
    EXPECT_GT(bound.caps, newton.caps);
  }
}

TEST(SweptSurfaceDeviation, OfATurnedRodIsTheSagOfItsArcs) {
  // The sheets are parts of cylinders of radius rho + d and rho - d, whose chords sag by (rho +- d)
  // (1 - cos(angle / 2)): the outer one's towards x, no farther than onto x, the inner one's away.
  const double rho = 0.7;
  for (const int slabs : {1, 2, 5, 16}) {
    RandomLink r;
    make_link(r, {.a = {rho, 0, -0.3}, .b = {rho, 0, 0.3}, .angle = 1.2});
    const SurfaceResolution resolution{slabs, 3, 8};
    const double fall = 1 - std::cos(0.6 / slabs);
    const double sag = std::max(std::min((rho + 0.05) * fall, 0.05), (rho - 0.05) * fall);
    EXPECT_NEAR(deviation_by_newton(r.link, resolution).offsets, sag, 1e-14);
    const double bound = deviation_by_intervals(r.link, resolution).offsets;
    EXPECT_GE(bound, sag);
    EXPECT_LE(bound, sag * (1 + 1.5 / slabs));
  }
}

TEST(SweptSurfaceDeviation, WhereTheRuledSurfaceHasNoNormalTheBoundIsFinite) {
  for (const Vec3& end : {Vec3{0.3, 0, 0}, Vec3{0, 0, 0.3}}) {  // across the axis, along it
    for (const double angle : {0.0, 1.0}) {                     // about its mid
      for (const Vec3& travel : {Vec3{}, Vec3{0, 0, 0.5}}) {
        RandomLink r;
        make_link(r, {.a = -end, .b = end, .angle = angle, .travel = travel});
        const SurfaceResolution resolution{16, 8, 16};
        RandomLinks random(73);
        const Sampled sampled = Sampler(r.link, resolution).run(random, 50, 50);
        const SurfaceDeviation bound = deviation_by_intervals(r.link, resolution);
        EXPECT_LE(sampled.greatest.offsets, bound.offsets);
        EXPECT_LE(sampled.greatest.pipes, bound.pipes);
        EXPECT_LE(bound.offsets, 0.01);
        EXPECT_LE(bound.pipes, 0.01);
      }
    }
  }
}

TEST(AxisRange, HoldsWhatIsSampledAndIsExactAtOneTime) {
  RandomLinks random(85);
  const auto holds = [](const Ball& ball, const Vec3& p, double slack) {
    return norm(p - ball.mid) <= ball.radius + slack;
  };
  for (int i = 0; i < 400; ++i) {
    RandomLink r;
    random.make(r, 1 + i % 9, kind_of(i), 0.5, i % 3 == 0 ? 3.1 : 0.4, 0.5, 3.0);
    const double t0 = random.uniform(0.01, 0.9);
    const double t1 = random.uniform(t0, 0.99);
    const AxisRange range = axis_range(r.link, t0, t1);
    for (int k = 0; k < 20; ++k) {
      const double t = k == 0 ? t0 : k == 1 ? t1 : random.uniform(t0, t1);
      const core::AxisState x = core::evaluate(r.link, t);
      ASSERT_TRUE(holds(range.a.position, x.a, 1e-12));
      ASSERT_TRUE(holds(range.b.position, x.b, 1e-12));
      ASSERT_TRUE(holds(range.a.velocity, x.va, 1e-11));
      ASSERT_TRUE(holds(range.b.velocity, x.vb, 1e-11));
      ASSERT_TRUE(holds(range.along.position, x.b - x.a, 1e-12));
      ASSERT_TRUE(holds(range.along.velocity, x.vb - x.va, 1e-11));
      // Accelerations by differences of velocities.
      const double h = 1e-6;
      const core::AxisState before = core::evaluate(r.link, t - h);
      const core::AxisState after = core::evaluate(r.link, t + h);
      const double slack = 1e-7 * (1 + r.link.acceleration_a + r.link.acceleration_b);
      const Vec3 aa = (0.5 / h) * (after.va - before.va);
      const Vec3 ab = (0.5 / h) * (after.vb - before.vb);
      ASSERT_TRUE(holds(range.a.acceleration, aa, slack));
      ASSERT_TRUE(holds(range.b.acceleration, ab, slack));
      ASSERT_TRUE(holds(range.along.acceleration, ab - aa, slack));
      const AxisRange now = axis_range(r.link, t, t);
      ASSERT_EQ(now.a.acceleration.radius, 0.0);
      ASSERT_LT(norm(now.a.position.mid - x.a) + norm(now.b.position.mid - x.b), 1e-12);
      ASSERT_LT(norm(now.a.velocity.mid - x.va) + norm(now.b.velocity.mid - x.vb), 1e-11);
      ASSERT_LT(norm(now.a.acceleration.mid - aa) + norm(now.b.acceleration.mid - ab), 2 * slack);
    }
  }
}

}  // namespace
}  // namespace tocsin::papers::surface_deviation_test
