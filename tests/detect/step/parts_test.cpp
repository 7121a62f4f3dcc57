// A step that is checked in parts: what any budget leaves is a part of the whole report, and the
// parts together are the whole.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <stop_token>
#include <utility>
#include <vector>

#include "detect/shapes/random_shape.h"
#include "support/scenes/grid_solids.h"
#include "support/scenes/random_crowd.h"
#include "tocsin/crowd.h"
#include "tocsin/detector.h"
#include "tocsin/stream.h"

namespace tocsin::parts_test {
namespace {

using test::RandomLinks;

void expect_same(const StepReport& got, const StepReport& want) {
  EXPECT_TRUE(got.complete);
  EXPECT_EQ(got.checked_until, 1.0);
  EXPECT_EQ(got.step, want.step);
  EXPECT_EQ(got.frames, want.frames);
  EXPECT_EQ(got.safe_until, want.safe_until);
  EXPECT_EQ(got.contacts, want.contacts);
  EXPECT_EQ(got.clearances, want.clearances);
  EXPECT_FALSE(got.error);
}

/// What a budget has left, beside the whole.
void expect_part(const StepReport& got, const StepReport& want, Contacts contacts) {
  ASSERT_FALSE(got.error);
  EXPECT_EQ(got.frames, want.frames);
  EXPECT_EQ(got.clearances, std::vector<double>(want.clearances.size(), 0.0));
  if (got.checked_until >= 1.0) return;  // clearances are left
  if (contacts == Contacts::kFirst) {
    EXPECT_TRUE(got.contacts.empty());
    EXPECT_LE(got.checked_until, want.safe_until);
    EXPECT_EQ(got.safe_until, got.checked_until);
    return;
  }
  std::vector<Contact> until = want.contacts;
  std::erase_if(until, [&](const Contact& c) { return c.toc[0] >= got.checked_until; });
  EXPECT_EQ(got.contacts, until);
  EXPECT_EQ(got.safe_until, std::min(got.checked_until, want.safe_until));
}

struct Totals {
  std::size_t steps = 0;
  std::size_t parts = 0;
  std::size_t with_time = 0;      ///< parts that prove some, and not all
  std::size_t with_contacts = 0;  ///< parts that tell contacts
  std::size_t held_back = 0;      ///< parts before which not all contacts begin
};

void count(Totals& totals, const StepReport& got, const StepReport& want) {
  ++totals.parts;
  totals.with_time += got.checked_until > 0.0 && got.checked_until < 1.0 ? 1 : 0;
  totals.with_contacts += got.contacts.empty() ? 0 : 1;
  totals.held_back += got.contacts.size() < want.contacts.size() ? 1 : 0;
}

/// One unit of work after the other, and budgets of as many units at once.
void check_all_budgets(const Detector& detector, const Member& member, const Step& step,
                       Totals& totals) {
  const StepReport want = detector.check(member, step);
  ASSERT_FALSE(want.error);
  const Contacts contacts = detector.options().contacts;
  Stream stream(detector, member);
  StepReport got = stream.check_within(step, {.work = 1});
  double before = 0.0;
  for (std::uint64_t work = 1; !got.complete; ++work) {
    expect_part(got, want, contacts);
    EXPECT_GE(got.checked_until, before);
    before = got.checked_until;
    count(totals, got, want);
    if (work < 40 || work % 37 == 0) {
      const StepReport at_once = detector.check_within(member, step, {.work = work});
      EXPECT_FALSE(at_once.complete);
      EXPECT_EQ(at_once.checked_until, got.checked_until);
      EXPECT_EQ(at_once.contacts, got.contacts);
      EXPECT_EQ(at_once.safe_until, got.safe_until);
    }
    ASSERT_TRUE(stream.has_rest());
    got = stream.go_on({.work = 1});
    if (testing::Test::HasFailure()) return;
  }
  expect_same(got, want);
  EXPECT_FALSE(stream.has_rest());
  expect_same(detector.check_within(member, step, {}), want);
  expect_same(stream.check_within(step, {}), want);
  ++totals.steps;
}

void expect_enough(const Totals& totals) {
  EXPECT_GT(totals.parts, 4 * totals.steps);
  EXPECT_GT(totals.with_time, totals.parts / 10);
  EXPECT_GT(totals.with_contacts, totals.parts / 20);
  EXPECT_GT(totals.held_back, totals.parts / 20);
}

TEST(Parts, OfRandomRooms) {
  RandomLinks random(211);
  Totals totals;
  for (int i = 0; i < 60; ++i) {
    const test::RandomTake take = test::random_take(random, 6, 4, i % 3 == 0 ? 1.5 : 0.3, 0.4);
    const Environment room = test::random_room(random, 5, 30, i % 2 == 0 ? 1.5 : 3.0);
    DetectorOptions options;
    if (i % 4 == 1) options.contacts = Contacts::kFirst;
    if (i % 4 == 2) options.margin = 0.03;
    if (i % 4 == 3) options.tolerance = 0.2;  // wide brackets
    options.clearance = i % 5 == 0;
    const Detector detector = Detector::make(room, options).value();
    const LinkPairs self = i % 2 == 0 ? LinkPairs::of(take.avatar) : LinkPairs{};
    for (const Step& step : take.motion.steps().value()) {
      check_all_budgets(detector, {take.avatar, {}, self}, step, totals);
      if (HasFailure()) return;
    }
  }
  expect_enough(totals);
}

/// The avatar with a shape in place of every other link.
Avatar with_shapes(RandomLinks& random, const Avatar& avatar, int number) {
  std::vector<Link> links(avatar.links().begin(), avatar.links().end());
  for (std::size_t i = static_cast<std::size_t>(number) % 2; i < links.size(); i += 2) {
    Shape shape = test::random_shape(random, number + static_cast<int>(i), 0.15);
    links[i] = link_of_shape(links[i].name, links[i].joint, std::move(shape));
  }
  return Avatar::create("shaped", avatar.skeleton(), std::move(links)).value();
}

TEST(Parts, OfShapes) {
  RandomLinks random(212);
  Totals totals;
  for (int i = 0; i < 60; ++i) {
    const test::RandomTake take = test::random_take(random, 5, 3, i % 3 == 0 ? 1.0 : 0.2, 0.3);
    const Avatar avatar = with_shapes(random, take.avatar, i);
    const Environment room = test::random_room(random, 3, 12, 1.5);
    DetectorOptions options;
    if (i % 4 == 1) options.contacts = Contacts::kFirst;
    options.clearance = i % 6 == 0;
    const Detector detector = Detector::make(room, options).value();
    for (const Step& step : take.motion.steps().value()) {
      check_all_budgets(detector, {avatar, {}, LinkPairs::of(avatar)}, step, totals);
      if (HasFailure()) return;
    }
  }
  expect_enough(totals);
}

// Links that begin inside of a crate are in contact with it, whatever its surface says later.
TEST(Parts, OfSolids) {
  RandomLinks random(213);
  Totals totals;
  std::size_t inside = 0;
  for (int i = 0; i < 40; ++i) {
    const float beside = 0.4F * static_cast<float>(i % 4);
    const std::vector<Environment> parts = {
        Environment::create(
            {test::turned(test::box_mesh("walls", {-6, -6, -6}, {6, 6, 6})),
             test::box_mesh("crate", {beside - 0.8F, -0.7F, -0.9F}, {beside + 0.3F, 0.8F, 0.7F})})
            .value(),
        test::random_room(random, 2, 12, 1.5)};
    const Environment room = Environment::merge(parts).value();
    const Detector detector =
        Detector::make(room, {.contacts = i % 4 == 1 ? Contacts::kFirst : Contacts::kPairs})
            .value();
    const test::RandomTake take = test::random_take(random, 6, 3, 0.5, 0.4);
    const Avatar avatar = i % 3 == 0 ? with_shapes(random, take.avatar, i) : take.avatar;
    for (const Step& step : take.motion.steps().value()) {
      for (const Contact& c : detector.check(avatar, step).contacts) inside += c.inside ? 1 : 0;
      check_all_budgets(detector, {avatar, {}, {}}, step, totals);
      if (HasFailure()) return;
    }
  }
  expect_enough(totals);
  EXPECT_GT(inside, 20U);
}

// More triangles are near than are kept between the two looks at a link.
TEST(Parts, OfCrowdedRooms) {
  RandomLinks random(214);
  Totals totals;
  for (int i = 0; i < 4; ++i) {
    const test::RandomTake take = test::random_take(random, 8, 2, 1.0, 0.3);
    const Environment room = test::random_room(random, 60, 1500, 1.5);
    const Detector detector =
        Detector::make(room, {.contacts = i == 1 ? Contacts::kFirst : Contacts::kPairs}).value();
    const Step step = take.motion.steps().value()[0];
    EXPECT_GT(detector.check(take.avatar, step).counters.candidates, 6000U);
    check_all_budgets(detector, {take.avatar, {}, LinkPairs::of(take.avatar)}, step, totals);
  }
  expect_enough(totals);
}

/// All reports of an instant are checked until one time, and have all contacts before it.
double expect_parts(const std::vector<StepReport>& got, const std::vector<StepReport>& want,
                    Contacts contacts, Totals& totals) {
  const double until = got.front().checked_until;
  for (std::size_t i = 0; i < got.size(); ++i) {
    EXPECT_EQ(got[i].avatar, want[i].avatar);
    EXPECT_EQ(got[i].checked_until, until);
    if (until < 1.0) {
      EXPECT_FALSE(got[i].complete);
    }
    if (got[i].complete) {
      expect_same(got[i], want[i]);
    } else {
      expect_part(got[i], want[i], contacts);
      count(totals, got[i], want[i]);
    }
  }
  return until;
}

// Of avatars that meet: a budget for each, and for every two.
TEST(Parts, OfMeetings) {
  RandomLinks random(217);
  Totals totals;
  for (int i = 0; i < 24; ++i) {
    const test::RandomCrowd crowd = test::random_crowd(random, 4, 4, 0.6, i % 2 == 0);
    DetectorOptions options;
    if (i % 4 == 1) options.contacts = Contacts::kFirst;
    if (i % 4 == 3) options.tolerance = 0.2;
    options.clearance = i % 6 == 0;
    const Environment room = i % 3 == 0 ? Environment() : test::random_room(random, 3, 20, 2.0);
    const Detector detector = Detector::make(room, options).value();
    Crowd remembers(detector, crowd.members);
    for (std::size_t instant = 0; instant < 3; ++instant) {
      const std::vector<Step> steps = crowd.at(instant);
      const auto want = detector.check_batch(crowd.members, steps, {.meet = true});
      double before = 0.0;
      bool complete = false;
      for (std::uint64_t work = 1; !complete; work += 1 + work / 8) {
        RunOptions run{.meet = true, .threads = 1};
        run.budget = StepBudget{.work = work};
        const auto got = detector.check_batch(crowd.members, steps, run);
        const double until = expect_parts(got, want, options.contacts, totals);
        EXPECT_GE(until, before);
        before = until;
        complete = std::all_of(got.begin(), got.end(), [](const auto& r) { return r.complete; });
        run.threads = 3;
        const auto again = remembers.check(steps, run);
        EXPECT_EQ(expect_parts(again, want, options.contacts, totals), until);
        if (HasFailure()) return;
      }
      ++totals.steps;
    }
  }
  expect_enough(totals);
}

TEST(Parts, OfAvatarsThatDoNotMeet) {
  RandomLinks random(218);
  Totals totals;
  const test::RandomCrowd crowd = test::random_crowd(random, 40, 2, 0.6, true);
  const Detector detector = Detector::make(test::random_room(random, 5, 60, 1.5)).value();
  const std::vector<Step> steps = crowd.at(0);
  const auto want = detector.check_batch(crowd.members, steps);
  for (std::uint64_t work = 1; work < 200; work += 3) {
    RunOptions run;
    run.budget = StepBudget{.work = work};
    const auto got = detector.check_batch(crowd.members, steps, run);
    for (std::size_t i = 0; i < got.size(); ++i) {
      if (got[i].complete) {
        expect_same(got[i], want[i]);
        ++totals.steps;
      } else {
        expect_part(got[i], want[i], Contacts::kPairs);
        count(totals, got[i], want[i]);
      }
    }
  }
  EXPECT_GT(totals.steps, 20U);
  EXPECT_GT(totals.with_time, 10U);
  // A stop is no budget: nothing is told.
  std::stop_source stop;
  stop.request_stop();
  RunOptions stopped{.stop = stop.get_token()};
  stopped.budget = StepBudget{};
  for (const StepReport& report : detector.check_batch(crowd.members, steps, stopped)) {
    EXPECT_EQ(report.error->code, ErrorCode::kCancelled);
  }
}

TEST(Parts, EndByTheClock) {
  RandomLinks random(215);
  const test::RandomTake take = test::random_take(random, 8, 2, 1.0, 0.3);
  const Detector detector = Detector::make(test::random_room(random, 10, 60, 1.2)).value();
  const Step step = take.motion.steps().value()[0];
  const StepReport want = detector.check(take.avatar, step);
  // Whose time is over: each call does one unit of work.
  const StepBudget over{.until = std::chrono::steady_clock::time_point()};
  Stream stream(detector, take.avatar);
  StepReport got = stream.check_within(step, over);
  std::size_t calls = 1;
  for (; !got.complete; ++calls) got = stream.go_on(over);
  expect_same(got, want);
  EXPECT_GT(calls, 20U);
  const StepBudget long_time{.until = std::chrono::steady_clock::now() + std::chrono::hours(1)};
  expect_same(detector.check_within(take.avatar, step, long_time), want);
}

TEST(Parts, GoOnWithTheLastStepOnly) {
  RandomLinks random(216);
  const test::RandomTake take = test::random_take(random, 8, 3, 1.0, 0.3);
  const Detector detector = Detector::make(test::random_room(random, 10, 60, 1.2)).value();
  const StepList steps = take.motion.steps().value();
  Stream stream(detector, take.avatar);
  EXPECT_EQ(stream.go_on({}).error->code, ErrorCode::kUsage);
  EXPECT_FALSE(stream.check_within(steps[0], {.work = 9}).complete);
  expect_same(stream.check(steps[1]), detector.check(take.avatar, steps[1]));
  EXPECT_FALSE(stream.has_rest());
  EXPECT_EQ(stream.go_on({}).error->code, ErrorCode::kUsage);
  // Another step in its place; and one that is stopped.
  EXPECT_FALSE(stream.check_within(steps[0], {.work = 9}).complete);
  EXPECT_FALSE(stream.check_within(steps[1], {.work = 3}).complete);
  expect_same(stream.go_on({}), detector.check(take.avatar, steps[1]));
  std::stop_source stop;
  EXPECT_FALSE(stream.check_within(steps[0], {.work = 9}).complete);
  stop.request_stop();
  EXPECT_EQ(stream.go_on({.stop = stop.get_token()}).error->code, ErrorCode::kCancelled);
  EXPECT_FALSE(stream.has_rest());
  expect_same(stream.check_within(steps[0], {}), detector.check(take.avatar, steps[0]));
  // A step of another skeleton.
  const test::RandomTake other = test::random_take(random, 5, 2, 1.0, 0.3);
  EXPECT_TRUE(stream.check_within(other.motion.steps().value()[0], {}).error);
  EXPECT_FALSE(stream.has_rest());
}

}  // namespace
}  // namespace tocsin::parts_test
