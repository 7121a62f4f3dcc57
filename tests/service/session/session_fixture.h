// The session that most tests are about: a random take in a random room.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <vector>

#include "service/session/session_rig.h"

namespace tocsin::test {

class SessionTest : public testing::Test {
 protected:
  SessionTest()
      : random_(61),
        take_(random_take(random_, 6, 40, 0.3, 0.1)),
        room_(room_of(random_room(random_, 5, 60, 1.5))),
        rig_(room_) {}

  bool open() { return rig_.open(options_); }
  void offer(std::int64_t first, std::int64_t last) {
    for (std::int64_t k = first; k <= last; ++k) {
      const auto problem = rig_.offer(frame_of(take_.motion, k));
      ASSERT_FALSE(problem) << problem->message;
    }
  }
  /// The reports that `tocsin check` has of frames 0 to `last`.
  std::vector<StepReport> wanted(std::int64_t last, const DetectorOptions& options = {}) {
    std::vector<Transform> poses;
    std::vector<double> ticks;
    for (std::int64_t k = 0; k <= last; ++k) {
      const auto pose = take_.motion.pose(k);
      poses.insert(poses.end(), pose.begin(), pose.end());
      ticks.push_back(take_.motion.seconds(k));
    }
    const auto motion = Motion::create_timed(take_.motion.skeleton(), 1.0, ticks, poses);
    std::vector<StepReport> out;
    const StepList steps = motion->placed(options_.avatar.place)
                               ->steps({.in_between = options_.spec.in_between})
                               .value();
    const Detector detector = Detector::make(room_->environment, options).value();
    EXPECT_TRUE(detector.run(take_.avatar, steps, {}, [&](const StepReport& report) {
      out.push_back(report);
      return true;
    }));
    return out;
  }
  static void expect_same(const std::vector<TrackReport>& got, const std::vector<StepReport>& want,
                          std::size_t first = 0) {
    ASSERT_EQ(got.size(), want.size() - first);
    for (std::size_t i = 0; i < got.size(); ++i) {
      const StepReport& result = got[i].result;
      EXPECT_EQ(result.step, static_cast<std::int64_t>(first + i));
      EXPECT_EQ(result.frames, want[first + i].frames);
      EXPECT_EQ(result.contacts, want[first + i].contacts);
      EXPECT_EQ(result.safe_until, want[first + i].safe_until);
      EXPECT_EQ(result.clearances, want[first + i].clearances);
    }
  }

  RandomLinks random_;
  RandomTake take_;
  std::shared_ptr<const service::Room> room_;
  SessionRig rig_;
  TrackOptions options_ = options_of(take_);
};

}  // namespace tocsin::test
