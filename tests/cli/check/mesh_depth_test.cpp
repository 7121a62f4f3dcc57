// How deep held meshes are and what they come near to, against Detector::depth at many moments,
// which detect_shapes_test holds against the oracle; and the oracle of `verify`.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "app/check/load_job.h"
#include "app/verify/verify_report.h"
#include "app/verify/verify_steps.h"
#include "cli/check/crates_scene.h"

namespace tocsin::app::mesh_depth_test {
namespace {

using Json = nlohmann::json;

constexpr double kFrameTime = 0.03125;  // seconds, of the crates' take
constexpr double kNear = 0.08;          // metres
constexpr double kFrameSlack = 1e-4;    // as promised of frames
constexpr double kBetweenSlack = 1e-3;  // as promised of moments between them
constexpr int kParts = 16;              // of a step: moments that are looked at
constexpr std::int32_t kStick = 2;      // the link behind those of the arm

/// A thin pyramid along y, from the elbow.
constexpr const char* kStickMesh =
    "o Stick\nv 0.04 0.1 0.04\nv -0.04 0.1 0.04\nv 0 0.1 -0.05\nv 0 0.7 0\n"
    "f 1 2 3\nf 1 4 2\nf 2 4 3\nf 3 4 1\n";

Job stick_job(const test::crates::Crates& scene) {
  scene.write("stick.obj", kStickMesh);
  CheckOptions options;
  options.takes[0].motion = scene.full("take.bvh");
  options.takes[0].avatar.model = scene.full("arm.json");
  options.takes[0].avatar.hold = {{"Elbow", scene.full("stick.obj"), {}}};
  options.takes[0].reading.unit_metres = 1.0;
  options.environments = {scene.full("room.obj")};
  options.backend = Backend::kCpu;
  options.near = kNear;
  options.spec.clearance = true;
  return load_job(options).value();
}

/// What Detector::depth says of the stick and an object, at parts of the job's frames.
class StickDepths {
 public:
  StickDepths(const Job& job, const Detector& detector, const std::string& object)
      : job_(job), detector_(detector) {
    const auto objects = job.environment.objects();
    while (objects[object_].name != object) ++object_;
  }
  [[nodiscard]] Depth at(double frames) const {
    const std::vector<Step>& steps = job_.takes[0].steps;
    const auto step = std::min(static_cast<std::size_t>(frames), steps.size() - 1);
    return detector_
        .depth(job_.takes[0].member.avatar, steps[step],
               std::min(1.0, frames - static_cast<double>(step)), kStick, object_)
        .value();
  }
  /// The greatest at multiples of `part` of a step in [from, to].
  [[nodiscard]] double most(double from, double to, double part) const {
    double out = -HUGE_VAL;
    for (double f = std::ceil(from / part) * part; f <= to; f += part) {
      out = std::max(out, at(f).depth);
    }
    return out;
  }

