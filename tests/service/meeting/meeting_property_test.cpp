// Whatever happens to the frames, streams and lives of those who meet: every session's reports join
// without a hole, and at every tick all of them together are what Detector::check_batch says of the
// very poses that were covered, bit for bit, each contact told to both.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <iostream>
#include <map>
#include <random>
#include <vector>

#include "service/meeting/meeting_rig.h"
#include "support/environment_variable.h"

namespace tocsin::service::meeting_property_test {
namespace {

using test::frame_of;
using test::MeetingRig;
using test::RandomLinks;
using test::RandomTake;
using test::Visitor;

/// What happened in all meetings: a test that tried nothing must not pass.
struct Totals {
  std::uint64_t meetings = 0;
  std::uint64_t sessions = 0;
  std::uint64_t ticks = 0;
  std::uint64_t steps = 0;
  std::uint64_t still = 0;
  std::uint64_t away = 0;
  std::uint64_t together = 0;  ///< steps at ticks of two members or more
  std::uint64_t room_contacts = 0;
  std::uint64_t own_contacts = 0;
  std::uint64_t meeting_contacts = 0;  ///< told to one side
  std::uint64_t hits = 0;              ///< of these
  std::uint64_t resumes = 0;
  std::uint64_t skipped = 0;
  std::uint64_t stale = 0;
  std::uint64_t batched = 0;     ///< steps that a device checked
  std::uint64_t fallbacks = 0;   ///< sessions that were told that it was given up
  std::uint64_t partials = 0;    ///< what was told of steps before they were done
  std::uint64_t told_early = 0;  ///< contacts with others in these
};

/// One session, its take, and what it was told.
struct Guest {
  Visitor* visitor = nullptr;
  const RandomTake* take = nullptr;
  TrackOptions options;
  std::int64_t next = 0;              ///< frame
  std::vector<std::int64_t> delayed;  ///< sent late
  std::vector<TrackReport> reports;
  std::map<std::size_t, std::vector<TrackReport>> partials = {};  ///< by step
  bool leaving = false;
  bool over = false;
  // For the comparison.
  StepList steps;
  Member member;
};

class Party {
 public:
  Party(std::uint64_t seed, const std::shared_ptr<const Room>& room,
        const std::vector<RandomTake>& takes, Totals& totals)
      : random_(seed), takes_(takes), rig_(room), totals_(totals) {
    margin_ = chance(0.4) ? 0.03 : 0.0;
    self_ = chance(0.5);
    in_between_ = chance(0.3) ? InBetween::kTranslateRotate : InBetween::kScrew;
    loss_ = chance(0.5) ? 0.0 : 0.2;
    reorder_ = chance(0.5) ? 0.0 : 0.3;
    breaks_ = chance(0.5) ? 0.0 : 0.04;
    stalls_ = chance(0.5) ? 0.0 : 0.1;
    rig_.limits.pending_frames = 2 + random_() % 6;
    rig_.limits.unsent_reports = 2 + random_() % 6;
    rig_.limits.kept_reports = 64;
    // Whose time is over at once: a unit of work in each turn, and ticks go by meanwhile.
    if (chance(0.4)) rig_.limits.step_seconds = 0.0;
  }

  void run() {
    for (int i = 0; i < 2; ++i) join();
    for (int t = 0; t < 40 && !testing::Test::HasFailure(); ++t) {
      if (guests_.size() < 6 && chance(0.05)) join();
      for (Guest& guest : guests_) live(guest);
      ++totals_.ticks;
      rig_.now += 1 + (chance(0.1) ? random_() % 3 : 0);
      rig_.meeting->tick(rig_.now);
      while (!rig_.scheduler->idle() && !chance(stalls_)) rig_.scheduler->run_one();
    }
    rig_.scheduler->run_all();
    for (Guest& guest : guests_) read(guest, 1000);
    if (!testing::Test::HasFailure()) compare();
    count();
  }

