// Any datagrams into a decoder: nothing but sound frames comes out.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "mocap/decoder.h"
#include "require.h"

namespace tocsin::test {

inline void require_sound(const mocap::Decoder& decoder, const mocap::MocapFrame& frame) {
  TOCSIN_REQUIRE(frame.pose.size() == static_cast<std::size_t>(decoder.skeleton().size()));
  TOCSIN_REQUIRE(std::isfinite(frame.time));
  for (const Transform& at : frame.pose) {
    const Quat& q = at.rotation;
    const double length = std::sqrt(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z);
    TOCSIN_REQUIRE(std::fabs(length - 1.0) < 0.02);
    TOCSIN_REQUIRE(std::isfinite(at.translation.x) && std::isfinite(at.translation.y) &&
                   std::isfinite(at.translation.z));
  }
}

/// The input is datagrams one after the other, each behind its size in two bytes.
inline void feed(mocap::Decoder& decoder, const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  std::size_t at = 0;
  double now = 0.0;
  while (at + 2 <= size) {
    const std::size_t wanted = static_cast<std::size_t>(data[at]) * 256 + data[at + 1];
    const std::string_view datagram = bytes.substr(at + 2, wanted);
    at += 2 + datagram.size();
    std::vector<mocap::MocapFrame> frames;
    const std::uint64_t malformed = decoder.counts().malformed;
    decoder.take(datagram, now += 0.01, frames);
    if (decoder.counts().malformed > malformed) {
      TOCSIN_REQUIRE(frames.empty());
      TOCSIN_REQUIRE(!decoder.fault().empty() && decoder.fault().size() < 2000);
    }
    // Of a frame before the last stream's beginning the skeleton is gone.
    std::size_t first = 0;
    for (std::size_t i = 0; i < frames.size(); ++i) first = frames[i].begins ? i : first;
    for (std::size_t i = first; i < frames.size(); ++i) require_sound(decoder, frames[i]);
  }
}

}  // namespace tocsin::test
