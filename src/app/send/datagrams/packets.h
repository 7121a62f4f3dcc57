// The datagrams of each protocol for a take's frames.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "service/metrics/live_metrics.h"
#include "tocsin/motion.h"
#include "tocsin/result.h"

namespace tocsin::app {

/// Makes the datagrams of frames.
class Packets {
 public:
  Packets() = default;
  Packets(const Packets&) = delete;
  Packets& operator=(const Packets&) = delete;
  virtual ~Packets() = default;
  /// `id`: of the frame, counts up. `time`: seconds. Numbers are rounded to 32-bit floats.
  [[nodiscard]] virtual std::vector<std::string> of(std::uint64_t id, double time,
                                                    std::span<const Transform> pose) const = 0;
};

/// kVmc: the bones of Unity that the take has. kXsens: MXTP02, the 23 segments of the body; one
/// that the take lacks stands where the one that it hangs on stands. kPlain: all joints, in order,
/// as stream `stream`. Errors (kInput): the take is no person's (kVmc, kXsens); more joints than a
/// datagram holds.
Result<std::unique_ptr<Packets>> make_packets(service::LiveProtocol protocol, const Motion& motion,
                                              std::uint32_t stream);

}  // namespace tocsin::app
