// The demo's story: no frame of the take touches anything, and between frames 105 and 106 the right
// forearm goes through the music stand. brute_force.py says the same by sampling, with code of its
// own.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "demo/command.h"
#include "support/places.h"
#include "tocsin/tocsin.h"

namespace tocsin::test::story_test {
namespace {

// What motions/make_walk_and_reach.py and environments/make_music_room.py were designed to do.
constexpr std::int64_t kStep = 105;
constexpr const char* kLink = "right_forearm";
constexpr const char* kObject = "MusicStand";

class DemoStory : public ::testing::Test {
 protected:
  /// All contacts of `count` steps, each expected in step `expected`.
  [[nodiscard]] std::vector<Contact> contacts(const StepRange& range, std::size_t count,
                                              std::int64_t expected) const {
    const Detector detector = Detector::make(room_).value();
    const auto steps = motion_.steps(range).value();
    EXPECT_EQ(steps.size(), count);
    std::vector<Contact> out;
    for (const Step& step : steps) {
      const StepReport report = detector.check(avatar_, step);
      EXPECT_FALSE(report.error.has_value());
      for (const Contact& contact : report.contacts) {
        EXPECT_EQ(report.step, expected);
        out.push_back(contact);
      }
    }
    return out;
  }

  const Motion motion_ = load_motion(source_dir() + "/motions/walk_and_reach.bvh").value();
  const Environment room_ = load_environment(source_dir() + "/environments/music_room.obj").value();
  const Avatar avatar_ = Avatar::bind(*load_avatar_model("humanoid16"), motion_.skeleton()).value();
};

TEST_F(DemoStory, InputsAreWhatTheDocsSay) {
  EXPECT_EQ(motion_.frame_count(), 130);
  EXPECT_NEAR(motion_.frame_time(), 1.0 / 30.0, 1e-7);
  EXPECT_EQ(motion_.source().unit_metres, 0.01);
  EXPECT_TRUE(motion_.source().warnings.empty());
  EXPECT_TRUE(room_.warnings().empty());
  EXPECT_EQ(room_.objects().size(), 9U);
  EXPECT_GT(room_.triangles().size(), 500U);
  EXPECT_LT(room_.triangles().size(), 5000U);
}

TEST_F(DemoStory, NoFrameTouchesAnything) {
  EXPECT_TRUE(contacts({.still = true}, 130, -1).empty());
}

TEST_F(DemoStory, TheMotionInBetweenTouchesTheStandOnly) {
  for (const InBetween kind : {InBetween::kScrew, InBetween::kTranslateRotate}) {
    const auto found = contacts({.in_between = kind}, 129, kStep);
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(found[0].status, ContactStatus::kHit);
    EXPECT_EQ(avatar_.links()[static_cast<std::size_t>(found[0].link)].name, kLink);
    EXPECT_EQ(room_.objects()[found[0].room()->object].name, kObject);
    EXPECT_LE(found[0].toc[1] - found[0].toc[0], 1e-9);
  }
}

// brute_force.py reads the same files with its own parser, kinematics and distance, samples the
// step at 2001 instants and says between which two the first touch lies.
TEST_F(DemoStory, SamplingFindsTheSameFirstTouch) {
  if (!have_python()) GTEST_SKIP() << "python3 is not here; the story was not checked by sampling";
  const auto run = run_command("python3 '" + source_dir() + "/tests/demo/brute_force.py'");
  ASSERT_EQ(run.status, 0) << run.out;
  const auto sampled = nlohmann::json::parse(run.out);
  EXPECT_EQ(sampled["step"], kStep);
  EXPECT_EQ(sampled["link"], kLink);
  EXPECT_EQ(sampled["object"], kObject);

  const auto found = contacts({}, 129, kStep);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_LE(sampled["toc"][0].get<double>(), found[0].toc[1]);
  EXPECT_GE(sampled["toc"][1].get<double>(), found[0].toc[0]);
}

}  // namespace
}  // namespace tocsin::test::story_test
