// Forward kinematics in SIMD lanes are core/motion/world_pose.h's, bit for bit.
#include "core/motion/world_pose.h"

#include <gtest/gtest.h>

#include <cstring>
#include <vector>

#include "core/bounds/swept_boxes.h"
#include "cpu/kernels/simd_targets.h"
#include "scene/motion/pose_kernels.h"
#include "scene/motion/world_pose.h"
#include "support/scenes/odd_takes.h"
#include "support/scenes/random_scene.h"

namespace tocsin::scene::world_pose_test {
namespace {

template <class T>
bool same_bits(const T& p, const T& q) {
  return std::memcmp(&p, &q, sizeof(T)) == 0;
}

/// The joints from the root to one.
std::vector<std::int32_t> chain_to(const std::vector<std::int32_t>& parents, std::int32_t joint) {
  std::vector<std::int32_t> chain;
  for (std::int32_t j = joint; j >= 0; j = parents[static_cast<std::size_t>(j)]) {
    chain.insert(chain.begin(), j);
  }
  return chain;
}

TEST(WorldPose, ChainsAreTheBitsOfTheKernelsAtEveryTarget) {
  test::RandomLinks random(811);
  std::vector<test::RandomTake> takes;
  for (const double travel : {0.1, 1e5}) {
    takes.push_back(test::random_take(random, 24, 4, 2.0, travel));
    takes.push_back(test::many_roots(random, 30, 4, 2.0, travel));
  }
  takes.push_back(test::random_take(random, 2, 2, 2.0, 1.0));  // chains of one
  takes.push_back(test::long_chain(random, 100, 3, 1.0));
  std::size_t compared = 0;
  test::at_every_simd_target([&] {
    for (const test::RandomTake& take : takes) {
      std::vector<std::int32_t> parents;
      for (const Joint& joint : take.avatar.skeleton().joints()) parents.push_back(joint.parent);
      WorldPoses worlds;
      worlds.set_avatar(tree_of(take.avatar));
      for (const Step& step : take.motion.steps().value()) {
        worlds.set_step(step);
        for (std::size_t i = 0; i < take.avatar.links().size(); ++i) {
          const Link& link = take.avatar.links()[i];
          const auto chain = chain_to(parents, link.joint);
          const auto place = [&](std::span<const Transform> pose) {
            return core::ends_in_world(pose.data(), chain.data(),
                                       static_cast<std::int32_t>(chain.size()), link.a, link.b);
          };
          ASSERT_TRUE(same_bits(place(step.pose0()), to_axis(worlds.start()[i])));
          ASSERT_TRUE(same_bits(place(step.pose1()), to_axis(worlds.end()[i])));
          ++compared;
        }
      }
    }
  });
  EXPECT_GT(compared, 300U);
}

// The box of four balls too: StepMotion's coarse boxes take the kernels', its pieces the core's.
TEST(WorldPose, BoxOfFourBallsIsThatOfTheKernels) {
  test::RandomLinks random(812);
  const auto point = [&](double where) { return random.vector(0, where); };
  const auto lanes = [](const Vec3& p) { return Lanes4{{p.x, p.y, p.z, 0.0}}; };
  test::at_every_simd_target([&] {
    for (int i = 0; i < 2000; ++i) {
      const double where = i % 3 == 0 ? 1e6 : i % 3 == 1 ? 3.0 : 0.0;
      const core::AxisEnds p{point(where), point(where)};
      const core::AxisEnds q{point(where), i % 5 == 0 ? p.b : point(where)};
      const EndRadii radii{random.uniform(0.0, 0.3), random.uniform(0.0, 0.3)};
      const LinkEnds from{lanes(p.a), lanes(p.b)};
      const LinkEnds to{lanes(q.a), lanes(q.b)};
      const Extent e = extent_of({&from, 1}, {&to, 1}, {&radii, 1});
      const core::Box want = core::grown_box({e.lo.at[0], e.lo.at[1], e.lo.at[2]},
                                             {e.hi.at[0], e.hi.at[1], e.hi.at[2]}, 0.0);
      ASSERT_TRUE(same_bits(core::box_between(p, q, radii.a, radii.b), want));
    }
  });
}

}  // namespace
}  // namespace tocsin::scene::world_pose_test
