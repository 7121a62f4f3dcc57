// Meetings in the whole engine: rooms, workers, the ticker, clients on threads of their own.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "service/engine.h"
#include "service/engine_fixture.h"
#include "service/meeting/meeting_rig.h"
#include "service/meeting/ticker.h"

namespace tocsin::service::meeting_engine_test {
namespace {

using test::Clock;
using test::EngineTest;
using test::frame_of;
using test::milliseconds;
using test::pillar_at;
using test::pillar_options;
using test::seconds;
using test::WaitingOutlet;

EngineOptions by_hand() {
  EngineOptions out;
  out.threads = 2;
  out.meet_rate = 0.0;
  return out;
}

class MeetingEngineTest : public EngineTest {
 protected:
  struct Client {
    std::shared_ptr<WaitingOutlet> outlet = std::make_shared<WaitingOutlet>();
    std::shared_ptr<Session> session;
    TrackOpened opened;
    std::vector<TrackReport> reports;
  };

  Client open(Engine& engine, const TrackOptions& options) {
    Client out;
    out.session = engine.open(anyone_, options, out.outlet, out.opened, problem_);
    EXPECT_TRUE(out.session) << problem_.message;
    return out;
  }
  TrackOptions meeting(std::size_t room = 0) const {
    TrackOptions out = options(room);
    out.meet = true;
    return out;
  }
  /// Ticks by hand until it has so many reports, or a minute has passed.
  void tick_until(Engine& engine, Client& client, std::size_t reports) {
    const auto end = Clock::now() + seconds(60);
    while (client.reports.size() < reports && Clock::now() < end) {
      engine.tick(++tick_);
      client.outlet->wait(milliseconds(5));
      for (TrackReport& report : client.session->pull(client.outlet.get(), 100)) {
        client.reports.push_back(std::move(report));
      }
    }
    ASSERT_GE(client.reports.size(), reports);
  }

