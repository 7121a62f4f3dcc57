// VMC: Virtual Motion Capture's protocol, OSC over UDP, port 39539 as a rule.
// https://protocol.vmc.info/marionette-spec
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "mocap/decoder.h"
#include "tocsin/result.h"
#include "tocsin/skeleton.h"
#include "tocsin/types.h"

namespace tocsin::mocap {

inline constexpr std::size_t kHumanBones = 55;

/// Where each of human_bones() is in its parent's frame in the rest pose, metres, Tocsin's axes.
using RestOffsets = std::array<Vec3, kHumanBones>;
/// Those of human_bones().
RestOffsets standard_offsets();
/// Those of a model: differences of its joints' rest positions. Its joints are found by the bones'
/// names. Of bones that it lacks, those between two that it has have
/// offset 0, others the standard one. Errors (kInput): it lacks one of the 15
/// that VRM requires.
Result<RestOffsets> offsets_of(const Skeleton& model);

/// A message of VMC that says something about a pose.
struct VmcMessage {
  enum class Kind : std::uint8_t { kRoot, kBone, kTime };
  Kind kind = Kind::kTime;
  int bone = -1;      ///< of kBone: index into human_bones()
  double time = 0.0;  ///< of kTime: seconds
  /// In the parent's frame, on Tocsin's axes: Unity's X is turned round, (x, y, z) becomes
  /// (-x, y, z), and the quaternion (x, y, z, w) becomes (x, -y, -z, w). Exact.
  Transform at;
};

/// The messages of a packet, in order. `unknown` counts those that are none of VMC's, and bones
/// that are none of Unity's. Errors (kInput): not OSC; an argument that is missing, of another
/// type or not finite; a quaternion whose length is off 1 by more than 1e-2.
Result<std::vector<VmcMessage>> read_vmc(std::string_view packet, std::uint64_t& unknown);

/// A frame is what came between two /VMC/Ext/T, which is the time of what came before it. A bone or
/// root that the frame already has ends it, too (a sender without T, or whose T was lost). Bones
/// that a frame lacks keep their place (MocapCounts::held). The skeleton has the bones of the first
/// complete frame: the first one waits for the second, and is dropped if that has more. A time more
/// than a second before the last one begins a new stream; one that is a little earlier, or a copy,
/// is late and dropped.
class VmcDecoder final : public Decoder {
 public:
  /// `rest`: for senders whose bones, hips aside, all have position 0.
  explicit VmcDecoder(const RestOffsets& rest = standard_offsets()) : rest_(rest) {}

 private:
  struct Collected {
    std::optional<Transform> root;
    std::array<std::optional<Transform>, kHumanBones> bones;
    std::optional<double> time;
    double arrived = 0.0;
    [[nodiscard]] bool empty() const;
    /// True if this has a bone, or a root, that `other` lacks.
    [[nodiscard]] bool exceeds(const Collected& other) const;
  };

  void read(std::string_view datagram, double now, std::vector<MocapFrame>& out) override;
  void end_frame(std::optional<double> time, double now, std::vector<MocapFrame>& out);
  /// Makes the skeleton of the first frame's bones.
  void begin(const Collected& first);
  void emit(const Collected& frame, std::vector<MocapFrame>& out);
  /// The frame's time; none: it is late.
  std::optional<double> time_of(const Collected& frame, const std::vector<Transform>& pose);
  [[nodiscard]] Transform placed(std::size_t bone, const Transform& sent) const;

  const RestOffsets rest_;
  Collected pending_;
  std::optional<Collected> first_;  ///< waits for the second
  bool bound_ = false;
  bool begins_ = false;          ///< the next frame is a stream's first
  bool no_offsets_ = false;      ///< the sender's bones have position 0
  bool no_hips_ = false;         ///< its hips, too
  RestOffsets offsets_{};        ///< rest offset of each bone from its joint's parent
  std::vector<int> bones_;       ///< of joints 1...: index into human_bones()
  std::vector<Transform> pose_;  ///< the newest
  std::uint64_t next_id_ = 0;
  std::optional<double> sent_time_;  ///< the newest, as sent
  double time_ = 0.0;                ///< the newest, as used
  double arrived_ = 0.0;
};

/// Packets that a sender of VMC would send for a pose: a bundle of the root and the bones (several,
/// if one would exceed 1,400 bytes), then /VMC/Ext/OK and /VMC/Ext/T. `root`: the body's; `bones`:
/// of each the index into human_bones() and the transform in its parent's frame, Tocsin's axes.
struct VmcBone {
  int bone = 0;
  Transform at;
};
std::vector<std::string> write_vmc(const Transform& root, std::span<const VmcBone> bones,
                                   double time);

}  // namespace tocsin::mocap
