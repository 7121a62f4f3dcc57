#include "client/opening.h"

#include <fmt/format.h>

#include <cstddef>

#include "base/quoted.h"
#include "wire/limits.h"
#include "wire/values.h"

namespace tocsin::detail {
namespace {

/// What the messages have no place for is refused, and not left out.
Status check_fits(const TrackOptions& options) {
  if (!options.avatar.hold.empty() || !options.spec.bodies.empty()) {
    return Error{ErrorCode::kUsage,
                 "a session has no bodies, and what it holds are links of its model"};
  }
  const std::size_t links = options.model ? options.model->links.size() : 0;
  for (const LoadedShape& shape : options.shapes) {
    if (shape.link < links && options.model->links[shape.link].shape.empty()) continue;
    return Error{
        ErrorCode::kUsage,
        fmt::format("the loaded shape {} is of link {}, which {}", base::in_quotes(shape.name),
                    shape.link, shape.link < links ? "has one in the model" : "the model lacks")};
  }
  std::size_t triangles = 0;
  for (std::size_t i = 0; i < links; ++i) {
    triangles += options.model->links[i].shape.features().size();
  }
  if (triangles <= wire::kMostInlineTriangles) return Nothing{};
  return Error{ErrorCode::kUsage,
               fmt::format("the model's shapes have {} triangles, and {} can be sent with it: "
                           "Connection::upload_shape() is for larger ones",
                           triangles, wire::kMostInlineTriangles)};
}

}  // namespace

Result<v1::Open> opening(const TrackOptions& options) {
  if (options.skeleton.size() == 0) {
    return {ErrorCode::kUsage, "a session needs a skeleton with at least one joint"};
  }
  if (auto fits = check_fits(options); !fits) return fits.error();
  v1::Open out;
  wire::to_wire(options, out);
  return out;
}

Result<v1::Resume> resuming(const std::string& session_id, std::uint64_t received) {
  if (session_id.empty()) return {ErrorCode::kUsage, "resuming needs the session's id"};
  v1::Resume out;
  out.set_session_id(session_id);
  out.set_received_steps(received);
  return out;
}

Status check_joints(const TrackFrame& frame, std::size_t joints) {
  if (frame.pose.size() != joints) {
    return Error{ErrorCode::kUsage, fmt::format("frame {} has {} transforms for {} joints",
                                                frame.id, frame.pose.size(), joints)};
  }
  if (frame.ahead.empty() || frame.ahead.size() == joints) return Nothing{};
  return Error{ErrorCode::kUsage, fmt::format("frame {} predicts {} transforms for {} joints",
                                              frame.id, frame.ahead.size(), joints)};
}

}  // namespace tocsin::detail
