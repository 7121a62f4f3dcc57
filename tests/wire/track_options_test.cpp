// What opens a session: there and back to the bit, its defaults, and what is refused.
#include <gtest/gtest.h>

#include <functional>
#include <limits>

#include "support/scenes/odd_numbers.h"
#include "wire/dump.h"
#include "wire/random_values.h"
#include "wire/through_wire.h"
#include "wire/values.h"

namespace tocsin::test::track_options_test {
namespace {

TEST(WireOptions, ComeBackToTheBit) {
  RandomValues random(4);
  for (int i = 0; i < 1000; ++i) {
    const TrackOptions options = random.options();
    v1::Open message;
    wire::to_wire(options, message);
    const Result<TrackOptions> back = wire::from_wire(sent(message));
    ASSERT_TRUE(back.ok()) << back.error().message;
    EXPECT_EQ(dump(back.value()), dump(options));
  }
}

TEST(WireOptions, WhatIsLeftOutIsTheDefault) {
  v1::Open message;
  message.mutable_skeleton()->add_joints()->set_parent(-1);
  const Result<TrackOptions> options = wire::from_wire(sent(message));
  ASSERT_TRUE(options.ok()) << options.error().message;
  TrackOptions wanted;
  wanted.skeleton = *Skeleton::create({Joint{}});
  EXPECT_EQ(dump(options.value()), dump(wanted));
}

TEST(WireOptions, ToldOtherwiseIsNotTheDefault) {
  v1::Open message;
  message.mutable_skeleton()->add_joints()->set_parent(-1);
  message.set_coalesce(false);
  message.set_radius_auto(false);
  const Result<TrackOptions> options = wire::from_wire(sent(message));
  ASSERT_TRUE(options.ok()) << options.error().message;
  EXPECT_FALSE(options->coalesce);
  EXPECT_FALSE(options->avatar.radii.automatic);
  EXPECT_EQ(options->avatar.radii.factor, 1.0);
}

TEST(WireOptions, RefusesWhatMakesNoSense) {
  struct Case {
    const char* what;
    const char* phrase;
    std::function<void(v1::Open&)> spoil;
  };
  const std::vector<Case> cases{
      {"no skeleton", "skeleton: a skeleton needs", [](auto& o) { o.clear_skeleton(); }},
      {"10^6 joints", "skeleton: 1000000 joints; a skeleton has at most 16384",
       [](auto& o) {
         for (int i = 1; i < 1'000'000; ++i) o.mutable_skeleton()->add_joints();
       }},
      {"10^6 links", "inline_model: avatar model: 1000000 links",
       [](auto& o) {
         for (int i = 0; i < 1'000'000; ++i) o.mutable_inline_model()->add_links();
       }},
      {"a model's radius", "inline_model: avatar model: link 0 (\"\"): its radius is not finite",
       [](auto& o) { o.mutable_inline_model()->add_links()->set_radius(kNan); }},
      {"an environment's name", "environment has 257 bytes, may have 256",
       [](auto& o) { o.set_environment(std::string(257, 'e')); }},
      {"a name that steers a terminal", "environment has a control character",
       [](auto& o) { o.set_environment("\x1B[2J"); }},
      {"a model's name", "model is no UTF-8", [](auto& o) { o.set_model("\xFF"); }},
      {"a label", "label has 129 characters, may have 128",
       [](auto& o) { o.set_label(std::string(129, 'l')); }},
      {"a label of two lines", "label has more than one line",
       [](auto& o) { o.set_label("fine\nforged: line"); }},
      {"a long label", "label has 100000 bytes",
       [](auto& o) { o.set_label(std::string(100'000, 'l')); }},
      {"many patterns", "ignore: 257 patterns; a session has at most 256",
       [](auto& o) {
         for (int i = 0; i < 257; ++i) o.add_ignore("*:*");
       }},
      {"a long pattern", "ignore: pattern 1 has 10000 bytes, may have 576",
       [](auto& o) {
         o.add_ignore("*:*");
         o.add_ignore(std::string(10'000, '*'));
       }},
      {"a pattern", "ignore: pattern 0 is no UTF-8", [](auto& o) { o.add_ignore("\xC0\xAF"); }},
      {"in_between", "in_between: 2 is none of",
       [](auto& o) { o.set_in_between(static_cast<v1::InBetween>(2)); }},
      {"contacts", "contacts: -1 is none of",
       [](auto& o) { o.set_contacts(static_cast<v1::Contacts>(-1)); }},
      {"a radius factor of 0", "radius_factor is 0; must be above 0 and at most 1000",
       [](auto& o) { o.set_radius_factor(0); }},
      {"a radius factor", "radius_factor is nan", [](auto& o) { o.set_radius_factor(kNan); }},
      {"an endless factor", "radius_factor is inf",
       [](auto& o) { o.set_radius_factor(kInfinity); }},
      {"a factor of giants", "radius_factor is 1001; must be above 0 and at most 1000",
       [](auto& o) { o.set_radius_factor(1001); }},
      {"a place", "place is nan", [](auto& o) { o.mutable_place()->set_z(kNan); }},
      {"a place out of reach", "place is -1000001; must be from -1000000 to 1000000 m",
       [](auto& o) { o.mutable_place()->set_y(-1e6 - 1); }},
      {"a turn", "place_yaw_degrees is inf", [](auto& o) { o.set_place_yaw_degrees(kInfinity); }},
      {"too many turns", "place_yaw_degrees is 1e+300; must be from -36000 to 36000",
       [](auto& o) { o.set_place_yaw_degrees(1e300); }},
      {"a wide bracket", "tolerance is 2; must be above 0 and at most 1",
       [](auto& o) { o.set_tolerance(2); }},
      {"slow frames", "frame_seconds is 2000000; must be above 0 and at most 1000000, or left out",
       [](auto& o) { o.set_frame_seconds(2e6); }},
      {"a pattern that a terminal would run",
       R"(ignore: pattern 0 has a control character: "*\x1b[2J:*")",
       [](auto& o) { o.add_ignore("*\x1b[2J:*"); }},
      {"a margin", "margin is -1; must be from 0 to 10 m", [](auto& o) { o.set_margin(-1); }},
      {"a margin that is none", "margin is nan", [](auto& o) { o.set_margin(kNan); }},
      {"a margin that reaches everything", "margin is 10.5; must be from 0 to 10 m",
       [](auto& o) { o.set_margin(10.5); }},
      {"an endless margin", "margin is inf", [](auto& o) { o.set_margin(kInfinity); }},
      {"far distances", "nearest is 2.5; must be from 0 to 2 m",
       [](auto& o) { o.set_nearest(2.5); }},
      {"a distance that is none", "nearest is nan", [](auto& o) { o.set_nearest(kNan); }},
      {"a far lookahead", "lookahead is 1.5; must be from 0 to 1 s",
       [](auto& o) { o.set_lookahead(1.5); }},
      {"a lookahead that is none", "lookahead is nan", [](auto& o) { o.set_lookahead(kNan); }},
      {"many distances", "most_distances is 1025; must be from 1 to 1024",
       [](auto& o) { o.set_most_distances(1025); }},
      {"a tolerance of 0", "tolerance is 0; must be above 0 and at most 1",
       [](auto& o) { o.set_tolerance(0); }},
      {"an endless tolerance", "tolerance is inf", [](auto& o) { o.set_tolerance(kInfinity); }},
      {"frames that run backwards", "frame_seconds is -1",
       [](auto& o) { o.set_frame_seconds(-1); }},
      {"frames at no time", "frame_seconds is nan", [](auto& o) { o.set_frame_seconds(kNan); }},
  };
  for (const Case& c : cases) {
    v1::Open message;
    message.mutable_skeleton()->add_joints()->set_parent(-1);
    ASSERT_TRUE(wire::from_wire(message).ok());
    c.spoil(message);
    expect_refused(wire::from_wire(message), c.phrase, c.what);
  }
}

TEST(WireOptions, LabelsCountCharactersNotBytes) {
  v1::Open message;
  message.mutable_skeleton()->add_joints()->set_parent(-1);
  std::string label;
  for (int i = 0; i < 128; ++i) label += "\xE6\x89\x8B";
  message.set_label(label);
  const Result<TrackOptions> options = wire::from_wire(sent(message));
  ASSERT_TRUE(options.ok()) << options.error().message;
  EXPECT_EQ(options->label, label);
}

}  // namespace
}  // namespace tocsin::test::track_options_test
