// A decoder turns the datagrams of one sender into frames of one skeleton. No sockets, no clock.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "tocsin/skeleton.h"
#include "tocsin/types.h"

namespace tocsin::mocap {

/// A pose as it was sent, on Tocsin's axes.
struct MocapFrame {
  std::uint64_t id = 0;         ///< counts up within a stream
  double time = 0.0;            ///< seconds on the sender's clock; increases with id
  std::vector<Transform> pose;  ///< joint to parent, metres; of Decoder::skeleton()
  /// The first of a stream: the skeleton is another, or the sender has begun anew. Ids and times
  /// are not those of the stream before.
  bool begins = false;
  Skeleton skeleton = {};  ///< the stream's, if this is its first
};

/// What a decoder has seen. Each only grows.
struct MocapCounts {
  std::uint64_t datagrams = 0;
  std::uint64_t malformed = 0;   ///< datagrams that were dropped
  std::uint64_t unknown = 0;     ///< messages, bones and segments that say nothing about a pose
  std::uint64_t frames = 0;      ///< poses
  std::uint64_t missed = 0;      ///< frames that were not there when a later one was
  std::uint64_t late = 0;        ///< frames that came after a later one
  std::uint64_t incomplete = 0;  ///< frames that were dropped: a datagram of theirs was missing
  std::uint64_t held = 0;        ///< joints that a frame lacked: they kept their place
  std::uint64_t untimed = 0;     ///< frames without a usable time: the time of arrival was used
  std::uint64_t streams = 0;     ///< begun
};

/// Not thread-safe.
class Decoder {
 public:
  Decoder() = default;
  Decoder(const Decoder&) = delete;
  Decoder& operator=(const Decoder&) = delete;
  virtual ~Decoder() = default;

  /// Takes a datagram and appends the frames that it completes. `now`: seconds on any clock, for
  /// senders without one. A malformed datagram changes nothing but counts and fault().
  void take(std::string_view datagram, double now, std::vector<MocapFrame>& out) {
    ++counts_.datagrams;
    read(datagram, now, out);
  }

  /// Of the newest stream; empty before its first frame.
  [[nodiscard]] const Skeleton& skeleton() const { return skeleton_; }
  [[nodiscard]] const MocapCounts& counts() const { return counts_; }
  /// What was wrong with the newest malformed datagram; for people.
  [[nodiscard]] const std::string& fault() const { return fault_; }

 protected:
  virtual void read(std::string_view datagram, double now, std::vector<MocapFrame>& out) = 0;
  void refuse(std::string fault) {
    ++counts_.malformed;
    fault_ = std::move(fault);
  }

  MocapCounts counts_;
  Skeleton skeleton_;

 private:
  std::string fault_;
};

}  // namespace tocsin::mocap
