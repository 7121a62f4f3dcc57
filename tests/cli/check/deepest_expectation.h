// The deepest moment of an episode among the crates, by brute force.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "cli/check/crates_scene.h"

namespace tocsin::test::crates {

inline constexpr double kFrameTime = 0.03125;
inline constexpr double kFrameSlack = 1e-4;    // as promised of frames
inline constexpr double kBetweenSlack = 1e-3;  // as promised of moments between them

/// What the episodes were like, so that a test can demand enough of every kind.
struct DepthCounts {
  int episodes = 0;
  int deep = 0;              ///< the axis is inside by more than a centimetre
  int between = 0;           ///< free at all frames
  int between_touching = 0;  ///< deeper between two frames than at any
  int long_ones = 0;
};

/// What must hold of an episode's deepest moment, from every triangle at every frame and between.
class DeepestExpectation {
 public:
  DeepestExpectation(const Crates& scene, const nlohmann::json& episode)
      : scene_(scene),
        episode_(episode),
        link_(episode["link"]),
        radius_(kRadii.at(link_)),
        closed_(scene.thing(episode["object"]).closed),
        object_(scene.thing(episode["object"]).triangles()),
        begin_(episode["seconds"][0].get<double>() / kFrameTime),
        end_(episode["frames"][1]) {}

  void expect(DepthCounts& counts) const {
    const nlohmann::json& told = episode_["deepest"];
    const double depth = told["depth"];
    const double at = told["seconds"].get<double>() / kFrameTime;
    const std::size_t frame = told["frame"];
    const bool between = told.contains("between");
    const double frames = most_at_frames();
    ++counts.episodes;
    counts.long_ones += end_ - begin_ > 8.0 ? 1 : 0;
    counts.between += between && frames < 0.0 ? 1 : 0;
    counts.between_touching += between && frames >= 0.0 ? 1 : 0;
    counts.deep += depth > radius_ + 0.01 ? 1 : 0;
    // The moment lies in the episode, and is as deep as told.
    EXPECT_GE(at, begin_ - 1e-9) << episode_;
    EXPECT_LE(at, end_ + 1e-9) << episode_;
    EXPECT_EQ(std::size_t(std::floor(at + (between ? 0.0 : 1e-9))), frame) << episode_;
    const Brute brute = depth_at(at);
    if (std::fabs(depth - radius_) > 1e-6) {
      EXPECT_NEAR(depth, brute.depth, 1e-8) << episode_;
      EXPECT_EQ(told.contains("inside"), brute.inside) << episode_;
      EXPECT_FALSE(told.contains("through")) << episode_;
    } else {
      EXPECT_NEAR(std::fabs(brute.depth - radius_), 0.0, 1e-6) << episode_;
    }
    // None is deeper.
    EXPECT_GE(depth, frames - kFrameSlack - 1e-9) << episode_;
    if (between) {
      EXPECT_TRUE(frames < 0.0 || depth > frames + kBetweenSlack - kFrameSlack) << episode_;
      EXPECT_GT(depth, -1e-9) << episode_;
    }
    if (told.contains("through")) return;  // at least so deep
    EXPECT_GE(depth, most_between() - kBetweenSlack - 1e-9) << episode_;
  }

 private:
  /// frames: since frame 0, with parts of them.
  [[nodiscard]] Brute depth_at(double frames) const {
    const double whole = std::floor(frames + 1e-12);
    const double t = std::max(0.0, frames - whole);
    return brute_depth(scene_.axis_at(link_, static_cast<std::size_t>(whole), t), radius_, object_,
                       closed_);
  }
  [[nodiscard]] double most_at_frames() const {
    double most = -std::numeric_limits<double>::infinity();
    for (double f = std::ceil(begin_); f <= end_; f += 1.0)
      most = std::max(most, depth_at(f).depth);
    return most;
  }
  [[nodiscard]] double most_between() const {
    constexpr double kPart = 1.0 / 16.0;
    double most = depth_at(begin_).depth;
    for (double f = std::ceil(begin_ / kPart) * kPart; f < end_; f += kPart) {
      most = std::max(most, depth_at(f).depth);
    }
    return most;
  }

  const Crates& scene_;
  const nlohmann::json& episode_;
  std::string link_;
  double radius_;
  bool closed_;
  std::vector<Corners> object_;
  double begin_;  ///< frames
  double end_;
};

}  // namespace tocsin::test::crates
