// What a client sends, from its bytes to the engine: messages are decoded, sessions opened,
// resumed, fed and finished, streams broken. Whatever comes, reports join without a hole and every
// frame is accounted for.
//
// An input is a list of commands, each a byte: modulo 8, 0 to 2 are a message (two bytes of length,
// little-endian, then a serialized TrackRequest), 3 lets a worker do one thing, 4 breaks the
// stream, 5 reads up to four reports, 6 waits until nothing is checked any more, 7 closes the
// client's side.
//
// There are no worker threads and no ticker: an input does the same every time, and the commands
// decide what is checked when. What threads do to each other is for the tests under ThreadSanitizer
// (tests/service).
#pragma once

#include <google/protobuf/stubs/logging.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "require.h"
#include "service/engine.h"
#include "tocsin/tocsin.h"
#include "tocsin/v1/collision.pb.h"
#include "wire/reports.h"
#include "wire/values.h"

namespace tocsin::service {

using Clock = std::chrono::steady_clock;

class QuietOutlet : public Outlet {
 public:
  void ready() override {}
  void refuse(const Problem& problem) override { TOCSIN_REQUIRE(!problem.message.empty()); }
};

/// What all inputs share: the room, the engine and its only client.
struct World {
  std::shared_ptr<Environments> rooms = std::make_shared<Environments>(RoomPolicy{});
  std::shared_ptr<Principal> principal = std::make_shared<Principal>();
  std::unique_ptr<Engine> engine;

  explicit World(const Environment& environment) {
    google::protobuf::SetLogHandler(nullptr);  // names that are no UTF-8
    const auto file = std::filesystem::temp_directory_path() /
                      ("fuzz_track_" + std::to_string(::getpid()) + ".obj");
    TOCSIN_REQUIRE(save_environment(environment, file).ok());
    std::vector<std::string> warnings;
    const std::vector<std::filesystem::path> files{file};
    TOCSIN_REQUIRE(rooms->load("tiny", files, {}, warnings).ok());
    std::filesystem::remove(file);
    principal->name = "fuzzer";
    principal->limits.links = 16;
    principal->limits.frames_per_second = 1e12;
    EngineOptions options;
    options.threads = WorkerPool::kByHand;
    options.meet_rate = 0.0;
    options.limits.pending_frames = 3;
    options.limits.kept_reports = 6;
    options.limits.unsent_reports = 4;
    options.limits.kept_bytes = 4096;
    engine = std::make_unique<Engine>(std::move(options), rooms);
  }

  /// What a worker does next; where there is nothing to do, the next tick of meetings.
  void go_on() {
    if (!engine->run_one()) engine->tick(++ticks);
  }

 private:
  std::uint64_t ticks = 0;
};

/// Sessions end with the input: nothing is left for the next.
class Conversation {
 public:
  explicit Conversation(World& world) : world_(world) {}

  void message(const std::uint8_t* data, std::size_t size) {
    v1::TrackRequest request;
    if (!request.ParseFromArray(data, static_cast<int>(size))) return;
    if (request.has_open()) return open(request.open());
    if (request.has_resume()) return resume(request.resume().received_steps());
    for (const v1::Frame& frame : request.frames().frames()) offer(frame);
  }

  void break_stream() {
    if (session_) session_->detach(outlet_.get());
  }

  void read(std::size_t most) {
    if (!session_) return;
    for (const TrackReport& report : session_->pull(outlet_.get(), most)) look_at(report);
  }

  /// Until there is a report to read, or nothing to do.
  void wait() {
    for (int turn = 0; session_ && session_->counts().working && !for_me(); ++turn) {
      TOCSIN_REQUIRE(turn < kMostTurns);
      world_.go_on();
    }
  }

  void finish() {
    if (!session_) return;
    // A stream that is broken cannot finish.
    finished_ = finished_ || session_->counts().attached;
    session_->finish(outlet_.get());
  }

  void end() {
    if (!session_) return;
    if (!session_->counts().attached) {
      attach(next_);
      TOCSIN_REQUIRE(session_->counts().attached);
    }
    session_->finish(outlet_.get());
    std::optional<TrackEnded> ended;
    for (int turn = 0; !ended && turn < kMostTurns; ++turn) {
      read(100);
      ended = session_->ended(outlet_.get());
      if (!ended) world_.go_on();
    }
    TOCSIN_REQUIRE(ended.has_value());
    TOCSIN_REQUIRE(ended->steps == seen_.size() && next_ == seen_.size());
    std::uint64_t skipped = 0;
    std::uint64_t moved = 0;
    for (const Seen& report : seen_) {
      skipped += report.skipped;
      moved += report.still ? 0 : 1;
    }
    TOCSIN_REQUIRE(skipped == ended->skipped_frames);
    // Some of the bad frames lie in no step.
    TOCSIN_REQUIRE(ended->bad_frames <= taken_);
    TOCSIN_REQUIRE(ended->first_bad_frame.empty() == (ended->bad_frames == 0));
    const std::uint64_t good = taken_ - ended->bad_frames;
    const std::uint64_t covered = moved + (good > 0 ? 1 : 0);
    TOCSIN_REQUIRE(good ==
                   covered + ended->skipped_frames + ended->stale_frames + ended->duplicate_frames);
    session_->detach(outlet_.get());
    session_.reset();
    while (world_.engine->run_one()) {
    }
    TOCSIN_REQUIRE(world_.principal->used->sessions == 0);
  }

 private:
  /// More than three frames and six reports need.
  static constexpr int kMostTurns = 1000;

  /// True if what the session still works at may be only what this side has yet to read.
  [[nodiscard]] bool for_me() const { return finished_ || session_->counts().unsent_reports > 0; }

