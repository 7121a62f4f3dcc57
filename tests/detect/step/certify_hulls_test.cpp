// certify of two hulls, as a program calls it: against two links, where the answer is known, and
// where it makes no sense. Random hulls are judged in tests/oracle/hulls.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "core/vector/vec.h"
#include "support/scenes/random_crowd.h"
#include "tocsin/certify.h"

namespace tocsin::certify_hulls_test {
namespace {

using core::norm;
using test::RandomLinks;

/// A body of one joint that moves from one place to another.
Step body(const Transform& from, const Transform& to) {
  const Skeleton skeleton = Skeleton::create({{"Body", -1, {}}}).value();
  return Motion::create(skeleton, 0.1, {from, to}).value().steps().value()[0];
}

const Transform kHere{};

/// A link and the hull of its axis are one body: both proofs are about one motion.
TEST(TwoHulls, OfAxesAgreesWithLinks) {
  RandomLinks random(911);
  int hits = 0;
  int free = 0;
  for (int i = 0; i < 60; ++i) {
    const test::RandomCrowd crowd = test::random_crowd(random, 2, 3, 0.4, false);
    const std::vector<Step> steps = crowd.at(0);
    const Avatar& a = crowd.members[0].avatar;
    const Avatar& b = crowd.members[1].avatar;
    const CertifyOptions options{i % 2 == 0 ? 0.01 : 0.0, 1e-9};
    for (std::size_t p = 0; p < a.links().size(); ++p) {
      for (std::size_t q = 0; q < b.links().size(); ++q) {
        const Link& f = a.links()[p];
        const Link& g = b.links()[q];
        const auto links = certify({a, steps[0], static_cast<std::int32_t>(p)},
                                   {b, steps[1], static_cast<std::int32_t>(q)}, options)
                               .value();
        const auto hulls = certify(MovingHull{steps[0], f.joint, {f.a, f.b}, f.radius},
                                   MovingHull{steps[1], g.joint, {g.a, g.b}, g.radius}, options)
                               .value();
        ASSERT_EQ(links.has_value(), hulls.has_value()) << i;
        ++(hulls ? hits : free);
        if (!hulls) continue;
        ASSERT_EQ(links->status, hulls->status);
        EXPECT_LE(links->toc[0], hulls->toc[1]);
        EXPECT_LE(hulls->toc[0], links->toc[1]);
        if (links->status != ContactStatus::kHit) continue;
        // The link's point lies on the other's surface, the hull's on its axis.
        ASSERT_EQ(links->normal.has_value(), hulls->normal.has_value());
        if (!links->normal) continue;
        EXPECT_LE(norm(*links->normal - *hulls->normal), 1e-4);
        const double radius = g.radius + options.margin;
        EXPECT_LE(norm(links->point - (hulls->point + radius * *hulls->normal)), 1e-4);
      }
    }
  }
  EXPECT_GE(hits, 150);
  EXPECT_GE(free, 150);
}

/// A blade between two frames, which no frame shows: the wall is a triangle without thickness.
TEST(TwoHulls, ASwungBladeCutsAWallBetweenFrames) {
  const Step swung = body({{}, {0, 0, 1}}, {{}, {0, 0, -1}});
  const Step still = body(kHere, kHere);
  const MovingHull blade{swung, 0, {{0, 0, 0}, {0.3, 0, 0.4}, {-0.3, 0.1, 0.4}}, 0.0};
  const MovingHull wall{still, 0, {{-5, -5, 0}, {5, -5, 0}, {0, 5, 0}}, 0.0};
  const auto contact = certify(blade, wall).value();
  ASSERT_TRUE(contact);
  EXPECT_EQ(contact->status, ContactStatus::kHit);
  EXPECT_LE(contact->toc[0], 0.5);
  EXPECT_GE(contact->toc[1], 0.5);
  EXPECT_LE(contact->toc[1] - contact->toc[0], 2e-9);
  EXPECT_LE(norm(contact->point), 1e-8);
  EXPECT_FALSE(contact->limited);
  // With a radius, or a margin, it touches that much earlier. The blade comes from above.
  MovingHull round = blade;
  round.radius = 0.2;
  for (const auto& early :
       {certify(round, wall).value(), certify(blade, wall, {.margin = 0.1}).value()}) {
    ASSERT_TRUE(early);
    EXPECT_NEAR(early->toc[0], 0.4, 1e-8);
    ASSERT_TRUE(early->normal);
    EXPECT_NEAR(early->normal->z, 1.0, 1e-6);
    EXPECT_LE(norm(early->point), 1e-6);
  }
  // Both frames alone see nothing.
  for (const double z : {1.0, -1.0}) {
    const Step frame = body({{}, {0, 0, z}}, {{}, {0, 0, z}});
    EXPECT_FALSE(certify(MovingHull{frame, 0, blade.corners, 0.0}, wall).value());
  }
}

/// Two hulls on one joint keep their distance whatever the joint does, however close they are.
TEST(TwoHulls, OnOneJointNothingMovesBetweenThem) {
  RandomLinks random(912);
  for (int i = 0; i < 50; ++i) {
    const test::RandomTake take = test::random_take(random, 6, 2, 3.0, 1.0);
    const Step step = take.motion.steps().value()[0];
    const std::int32_t joint = i % 6;
    const MovingHull low{step, joint, {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, 0.0};
    MovingHull high = low;
    for (Vec3& corner : high.corners) corner.z = 1e-7;
    EXPECT_FALSE(certify(low, high).value()) << i;
    high.radius = 2e-7;
    const auto contact = certify(low, high).value();
    ASSERT_TRUE(contact);
    EXPECT_EQ(contact->status, ContactStatus::kOverlap);
  }
}

TEST(TwoHulls, RefusesWhatMakesNoSense) {
  const Step step = body(kHere, kHere);
  const MovingHull good{step, 0, {{0, 0, 0}}, 0.1};
  ASSERT_TRUE(certify(good, good).ok());
  const auto refused = [&](const MovingHull& bad, ErrorCode code) {
    for (const auto& answer : {certify(bad, good), certify(good, bad)}) {
      ASSERT_FALSE(answer.ok());
      EXPECT_EQ(answer.error().code, code);
    }
  };
  refused({Step(), 0, {{0, 0, 0}}, 0.1}, ErrorCode::kInput);
  for (const std::int32_t joint : {-1, 1, std::numeric_limits<std::int32_t>::max()}) {
    refused({step, joint, {{0, 0, 0}}, 0.1}, ErrorCode::kUsage);
  }
  refused({step, 0, {}, 0.1}, ErrorCode::kUsage);
  refused({step, 0, {{}, {}, {}, {}}, 0.1}, ErrorCode::kUsage);
  for (const double bad : {static_cast<double>(NAN), HUGE_VAL, 2e6, -2e6}) {
    refused({step, 0, {{0, bad, 0}}, 0.1}, ErrorCode::kUsage);
    refused({step, 0, {{0, 0, 0}}, bad}, ErrorCode::kUsage);
  }
  refused({step, 0, {{0, 0, 0}}, -1e-9}, ErrorCode::kUsage);
  EXPECT_FALSE(certify(good, good, {.margin = -1.0}).ok());
  EXPECT_FALSE(certify(good, good, {.tolerance = 0.0}).ok());
}

}  // namespace
}  // namespace tocsin::certify_hulls_test