  std::uint64_t tick_ = 0;
};

// Times are rounded: a tick may come a little before it is due.
TEST(TickerTest, NoNumberComesTwice) {
  EXPECT_EQ(Ticker::next_number(0.0, 100.0, 0), 1U);
  EXPECT_EQ(Ticker::next_number(0.999, 10.0, 5), 10U);
  EXPECT_EQ(Ticker::next_number(0.02999999, 100.0, 2), 3U);
  EXPECT_EQ(Ticker::next_number(0.02999999, 100.0, 3), 4U);
  std::mutex mutex;
  std::vector<std::uint64_t> numbers;
  {
    Ticker ticker(20'000.0, [&](std::uint64_t number) {
      const std::lock_guard lock(mutex);
      numbers.push_back(number);
      return true;
    });
    ticker.wake();
    std::this_thread::sleep_for(milliseconds(50));
  }
  EXPECT_EQ(std::adjacent_find(numbers.begin(), numbers.end(), std::greater_equal<>()),
            numbers.end());
}

// A session of another server comes, whose ticks were later: numbers go on from there.
TEST(TickerTest, NumbersGoOnFromThoseOfAnotherServer) {
  std::mutex mutex;
  std::vector<std::uint64_t> numbers;
  Ticker ticker(5'000.0, [&](std::uint64_t number) {
    const std::lock_guard lock(mutex);
    numbers.push_back(number);
    return true;
  });
  const auto count = [&] {
    const std::lock_guard lock(mutex);
    return numbers.size();
  };
  ticker.wake();
  while (count() < 5) std::this_thread::sleep_for(milliseconds(1));
  ticker.pass(1'000'000);
  const std::size_t at = count();
  ticker.pass(7);  // changes nothing
  while (count() < at + 5) std::this_thread::sleep_for(milliseconds(1));
  const std::lock_guard lock(mutex);
  EXPECT_EQ(std::adjacent_find(numbers.begin(), numbers.end(), std::greater_equal<>()),
            numbers.end());
  EXPECT_LT(numbers[4], 900'000U);
  EXPECT_GT(numbers[at + 1], 1'000'000U);
}

TEST_F(MeetingEngineTest, RoomsAreApart) {
  Engine engine(by_hand(), rooms_);
  Client here = open(engine, meeting(0));
  TrackOptions elsewhere = meeting(0);
  elsewhere.environment = "room1";
  Client there = open(engine, elsewhere);
  EXPECT_EQ(engine.counts().meeting_members, 2U);
  for (Client* client : {&here, &there}) {
    ASSERT_FALSE(
        client->session->offer(client->outlet.get(), frame_of(take_[0].motion, 0), Clock::now()));
  }
  tick_until(engine, here, 3);
  tick_until(engine, there, 3);
  for (const Client* client : {&here, &there}) {
    for (const TrackReport& report : client->reports) {
      EXPECT_LE(report.tick.value().members, 1U);
      for (const Contact& contact : report.result.contacts) EXPECT_FALSE(contact.other());
    }
  }
  EXPECT_EQ(engine.counts().meeting.contacts, 0U);
  // The same place in the same room.
  Client beside = open(engine, meeting(0));
  ASSERT_FALSE(
      beside.session->offer(beside.outlet.get(), frame_of(take_[0].motion, 0), Clock::now()));
  tick_until(engine, beside, 3);
  EXPECT_GT(engine.counts().meeting.contacts, 0U);
  // Each is told by its number, and the session's id is no part of that.
  EXPECT_NE(beside.opened.meeting.value().member, here.opened.meeting.value().member);
}

TEST_F(MeetingEngineTest, WhoMeetsNobodyIsNotDisturbed) {
  Engine engine(by_hand(), rooms_);
  const std::vector<Client> crowd{open(engine, meeting()), open(engine, meeting())};
  const auto outlet = std::make_shared<WaitingOutlet>();
  const auto alone = engine.open(anyone_, options(), outlet, opened_, problem_);
  ASSERT_TRUE(alone);
  EXPECT_FALSE(opened_.meeting);
  for (const Client& client : crowd) {
    ASSERT_FALSE(
        client.session->offer(client.outlet.get(), frame_of(take_[0].motion, 0), Clock::now()));
  }
  std::vector<TrackReport> reports;
  for (std::int64_t k = 0; k < 20; ++k) {
    ASSERT_FALSE(alone->offer(outlet.get(), frame_of(take_[0].motion, k), Clock::now()));
    engine.tick(++tick_);
  }
  const auto end = Clock::now() + seconds(60);
  while ((reports.empty() || reports.back().to.id != 19) && Clock::now() < end) {
    outlet->wait();
    for (TrackReport& report : alone->pull(outlet.get(), 100)) reports.push_back(report);
  }
  ASSERT_FALSE(reports.empty());
  for (const TrackReport& report : reports) {
    EXPECT_FALSE(report.tick);
    for (const Contact& contact : report.result.contacts) EXPECT_FALSE(contact.other());
  }
}

TEST_F(MeetingEngineTest, ClosingChecksWhatWaits) {
  EngineOptions ticking = by_hand();
  ticking.meet_rate = 500.0;
  Engine engine(ticking, rooms_);
  Client client = open(engine, meeting());
  for (std::int64_t k = 0; k < 3; ++k) {
    ASSERT_FALSE(
        client.session->offer(client.outlet.get(), frame_of(take_[0].motion, k), Clock::now()));
  }
  std::thread reader([&] {
    while (!client.outlet->problem()) {
      client.outlet->wait(milliseconds(1));
      for (TrackReport& report : client.session->pull(client.outlet.get(), 100)) {
        client.reports.push_back(std::move(report));
      }
    }
  });
  EXPECT_EQ(engine.close(seconds(60)), 0U);
  reader.join();
  ASSERT_FALSE(client.reports.empty());
  EXPECT_EQ(client.reports.back().to.id, 2U);
}

/// As many links as may be, with chains as long as may be, askew: their boxes meet those of whoever
/// stands a little aside, and nothing touches.
TrackOptions lattice_options() {
  TrackOptions out = pillar_options();
  std::vector<Joint> joints;
  for (int j = 0; j < 64; ++j) joints.push_back({"joint" + std::to_string(j), j - 1, {}});
  out.skeleton = Skeleton::create(joints).value();
  LinkModel link = out.model->links[0];
  link.joint = "joint63";
  link.b.offset = {0.5, 0.5, 0.5};
  link.radius = 0.001;
  out.model->links.clear();
  for (std::size_t i = 0; i < 64; ++i) {
    link.name = "rod" + std::to_string(i);
    out.model->links.push_back(link);
  }
  return out;
}

// A million pairs of long chains take many seconds, which nobody waits for at the end.
TEST_F(MeetingEngineTest, ClosingWaitsForNoCheckTogether) {
  EngineOptions patient = by_hand();
  patient.meeting.check_seconds = 1000.0;
  Engine engine(patient, rooms_);
  TrackOptions lattice = lattice_options();
  lattice.environment = meeting().environment;
  std::vector<Client> clients(24);
  const auto offer = [&](std::uint64_t id, double turn) {
    for (std::size_t i = 0; i < clients.size(); ++i) {
      TrackFrame frame;
      frame.id = id;
      frame.capture_time = static_cast<double>(id);
      frame.pose.resize(64);
      for (Transform& joint : frame.pose) {
        joint.rotation = {std::cos(turn / 2), std::sin(turn / 2), 0.0, 0.0};
      }
      frame.pose[0].translation = {0.01 * static_cast<double>(i), 100.0, 0.0};
      ASSERT_FALSE(clients[i].session->offer(clients[i].outlet.get(), frame, Clock::now()));
    }
  };
  for (Client& client : clients) client = open(engine, lattice);
  offer(0, 0.0);
  // From the second tick that anybody is at, and on, they are checked together.
  engine.tick(++tick_);
  const auto end = Clock::now() + seconds(60);
  const auto begun = [&] {
    return std::all_of(clients.begin(), clients.end(),
                       [](const Client& client) { return !client.session->counts().working; });
  };
  while (!begun() && Clock::now() < end) std::this_thread::sleep_for(milliseconds(1));
  offer(1, 0.02);
  engine.tick(++tick_);
  std::this_thread::sleep_for(milliseconds(100));
  const auto start = Clock::now();
  engine.close(milliseconds(0));
  EXPECT_LT(Clock::now() - start, seconds(60));
  EXPECT_EQ(engine.counts().meeting.turns, 0U);
}

// Everything at once, for the thread sanitizer: clients that come, stall, resume and go while the
// ticker ticks. What they are told must fit together.
TEST_F(MeetingEngineTest, ManyClients) {
  EngineOptions lively;
  lively.threads = 2;
  lively.meet_rate = 400.0;
  Engine engine(lively, rooms_);
  constexpr int kClients = 6;
  std::vector<Client> clients(kClients);
  std::vector<std::thread> threads;
  for (int c = 0; c < kClients; ++c) {
    threads.emplace_back([&, c] {
      Client& client = clients[static_cast<std::size_t>(c)];
      Problem problem;
      TrackOptions mine = meeting();
      mine.label = "client" + std::to_string(c);
      client.session = engine.open(anyone_, mine, client.outlet, client.opened, problem);
      ASSERT_TRUE(client.session) << problem.message;
      const auto read = [&] {
        for (TrackReport& report : client.session->pull(client.outlet.get(), 8)) {
          client.reports.push_back(std::move(report));
        }
      };
      for (std::int64_t k = 0; k < 40; ++k) {
        ASSERT_FALSE(
            client.session->offer(client.outlet.get(), frame_of(take_[0].motion, k), Clock::now()));
        if (k % 10 == c) {
          client.session->detach(client.outlet.get());
          std::this_thread::sleep_for(milliseconds(6));
          client.outlet = std::make_shared<WaitingOutlet>();
          TrackOpened again;
          ASSERT_TRUE(engine.resume(anyone_, client.opened.session_id, client.reports.size(),
                                    client.outlet, again, problem))
              << problem.message;
          EXPECT_EQ(again.meeting->member, client.opened.meeting->member);
        }
        client.outlet->wait(milliseconds(3));
        read();
      }
      client.session->finish(client.outlet.get());
      const auto end = Clock::now() + seconds(60);
      bool over = false;
      while (!over && Clock::now() < end) {
        client.outlet->wait(milliseconds(5));
        read();
        over = client.session->ended(client.outlet.get()).has_value();
      }
      EXPECT_TRUE(over);
      client.session->detach(client.outlet.get());
    });
  }
  for (std::thread& thread : threads) thread.join();
  engine.close(milliseconds(0));

  // Told to both: by tick, number and link.
  std::map<std::string, int> told;
  std::size_t contacts = 0;
  for (const Client& client : clients) {
    const auto number = static_cast<std::int32_t>(client.opened.meeting.value().member);
    EXPECT_EQ(client.reports.back().to.id, 39U);
    for (std::size_t i = 0; i < client.reports.size(); ++i) {
      const TrackReport& report = client.reports[i];
      if (i > 0) {
        EXPECT_EQ(report.from, client.reports[i - 1].to);
        EXPECT_EQ(report.tick->from, client.reports[i - 1].tick->to);
      }
      for (std::size_t k = 0; k < report.result.contacts.size(); ++k) {
        const Contact& contact = report.result.contacts[k];
        if (!contact.other()) continue;
        ++contacts;
        const OtherLink self{number, contact.link};
        const bool first = self.avatar < contact.other()->avatar;
        const OtherLink& low = first ? self : *contact.other();
        const OtherLink& high = first ? *contact.other() : self;
        told[std::to_string(report.tick->to) + ":" + std::to_string(low.avatar) + "." +
             std::to_string(low.link) + "-" + std::to_string(high.avatar) + "." +
             std::to_string(high.link)] += first ? 1 : 100;
        EXPECT_EQ(report.names[k].other_label.rfind("client", 0), 0U);
      }
    }
  }
  EXPECT_GT(contacts, 0U);
  for (const auto& [what, count] : told) EXPECT_EQ(count, 101) << what;
  EXPECT_EQ(engine.counts().meeting.contacts * 2, contacts);
}

}  // namespace
}  // namespace tocsin::service::meeting_engine_test
