// Records the poses that a session covered: a motion that `tocsin check` reads and a report that
// `tocsin verify` confirms. docs/service.md, "Records".
#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "service/rooms/room.h"
#include "tocsin/avatar.h"
#include "tocsin/motion.h"
#include "tocsin/track.h"

namespace tocsin::service {

/// DIR/<stem>.poses grows pose by pose (io/poses/poses.h) and is whole up to its last line at any
/// time. Covered poses are in it within a second of the next pose. DIR/<stem>.jsonl, the report,
/// appears when the session ends. A model sent by the client is stored in DIR/<stem>.avatar.json.
/// Not thread-safe: one session's.
///
/// After an error nothing more is written. Every later call fails, and the file stays readable up
/// to that point.
class Recorder {
 public:
  /// `folder`: made if it does not exist. `stem`: of the file names; not secret (not the session's
  /// id). `avatar`: as bound to the placed skeleton. Errors (kResource): file and cause; a file of
  /// that name exists; kInput: a model that the format of model files cannot hold.
  static Result<std::unique_ptr<Recorder>> create(const std::filesystem::path& folder,
                                                  const std::string& stem,
                                                  const TrackOptions& options, const Avatar& avatar,
                                                  const Room& room);
  virtual ~Recorder() = default;

  /// The next covered pose as received (not placed), and its tick.
  virtual Status pose(const TrackFrame& frame, double tick) = 0;
  /// The step that ends at that pose, and its report. Steps come in order, from the one of frames 0
  /// and 1. LiveMotion's first step, which does not move, is left out, because `tocsin check` has
  /// none.
  virtual Status step(const Step& step, const StepReport& report) = 0;
  /// Ends both files. The report is about the steps given, which may be fewer than the poses have.
  /// A session that covered nothing leaves no files. Errors (kResource): the disk.
  virtual Status finish() = 0;
  /// Path of the motion, for people; empty if nothing was covered.
  [[nodiscard]] virtual std::string shown() const = 0;
};

}  // namespace tocsin::service
