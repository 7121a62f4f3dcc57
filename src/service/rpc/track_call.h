// The call Track: connects one gRPC stream with a Session.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "service/rpc/open_session.h"
#include "service/rpc/stream_call.h"
#include "service/rpc/track_responses.h"
#include "service/session/session.h"
#include "tocsin/v1/collision.pb.h"
#include "wire/reports.h"

namespace tocsin::service {

/// A stream of one session.
///
/// Opening. The threads of AdmissionQueue open new sessions, when their principal's turn comes.
/// Until then nothing is read and `owns_write_` is free, so any event can end the stream. A turn
/// that comes too late then finds `owns_write_` set. Resuming a session that is here is quick and
/// done at once; one that another server left waits its turn in the slow lane.
class TrackCall final : public StreamCall, public Outlet {
 public:
  static Reactor* start(Switchboard& board, grpc::CallbackServerContext* context);

  void ready() override;
  void refuse(const Problem& problem) override;
  [[nodiscard]] std::string peer() const override { return peer_; }

 private:
  using StreamCall::StreamCall;

  bool enter(grpc::Status& /*refusal*/) override { return true; }
  void take_message(Time received) override;
  bool write_next(const StreamEvents& events) override;
  void written(bool input_over) override;
  void leave_all(const grpc::Status& status) override;
  void over() override;

  /// Frames, or FramesF.
  template <class Frames>
  void take_frames(const Frames& frames, Time received);
  template <class Frames>
  std::optional<Problem> offer(const Frames& frames, Time received);
  v1::TrackRequest& fresh_request();
  void forget_opening();
  void forget_message();
  void refuse_message(const grpc::Status& status);
  void open_soon();
  void open_now(TakeOver take_over);
  bool send(const NextResponse& next, bool input_over);
  [[nodiscard]] std::shared_ptr<Outlet> outlet() {
    return std::static_pointer_cast<TrackCall>(shared_from_this());
  }

  // Used by the thread that owns reading.
  std::unique_ptr<v1::TrackRequest> opening_request_;  ///< until the session is open; else null
  MemoryBudget::Hold hold_;  ///< for the message, if it is large or opens a session

  // Set once, while the session is opened, before anything is read or written after that. The write
  // owner sets `id_sent`.
  StreamSession session_;

  // Used by the write owner.
  grpc::ByteBuffer outgoing_;
  TrackResponses responses_;
};

}  // namespace tocsin::service
