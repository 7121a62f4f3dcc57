// Frames, reports and the ends of a session on the wire. This code runs for every step.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "tocsin/result.h"
#include "tocsin/skeleton.h"
#include "tocsin/track.h"
#include "tocsin/v1/collision.pb.h"

namespace tocsin::wire {

/// Poses of one skeleton, packed and unpacked. Immutable: shared by a session's calls.
class PoseCodec {
 public:
  explicit PoseCodec(const Skeleton& skeleton);
  /// Leaves out the translations of joints with a parent if all equal the rest translations, bit
  /// for bit.
  void to_wire(std::span<const Transform> pose, v1::Pose& out) const;
  /// Errors (kInput): counts of numbers that fit no pose of this skeleton (with the counts that
  /// would). Values are not checked: LiveMotion::take does that.
  Status from_wire(const v1::Pose& pose, std::vector<Transform>& out) const;
  /// The same of a pose's numbers. `translations`: of all joints, or of those without a parent.
  Status from_wire(std::span<const double> rotations, std::span<const double> translations,
                   std::vector<Transform>& out) const;
  /// The same with the frame's id in the message. A further error: an id of 2^53 or more.
  Status from_wire(const v1::Frame& frame, TrackFrame& out) const;
  void to_wire(const TrackFrame& frame, v1::Frame& out) const;

  [[nodiscard]] std::size_t joints() const { return rest_.size(); }
  /// Joints without a parent.
  [[nodiscard]] std::size_t roots() const { return roots_.size(); }
  /// True if to_wire() leaves translations out.
  [[nodiscard]] bool is_at_rest(std::span<const Transform> pose) const;
  /// The same of all poses of a frame.
  [[nodiscard]] bool is_at_rest(const TrackFrame& frame) const;
  /// Adds a pose to columns. `roots_only`: leaves out the translations of joints with a parent.
  void append(std::span<const Transform> pose, bool roots_only, v1::SlotFrames& out) const;
  /// Adds all poses of a frame.
  void append(const TrackFrame& frame, bool roots_only, v1::SlotFrames& out) const;

 private:
  using Numbers = google::protobuf::RepeatedField<double>;
  void add(std::span<const Transform> pose, bool roots_only, Numbers& rotations,
           Numbers& translations) const;

  std::vector<Vec3> rest_;  ///< translations
  std::vector<int> roots_;  ///< joints without a parent
};

void to_wire(const TrackReport& report, const PoseCodec& poses, v1::StepReport& out);
/// For the client. Errors (kInput): values that no server sends.
Result<TrackReport> from_wire(const v1::StepReport& report, const PoseCodec& poses);

void to_wire(const TrackOpened& opened, v1::Opened& out);
TrackOpened from_wire(const v1::Opened& opened);
void to_wire(const TrackCovered& covered, v1::Covered& out);
TrackCovered from_wire(const v1::Covered& covered);
void to_wire(const TrackEnded& ended, v1::Ended& out);
TrackEnded from_wire(const v1::Ended& ended);

}  // namespace tocsin::wire
