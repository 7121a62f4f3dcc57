// Whole steps: what the tree culls changes nothing; neither do threads, order, or --contacts first.
#include "tocsin/detector.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <stop_token>
#include <string>
#include <tuple>
#include <vector>

#include "core/query/certify.h"
#include "detect/step/pair_contact.h"
#include "scene/swept/step_motion.h"
#include "support/scenes/random_scene.h"

namespace tocsin::detector_test {
namespace {

using test::RandomLinks;
using test::RandomTake;

/// Every link against every triangle, no tree, no pruning.
std::vector<Contact> without_culling(const Avatar& avatar, const Step& step,
                                     const Environment& room, double margin) {
  scene::StepMotion motion;
  motion.set(avatar, step, margin, {});
  std::vector<Contact> out;
  for (std::size_t l = 0; l < motion.links().size(); ++l) {
    const core::LinkMotion& link = motion.links()[l].motion;
    const core::AxisState at0 = core::evaluate(link, 0);
    for (std::uint32_t o = 0; o < room.objects().size(); ++o) {
      detect::PairContact pair;
      const Object& object = room.objects()[o];
      for (std::uint32_t t = object.triangle_count; t-- > 0;) {
        const auto v = room.corners(object.first_triangle + t);
        const core::Triangle triangle{{core::to_double(v[0]) - link.ref,
                                       core::to_double(v[1]) - link.ref,
                                       core::to_double(v[2]) - link.ref}};
        pair.add(t, core::certify(link, at0, triangle, 1e-9, core::kToEnd));
      }
      if (!pair.any()) continue;
      Contact c;
      c.link = static_cast<std::int32_t>(l);
      c.touched = RoomTriangle{o, pair.triangle()};
      pair.set(c);
      out.push_back(c);
    }
  }
  return out;
}

TEST(Detector, CullingAndPruningChangeNothing) {
  RandomLinks random(101);
  std::size_t contacts = 0;
  std::size_t pairs = 0;
  for (int i = 0; i < 60; ++i) {
    const RandomTake take = test::random_take(random, 6, 4, i % 2 == 0 ? 0.3 : 3.0, 0.4);
    const Environment room = test::random_room(random, 4, 30, 1.5);
    const Detector detector = Detector::make(room, {.margin = 0.005}).value();
    const InBetween kind = i % 3 == 0 ? InBetween::kTranslateRotate : InBetween::kScrew;
    for (const Step& step : take.motion.steps({.in_between = kind}).value()) {
      const StepReport report = detector.check(take.avatar, step);
      ASSERT_FALSE(report.error);
      const std::vector<Contact> want = without_culling(take.avatar, step, room, 0.005);
      ASSERT_EQ(report.contacts.size(), want.size());
      for (std::size_t k = 0; k < want.size(); ++k) {
        const Contact& got = report.contacts[k];
        EXPECT_EQ(got.link, want[k].link);
        EXPECT_EQ(got.touched, want[k].touched);
        EXPECT_EQ(got.status, want[k].status);
        EXPECT_EQ(got.toc, want[k].toc);
      }
      contacts += want.size();
      pairs += take.avatar.links().size() * room.objects().size();
    }
  }
  EXPECT_GT(contacts, pairs / 20);
  EXPECT_LT(contacts, pairs * 19 / 20);
}

TEST(Detector, RunEqualsCheckOnAnyNumberOfThreads) {
  RandomLinks random(102);
  const RandomTake take = test::random_take(random, 8, 1300, 0.2, 0.2);
  const Environment room = test::random_room(random, 5, 40, 2.0);
  const Detector detector = Detector::make(room, {}).value();
  const StepList steps = take.motion.steps().value();
  std::vector<StepReport> want;
  for (const Step& step : steps) want.push_back(detector.check(take.avatar, step));
  for (const int threads : {1, 2, 4, 0}) {
    std::size_t next = 0;
    const Status status =
        detector.run(take.avatar, steps, {.threads = threads}, [&](const StepReport& report) {
          EXPECT_EQ(report.step, want[next].step);
          EXPECT_EQ(report.contacts, want[next].contacts);
          EXPECT_EQ(report.safe_until, want[next].safe_until);
          ++next;
          return true;
        });
    EXPECT_TRUE(status.ok());
    EXPECT_EQ(next, steps.size());
  }
}

TEST(Detector, FirstIsTheEarliestOfThePairs) {
  RandomLinks random(103);
  int seen = 0;
  for (int i = 0; i < 80; ++i) {
    const RandomTake take = test::random_take(random, 6, 4, 0.8, 0.5);
    const Environment room = test::random_room(random, 6, 20, 1.5);
    const Detector pairs = Detector::make(room, {}).value();
    const Detector first = Detector::make(room, {.contacts = Contacts::kFirst}).value();
    for (const Step& step : take.motion.steps().value()) {
      const StepReport all = pairs.check(take.avatar, step);
      const StepReport one = first.check(take.avatar, step);
      EXPECT_EQ(one.safe_until, all.safe_until);
      ASSERT_EQ(one.contacts.size(), all.contacts.empty() ? 0U : 1U);
      if (all.contacts.empty()) continue;
      ++seen;
      const auto want = std::min_element(all.contacts.begin(), all.contacts.end(),
                                         [](const Contact& p, const Contact& q) {
                                           return p.toc != q.toc ? p.toc < q.toc : p.link < q.link;
                                         });
      EXPECT_EQ(one.contacts[0], *want);
    }
  }
  EXPECT_GT(seen, 50);
}

// With wide brackets a pair that begins first may owe its end to a triangle that another pair's
// touch has pruned.
TEST(Detector, FirstIsTheEarliestOfThePairsWithWideBracketsToo) {
  RandomLinks random(78);
  int seen = 0;
  for (int i = 0; i < 3000; ++i) {
    const double tolerance = i % 2 == 0 ? 0.2 : 1.0;
    const RandomTake take = test::random_take(random, 5, 3, 0.3, 1.5);
    const Environment room = test::random_room(random, 2 + i % 3, 15, 0.9);
    const Detector pairs = Detector::make(room, {.tolerance = tolerance}).value();
    const Detector first =
        Detector::make(room, {.contacts = Contacts::kFirst, .tolerance = tolerance}).value();
    for (const Step& step : take.motion.steps().value()) {
      const StepReport all = pairs.check(take.avatar, step);
      if (all.contacts.empty()) continue;
      ++seen;
      const auto order = [](const Contact& c) { return std::tuple(c.toc, c.link, c.touched); };
      const auto want =
          std::min_element(all.contacts.begin(), all.contacts.end(),
                           [&](const Contact& p, const Contact& q) { return order(p) < order(q); });
      EXPECT_EQ(first.check(take.avatar, step).contacts, std::vector<Contact>{*want}) << i;
    }
  }
  EXPECT_GT(seen, 500);
}

TEST(Detector, RefusesActivePairsOfAnotherRoom) {
  RandomLinks random(104);
  const RandomTake take = test::random_take(random, 6, 3, 0.3, 0.3);
  const Environment room = test::random_room(random, 4, 20, 1.5);
  const Environment other = test::random_room(random, 2, 20, 1.5);
  const std::vector<std::string> patterns{"*:*"};
  const ActivePairs active = ActivePairs::ignoring(take.avatar, other, patterns).value();
  const StepReport report =
      Detector::make(room)->check({take.avatar, active}, take.motion.steps().value()[0]);
  ASSERT_TRUE(report.error);
  EXPECT_EQ(report.error->code, ErrorCode::kUsage);
  EXPECT_EQ(report.safe_until, 0.0);
}

TEST(Detector, ContactsLieWhereTheySay) {
  RandomLinks random(104);
  int hits = 0;
  for (int i = 0; i < 60; ++i) {
    const RandomTake take = test::random_take(random, 5, 3, 0.5, 0.5);
    const Environment room = test::random_room(random, 4, 20, 1.5);
    const Detector detector = Detector::make(room, {}).value();
    for (const Step& step : take.motion.steps().value()) {
      scene::StepMotion motion;
      motion.set(take.avatar, step, 0, {});
      for (const Contact& c : detector.check(take.avatar, step).contacts) {
        const core::LinkMotion& link = motion.links()[static_cast<std::size_t>(c.link)].motion;
        const auto& [object, triangle] = *c.room();
        const auto v = room.corners(room.objects()[object].first_triangle + triangle);
        const Vec3 v0 = core::to_double(v[0]);
        const Vec3 n = core::cross(core::to_double(v[1]) - v0, core::to_double(v[2]) - v0);
        EXPECT_LT(std::fabs(core::dot(n, c.point - v0)), 1e-9 * core::norm(n)) << "on the plane";
        if (c.status != ContactStatus::kHit) continue;
        ++hits;
        ASSERT_TRUE(c.normal.has_value());
        EXPECT_NEAR(core::norm(*c.normal), 1.0, 1e-12);
        // From the point along the normal by the radius lies the axis, at lo.
        const core::AxisState s = core::evaluate(link, c.toc[0]);
        const Vec3 axis = c.point + link.radius * *c.normal - link.ref;
        const Vec3 d = s.b - s.a;
        const double t = core::clamp_to(core::dot(axis - s.a, d) / core::dot(d, d), 0, 1);
        EXPECT_LT(core::norm(axis - (s.a + t * d)), 1e-6);
      }
    }
  }
  EXPECT_GT(hits, 50);
}

TEST(Detector, StillStepsSeeOnlyThePoses) {
  RandomLinks random(105);
  const RandomTake take = test::random_take(random, 5, 40, 0.5, 0.5);
  const Environment room = test::random_room(random, 4, 40, 1.5);
  const Detector detector = Detector::make(room, {}).value();
  std::size_t seen = 0;
  for (const Step& step : take.motion.steps({.still = true}).value()) {
    EXPECT_EQ(step.frames()[0], step.frames()[1]);
    for (const Contact& c : detector.check(take.avatar, step).contacts) {
      EXPECT_EQ(c.status, ContactStatus::kOverlap);
      ++seen;
    }
  }
  EXPECT_GT(seen, 10U);
}

TEST(Detector, AnEmptyRoomIsSafe) {
  RandomLinks random(106);
  const RandomTake take = test::random_take(random, 5, 2, 0.5, 0.5);
  const Detector detector = Detector::make(Environment(), {}).value();
  const StepReport report = detector.check(take.avatar, take.motion.steps().value()[0]);
  EXPECT_FALSE(report.error);
  EXPECT_TRUE(report.contacts.empty());
  EXPECT_EQ(report.safe_until, 1.0);
}

TEST(Detector, AnErrorIsNeverNoContact) {
  RandomLinks random(107);
  const RandomTake take = test::random_take(random, 5, 2, 0.5, 0.5);
  const Step step = take.motion.steps().value()[0];
  const Result<Environment> failed(ErrorCode::kInput, "house.obj:3: torn in half");
  EXPECT_THROW(static_cast<void>(Detector::make(*failed)), Exception);

  const Detector fine = Detector::make(Environment(), {}).value();
  EXPECT_TRUE(fine.check(Avatar(), step).error.has_value());
  EXPECT_THROW(static_cast<void>(fine.check(Avatar(), step).value()), Exception);
  const StepReport unanswered = fine.check(take.avatar, Step());
  try {
    ADD_FAILURE() << unanswered.value().contacts.size() << " contacts of no answer";
  } catch (const Exception& exception) {
    EXPECT_EQ(exception.error().message, unanswered.error->message);
  }
  EXPECT_EQ(fine.check(take.avatar, step).value().safe_until, 1.0);
  EXPECT_TRUE(fine.check(take.avatar, Step()).error.has_value());
  EXPECT_EQ(fine.check(Avatar(), step).safe_until, 0.0);
  const std::vector<Step> steps{step};
  EXPECT_FALSE(fine.run(Avatar(), steps, {}, [](const StepReport&) { return true; }).ok());
}

TEST(Detector, OptionsOutOfRangeAreErrors) {
  const Environment room;
  for (const DetectorOptions& o :
       {DetectorOptions{.margin = -1}, DetectorOptions{.margin = std::nan("")},
        DetectorOptions{.tolerance = 0}, DetectorOptions{.tolerance = 2}}) {
    const Result<Detector> detector = Detector::make(room, o);
    ASSERT_FALSE(detector);
    EXPECT_EQ(detector.error().code, ErrorCode::kUsage);
  }
}

TEST(Detector, StopsWhenTold) {
  RandomLinks random(108);
  const RandomTake take = test::random_take(random, 5, 50, 0.5, 0.5);
  const Detector detector = Detector::make(test::random_room(random, 2, 10, 1.0), {}).value();
  const StepList steps = take.motion.steps().value();
  std::stop_source stop;
  stop.request_stop();
  const Status status = detector.run(take.avatar, steps, {.stop = stop.get_token()},
                                     [](const StepReport&) { return true; });
  ASSERT_FALSE(status.ok());
  EXPECT_EQ(status.error().code, ErrorCode::kCancelled);
  int taken = 0;
  const Status by_sink =
      detector.run(take.avatar, steps, {}, [&](const StepReport&) { return ++taken < 3; });
  EXPECT_EQ(by_sink.error().code, ErrorCode::kCancelled);
  EXPECT_EQ(taken, 3);
}

}  // namespace
}  // namespace tocsin::detector_test
