// What a stream's first message asks for: a new session, or one that goes on.
#pragma once

#include <grpcpp/support/status.h>

#include <memory>

#include "service/rpc/switchboard.h"
#include "service/session/session.h"
#include "tocsin/v1/collision.pb.h"
#include "wire/reports.h"

namespace tocsin::service {

/// What a stream has of its session.
struct StreamSession {
  std::shared_ptr<Session> session;
  std::shared_ptr<const wire::PoseCodec> codec;
  bool told_id = true;  ///< false: the client does not know the session's id yet
};

/// Opens or resumes a session for `outlet`. If that fails, or throws std::bad_alloc, and there is a
/// session in `out` all the same, it must be left again (leave()).
grpc::Status open_session(Switchboard& board, const std::shared_ptr<Principal>& principal,
                          const v1::TrackRequest& request, const std::shared_ptr<Outlet>& outlet,
                          StreamSession& out, TrackOpened& opened);

/// The stream leaves its session, if it has one; for good if its client was not told the id.
void leave(const StreamSession& from, const Outlet* outlet);

}  // namespace tocsin::service
