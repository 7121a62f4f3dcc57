// The record of a session.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "service/records/recorder.h"
#include "service/session/problem.h"
#include "service/session/session_problems.h"
#include "tocsin/detector.h"
#include "tocsin/motion.h"
#include "tocsin/track.h"

namespace tocsin::service {

/// The recorder of a session, if there is one. If it fails, the record ends, and the log says so.
/// Where records are required, that is a problem of the session. Else the session goes on, and its
/// reports say that they are not recorded.
///
/// Not thread-safe: only the run of the session uses it (SessionControl). Any thread may call
/// shown() and lost_steps() after the record is finished.
class SessionRecord {
 public:
  /// `lost`: why there is no recorder though there should be one; empty: there should be none.
  SessionRecord(std::unique_ptr<Recorder> recorder, bool required, Log log, std::string lost = {});

  [[nodiscard]] bool exists() const { return recorder_ != nullptr; }
  /// Adds the next covered pose as it was received, and the step to it with its report, if any.
  /// `passed`: frames that the step goes across.
  std::optional<Problem> add(const TrackFrame& frame, double tick, const Step* step,
                             const StepReport* result, const PassedOver& passed = {});
  /// How the room changed before the step that add() gets next.
  std::optional<Problem> add_room(const detect::SceneNews& news);
  /// Recorder::offer(). False: there is no record, or it ended, or the disk failed (the log says
  /// so).
  bool offer();
  /// Recorder::syncs(), sync().
  [[nodiscard]] bool syncs() const { return recorder_ && recorder_->syncs(); }
  void sync(RecordSync::Done done) { recorder_->sync(std::move(done)); }
  /// The poses may not be on the disk: the record ends. `steps`: those of them that were told so.
  void lose(const std::string& why, std::uint64_t steps);
  /// Says in the report of a step that it is not recorded, if that is so.
  void mark(TrackReport& report);
  /// Steps that were added when the record had ended.
  [[nodiscard]] std::uint64_t lost_steps() const { return lost_steps_; }
  /// Call once, if there is a record. It may take long.
  std::optional<Problem> finish();
  /// The name of its file, without the folder, which clients must not see. Empty: there is none.
  [[nodiscard]] std::string shown() const;
  /// The same without its extension.
  [[nodiscard]] std::string stem() const;

 private:
  /// The record ends, or the session.
  std::optional<Problem> give_up(Problem problem);

  std::unique_ptr<Recorder> recorder_;
  bool required_;
  Log log_;
  std::string lost_;  ///< why nothing is recorded any more; empty: it is
  bool told_ = false;
  std::uint64_t lost_steps_ = 0;
};

}  // namespace tocsin::service
