// Skins of links with shapes: what they hold, against the oracle's kinematics, and how tight they
// are beside those of the capsules that hold the shapes.
#include "scene/swept/hull_slab.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "detect/shapes/random_shape.h"
#include "oracle/kinematics.h"
#include "scene/shape/shape_data.h"
#include "scene/swept/skin_checks.h"
#include "scene/swept/step_motion.h"
#include "support/scenes/random_link.h"
#include "support/scenes/random_scene.h"

namespace tocsin::scene::hull_slab_test {
namespace {

using test::RandomLinks;

struct Named {
  std::string name;
  Shape shape;
  double most = 1.1;  ///< median volume, in parts of that of the capsule's skin
};

/// A sheet without thickness, of more corners than an outer hull has, askew in its frame.
Shape sheet(double size) {
  std::vector<Vec3> corners;
  std::vector<TriangleIndices> triangles;
  constexpr std::uint32_t kSide = 10;
  for (std::uint32_t i = 0; i < kSide; ++i) {
    for (std::uint32_t j = 0; j < kSide; ++j) {
      corners.push_back({size * i / kSide, size * j / kSide, 0.0});
      if (i == 0 || j == 0) continue;
      const std::uint32_t at = i * kSide + j;
      triangles.push_back({at, at - 1, at - kSide - 1});
      triangles.push_back({at, at - kSide - 1, at - kSide});
    }
  }
  const Shape flat = Shape::mesh(std::move(corners), std::move(triangles)).value();
  return flat.placed({{0.1, 0, 0}, {0.8, 0.36, 0.48, 0}, {1, 1, 1}}).value();
}

std::vector<Named> shapes(RandomLinks& random) {
  const Shape rod = Shape::cylinder(0.01, 1.0, 1e-6).value();
  return {{"a box", Shape::box({0.1, 0.2, 0.3}).value()},
          {"a board", Shape::box({0.3, 0.3, 0.001}).value(), 0.1},
          {"a blade", Shape::box({0.03, 0.5, 0.002}, 1e-4).value(), 0.4},
          {"a sheet", sheet(0.5), 0.1},
          {"a rod", rod, 1.0},
          {"a rod far from its joint", rod.placed({{2, 0, 0}, {}, {1, 1, 1}}).value(), 1.0},
          {"a grain", sheet(1e-4)},
          {"a bumpy ball", test::bumpy_ball(random, 12, 16, 0.2, 0.01)},
          {"a soup", test::random_soup(random, 60, 0.3, 0.02)},
          {"a capsule", Shape::capsule({0, 0, 0}, {0.3, 0, 0}, 0.05).value()},
          {"a sphere", Shape::sphere({0.1, 0, 0}, 0.05).value()}};
}

/// Every link of a random take with the shape in place of its capsule.
test::RandomTake take_of(RandomLinks& random, const Shape& shape, double turn, double travel,
                         double where) {
  test::RandomTake out = test::random_take(random, 4, 3, turn, travel);
  std::vector<Link> links;
  for (const Link& l : out.avatar.links()) links.push_back(link_of_shape(l.name, l.joint, shape));
  out.avatar = Avatar::create("shaped", out.avatar.skeleton(), std::move(links)).value();
  out.motion = out.motion.placed({{where, 0, -where}, 0}).value();
  return out;
}

/// A point of some feature.
Vec3 point_of(RandomLinks& random, const Shape& shape) {
  const auto count = static_cast<double>(shape.features().size());
  const auto feature = static_cast<std::size_t>(random.uniform(0, 1) * count);
  const auto& [i, j, k] = shape.features()[feature];
  double b = random.uniform(0, 1);
  double c = random.uniform(0, 1);
  if (b + c > 1.0) {
    b = 1.0 - b;
    c = 1.0 - c;
  }
  if (random.uniform(0, 1) < 0.5) {  // hulls have their corners where shapes have
    b = b < 0.5 ? 0.0 : 1.0;
    c = 0.0;
  }
  const std::span<const Vec3> at = shape.corners();
  return at[i] + (b * (at[j] - at[i]) + c * (at[k] - at[i]));
}

/// Where points of a link's frame are, by the oracle, relative to the skin's origin.
class FrameOf {
 public:
  FrameOf(const core::LinkMotion& m, const SlabSkin& skin) {
    std::vector<core::JointMotion> chain;
    for (std::int32_t k = 0; k < m.chain_length; ++k) chain.push_back(m.joints[m.chain[k]]);
    path_.emplace_back(chain, m.kind, core::to_double(skin.origin()));
  }
  [[nodiscard]] Vec3 operator()(double t, const Vec3& p) const {
    const oracle::RealVec at = path_[0].at(t)(oracle::widen<oracle::Real>(p));
    return {static_cast<double>(at.x), static_cast<double>(at.y), static_cast<double>(at.z)};
  }

