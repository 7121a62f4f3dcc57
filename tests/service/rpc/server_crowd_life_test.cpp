// Sessions of a crowd in a bad world: streams that break, sessions that come, end and go on
// elsewhere.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <random>
#include <vector>

#include "service/rpc/crowd_stream.h"
#include "service/rpc/live_server.h"

namespace tocsin::server_crowd_life_test {
namespace {

using test::CrowdStream;
using test::LiveServer;
using test::ToldSession;
using test::Walk;

/// Streams that break at any moment, sessions that come, end, and go on elsewhere: in another slot
/// of another stream, and for a while on a stream of Track. However it went, their steps tile, and
/// are those of one unbroken walk.
class CrowdLife {
 public:
  CrowdLife(LiveServer& live, const Walk& walk, std::uint64_t seed)
      : live_(live), walk_(walk), stub_(live.stub()), random_(seed) {
    for (auto& session : sessions_) session = std::make_unique<Life>();
  }

  void run() {
    while (!all_over() && !testing::Test::HasFatalFailure()) {
      begin_stream();
      for (std::size_t k = 10 + below(40); k > 0 && !testing::Test::HasFatalFailure(); --k) act();
      if (below(2) == 0 && owed()) stream_->read();  // or what is under way is lost with the stream
      stream_.reset();
      ++cuts;
      if (below(3) == 0) go_on_alone();
    }
  }

  std::size_t cuts = 0;
  std::size_t ended = 0;
  std::size_t contacts = 0;
  std::uint64_t free_steps = 0;

 private:
  struct Life {
    ToldSession told;
    std::uint64_t next = 0;  ///< frame
    std::uint64_t last = 0;
    bool ending = false;
    bool end_sent = false;  ///< on any stream
    bool gone = false;      ///< with its end, which its client did not get
    [[nodiscard]] bool over() const { return gone || told.ended; }
  };
  std::uint64_t below(std::uint64_t n) { return random_() % n; }
  bool all_over() const {
    for (const auto& session : sessions_) {
      if (!session->over()) return false;
    }
    return true;
  }

  void begin(std::uint32_t slot) {
    Life& life = *sessions_[slot_of_[slot]];
    const bool fresh = life.told.id.empty();
    if (fresh) life.last = 30 + below(60);
    const std::uint64_t steps = life.told.steps();  // the answer may bring more
    const auto message = fresh ? test::opening(slot, walk_) : test::resuming(slot, life.told);
    if (!stream_->try_to_begin(slot, life.told, message)) {
      // Its end was under way when the stream broke. There is no session after that.
      ASSERT_TRUE(life.end_sent) << life.told.refused->message();
      ASSERT_EQ(life.told.refused->code(), static_cast<std::uint32_t>(grpc::StatusCode::NOT_FOUND));
      life.gone = true;
      return;
    }
    const v1::Opened& opened = stream_->opened[slot];
    ASSERT_EQ(opened.next_step(), steps);
    ASSERT_TRUE(fresh || opened.has_covered() || steps == 0);
    // What was lost on the way is sent again.
    life.next = opened.has_covered() ? opened.covered().id() + 1 : 0;
    life.ending = life.next > life.last;
    if (!life.ending) return;
    life.end_sent = true;
    ASSERT_TRUE(stream_->write(test::ending(slot)));
  }

  void begin_stream() {
    stream_ = std::make_unique<CrowdStream>(*stub_);
    slot_of_.resize(sessions_.size());
    for (std::size_t i = 0; i < slot_of_.size(); ++i) slot_of_[i] = i;
    std::shuffle(slot_of_.begin(), slot_of_.end(), random_);
    open_.assign(slot_of_.size(), false);
  }

  void act() {
    const auto slot = static_cast<std::uint32_t>(below(slot_of_.size()));
    Life& life = *sessions_[slot_of_[slot]];
    if (life.over()) return;
    if (!open_[slot]) {
      open_[slot] = true;
      return begin(slot);
    }
    if (below(4) == 0) return (void)stream_->read_until([&] { return !owed() || below(3) == 0; });
    send_moment();
  }

