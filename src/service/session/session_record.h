// The record of a session.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "service/records/recorder.h"
#include "service/session/problem.h"
#include "service/session/session_problems.h"
#include "tocsin/detector.h"
#include "tocsin/motion.h"
#include "tocsin/track.h"

namespace tocsin::service {

/// The recorder of a session, if there is one. Errors and exceptions of recorders become problems
/// of the session.
///
/// Not thread-safe: only the run of the session uses it (SessionControl). Any thread may call
/// shown() after the record is finished.
class SessionRecord {
 public:
  SessionRecord(std::unique_ptr<Recorder> recorder, Log log);

  [[nodiscard]] bool exists() const { return recorder_ != nullptr; }
  /// Adds the next covered pose as it was received, and the step to it with its report, if any.
  /// `passed`: frames that the step goes across.
  std::optional<Problem> add(const TrackFrame& frame, double tick, const Step* step,
                             const StepReport* result, const PassedOver& passed = {});
  /// Call once, if there is a record. It may take long.
  std::optional<Problem> finish();
  /// The name of its file, without the folder, which clients must not see. Empty: there is none.
  [[nodiscard]] std::string shown() const;

 private:
  const std::unique_ptr<Recorder> recorder_;
  const Log log_;
};

}  // namespace tocsin::service
