// Checks the steps of one session.
#pragma once

#include <atomic>
#include <chrono>
#include <memory>
#include <optional>
#include <stop_token>
#include <utility>

#include "service/schedule/room_device.h"
#include "service/session/problem.h"
#include "service/step/room_follower.h"
#include "service/step/step_parts.h"
#include "tocsin/stream.h"
#include "tocsin/track.h"

namespace tocsin::service {

/// Uses the device's answer to a step, if there is one, and else checks the step here, in parts:
/// each call has the same time.
///
/// Only the run of the session uses it (SessionControl). But any thread may call watch() and
/// give_up(): they share only atomic members with a check.
class StepChecker {
 public:
  using Time = std::chrono::steady_clock::time_point;

  /// A call takes `most`, or `brief` (be_brief()), and a unit of work longer (StepBudget).
  /// `device`: that of the session's batches; null: there are none. `follower`: begun; null: the
  /// room never changes. `by_turns`: of a meeting: steps go to the version of the last
  /// advance_room().
  StepChecker(Stream stream, std::chrono::duration<double> most,
              std::chrono::duration<double> brief, std::shared_ptr<const RoomDevice> device,
              std::unique_ptr<RoomFollower> follower = nullptr, bool by_turns = false);

  /// The device's answer to the step, or else that of check(). `device_seconds`: the duration of
  /// the batch; only set if the device answered.
  Result<StepReport> answer_to(const Step& step, Time now, double& device_seconds);
  /// Begins the step, or, if it is begun, goes on with it. The report may not be complete. `now`:
  /// the time.
  Result<StepReport> check(const Step& step, Time now);
  /// A tick of a meeting: all its participants go to one version of their room.
  Status advance_room() { return follower_ ? follower_->advance() : Nothing{}; }
  /// Null: the room never changes.
  [[nodiscard]] RoomFollower* follower() const { return follower_.get(); }
  /// Parts that the step has taken so far: calls, without those that were put off.
  [[nodiscard]] std::uint32_t parts() const { return parts_; }
  /// From now on a call of check() takes `brief` at most, and what is left then is put off.
  void be_brief(bool brief) { brief_ = brief; }
  /// The last report is not complete because the call was brief: the next goes on with the part.
  [[nodiscard]] bool put_off() const { return put_off_; }
  /// The problem that ends the session if a check had this error.
  [[nodiscard]] Problem problem_of(const Error& error) const;

  /// Calls f(stop token): one unit of work, which watch() and give_up() may cancel.
  template <class F>
  auto watched(const F& f) {
    since_.store(std::chrono::steady_clock::now(), std::memory_order_relaxed);
    auto out = f(give_up_.get_token());
    since_.store(Time(), std::memory_order_relaxed);
    return out;
  }

  /// Stores a device's answer to the next step. Without memory for it the step is checked here.
  void leave(BatchedAnswer answer);
  void drop_answer() { answer_.reset(); }
  /// Stream::memory()
  [[nodiscard]] Stream::Memory memory() const { return stream_.memory(); }
  /// Seconds: the next step's share of its batch. 0: it was in none.
  [[nodiscard]] double share() const { return answer_ ? answer_->share : 0.0; }
  /// Sets TrackReport::fallback in the first report after the device failed.
  void add_fallback(TrackReport& report);

  /// Cancels the step that is being checked if one unit of work takes far too long.
  void watch(Time now);
  /// Cancels the step that is being checked, and all later ones.
  void give_up() { give_up_.request_stop(); }

 private:
  const std::chrono::duration<double> most_;
  const std::chrono::duration<double> brief_most_;
  const std::shared_ptr<const RoomDevice> device_;
  /// The step that begins has the version of the room that it should.
  Status follow_room();

  Stream stream_;
  const std::unique_ptr<RoomFollower> follower_;
  const bool by_turns_;
  std::unique_ptr<BatchedAnswer> answer_;  ///< null: none
  bool fallback_sent_ = false;             ///< a report says that the device failed
  std::uint32_t parts_ = 0;
  bool brief_ = false;
  bool put_off_ = false;

  std::stop_source give_up_;
  /// The clock's epoch: nothing is being checked. Relaxed: it orders nothing, and is read to within
  /// seconds.
  std::atomic<Time> since_{};
};

}  // namespace tocsin::service
