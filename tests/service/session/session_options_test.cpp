// What a session is opened with, and what is refused.
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "make/make.h"
#include "service/session/session_fixture.h"

namespace tocsin::service::session_options_test {
namespace {

using test::SessionTest;

struct BadOptions {
  const char* what;
  void (*spoil)(TrackOptions& options);
  Refusal refusal;
  const char* message;
};

TEST_F(SessionTest, RefusesOptionsThatMakeNoSense) {
  const std::vector<BadOptions> table{
      {"no skeleton", [](TrackOptions& o) { o.skeleton = {}; }, Refusal::kInvalid, "joint"},
      {"margin", [](TrackOptions& o) { o.spec.margin = -1.0; }, Refusal::kInvalid, "margin"},
      {"tolerance", [](TrackOptions& o) { o.spec.tolerance = 0.0; }, Refusal::kInvalid,
       "tolerance"},
      {"frame time", [](TrackOptions& o) { o.frame_seconds = 0.0; }, Refusal::kInvalid,
       "frame time"},
      {"place", [](TrackOptions& o) { o.avatar.place.yaw_degrees = std::nan(""); },
       Refusal::kInvalid, "placement"},
      {"pattern", [](TrackOptions& o) { o.spec.ignore = {"foot"}; }, Refusal::kInvalid, "ignore: "},
      {"no such joint", [](TrackOptions& o) { o.model->links[0].joint = "tail"; },
       Refusal::kInvalid, "tail"},
      {"no links", [](TrackOptions& o) { o.model->links.clear(); }, Refusal::kInvalid, "avatar: "},
      {"radius", [](TrackOptions& o) { o.model->links[0].radius = 0.0; }, Refusal::kInvalid,
       "radius"},
      {"scale", [](TrackOptions& o) { o.avatar.radii.factor = -2.0; }, Refusal::kInvalid, "scaled"},
      {"too many links", [](TrackOptions& o) { o.model->links.resize(2000, o.model->links[0]); },
       Refusal::kOverloaded, "the limit is 1024"},
      {"a model's path", [](TrackOptions& o) { o.model.reset(), o.avatar.model = "/etc/passwd"; },
       Refusal::kInvalid, "there is no avatar model"},
      {"a model's path", [](TrackOptions& o) { o.model.reset(), o.avatar.model = "../a.json"; },
       Refusal::kInvalid, "shipped: humanoid16, humanoid_hands"},
      {"does not fit", [](TrackOptions& o) { o.model.reset(), o.avatar.model = "humanoid16"; },
       Refusal::kInvalid, "avatar: "},
  };
  for (const BadOptions& bad : table) {
    TrackOptions options = options_;
    bad.spoil(options);
    EXPECT_FALSE(rig_.open(options)) << bad.what;
    EXPECT_EQ(rig_.problem.refusal, bad.refusal) << bad.what;
    EXPECT_NE(rig_.problem.message.find(bad.message), std::string::npos) << rig_.problem.message;
    EXPECT_EQ(rig_.principal->used->sessions, 0U) << bad.what;
  }
}

TEST_F(SessionTest, AvatarsAreChosenAsACheckDoes) {
  MotionRecipe recipe;
  recipe.seconds = 0.1;
  const auto walk = make_motion(recipe);
  ASSERT_TRUE(walk.ok());
  TrackOptions options;
  options.skeleton = walk->skeleton();
  for (const char* const name : {"auto", "humanoid16", "humanoid_hands"}) {
    options.avatar.model = name;
    options.avatar.radii.automatic = true;
    ASSERT_TRUE(rig_.open(options)) << rig_.problem.message;
    const Avatar want =
        options.avatar.model == "auto"
            ? choose_avatar(walk->skeleton(), options.avatar.radii).value()
            : Avatar::bind(*load_avatar_model(name), walk->skeleton(), options.avatar.radii)
                  .value();
    EXPECT_EQ(rig_.opened.avatar, want.name());
    EXPECT_EQ(rig_.opened.radius_factor, want.radius_factor());
    EXPECT_EQ(rig_.opened.links.size(), want.links().size());
  }
  options = test::options_of(take_);
  options.model.reset();
  ASSERT_TRUE(rig_.open(options));
  EXPECT_EQ(rig_.opened.avatar, "auto");
}

TEST_F(SessionTest, PatternsThatMatchNothingAreWarnedAbout) {
  options_.spec.ignore = {"link1:object0", "nose:*"};
  ASSERT_TRUE(open());
  ASSERT_EQ(rig_.opened.warnings.size(), 1U);
  EXPECT_EQ(rig_.opened.warnings[0], "ignore: \"nose:*\" matches no pair of a link and an object");
  options_.spec.ignore = {};
  options_.spec.surfaces = {"object[01]", "tent*", "*"};
  ASSERT_TRUE(open());
  EXPECT_EQ(rig_.opened.warnings, std::vector<std::string>{"surface: \"tent*\" matches no object"});
  options_.spec.surfaces = {};
  options_.spec.ignore = {"*:*"};
  ASSERT_TRUE(open());
  offer(0, 15);
  rig_.scheduler->run_all();
  for (const TrackReport& report : rig_.pull()) EXPECT_TRUE(report.result.contacts.empty());
}

}  // namespace
}  // namespace tocsin::service::session_options_test