  /// Reports are to come.
  bool owed() const {
    for (std::size_t slot = 0; slot < open_.size(); ++slot) {
      const Life& life = *sessions_[slot_of_[slot]];
      if (!open_[slot] || life.over()) continue;
      if (life.ending) return true;
      if (life.next > 1 && (life.told.covered.empty() ||
                            life.told.covered.back() + 1 < static_cast<std::int64_t>(life.next))) {
        return true;
      }
    }
    return false;
  }

  void send_moment() {
    v1::TrackManyRequest message;
    std::vector<std::uint32_t> done;
    for (std::uint32_t slot = 0; slot < open_.size(); ++slot) {
      Life& life = *sessions_[slot_of_[slot]];
      if (!open_[slot] || life.ending || life.over() || below(3) == 0) continue;
      test::add_frame(slot, life.next, walk_, *message.add_frames());
      if (life.next++ >= life.last) done.push_back(slot);
    }
    for (const std::uint32_t slot : done) {
      sessions_[slot_of_[slot]]->ending = sessions_[slot_of_[slot]]->end_sent = true;
      message.add_ends(slot);
    }
    ASSERT_TRUE(stream_->write(message));
  }

  /// One session goes on with Track for some frames.
  void go_on_alone() {
    Life& life = *sessions_[below(sessions_.size())];
    if (life.told.id.empty() || life.over() || life.ending) return;
    test::Stream alone(*stub_);
    v1::TrackRequest resume;
    resume.mutable_resume()->set_session_id(life.told.id);
    resume.mutable_resume()->set_received_steps(life.told.steps());
    const v1::Opened opened = alone.open(resume);
    life.next = opened.has_covered() ? opened.covered().id() + 1 : 0;
    for (int k = 0; k < 4 && life.next < life.last; ++k, ++life.next) {
      const auto frame = static_cast<std::int64_t>(life.next);
      ASSERT_TRUE(alone.write(walk_.frames(frame, frame)));
    }
    const auto told = life.told.covered.empty() ? 0 : life.told.covered.back();
    if (told + 1 >= static_cast<std::int64_t>(life.next)) return;  // no report is to come
    for (const v1::StepReport& report : alone.reports(1)) life.told.take(report);
  }

 public:
  void compare() {
    for (const auto& session : sessions_) {
      if (session->told.ended) {
        EXPECT_EQ(session->told.ended->steps(), session->told.steps());
        EXPECT_EQ(session->told.covered.back(), static_cast<std::int64_t>(session->last));
        ++ended;
      }
      contacts += session->told.expect_checked(walk_, live_);
      free_steps += session->told.free_steps;
    }
  }

 private:
  LiveServer& live_;
  const Walk& walk_;
  std::unique_ptr<v1::CollisionService::Stub> stub_;
  std::mt19937_64 random_;
  std::array<std::unique_ptr<Life>, 8> sessions_;
  std::unique_ptr<CrowdStream> stream_;
  std::vector<std::size_t> slot_of_;
  std::vector<bool> open_;
};

TEST(ServerCrowd, StepsTileHoweverStreamsBreak) {
  LiveServer live;
  const Walk walk = test::walk_with_free_steps();
  std::size_t cuts = 0;
  std::size_t ended = 0;
  std::size_t contacts = 0;
  std::uint64_t free_steps = 0;
  // How many depends on the time that things take: about 30 of 48 sessions end.
  const auto enough = [&] { return cuts > 10 && ended > 12 && contacts > 100 && free_steps > 15; };
  for (std::uint64_t seed = 1; seed <= 6 || (seed <= 100 && !enough()); ++seed) {
    SCOPED_TRACE(seed);
    CrowdLife life(live, walk, seed);
    life.run();
    if (testing::Test::HasFatalFailure()) return;
    life.compare();
    cuts += life.cuts;
    ended += life.ended;
    contacts += life.contacts;
    free_steps += life.free_steps;
  }
  EXPECT_TRUE(enough()) << cuts << " cuts, " << ended << " sessions ended, " << contacts
                        << " contacts, " << free_steps << " free steps";
  EXPECT_TRUE(test::eventually([&] { return live.engine().counts().sessions == 0; }));
}

}  // namespace
}  // namespace tocsin::server_crowd_life_test
