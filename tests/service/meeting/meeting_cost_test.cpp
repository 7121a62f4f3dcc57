// Who is hostile to a meeting cannot hold it up for long.
#include "service/meeting/meeting_cost.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "service/meeting/meeting_rig.h"
#include "service/session/session_setup.h"

namespace tocsin::service::meeting_cost_test {
namespace {

using test::far_room;
using test::MeetingRig;
using test::pillar_at;
using test::pillar_options;
using test::room_of;
using test::Visitor;

/// As many links as may be, 3 m thick, that stick out in all directions.
TrackOptions monster_options() {
  TrackOptions out = pillar_options();
  const LinkModel link = out.model->links[0];
  out.model->links.clear();
  for (std::size_t i = 0; i < SessionSetup::kMostMeetingLinks; ++i) {
    LinkModel more = link;
    more.name = "spike" + std::to_string(i);
    more.b.offset = {static_cast<double>(i % 4) - 1.5, static_cast<double>(i % 5), 10.0};
    more.radius = 3.0;
    out.model->links.push_back(more);
  }
  return out;
}

/// Sixteen links, as a body has.
TrackOptions body_options() {
  TrackOptions out = pillar_options();
  const LinkModel link = out.model->links[0];
  out.model->links.clear();
  for (int i = 0; i < 16; ++i) {
    LinkModel more = link;
    more.name = "limb" + std::to_string(i);
    more.a.offset = {0.0, 0.1 * i, 0.0};
    more.b.offset = {0.2, 0.1 * i, 0.0};
    more.radius = 0.05;
    out.model->links.push_back(more);
  }
  return out;
}

/// Links of one place, each with so many joints from the root to its own.
TrackOptions chain_options(std::size_t links, std::size_t joints) {
  TrackOptions out = body_options();
  std::vector<Joint> chain;
  for (std::size_t j = 0; j < joints; ++j) {
    chain.push_back({"joint" + std::to_string(j), static_cast<int>(j) - 1, {}});
  }
  out.skeleton = Skeleton::create(chain).value();
  LinkModel link = out.model->links[0];
  link.joint = chain.back().name;
  out.model->links.clear();
  for (std::size_t i = 0; i < links; ++i) {
    link.name = "link" + std::to_string(i);
    out.model->links.push_back(link);
  }
  return out;
}

/// Beads of 1 mm along the links of body_options().
TrackOptions beads_options(std::size_t joints) {
  TrackOptions out = chain_options(SessionSetup::kMostMeetingLinks, joints);
  for (std::size_t i = 0; i < out.model->links.size(); ++i) {
    LinkModel& bead = out.model->links[i];
    const auto k = static_cast<double>(i);
    bead.a.offset = {0.003 * k, 0.025 * k, 0.0};
    bead.b = bead.a;
    bead.b.offset.x += 0.001;
    bead.radius = 0.001;
  }
  return out;
}

struct Walk {
  std::vector<Member> members;
  std::vector<Step> steps;

