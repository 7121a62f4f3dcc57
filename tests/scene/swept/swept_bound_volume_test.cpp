// Bounds that are tight, not only right: how large swept bounds are beside what is swept.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "papers/interval_boxes.h"
#include "scene/swept/step_motion.h"
#include "support/data.h"
#include "support/scenes/random_scene.h"
#include "support/scenes/swept_volume.h"
#include "tocsin/tocsin.h"

namespace tocsin::scene::swept_bound_volume_test {
namespace {

constexpr int kSamples = 65;

/// Volumes divided by that of what was sampled, per link and step.
struct Ratios {
  std::vector<double> box;  ///< the swept bound, k = 6
  std::vector<double> k14;  ///< ... and finer ones
  std::vector<double> k18;
  std::vector<double> k26;
  std::vector<double> coarse;    ///< the box without trigonometry
  std::vector<double> interval;  ///< paper 004's interval matrices, k = 6
};

double volume(const core::Box& b) {
  return (static_cast<double>(b.hi.x) - b.lo.x) * (static_cast<double>(b.hi.y) - b.lo.y) *
         (static_cast<double>(b.hi.z) - b.lo.z);
}

double volume(const core::IntervalVec& b, double pad) {
  return (b.x.hi - b.x.lo + 2 * pad) * (b.y.hi - b.y.lo + 2 * pad) * (b.z.hi - b.z.lo + 2 * pad);
}

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

void add(Ratios& out, const Avatar& avatar, const std::vector<Step>& steps) {
  StepMotion motion;
  for (const Step& step : steps) {
    motion.set(avatar, step, 0.0, {{-5, -5, -5}, {5, 5, 5}});
    for (std::size_t i = 0; i < motion.links().size(); ++i) {
      const SweptLink& link = motion.links()[i];
      const auto ends = test::sampled_ends(link.motion, kSamples);
      const double least = papers::measure(test::sampled_kdop<6>(ends, link.motion.radius)).volume;
      out.box.push_back(test::swept_over_sampled<6>(link, ends));
      out.k14.push_back(test::swept_over_sampled<14>(link, ends));
      out.k18.push_back(test::swept_over_sampled<18>(link, ends));
      out.k26.push_back(test::swept_over_sampled<26>(link, ends));
      out.coarse.push_back(volume(motion.coarse_box(i)) / least);
      out.interval.push_back(volume(core::swept_aabb_interval(link.motion), link.motion.radius) /
                             least);
    }
  }
}

void expect_tight(const Ratios& r) {
  // A bound smaller than what it bounds would be none. But for rounding: both are made
  // of floats.
  for (const auto* of : {&r.box, &r.k14, &r.k18, &r.k26, &r.coarse, &r.interval}) {
    EXPECT_GE(*std::min_element(of->begin(), of->end()), 1.0 - 1e-6);
  }
  for (const auto* of : {&r.box, &r.k14, &r.k18, &r.k26}) EXPECT_LE(median(*of), 3.0);
}

/// Takes of a tree of ten joints at 60 Hz, and its steps over 1/60, 1/15 and 1/5 s.
class RandomSteps : public testing::TestWithParam<double> {};

TEST_P(RandomSteps, MedianVolumeIsAtMostThreeTimesTheSampledOnes) {
  test::RandomLinks random(711);
  for (const std::int64_t stride : {1, 4, 12}) {
    Ratios ratios;
    for (int i = 0; i < 4; ++i) {
      const auto take = test::random_take(random, 10, 49, GetParam(), 0.02);
      const Result<StepList> steps = take.motion.steps({.stride = stride});
      ASSERT_TRUE(steps.ok());
      add(ratios, take.avatar, *steps);
    }
    SCOPED_TRACE(testing::Message() << "stride " << stride);
    expect_tight(ratios);
  }
}

// Radians a frame, at most; 0.2 is 12 rad/s of every joint at once, more than people do; 0.5 is
// what a robot might.
INSTANTIATE_TEST_SUITE_P(Turns, RandomSteps, testing::Values(0.01, 0.05, 0.2, 0.5));

TEST(SweptBoundVolume, OfARecordedTakeToo) {
  TOCSIN_NEEDS_DATA("motions/cmu_bvh/01_01.bvh");
  const Result<Motion> motion = load_motion(test::data_path("motions/cmu_bvh/01_01.bvh"));
  ASSERT_TRUE(motion.ok());
  const Result<Avatar> avatar = Avatar::bind(*load_avatar_model("humanoid16"), motion->skeleton());
  ASSERT_TRUE(avatar.ok());
  for (const std::int64_t stride : {1, 4, 12}) {
    Ratios ratios;
    const Result<StepList> all = motion->steps({.first = 1, .stride = stride});
    ASSERT_TRUE(all.ok());
    std::vector<Step> some;
    for (std::size_t i = 0; i < all->size(); i += 97 / static_cast<std::size_t>(stride)) {
      some.push_back((*all)[i]);
    }
    add(ratios, *avatar, some);
    SCOPED_TRACE(testing::Message() << "stride " << stride);
    expect_tight(ratios);
  }
}

}  // namespace
}  // namespace tocsin::scene::swept_bound_volume_test
