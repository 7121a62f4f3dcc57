// The service without its network: sessions, rooms, workers. What gRPC's calls are thin coats of,
// and what tests and the fuzzer drive directly.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "service/access.h"
#include "service/device_line.h"
#include "service/environments.h"
#include "service/meeting.h"
#include "service/session.h"
#include "tocsin/track.h"

namespace tocsin::service {

struct EngineOptions {
  int threads = 0;  ///< that check; 0: all cores
  /// Steps of one room are handed to the workers, or to its device, together: as soon as so many
  /// are ready...
  std::size_t batch_size = 256;
  /// ... or the first of them has waited so long.
  std::chrono::microseconds batch_delay{0};
  SessionLimits limits;
  std::size_t most_sessions = 10'000;
  std::filesystem::path record;  ///< folder of records; empty: none are kept
  /// Ticks a second at which sessions that meet others are checked; 0: none but tick()'s.
  double meet_rate = 120.0;
  MeetingLimits meeting;
  /// What clients are not told in full, as it may hold paths: errors of records, mostly. A line a
  /// session at most; by any thread.
  Log log = nullptr;
};

struct EngineCounts {
  std::uint64_t sessions = 0;  ///< now
  std::uint64_t attached = 0;  ///< of these, with a stream
  std::uint64_t opened = 0;    ///< since the start
  std::uint64_t expired = 0;
  std::uint64_t steps = 0;
  std::uint64_t contacts = 0;
  std::uint64_t skipped_frames = 0;
  std::uint64_t stale_frames = 0;
  std::uint64_t meeting_members = 0;  ///< now: sessions that meet others
  MeetingCounts meeting;
  BatchCounts batches;  ///< that devices checked
};

/// Thread-safe.
class Engine {
 public:
  Engine(EngineOptions options, std::shared_ptr<Environments> rooms);
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;
  /// close(), if that was not called.
  ~Engine();

  [[nodiscard]] Environments& rooms() { return *rooms_; }

  /// A new session with a stream attached. Null: `problem` says why: no such room (kNotFound), as
  /// Session::create, a limit (kOverloaded), or the service closes (kClosing).
  std::shared_ptr<Session> open(const std::shared_ptr<Principal>& principal,
                                const TrackOptions& options, const std::shared_ptr<Outlet>& outlet,
                                TrackOpened& opened, Problem& problem);
  /// An earlier one; ids are only good for the principal that opened it (by its name). Null: as
  /// Session::attach; kNotFound: there is none, or it is another's.
  std::shared_ptr<Session> resume(const std::shared_ptr<Principal>& principal,
                                  const std::string& id, std::uint64_t received,
                                  const std::shared_ptr<Outlet>& outlet, TrackOpened& opened,
                                  Problem& problem);

  /// A tick of all meetings, as the ticker has them: handed to the workers. Numbers increase.
  void tick(std::uint64_t number);

  [[nodiscard]] EngineCounts counts() const;

  /// Opens no more sessions, looks at no more frames, checks what is pending and lets the streams
  /// pull the reports (for up to `patience`), tells all streams (kClosing), finishes all records.
  /// Returns how many frames were
  /// left unchecked. Sessions that someone still holds give their reports, and nothing else.
  std::uint64_t close(std::chrono::milliseconds patience);

 private:
  struct State;
  std::shared_ptr<Environments> rooms_;
  std::shared_ptr<State> state_;  ///< sessions refer to it
};

}  // namespace tocsin::service
