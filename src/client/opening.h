// The first messages of sessions, and what their frames must be.
#pragma once

#include <cstddef>
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

/// Errors (kUsage): a pose of another number of joints.
Status check_joints(const TrackFrame& frame, std::size_t joints);

}  // namespace tocsin::detail
