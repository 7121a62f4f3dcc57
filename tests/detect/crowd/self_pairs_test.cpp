// An avatar's own links: found where certify_pair finds them, and nowhere else.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "support/scenes/random_crowd.h"
#include "tocsin/detector.h"
#include "tocsin/stream.h"

namespace tocsin::self_pairs_test {
namespace {

using test::RandomLinks;
using test::RandomTake;

/// A thigh that stands along y at the origin, radius 6 cm, and a hand, 10 cm along z, radius 4 cm,
/// that goes from x = -0.3 to 0.3 in a step, 20 cm below the hip and `beside` metres along z.
RandomTake hand_and_thigh(double beside) {
  std::vector<Joint> joints{
      {"hips", -1, {}}, {"leg", 0, {}}, {"wrist", 0, {{}, {-0.3, -0.2, beside}}}};
  Skeleton skeleton = Skeleton::create(joints).value();
  std::vector<Transform> poses;
  for (const double x : {-0.3, 0.3}) {
    poses.insert(poses.end(), {{}, {}, {{}, {x, -0.2, beside}}});
  }
  RandomTake out;
  out.avatar = Avatar::create("body", skeleton,
                              {{"thigh", 1, {}, {0, -0.4, 0}, 0.06},
                               {"hand", 2, {0, 0, -0.05}, {0, 0, 0.05}, 0.04}})
                   .value();
  out.motion = Motion::create(skeleton, 0.01, poses).value();
  return out;
}

TEST(SelfPairs, AHandPassesThroughAThighBetweenTwoFreePoses) {
  const RandomTake take = hand_and_thigh(0.0);
  const LinkPairs self = LinkPairs::of(take.avatar);
  ASSERT_EQ(self.size(), 1U);
  const Detector detector = Detector::make(Environment{}).value();
  for (const InBetween kind : {InBetween::kScrew, InBetween::kTranslateRotate}) {
    StepRange range;
    range.in_between = kind;
    const Step step = take.motion.steps(range).value()[0];
    const StepReport report = detector.check({take.avatar, {}, self}, step);
    ASSERT_FALSE(report.error);
    ASSERT_EQ(report.contacts.size(), 1U);
    const Contact& c = report.contacts[0];
    EXPECT_EQ(c.link, 0);
    ASSERT_TRUE(c.other());
    EXPECT_EQ(*c.other(), (OtherLink{0, 1}));
    EXPECT_EQ(c.status, ContactStatus::kHit);
    // The axes are 0.3 - 0.6 t apart, and touch at 0.1.
    EXPECT_LE(c.toc[0], 1.0 / 3.0);
    EXPECT_GE(c.toc[1], 1.0 / 3.0);
    EXPECT_LE(c.toc[1] - c.toc[0], 1e-9);
    EXPECT_EQ(report.safe_until, c.toc[0]);
    // From the hand to the thigh is +x; the point is on the hand, 4 cm from its axis.
    ASSERT_TRUE(c.normal);
    EXPECT_NEAR(c.normal->x, 1.0, 1e-9);
    EXPECT_NEAR(c.point.x, -0.06, 1e-8);
    EXPECT_NEAR(c.point.y, -0.2, 1e-8);
    EXPECT_EQ(report.counters.link_pairs, 1U);
    // Nobody asked: nothing is found.
    EXPECT_TRUE(detector.check(take.avatar, step).contacts.empty());
  }
  StepRange still;
  still.still = true;
  for (const Step& pose : StepList(take.motion.steps(still).value())) {
    EXPECT_TRUE(detector.check({take.avatar, {}, self}, pose).contacts.empty());
  }
}

TEST(SelfPairs, BesideTheThighIsFree) {
  // The hand's near end passes 0.2 - 0.05 from the thigh's axis: 5 cm of air.
  const RandomTake take = hand_and_thigh(0.2);
  const Step step = StepList(take.motion.steps().value())[0];
  const LinkPairs self = LinkPairs::of(take.avatar);
  const Detector detector = Detector::make(Environment{}, {.clearance = true}).value();
  const StepReport report = detector.check({take.avatar, {}, self}, step);
  EXPECT_TRUE(report.contacts.empty());
  EXPECT_EQ(report.safe_until, 1.0);
  ASSERT_EQ(report.clearances.size(), 2U);
  for (const double clearance : report.clearances) {
    EXPECT_LE(clearance, 0.05);
    EXPECT_GE(clearance, 0.05 - 1.1e-3);
  }
  // With a margin of 3 cm on both they touch.
  const Detector wide = Detector::make(Environment{}, {.margin = 0.03}).value();
  EXPECT_EQ(wide.check({take.avatar, {}, self}, step).contacts.size(), 1U);
  // Switched off, they do not.
  const std::array<std::string, 1> pattern{"hand:thigh"};
  const LinkPairs none = LinkPairs::ignoring(take.avatar, pattern).value();
  EXPECT_TRUE(wide.check({take.avatar, {}, none}, step).contacts.empty());
}

TEST(SelfPairs, PairsOfAnotherAvatarAreRefused) {
  const RandomTake take = hand_and_thigh(0.0);
  RandomLinks random(501);
  const RandomTake other = test::random_take(random, 7, 2, 0.1, 0.1);
  const StepReport report =
      Detector::make(Environment{})
          ->check({take.avatar, {}, LinkPairs::of(other.avatar)}, take.motion.steps().value()[0]);
  ASSERT_TRUE(report.error);
  EXPECT_EQ(report.error->code, ErrorCode::kUsage);
}

/// Whether the contact's point lies on the other's surface at toc[0], and its normal points from
/// there to the link's axis.
void expect_point(const Contact& c, const test::Motions& first, const test::Motions& second) {
  if (!c.normal) return;
  const core::LinkMotion& link = first[static_cast<std::size_t>(c.link)];
  const core::LinkMotion& other = second[static_cast<std::size_t>(c.other()->link)];
  const auto distance = [&](const core::LinkMotion& m, const Vec3& p) {
    const core::AxisState s = core::evaluate(m, c.toc[0]);
    return test::sampled_distance({p, p, {}, {}}, s, m.ref, 1);
  };
  EXPECT_NEAR(core::norm(*c.normal), 1.0, 1e-9);
  // Both feet of the shortest line between the axes lie on them.
  const Vec3 foot = c.point - other.radius * *c.normal;
  EXPECT_NEAR(distance(other, foot), 0.0, 1e-7);
  const double apart = distance(link, foot);
  EXPECT_NEAR(distance(link, foot + apart * *c.normal), 0.0, 1e-7);
  if (c.status == ContactStatus::kHit && c.toc[1] - c.toc[0] < 1e-6) {
    EXPECT_NEAR(distance(link, c.point), link.radius, 1e-5);
  }
}

struct SelfTotals {
  std::size_t pairs = 0;
  std::size_t touching = 0;
  std::size_t hits = 0;
};

/// The contacts of links that certify_pair finds among all active pairs.
std::vector<Contact> brute_force_self(const Avatar& avatar, const Step& step, const LinkPairs& self,
                                      double margin, SelfTotals& totals) {
  const test::Motions motions(avatar, step, margin);
  std::vector<Contact> out;
  for (std::size_t i = 0; i < motions.size(); ++i) {
    for (std::size_t j = i + 1; j < motions.size(); ++j) {
      if (!self.active(static_cast<int>(i), static_cast<int>(j))) continue;
      ++totals.pairs;
      const auto c = test::contact_of(motions, i, motions, j, 0, 1e-9);
      if (!c) continue;
      ++totals.touching;
      if (c->status == ContactStatus::kHit) ++totals.hits;
      out.push_back(*c);
    }
  }
  return out;
}

std::vector<Contact> of_links(const StepReport& report) {
  std::vector<Contact> out;
  for (const Contact& c : report.contacts) {
    if (c.other()) out.push_back(c);
  }
  return out;
}

void expect_same_self_times(const std::vector<Contact>& got, const std::vector<Contact>& want) {
  ASSERT_EQ(got.size(), want.size());
  for (std::size_t i = 0; i < got.size(); ++i) {
    EXPECT_EQ(got[i].link, want[i].link);
    EXPECT_EQ(got[i].touched, want[i].touched);
    EXPECT_EQ(got[i].status, want[i].status);
    EXPECT_EQ(got[i].toc, want[i].toc);
    EXPECT_EQ(got[i].limited, want[i].limited);
  }
}

TEST(SelfPairs, EqualAllPairsAskedOneByOne) {
  RandomLinks random(502);
  SelfTotals totals;
  for (int i = 0; i < 60; ++i) {
    const RandomTake take = test::random_take(random, 9, 12, i % 2 == 0 ? 1.2 : 0.2, 0.2);
    const Environment room = i % 3 == 0 ? Environment{} : test::random_room(random, 3, 15, 1.0);
    const double margin = i % 5 == 0 ? 0.02 : 0.0;
    const Detector detector = Detector::make(room, {.margin = margin}).value();
    const LinkPairs self = LinkPairs::of(take.avatar);
    Stream stream(detector, {take.avatar, {}, self});
    StepRange range;
    if (i % 4 == 1) range.in_between = InBetween::kTranslateRotate;
    for (const Step& step : StepList(take.motion.steps(range).value())) {
      const StepReport report = detector.check({take.avatar, {}, self}, step);
      const std::vector<Contact> want = brute_force_self(take.avatar, step, self, margin, totals);
      const std::vector<Contact> got = of_links(report);
      expect_same_self_times(got, want);
      const test::Motions motions(take.avatar, step, margin);
      for (const Contact& c : got) expect_point(c, motions, motions);
      EXPECT_GE(report.counters.link_pairs, want.size());
      // The room's part is what it is without; and a stream says the same.
      const StepReport alone = detector.check(take.avatar, step);
      std::vector<Contact> rooms = report.contacts;
      std::erase_if(rooms, [](const Contact& c) { return (c.other() != nullptr); });
      EXPECT_EQ(rooms, alone.contacts);
      double safe = alone.safe_until;
      for (const Contact& c : want) safe = std::min(safe, c.toc[0]);
      EXPECT_EQ(report.safe_until, safe);
      const StepReport streamed = stream.check(step);
      EXPECT_EQ(streamed.contacts, report.contacts);
      EXPECT_EQ(streamed.safe_until, report.safe_until);
    }
  }
  EXPECT_GT(totals.touching, totals.pairs / 20);
  EXPECT_LT(totals.touching, totals.pairs * 3 / 4);
  EXPECT_GT(totals.hits, totals.pairs / 200);
}

/// Contacts::kFirst by its definition.
Contact earliest(const std::vector<Contact>& contacts) {
  const auto key = [](const Contact& c) {
    return std::tuple(c.toc[0], c.toc[1], c.link, c.touched);
  };
  return *std::min_element(contacts.begin(), contacts.end(),
                           [&](const Contact& p, const Contact& q) { return key(p) < key(q); });
}

TEST(SelfPairs, TheFirstIsTheEarliestOfAll) {
  RandomLinks random(503);
  std::size_t of_self = 0;
  std::size_t of_room = 0;
  for (int i = 0; i < 40; ++i) {
    const RandomTake take = test::random_take(random, 7, 12, 0.5, 0.2);
    const Environment room = test::random_room(random, 3, 10, 1.5);
    const LinkPairs self = LinkPairs::of(take.avatar);
    const Detector all = Detector::make(room).value();
    const Detector first = Detector::make(room, {.contacts = Contacts::kFirst}).value();
    for (const Step& step : StepList(take.motion.steps().value())) {
      const StepReport want = all.check({take.avatar, {}, self}, step);
      const StepReport got = first.check({take.avatar, {}, self}, step);
      EXPECT_EQ(got.safe_until, want.safe_until);
      ASSERT_EQ(got.contacts.empty(), want.contacts.empty());
      if (want.contacts.empty()) continue;
      ASSERT_EQ(got.contacts.size(), 1U);
      EXPECT_EQ(got.contacts[0], earliest(want.contacts));
      (got.contacts[0].other() ? of_self : of_room) += 1;
    }
  }
  EXPECT_GT(of_self, 20U);
  EXPECT_GT(of_room, 20U);
}

TEST(SelfPairs, ClearancesKnowOfTheOtherLinks) {
  RandomLinks random(504);
  std::size_t bounded = 0;
  for (int i = 0; i < 12; ++i) {
    const RandomTake take = test::random_take(random, 7, 4, 0.3, 0.1);
    const Environment room = i % 2 == 0 ? Environment{} : test::random_room(random, 2, 10, 2.0);
    const LinkPairs self = LinkPairs::of(take.avatar);
    const Detector detector = Detector::make(room, {.clearance = true}).value();
    for (const Step& step : StepList(take.motion.steps().value())) {
      const StepReport alone = detector.check(take.avatar, step);
      const StepReport report = detector.check({take.avatar, {}, self}, step);
      const test::Motions motions(take.avatar, step);
      for (std::size_t a = 0; a < motions.size(); ++a) {
        double least = alone.clearances[a];
        double fastest = 0.0;
        for (std::size_t b = 0; b < motions.size(); ++b) {
          if (!self.active(static_cast<int>(a), static_cast<int>(b))) continue;
          fastest = std::max(fastest, motions[a].speed + motions[b].speed);
          for (int k = 0; k <= 50; ++k) {
            const double apart = test::sampled_distance(core::evaluate(motions[a], 0.02 * k),
                                                        core::evaluate(motions[b], 0.02 * k),
                                                        motions[b].ref - motions[a].ref, 50);
            least = std::min(least, apart - motions[a].radius - motions[b].radius);
          }
        }
        const double got = report.clearances[a];
        EXPECT_LE(got, std::max(least, 0.0) + 1e-12);
        if (got > 0.0 && least < alone.clearances[a]) {
          ++bounded;
          // Sampled at 51 times and points: the truth is less by what happens between.
          EXPECT_GE(got, 0.98 * least - 2.1e-3 - 0.01 * fastest - 0.01);
        }
      }
    }
  }
  EXPECT_GT(bounded, 30U);
}

}  // namespace
}  // namespace tocsin::self_pairs_test
