// Clearances: the oracle confirms those that are no more than the least distance of the step,
// worked out by hand, and refutes all others.
#include <gtest/gtest.h>

#include <cmath>
#include <initializer_list>
#include <limits>
#include <numbers>
#include <string>
#include <utility>
#include <vector>

#include "oracle/verify_meeting.h"
#include "support/contains.h"
#include "tocsin/tocsin.h"

namespace tocsin::oracle::test::clearance_test {
namespace {

using tocsin::test::contains;

constexpr double kInfinite = std::numeric_limits<double>::infinity();
constexpr double kHair = 1e-12;  // metres: far above the oracle's rounding here

/// The rectangle x = `x` about the origin, of this half width.
ObjectMesh wall(const std::string& name, float x, float half = 2.0F) {
  return {name,
          {{x, -half, -half}, {x, half, -half}, {x, half, half}, {x, -half, half}},
          {{0, 1, 2}, {0, 2, 3}}};
}

/// A closed box about the origin.
ObjectMesh box(const std::string& name, float half) {
  ObjectMesh out{name, {}, {}};
  for (int i = 0; i < 8; ++i) {
    out.vertices.push_back(
        {(i & 1) != 0 ? half : -half, (i & 2) != 0 ? half : -half, (i & 4) != 0 ? half : -half});
  }
  out.triangles = {{0, 2, 3}, {0, 3, 1}, {4, 5, 7}, {4, 7, 6}, {0, 1, 5}, {0, 5, 4},
                   {2, 6, 7}, {2, 7, 3}, {0, 4, 6}, {0, 6, 2}, {1, 3, 7}, {1, 7, 5}};
  return out;
}

/// One joint, and links of radius 0.1 m on it.
Avatar avatar_of(const std::vector<std::pair<Vec3, Vec3>>& axes) {
  std::vector<Link> links;
  for (const auto& [a, b] : axes) {
    links.push_back({"link" + std::to_string(links.size()), 0, a, b, 0.1});
  }
  return *Avatar::create("test", *Skeleton::create({Joint{"root", -1, {}}}), links);
}

Transform at(double x, double degrees = 0.0) {
  const double half = degrees * std::numbers::pi / 360.0;
  return {{std::cos(half), 0.0, 0.0, std::sin(half)}, {x, 0.0, 0.0}};
}

/// One avatar in one step: its root moves, all other joints rest.
struct Mover {
  Member member;
  StepList steps;

