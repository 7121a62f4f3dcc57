// The service logic behind the gRPC calls: sessions, rooms, workers. Tests and the fuzzer call it
// directly.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "service/access/access.h"
#include "service/access/memory_budget.h"
#include "service/events/event_hub.h"
#include "service/events/step_listener.h"
#include "service/meeting/meeting.h"
#include "service/metrics/metrics.h"
#include "service/records/past_session.h"
#include "service/rooms/environments.h"
#include "service/schedule/batcher.h"
#include "service/schedule/device_queue.h"
#include "service/session/session.h"
#include "service/watch/watch_hub.h"
#include "tocsin/track.h"

namespace tocsin::service {

struct EngineOptions {
  /// That check; 0: all cores. WorkerPool::kByHand: none, and run_one() checks.
  int threads = 0;
  /// Steps of one room are handed to the workers, or to its device, together: as soon as so many
  /// are ready...
  std::size_t batch_size = 256;
  /// ... or the first of them has waited so long.
  std::chrono::microseconds batch_delay{0};
  /// Seconds: sessions whose steps take longer go to the slow lane.
  double slow_step = Batcher::kSlowStep;
  SessionLimits limits;
  std::size_t most_sessions = 10'000;
  std::filesystem::path record;  ///< folder of records; empty: none are kept
  RecordRules record_rules;
  /// Ticks of meetings a second; 0: only tick()'s.
  double meet_rate = 120.0;
  MeetingLimits meeting;
  /// Log lines for the operator that clients do not get in full, because they may contain paths:
  /// mostly errors of records. At most a line a session; called by any thread.
  Log log = nullptr;
  std::shared_ptr<StepListener> steps = nullptr;  ///< gets the steps of all sessions; null: nobody
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
  std::uint64_t bad_frames = 0;
  std::uint64_t pending_frames = 0;      ///< now
  std::uint64_t unsent_reports = 0;      ///< now
  std::uint64_t waiting_steps = 0;       ///< now, for a worker
  std::uint64_t waiting_slow_steps = 0;  ///< now, for one that serves the slow lane
  std::uint64_t meeting_members = 0;     ///< now: participants of meetings
  MeetingCounts meeting;
  BatchCounts batches;  ///< checked by devices
};

/// Whether Engine::resume() may take a session over from the record that another server left.
enum class TakeOver : std::uint8_t {
  kMay,    ///< it may take seconds
  kNever,  ///< kClosing instead: try again
};

/// A session, for the operator.
struct SessionRow {
  std::string session;  ///< SessionIdentity::shown(): it resumes nothing
  std::string principal;
  std::string label;
  std::string room;
  std::string peer;  ///< the client's address; empty: no stream is attached
  double age = 0.0;  ///< seconds since it began here
  SessionCounts counts;
};

/// Thread-safe.
class Engine {
 public:
  Engine(EngineOptions options, std::shared_ptr<Environments> rooms);
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;
  /// Calls close(), if that was not called.
  ~Engine();

  [[nodiscard]] Environments& rooms() { return *rooms_; }
  [[nodiscard]] std::size_t most_sessions() const;

  /// Opens a session with a stream attached. `memory`: what shapes that the server has may take
  /// (null: no limit). Null: `problem` says why: no such room or shape (kNotFound), as
  /// Session::create, a limit (kOverloaded), or the service closes (kClosing).
  std::shared_ptr<Session> open(const std::shared_ptr<Principal>& principal,
                                const TrackOptions& options, const std::shared_ptr<Outlet>& outlet,
                                TrackOpened& opened, Problem& problem,
                                MemoryBudget* memory = nullptr);
  /// Resumes an earlier session. An id is only valid for the principal that opened the session (by
  /// its name). A session that another server of the same folder of records has left is taken over:
  /// what the client has no reports of is checked again, which may take long. A room that a client
  /// uploaded is loaded again for its owner, if `memory` (null: no limit) has room for it. Null: as
  /// Session::attach; kNotFound: no such session, or another principal's, or its room is gone;
  /// kOverloaded: a limit; kClosing: another server still has it; kOutOfRange: the record does not
  /// hold what comes next.
  std::shared_ptr<Session> resume(const std::shared_ptr<Principal>& principal,
                                  const std::string& id, std::uint64_t received,
                                  const std::shared_ptr<Outlet>& outlet, TrackOpened& opened,
                                  Problem& problem, MemoryBudget* memory = nullptr,
                                  TakeOver how = TakeOver::kMay);

  /// True if resume() need not take the session over.
  [[nodiscard]] bool has(const std::string& id) const;

  /// Gets the sessions run for which Session::offer() set `due`, and then, when the last of them
  /// has begun, `then`: most of them are done by then. Those that are slow are not waited for.
  /// Where their steps are collected, or go to a device, `then` is called at once. Does not throw.
  void schedule(std::span<const std::shared_ptr<Session>> sessions,
                const std::function<void()>& then);

  /// Runs the session, for which Session::offer() set `due`, on this thread, which has just read
  /// its frame: its memory is in this processor's caches, and no worker has to be woken. Several
  /// threads may do so at a time. False, and nothing was done: too many wait for workers
  /// (Batcher::kMostWaiting), or the run may take longer than SessionLimits::brief_seconds.
  /// `waited`: when reading last had to wait for the client; long ago: it does not keep up, and
  /// shall read. `memory`: Session::run_briefly(). Does not throw.
  bool run_here(Session& session, std::chrono::steady_clock::time_point waited,
                std::vector<Transform>* memory = nullptr);

  /// Submits a tick of all meetings to the workers, as the ticker does. Numbers increase.
  void tick(std::uint64_t number);

  /// Runs what a worker would do next, on this thread. False: there is nothing to do. For tests
  /// without threads (WorkerPool::kByHand); not while close() runs.
  bool run_one();

  [[nodiscard]] EngineCounts counts() const;
  /// All sessions, the oldest first.
  [[nodiscard]] std::vector<SessionRow> sessions() const;
  /// Ends a session for the operator, named by its id or as it is shown. Its client is told
  /// (kForbidden), and nobody can resume it. False: there is no such session.
  bool end_session(const std::string& name);
  /// What was done since the start. Its users add to it.
  [[nodiscard]] Metrics& metrics() const;
  /// Null: nothing is recorded.
  [[nodiscard]] const RecordStore* records() const;
  /// Gets the contacts of all sessions.
  [[nodiscard]] EventHub& events() const;
  /// Tells watchers of all sessions.
  [[nodiscard]] WatchHub& watch() const;

  /// Opens no more sessions and takes no more frames. Checks pending frames and lets the streams
  /// read the reports (for up to `timeout`). Then tells all streams (kClosing) and finishes all
  /// records. Returns the number of frames left unchecked. Sessions that are still referenced only
  /// give their reports.
  std::uint64_t close(std::chrono::milliseconds timeout);

 private:
  struct State;
  std::shared_ptr<Session> take_over(const std::shared_ptr<Principal>& principal,
                                     const std::string& id, std::uint64_t received,
                                     const std::shared_ptr<Outlet>& outlet, TrackOpened& opened,
                                     Problem& problem, MemoryBudget* memory);
  std::shared_ptr<const Room> room_of(const Principal& principal, const PastSession& past,
                                      Problem& problem, MemoryBudget* memory);
  std::shared_ptr<Environments> rooms_;
  std::shared_ptr<State> state_;  ///< sessions refer to it
};

}  // namespace tocsin::service
