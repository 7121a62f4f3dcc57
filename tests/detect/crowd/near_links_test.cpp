// What the broadphase drops certify_pair calls free, and not by a hair only.
#include "detect/crowd/near_links.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <vector>

#include "support/scenes/random_crowd.h"

namespace tocsin::near_links_test {
namespace {

using detect::MovingLinks;
using detect::NearLinks;
using test::RandomLinks;

/// Two avatars' links over a step, with a margin on all of them.
struct TwoAvatars {
  MovingLinks a;
  MovingLinks b;

  void begin(const test::RandomCrowd& crowd, double margin) {
    const std::vector<Step> steps = crowd.at(0);
    core::Box refs;
    for (const Step& step : steps) {
      const Vec3& root = step.pose0()[0].translation;
      refs = join(refs, core::grown_box(root, root, 0.0));
    }
    a.begin(crowd.members[0].avatar, steps[0], margin, {}, &refs);
    b.begin(crowd.members[1].avatar, steps[1], margin, {}, &refs);
  }
};

TEST(NearLinks, WhatIsDroppedIsFreeHoweverClose) {
  RandomLinks random(701);
  TwoAvatars links;
  std::size_t close = 0;
  for (int i = 0; i < 60; ++i) {
    test::RandomCrowd crowd = test::random_crowd(random, 2, 2, i % 3 == 0 ? 100.0 : 1.0, false);
    if (i % 3 == 0) {  // far from the origin, near each other
      crowd.steps[1] = crowd.motions[0].placed({{0.4, 0.1, 0.3}, 90.0}).value().steps().value();
      crowd.members[1].avatar = crowd.members[0].avatar;
    }
    links.begin(crowd, 0.0);
    const std::size_t first = links.a.count();
    const std::size_t second = links.b.count();
    for (std::size_t k = 0; k < first * second; ++k) {
      const NearLinks pair{k / second, k % second};
      links.begin(crowd, 0.0);
      if (!detect::surely_free(links.a, links.b, pair)) continue;
      // The greatest margin with which it is still dropped.
      double low = 0.0;
      double high = 4.0;
      for (int step = 0; step < 40; ++step) {
        const double margin = 0.5 * (low + high);
        links.begin(crowd, margin);
        (detect::surely_free(links.a, links.b, pair) ? low : high) = margin;
      }
      links.begin(crowd, low);
      ASSERT_TRUE(detect::surely_free(links.a, links.b, pair));
      const core::Certificate c =
          core::certify_pair(links.a.motion(pair.link), links.a.at0(pair.link),
                             links.b.motion(pair.other), links.b.at0(pair.other), 1e-9, 2.0);
      EXPECT_EQ(c.outcome, core::Outcome::kFree) << low << ' ' << c.lo << ' ' << c.evaluations;
      ++close;
    }
  }
  EXPECT_GT(close, 500U);
}

TEST(NearLinks, CoarseBoxesHoldWhatMayGrazeCompares) {
  RandomLinks random(702);
  TwoAvatars links;
  std::size_t apart = 0;
  for (int i = 0; i < 100; ++i) {
    const test::RandomCrowd crowd = test::random_crowd(random, 2, 2, 2.0, false);
    links.begin(crowd, i % 2 == 0 ? 0.0 : 0.01);
    for (std::size_t p = 0; p < links.a.count(); ++p) {
      for (std::size_t q = 0; q < links.b.count(); ++q) {
        if (overlap(links.a.coarse_box(p), links.b.coarse_box(q))) continue;
        ++apart;
        EXPECT_FALSE(core::may_graze(links.a.motion(p), links.b.motion(q)));
      }
    }
  }
  EXPECT_GT(apart, 500U);
}

}  // namespace
}  // namespace tocsin::near_links_test
