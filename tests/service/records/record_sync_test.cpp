// `serve --record-sync`: what a report says was covered is on the disk before the report is sent.
#include "service/records/record_sync.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "service/engine_fixture.h"
#include "support/eventually.h"

namespace tocsin::test::record_sync_test {
namespace {

using service::RecordSync;
using service::SyncedFile;

/// The poses that a .poses file has now.
std::int64_t poses_in(int descriptor) {
  std::string text;
  std::array<char, 65'536> block{};
  for (off_t at = 0;;) {
    const ssize_t got = ::pread(descriptor, block.data(), block.size(), at);
    if (got <= 0) break;
    text.append(block.data(), static_cast<std::size_t>(got));
    at += got;
  }
  return std::count(text.begin(), text.end(), '\n') - 2;  // the head
}

/// In place of the disk: knows what was on it when a sync began, and can be slow or fail.
class TestDisk {
 public:
  int sync(int descriptor) {
    std::unique_lock lock(mutex_);
    ++begun_;
    const std::int64_t poses = poses_in(descriptor);
    changed_.notify_all();
    changed_.wait(lock, [this] { return !held_; });
    if (fails_) return EIO;
    lasting_ = std::max(lasting_, poses);
    return 0;
  }
  void hold(bool on) {
    const std::scoped_lock lock(mutex_);
    held_ = on;
    changed_.notify_all();
  }
  void fail() {
    const std::scoped_lock lock(mutex_);
    fails_ = true;
  }
  void wait_for_a_sync() {
    std::unique_lock lock(mutex_);
    EXPECT_TRUE(changed_.wait_for(lock, seconds(60), [this] { return begun_ > 0; }));
  }
  std::int64_t lasting() {
    const std::scoped_lock lock(mutex_);
    return lasting_;
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  int begun_ = 0;
  bool held_ = false;
  bool fails_ = false;
  std::int64_t lasting_ = 0;  ///< poses
};

class RecordSyncTest : public EngineTest {
 protected:
  service::EngineOptions synced() {
    service::EngineOptions out;
    out.threads = 2;
    out.limits.pending_frames = 64;
    out.record = folder_.path() / "records";
    out.record_rules.reserve = 0;
    out.record_rules.sync = true;
    out.record_rules.sync_file = [this](int descriptor) { return disk_.sync(descriptor); };
    return out;
  }
  void open(Engine& engine) {
    session_ = engine.open(anyone_, options(), outlet_, opened_, problem_);
    ASSERT_TRUE(session_) << problem_.message;
  }
  void offer(std::int64_t first, std::int64_t last) {
    for (std::int64_t k = first; k <= last; ++k) {
      EXPECT_FALSE(session_->offer(outlet_.get(), frame_of(take_[0].motion, k), Clock::now()));
    }
  }
  /// Pulls until the report of that frame has come, or the session was refused.
  std::vector<TrackReport> read_to(std::uint64_t last) {
    std::vector<TrackReport> out;
    const auto end = Clock::now() + seconds(60);
    while (Clock::now() < end && !outlet_->problem() && (out.empty() || out.back().to.id != last)) {
      outlet_->wait();
      for (TrackReport& report : session_->pull(outlet_.get(), 4)) {
        const std::int64_t lasting = disk_.lasting();
        if (!report.unrecorded) {
          EXPECT_LE(report.result.frames[1] + 1, lasting) << "it is not on the disk yet";
        }
        out.push_back(std::move(report));
      }
    }
    return out;
  }

