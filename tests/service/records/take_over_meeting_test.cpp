// Sessions that met each other, and whose server died: the next one goes on with the meeting.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "cli/command.h"
#include "service/records/take_over_rig.h"

namespace tocsin::test::take_over_meeting_test {
namespace {

class MeetingTakeOverTest : public TakeOverTest {
 protected:
  struct Guest {
    TrackOptions options;
    std::shared_ptr<WaitingOutlet> outlet = std::make_shared<WaitingOutlet>();
    std::shared_ptr<Session> session;
    TrackOpened opened;
    std::vector<TrackReport> reports;
    std::size_t told_before = 0;  ///< reports of the first server
    std::uint32_t number_before = 0;
    /// Its number at the server of a report. Meetings take members in this order.
    [[nodiscard]] std::uint32_t number(std::size_t report) const {
      return report < told_before ? number_before : opened.meeting->member;
    }
  };

  service::EngineOptions by_hand(const fs::path& records) const {
    service::EngineOptions out = engine_options(records);
    out.meet_rate = 0.0;
    return out;
  }
  void open(Engine& engine, const Placement& place) {
    Guest& guest = guests_.emplace_back();
    guest.options = options();
    guest.options.meet = true;
    guest.options.avatar.place = place;
    guest.session = engine.open(anyone_, guest.options, guest.outlet, guest.opened, problem_);
    ASSERT_TRUE(guest.session) << problem_.message;
  }
  void resume_guest(Engine& engine, Guest& guest) {
    guest.outlet = std::make_shared<WaitingOutlet>();
    const std::string id = guest.opened.session_id;
    guest.told_before = guest.reports.size();
    guest.number_before = guest.opened.meeting->member;
    guest.session =
        engine.resume(anyone_, id, guest.reports.size(), guest.outlet, guest.opened, problem_);
    ASSERT_TRUE(guest.session) << problem_.message;
    EXPECT_EQ(guest.opened.session_id, id);
    EXPECT_EQ(guest.opened.next_step, guest.reports.size());
    ASSERT_TRUE(guest.opened.meeting && guest.opened.covered);
    EXPECT_EQ(*guest.opened.covered, guest.reports.back().to);
  }
  /// Frame `k` of everybody who is there, and a tick; then what was reported, of everybody.
  void tick(Engine& engine, std::int64_t k) {
    for (Guest& guest : guests_) {
      if (!guest.session) continue;
      EXPECT_FALSE(
          guest.session->offer(guest.outlet.get(), frame_of(take_[0].motion, k), Clock::now()));
    }
    engine.tick(++tick_);
    for (Guest& guest : guests_) {
      if (!guest.session) continue;
      const std::uint64_t frame = static_cast<std::uint64_t>(k);
      for (int i = 0; i < 6'000 && covered_by(guest) < frame; ++i) {
        guest.outlet->wait(milliseconds(10));
        if (i % 20 == 19) engine.tick(++tick_);  // its run was not over at the tick
      }
      EXPECT_EQ(covered_by(guest), frame);
    }
  }
  /// Until everybody has the reports of all ticks.
  void read_all() {
    const auto is_idle = [](Guest& guest) {
      (void)covered_by(guest);
      const service::SessionCounts now = guest.session->counts();
      return !now.working && now.steps == guest.reports.size();
    };
    int idle = 0;
    for (int i = 0; i < 30'000 && idle < 5; ++i) {
      std::this_thread::sleep_for(milliseconds(2));
      idle = std::all_of(guests_.begin(), guests_.end(), is_idle) ? idle + 1 : 0;
    }
    EXPECT_EQ(idle, 5);
  }
  static std::uint64_t covered_by(Guest& guest) {
    for (TrackReport& report : guest.session->pull(guest.outlet.get(), 100)) {
      guest.reports.push_back(std::move(report));
    }
    const auto covered = guest.session->coverage().to;
    const bool is_first = guest.reports.empty() && covered;
    return is_first ? covered->id : guest.reports.empty() ? 0 : guest.reports.back().to.id;
  }

  // ---- What check_batch says of the poses that were covered ----

