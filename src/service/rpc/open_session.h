// Opens or resumes a session, as a stream's first message asks.
#pragma once

#include <grpcpp/support/status.h>

#include <cstddef>
#include <cstdint>
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

/// Bytes that a session takes at first, without its messages: skeleton, avatar, queues.
inline constexpr std::uint64_t kSessionMemory = 256U << 10U;
/// A message that takes less is not worth a look at the process's memory.
inline constexpr std::uint64_t kSmallMessage = 256U << 10U;

/// Where an opening, whose message has so many bytes, waits its turn.
WorkerPool::Lane lane_of(const v1::TrackRequest& request, std::size_t bytes);

/// True if it resumes a session that need not be taken over: that is done at once.
bool is_here(const Switchboard& board, const v1::TrackRequest& request);

/// open_session(), for a principal that may have some openings refused (failures_per_second). After
/// an error `out` was left, and has no further use. Does not throw.
grpc::Status open_within_limits(Switchboard& board, const std::shared_ptr<Principal>& principal,
                                const v1::TrackRequest& request, TakeOver take_over,
                                const std::shared_ptr<Outlet>& outlet, StreamSession& out,
                                TrackOpened& opened);

/// Frees a session that a stream has left. It may be the last user of a large room: the network's
/// threads must not free that.
void free_later(Switchboard& board, std::shared_ptr<Session> session);

/// Detaches the stream from its session, if it has one. If the id was not sent to the client, the
/// session can never be resumed, and ends.
void leave(const StreamSession& from, const Outlet* outlet);

}  // namespace tocsin::service
