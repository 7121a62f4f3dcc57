// One session of a soak: a client that loses, delays and doubles frames, and that computes every
// report once more.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "soak/world.h"
#include "tocsin/client.h"

namespace tocsin::test {

/// How a client behaves.
struct Manners {
  double rate = 30.0;     ///< frames a second
  double loss = 0.05;     ///< share of frames that are never sent
  double twice = 0.02;    ///< share that is sent twice
  double jitter = 0.060;  ///< seconds that a frame may be late
};

/// Not thread-safe: its owner calls it, again and again, to send what is due and to look at what
/// came.
class SoakSession {
 public:
  using Clock = std::chrono::steady_clock;

  SoakSession(World& world, std::string name, const TrackOptions& options, const Manners& manners,
              std::uint64_t seed);

  /// Opens the session, or goes on with it; the answer comes later.
  bool start(const Connection& connection);

  enum class State {
    kOpening,
    kStreaming,
    kBroken,   ///< can be resumed
    kEnded,    ///< finished, all reported
    kClosing,  ///< told that the server ends
    kGone,     ///< the server does not know it any more, or cannot go on without a hole
    kFailed,   ///< a mistake, which was noted
  };
  [[nodiscard]] State state() const { return state_; }

  void set_rate(double rate) { manners_.rate = rate; }
  /// Sends the frames that are due and checks the reports that came.
  void tick();
  /// The stream breaks; what came until then counts.
  void abandon();
  /// Says that no more frames come; kEnded comes in time.
  void finish();

 private:
  /// What the handler left for us.
  struct Inbox {
    std::mutex mutex;
    std::optional<TrackOpened> opened;
    std::vector<TrackReport> reports;
    bool over = false;
    StreamEnd end = StreamEnd::kBroken;
    TrackEnded ended;
    Error error;
  };

  void mistake(const std::string& what);
  void send_due();
  void take_news();
  void check(const TrackOpened& opened);
  void check(const TrackReport& report);
  void look_at_end(StreamEnd end, const TrackEnded& ended, const Error& error);
  [[nodiscard]] std::vector<Transform> pose(std::uint64_t id) const;
  [[nodiscard]] bool is_lost(std::uint64_t id) const;
  Step step_to(std::uint64_t id);

  World& world_;
  std::string name_;
  TrackOptions options_;
  Manners manners_;
  std::mt19937_64 random_;
  std::uint64_t first_pose_;
  std::uint64_t seed_;

  State state_ = State::kBroken;
  LiveSession stream_;
  std::shared_ptr<Inbox> inbox_;
  std::string id_;
  bool unbroken_ = true;
  bool finishing_ = false;
  bool abandoned_ = false;  ///< the end is our own doing

  // Sending: ids count frames of the take; the clock starts anew with every stream.
  Clock::time_point last_due_;
  double owed_ = 0.0;
  std::uint64_t next_id_ = 0;
  std::multimap<Clock::time_point, std::uint64_t> due_;
  std::uint64_t sent_ = 0;

  // What the reports must say.
  LiveMotion live_;
  Stream checker_;
  std::optional<FrameStamp> covered_;
  std::uint64_t steps_ = 0;
  std::uint64_t contacts_ = 0;
  std::uint64_t skipped_ = 0;
};

}  // namespace tocsin::test
