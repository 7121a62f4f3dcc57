// Sessions that see each other: at the server's ticks, each from its own side.
#include "service/meeting/meeting.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "service/meeting/meeting_rig.h"
#include "service/session/session_setup.h"

namespace tocsin::service::meeting_test {
namespace {

using test::far_room;
using test::MeetingRig;
using test::pillar_at;
using test::pillar_options;
using test::room_of;
using test::Visitor;

class MeetingTest : public testing::Test {
 protected:
  Visitor& open(const std::string& label = "") {
    TrackOptions options = pillar_options();
    options.label = label;
    Visitor* const out = rig_.open(options);
    EXPECT_NE(out, nullptr) << rig_.problem.message;
    return *out;
  }

  MeetingRig rig_{room_of(far_room())};
};

// Two pillars of radius 0.2 m walk towards each other along x, 0.1 m apart in z: their axes are 0.4
// m apart where x is sqrt(0.4^2 - 0.1^2) apart.
TEST_F(MeetingTest, TwoThatWalkThroughEachOtherAreBothTold) {
  Visitor& ann = open("Ann");
  Visitor& bob = open("Bob");
  for (std::uint64_t k = 0; k <= 8; ++k) {
    const double x = -1.0 + 0.25 * static_cast<double>(k);
    ASSERT_FALSE(ann.offer(pillar_at(k, x, 0.1)));
    ASSERT_FALSE(bob.offer(pillar_at(k, -x, 0.0)));
    EXPECT_EQ(rig_.tick(), k == 0 ? 0U : 2U);
  }
  const std::vector<TrackReport> of_ann = ann.pull();
  const std::vector<TrackReport> of_bob = bob.pull();
  ASSERT_EQ(of_ann.size(), 8U);
  ASSERT_EQ(of_bob.size(), 8U);
  for (std::size_t k = 0; k < 8; ++k) {
    for (const auto* reports : {&of_ann, &of_bob}) {
      const TrackReport& report = (*reports)[k];
      EXPECT_EQ(report.from.id, k);
      EXPECT_EQ(report.to.id, k + 1);
      EXPECT_EQ(report.tick, (MeetingTick{101 + k, 102 + k, 2}));
      EXPECT_EQ(report.result.contacts.size(), k >= 3 && k <= 4 ? 1U : 0U) << k;
      if (k < 3) {
        EXPECT_EQ(report.result.safe_until, 1.0);
      }
    }
  }
  // Step 3 goes from 0.5 m apart in x to 0.
  const double apart = std::sqrt(0.4 * 0.4 - 0.1 * 0.1);
  const double toc = (0.5 - apart) / 0.5;
  const Contact& a = of_ann[3].result.contacts.at(0);
  const Contact& b = of_bob[3].result.contacts.at(0);
  EXPECT_EQ(a.status, ContactStatus::kHit);
  EXPECT_LE(a.toc[0], toc + 1e-9);
  EXPECT_GE(a.toc[1], toc - 1e-9);
  EXPECT_EQ(a.toc, b.toc);
  EXPECT_EQ(a.status, b.status);
  EXPECT_EQ(of_ann[3].result.safe_until, a.toc[0]);
  EXPECT_EQ(of_bob[3].result.safe_until, a.toc[0]);
  EXPECT_EQ(a.touched, Touched(OtherLink{static_cast<std::int32_t>(bob.number()), 0}));
  EXPECT_EQ(b.touched, Touched(OtherLink{static_cast<std::int32_t>(ann.number()), 0}));
  // From the other's axis to one's own: Ann comes from -x, and stands at a greater z.
  ASSERT_TRUE(a.normal);
  ASSERT_TRUE(b.normal);
  EXPECT_NEAR(a.normal->x, -apart / 0.4, 1e-6);
  EXPECT_NEAR(a.normal->z, 0.1 / 0.4, 1e-6);
  EXPECT_EQ(b.normal->x, -a.normal->x);
  EXPECT_EQ(b.normal->z, -a.normal->z);
  // Just touching: one point on both surfaces, halfway.
  EXPECT_NEAR(a.point.x, 0.0, 1e-6);
  EXPECT_NEAR(a.point.z, 0.05, 1e-6);
  EXPECT_NEAR(b.point.x, a.point.x, 1e-6);
  EXPECT_NEAR(b.point.z, a.point.z, 1e-6);
  ASSERT_EQ(of_ann[3].names.size(), 1U);
  EXPECT_EQ(of_ann[3].names[0].link, "pillar");
  EXPECT_EQ(of_ann[3].names[0].object, "");
  EXPECT_EQ(of_ann[3].names[0].other_link, "pillar");
  EXPECT_EQ(of_ann[3].names[0].other_label, "Bob");
  EXPECT_EQ(of_bob[3].names[0].other_label, "Ann");

  // Step 4 begins inside: axes 0.1 m apart in z. Each is told the point on the other's surface.
  const Contact& in_a = of_ann[4].result.contacts.at(0);
  const Contact& in_b = of_bob[4].result.contacts.at(0);
  EXPECT_EQ(in_a.status, ContactStatus::kOverlap);
  EXPECT_EQ(in_a.toc, (std::array<double, 2>{0.0, 0.0}));
  EXPECT_NEAR(in_a.normal.value().z, 1.0, 1e-12);
  EXPECT_NEAR(in_b.normal.value().z, -1.0, 1e-12);
  EXPECT_NEAR(in_a.point.z, 0.2, 1e-12);        // Bob's axis at 0, and his radius
  EXPECT_NEAR(in_b.point.z, 0.1 - 0.2, 1e-12);  // Ann's at 0.1
  EXPECT_EQ(of_bob[4].result.safe_until, 0.0);
}

TEST_F(MeetingTest, WhoSendsNothingStandsStill) {
  Visitor& ann = open();
  Visitor& bob = open();
  ASSERT_FALSE(ann.offer(pillar_at(0, 0.0, 0.0)));
  ASSERT_FALSE(bob.offer(pillar_at(7, 1.0, 0.0)));
  rig_.tick();
  ASSERT_FALSE(bob.offer(pillar_at(8, 0.8, 0.0)));
  ASSERT_FALSE(bob.offer(pillar_at(9, 0.5, 0.0)));
  ASSERT_FALSE(bob.offer(pillar_at(10, 0.2, 0.0)));
  EXPECT_EQ(rig_.tick(), 2U);
  const auto of_ann = ann.pull();
  const auto of_bob = bob.pull();
  ASSERT_EQ(of_ann.size(), 1U);
  ASSERT_EQ(of_bob.size(), 1U);
  EXPECT_EQ(of_ann[0].from, of_ann[0].to);
  EXPECT_TRUE(of_ann[0].skipped.empty());
  EXPECT_EQ(of_bob[0].from.id, 7U);
  EXPECT_EQ(of_bob[0].to.id, 10U);
  EXPECT_EQ(of_bob[0].skipped, (std::vector<IdRange>{{8, 9}}));
  ASSERT_EQ(of_ann[0].result.contacts.size(), 1U);
  // From 1 m to 0.2 m apart; they touch at 0.4 m.
  EXPECT_NEAR(of_ann[0].result.contacts[0].toc[1], 0.75, 1e-8);
  EXPECT_EQ(bob.session->counts().frames.skipped, 2U);
}

TEST_F(MeetingTest, WhoDoesNotAskSeesNobodyAndIsNotSeen) {
  Visitor& ann = open();
  open();
  TrackOptions alone = pillar_options();
  alone.meet = false;
  Visitor& eve = *rig_.open(alone);
  EXPECT_FALSE(eve.opened.meeting);
  EXPECT_EQ(ann.opened.meeting.value().rate, 100.0);
  for (const Visitor& visitor : rig_.visitors) {
    ASSERT_FALSE(visitor.offer(pillar_at(0, 0.0, 0.0)));
    ASSERT_FALSE(visitor.offer(pillar_at(1, 0.0, 0.0)));
  }
  rig_.scheduler->run_all();
  const auto of_eve = eve.pull();  // needs no tick
  ASSERT_EQ(of_eve.size(), 1U);
  EXPECT_TRUE(of_eve[0].result.contacts.empty());
  EXPECT_FALSE(of_eve[0].tick);
  rig_.tick();
  EXPECT_EQ(rig_.tick(), 2U);
  const auto of_ann = ann.pull();
  ASSERT_EQ(of_ann.size(), 1U);
  ASSERT_EQ(of_ann[0].result.contacts.size(), 1U);
  EXPECT_EQ(of_ann[0].result.contacts[0].other()->avatar, 2);
}

TEST_F(MeetingTest, WhoLeavesIsNotMetAnyMore) {
  Visitor& ann = open();
  Visitor& bob = open();
  for (const Visitor& visitor : rig_.visitors) {
    ASSERT_FALSE(visitor.offer(pillar_at(0, 0.0, 0.0)));
  }
  rig_.tick();
  EXPECT_EQ(rig_.tick(), 2U);
  bob.session->finish(bob.outlet.get());
  EXPECT_EQ(rig_.tick(), 1U);
  EXPECT_EQ(bob.pull().size(), 1U);
  EXPECT_TRUE(bob.session->ended(bob.outlet.get()));
  EXPECT_EQ(rig_.meeting->size(), 1U);
  const auto of_ann = ann.pull();
  ASSERT_EQ(of_ann.size(), 2U);
  EXPECT_EQ(of_ann[0].result.contacts.size(), 1U);
  EXPECT_EQ(of_ann[1].result.contacts.size(), 0U);
  EXPECT_EQ(of_ann[1].tick->members, 1U);
}

// The names of whom it met are still there when the reports are taken.
TEST_F(MeetingTest, WhoHasLeftIsNamedAllTheSame) {
  Visitor& ann = open("Ann");
  Visitor& bob = open("Bob");
  for (const Visitor& visitor : rig_.visitors) {
    ASSERT_FALSE(visitor.offer(pillar_at(0, 0.0, 0.0)));
  }
  rig_.tick();
  rig_.tick();
  bob.session->close();
  rig_.scheduler->run_all();
  bob.session.reset();
  rig_.visitors.pop_back();
  EXPECT_EQ(rig_.meeting->size(), 1U);
  const auto of_ann = ann.pull();
  ASSERT_EQ(of_ann.at(0).names.size(), 1U);
  EXPECT_EQ(of_ann[0].names[0].other_label, "Bob");
}

// What waits when a client has closed its side is checked before the end.
TEST_F(MeetingTest, TheLastFramesAreCheckedBeforeTheEnd) {
  Visitor& ann = open();
  ASSERT_FALSE(ann.offer(pillar_at(0, 0.0, 0.0)));
  rig_.tick();
  ASSERT_FALSE(ann.offer(pillar_at(1, 0.1, 0.0)));
  ann.session->finish(ann.outlet.get());
  rig_.scheduler->run_all();
  EXPECT_FALSE(ann.session->ended(ann.outlet.get()));
  EXPECT_EQ(rig_.tick(), 1U);
  EXPECT_EQ(rig_.tick(), 0U);
  const auto reports = ann.pull();
  ASSERT_EQ(reports.size(), 1U);
  EXPECT_EQ(reports[0].to.id, 1U);
  const auto ended = ann.session->ended(ann.outlet.get());
  ASSERT_TRUE(ended);
  EXPECT_EQ(ended->steps, 1U);
}

// Away for three ticks: one report says that it stood still, and its motion is then checked to the
// newest frame.
TEST_F(MeetingTest, WhoWasAwayGoesOnWithoutAHole) {
  Visitor& ann = open();
  Visitor& bob = open();
  for (const Visitor& visitor : rig_.visitors) {
    ASSERT_FALSE(visitor.offer(pillar_at(0, 0.0, visitor.number() * 1.0)));
  }
  rig_.tick();
  ann.session->detach(ann.outlet.get());
  for (int i = 0; i < 3; ++i) EXPECT_EQ(rig_.tick(), 1U);
  ASSERT_FALSE(ann.attach(0));
  EXPECT_EQ(ann.opened.next_step, 0U);
  ASSERT_FALSE(ann.offer(pillar_at(1, 0.0, 1.5)));
  ASSERT_FALSE(ann.offer(pillar_at(2, 0.0, 2.0)));
  EXPECT_EQ(rig_.tick(), 2U);
  const auto reports = ann.pull();
  ASSERT_EQ(reports.size(), 2U);
  EXPECT_EQ(reports[0].tick, (MeetingTick{101, 104, 0}));
  EXPECT_EQ(reports[0].from, reports[0].to);
  EXPECT_TRUE(reports[0].result.contacts.empty());
  EXPECT_EQ(reports[0].result.step, 0);
  EXPECT_EQ(reports[1].tick, (MeetingTick{104, 105, 2}));
  EXPECT_EQ(reports[1].result.step, 1);
  EXPECT_EQ(reports[1].from.id, 0U);
  EXPECT_EQ(reports[1].to.id, 2U);
  EXPECT_EQ(reports[1].result.contacts.size(), 1U);
  EXPECT_EQ(bob.pull().size(), 4U);
}

// Who does not read is left out once his reports wait; the others go on.
TEST_F(MeetingTest, WhoDoesNotReadIsLeftOut) {
  rig_.limits.unsent_reports = 3;
  Visitor& ann = open();
  Visitor& bob = open();
  for (const Visitor& visitor : rig_.visitors) {
    ASSERT_FALSE(visitor.offer(pillar_at(0, visitor.number() * 1.0, 0.0)));
  }
  rig_.tick();
  for (int i = 0; i < 10; ++i) {
    EXPECT_EQ(rig_.tick(), i < 3 ? 2U : 1U);
    ASSERT_EQ(bob.pull().size(), 1U);
  }
  EXPECT_EQ(ann.session->counts().unsent_reports, 3U);
  EXPECT_EQ(ann.pull().size(), 3U);
  EXPECT_EQ(rig_.tick(), 2U);
  EXPECT_EQ(ann.pull().size(), 2U);  // away, and the tick's
}

// A step that is not done when the next tick comes is waited for by nobody.
TEST_F(MeetingTest, WhoIsNotDoneIsLeftOut) {
  open();
  open();
  for (const Visitor& visitor : rig_.visitors) {
    ASSERT_FALSE(visitor.offer(pillar_at(0, visitor.number() * 1.0, 0.0)));
  }
  rig_.tick();
  EXPECT_EQ(rig_.meeting->tick(++rig_.now), 2U);
  ASSERT_TRUE(rig_.scheduler->run_one());  // one of two
  EXPECT_EQ(rig_.meeting->tick(++rig_.now), 1U);
  rig_.scheduler->run_all();
  EXPECT_EQ(rig_.tick(), 2U);
}

TEST_F(MeetingTest, RadiiAreGrownByEachOnesOwnMargin) {
  TrackOptions wide = pillar_options();
  wide.spec.margin = 0.1;
  Visitor& ann = open();
  Visitor& bob = *rig_.open(wide);
  ASSERT_FALSE(ann.offer(pillar_at(0, 0.0, 0.0)));
  ASSERT_FALSE(bob.offer(pillar_at(0, 1.0, 0.0)));
  rig_.tick();
  ASSERT_FALSE(bob.offer(pillar_at(1, 0.0, 0.0)));
  rig_.tick();
  const auto reports = ann.pull();
  ASSERT_EQ(reports.at(0).result.contacts.size(), 1U);
  EXPECT_NEAR(reports[0].result.contacts[0].toc[1], 0.5, 1e-8);  // 0.2 + 0.3 m apart
}

TEST_F(MeetingTest, OfTheFirstContactOneIsTold) {
  TrackOptions first = pillar_options();
  first.spec.contacts = Contacts::kFirst;
  Visitor& ann = *rig_.open(first);
  Visitor& bob = open();
  Visitor& eve = open();
  ASSERT_FALSE(ann.offer(pillar_at(0, 0.0, 0.0)));
  ASSERT_FALSE(bob.offer(pillar_at(0, 2.0, 0.0)));
  ASSERT_FALSE(eve.offer(pillar_at(0, -1.0, 0.0)));
  rig_.tick();
  ASSERT_FALSE(bob.offer(pillar_at(1, 0.1, 0.0)));
  ASSERT_FALSE(eve.offer(pillar_at(1, -0.1, 0.0)));
  rig_.tick();
  const auto reports = ann.pull();
  ASSERT_EQ(reports.at(0).result.contacts.size(), 1U);
  // Bob is 0.4 m away after 1.6/1.9 of the step, Eve after 0.6/0.9.
  EXPECT_EQ(reports[0].result.contacts[0].other()->avatar, static_cast<std::int32_t>(eve.number()));
  EXPECT_NEAR(reports[0].result.contacts[0].toc[1], 0.6 / 0.9, 1e-8);
  EXPECT_EQ(bob.pull().at(0).result.contacts.size(), 2U);
}

TEST_F(MeetingTest, WhatIsRefusedAtTheDoor) {
  struct Case {
    const char* what;
    Refusal refusal;
    const char* phrase;
    std::function<void(TrackOptions&)> spoil;
  };
  const std::vector<Case> cases{
      {"frames that may not be skipped", Refusal::kInvalid, "`meet` needs `coalesce`",
       [](TrackOptions& o) { o.coalesce = false; }},
      {"rest overlaps of links that are not checked", Refusal::kInvalid,
       "`ignore_rest` is about own links: it needs `self`",
       [](TrackOptions& o) { o.ignore_rest = true; }},
      {"clearances", Refusal::kInvalid, "`meet` and `clearance`",
       [](TrackOptions& o) { o.spec.clearance = true; }},
      {"too many links", Refusal::kOverloaded, "65 links; with `meet` the limit is 64",
       [](TrackOptions& o) { o.model->links.resize(65, o.model->links[0]); }},
      {"too many joints above them", Refusal::kOverloaded,
       "the joints from the root to each link's own are 6400, of 64 links together; with `meet` "
       "the limit is 4096",
       [](TrackOptions& o) {
         std::vector<Joint> joints;
         for (int j = 0; j < 100; ++j) joints.push_back({"joint" + std::to_string(j), j - 1, {}});
         o.skeleton = Skeleton::create(joints).value();
         o.model->links[0].joint = "joint99";
         o.model->links.resize(64, o.model->links[0]);
       }},
  };
  for (const Case& c : cases) {
    TrackOptions options = pillar_options();
    c.spoil(options);
    for (std::size_t i = 0; i < options.model->links.size(); ++i) {
      options.model->links[i].name = "link" + std::to_string(i);
    }
    EXPECT_EQ(rig_.open(options), nullptr) << c.what;
    EXPECT_EQ(rig_.problem.refusal, c.refusal) << c.what;
    EXPECT_NE(rig_.problem.message.find(c.phrase), std::string::npos) << rig_.problem.message;
  }
  EXPECT_EQ(rig_.meeting->size(), 0U);
  EXPECT_EQ(*rig_.slots, 0U);
}

TEST(MeetingLimitsTest, MembersAndLinks) {
  MeetingRig few(room_of(far_room()), {.members = 2});
  ASSERT_TRUE(few.open(pillar_options()));
  ASSERT_TRUE(few.open(pillar_options()));
  EXPECT_EQ(few.open(pillar_options()), nullptr);
  EXPECT_EQ(few.problem.refusal, Refusal::kOverloaded);
  EXPECT_EQ(few.problem.message,
            "the sessions that meet in this room have 2 members already, as many as may be");
  few.visitors.front().session->close();
  few.scheduler->run_all();
  EXPECT_TRUE(few.open(pillar_options())) << "a place is free again";

  MeetingRig thin(room_of(far_room()), {.links = 2});
  TrackOptions two = pillar_options();
  two.model->links.push_back(two.model->links[0]);
  two.model->links[1].name = "second";
  ASSERT_TRUE(thin.open(two));
  EXPECT_EQ(thin.open(pillar_options()), nullptr);
  EXPECT_NE(thin.problem.message.find("2 links"), std::string::npos) << thin.problem.message;
  thin.visitors.front().session->close();
  thin.scheduler->run_all();
  EXPECT_TRUE(thin.open(two)) << "so are its links";
}

TEST(MeetingLimitsTest, ATickThatComesTooSoonIsCounted) {
  MeetingRig rig(room_of(far_room()));
  ASSERT_TRUE(rig.meeting->begin_tick());
  EXPECT_FALSE(rig.meeting->begin_tick());
  rig.meeting->tick(1);
  EXPECT_TRUE(rig.meeting->begin_tick());
  EXPECT_EQ(rig.meeting->counts().passed_over, 1U);
}

}  // namespace
}  // namespace tocsin::service::meeting_test
