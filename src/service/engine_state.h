// What an engine and its sessions share.
#pragma once

#include <atomic>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <optional>
#include <shared_mutex>
#include <string>
#include <thread>
#include <unordered_map>
#include <utility>
#include <vector>

#include "service/engine.h"
#include "service/meeting/meetings.h"
#include "service/meeting/ticker.h"
#include "service/schedule/batcher.h"
#include "service/schedule/worker_pool.h"

namespace tocsin::service {

/// For records and MeetingInfo where ticks are called by hand.
inline constexpr double kRateByHand = 120.0;

/// Outlives the engine while a session is referenced; then nothing is scheduled.
struct Engine::State : StepScheduler {
  State(EngineOptions engine_options, bool in_batches)
      : options(std::move(engine_options)),
        has_device(in_batches),
        meetings(options.meet_rate > 0.0 ? options.meet_rate : kRateByHand, options.meeting) {
    if (options.record.empty()) return;
    RecordRules rules = options.record_rules;
    rules.ttl = options.limits.ttl;
    records = std::make_shared<RecordStore>(options.record, rules, options.log);
  }

  void schedule(const std::shared_ptr<Session>& session) override;
  void over(const std::shared_ptr<Session>& session) override;

  void start();
  /// Runs all submitted work to its end. Nothing is submitted after that.
  void stop();
  void sweep();
  void watch_device();
  void add_queues(EngineCounts& out) const;
  /// False: there is no meeting.
  bool tick(std::uint64_t number);
  void submit_tick(const std::shared_ptr<Meeting>& meeting, std::uint64_t number);
  [[nodiscard]] std::vector<std::shared_ptr<Session>> all() const;
  std::optional<Problem> limit(const Principal& principal, SessionSlot& slot,
                               std::shared_ptr<const Room> room, std::shared_ptr<Principal> owner,
                               std::vector<std::shared_ptr<const Room>> shapes = {});
  /// Why no session more may begin. Call under the mutex.
  [[nodiscard]] std::optional<Problem> full_for(const Principal& principal) const;
  std::uint64_t next_number();
  /// Sets what all sessions have in common.
  void equip(SessionParts& parts) const;
  /// Null: nothing is recorded. `recorded` must live until it was called. `session`: part and step.
  MakeRecorder recorder(const SessionParts& parts, const TrackOptions& recorded,
                        const std::string& stem, io::SessionHead session, KeptModel model) const;
  /// Gives a session of another server its place in the meeting, which goes on from its last tick.
  /// False: its ticks were at another rate.
  bool rejoin(const PastMeeting& past, std::uint64_t number, SessionParts& parts);
  /// Puts the session into the table. False: the service closes.
  bool put(const std::shared_ptr<Session>& session);
  /// Of the session that was put there last; none: it has no links.
  [[nodiscard]] Avatar newest_avatar() const;

  const EngineOptions options;
  const bool has_device;
  Meetings meetings;
  const std::shared_ptr<Metrics> metrics = std::make_shared<Metrics>();
  const std::shared_ptr<EventHub> events = std::make_shared<EventHub>();
  const std::shared_ptr<WatchHub> watch = std::make_shared<WatchHub>();
  std::shared_ptr<RecordStore> records;  ///< null: nothing is recorded
  std::mutex reloading;  ///< of the rooms of sessions that are taken over: one at a time
  const std::shared_ptr<std::atomic<std::size_t>> slots =
      std::make_shared<std::atomic<std::size_t>>(0);

  mutable std::mutex mutex;  ///< of the table and all below
  std::unordered_map<std::string, std::shared_ptr<Session>> table;
  std::weak_ptr<const Session> newest;  ///< the last that was put into it
  BatchCounts last_batches;             ///< when the device was stopped
  std::uint64_t numbers = 0;
  bool closing = false;
  std::condition_variable wake;
  std::thread sweeper;

  mutable std::mutex gate;  ///< of these three; null once nothing is handed out any more
  std::unique_ptr<WorkerPool> pool;
  std::unique_ptr<DeviceQueue> device;  ///< also null: no room has a device
  std::unique_ptr<Batcher> batcher;
  std::shared_mutex here;  ///< shared by threads that read streams and check a step (run_here)
  std::unique_ptr<Ticker> ticker;  ///< null: ticks are called by hand
};

}  // namespace tocsin::service
