// Steps of many sessions, checked by a device in one go.
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

#include "service/room_device.h"
#include "service/turn_lines.h"
#include "service/worker_pool.h"
#include "tocsin/detector.h"
#include "tocsin/motion.h"

namespace tocsin::service {

class Session;

struct BatchCounts {
  std::uint64_t batches = 0;   ///< that the device answered, or that were given up
  std::uint64_t steps = 0;     ///< that it answered
  std::uint64_t given_up = 0;  ///< batches that took too long
};

/// One thread that hands batches to devices, one after the other. While one is being checked the
/// sessions that become ready wait, and are the next: under load batches grow by themselves, and
/// without load nobody waits. Groups (BatchGroup) have turns, and in a group principals.
///
/// What a device cannot do, or not soon, the workers do as they do everything where there is no
/// device, each session by itself: a step that an error came back for, all of a batch that takes
/// too long (which of them is to blame their own times tell), and whatever is no step.
class DeviceLine {
 public:
  using Time = std::chrono::steady_clock::time_point;

  /// Up to `size` steps a batch, which waits for that many, but for no longer than `delay`. A batch
  /// that takes longer than `most_seconds` is given up; 0: every one is. `pool` must live longer.
  DeviceLine(WorkerPool& pool, std::size_t size, std::chrono::microseconds delay,
             double most_seconds);
  DeviceLine(const DeviceLine&) = delete;
  DeviceLine& operator=(const DeviceLine&) = delete;
  /// Gives up what is being checked; the workers get that, and what waits.
  ~DeviceLine();

  /// Of a session with a group, in place of having run_step() called. Throws std::bad_alloc, and
  /// nothing has happened.
  void add(const std::shared_ptr<Session>& session);
  /// To be called now and then: gives up a batch that takes too long.
  void watch(Time now);
  [[nodiscard]] BatchCounts counts() const;

 private:
  using Lines = TurnLines<std::shared_ptr<Session>>;
  using Sessions = std::vector<std::shared_ptr<Session>>;
  using Lock = std::unique_lock<std::mutex>;
  struct Waiting {
    Lines lines;
    std::size_t count = 0;
    Time due;
  };
  using Groups = std::map<const BatchGroup*, Waiting>;

  void work();
  /// Waits for the next batch; empty: it is over.
  Lines::Tasks next(Lock& lock);
  [[nodiscard]] Groups::iterator due_group(Time now);
  Lines::Tasks take(Groups::iterator group, std::size_t most);
  void run(Lines::Tasks batch);
  /// Those that have a step for the device; the others go to the workers.
  void begin_steps(Lines::Tasks& batch);
  std::vector<StepReport> check(const Detector& detector);
  void end_steps(std::vector<StepReport> reports, double seconds);
  /// After a batch: a given-up one is followed by smaller ones, full ones by larger ones.
  void adapt(std::size_t count, bool given_up);
  void hand_out(const std::shared_ptr<Session>& session, WorkerPool::Lane lane,
                std::uint32_t batch);

  WorkerPool& pool_;
  const std::size_t size_;
  const std::chrono::microseconds delay_;
  const std::chrono::duration<double> most_time_;

  // The thread's own.
  Sessions joined_;
  std::vector<Member> members_;
  std::vector<Step> steps_;
  std::size_t most_;  ///< in the next batch

  mutable std::mutex mutex_;  ///< of all below
  std::condition_variable wake_;
  Groups waiting_;
  const BatchGroup* last_ = nullptr;  ///< that had a turn; only compared
  bool over_ = false;
  std::optional<Time> since_;  ///< when the batch began that is being checked
  std::stop_source give_up_;
  BatchCounts counts_;
  std::thread thread_;
};

}  // namespace tocsin::service
