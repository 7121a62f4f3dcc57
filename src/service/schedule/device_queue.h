// Steps of many sessions, checked by a device in one batch.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <stop_token>
#include <thread>
#include <vector>

#include "service/metrics/metrics.h"
#include "service/schedule/fair_queue.h"
#include "service/schedule/room_device.h"
#include "service/schedule/worker_pool.h"
#include "tocsin/detector.h"
#include "tocsin/motion.h"

namespace tocsin::service {

class Session;

struct BatchCounts {
  std::uint64_t batches = 0;   ///< answered by the device, or given up
  std::uint64_t steps = 0;     ///< answered by the device
  std::uint64_t given_up = 0;  ///< batches that took too long
  std::uint64_t waiting = 0;   ///< steps, now
};

/// One thread that checks batches on devices, one after the other. Sessions that become ready while
/// a batch is checked form the next one. So batches grow with the load, and without load no session
/// waits. Groups (BatchGroup) have turns, and so have principals in a group.
///
/// The workers check the rest, each session by itself, as they do without a device: a step for
/// which the device returned an error, all steps of a batch that takes too long (their own times
/// then show which one was expensive), and work that is no step.
class DeviceQueue {
 public:
  using Time = std::chrono::steady_clock::time_point;

  /// A batch has up to `size` steps. It waits for that many, but for no longer than `delay`. A
  /// batch that takes longer than `most_seconds` is given up; 0: every batch is. `pool` must live
  /// longer, and so must `metrics`, which counts the batches; null: nobody does.
  DeviceQueue(WorkerPool& pool, std::size_t size, std::chrono::microseconds delay,
              double most_seconds, Metrics* metrics = nullptr);
  DeviceQueue(const DeviceQueue&) = delete;
  DeviceQueue& operator=(const DeviceQueue&) = delete;
  /// Gives up the batch that is being checked. The workers get its steps and all pending ones.
  ~DeviceQueue();

  /// For a session with a group, instead of calling its run_step(). Throws std::bad_alloc; then
  /// nothing was added.
  void add(const std::shared_ptr<Session>& session);
  /// Call periodically: gives up a batch that takes too long.
  void watch(Time now);
  [[nodiscard]] BatchCounts counts() const;

 private:
  using Queue = FairQueue<std::shared_ptr<Session>>;
  using Sessions = std::vector<std::shared_ptr<Session>>;
  using Lock = std::unique_lock<std::mutex>;
  struct Pending {
    Queue queue;
    std::size_t count = 0;
    Time due;
  };
  using Groups = std::map<const BatchGroup*, Pending>;

  void work();
  /// Waits for the next batch; empty: this object is being destroyed.
  Queue::Tasks next(Lock& lock);
  [[nodiscard]] Groups::iterator due_group(Time now);
  Queue::Tasks take(Groups::iterator group, std::size_t most);
  void run(Queue::Tasks batch);
  /// Keeps the sessions that have a step for the device. The others go to the workers.
  void begin_steps(Queue::Tasks& batch);
  std::vector<StepReport> check(const Detector& detector);
  void end_steps(std::vector<StepReport> reports, double seconds);
  /// After a batch that was given up, the next ones are smaller. After full ones they grow.
  void adapt(std::size_t count, bool given_up);
  void hand_out(const std::shared_ptr<Session>& session, WorkerPool::Lane lane,
                std::uint32_t batch);

  WorkerPool& pool_;
  const std::size_t size_;
  const std::chrono::microseconds delay_;
  const std::chrono::duration<double> most_time_;
  Metrics* const metrics_;

  // Only used by the thread.
  Sessions joined_;
  std::vector<Member> members_;
  std::vector<Step> steps_;
  std::size_t most_;  ///< steps in the next batch

  mutable std::mutex mutex_;  ///< guards all below
  std::condition_variable wake_;
  Groups pending_;
  const BatchGroup* last_ = nullptr;  ///< the group that had the last turn; only compared
  bool over_ = false;
  std::optional<Time> since_;  ///< when the current batch began
  std::stop_source give_up_;
  BatchCounts counts_;
  std::thread thread_;
};

}  // namespace tocsin::service
