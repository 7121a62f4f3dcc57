#include "service/http/event_stream.h"

#include <cstddef>
#include <cstdint>
#include <string>

namespace tocsin::service {
namespace {

/// Bytes of one part. Larger: one listener takes the server's thread for longer.
constexpr std::size_t kPart = std::size_t{64} << 10U;
/// Proxies close connections that are silent for a minute, or half of one.
constexpr std::chrono::seconds kSilence{10};

}  // namespace

bool EventStream::next(std::string& out, Time now) {
  const std::size_t before = out.size();
  const std::uint64_t dropped = listener_->take(out, kPart);
  if (dropped > 0) {
    out += "event: lost\ndata: {\"events\":" + std::to_string(dropped) + "}\n\n";
  }
  if (out.size() == before && now - said_ >= kSilence) out += ": nothing new\n\n";
  if (out.size() > before) said_ = now;
  return true;
}

}  // namespace tocsin::service
