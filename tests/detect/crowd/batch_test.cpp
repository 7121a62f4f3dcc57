// Several avatars checked together: each as alone, and their meeting as all pairs asked one by one.
#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <stop_token>
#include <tuple>
#include <vector>

#include "support/scenes/random_crowd.h"
#include "tocsin/detector.h"

namespace tocsin::batch_test {
namespace {

using test::RandomCrowd;
using test::RandomLinks;

void expect_same(const StepReport& got, const StepReport& want) {
  EXPECT_EQ(got.step, want.step);
  EXPECT_EQ(got.frames, want.frames);
  EXPECT_EQ(got.avatar, want.avatar);
  EXPECT_EQ(got.safe_until, want.safe_until);
  EXPECT_EQ(got.contacts, want.contacts);
  EXPECT_EQ(got.clearances, want.clearances);
  ASSERT_EQ(got.error.has_value(), want.error.has_value());
  if (got.error) {
    EXPECT_EQ(got.error->message, want.error->message);
  }
}

void expect_same(const std::vector<StepReport>& got, const std::vector<StepReport>& want) {
  ASSERT_EQ(got.size(), want.size());
  for (std::size_t i = 0; i < got.size(); ++i) expect_same(got[i], want[i]);
}

/// The report of one member as Detector::check gives it, under its name in the batch.
StepReport alone(const Detector& detector, const Member& member, const Step& step,
                 std::size_t index) {
  StepReport out = detector.check(member, step);
  out.avatar = static_cast<std::int32_t>(index);
  for (Contact& c : out.contacts) {
    if (c.other()) c.other()->avatar = out.avatar;
  }
  return out;
}

auto place_of(const Contact& c) { return std::tuple(c.link, c.touched); }

bool of_meeting(const Contact& c, std::size_t avatar) {
  return c.other() && c.other()->avatar != static_cast<std::int32_t>(avatar);
}

struct Totals {
  std::size_t pairs = 0;
  std::size_t touching = 0;
  std::size_t hits = 0;
};

/// What meeting adds to each avatar's contacts: every link against every link of every avatar that
/// comes later.
std::vector<std::vector<Contact>> brute_force(const RandomCrowd& crowd,
                                              const std::vector<Step>& steps,
                                              const DetectorOptions& options, Totals& totals) {
  std::vector<test::Motions> motions;
  std::vector<std::vector<Contact>> out(steps.size());
  motions.reserve(steps.size());
  for (std::size_t i = 0; i < steps.size(); ++i) {
    motions.emplace_back(crowd.members[i].avatar, steps[i], options.margin);
  }
  for (std::size_t p = 0; p < steps.size(); ++p) {
    for (std::size_t q = p + 1; q < steps.size(); ++q) {
      for (std::size_t i = 0; i < motions[p].size(); ++i) {
        for (std::size_t j = 0; j < motions[q].size(); ++j) {
          ++totals.pairs;
          const auto c = test::contact_of(motions[p], i, motions[q], j,
                                          static_cast<std::int32_t>(q), options.tolerance);
          if (!c) continue;
          ++totals.touching;
          if (c->status == ContactStatus::kHit) ++totals.hits;
          out[p].push_back(*c);
        }
      }
    }
  }
  for (auto& list : out) {
    std::sort(list.begin(), list.end(),
              [](const Contact& a, const Contact& b) { return place_of(a) < place_of(b); });
  }
  return out;
}

void expect_same_times(const std::vector<Contact>& got, const std::vector<Contact>& want) {
  ASSERT_EQ(got.size(), want.size());
  for (std::size_t i = 0; i < got.size(); ++i) {
    EXPECT_EQ(place_of(got[i]), place_of(want[i]));
    EXPECT_EQ(got[i].status, want[i].status);
    EXPECT_EQ(got[i].toc, want[i].toc);
    EXPECT_EQ(got[i].limited, want[i].limited);
  }
}

TEST(Batch, WithoutMeetingEverybodyIsAlone) {
  RandomLinks random(601);
  std::size_t contacts = 0;
  for (int i = 0; i < 12; ++i) {
    const RandomCrowd crowd = test::random_crowd(random, 1 + i % 5, 5, 0.5, i % 2 == 0);
    const Environment room = i % 3 == 0 ? Environment{} : test::random_room(random, 3, 20, 1.5);
    const Detector detector =
        Detector::make(room, {.margin = i % 4 == 0 ? 0.02 : 0.0, .clearance = i % 5 == 0}).value();
    for (std::size_t t = 0; t < 4; ++t) {
      const std::vector<Step> steps = crowd.at(t);
      const std::vector<StepReport> reports = detector.check_batch(crowd.members, steps);
      ASSERT_EQ(reports.size(), steps.size());
      for (std::size_t m = 0; m < steps.size(); ++m) {
        expect_same(reports[m], alone(detector, crowd.members[m], steps[m], m));
        contacts += reports[m].contacts.size();
      }
    }
  }
  EXPECT_GT(contacts, 50U);
}

TEST(Batch, MeetingsAreAllPairsAskedOneByOne) {
  RandomLinks random(602);
  Totals totals;
  for (int i = 0; i < 30; ++i) {
    const RandomCrowd crowd =
        test::random_crowd(random, 2 + i % 6, 4, i % 3 == 0 ? 0.3 : 1.2, i % 2 == 0);
    const Environment room = i % 3 == 0 ? Environment{} : test::random_room(random, 3, 20, 1.5);
    DetectorOptions options;
    options.margin = i % 4 == 0 ? 0.02 : 0.0;
    options.tolerance = i % 5 == 0 ? 1e-4 : 1e-9;
    const Detector detector = Detector::make(room, options).value();
    for (std::size_t t = 0; t < 3; ++t) {
      const std::vector<Step> steps = crowd.at(t);
      const auto reports = detector.check_batch(crowd.members, steps, {.meet = true});
      const auto want = brute_force(crowd, steps, options, totals);
      ASSERT_EQ(reports.size(), steps.size());
      std::vector<double> safe;
      for (std::size_t m = 0; m < steps.size(); ++m) {
        ASSERT_FALSE(reports[m].error);
        EXPECT_EQ(reports[m].avatar, static_cast<std::int32_t>(m));
        const StepReport own = alone(detector, crowd.members[m], steps[m], m);
        safe.push_back(own.safe_until);
        std::vector<Contact> met;
        std::vector<Contact> others;
        for (const Contact& c : reports[m].contacts) {
          (of_meeting(c, m) ? met : others).push_back(c);
        }
        EXPECT_EQ(others, own.contacts);
        expect_same_times(met, want[m]);
        EXPECT_GE(reports[m].counters.link_pairs, met.size());
        EXPECT_TRUE(std::is_sorted(
            reports[m].contacts.begin(), reports[m].contacts.end(),
            [](const Contact& a, const Contact& b) { return place_of(a) < place_of(b); }));
      }
      for (std::size_t m = 0; m < steps.size(); ++m) {
        for (const Contact& c : want[m]) {
          safe[m] = std::min(safe[m], c.toc[0]);
          const auto other = static_cast<std::size_t>(c.other()->avatar);
          safe[other] = std::min(safe[other], c.toc[0]);
        }
      }
      for (std::size_t m = 0; m < steps.size(); ++m) EXPECT_EQ(reports[m].safe_until, safe[m]);
    }
  }
  EXPECT_GT(totals.touching, totals.pairs / 50);
  EXPECT_LT(totals.touching, totals.pairs / 2);
  EXPECT_GT(totals.hits, 100U);
}

TEST(Batch, ThreadsDoNotShow) {
  RandomLinks random(603);
  const RandomCrowd crowd = test::random_crowd(random, 40, 3, 2.0, true);
  const Detector detector =
      Detector::make(test::random_room(random, 3, 20, 1.5), {.clearance = true}).value();
  const std::vector<Step> steps = crowd.at(0);
  const auto want = detector.check_batch(crowd.members, steps, {.meet = true, .threads = 1});
  std::size_t met = 0;
  for (const StepReport& report : want) met += report.contacts.size();
  EXPECT_GT(met, 100U);
  for (const int threads : {0, 2, 8}) {
    expect_same(detector.check_batch(crowd.members, steps, {.meet = true, .threads = threads}),
                want);
  }
}

TEST(Batch, OthersDoNotShow) {
  RandomLinks random(604);
  std::size_t met = 0;
  for (int i = 0; i < 20; ++i) {
    const RandomCrowd crowd = test::random_crowd(random, 9, 2, 0.8, true);
    const Detector detector = Detector::make(test::random_room(random, 2, 20, 1.5)).value();
    const std::vector<Step> steps = crowd.at(0);
    const auto all = detector.check_batch(crowd.members, steps, {.meet = true});
    // Some of them, in the same order, and somebody far away before them all.
    std::vector<std::size_t> which;
    for (std::size_t m = 0; m < steps.size(); ++m) {
      if (random.uniform(0, 1) < 0.5) which.push_back(m);
    }
    std::vector<Member> members{crowd.members[0]};
    std::vector<Step> some{crowd.motions[0].placed({{5e4, 0, 0}, 0.0}).value().steps().value()[0]};
    for (const std::size_t m : which) {
      members.push_back(crowd.members[m]);
      some.push_back(steps[m]);
    }
    const auto got = detector.check_batch(members, some, {.meet = true});
    for (std::size_t k = 0; k < which.size(); ++k) {
      std::vector<Contact> want;
      for (Contact c : all[which[k]].contacts) {
        if (c.other()) {
          const auto at =
              std::find(which.begin(), which.end(), static_cast<std::size_t>(c.other()->avatar));
          if (at == which.end()) continue;
          c.other()->avatar = static_cast<std::int32_t>(at - which.begin()) + 1;
        }
        want.push_back(c);
      }
      EXPECT_EQ(got[k + 1].contacts, want);
      met += want.size();
    }
  }
  EXPECT_GT(met, 100U);
}

TEST(Batch, TheFirstIsTheEarliestOfEachList) {
  RandomLinks random(605);
  std::size_t checked = 0;
  for (int i = 0; i < 15; ++i) {
    const RandomCrowd crowd = test::random_crowd(random, 6, 3, 0.8, i % 2 == 0);
    const Environment room = test::random_room(random, 2, 20, 1.5);
    const std::vector<Step> steps = crowd.at(0);
    const auto all = Detector::make(room)->check_batch(crowd.members, steps, {.meet = true});
    const auto first = Detector::make(room, {.contacts = Contacts::kFirst})
                           .value()
                           .check_batch(crowd.members, steps, {.meet = true});
    for (std::size_t m = 0; m < steps.size(); ++m) {
      EXPECT_EQ(first[m].safe_until, all[m].safe_until);
      ASSERT_EQ(first[m].contacts.empty(), all[m].contacts.empty());
      if (all[m].contacts.empty()) continue;
      ASSERT_EQ(first[m].contacts.size(), 1U);
      const auto key = [](const Contact& c) { return std::tuple(c.toc[0], c.toc[1], place_of(c)); };
      const Contact& want =
          *std::min_element(all[m].contacts.begin(), all[m].contacts.end(),
                            [&](const Contact& p, const Contact& q) { return key(p) < key(q); });
      EXPECT_EQ(first[m].contacts[0], want);
      if (of_meeting(want, m)) ++checked;
    }
  }
  EXPECT_GT(checked, 10U);
}

TEST(Batch, ClearancesKnowOfTheOthers) {
  RandomLinks random(606);
  std::size_t bounded = 0;
  for (int i = 0; i < 8; ++i) {
    const RandomCrowd crowd = test::random_crowd(random, 5, 2, 1.5, false);
    const Environment room = i % 2 == 0 ? Environment{} : test::random_room(random, 2, 10, 2.0);
    const Detector detector = Detector::make(room, {.clearance = true}).value();
    const std::vector<Step> steps = crowd.at(0);
    const auto reports = detector.check_batch(crowd.members, steps, {.meet = true});
    std::vector<test::Motions> motions;
    motions.reserve(steps.size());
    for (std::size_t m = 0; m < steps.size(); ++m) {
      motions.emplace_back(crowd.members[m].avatar, steps[m]);
    }
    for (std::size_t m = 0; m < steps.size(); ++m) {
      const StepReport own = alone(detector, crowd.members[m], steps[m], m);
      for (std::size_t a = 0; a < motions[m].size(); ++a) {
        double least = own.clearances[a];
        double fastest = 0.0;
        for (std::size_t q = 0; q < steps.size(); ++q) {
          for (std::size_t b = 0; q != m && b < motions[q].size(); ++b) {
            const core::LinkMotion& p = motions[m][a];
            const core::LinkMotion& other = motions[q][b];
            fastest = std::max(fastest, p.speed + other.speed);
            for (int k = 0; k <= 20; ++k) {
              least = std::min(least, test::sampled_distance(core::evaluate(p, 0.05 * k),
                                                             core::evaluate(other, 0.05 * k),
                                                             other.ref - p.ref, 20) -
                                          p.radius - other.radius);
            }
          }
        }
        const double got = reports[m].clearances[a];
        EXPECT_LE(got, std::max(least, 0.0) + 1e-12);
        if (got > 0.0 && least < own.clearances[a]) {
          ++bounded;
          EXPECT_GE(got, 0.98 * least - 2.1e-3 - 0.025 * fastest - 0.025);
        }
      }
    }
  }
  EXPECT_GT(bounded, 30U);
}

TEST(Batch, OneErrorIsOneAvatars) {
  RandomLinks random(607);
  const RandomCrowd crowd = test::random_crowd(random, 6, 2, 0.5, true);
  const Detector detector = Detector::make(test::random_room(random, 2, 20, 1.5)).value();
  std::vector<Member> members = crowd.members;
  std::vector<Step> steps = crowd.at(0);
  members.insert(members.begin() + 3, Member{});  // no links
  steps.insert(steps.begin() + 3, steps[0]);
  const auto want = detector.check_batch(crowd.members, crowd.at(0), {.meet = true});
  const auto got = detector.check_batch(members, steps, {.meet = true});
  ASSERT_TRUE(got[3].error);
  EXPECT_EQ(got[3].error->code, ErrorCode::kInput);
  EXPECT_TRUE(got[3].contacts.empty());
  std::size_t met = 0;
  for (std::size_t m = 0; m < want.size(); ++m) {
    std::vector<Contact> contacts = want[m].contacts;
    for (Contact& c : contacts) {
      if (c.other() && c.other()->avatar >= 3) ++c.other()->avatar;
    }
    const StepReport& report = got[m < 3 ? m : m + 1];
    EXPECT_EQ(report.contacts, contacts);
    EXPECT_EQ(report.safe_until, want[m].safe_until);
    met += contacts.size();
  }
  EXPECT_GT(met, 0U);
}

TEST(Batch, PassesErrorsOnToAll) {
  RandomLinks random(608);
  const RandomCrowd crowd = test::random_crowd(random, 3, 2, 0.5, false);
  const std::vector<Step> steps = crowd.at(0);
  const Detector detector = Detector::make(Environment{}).value();
  const auto code_of = [](const std::vector<StepReport>& reports) {
    std::optional<ErrorCode> code;
    for (std::size_t i = 0; i < reports.size(); ++i) {
      EXPECT_EQ(reports[i].avatar, static_cast<std::int32_t>(i));
      if (!reports[i].error || (code && *code != reports[i].error->code)) return ErrorCode{};
      code = reports[i].error->code;
    }
    return code.value_or(ErrorCode{});
  };
  const std::span<const Step> few = std::span(steps).first(2);
  EXPECT_EQ(code_of(detector.check_batch(crowd.members, few)), ErrorCode::kUsage);
  EXPECT_EQ(detector.check_batch(crowd.members, few).size(), 3U);
  std::stop_source stop;
  stop.request_stop();
  for (const bool meet : {false, true}) {
    const RunOptions stopped{.meet = meet, .stop = stop.get_token()};
    EXPECT_EQ(code_of(detector.check_batch(crowd.members, steps, stopped)), ErrorCode::kCancelled);
  }
  EXPECT_TRUE(detector.check_batch({}, {}, {.meet = true}).empty());
}

}  // namespace
}  // namespace tocsin::batch_test
