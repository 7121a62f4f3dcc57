// Beyond r + 2 eta + graze_reach certify calls every triangle free: tried with triangles that lie
// just there. docs/gl.md, "What a skin is grown by".
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <iostream>
#include <limits>
#include <string>
#include <vector>

#include "core/bounds/near_test.h"
#include "core/query/certify.h"
#include "scene/swept/slab.h"
#include "support/scenes/random_link.h"

namespace tocsin::scene::graze_reach_test {
namespace {

using core::Box;
using test::RandomLink;
using test::RandomLinks;

/// The least distance of axis and triangle over the step: many times, the best of them refined.
double least_distance(const core::LinkMotion& m, const core::Triangle& triangle) {
  const auto at = [&](double t) {
    const core::AxisState s = core::evaluate(m, t);
    return std::sqrt(core::closest_points(s.a, s.b, triangle).squared);
  };
  constexpr int kTimes = 400;
  std::vector<double> distance;
  for (int i = 0; i <= kTimes; ++i) distance.push_back(at(static_cast<double>(i) / kTimes));
  double least = HUGE_VAL;
  for (int i = 0; i <= kTimes; ++i) {
    const auto k = static_cast<std::size_t>(i);
    least = std::min(least, distance[k]);
    // Golden section around every minimum of the samples.
    if ((i > 0 && distance[k - 1] < distance[k]) || (i < kTimes && distance[k + 1] < distance[k])) {
      continue;
    }
    double lo = std::max(0.0, (i - 1.0) / kTimes);
    double hi = std::min(1.0, (i + 1.0) / kTimes);
    for (int n = 0; n < 60; ++n) {
      const double p = lo + 0.381966 * (hi - lo);
      const double q = hi - 0.381966 * (hi - lo);
      const double at_p = at(p);
      const double at_q = at(q);
      least = std::min({least, at_p, at_q});
      (at_p < at_q ? hi : lo) = at_p < at_q ? q : p;
    }
  }
  return least;
}

Box box_of(const core::Triangle& t) {
  const auto of = [](const Vec3& p) { return core::grown_box(p, p, 0.0); };
  return join(of(t.v[0]), join(of(t.v[1]), of(t.v[2])));
}

struct Scene {
  std::string name;
  double turn = 0.1;      ///< radians a joint
  double travel = 0.05;   ///< metres
  double edge = 0.3;      ///< of the triangle, metres
  double distance = 0.1;  ///< from the axis about which it is put, at most, metres
  double where = 3.0;     ///< from the origin, metres
};

TEST(GrazeReach, FreesWhatLiesBeyond) {
  const std::vector<Scene> scenes = {{"a hand at a table", 0.05, 0.03},
                                     {"a wall", 0.1, 0.1, 30.0, 0.05},
                                     {"a grain of sand", 0.1, 0.05, 1e-4, 0.02},
                                     {"a resting foot", 0.0, 0.0, 5.0, 0.1},
                                     {"a sliding foot", 0.0, 0.3, 20.0, 0.05},
                                     {"a hair in a hall", 0.02, 0.01, 100.0, 1e-3},
                                     {"a hair far away", 0.01, 0.01, 1e3, 1e-3, 1e4},
                                     {"a cartwheel", 3.0, 2.0, 3.0, 1.0}};
  RandomLinks random(6);
  RandomLink link;
  for (const Scene& scene : scenes) {
    SCOPED_TRACE(scene.name);
    int asked = 0;
    int most = 0;
    double greatest = 0.0;
    for (int i = 0; i < 150; ++i) {
      const int joints = 1 + static_cast<int>(random.uniform(0, 4));
      random.make(link, joints, i % 2 == 0 ? InBetween::kScrew : InBetween::kTranslateRotate, 0.4,
                  scene.turn, scene.travel, scene.where);
      core::LinkMotion& m = link.link;
      // Near the axis at some time; every coordinate a float in the world, as rooms have it.
      const core::AxisState s = core::evaluate(m, random.uniform(0, 1));
      const Vec3 at = s.a + random.uniform(0, 1) * (s.b - s.a) +
                      std::exp(random.uniform(-6, 0)) * scene.distance * random.direction();
      core::Triangle triangle{};
      const Vec3 along = random.direction();
      for (Vec3& v : triangle.v) {
        // Now and then a sliver, and a sliver of slivers.
        const double part = i % 5 == 0 ? 1e-3 : i % 5 == 1 ? 1e-6 : 1.0;
        const double edge = scene.edge * std::exp(random.uniform(-2, 0));
        const Vec3 to = part * random.direction() + random.uniform(-1, 1) * along;
        const Vec3 p = m.ref + at + edge * to;
        v = Vec3{static_cast<float>(p.x), static_cast<float>(p.y), static_cast<float>(p.z)} - m.ref;
      }
      const double distance = least_distance(m, triangle);
      Box bounds = box_of(triangle);
      bounds = {core::detail::to_float(core::to_double(bounds.lo) + m.ref),
                core::detail::to_float(core::to_double(bounds.hi) + m.ref)};
      const double far =
          core::max_of(core::norm(triangle.v[0]),
                       core::max_of(core::norm(triangle.v[1]), core::norm(triangle.v[2])));
      const double eta = core::rounding_margin(m, far);
      // The radius for which the triangle lies just beyond: a fixed point, from above.
      m.radius = distance;
      double reach = 0.0;
      for (int n = 0; n < 50 && m.radius > 0.0; ++n) {
        reach = graze_reach(m, bounds);
        m.radius = 0.5 * (m.radius + (distance - 2.0 * eta - reach));
      }
      if (!(m.radius > 0.0)) continue;
      reach = graze_reach(m, bounds);
      if (!(distance >= m.radius + 2.0 * eta + reach)) {
        m.radius = distance - 2.0 * eta - reach * (1.0 + 1e-3);
        if (!(m.radius > 0.0 && distance >= m.radius + 2.0 * eta + graze_reach(m, bounds)))
          continue;
      }
      ++asked;
      greatest = std::max(greatest, reach);
      const core::Certificate c =
          core::certify(m, core::evaluate(m, 0.0), triangle, i % 3 == 0 ? 0.1 : 1e-9, 1.0);
      most = std::max(most, c.evaluations);
      EXPECT_EQ(c.outcome, core::Outcome::kFree)
          << "distance " << distance << ", radius " << m.radius << ", reach " << reach;
      EXPECT_FALSE(c.limited);
    }
    std::cout << scene.name << ": " << asked << " asked, at most " << most
              << " evaluations, reach up to " << greatest << " m\n";
    EXPECT_GT(asked, 60);
  }
}

TEST(GrazeReach, LeavesCertifyEnoughEvaluations) {
  // A link that turns on the spot, flat above the floor: the gap never changes, certify does not
  // know that, and looks ahead for sqrt(2 gap / A) at a time.
  RandomLink random;
  core::LinkMotion& m = random.link;
  Transform from;
  from.translation = {0, 0.06, 0};
  Transform to = from;
  to.rotation = {std::cos(1.0), 0, std::sin(1.0), 0};
  random.joints = {core::joint_motion(from, to, InBetween::kScrew)};
  random.chain = {0};
  m.joints = random.joints.data();
  m.chain = random.chain.data();
  m.chain_length = 1;
  m.a = {-0.3, 0, 0};
  m.b = {0.3, 0, 0};
  core::set_bounds(m, core::extend({}, random.joints[0], m.kind, m.ref));
  const core::Triangle floor{{{-4, 0, -4}, {4, 0, -4}, {0, 0, 8}}};
  const Box bounds{{-4, 0, -4}, {4, 0, 8}};
  const double eta = core::rounding_margin(m, 9.0);

  m.radius = 0.06 - 2.0 * eta - 1e-9;
  EXPECT_TRUE(core::certify(m, core::evaluate(m, 0.0), floor, 1e-9, 1.0).limited);
  m.radius = 0.06;
  m.radius -= 2.0 * eta + graze_reach(m, bounds) * (1.0 + 1e-3);
  const core::Certificate c = core::certify(m, core::evaluate(m, 0.0), floor, 1e-9, 1.0);
  EXPECT_EQ(c.outcome, core::Outcome::kFree);
  EXPECT_FALSE(c.limited);
}

TEST(GrazeReach, IsEnoughForNeedlesThatTheProofLeavesOut) {
  // The worst for certify: an end of the axis above a needle's inside, right beside its short edge.
  RandomLinks random(8);
  RandomLink link;
  for (const double sine : {1e-3, 1e-4, 1e-5, 1e-6, 1e-7}) {
    for (int i = 0; i < 1'000; ++i) {
      random.make(link, 1, InBetween::kScrew, 0.3, 0.0, 0.0, 3.0);
      core::LinkMotion& m = link.link;
      const core::AxisState s = core::evaluate(m, 0.0);
      Vec3 up = random.direction();
      if (core::dot(up, s.b - s.a) < 0.0) up = -up;  // a is the lower end
      Vec3 along = core::cross(up, random.direction());
      along = (1.0 / core::norm(along)) * along;
      const Vec3 across = core::cross(up, along);
      const double length = random.uniform(1, 10);
      const double width = sine * length;
      const Vec3 end = s.a - 0.05 * up + 0.5 * random.uniform(0, width) * along;
      core::Triangle needle{
          {end - length * along, end + 0.5 * width * across, end - 0.5 * width * across}};
      for (Vec3& v : needle.v) v = core::to_double(core::detail::to_float(v + m.ref)) - m.ref;
      Box bounds;
      double far = 0.0;
      for (const Vec3& v : needle.v) {
        bounds = join(bounds, core::box_of(core::detail::to_float(v + m.ref)));
        far = std::max(far, core::norm(v));
      }
      const double distance = std::sqrt(core::closest_points(s.a, s.b, needle).squared);
      m.radius = distance;
      m.radius -= 2.0 * core::rounding_margin(m, far) + 1.001 * graze_reach(m, bounds);
      const core::Certificate c = core::certify(m, s, needle, 1e-9, 1.0);
      EXPECT_EQ(c.outcome, core::Outcome::kFree) << sine << ", radius " << m.radius;
    }
  }
}

TEST(GrazeReach, IsSmallForPeopleInRoomsAndAlwaysFinite) {
  RandomLinks random(7);
  RandomLink link;
  const Box house{{-10, 0, -6}, {10, 3, 6}};
  // A hand of a walker at 120 Hz.
  random.make(link, 3, InBetween::kScrew, 0.3, 0.02, 0.01, 1.0);
  link.link.radius = 0.04;
  EXPECT_GT(graze_reach(link.link, house), 0.0);
  EXPECT_LT(graze_reach(link.link, house), 1e-4);
  EXPECT_GE(graze_reach(link.link, Box{}), 0.0);
  for (const double radius : {0.0, std::numeric_limits<double>::denorm_min(), 1e-300, 1e-6, 1e6}) {
    for (const float far : {1e-30F, 1.0F, 1e6F}) {
      link.link.radius = radius;
      const Box bounds{{-far, -far, -far}, {far, far, far}};
      const double reach = graze_reach(link.link, bounds);
      EXPECT_TRUE(std::isfinite(reach) && reach >= 0.0) << radius << ' ' << far;
      EXPECT_LT(reach, 1e-3 * (10.0 + static_cast<double>(far))) << radius << ' ' << far;
    }
  }
}

}  // namespace
}  // namespace tocsin::scene::graze_reach_test