  struct Path {
    Member member;
    StepList steps;
  };
  Path path_of(const Guest& guest) const {
    const Motion& motion = take_[0].motion;
    std::vector<Transform> poses;
    std::vector<double> ticks;
    const auto add = [&](const FrameStamp& at, std::uint64_t tick) {
      const auto pose = motion.pose(static_cast<std::int64_t>(at.id));
      poses.insert(poses.end(), pose.begin(), pose.end());
      ticks.push_back(static_cast<double>(tick));
    };
    add(guest.reports[0].from, guest.reports[0].tick->from);
    for (std::size_t i = 0; i < guest.reports.size(); ++i) {
      const TrackReport& report = guest.reports[i];
      EXPECT_EQ(report.result.step, static_cast<std::int64_t>(i));
      if (i > 0) {
        EXPECT_EQ(report.from, guest.reports[i - 1].to) << "a hole";
        EXPECT_EQ(report.tick->from, guest.reports[i - 1].tick->to) << "a hole";
      }
      add(report.to, report.tick->to);
    }
    const auto whole = Motion::create_timed(motion.skeleton(), 1.0, ticks, poses);
    const Motion placed = whole->placed(guest.options.avatar.place).value();
    return {{Avatar::bind(*guest.options.model, placed.skeleton()).value()},
            placed.steps().value()};
  }
  /// Every report is what the detector says of its step, with those of its tick; each has as many
  /// members as reports of that tick. Returns the contacts between members.
  std::size_t expect_checked() {
    std::vector<Path> paths;
    std::map<std::uint64_t, std::vector<std::pair<std::size_t, std::size_t>>> by_tick;
    for (std::size_t g = 0; g < guests_.size(); ++g) {
      paths.push_back(path_of(guests_[g]));
      for (std::size_t i = 0; i < guests_[g].reports.size(); ++i) {
        const MeetingTick& tick = *guests_[g].reports[i].tick;
        // Alone, if it stood still for ticks of which it was no part.
        by_tick[tick.members > 0 ? tick.to : ~(100 * tick.to + g)].emplace_back(g, i);
      }
    }
    std::size_t between = 0;
    for (auto& [at, who] : by_tick) {
      std::sort(who.begin(), who.end(), [this](const auto& a, const auto& b) {
        return guests_[a.first].number(a.second) < guests_[b.first].number(b.second);
      });
      between += expect_tick(paths, who);
    }
    return between;
  }
  std::size_t expect_tick(const std::vector<Path>& paths,
                          const std::vector<std::pair<std::size_t, std::size_t>>& who) {
    const auto& [first, report] = who.front();
    const bool lost = guests_[first].reports[report].tick->members > who.size();
    // One that the other was never told of: both were compared before.
    if (lost && report < guests_[first].told_before) return 0;
    std::vector<Member> members;
    std::vector<Step> steps;
    for (const auto& [g, i] : who) {
      members.push_back(paths[g].member);
      steps.push_back(paths[g].steps[i]);
    }
    const Detector detector = Detector::make(room("room0")->environment).value();
    const auto want = detector.check_batch(members, steps, {.meet = true, .threads = 1});
    std::size_t between = 0;
    for (std::size_t m = 0; m < who.size(); ++m) {
      const auto& [g, i] = who[m];
      const TrackReport& got = guests_[g].reports[i];
      EXPECT_TRUE(got.tick->members == 0 || got.tick->members == who.size());
      EXPECT_EQ(got.result.safe_until, want[m].safe_until);
      std::vector<Contact> told_first;  // check_batch names each once
      for (Contact contact : got.result.contacts) {
        if (contact.other()) {
          ++between;
          if (m > 0) continue;
          contact.other()->avatar = 1;
        }
        told_first.push_back(contact);
      }
      EXPECT_TRUE(told_first == want[m].contacts) << "guest " << g << ", report " << i;
    }
    return between;
  }

