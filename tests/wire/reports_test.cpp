// Reports and the ends of a session: there and back to the bit, and what no server says.
#include "wire/reports.h"

#include <gtest/gtest.h>

#include <functional>
#include <limits>

#include "support/scenes/odd_numbers.h"
#include "wire/dump.h"
#include "wire/random_values.h"
#include "wire/through_wire.h"

namespace tocsin::test::reports_test {
namespace {

TEST(WireReport, ComesBackToTheBit) {
  RandomValues random(6);
  v1::StepReport message;  // used again: nothing of the report before may stay
  for (int i = 0; i < 2000; ++i) {
    const Skeleton skeleton = random.skeleton(10);
    const wire::PoseCodec codec(skeleton);
    const TrackReport report = random.report(skeleton);
    wire::to_wire(report, codec, message);
    const Result<TrackReport> back = wire::from_wire(sent(message), codec);
    ASSERT_TRUE(back.ok()) << back.error().message;
    EXPECT_EQ(dump(back.value()), dump(report));
  }
}

TEST(WireReport, ReplacesNamesThatAreNoUtf8) {
  const wire::PoseCodec codec{Skeleton()};
  TrackReport report;
  report.result.contacts.resize(1);
  report.names = {{"hand", "T\xFCr"}};
  v1::StepReport message;
  wire::to_wire(report, codec, message);
  EXPECT_EQ(sent(message).contacts(0).object_name(), "T\xEF\xBF\xBDr");
}

TEST(WireReport, AnEndlessClearanceIsOne) {
  const wire::PoseCodec codec{Skeleton()};
  TrackReport report;
  report.result.frames = {0, 1};
  report.result.clearances = {std::numeric_limits<double>::infinity(), 0.0};
  v1::StepReport message;
  wire::to_wire(report, codec, message);
  const Result<TrackReport> back = wire::from_wire(sent(message), codec);
  ASSERT_TRUE(back.ok()) << back.error().message;
  EXPECT_EQ(back->result.clearances, report.result.clearances);
}

TEST(WireReport, RefusesWhatNoServerSays) {
  struct Case {
    const char* what;
    const char* phrase;
    std::function<void(v1::StepReport&)> spoil;
  };
  const std::vector<Case> cases{
      {"a step", "report of step 9007199254740992: there is no such step",
       [](auto& r) { r.set_step(std::uint64_t{1} << 53U); }},
      {"no from", "report of step 5: `from` or `to` is missing", [](auto& r) { r.clear_from(); }},
      {"no to", "`from` or `to` is missing", [](auto& r) { r.clear_to(); }},
      {"an id", "the id of `to` is 9007199254740992",
       [](auto& r) { r.mutable_to()->set_id(std::uint64_t{1} << 53U); }},
      {"a time", "the capture time of `from` is not finite",
       [](auto& r) { r.mutable_from()->set_capture_time(kNan); }},
      {"a range", "skipped frames 3 to 2",
       [](auto& r) {
         r.add_skipped()->set_first(3);
         r.mutable_skipped(0)->set_last(2);
       }},
      {"a range of bad frames", "bad frames 9 to 8",
       [](auto& r) {
         r.add_bad()->set_first(9);
         r.mutable_bad(0)->set_last(8);
       }},
      {"safe_until", "safe_until is nan", [](auto& r) { r.set_safe_until(kNan); }},
      {"safe_until beyond", "safe_until is 1.5", [](auto& r) { r.set_safe_until(1.5); }},
      {"its time", "safe_until is 1, at nan", [](auto& r) { r.set_safe_until_time(kNan); }},
      {"checked_until", "checked_until is nan", [](auto& r) { r.set_checked_until(kNan); }},
      {"checked_until beyond", "checked_until is 1.5", [](auto& r) { r.set_checked_until(1.5); }},
      {"a link", "contact 0: there is no link 2147483648",
       [](auto& r) { r.mutable_contacts(0)->set_link(1U << 31U); }},
      {"a status", "contact 0: its status is 3, which",
       [](auto& r) { r.mutable_contacts(0)->set_status(static_cast<v1::ContactStatus>(3)); }},
      {"a bracket", "contact 0: its time is [0.5, 0.25]",
       [](auto& r) { r.mutable_contacts(0)->set_toc_low(0.5); }},
      {"a bracket's end", "contact 0: its time is [0, 2]",
       [](auto& r) { r.mutable_contacts(0)->set_toc_high(2); }},
      {"a bracket that is none", "contact 0: its time is [nan",
       [](auto& r) { r.mutable_contacts(0)->set_toc_low(kNan); }},
      {"a touch before its bracket", "but its touch begins at 0",
       [](auto& r) { r.mutable_contacts(0)->set_touching_low(0); }},
      {"a touch after its bracket", "but its touch begins at 0.5",
       [](auto& r) { r.mutable_contacts(0)->set_touching_low(0.5); }},
      {"a point", "its point or normal is not finite",
       [](auto& r) { r.mutable_contacts(0)->mutable_point()->set_x(kNan); }},
      {"a normal", "its point or normal is not finite",
       [](auto& r) { r.mutable_contacts(0)->mutable_normal()->set_x(kNan); }},
      {"a stop pose", "stop_pose: 1 numbers for rotations",
       [](auto& r) { r.mutable_stop_pose()->add_rotations(1); }},
      {"a member", "contact 0: there is no link 0 of a member 2147483648",
       [](auto& r) { r.mutable_contacts(0)->mutable_other()->set_member(1U << 31U); }},
      {"another's link", "contact 0: there is no link 2147483648 of a member 0",
       [](auto& r) { r.mutable_contacts(0)->mutable_other()->set_link(1U << 31U); }},
      {"ticks", "its ticks are 3 to 3",
       [](auto& r) {
         r.mutable_tick()->set_from(3);
         r.mutable_tick()->set_to(3);
       }},
      {"a late tick", "its ticks are 0 to 9007199254740992",
       [](auto& r) { r.mutable_tick()->set_to(std::uint64_t{1} << 53U); }},
      {"a distance", "distance 0: it is not finite",
       [](auto& r) { r.add_distances()->set_metres(kNan); }},
      {"a distance of no link", "distance 0: there is no link 2147483648",
       [](auto& r) { r.add_distances()->set_link(1U << 31U); }},
      {"a distance's point", "distance 0: one of its points is not finite",
       [](auto& r) { r.add_distances()->mutable_own_point()->set_x(kNan); }},
      {"a prediction's end", "ahead: it is checked for 1.5 s",
       [](auto& r) { r.mutable_ahead()->set_seconds(1.5); }},
      {"a prediction's end that is none", "ahead: it is checked for nan s",
       [](auto& r) { r.mutable_ahead()->set_seconds(kNan); }},
      {"a time to go", "ahead: contact 0: in -1 s",
       [](auto& r) { r.mutable_ahead()->add_contacts()->set_time_to_go(-1); }},
      {"a predicted contact", "ahead: contact 0: there is no link 2147483648",
       [](auto& r) { r.mutable_ahead()->add_contacts()->mutable_contact()->set_link(1U << 31U); }},
      {"a clearance", "a clearance is -1", [](auto& r) { r.add_clearances(-1); }},
      {"a clearance that is none", "a clearance is nan", [](auto& r) { r.add_clearances(kNan); }},
  };
  const wire::PoseCodec codec(*Skeleton::create({{"root", -1, {}}}));
  TrackReport sound;
  sound.result.step = 5;
  sound.result.safe_until = 1.0;
  sound.result.contacts.resize(1);
  sound.result.contacts[0].toc = {0.0, 0.25};
  sound.names.resize(1);
  for (const Case& c : cases) {
    v1::StepReport message;
    wire::to_wire(sound, codec, message);
    ASSERT_TRUE(wire::from_wire(message, codec).ok());
    c.spoil(message);
    expect_refused(wire::from_wire(message, codec), c.phrase, c.what);
  }
}

TEST(WireEnds, ComeBackToTheBit) {
  RandomValues random(7);
  v1::Opened opened_message;
  v1::Ended ended_message;
  for (int i = 0; i < 500; ++i) {
    const TrackOpened opened = random.opened();
    wire::to_wire(opened, opened_message);
    EXPECT_EQ(dump(wire::from_wire(sent(opened_message))), dump(opened));
    const TrackEnded ended = random.ended();
    wire::to_wire(ended, ended_message);
    EXPECT_EQ(dump(wire::from_wire(sent(ended_message))), dump(ended));
  }
}

}  // namespace
}  // namespace tocsin::test::reports_test
