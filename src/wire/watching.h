// What watchers are told, on the wire.
#pragma once

#include <span>
#include <string>

#include "tocsin/live/watch.h"
#include "tocsin/result.h"
#include "tocsin/v1/collision.pb.h"
#include "wire/reports.h"

namespace tocsin::wire {

void to_wire(const WatchOptions& options, v1::WatchRequest& out);
/// Errors (kInput): names that are none, or more than 1,024 of sessions.
Result<WatchOptions> from_wire(const v1::WatchRequest& request);

/// Shapes with more than kMostInlineTriangles together are left out, and it is said so.
void to_wire(const WatchedSession& session, v1::WatchedSession& out);
/// For the client. Errors (kInput): values that no server sends.
Result<WatchedSession> from_wire(const v1::WatchedSession& session);

/// A step as the server has it; poses that are empty are left out.
struct SteppedView {
  const std::string& session;
  const TrackReport& report;
  std::span<const Transform> from_pose;
  std::span<const Transform> to_pose;
};
/// `poses`: of the session's skeleton.
void to_wire(const SteppedView& step, const PoseCodec& poses, v1::WatchedStep& out);
/// For the client. Errors (kInput): values that no server sends.
Result<WatchedStep> from_wire(const v1::WatchedStep& step, const PoseCodec& poses);

void to_wire(const WatchedEnd& end, v1::WatchedEnd& out);
WatchedEnd from_wire(const v1::WatchedEnd& end);

}  // namespace tocsin::wire