 private:
  bool chance(double p) { return static_cast<double>(random_() >> 11) * 0x1p-53 < p; }

  void join() {
    Guest guest;
    guest.take = &takes_[random_() % takes_.size()];
    guest.options = test::options_of(*guest.take);
    guest.options.meet = true;
    guest.options.spec.self = self_;
    guest.options.spec.margin = margin_;
    guest.options.spec.in_between = in_between_;
    guest.options.avatar.place = {{0.4 * static_cast<double>(random_() % 3), 0.0, 0.0},
                                  30.0 * static_cast<double>(random_() % 12)};
    guest.visitor = rig_.open(guest.options);
    ASSERT_TRUE(guest.visitor) << rig_.problem.message;
    guests_.push_back(std::move(guest));
  }

  void live(Guest& guest) {
    if (guest.over) return;
    if (!guest.leaving) {
      for (auto frames = random_() % 4; frames > 0; --frames) send_next(guest);
      if (chance(breaks_)) reconnect(guest);
    }
    if (!chance(stalls_)) read(guest, 1 + random_() % 4);
    if (guest.leaving && guest.visitor->session->ended(guest.visitor->outlet.get())) {
      guest.over = true;
    }
    if (!guest.leaving && chance(0.01)) {
      guest.leaving = true;
      guest.visitor->session->finish(guest.visitor->outlet.get());
    }
  }

  void send_next(Guest& guest) {
    if (guest.next >= guest.take->motion.frame_count()) return;
    const std::int64_t k = guest.next++;
    if (chance(loss_)) return;
    if (chance(reorder_)) {
      guest.delayed.push_back(k);
      return;
    }
    send(guest, k);
    for (const std::int64_t late : guest.delayed) send(guest, late);
    guest.delayed.clear();
  }
  void send(const Guest& guest, std::int64_t k) {
    const auto problem = guest.visitor->offer(frame_of(guest.take->motion, k));
    ASSERT_FALSE(problem) << problem->message;
  }

  void read(Guest& guest, std::size_t most) {
    for (TrackReport& report : guest.visitor->pull(most)) {
      guest.reports.push_back(std::move(report));
    }
    const auto partial = guest.visitor->session->pull_partial(guest.visitor->outlet.get());
    if (!partial || guest.reports.size() != static_cast<std::size_t>(partial->result.step)) return;
    guest.partials[guest.reports.size()].push_back(*partial);
    ++totals_.partials;
  }

  /// The whole report has what was told before, of others too.
  void compare_partials(Guest& guest) {
    for (std::size_t i = 0; i < guest.reports.size(); ++i) {
      const TrackReport& got = guest.reports[i];
      EXPECT_TRUE(got.result.complete);
      for (const TrackReport& partial : guest.partials[i]) {
        EXPECT_EQ(partial.from, got.from);
        EXPECT_EQ(partial.to, got.to);
        EXPECT_EQ(partial.tick, got.tick);
        std::vector<Contact> until = got.result.contacts;
        std::erase_if(until,
                      [&](const Contact& c) { return c.toc[0] >= partial.result.checked_until; });
        EXPECT_EQ(partial.result.contacts, until);
        totals_.told_early += static_cast<std::uint64_t>(std::count_if(
            until.begin(), until.end(),
            [](const Contact& c) { return c.other() != nullptr && c.other()->avatar != 0; }));
      }
    }
  }

  void reconnect(Guest& guest) {
    Visitor& visitor = *guest.visitor;
    if (chance(0.7)) visitor.session->detach(visitor.outlet.get());
    if (chance(0.5)) rig_.meeting->tick(++rig_.now);
    rig_.scheduler->run_all();
    for (auto lost = random_() % 3; lost > 0 && !guest.reports.empty(); --lost) {
      guest.reports.pop_back();
    }
    ASSERT_FALSE(visitor.attach(guest.reports.size()));
    EXPECT_EQ(visitor.opened.next_step, guest.reports.size());
    ++totals_.resumes;
  }

