// Frames, reports and the ends of a session on the wire. This code runs for every step.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

#include "tocsin/result.h"
#include "tocsin/skeleton.h"
#include "tocsin/track.h"
#include "tocsin/v1/collision.pb.h"

namespace tocsin::wire {

/// How the columns of poses are written.
struct PoseForm {
  bool roots_only = false;   ///< translations of joints with a parent are left out
  bool linked_only = false;  ///< so are joints that no link hangs on (Opened.joints)
  friend bool operator==(const PoseForm&, const PoseForm&) = default;
};

/// Numbers of a pose as they are on the wire: doubles, or 32-bit floats.
template <class Number>
struct PoseNumbers {
  std::span<const Number> rotations;
  std::span<const Number> translations;
};

/// Poses of one skeleton, packed and unpacked. Calls that do not change it may be made by many
/// threads.
class PoseCodec {
 public:
  /// `linked`: Opened.joints; empty: not known, and all joints are sent.
  explicit PoseCodec(const Skeleton& skeleton, std::span<const std::uint32_t> linked = {});
  /// For a client, which learns them later. Those that are no joints in order count as none.
  void set_linked(std::span<const std::uint32_t> linked);
  /// For a server: poses that come are on these axes, and are turned to Tocsin's; those in the
  /// world are of all joints, with all translations.
  void set_tracker(const TrackerPoses& tracker);
  /// True if the other does the same with every pose, bit for bit.
  [[nodiscard]] bool is_like(const PoseCodec& other) const;
  /// Leaves out the translations of joints with a parent if all equal the rest translations, bit
  /// for bit.
  void to_wire(std::span<const Transform> pose, v1::Pose& out) const;
  /// Errors (kInput): counts of numbers that fit no pose of this skeleton (with the counts that
  /// would). Values are not checked: LiveMotion::take does that.
  Status from_wire(const v1::Pose& pose, std::vector<Transform>& out) const;
  /// The same with the frame's id in the message. A further error: an id of 2^53 or more.
  Status from_wire(const v1::Frame& frame, TrackFrame& out) const;
  Status from_wire(const v1::FrameF& frame, TrackFrame& out) const;
  /// TrackFrame::floats is the caller's choice of the message.
  void to_wire(const TrackFrame& frame, v1::Frame& out) const;
  void to_wire(const TrackFrame& frame, v1::FrameF& out) const;
  /// A pose whose counts fit the form.
  template <class Number>
  void take(const PoseNumbers<Number>& pose, const PoseForm& form,
            std::vector<Transform>& out) const;

  [[nodiscard]] std::size_t joints() const { return rest_.size(); }
  /// Joints without a parent.
  [[nodiscard]] std::size_t roots() const { return roots_.size(); }
  /// Of a pose in this form: joints with a rotation, and those with a translation.
  [[nodiscard]] std::size_t turned(const PoseForm& form) const {
    return form.linked_only ? linked_.size() : joints();
  }
  [[nodiscard]] std::size_t moved(const PoseForm& form) const {
    if (!form.roots_only) return turned(form);
    return form.linked_only ? linked_roots_ : roots();
  }
  /// True for a form that poses in the world may not have.
  [[nodiscard]] bool needs_all(const PoseForm& form) const;
  static constexpr std::string_view kNeedsAll =
      "poses in the world are of all joints, with all translations";
  /// That to_wire() writes.
  [[nodiscard]] PoseForm form_of(const TrackFrame& frame) const;
  /// True if to_wire() leaves translations out.
  [[nodiscard]] bool is_at_rest(std::span<const Transform> pose) const;
  /// Adds a pose to columns. `roots_only`: leaves out the translations of joints with a parent.
  void append(std::span<const Transform> pose, bool roots_only, v1::SlotFrames& out) const;
  /// Adds all poses of a frame.
  template <class Columns>
  void append(const TrackFrame& frame, const PoseForm& form, Columns& out) const;

 private:
  template <class Number>
  using Numbers = google::protobuf::RepeatedField<Number>;
  template <class Number>
  void add(std::span<const Transform> pose, const PoseForm& form, Numbers<Number>& rotations,
           Numbers<Number>& translations) const;
  template <class Number>
  void take_all(const Number* rotations, const Number* translations, bool roots_only,
                std::span<Transform> out) const;
  template <class Number>
  Status read(const PoseNumbers<Number>& pose, std::vector<Transform>& out, bool& linked) const;
  template <class Frame>
  Status read_frame(const Frame& frame, TrackFrame& out) const;
  template <class Frame>
  void write_frame(const TrackFrame& frame, Frame& out) const;
  /// True if no joint of these with a parent has a translation that is not at rest.
  [[nodiscard]] bool is_at_rest(const TrackFrame& frame, bool linked_only) const;

  std::vector<Transform> rest_;
  std::vector<int> roots_;  ///< joints without a parent
  std::vector<bool> is_root_;
  std::vector<int> linked_;  ///< empty: not known
  std::size_t linked_roots_ = 0;
  TrackerPoses tracker_;
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