 private:
  const Job& job_;
  const Detector& detector_;
  std::uint32_t object_ = 0;
};

struct Counts {
  int episodes = 0;
  int between = 0;
  int deep = 0;
  int through = 0;
  int near = 0;
  int far = 0;
};

void expect_episode(const Json& episode, const StickDepths& depths, Counts& counts) {
  const Json& told = episode["deepest"];
  const double depth = told["depth"];
  const double at = told["seconds"].get<double>() / kFrameTime;
  const double begin = episode["seconds"][0].get<double>() / kFrameTime;
  const double end = episode["frames"][1];
  EXPECT_GE(at, begin - 1e-9) << episode;
  EXPECT_LE(at, end + 1e-9) << episode;
  const Depth there = depths.at(at);
  EXPECT_NEAR(depth, there.depth, 1e-9) << episode;
  EXPECT_EQ(told.contains("inside"), there.inside) << episode;
  EXPECT_EQ(told.contains("through"), there.distance < 1e-8) << episode;
  EXPECT_GE(depth, depths.most(begin, end, 1.0) - kFrameSlack - 1e-9) << episode;
  EXPECT_GE(depth, depths.most(begin, end, 1.0 / kParts) - kBetweenSlack - 1e-9) << episode;
  ++counts.episodes;
  counts.between += told.contains("between") ? 1 : 0;
  counts.deep += depth > 0.01 ? 1 : 0;
  counts.through += told.contains("through") ? 1 : 0;
}

TEST(MeshDepth, OfEpisodesAndOfWhatIsNearIsThatOfTheDeepestMoment) {
  Counts counts;
  for (std::uint32_t seed = 21; seed <= 26; ++seed) {
    const test::crates::Crates scene(seed);
    const Job job = stick_job(scene);
    const Detector detector = Detector::make(job.environment, job.detector).value();
    const Rerun rerun = rerun_check(job, detector, true, {}).value();
    std::set<std::string> seen;
    for (const io::ReportLine& line : rerun.episode_lines) {
      const Json episode = Json::parse(line.text);
      if (episode["link"] != "stick") continue;
      const std::string object = episode["object"];
      seen.insert(object);
      expect_episode(episode, StickDepths(job, detector, object), counts);
    }
    const auto last = static_cast<double>(job.takes[0].steps.size());
    for (const io::ReportLine& line : rerun.near_lines) {
      const Json near = Json::parse(line.text);
      if (near["link"] != "stick") continue;
      const std::string object = near["object"];
      EXPECT_TRUE(seen.insert(object).second) << near;
      const StickDepths depths(job, detector, object);
      const double metres = near["metres"];
      EXPECT_GT(metres, 0.0);
      EXPECT_LT(metres, kNear);
      EXPECT_NEAR(metres, -depths.at(near["seconds"].get<double>() / kFrameTime).depth, 1e-9);
      EXPECT_LE(metres, -depths.most(0.0, last, 1.0) + kFrameSlack + 1e-9) << near;
      EXPECT_LE(metres, -depths.most(0.0, last, 1.0 / kParts) + kBetweenSlack + 1e-9) << near;
      ++counts.near;
    }
    for (const Object& object : job.environment.objects()) {
      if (seen.contains(object.name)) continue;
      EXPECT_LE(StickDepths(job, detector, object.name).most(0.0, last, 1.0 / kParts), -kNear);
      ++counts.far;
    }
  }
  EXPECT_GE(counts.episodes, 40);
  EXPECT_GE(counts.deep * 6, counts.episodes) << counts.deep;
  EXPECT_GE(counts.through * 6, counts.episodes) << counts.through;
  EXPECT_GE(counts.between, 4);
  EXPECT_GE(counts.near, 3);
  EXPECT_GE(counts.far, 3);
}

TEST(MeshDepth, TheOracleConfirmsWhatIsNotNear) {
  const test::crates::Crates scene(21);
  const Job job = stick_job(scene);
  const Detector detector = Detector::make(job.environment, job.detector).value();
  Rerun rerun = rerun_check(job, detector, true, {}).value();
  ASSERT_EQ(rerun.grown.size(), 1U);
  GrownRerun& grown = rerun.grown[0];
  const auto confirm = [&] {
    return confirm_moments(job, {grown.check.margin, true, false}, grown.steps,
                           moments_of(grown.steps), {})
        .value();
  };
  const Confirmation all = confirm();
  EXPECT_TRUE(all.refutations.empty()) << all.refutations.front();
  EXPECT_GE(all.contacts, 100U);
  // One contact of the stick is lost, as if the check had not found it.
  const auto is_asked = [](const Contact& one) { return one.link == kStick; };
  const auto step = std::find_if(grown.steps.begin(), grown.steps.end(), [&](const RerunStep& one) {
    return std::any_of(one.contacts.begin(), one.contacts.end(), is_asked);
  });
  ASSERT_NE(step, grown.steps.end());
  step->contacts.erase(std::find_if(step->contacts.begin(), step->contacts.end(), is_asked));
  EXPECT_FALSE(confirm().refutations.empty());
}

TEST(MeshDepth, WhatIsNearestIsAsFarAsAtTheTimesThatAreLookedAt) {
  int told = 0;
  for (std::uint32_t seed = 21; seed <= 30; ++seed) {
    const test::crates::Crates scene(seed);
    Job job = stick_job(scene);
    // Single steps: where nothing touches there is something nearest.
    const std::vector<Step> steps = job.takes[0].steps;
    for (std::size_t f = 0; f < steps.size(); f += 17) {
      job.takes[0].steps = {steps[f]};
      const Detector detector = Detector::make(job.environment, job.detector).value();
      const Rerun rerun = rerun_check(job, detector, true, {}).value();
      for (const io::ReportLine& line : rerun.nearest_lines) {
        const Json nearest = Json::parse(line.text);
        if (nearest["link"] != "stick" || !nearest.contains("metres")) continue;
        double least = HUGE_VAL;
        for (std::uint32_t o = 0; o < job.environment.objects().size(); ++o) {
          for (int i = 0; i <= 8; ++i) {
            least = std::min(
                least,
                -detector.depth(job.takes[0].member.avatar, steps[f], i / 8.0, kStick, o)->depth);
          }
        }
        EXPECT_NEAR(nearest["metres"].get<double>(), least, 1e-9) << nearest;
        EXPECT_GE(least, nearest["clearance"].get<double>() - 1e-9) << nearest;
        ++told;
      }
    }
  }
  EXPECT_GE(told, 10);
}

}  // namespace
}  // namespace tocsin::app::mesh_depth_test