  TestDisk disk_;
  std::shared_ptr<WaitingOutlet> outlet_ = std::make_shared<WaitingOutlet>();
  std::shared_ptr<Session> session_;
};

TEST_F(RecordSyncTest, AReportWaitsUntilItsPosesAreOnTheDisk) {
  Engine engine(synced(), rooms_);
  open(engine);
  disk_.hold(true);
  offer(0, 12);
  disk_.wait_for_a_sync();
  ASSERT_TRUE(eventually([&] { return session_->counts().steps == 12; }))
      << "steps do not wait for the disk";
  EXPECT_TRUE(session_->pull(outlet_.get(), 100).empty());
  EXPECT_EQ(session_->counts().unsent_reports, 12U);
  EXPECT_TRUE(session_->counts().working) << "the end of the service waits for the disk";
  disk_.hold(false);
  EXPECT_EQ(read_to(12).size(), 12U);
  offer(13, 50);
  const auto rest = read_to(50);
  EXPECT_EQ(rest.size(), 38U);
  session_->finish(outlet_.get());
  std::optional<TrackEnded> ended;
  EXPECT_TRUE(eventually([&] { return (ended = session_->ended(outlet_.get())).has_value(); }));
  EXPECT_EQ(ended->steps, 50U);
  EXPECT_EQ(ended->unrecorded_steps, 0U);
}

TEST_F(RecordSyncTest, AnEndingServerSendsNothingThatIsNotOnTheDisk) {
  Engine engine(synced(), rooms_);
  open(engine);
  offer(0, 5);
  EXPECT_EQ(read_to(5).size(), 5U);
  disk_.hold(true);
  offer(6, 12);
  ASSERT_TRUE(eventually([&] { return session_->counts().steps == 12; }));
  std::thread closing([&] { engine.close(milliseconds(0)); });
  EXPECT_TRUE(eventually([&] { return outlet_->problem().has_value(); }));
  EXPECT_TRUE(session_->pull(outlet_.get(), 100).empty());
  const TrackCovered covered = session_->coverage();
  EXPECT_EQ(covered.steps, 5U);
  EXPECT_EQ(covered.to->id, 5U);
  EXPECT_EQ(covered.unchecked_frames, 7U);
  disk_.hold(false);
  closing.join();
}

TEST_F(RecordSyncTest, AFailedSyncIsSaidInTheReports) {
  Engine engine(synced(), rooms_);
  open(engine);
  offer(0, 10);
  for (const TrackReport& report : read_to(10)) EXPECT_FALSE(report.unrecorded);
  disk_.fail();
  offer(11, 50);
  const auto rest = read_to(50);
  ASSERT_EQ(rest.size(), 40U) << "the session goes on";
  std::size_t reasons = 0;
  for (const TrackReport& report : rest) {
    EXPECT_TRUE(report.unrecorded) << report.to.id;
    if (report.record_ended.empty()) continue;
    ++reasons;
    EXPECT_NE(report.record_ended.find("Input/output error"), std::string::npos)
        << report.record_ended;
  }
  EXPECT_EQ(reasons, 1U);
  EXPECT_FALSE(rest.front().record_ended.empty());
  EXPECT_TRUE(eventually([&] {
    return std::filesystem::is_empty(folder_.path() / "records" / "sessions");
  })) << "nobody goes on from poses that may be lost";
  session_->finish(outlet_.get());
  std::optional<TrackEnded> ended;
  EXPECT_TRUE(eventually([&] { return (ended = session_->ended(outlet_.get())).has_value(); }));
  EXPECT_EQ(ended->unrecorded_steps, 40U);
}

TEST_F(RecordSyncTest, AFailedSyncEndsASessionThatMustBeRecorded) {
  service::EngineOptions required = synced();
  required.record_rules.required = true;
  Engine engine(required, rooms_);
  open(engine);
  offer(0, 10);
  EXPECT_EQ(read_to(10).size(), 10U);
  disk_.fail();
  offer(11, 11);
  EXPECT_TRUE(eventually([&] { return outlet_->problem().has_value(); }));
  EXPECT_EQ(outlet_->problem()->refusal, Refusal::kFailed);
}

/// Under load, with resumed streams: nothing is sent early, nothing is lost.
TEST_F(RecordSyncTest, ManySessionsShareOneSync) {
  service::EngineOptions many = synced();
  many.limits.pending_frames = 16;
  std::atomic<int> syncs{0};
  many.record_rules.sync_file = [&](int descriptor) {
    ++syncs;
    return ::fdatasync(descriptor) == 0 ? 0 : errno;
  };
  Engine engine(many, rooms_);
  std::vector<std::unique_ptr<EngineClient>> clients;
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < 6; ++i) {
    clients.push_back(
        std::make_unique<EngineClient>(engine, anyone_, take_[i % 2], options(i % 2), 19 + i));
  }
  for (const auto& client : clients) threads.emplace_back([&client] { client->run(); });
  for (std::thread& thread : threads) thread.join();
  std::size_t contacts = 0;
  std::size_t steps = 0;
  for (std::size_t i = 0; i < clients.size(); ++i) {
    EXPECT_TRUE(clients[i]->ended_) << "it ended in order";
    contacts += clients[i]->compare(*room("room" + std::to_string(i % 2)));
    steps += clients[i]->reports_.size();
  }
  EXPECT_GT(contacts, 0U);
  EXPECT_GT(syncs, 0);
  EXPECT_GT(steps, 20U);
}

TEST(RecordSync, SyncsAFileOnceForAllThatWait) {
  const TestFolder folder;
  const auto a = std::make_shared<SyncedFile>(folder.write("a", "1\n"));
  const auto b = std::make_shared<SyncedFile>(folder.write("b", "1\n"));
  const auto none = std::make_shared<SyncedFile>(folder.path() / "absent");
  std::mutex gate;
  std::vector<int> synced;
  std::vector<std::string> done;
  std::unique_lock held(gate);
  RecordSync sync(folder.path(), [&](int descriptor) {
    const std::scoped_lock lock(gate);
    synced.push_back(descriptor);
    return descriptor == b->descriptor() ? ENOSPC : 0;
  });
  const auto note = [&done](const std::string& what) {
    return [&done, what](const Status& status) {
      done.push_back(what + (status ? "" : ": " + status.error().message.substr(0, 12)));
    };
  };
  sync.add(a, note("first"));  // waits in the disk, or not at all: the others are the next group
  for (int i = 0; i < 3; ++i) sync.add(a, note("a"));
  for (int i = 0; i < 3; ++i) sync.add(b, note("b"));
  sync.add(none, note("none"));
  held.unlock();
  sync.end();
  EXPECT_EQ(std::count(done.begin(), done.end(), "a"), 3);
  EXPECT_EQ(done.size(), 8U);
  EXPECT_EQ(std::count_if(done.begin(), done.end(),
                          [](const auto& d) { return d.starts_with("b: cannot syn"); }),
            3);
  EXPECT_EQ(std::count_if(done.begin(), done.end(),
                          [](const auto& d) { return d.starts_with("none: cannot"); }),
            1);
  EXPECT_LE(std::count(synced.begin(), synced.end(), a->descriptor()), 3)
      << "not once for each that waits";
  sync.add(a, note("late"));
  EXPECT_EQ(done.size(), 8U) << "nothing happens after the end";
}

}  // namespace
}  // namespace tocsin::test::record_sync_test
