// What a session writes down.
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

/// A session's recorder, if it has one. What recorders answer or throw becomes a problem of the
/// session here.
///
/// Not thread-safe: it belongs to whoever runs a step (SessionControl). shown() may be asked by
/// anybody once the record is finished.
class SessionRecord {
 public:
  SessionRecord(std::unique_ptr<Recorder> recorder, Log log);

  [[nodiscard]] bool exists() const { return recorder_ != nullptr; }
  /// The next covered pose, as it came; and the step to it with its report, if there is one.
  std::optional<Problem> add(const TrackFrame& frame, double tick, const Step* step,
                             const StepReport* result);
  /// Once, where there is one. It may take long.
  std::optional<Problem> finish();
  /// The name of its file, without the folder: where the server keeps it is not the client's to
  /// know. Empty: there is none.
  [[nodiscard]] std::string shown() const;

 private:
  const std::unique_ptr<Recorder> recorder_;
  const Log log_;
};

}  // namespace tocsin::service