  // ---- The comparison ----

  /// Reports join, in poses and in ticks; makes the steps that they are about.
  void find_steps(Guest& guest) {
    const Motion& motion = guest.take->motion;
    std::vector<Transform> poses;
    std::vector<double> ticks;
    const auto add = [&](const FrameStamp& stamp, std::uint64_t tick) {
      const auto pose = motion.pose(static_cast<std::int64_t>(stamp.id));
      poses.insert(poses.end(), pose.begin(), pose.end());
      ticks.push_back(static_cast<double>(tick));
    };
    const auto& reports = guest.reports;
    for (std::size_t i = 0; i < reports.size(); ++i) {
      ASSERT_TRUE(reports[i].tick);
      if (i == 0) add(reports[0].from, reports[0].tick->from);
      if (i > 0) {
        ASSERT_EQ(reports[i].from, reports[i - 1].to);
        ASSERT_EQ(reports[i].tick->from, reports[i - 1].tick->to);
      }
      ASSERT_EQ(reports[i].result.step, static_cast<std::int64_t>(i));
      ASSERT_GE(reports[i].to.id, reports[i].from.id);
      if (reports[i].tick->members == 0) {
        ASSERT_EQ(reports[i].to, reports[i].from);
      }
      for (const IdRange& range : reports[i].skipped) {
        EXPECT_GT(range.first, reports[i].from.id);
        EXPECT_LT(range.last, reports[i].to.id);
      }
      add(reports[i].to, reports[i].tick->to);
    }
    const auto whole = Motion::create_timed(motion.skeleton(), 0.01, ticks, poses);
    const Motion placed = whole->placed(guest.options.avatar.place).value();
    guest.steps = placed.steps({.in_between = in_between_}).value();
    guest.member.avatar = Avatar::bind(*guest.options.model, placed.skeleton()).value();
    if (self_) guest.member.self = LinkPairs::of(guest.member.avatar);
  }

  void compare() {
    std::map<std::uint64_t, std::vector<std::pair<std::size_t, std::size_t>>> by_tick;
    for (std::size_t g = 0; g < guests_.size(); ++g) {
      if (guests_[g].reports.empty()) continue;
      find_steps(guests_[g]);
      compare_partials(guests_[g]);
      if (testing::Test::HasFailure()) return;
      for (std::size_t i = 0; i < guests_[g].reports.size(); ++i) {
        const MeetingTick& tick = *guests_[g].reports[i].tick;
        if (tick.members > 0) {
          by_tick[tick.to].emplace_back(g, i);
        } else {
          compare_alone(guests_[g], i);
        }
      }
    }
    for (const auto& [tick, who] : by_tick) compare_tick(who);
  }

  Detector detector() const {
    DetectorOptions options;
    options.margin = margin_;
    return rig_.room->detector.with_options(options).value();
  }

  void compare_alone(const Guest& guest, std::size_t i) {
    ++totals_.away;
    const StepReport want =
        detector().check({guest.member.avatar, {}, guest.member.self}, guest.steps[i]);
    EXPECT_EQ(guest.reports[i].result.contacts, want.contacts);
    EXPECT_EQ(guest.reports[i].result.safe_until, want.safe_until);
  }

