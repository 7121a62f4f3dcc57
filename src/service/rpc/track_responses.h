// What a stream of the call Track sends next.
#pragma once

#include <grpcpp/support/status.h>

#include <cstddef>
#include <cstdint>
#include <optional>

#include "service/rpc/open_session.h"
#include "service/rpc/reused_message.h"
#include "service/rpc/stream_call.h"
#include "service/session/session.h"
#include "tocsin/v1/collision.pb.h"

namespace tocsin::service {

/// Most reports in one message. With more, a client that fell behind could get messages beyond the
/// 4 MiB that gRPC accepts by default.
inline constexpr std::size_t kMostReports = 16;

struct NextResponse {
  enum class Kind : std::uint8_t {
    kNothing,
    kMessage,
    kLast,  ///< a message, and then the stream ends
    kEnd,   ///< the stream ends with `status`
  };
  Kind kind = Kind::kNothing;
  const v1::TrackResponse* message = nullptr;  ///< valid until this thread makes the next one
  grpc::Status status = grpc::Status::OK;
};

/// Decides what is due, and makes the message. It neither writes nor ends. Not thread-safe: the
/// write owner uses it (TrackCall).
class TrackResponses {
 public:
  static NextResponse opened(const TrackOpened& opened);
  /// `outlet`: the stream's, as the session knows it. Throws std::bad_alloc.
  NextResponse next(const StreamEvents& events, const StreamSession& stream, const Outlet* outlet);
  /// The message was serialized: its memory is freed.
  static void clear() { StreamMemory::of_thread().response.clear(); }
  /// The client took a message that was sent after the end of its input. So it has closed its side,
  /// and was not lost.
  void client_is_alive() { alive_ = true; }

 private:
  static NextResponse before_session(const StreamEvents& events);
  NextResponse closing();
  NextResponse covered(const Session& session);
  NextResponse after_reports(const StreamEvents& events, Session& session, const Outlet* outlet);
  static NextResponse message(NextResponse::Kind kind = NextResponse::Kind::kMessage);

  bool closing_sent_ = false;
  bool covered_sent_ = false;
  bool alive_ = false;
  bool finishing_ = false;  ///< the session knows that no more frames come
};

}  // namespace tocsin::service
