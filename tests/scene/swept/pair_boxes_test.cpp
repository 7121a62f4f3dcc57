// Coarse boxes hold the boxes that core::may_graze compares, so that a broadphase over coarse boxes
// drops no pair that counts.
#include <gtest/gtest.h>

#include <cstddef>

#include "core/query/link_pair.h"
#include "scene/swept/step_motion.h"
#include "support/scenes/random_scene.h"
#include "support/scenes/wide_box.h"

namespace tocsin::scene::pair_boxes_test {
namespace {

core::Box box_of_refs(StepMotion& motion) {
  core::Box box;
  for (std::size_t i = 0; i < motion.link_count(); ++i) {
    const Vec3& ref = motion.motion(i).ref;
    box = join(box, core::grown_box(ref, ref, 0.0));
  }
  return box;
}

TEST(StepMotion, CoarseBoxesHoldThoseOfPairs) {
  test::RandomLinks random(131);
  int held = 0;
  int several = 0;
  for (int i = 0; i < 120; ++i) {
    const double turn = i % 3 == 0 ? 3.1 : i % 3 == 1 ? 0.5 : 0.001;
    const auto here = test::random_take(random, 6, 2, turn, 0.3);
    // Travels so far that its ref may lie 10 km away.
    const auto there = test::random_take(random, 5, 3, turn, i % 4 == 0 ? 1e4 : 0.3);
    const StepList steps =
        here.motion
            .steps({.in_between = i % 2 == 0 ? InBetween::kScrew : InBetween::kTranslateRotate})
            .value();
    const Step& step = steps[0];
    const Step other_step = there.motion.steps()->at(1);
    StepMotion a;
    StepMotion b;
    b.begin(there.avatar, other_step, 0.0, {});
    const core::Box others = box_of_refs(b);
    a.begin(here.avatar, step, 0.01, {}, &others);
    for (std::size_t k = 0; k < a.link_count(); ++k) {
      const core::LinkMotion& p = a.motion(k);
      for (std::size_t l = 0; l < b.link_count(); ++l) {
        const double apart = core::norm(b.motion(l).ref - p.ref);
        const auto box = core::detail::swept_box(p, core::rounding_margin(p, apart), {});
        ASSERT_TRUE(test::holds(a.coarse_box(k), box, p.ref)) << i;
        ++held;
      }
      if (core::swept_pieces(p) > 1) ++several;
    }
  }
  EXPECT_GT(held, 2000);
  EXPECT_GT(several, 100);
}

}  // namespace
}  // namespace tocsin::scene::pair_boxes_test