  std::vector<Guest> guests_;
  std::uint64_t tick_ = 0;
};

TEST_F(MeetingTakeOverTest, TheMeetingGoesOn) {
  std::mt19937 random(19);
  std::size_t before = 0;
  std::size_t after = 0;
  for (int life = 0; life < 6; ++life) {
    guests_.clear();
    tick_ = 1'000;
    const fs::path folder = records("life" + std::to_string(life));
    Engine first(by_hand(folder), rooms_);
    open(first, {});
    open(first, {{0.05, 0.0, 0.02}, 20.0});
    std::int64_t k = 0;
    for (; k < 12; ++k) tick(first, k);
    read_all();
    before += expect_checked();
    // The last ones are on their way when the server dies. Other steps take their place.
    for (Guest& guest : guests_) {
      ASSERT_GT(guest.reports.size(), 8U);
      guest.reports.resize(guest.reports.size() - random() % 4);
    }
    Engine second(by_hand(crashed(folder)), rooms_);
    for (Guest& guest : guests_) guest.session = nullptr;
    tick_ = life % 2 == 0 ? tick_ + 500 : 1;  // a server that counts from its start: early ticks
    const std::size_t one = random() % 2;
    resume_guest(second, guests_[one]);
    second.tick(tick_);  // nobody may take part in what is before its last tick
    tick_ = std::max<std::uint64_t>(tick_, 2'000);
    if (life >= 3) {
      for (int i = 0; i < 3; ++i) tick(second, k++);
    }
    resume_guest(second, guests_[1 - one]);
    const std::vector<std::size_t> told{guests_[0].reports.size(), guests_[1].reports.size()};
    for (int i = 0; i < 12; ++i) tick(second, k++);
    read_all();
    EXPECT_EQ(second.metrics().taken_over.value(), 2U);
    const std::size_t between = expect_checked();
    for (std::size_t g = 0; g < 2; ++g) {
      for (std::size_t i = told[g]; i < guests_[g].reports.size(); ++i) {
        for (const Contact& contact : guests_[g].reports[i].result.contacts) {
          after += contact.other() ? 1 : 0;
        }
      }
    }
    EXPECT_GT(between, 0U);
    if (HasFatalFailure() || HasNonfatalFailure()) return;
  }
  EXPECT_GT(before, 0U);
  EXPECT_GT(after, 0U);
}

/// What the end says is of the whole session, contacts with others too. Then the record of each
/// part is proved by itself.
TEST_F(MeetingTakeOverTest, TheEndIsOfTheWholeSession) {
  const fs::path folder = records("one");
  Engine first(by_hand(folder), rooms_);
  open(first, {});
  open(first, {{0.05, 0.0, 0.02}, 20.0});
  std::int64_t k = 0;
  for (; k < 10; ++k) tick(first, k);
  const fs::path left = crashed(folder);
  Engine second(by_hand(left), rooms_);
  for (Guest& guest : guests_) resume_guest(second, guest);
  for (; k < 20; ++k) tick(second, k);
  for (Guest& guest : guests_) {
    guest.session->finish(guest.outlet.get());
    std::optional<TrackEnded> ended;
    for (int i = 0; i < 600 && !ended; ++i) {
      guest.outlet->wait();
      for (TrackReport& report : guest.session->pull(guest.outlet.get(), 100)) {
        guest.reports.push_back(std::move(report));
      }
      ended = guest.session->ended(guest.outlet.get());
    }
    ASSERT_TRUE(ended);
    std::uint64_t contacts = 0;
    for (const TrackReport& report : guest.reports) contacts += report.result.contacts.size();
    EXPECT_EQ(ended->contacts, contacts);
    EXPECT_EQ(ended->steps, guest.reports.size());
    const auto verified = run_tocsin({"verify", (left / ended->record).string()});
    EXPECT_EQ(verified.status, 0) << verified.out << verified.err;
  }
}

TEST_F(MeetingTakeOverTest, AnotherRateIsRefused) {
  const fs::path folder = records("one");
  Engine first(by_hand(folder), rooms_);
  open(first, {});
  for (std::int64_t k = 0; k < 4; ++k) tick(first, k);
  service::EngineOptions other = engine_options(crashed(folder));
  other.meet_rate = 60.0;  // by hand it is 120
  Engine second(other, rooms_);
  Guest& guest = guests_[0];
  EXPECT_FALSE(second.resume(anyone_, guest.opened.session_id, guest.reports.size(),
                             std::make_shared<WaitingOutlet>(), guest.opened, problem_));
  EXPECT_EQ(problem_.refusal, Refusal::kNotFound);
  EXPECT_NE(problem_.message.find("--meet-rate"), std::string::npos) << problem_.message;
}

}  // namespace
}  // namespace tocsin::test::take_over_meeting_test
