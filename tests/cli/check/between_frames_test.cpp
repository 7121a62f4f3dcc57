// The deepest moment of an episode between its frames: without the command, so that a mutant of the
// search is found.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "app/check/load_job.h"
#include "app/verify/verify_report.h"
#include "cli/check/crates_scene.h"
#include "cli/check/deepest_expectation.h"

namespace tocsin::app::between_frames_test {
namespace {

using test::TemporaryFolder;
using Json = nlohmann::json;

/// The episodes of take.bvh, metres, in room.obj, as lines of a report.
std::vector<Json> episodes_in(const TemporaryFolder& scene, const std::string& avatar) {
  CheckOptions options;
  options.takes[0].motion = scene.full("take.bvh");
  options.takes[0].avatar.model = scene.full(avatar);
  options.takes[0].reading.unit_metres = 1.0;
  options.environments = {scene.full("room.obj")};
  options.backend = Backend::kCpu;
  const Job job = load_job(options).value();
  const Detector detector = Detector::make(job.environment, job.detector).value();
  std::vector<Json> out;
  for (const io::ReportLine& line : rerun_check(job, detector, true, {}).value().episode_lines) {
    out.push_back(Json::parse(line.text));
  }
  return out;
}

TEST(BetweenFrames, NoMomentIsDeeperByMoreThanAMillimetre) {
  test::crates::DepthCounts counts;
  for (std::uint32_t seed = 11; seed <= 14; ++seed) {
    const test::crates::Crates scene(seed);
    for (const Json& episode : episodes_in(scene, "arm.json")) {
      test::crates::DeepestExpectation(scene, episode).expect(counts);
    }
  }
  EXPECT_GE(counts.episodes, 40);
  EXPECT_GE(counts.between_touching * 8, counts.episodes) << counts.between_touching;
}

TEST(BetweenFrames, IsNarrowedToTheDeepest) {
  // A ball of radius 0.125 m flies from x = 1 to 5 in one step, below an edge along z at x = 2.6:
  // 0.0625 m below it. No half, quarter or other such part of the step is where it is nearest.
  const TemporaryFolder scene;
  scene.write("ball.json", R"({"format":"tocsin.avatar.v1","name":"ball","description":"A ball.",
    "links":[{"name":"ball","joint":"Hips","a":[0,0,0],"b":[0,0,0],"radius":0.125}],"aliases":{}})");
  scene.write("take.bvh",
              "HIERARCHY\nROOT Hips\n{\n OFFSET 0 0 0\n CHANNELS 3 Xposition Yposition Zposition\n "
              "End Site\n {\n  OFFSET 0 1 0\n }\n}\nMOTION\nFrames: 2\nFrame Time: 0.5\n1 0 0\n5 0 "
              "0\n");
  scene.write("room.obj", "o edge\nv 2.6 0.0625 -8\nv 2.6 0.0625 8\nv 2.6 4 0\nf 1 2 3\n");
  const auto episodes = episodes_in(scene, "ball.json");
  ASSERT_EQ(episodes.size(), 1U);
  const Json& told = episodes[0]["deepest"];
  EXPECT_EQ(told["between"], true);
  EXPECT_NEAR(told["depth"].get<double>(), 0.0625, 1e-6);
  EXPECT_NEAR(told["seconds"].get<double>(), 0.5 * 1.6 / 4.0, 1e-4);
}

}  // namespace
}  // namespace tocsin::app::between_frames_test
