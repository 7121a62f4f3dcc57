// tocsin.udp.v1: poses in a datagram each, for systems without a protocol that Tocsin speaks.
// docs/reference/live-protocols.md has it to the byte.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "mocap/decoder.h"
#include "tocsin/result.h"
#include "tocsin/skeleton.h"
#include "tocsin/types.h"

namespace tocsin::mocap {

struct PlainFrame {
  std::uint32_t stream = 0;     ///< chosen by the sender; another one begins a new stream
  std::uint64_t sequence = 0;   ///< of the frame, counts up; below 2^53
  double time = 0.0;            ///< seconds
  std::vector<Quat> rotations;  ///< joint to parent, of each joint
  std::vector<Vec3> positions;  ///< in the parent's frame: of the roots, or of each joint, metres
};

/// Errors (kInput): not this format; sizes that do not fit; a number that is not finite; a
/// quaternion whose length is off 1 by more than 1e-3; a sequence number of 2^53 or more.
Result<PlainFrame> read_plain(std::string_view datagram);
/// Numbers are rounded to 32-bit floats. Precondition: at most 2,338 joints, a datagram.
std::string write_plain(const PlainFrame& frame);

inline constexpr std::size_t kMostPlainJoints = 2338;

/// A frame is a datagram. Joints are those of `skeleton`, in its order; a joint that is no root
/// keeps its rest position where the sender sends roots only. A sender that begins anew without
/// another stream number is told by its numbers and times: a number that is not above the newest,
/// at a time that is after it, or more than kLatest before it, begins a stream.
class PlainDecoder final : public Decoder {
 public:
  /// Seconds. Smaller: frames on a slow way begin streams. Larger: a sender that is started again
  /// is not heard for so long.
  static constexpr double kLatest = 1.0;

  explicit PlainDecoder(Skeleton skeleton);

 private:
  void read(std::string_view datagram, double now, std::vector<MocapFrame>& out) override;

  std::size_t roots_ = 0;
  bool begun_ = false;
  std::uint32_t stream_ = 0;
  std::uint64_t newest_ = 0;
  double newest_time_ = 0.0;
};

}  // namespace tocsin::mocap
