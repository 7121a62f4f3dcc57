// Records the poses that a session covered: a motion that `tocsin check` reads and a report that
// `tocsin verify` confirms. docs/service.md, "Records".
#pragma once

#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "detect/scene/versions/scene_versions.h"
#include "io/poses/poses.h"
#include "io/poses/record_head.h"
#include "service/records/kept_model.h"
#include "service/records/record_store.h"
#include "service/rooms/room.h"
#include "tocsin/avatar.h"
#include "tocsin/motion.h"
#include "tocsin/track.h"

namespace tocsin::service {

/// Frames that a step goes across: skipped, and bad ones; and what the session has counted.
struct PassedOver {
  std::span<const IdRange> skipped = {};
  std::span<const IdRange> bad = {};
  io::PoseCounts counts = {};  ///< of the session, up to the pose and its step
  std::string_view first_bad = {};
  std::span<const std::uint32_t> held = {};  ///< joints that the tracker had lost in the frame
};

/// DIR/<stem>.poses begins with the session's options and the hashes of its inputs
/// (io/poses/record_head.h). It grows pose by pose (io/poses/poses.h) and is whole up to its last
/// line at any time. The kernel has a covered pose when pose() returns, so the end of the process
/// loses none. Of a room that changes, DIR/<stem>.scene has what each step saw
/// (io/scene/scene_record.h). DIR/<stem>.lines holds the report's lines meanwhile.
/// DIR/<stem>.jsonl, the report, appears when the session ends, in place of it. A model sent by the
/// client is stored in DIR/<stem>.avatar.json; shapes that the server has it names by their kept
/// files. The .poses file is locked (flock) while this object lives. Not thread-safe: one
/// session's.
///
/// After an error nothing more is written. Every later call fails, and the file stays readable up
/// to that point.
class Recorder {
 public:
  /// `folder`: made if it does not exist. `stem`: of the file names; not secret (not the session's
  /// id). `avatar`: as bound to the placed skeleton. `session`: whose it is, part and step; the
  /// rest of it is set here. `store`: what the folder may take; null: anything. Errors (kResource):
  /// file and cause; a file of that name exists; kInput: a model that the format of model files
  /// cannot hold. `first`: of a room that changes, as it differed from its files; null: it did not.
  static Result<std::unique_ptr<Recorder>> create(const std::filesystem::path& folder,
                                                  const std::string& stem,
                                                  const TrackOptions& options, const Avatar& avatar,
                                                  const Room& room, io::SessionHead session = {},
                                                  std::shared_ptr<RecordStore> store = nullptr,
                                                  const KeptModel& model = {},
                                                  const SceneState* first = nullptr);
  virtual ~Recorder() = default;

  /// The next covered pose as received (not placed), and its tick. `passed`: frames between the one
  /// before and this one.
  virtual Status pose(const TrackFrame& frame, double tick, const PassedOver& passed) = 0;
  Status pose(const TrackFrame& frame, double tick) { return pose(frame, tick, {}); }
  /// The step that ends at that pose, and its report. Steps come in order, from the one of frames 0
  /// and 1. LiveMotion's first step, which does not move, is left out, because `tocsin check` has
  /// none.
  virtual Status step(const Step& step, const StepReport& report) = 0;
  /// How the room changed: the step from the last pose on sees it. Call before the pose that ends
  /// the step. Errors (kResource): the disk.
  virtual Status room(const detect::SceneNews& /*news*/) { return Nothing{}; }
  /// From now on another server can go on with the session from here. A session's first record does
  /// this with its first pose. A later one takes the place of the one before, so it waits until it
  /// holds what the client lacks, and leaves no files if it is never called. Errors (kResource):
  /// the disk, also if an earlier call failed.
  virtual Status offer() { return Nothing{}; }
  /// True if sync() is to be called.
  [[nodiscard]] virtual bool syncs() const { return false; }
  /// Calls `done` once all poses so far are on the disk, from another thread; see
  /// RecordSync::add().
  virtual void sync(RecordSync::Done /*done*/) {}
  /// Nothing more is written, as after an error: poses may be missing.
  virtual void give_up() {}
  /// Ends both files. The report is about the steps given, which may be fewer than the poses have.
  /// A session that covered nothing leaves no files. Errors (kResource): the disk.
  virtual Status finish() = 0;
  /// Path of the motion, for people; empty if nothing was covered.
  [[nodiscard]] virtual std::string shown() const = 0;
};

}  // namespace tocsin::service
