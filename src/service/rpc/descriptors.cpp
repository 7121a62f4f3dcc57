#include "service/rpc/descriptors.h"

#include <fmt/format.h>

#include <algorithm>

namespace tocsin::service {
namespace {

/// For the server itself: standard streams, gRPC's polling, rooms and uploads that are read. Some
/// 40 were seen. Fewer: an upload fails while all sessions are open.
constexpr std::size_t kOwn = 96;
/// Connections beyond the sessions': lists, health, uploads, clients that come back.
constexpr std::size_t kSpare = 32;
/// Of one machine. A studio behind one address has some hundred avatars. More: one machine can take
/// all.
constexpr std::size_t kMostOfPeer = 4096;
/// Connections. Each takes some 20 KiB.
constexpr std::size_t kMost = 65'536;

}  // namespace

Result<DescriptorPlan> plan_descriptors(std::size_t limit, std::size_t sessions, bool given,
                                        std::size_t record_files, std::size_t others) {
  const std::size_t each = 1 + record_files;
  const std::size_t own = kOwn + others;
  const std::size_t fitting = limit > own + kSpare ? (limit - own - kSpare) / each : 0;
  if (fitting == 0 || (given && sessions > fitting)) {
    return {ErrorCode::kResource,
            fmt::format("--max-sessions: {} sessions need {} open files ({} each{}); the limit is "
                        "{}, enough for {} (ulimit -n, or LimitNOFILE= of systemd)",
                        sessions, own + kSpare + sessions * each, each,
                        record_files > 0 ? ", with --record" : "", limit, fitting)};
  }
  DescriptorPlan out;
  out.sessions = std::min(sessions, fitting);
  const std::size_t recorded = out.sessions * (each - 1);
  out.connections.all = std::min(limit - own - recorded, kMost);
  out.connections.of_peer = std::clamp(out.connections.all / 2, std::size_t{1}, kMostOfPeer);
  return out;
}

}  // namespace tocsin::service