  void open(const v1::Open& message) {
    if (session_) return;
    Result<TrackOptions> options = wire::from_wire(message);
    if (!options.ok()) {
      TOCSIN_REQUIRE(!options.error().message.empty());
      return;
    }
    TrackOpened opened;
    Problem problem;
    session_ = world_.engine->open(world_.principal, *options, outlet_, opened, problem);
    if (!session_) {
      TOCSIN_REQUIRE(!problem.message.empty());
      TOCSIN_REQUIRE(problem.refusal != Refusal::kFailed && problem.refusal != Refusal::kClosing);
      TOCSIN_REQUIRE(world_.principal->used->sessions == 0);
      return;
    }
    TOCSIN_REQUIRE(opened.links.size() <= world_.principal->limits.links);
    codec_.emplace(options->skeleton);
    v1::Opened answer;
    wire::to_wire(opened, answer);
  }

  void resume(std::uint64_t received) {
    if (!session_) return;
    // A client that says it has what it never got has itself to thank for a hole; what nobody can
    // have is refused.
    if (received > seen_.size() && received < kFarAhead) received = seen_.size();
    attach(received);
  }

  void attach(std::uint64_t received) {
    const auto next = std::make_shared<QuietOutlet>();
    TrackOpened opened;
    Problem problem;
    const auto session = world_.engine->resume(world_.principal, session_->identity().id, received,
                                               next, opened, problem);
    TOCSIN_REQUIRE(!session || (session == session_ && received < kFarAhead));
    if (!session) {
      TOCSIN_REQUIRE(problem.refusal == Refusal::kOutOfRange);
      return;
    }
    TOCSIN_REQUIRE(opened.next_step == received);
    outlet_ = next;
    next_ = received;
  }

  void offer(const v1::Frame& message) {
    if (!session_) return;
    TrackFrame frame;
    if (!codec_->from_wire(message, frame)) return;
    const bool attached = session_->counts().attached;
    const auto problem = session_->offer(outlet_.get(), std::move(frame), Clock::now());
    if (problem) {
      TOCSIN_REQUIRE(!problem->message.empty());
      TOCSIN_REQUIRE(problem->refusal != Refusal::kFailed);
    } else {
      TOCSIN_REQUIRE(attached && !finished_);
      ++taken_;
    }
  }

  void look_at(const TrackReport& report) {
    TOCSIN_REQUIRE(report.result.step == static_cast<std::int64_t>(next_));
    TOCSIN_REQUIRE(next_ == 0 || seen_[next_ - 1].to == report.from);
    const bool still = report.tick && report.from == report.to;  // for a tick of a meeting
    // Times of even frames may be too close to be told apart.
    TOCSIN_REQUIRE(still || report.from.id < report.to.id);
    TOCSIN_REQUIRE(report.from.capture_time <= report.to.capture_time);
    TOCSIN_REQUIRE(report.result.safe_until >= 0.0 && report.result.safe_until <= 1.0);
    TOCSIN_REQUIRE(!report.result.error);
    for (const Contact& contact : report.result.contacts) {
      const auto [low, high] = contact.toc;
      TOCSIN_REQUIRE(low >= 0.0 && low <= high && high <= 1.0);
    }
    Seen seen{report.to, report.result.contacts.size(), 0, still};
    std::uint64_t last = report.from.id;
    for (const IdRange& range : report.skipped) {
      TOCSIN_REQUIRE(last < range.first && range.first <= range.last && range.last < report.to.id);
      seen.skipped += range.last - range.first + 1;
      last = range.last;
    }
    last = report.from.id;
    for (const IdRange& range : report.bad) {
      TOCSIN_REQUIRE(last < range.first && range.first <= range.last && range.last < report.to.id);
      last = range.last;
    }
    if (next_ < seen_.size()) {
      TOCSIN_REQUIRE(seen_[next_] == seen);  // it comes again
    } else {
      seen_.push_back(seen);
    }
    ++next_;
    v1::StepReport answer;
    wire::to_wire(report, *codec_, answer);
    TOCSIN_REQUIRE(wire::from_wire(answer, *codec_).ok());
  }

  /// A report that was read.
  struct Seen {
    FrameStamp to;
    std::size_t contacts = 0;
    std::uint64_t skipped = 0;
    bool still = false;
    friend bool operator==(const Seen&, const Seen&) = default;
  };
  static constexpr std::uint64_t kFarAhead = 1'000'000;

  World& world_;
  std::shared_ptr<QuietOutlet> outlet_ = std::make_shared<QuietOutlet>();
  std::shared_ptr<Session> session_;
  std::optional<wire::PoseCodec> codec_;
  std::vector<Seen> seen_;   ///< by step
  std::uint64_t next_ = 0;   ///< the step of the next report
  std::uint64_t taken_ = 0;  ///< frames
  bool finished_ = false;
};

/// Commands that let workers do something, of one input: the others are passed over, so that no
/// input is much slower than another.
inline constexpr int kMostWork = 64;

/// Runs the commands of one input.
inline void converse(World& world, const std::uint8_t* data, std::size_t size) {
  Conversation conversation(world);
  int work = 0;
  std::size_t at = 0;
  while (at < size) {
    const unsigned command = data[at++] % 8U;
    if (command < 3) {
      if (size - at < 2) break;
      const std::size_t length =
          std::min<std::size_t>(data[at] + 256U * data[at + 1], size - at - 2);
      conversation.message(data + at + 2, length);
      at += 2 + length;
    } else if (command == 3) {
      if (++work <= kMostWork) world.engine->run_one();
    } else if (command == 4) {
      conversation.break_stream();
    } else if (command == 5) {
      conversation.read(4);
    } else if (command == 6) {
      if (++work <= kMostWork) conversation.wait();
    } else {
      conversation.finish();
    }
  }
  conversation.end();
}

}  // namespace tocsin::service
