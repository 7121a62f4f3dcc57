// Opens or resumes a session, as a stream's first message asks.
#pragma once

#include <grpcpp/support/status.h>

#include <memory>

#include "service/rpc/switchboard.h"
#include "service/session/session.h"
#include "tocsin/v1/collision.pb.h"
#include "wire/reports.h"

namespace tocsin::service {

/// A stream's session.
struct StreamSession {
  std::shared_ptr<Session> session;
  std::shared_ptr<const wire::PoseCodec> codec;
  bool id_sent = true;  ///< false: the client does not know the session's id yet
};

/// Opens or resumes a session for `outlet`. `take_over`: kNever on threads that must not work long.
/// It may fail, or throw std::bad_alloc, after it has set out.session. Then the caller must call
/// leave().
grpc::Status open_session(Switchboard& board, const std::shared_ptr<Principal>& principal,
                          const v1::TrackRequest& request, TakeOver take_over,
                          const std::shared_ptr<Outlet>& outlet, StreamSession& out,
                          TrackOpened& opened);

/// Detaches the stream from its session, if it has one. If the id was not sent to the client, the
/// session can never be resumed, and ends.
void leave(const StreamSession& from, const Outlet* outlet);

}  // namespace tocsin::service
