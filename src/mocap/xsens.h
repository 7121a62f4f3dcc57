// Xsens MVN's network stream: poses of segments, over UDP, port 9763 as a rule. Xsens, "MVN
// real-time network streaming Protocol Specification", revision N (2018); cited as [MVN].
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "mocap/decoder.h"
#include "tocsin/result.h"
#include "tocsin/types.h"

namespace tocsin::mocap {

/// The 24 bytes before each datagram's items ([MVN] 2.4.1).
struct XsensHeader {
  int type = 0;              ///< 1: Euler angles; 2: quaternions; others say no pose
  std::uint32_t sample = 0;  ///< counts samples
  int datagram = 0;          ///< of the sample, from 0
  bool last = false;         ///< of the sample
  int items = 0;
  std::uint32_t milliseconds = 0;
  int character = 0;
  /// From MVN 2019 on; before, all three are 0.
  int body = 0;
  int props = 0;
  int fingers = 0;
};

/// A segment's pose in the world, on Tocsin's axes, metres.
struct XsensSegment {
  std::uint32_t id = 0;  ///< from 1
  Transform at;
};

struct XsensDatagram {
  XsensHeader header;
  std::vector<XsensSegment> segments;  ///< empty if the type says no pose
};

/// How a sender's numbers are meant.
struct XsensUnits {
  /// Metres in a unit of positions. None: 0.01 of MXTP01, 1 of MXTP02, as MVN sends them.
  std::optional<double> unit;
  /// MXTP02 only: MVN can also send it with Y up.
  bool y_up = false;
};

/// MXTP01: positions and angles, Y up, Z ahead: Tocsin's axes; R = Rz Ry Rx, degrees. MXTP02:
/// positions and quaternions, Z up, X ahead: (x, y, z) becomes (y, z, x), as MVN itself maps one to
/// the other. Errors (kInput): not MXTP; sizes that do not fit; a number that is not finite; a
/// quaternion whose length is off 1 by more than 1e-2.
Result<XsensDatagram> read_xsens(std::string_view datagram, const XsensUnits& units = {});

/// The segment's name in MVN's files, from its place among the items of a sample; empty: there is
/// none. Body: 0 to 22.
std::string xsens_segment_name(int place, int props);
/// The place of the segment that it hangs on; -1: it is a root.
int xsens_parent(int place, int props);

inline constexpr int kXsensBody = 23;
/// Segments of both hands, of those that have finger tracking.
inline constexpr int kXsensFingers = 40;

/// A frame is a sample: all datagrams with one sample counter and character, from 0 to the one
/// marked as the last, in any order. A sample of which a datagram is missing is dropped once
/// kMostOpen later ones have begun. The skeleton has a joint a segment: in the rest pose, MVN's T
/// pose, none is turned; offsets are those of the first frame. Each joint's transform is its
/// segment's place in its parent's frame. A sample counter that goes back by more than
/// kMostBehind, or a time code by more than a second, begins a new stream. One decoder a character.
class XsensDecoder final : public Decoder {
 public:
  static constexpr std::size_t kMostOpen = 4;
  static constexpr std::int64_t kMostBehind = 256;
  /// Of a sample. MVN needs two for a body with fingers. Larger: unfinished samples hold memory.
  static constexpr int kMostDatagrams = 16;

  explicit XsensDecoder(const XsensUnits& units = {}) : units_(units) {}

 private:
  struct Sample {
    std::map<int, XsensDatagram> parts;  ///< by datagram counter
    int count = 0;                       ///< of its datagrams; 0: the last one has not come
  };

  void read(std::string_view datagram, double now, std::vector<MocapFrame>& out) override;
  /// The sample's number, counted over the counter's end. Sets `restarts`.
  std::uint64_t number_of(const XsensHeader& header, bool& restarts) const;
  void complete(std::uint64_t id, const Sample& sample, double now, std::vector<MocapFrame>& out);
  /// False: it cannot be one body.
  bool begin(std::span<const XsensSegment> segments, const XsensHeader& header);
  [[nodiscard]] std::vector<Transform> local(std::span<const XsensSegment> segments) const;
  double time_of(std::uint64_t id, std::uint32_t milliseconds, double now);

  const XsensUnits units_;
  std::map<std::uint64_t, Sample> open_;
  bool begun_ = false;
  bool begins_ = false;
  std::vector<std::uint32_t> ids_;  ///< of the joints
  std::uint64_t newest_ = 0;        ///< sample that was completed
  std::uint32_t milliseconds_ = 0;  ///< its time code
  double time_ = 0.0;
  double arrived_ = 0.0;
};

/// A sample as MVN would send it: MXTP02, datagrams of at most 1,400 bytes. Of `header` the sample
/// counter, the time code, the character and the numbers of segments. `segments`: on Tocsin's axes.
std::vector<std::string> write_xsens(const XsensHeader& header,
                                     std::span<const XsensSegment> segments);

}  // namespace tocsin::mocap