  Mover(const Avatar& avatar, const Transform& from, const Transform& to) : member(avatar) {
    const auto joints = static_cast<std::size_t>(avatar.skeleton().size());
    std::vector<Transform> poses(2 * joints);
    poses[0] = from;
    poses[joints] = to;
    steps = Motion::create(avatar.skeleton(), 0.1, poses)->steps().value();
  }
};

using Clearances = std::vector<double>;

StepVerdict judge(const std::vector<Mover>& movers, const std::vector<Clearances>& clearances,
                  const Environment& room, const MeetingOptions& options = {.meet = true}) {
  std::vector<Step> steps;
  for (const Mover& mover : movers) steps.push_back(mover.steps[0]);
  std::vector<MemberClaim> claims;
  for (std::size_t i = 0; i < movers.size(); ++i) {
    MemberClaim claim{static_cast<std::int32_t>(i), &movers[i].member, &steps[i]};
    claim.clearances = clearances[i];
    claims.push_back(claim);
  }
  return verify_meeting(claims, room, options);
}

void expect_confirmed(const StepVerdict& verdict) {
  for (const std::string& sentence : verdict.refutations) ADD_FAILURE() << sentence;
  for (const std::string& sentence : verdict.doubts) ADD_FAILURE() << sentence;
}

void expect_refuted(const StepVerdict& verdict, std::initializer_list<std::string> parts) {
  ASSERT_EQ(verdict.refutations.size(), 1U);
  for (const std::string& part : parts) {
    EXPECT_TRUE(contains(verdict.refutations[0], part)) << verdict.refutations[0];
  }
}

const std::pair<Vec3, Vec3> kPole{{0.0, 0.0, 0.0}, {0.0, 1.0, 0.0}};

TEST(OracleClearance, OfAPoleThatComesNearAWall) {
  // From x = 0 to 0.5; the wall is at 1: 0.4 m at the end, less the link's radius.
  const Mover pole(avatar_of({kPole}), at(0.0), at(0.5));
  const Environment room = *Environment::create({wall("far", 9.0F), wall("wall", 1.0F)});
  for (const double metres : {0.0, 1e-9, 0.2, 0.4 - kHair}) {
    const StepVerdict verdict = judge({pole}, {{metres}}, room);
    expect_confirmed(verdict);
    EXPECT_EQ(verdict.clearances, 1U);
  }
  for (const double metres : {0.4 + kHair, 0.5, 3.0, 100.0, kInfinite}) {
    SCOPED_TRACE(metres);
    expect_refuted(judge({pole}, {{metres}}, room),
                   {"step 0: link0 against ", " m is reported for link0, but at t = "});
  }
  expect_refuted(judge({pole}, {{0.4 + kHair}}, room),
                 {"link0 against wall", "the distance is 0.4 m"});
  // With a margin of 0.15 m there is so much less.
  expect_confirmed(judge({pole}, {{0.25 - kHair}}, room, {.margin = 0.15}));
  expect_refuted(judge({pole}, {{0.25 + kHair}}, room, {.margin = 0.15}),
                 {"the distance is 0.25 m"});
}

TEST(OracleClearance, OfASmallThingFarAway) {
  // Its sphere is far beyond the link and all that it sweeps.
  const Mover pole(avatar_of({kPole}), at(0.0), at(0.5));
  const Environment room = *Environment::create({wall("post", 3.0F, 0.125F)});
  expect_confirmed(judge({pole}, {{2.4 - kHair}}, room));
  expect_refuted(judge({pole}, {{2.4 + kHair}}, room), {"link0 against post", "2.4 m"});
}

TEST(OracleClearance, IsThatOfTheWholeStep) {
  // It turns from -60 to 60 degrees. Its tip is 0.1 m from the wall half way, 0.6 m at both ends.
  const Mover arm(avatar_of({{{0.0, 0.0, 0.0}, {1.0, 0.0, 0.0}}}), at(0.0, -60.0), at(0.0, 60.0));
  const Environment room = *Environment::create({wall("wall", 1.2F)});
  const double least = static_cast<double>(1.2F) - 1.0 - 0.1;
  expect_confirmed(judge({arm}, {{least - 1e-9}}, room));
  expect_refuted(judge({arm}, {{least + 1e-9}}, room), {"at t = 0.5"});
  expect_refuted(judge({arm}, {{least + 0.01}}, room), {"wall"});
}

TEST(OracleClearance, OfWhatIsIgnoredNothingIsAsked) {
  Mover pole(avatar_of({kPole}), at(0.0), at(0.5));
  const Environment room = *Environment::create({wall("near", 1.0F), wall("wall", 2.0F)});
  const std::vector<std::string> near{"*:near"};
  pole.member.active = *ActivePairs::ignoring(pole.member.avatar, room, near);
  expect_confirmed(judge({pole}, {{1.4 - kHair}}, room));
  expect_refuted(judge({pole}, {{1.4 + kHair}}, room), {"link0 against wall"});
  const std::vector<std::string> all{"*:*"};
  pole.member.active = *ActivePairs::ignoring(pole.member.avatar, room, all);
  expect_confirmed(judge({pole}, {{kInfinite}}, room));
}

TEST(OracleClearance, NothingInsideASolidHasOne) {
  // No wall is nearer than 3.9 m, the top's distance.
  const Mover pole(avatar_of({kPole}), at(0.0), at(0.5));
  const Environment room = *Environment::create({box("crate", 5.0F)});
  const StepVerdict solid = judge({pole}, {{0.1}}, room);
  ASSERT_EQ(solid.refutations.size(), 2U);
  EXPECT_TRUE(contains(solid.refutations[0] + solid.refutations[1],
                       "link0 against crate: a clearance of 0.1 m, but it is inside"))
      << solid.refutations[0] << solid.refutations[1];
  // A surface has no inside.
  expect_confirmed(judge({pole}, {{3.9 - kHair}}, room, {.surfaces = {"*"}}));
  expect_refuted(judge({pole}, {{3.9 + kHair}}, room, {.surfaces = {"*"}}),
                 {"the distance is 3.9 m"});
}

TEST(OracleClearance, OfTwoLinksOfOneAvatar) {
  const std::pair<Vec3, Vec3> beside{{0.7, 0.0, 0.0}, {0.7, 1.0, 0.0}};
  const double least = 0.5;
  // Neighbours are no pair, and without pairs there is nothing to touch.
  const Mover poles(avatar_of({kPole, beside}), at(0.0), at(0.5));
  expect_confirmed(judge({poles}, {{kInfinite, kInfinite}}, Environment()));
  const Avatar apart = *Avatar::create(
      "test", *Skeleton::create({{"root", -1, {}}, {"middle", 0, {}}, {"end", 1, {}}}),
      {{"link0", 0, kPole.first, kPole.second, 0.1},
       {"link1", 1, {9.0, 0.0, 0.0}, {9.0, 1.0, 0.0}, 0.1},
       {"link2", 2, beside.first, beside.second, 0.1}});
  Mover chain(apart, at(0.0), at(0.5));
  chain.member.self = LinkPairs::of(apart);
  ASSERT_TRUE(chain.member.self.active(0, 2));
  expect_confirmed(judge({chain}, {{least - kHair, 0.0, least - kHair}}, Environment()));
  expect_refuted(judge({chain}, {{least + kHair, 0.0, 0.0}}, Environment()),
                 {"link0 against link2", "reported for link0"});
  expect_refuted(judge({chain}, {{0.0, 0.0, least + kHair}}, Environment()),
                 {"link0 against link2", "reported for link2"});
}

TEST(OracleClearance, OfTwoAvatars) {
  // 5 m apart, and one comes 1 m nearer: balls around them are far from each other.
  const Mover first(avatar_of({kPole}), at(0.0), at(1.0));
  const Mover second(avatar_of({kPole}), at(5.0), at(5.0));
  const Environment none;
  expect_confirmed(judge({first, second}, {{3.8 - kHair}, {3.8 - kHair}}, none));
  expect_refuted(judge({first, second}, {{3.8 + kHair}, {0.0}}, none),
                 {"step 0, avatar 0: link0 against avatar 1's link0", "the distance is 3.8 m"});
  expect_refuted(judge({first, second}, {{}, {3.8 + kHair}}, none), {"the distance is 3.8 m"});
  expect_confirmed(judge({first, second}, {{kInfinite}, {9.0}}, none, {.meet = false}));
}

TEST(OracleClearance, OfNonsenseIsRefuted) {
  const Mover pole(avatar_of({kPole}), at(0.0), at(0.5));
  const Environment room = *Environment::create({wall("wall", 1.0F)});
  expect_refuted(judge({pole}, {{-0.1}}, room), {"a clearance of -0.1 m"});
  expect_refuted(judge({pole}, {{std::nan("")}}, room), {"a clearance of nan m"});
  expect_refuted(judge({pole}, {{0.1, 0.1}}, room), {"2 clearances of 1 links"});
}

}  // namespace
}  // namespace tocsin::oracle::test::clearance_test
