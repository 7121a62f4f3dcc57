// The first messages of sessions.
#pragma once

#include <cstdint>
#include <string>

#include "tocsin/result.h"
#include "tocsin/track.h"
#include "tocsin/v1/collision.pb.h"

namespace tocsin::detail {

/// Errors (kUsage): options that cannot be sent.
Result<v1::Open> opening(const TrackOptions& options);
/// Errors (kUsage): no id.
Result<v1::Resume> resuming(const std::string& session_id, std::uint64_t received);

}  // namespace tocsin::detail