 private:
  std::vector<oracle::FramePath<oracle::Real>> path_;
};

/// Points of the shape, and of what it is grown by, lie inside all planes, the outermost of them in
/// the triangles too.
void check_holds(RandomLinks& random, const SlabSkin& skin, const SweptLink& link,
                 const Link& source, double t0, double t1, int samples) {
  const FrameOf frame(link.motion, skin);
  const double grow = link.motion.radius - source.radius + source.shape.radius();
  double least = HUGE_VAL;
  Vec3 outermost;
  for (int i = 0; i < samples; ++i) {
    const double t = i % 4 == 0 ? t0 : i % 4 == 1 ? t1 : random.uniform(t0, t1);
    const Vec3 p = frame(t, point_of(random, source.shape)) + grow * random.direction();
    const double inside = depth(skin, p);
    if (inside >= least) continue;
    least = inside;
    outermost = p;
  }
  // What float's rounding of the corners may move a face inward.
  ASSERT_GT(least, 0x1.bcp-24 * size_of(skin));
  ASSERT_NEAR(winding(skin, outermost), 1.0, 1e-6);
}

struct Way {
  double turn = 0.0;
  double travel = 0.0;
};

TEST(HullSlab, SkinsHoldTheShapeWhateverItDoes) {
  RandomLinks random(11);
  SlabSkin skin;
  HullSlab hull;
  StepMotion motion;
  const core::Box bounds{{-5, -5, -5}, {5, 5, 5}};
  for (const Named& named : shapes(random)) {
    SCOPED_TRACE(named.name);
    for (const auto& [turn, travel] : {Way{}, {0.1, 0.05}, {1.0, 0.3}, {3.1, 2.0}}) {
      for (const double where : {0.0, 10'000.0}) {
        const test::RandomTake take = take_of(random, named.shape, turn, travel, where);
        for (const Step& step : take.motion.steps().value()) {
          motion.begin(take.avatar, step, 0.01, bounds);
          for (std::size_t i = 0; i < motion.link_count(); ++i) {
            const SweptLink& link = motion.link(i);
            const double t0 = i == 0 ? 0.0 : random.uniform(0, 0.9);
            const double t1 = i == 0 ? 1.0 : random.uniform(t0, 1.0);
            hull.set(link, motion.source(i), t0, t1);
            skin.set(time_slab(link, t0, t1, 0.0), hull);
            check_closed(skin);
            check_holds(random, skin, link, motion.source(i), t0, t1, 2'000);
            if (HasFatalFailure()) return;
          }
        }
      }
    }
  }
}

TEST(HullSlab, SkinsAreTighterThanThoseOfCapsules) {
  RandomLinks random(12);
  SlabSkin skin;
  SlabSkin around;
  HullSlab hull;
  StepMotion motion;
  for (const Named& named : shapes(random)) {
    SCOPED_TRACE(named.name);
    std::vector<double> ratio;
    for (int n = 0; n < 20; ++n) {
      const test::RandomTake take = take_of(random, named.shape, 0.05, 0.02, 0.0);
      const StepList steps = take.motion.steps().value();
      motion.begin(take.avatar, steps[0], 0.0, {{-5, -5, -5}, {5, 5, 5}});
      for (std::size_t i = 0; i < motion.link_count(); ++i) {
        const SweptLink& link = motion.link(i);
        const Slab slab = time_slab(link, 0.0, 1.0, 0.0);
        hull.set(link, motion.source(i), 0.0, 1.0);
        skin.set(slab, hull);
        around.set(slab);
        ratio.push_back(volume(skin) / volume(around));
      }
    }
    std::sort(ratio.begin(), ratio.end());
    fmt::print("{}: median {:.3f}, most {:.3f} of the volume of the capsule's skin\n", named.name,
               ratio[ratio.size() / 2], ratio.back());
    EXPECT_LT(ratio[ratio.size() / 2], named.most);
    EXPECT_LT(ratio.back(), named.most <= 1.0 ? 1.0 : 1.1);
  }
}

TEST(HullSlab, DoesNotRememberWhatItWas) {
  RandomLinks random(13);
  SlabSkin used;
  HullSlab used_hull;
  StepMotion motion;
  for (const Named& named : shapes(random)) {
    const test::RandomTake take = take_of(random, named.shape, 0.5, 0.1, 3.0);
    const StepList steps = take.motion.steps().value();
    motion.begin(take.avatar, steps[0], 0.0, {{-5, -5, -5}, {5, 5, 5}});
    const SweptLink& link = motion.link(0);
    const Slab slab = time_slab(link, 0.25, 0.5, 0.0);
    HullSlab hull;
    SlabSkin fresh;
    hull.set(link, motion.source(0), 0.25, 0.5);
    fresh.set(slab, hull);
    used_hull.set(link, motion.source(0), 0.25, 0.5);
    used.set(slab, used_hull);
    EXPECT_EQ(used.origin(), fresh.origin());
    ASSERT_TRUE(std::equal(used.triangles().begin(), used.triangles().end(),
                           fresh.triangles().begin(), fresh.triangles().end()));
  }
}

}  // namespace
}  // namespace tocsin::scene::hull_slab_test
