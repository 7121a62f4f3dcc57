// Slabs and their skins: what they hold, that they are closed, how tight they are.
#include "scene/swept/slab.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iostream>
#include <string>
#include <utility>
#include <vector>

#include "core/query/distance.h"
#include "scene/swept/skin_checks.h"
#include "scene/swept/step_motion.h"
#include "support/scenes/random_link.h"
#include "support/scenes/random_scene.h"

namespace tocsin::scene::slab_test {
namespace {

using core::Box;
using test::RandomLink;
using test::RandomLinks;

/// What a random link does in a step.
struct Kind {
  std::string name;
  double bone = 0.4;     ///< metres
  double turn = 0.1;     ///< radians a joint
  double travel = 0.05;  ///< metres
  double where = 3.0;    ///< metres from the origin
  double radius = 0.05;  ///< metres
};

std::vector<Kind> kinds() {
  return {{"ordinary"},
          {.name = "no length", .bone = 0.0},
          {.name = "no motion", .turn = 0.0, .travel = 0.0},
          {.name = "neither", .bone = 0.0, .turn = 0.0, .travel = 0.0},
          {.name = "a hair", .radius = 1e-6},
          {.name = "a resting hair", .turn = 0.0, .travel = 0.0, .radius = 1e-6},
          {.name = "a grain", .bone = 1e-7, .turn = 0.0, .travel = 1e-7, .radius = 1e-6},
          {.name = "far away", .where = 10'000.0},
          {.name = "a hair far away", .where = 10'000.0, .radius = 1e-6},
          {.name = "fast turns", .turn = 3.0},
          {.name = "very fast", .turn = 3.0, .travel = 20.0},
          {.name = "a thick one", .bone = 0.01, .radius = 3.0}};
}

/// A random link with the padding that StepMotion gives it in a room of 100 m.
struct PaddedLink {
  RandomLink random;
  SweptLink swept;
};

void make(RandomLinks& random, const Kind& kind, PaddedLink& out) {
  const int joints = 1 + static_cast<int>(random.uniform(0, 4));
  const InBetween between =
      random.uniform(0, 1) < 0.5 ? InBetween::kScrew : InBetween::kTranslateRotate;
  random.make(out.random, joints, between, kind.bone, kind.turn, kind.travel, kind.where);
  core::LinkMotion& m = out.random.link;
  m.radius = kind.radius;
  out.swept.motion = m;
  const double eta = core::rounding_margin(m, 100.0);
  out.swept.padding = m.radius + 2.0 * eta + 16 * 0x1p-50 * (core::norm(m.ref) + m.reach);
}

/// The volume between half-spaces, another way than the skin's: a large square in each plane, cut
/// by all others (Sutherland and Hodgman), is a face.
double volume_between(std::span<const SlabSkin::HalfSpace> half_spaces, double size) {
  double sum = 0.0;
  for (std::size_t i = 0; i < half_spaces.size(); ++i) {
    const auto& [n, d] = half_spaces[i];
    const Vec3 other = std::fabs(n.x) < 0.6 ? Vec3{1, 0, 0} : Vec3{0, 1, 0};
    Vec3 u = core::cross(n, other);
    u = (1.0 / core::norm(u)) * u;
    const Vec3 v = core::cross(n, u);
    std::vector<Vec3> face;
    for (const auto& [p, q] : {std::pair{-1, -1}, {1, -1}, {1, 1}, {-1, 1}}) {
      face.push_back(d * n + (4.0 * size * p) * u + (4.0 * size * q) * v);
    }
    for (std::size_t j = 0; j < half_spaces.size(); ++j) {
      if (j == i) continue;
      std::vector<Vec3> left;
      for (std::size_t k = 0; k < face.size(); ++k) {
        const Vec3& p = face[k];
        const Vec3& q = face[(k + 1) % face.size()];
        const double above_p = core::dot(half_spaces[j].n, p) - half_spaces[j].d;
        const double above_q = core::dot(half_spaces[j].n, q) - half_spaces[j].d;
        if (above_p <= 0.0) left.push_back(p);
        if ((above_p <= 0.0) != (above_q <= 0.0)) {
          left.push_back(p + (above_p / (above_p - above_q)) * (q - p));
        }
      }
      face = left;
    }
    for (std::size_t k = 2; k < face.size(); ++k) {
      sum += d * core::dot(n, core::cross(face[k - 1] - face[0], face[k] - face[0])) / 6.0;
    }
  }
  return sum;
}

/// Corners lie in all half-spaces, and no volume between them is missing, up to rounding.
void check_volume(const SlabSkin& skin) {
  const double size = size_of(skin);
  for (const auto& t : skin.triangles()) {
    for (const Vec3f& p : t) ASSERT_GT(depth(skin, core::to_double(p)), -0x1p-23 * size);
  }
  const double expected = volume_between(skin.half_spaces(), size);
  // A surface of at most 24 size^2, moved by float's rounding.
  ASSERT_NEAR(volume(skin), expected, 24 * 0x1p-22 * size * size * size);
  for (const SlabSkin::HalfSpace& h : skin.half_spaces()) {
    ASSERT_NEAR(core::norm(h.n), 1.0, 1e-15);
  }
}

Vec3 axis_point(RandomLinks& random, const core::LinkMotion& m, double t0, double t1) {
  const core::AxisState s = core::evaluate(m, random.uniform(t0, t1));
  const double at = std::clamp(random.uniform(-0.2, 1.2), 0.0, 1.0);
  return m.ref + s.a + at * (s.b - s.a);
}

/// Points of the link's surface and of what its skin is grown by lie inside, the deepest of them in
/// the triangles too.
void check_holds(RandomLinks& random, const SlabSkin& skin, const SweptLink& link, double t0,
                 double t1, int samples) {
  const core::LinkMotion& m = link.motion;
  double least = HUGE_VAL;
  Vec3 outermost;
  for (int i = 0; i < samples; ++i) {
    const Vec3 p = axis_point(random, m, t0, t1) + m.radius * random.direction();
    const double inside = depth(skin, relative(skin, p));
    if (inside < least) {
      least = inside;
      outermost = relative(skin, p);
    }
  }
  // What float's rounding of the corners may move a face inward.
  ASSERT_GT(least, 0x1.bcp-24 * size_of(skin));
  ASSERT_NEAR(winding(skin, outermost), 1.0, 1e-6);
}

TEST(SlabSkin, IsClosedAndHoldsTheLinkWhateverItDoes) {
  RandomLinks random(1);
  SlabSkin skin;
  PaddedLink link;
  for (const Kind& kind : kinds()) {
    SCOPED_TRACE(kind.name);
    for (int i = 0; i < 12; ++i) {
      make(random, kind, link);
      const double t0 = i % 3 == 0 ? 0.0 : random.uniform(0, 0.9);
      const double t1 = i % 3 == 0 ? 1.0 : random.uniform(t0, 1.0);
      const Slab slab = time_slab(link.swept, t0, t1, i % 2 == 0 ? 0.0 : 1e-6);
      EXPECT_EQ(slab.t0, t0);
      EXPECT_EQ(slab.t1, t1);
      skin.set(slab);
      check_closed(skin);
      check_volume(skin);
      check_holds(random, skin, link.swept, t0, t1, 10'000);
      EXPECT_NEAR(winding(skin, {2.0 * size_of(skin), 0, 0}), 0.0, 1e-6);
      if (HasFatalFailure()) return;
    }
  }
}

TEST(SlabSkin, HoldsThePiecesOfSteps) {
  RandomLinks random(2);
  SlabSkin skin;
  const Box bounds{{-5, -5, -5}, {5, 5, 5}};
  for (const auto& [turn, travel] : {std::pair{0.0, 0.0}, {0.1, 0.05}, {1.0, 0.3}, {3.1, 2.0}}) {
    const test::RandomTake take = test::random_take(random, 8, 3, turn, travel);
    StepMotion motion;
    for (const Step& step : take.motion.steps().value()) {
      motion.set(take.avatar, step, 0.01, bounds);
      for (const SweptLink& link : motion.links()) {
        for (std::int32_t i = 0; i < link.pieces; ++i) {
          const Slab slab = piece_slab(link, i, 1e-6);
          EXPECT_DOUBLE_EQ(slab.t0, static_cast<double>(i) / link.pieces);
          EXPECT_DOUBLE_EQ(slab.t1, static_cast<double>(i + 1) / link.pieces);
          skin.set(slab);
          check_closed(skin);
          check_volume(skin);
          check_holds(random, skin, link, slab.t0, slab.t1, 1'000);
          // Any stretch, with the padding that the step's motion has set.
          const double t0 = random.uniform(0, 1);
          const double t1 = random.uniform(t0, 1);
          skin.set(time_slab(link, t0, t1, 0.0));
          check_holds(random, skin, link, t0, t1, 1'000);
          if (HasFatalFailure()) return;
        }
      }
    }
  }
}

TEST(SlabSkin, IsGrownByWhatIsAsked) {
  RandomLinks random(3);
  PaddedLink link;
  make(random, {"ordinary"}, link);
  SlabSkin without;
  SlabSkin with;
  without.set(time_slab(link.swept, 0.25, 0.5, 0.0));
  with.set(time_slab(link.swept, 0.25, 0.5, 0.01));
  EXPECT_GT(volume(with), volume(without));
  for (int i = 0; i < 10'000; ++i) {
    const Vec3 p = axis_point(random, link.swept.motion, 0.25, 0.5) +
                   (link.swept.motion.radius + 0.01) * random.direction();
    EXPECT_GT(depth(with, relative(with, p)), 0.0);
  }
}

TEST(SlabSkin, DoesNotRememberWhatItWas) {
  RandomLinks random(4);
  PaddedLink link;
  SlabSkin used;
  for (int i = 0; i < 20; ++i) {
    make(random, kinds()[static_cast<std::size_t>(i) % kinds().size()], link);
    const Slab slab = time_slab(link.swept, 0.0, 0.5, 0.0);
    SlabSkin fresh;
    fresh.set(slab);
    used.set(slab);
    EXPECT_EQ(used.origin(), fresh.origin());
    EXPECT_EQ(used.half(), fresh.half());
    ASSERT_TRUE(std::equal(used.triangles().begin(), used.triangles().end(),
                           fresh.triangles().begin(), fresh.triangles().end()));
    EXPECT_EQ(used.half_spaces().size(), fresh.half_spaces().size());
  }
}

TEST(SlabSkin, IsFarTighterThanItsBox) {
  // Against what the link really sweeps, by points in the box of the skin.
  RandomLinks random(5);
  SlabSkin skin;
  PaddedLink link;
  std::vector<double> skin_ratio;
  std::vector<double> box_ratio;
  for (int i = 0; i < 60; ++i) {
    make(random, {.name = "a step at 120 Hz", .turn = 0.05, .travel = 0.02}, link);
    const core::LinkMotion& m = link.swept.motion;
    skin.set(time_slab(link.swept, 0.0, 1.0, 0.0));
    constexpr int kTimes = 17;
    std::array<AxisEnds, kTimes> ends;
    for (int k = 0; k < kTimes; ++k) {
      const core::AxisState s = core::evaluate(m, static_cast<double>(k) / (kTimes - 1));
      ends[static_cast<std::size_t>(k)] = {relative(skin, m.ref + s.a),
                                           relative(skin, m.ref + s.b)};
    }
    int boxed = 0;
    int held = 0;
    int swept = 0;
    for (; boxed < 2'000; ++boxed) {
      const Vec3f& h = skin.half();
      const Vec3 p{random.uniform(-h.x, h.x), random.uniform(-h.y, h.y), random.uniform(-h.z, h.z)};
      if (depth(skin, p) < 0.0) continue;
      ++held;
      const core::Triangle point{{p, p, p}};
      swept += std::any_of(ends.begin(), ends.end(), [&](const AxisEnds& e) {
        return std::sqrt(core::closest_points(e.a, e.b, point).squared) <= m.radius;
      });
    }
    skin_ratio.push_back(static_cast<double>(held) / swept);
    box_ratio.push_back(static_cast<double>(boxed) / swept);
  }
  const auto median = [](std::vector<double>& x) {
    std::sort(x.begin(), x.end());
    return x[x.size() / 2];
  };
  const double of_skin = median(skin_ratio);
  const double of_box = median(box_ratio);
  std::cout << "median volume, in parts of what is swept: skin " << of_skin << ", its box "
            << of_box << '\n';
  EXPECT_LT(of_skin, 1.5);
  EXPECT_GT(of_box, 2.0 * of_skin);
}

}  // namespace
}  // namespace tocsin::scene::slab_test