  void add(const TrackOptions& options, const Vec3& from, const Vec3& to) {
    std::vector<Transform> poses(2 * options.skeleton.joints().size());
    poses[0].translation = from;
    poses[poses.size() / 2].translation = to;
    const auto motion = Motion::create(options.skeleton, 0.01, poses);
    members.push_back({Avatar::bind(*options.model, options.skeleton).value()});
    const StepList steps_of = motion->steps().value();
    steps.push_back(steps_of.at(0));
  }
};

TEST(MeetingCost, BlamesWhoeverIsNearToEverybody) {
  Walk walk;
  for (int i = 0; i < 10; ++i) {
    const Vec3 at{static_cast<double>(i), 0.0, 0.0};
    walk.add(body_options(), at, at + Vec3{0.01, 0.0, 0.0});
  }
  EXPECT_TRUE(most_costly(walk.members, walk.steps, 10'000).empty());
  // It goes from end to end of the row: each of its 64 links is near to all 160.
  walk.add(monster_options(), {-20.0, 0.0, 0.0}, {20.0, 0.0, 0.0});
  walk.add(body_options(), {3.0, 0.0, 30.0}, {3.0, 0.0, 30.0});
  EXPECT_EQ(most_costly(walk.members, walk.steps, 10'000), (std::vector<std::size_t>{10}));
  EXPECT_EQ(costliest(walk.members, walk.steps, 1), (std::vector<std::size_t>{10}));
  // 10,240 pairs at the very most, each of two chains of one joint (and four more that stand for
  // what a pair costs).
  EXPECT_TRUE(most_costly(walk.members, walk.steps, 110'000).empty());
}

TEST(MeetingCost, NobodyIsToBlameForACrowd) {
  Walk walk;
  for (int i = 0; i < 30; ++i) {
    const Vec3 at{0.3 * (i % 6), 0.0, 0.3 * (i / 6)};
    walk.add(body_options(), at, at + Vec3{0.02, 0.0, 0.0});
  }
  EXPECT_TRUE(most_costly(walk.members, walk.steps, MeetingLimits().too_costly_joints).empty());
}

// What a pair costs grows with its links' chains: two of few pairs, but long chains, are seen, and
// one of them is enough.
TEST(MeetingCost, LongChainsAreBlamed) {
  Walk walk;
  walk.add(body_options(), {0.0, 0.0, 0.0}, {0.01, 0.0, 0.0});
  walk.add(body_options(), {0.05, 0.0, 0.0}, {0.06, 0.0, 0.0});
  walk.add(chain_options(60, 64), {0.0, 0.0, 5.0}, {0.0, 0.0, 5.0});
  walk.add(chain_options(60, 64), {0.0, 0.0, 5.0}, {0.0, 0.0, 5.0});
  EXPECT_EQ(chain_lengths(walk.members[2].avatar), std::vector<std::size_t>(60, 64));
  EXPECT_EQ(most_costly(walk.members, walk.steps, MeetingLimits().too_costly_joints),
            (std::vector<std::size_t>{3}));
  EXPECT_EQ(costliest(walk.members, walk.steps, 2), (std::vector<std::size_t>{2, 3}));
  EXPECT_EQ(costliest(walk.members, walk.steps, 9).size(), 4U);
}

// Thirty-two who put 64 beads each into one body, which has nothing to do with anybody else.
TEST(MeetingCost, WhoIsCrowdedIntoIsNotToBlame) {
  for (const std::size_t joints : {std::size_t{1}, std::size_t{64}}) {
    for (const std::size_t honest : {std::size_t{0}, std::size_t{32}}) {
      Walk walk;
      const auto add_body = [&] { walk.add(body_options(), {}, {0.01, 0.0, 0.0}); };
      if (honest == 0) add_body();
      for (int i = 0; i < 32; ++i) walk.add(beads_options(joints), {}, {});
      if (honest != 0) add_body();
      for (const std::uint64_t least : {100U, 1000U, 3000U}) {
        for (const std::size_t i : most_costly(walk.members, walk.steps, least)) {
          EXPECT_NE(i, honest) << joints << " " << least;
        }
      }
      EXPECT_FALSE(most_costly(walk.members, walk.steps, 100).empty());
      for (const std::size_t i : costliest(walk.members, walk.steps, 32)) EXPECT_NE(i, honest);
    }
  }
}

// With no time at all every tick is given up; the bodies are too few to be blamed, and go on.
TEST(MeetingCost, TheHostileOneEndsAndTheOthersGoOn) {
  MeetingRig rig(room_of(far_room()), {.check_seconds = 0.0});
  for (int i = 0; i < 60; ++i) ASSERT_TRUE(rig.open(body_options())) << rig.problem.message;
  TrackOptions monster = monster_options();
  Visitor& hostile = *rig.open(monster);
  for (std::uint64_t k = 0; k < 6; ++k) {
    for (const Visitor& visitor : rig.visitors) {
      if (&visitor == &hostile && hostile.outlet->problem()) continue;
      const bool wild = &visitor == &hostile;
      const double way = k % 2 == 0 ? -50.0 : 50.0;
      const double x = wild ? way : visitor.number() * 0.5 + 0.01 * static_cast<double>(k);
      ASSERT_FALSE(visitor.offer(pillar_at(k, x, 0.0)));
    }
    rig.tick();
  }
  ASSERT_TRUE(hostile.outlet->problem());
  EXPECT_EQ(hostile.outlet->problem()->refusal, Refusal::kOverloaded);
  EXPECT_NE(hostile.outlet->problem()->message.find("a tick of the meeting took more than"),
            std::string::npos);
  EXPECT_GE(rig.meeting->counts().given_up, 1U);
  EXPECT_EQ(rig.meeting->size(), 60U);
  for (const Visitor& visitor : rig.visitors) {
    if (&visitor == &hostile) continue;
    EXPECT_FALSE(visitor.outlet->problem());
    EXPECT_EQ(visitor.pull().size(), 5U);
  }
}

// Where nobody is to blame a tick takes as long as it takes, and later ones are given the time.
TEST(MeetingCost, ALargeMeetingIsLeftInPeace) {
  MeetingRig rig(room_of(far_room()), {.check_seconds = 0.0});
  for (int i = 0; i < 40; ++i) ASSERT_TRUE(rig.open(body_options()));
  for (std::uint64_t k = 0; k < 4; ++k) {
    for (const Visitor& visitor : rig.visitors) {
      ASSERT_FALSE(
          visitor.offer(pillar_at(k, visitor.number() * 0.2, 0.01 * static_cast<double>(k))));
    }
    EXPECT_EQ(rig.tick(), k == 0 ? 0U : 40U);
  }
  for (const Visitor& visitor : rig.visitors) EXPECT_EQ(visitor.pull().size(), 3U);
}

// With no time at all, however often: nothing is ever repeated without end.
TEST(MeetingCost, ACheckThatCannotBeDoneEndsWithThoseWhoMakeIt) {
  MeetingRig rig(room_of(far_room()), {.check_seconds = 0.0, .most_check_seconds = 0.0});
  for (int i = 0; i < 5; ++i) ASSERT_TRUE(rig.open(body_options()));
  for (std::uint64_t k = 0; k < 2; ++k) {
    for (const Visitor& visitor : rig.visitors) ASSERT_FALSE(visitor.offer(pillar_at(k, 0.0, 0.0)));
    EXPECT_EQ(rig.tick(), 0U);
  }
  for (const Visitor& visitor : rig.visitors) {
    ASSERT_TRUE(visitor.outlet->problem());
    EXPECT_EQ(visitor.outlet->problem()->refusal, Refusal::kOverloaded);
  }
  // One after which nobody goes, then one goes, then two, then the rest.
  EXPECT_EQ(rig.meeting->counts().given_up, 4U);
  EXPECT_EQ(rig.meeting->size(), 0U);
}

TEST(MeetingCost, NothingIsCheckedOnceTheServiceCloses) {
  MeetingRig rig(room_of(far_room()));
  for (int i = 0; i < 3; ++i) ASSERT_TRUE(rig.open(body_options()));
  for (const Visitor& visitor : rig.visitors) ASSERT_FALSE(visitor.offer(pillar_at(0, 0.0, 0.0)));
  rig.tick();
  rig.meeting->stop();
  EXPECT_EQ(rig.tick(), 0U);
  for (const Visitor& visitor : rig.visitors) {
    ASSERT_TRUE(visitor.outlet->problem());
    EXPECT_EQ(visitor.outlet->problem()->refusal, Refusal::kClosing);
  }
  EXPECT_EQ(rig.meeting->counts().given_up, 0U);
}

}  // namespace
}  // namespace tocsin::service::meeting_cost_test