  /// A contact between avatars, told by the one that comes first, as check_batch does.
  void compare_tick(const std::vector<std::pair<std::size_t, std::size_t>>& who) {
    std::vector<Member> members;
    std::vector<Step> steps;
    for (const auto& [g, i] : who) {
      members.push_back(guests_[g].member);
      steps.push_back(guests_[g].steps[i]);
    }
    const auto want = detector().check_batch(members, steps, {.meet = true, .threads = 1});
    for (std::size_t m = 0; m < who.size(); ++m) {
      const TrackReport& got = guests_[who[m].first].reports[who[m].second];
      ASSERT_EQ(got.tick->members, who.size());
      ASSERT_FALSE(want[m].error) << want[m].error->message;
      EXPECT_EQ(got.result.safe_until, want[m].safe_until);
      std::vector<Contact> told_first;
      for (Contact contact : got.result.contacts) {
        count(contact);
        if (contact.other()) {
          const std::size_t other = member_of(who, m, contact.other()->avatar);
          expect_mirrored(contact, m, who, other);
          if (other < m) continue;
          contact.other()->avatar = static_cast<std::int32_t>(other);
        }
        told_first.push_back(contact);
      }
      EXPECT_EQ(told_first, want[m].contacts);
      totals_.together += who.size() > 1 ? 1 : 0;
    }
  }

  /// Index among those of the tick; `self`: of the avatar itself.
  std::size_t member_of(const std::vector<std::pair<std::size_t, std::size_t>>& who,
                        std::size_t self, std::int32_t number) const {
    if (number == 0) return self;
    for (std::size_t m = 0; m < who.size(); ++m) {
      const Visitor& visitor = *guests_[who[m].first].visitor;
      if (visitor.number() == static_cast<std::uint32_t>(number)) return m;
    }
    ADD_FAILURE() << "met " << number << ", who was not there";
    return self;
  }

  /// The other has the same, from its side: one line through both axes.
  void expect_mirrored(const Contact& mine, std::size_t m,
                       const std::vector<std::pair<std::size_t, std::size_t>>& who,
                       std::size_t other) const {
    if (other == m) return;
    const TrackReport& theirs = guests_[who[other].first].reports[who[other].second];
    const auto number = static_cast<std::int32_t>(guests_[who[m].first].visitor->number());
    for (const Contact& c : theirs.result.contacts) {
      if (c.touched != Touched(OtherLink{number, mine.link}) || c.link != mine.other()->link)
        continue;
      EXPECT_EQ(c.toc, mine.toc);
      EXPECT_EQ(c.status, mine.status);
      EXPECT_EQ(c.limited, mine.limited);
      ASSERT_EQ(c.normal.has_value(), mine.normal.has_value());
      if (!c.normal) {
        EXPECT_EQ(c.point, mine.point);
      }
      if (c.normal) {
        EXPECT_EQ(*c.normal, -1.0 * *mine.normal);
        // From my point, on their surface, to theirs, on mine, the way is along the normal.
        const Vec3 way = c.point - mine.point;
        EXPECT_LT(core::norm(core::cross(way, *mine.normal)), 1e-9);
      }
      return;
    }
    ADD_FAILURE() << "only one side was told";
  }

  void count(const Contact& contact) {
    if (!contact.other()) {
      ++totals_.room_contacts;
    } else if (contact.other()->avatar == 0) {
      ++totals_.own_contacts;
    } else {
      ++totals_.meeting_contacts;
      totals_.hits += contact.status == ContactStatus::kHit ? 1 : 0;
    }
  }

  void count() {
    ++totals_.meetings;
    totals_.sessions += guests_.size();
    totals_.batched += rig_.scheduler->batched();
    for (const Guest& guest : guests_) {
      totals_.steps += guest.reports.size();
      for (const TrackReport& report : guest.reports) {
        totals_.fallbacks += report.fallback.empty() ? 0 : 1;
        totals_.still += report.from == report.to ? 1 : 0;
      }
      const SessionCounts counts = guest.visitor->session->counts();
      totals_.skipped += counts.frames.skipped;
      totals_.stale += counts.frames.stale;
    }
  }

