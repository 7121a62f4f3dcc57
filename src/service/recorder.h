// Keeps what a session covered: a motion that `tocsin check` reads and a report that `tocsin
// verify` confirms. docs/service.md, "Records".
#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "service/environments.h"
#include "tocsin/avatar.h"
#include "tocsin/motion.h"
#include "tocsin/track.h"

namespace tocsin::service {

/// DIR/<stem>.poses grows pose by pose (io/poses.h) and is whole up to its last line at any time:
/// what was covered is in it within a second of the next pose. DIR/<stem>.jsonl, the report,
/// appears when the session ends. A model that the client brought lies in DIR/<stem>.avatar.json.
/// Not thread-safe: one session's.
///
/// After an error nothing more is written: every later call fails, the file stays readable up to
/// where it was.
class Recorder {
 public:
  /// `folder`: made if it is not there. `stem`: of the file names; not secret (not the session's
  /// id). `avatar`: as bound to the placed skeleton. Errors (kResource): file and cause; there is a
  /// file of that name; kInput: a model that the format of model files cannot hold.
  static Result<std::unique_ptr<Recorder>> create(const std::filesystem::path& folder,
                                                  const std::string& stem,
                                                  const TrackOptions& options, const Avatar& avatar,
                                                  const Room& room);
  virtual ~Recorder() = default;

  /// The next covered pose: as it came (not placed) and its tick.
  virtual Status pose(const TrackFrame& frame, double tick) = 0;
  /// The step that ends at that pose, and its report. Steps come in order, from the one of frames 0
  /// and 1; one that does not move (LiveMotion's first) is passed over, as `tocsin check` has none.
  virtual Status step(const Step& step, const StepReport& report) = 0;
  /// Ends both files. The report is about the steps that came, which may be fewer than the poses
  /// have; a session that covered nothing leaves no files. Errors (kResource): the disk.
  virtual Status finish() = 0;
  /// Path of the motion, for people; empty if nothing was covered.
  [[nodiscard]] virtual std::string shown() const = 0;
};

}  // namespace tocsin::service
