// Skeletons, avatar models and rooms: there and back to the bit, and what is refused.
#include "wire/skeletons.h"

#include <gtest/gtest.h>

#include <functional>
#include <limits>

#include "support/scenes/odd_numbers.h"
#include "tocsin/io.h"
#include "wire/dump.h"
#include "wire/random_values.h"
#include "wire/through_wire.h"
#include "wire/values.h"

namespace tocsin::test::skeletons_test {
namespace {

constexpr const char* kNoUtf8 = "H\xFCgel";  // Latin-1

TEST(WireSkeleton, ComesBackToTheBit) {
  RandomValues random(1);
  for (int i = 0; i < 500; ++i) {
    const Skeleton skeleton = random.skeleton(40);
    v1::Skeleton message;
    wire::to_wire(skeleton, message);
    const Result<Skeleton> back = wire::from_wire(sent(message));
    ASSERT_TRUE(back.ok()) << back.error().message;
    EXPECT_EQ(dump(back.value()), dump(skeleton));
  }
}

TEST(WireSkeleton, LeavesOutWhatIsAtRest) {
  v1::Skeleton message;
  message.add_joints()->set_name("root");
  message.mutable_joints(0)->set_parent(-1);
  const Result<Skeleton> skeleton = wire::from_wire(sent(message));
  ASSERT_TRUE(skeleton.ok()) << skeleton.error().message;
  EXPECT_EQ(skeleton->joints()[0].rest, Transform{});
}

TEST(WireSkeleton, ReplacesWhatIsNoUtf8) {
  const Skeleton skeleton = *Skeleton::create({{kNoUtf8, -1, {}}});
  v1::Skeleton message;
  wire::to_wire(skeleton, message);
  EXPECT_EQ(sent(message).joints(0).name(), "H\xEF\xBF\xBDgel");
}

TEST(WireSkeleton, RefusesWhatIsNone) {
  struct Case {
    const char* what;
    const char* phrase;
    std::function<void(v1::Skeleton&)> spoil;
  };
  const std::vector<Case> cases{
      {"no joints", "skeleton: a skeleton needs at least one joint",
       [](auto& s) { s.clear_joints(); }},
      {"a long name", "joint 1: its name has 257 bytes, may have 256",
       [](auto& s) { s.mutable_joints(1)->set_name(std::string(257, 'n')); }},
      {"no UTF-8", "joint 1: its name is no UTF-8",
       [](auto& s) { s.mutable_joints(1)->set_name(kNoUtf8); }},
      {"a name that a terminal would run",
       R"(joint 1: its name has a control character: "\x1b[2J")",
       [](auto& s) { s.mutable_joints(1)->set_name("\x1b[2J"); }},
      {"its own parent", "does not come before it",
       [](auto& s) { s.mutable_joints(1)->set_parent(1); }},
      {"a parent below -1", "does not come before it",
       [](auto& s) { s.mutable_joints(1)->set_parent(std::numeric_limits<int>::min()); }},
      {"no rotation", "length 0, not 1",
       [](auto& s) { s.mutable_joints(1)->mutable_rest_rotation()->Clear(); }},
      {"a scaled rotation", "length 2, not 1",
       [](auto& s) { s.mutable_joints(1)->mutable_rest_rotation()->set_w(2); }},
      {"a rotation that is none", "not finite",
       [](auto& s) { s.mutable_joints(1)->mutable_rest_rotation()->set_x(kNan); }},
      {"an endless offset", "not finite",
       [](auto& s) { s.mutable_joints(1)->mutable_rest_translation()->set_y(-kInfinity); }},
  };
  const Skeleton sound = *Skeleton::create({{"root", -1, {}}, {"child", 0, {}}});
  for (const Case& c : cases) {
    v1::Skeleton message;
    wire::to_wire(sound, message);
    ASSERT_TRUE(wire::from_wire(message).ok());
    c.spoil(message);
    expect_refused(wire::from_wire(message), c.phrase, c.what);
  }
}

TEST(WireModel, ComesBackToTheBit) {
  RandomValues random(2);
  for (int i = 0; i < 500; ++i) {
    const AvatarModel model = random.model();
    v1::AvatarModel message;
    wire::to_wire(model, message);
    const Result<AvatarModel> back = wire::from_wire(sent(message));
    ASSERT_TRUE(back.ok()) << back.error().message;
    EXPECT_EQ(dump(back.value()), dump(model));
  }
}

TEST(WireModel, ShippedModelsComeBack) {
  const std::vector<std::string> names = shipped_avatar_models();
  ASSERT_FALSE(names.empty());
  for (const std::string& name : names) {
    const Result<AvatarModel> model = load_avatar_model(name);
    v1::AvatarModel message;
    wire::to_wire(*model, message);
    const Result<AvatarModel> back = wire::from_wire(sent(message));
    ASSERT_TRUE(back.ok()) << name << ": " << back.error().message;
    EXPECT_EQ(dump(back.value()), dump(model.value()));
  }
}

TEST(WireModel, RefusesWhatIsNone) {
  struct Case {
    const char* what;
    const char* phrase;
    std::function<void(v1::AvatarModel&)> spoil;
  };
  const std::string longest(257, 'n');
  const std::vector<Case> cases{
      {"a long name", "avatar model: its name has 257 bytes",
       [&](auto& m) { m.set_name(longest); }},
      {"a name that steers a terminal", "its name has a control character",
       [](auto& m) { m.set_name("a\x1B[2J"); }},
      {"a long description", "its description has 65537 bytes, may have 65536",
       [](auto& m) { m.set_description(std::string(65'537, 'd')); }},
      {"a link's long name", "link 1: its name has 257",
       [&](auto& m) { m.mutable_links(1)->set_name(longest); }},
      {"a link's name with two lines", "link 1: its name has more than one line",
       [](auto& m) { m.mutable_links(1)->set_name("a\nb"); }},
      {"a link's joint", "link 1 (\"forearm\"): its joint is no UTF-8",
       [](auto& m) { m.mutable_links(1)->set_joint(kNoUtf8); }},
      {"a radius", "link 1 (\"forearm\"): its radius is not finite",
       [](auto& m) { m.mutable_links(1)->set_radius(kNan); }},
      {"a length", "its length is not finite",
       [](auto& m) { m.mutable_links(1)->set_length(kInfinity); }},
      {"a length below 0", "its length is negative: -1",
       [](auto& m) { m.mutable_links(1)->set_length(-1); }},
      {"an end", "its end a is not finite",
       [](auto& m) { m.mutable_links(1)->mutable_a()->mutable_offset()->set_z(kNan); }},
      {"an end's joint", "the joint of its end b has 257",
       [&](auto& m) { m.mutable_links(1)->mutable_b()->set_joint(longest); }},
      {"beyond", "`beyond` of its end b has 257",
       [&](auto& m) { m.mutable_links(1)->mutable_b()->set_beyond(longest); }},
      {"beyond nothing", "`beyond` without a joint",
       [](auto& m) { m.mutable_links(1)->mutable_b()->set_beyond("Hand"); }},
      {"times", "`times` of its end b is nan; must be 0 to 10",
       [](auto& m) { m.mutable_links(1)->mutable_b()->set_times(kNan); }},
      {"an alias", "aliases: a joint's name is no UTF-8",
       [](auto& m) { m.add_aliases()->add_names(kNoUtf8); }},
      {"many aliases", "more than 16384 names",
       [](auto& m) {
         auto& names = *m.add_aliases();
         for (int i = 0; i < 16'384; ++i) names.add_names();
       }},
      {"many tables", "more than 16384 names",
       [](auto& m) {
         for (int i = 0; i < 16'385; ++i) m.add_aliases();
       }},
      {"a scheme", "scheme 0: its name has 257",
       [&](auto& m) { m.add_schemes()->set_name(longest); }},
      {"a scheme's two ways", "scheme 0: has both",
       [](auto& m) {
         m.add_schemes()->set_prefix("p");
         m.mutable_schemes(0)->add_joints();
       }},
      {"many schemes", "65 schemes",
       [](auto& m) {
         for (int i = 0; i < 65; ++i) m.add_schemes();
       }},
      {"many links", "1000000 links; a model has at most 16384",
       [](auto& m) {
         for (int i = m.links_size(); i < 1'000'000; ++i) m.add_links();
       }},
  };
  AvatarModel sound;
  sound.links = {{"arm", "Arm", {}, {}, 0.05}, {"forearm", "ForeArm", {}, {}, 0.04}};
  for (const Case& c : cases) {
    v1::AvatarModel message;
    wire::to_wire(sound, message);
    ASSERT_TRUE(wire::from_wire(message).ok());
    c.spoil(message);
    expect_refused(wire::from_wire(message), c.phrase, c.what);
  }
}

TEST(WireRoom, ComesBackToTheBit) {
  RandomValues random(3);
  for (int i = 0; i < 500; ++i) {
    const EnvironmentInfo room = random.room();
    v1::Environment message;
    wire::to_wire(room, message);
    EXPECT_EQ(dump(wire::from_wire(sent(message))), dump(room));
  }
}

TEST(WireRoom, KnowsThreeAxes) {
  for (const UpAxis up : {UpAxis::kX, UpAxis::kY, UpAxis::kZ}) {
    UpAxis back = up == UpAxis::kY ? UpAxis::kZ : UpAxis::kY;
    EXPECT_TRUE(wire::from_wire(wire::to_wire(up), back).ok());
    EXPECT_EQ(back, up);
  }
  UpAxis left = UpAxis::kX;
  expect_refused(wire::from_wire(static_cast<v1::UpAxis>(3), left), "up: 3 is none of", "a fourth");
  EXPECT_EQ(left, UpAxis::kX);
}

}  // namespace
}  // namespace tocsin::test::skeletons_test