  std::mt19937_64 random_;
  const std::vector<RandomTake>& takes_;
  MeetingRig rig_;
  Totals& totals_;
  std::vector<Guest> guests_;
  double margin_ = 0.0;
  bool self_ = false;
  InBetween in_between_ = InBetween::kScrew;
  double loss_ = 0.0;
  double reorder_ = 0.0;
  double breaks_ = 0.0;
  double stalls_ = 0.0;
};

using MakeRoom = std::function<std::shared_ptr<const Room>(const Environment&)>;

Totals hold_meetings(std::uint64_t count, const MakeRoom& make) {
  RandomLinks random(77);
  const auto room = make(test::random_room(random, 5, 60, 1.5));
  std::vector<RandomTake> takes;
  for (int i = 0; i < 6; ++i) takes.push_back(test::random_take(random, 6, 120, 0.3, 0.1));
  Totals totals;
  for (std::uint64_t seed = 1; seed <= count && !testing::Test::HasFailure(); ++seed) {
    SCOPED_TRACE(seed);
    Party(seed, room, takes, totals).run();
  }
  std::cout << totals.meetings << " meetings of " << totals.sessions << " sessions, "
            << totals.ticks << " ticks, " << totals.steps << " steps (" << totals.still
            << " standing still, " << totals.away << " away, " << totals.together
            << " together); contacts: " << totals.room_contacts << " with the room, "
            << totals.own_contacts << " with themselves, " << totals.meeting_contacts
            << " with others (" << totals.hits << " hits); " << totals.resumes << " resumes, "
            << totals.skipped << " frames skipped, " << totals.stale << " stale; " << totals.batched
            << " steps checked by a device, " << totals.fallbacks << " sessions told of its end\n";
  return totals;
}

TEST(MeetingProperty, ReportsAreThoseOfTheCoveredPoses) {
  const Totals totals =
      hold_meetings(400, [](const Environment& room) { return test::room_of(room); });
  EXPECT_EQ(totals.batched, 0U);
  EXPECT_GT(totals.together, totals.steps / 2);
  EXPECT_GT(totals.meeting_contacts, totals.together);
  EXPECT_GT(totals.hits, totals.meeting_contacts / 20);
  EXPECT_GT(totals.own_contacts, 100U);
  EXPECT_GT(totals.room_contacts, 1000U);
  EXPECT_GT(totals.away, 100U);
  EXPECT_GT(totals.still, 500U);
  EXPECT_GT(totals.resumes, 50U);
  EXPECT_GT(totals.skipped, 1000U);
  EXPECT_GT(totals.partials, 1000U);
  EXPECT_GT(totals.told_early, 100U);
  EXPECT_GT(totals.stale, 100U);
}

const DetectorOptions kEmulated{.backend = Backend::kCuda, .experiments = {.emulate = true}};

TEST(MeetingProperty, InBatchesOnTheCpu) {
  const Totals totals = hold_meetings(40, [](const Environment& room) {
    return test::room_with_device(room, {.backend = Backend::kCpu});
  });
  EXPECT_GT(totals.batched, totals.steps / 2);
  EXPECT_GT(totals.meeting_contacts, 0U);
}

TEST(MeetingProperty, OnEmulatedCuda) {
  const Totals totals = hold_meetings(
      6, [](const Environment& room) { return test::room_with_device(room, kEmulated); });
  EXPECT_GT(totals.batched, totals.steps / 2);
  EXPECT_GT(totals.meeting_contacts, 0U);
  EXPECT_EQ(totals.fallbacks, 0U);
}

TEST(MeetingProperty, OnEmulatedCudaThatFails) {
  const test::EnvironmentVariable fails("TOCSIN_CUDA_FAIL_AT", "3000");
  std::vector<std::string> logged;
  const Totals totals = hold_meetings(6, [&](const Environment& room) {
    return test::room_with_device(room, kEmulated,
                                  [&](const std::string& line) { logged.push_back(line); });
  });
  EXPECT_EQ(logged.size(), 1U);
  EXPECT_GT(totals.batched, 0U);
  EXPECT_LT(totals.batched, totals.steps / 2);
  EXPECT_GT(totals.meeting_contacts, 0U);
  EXPECT_GT(totals.fallbacks, 0U);
}

}  // namespace
}  // namespace tocsin::service::meeting_property_test
