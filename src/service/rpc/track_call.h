// The call Track: connects one gRPC stream with a Session.
#pragma once

#include <grpcpp/alarm.h>
#include <grpcpp/server_context.h>
#include <grpcpp/support/byte_buffer.h>
#include <grpcpp/support/server_callback.h>
#include <grpcpp/support/status.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "service/access/access.h"
#include "service/rpc/open_session.h"
#include "service/rpc/reused_message.h"
#include "service/rpc/switchboard.h"
#include "service/rpc/track_responses.h"
#include "service/session/session.h"
#include "tocsin/v1/collision.pb.h"
#include "wire/reports.h"

namespace tocsin::service {

/// Messages are parsed here, because gRPC reports a malformed message in the same way as the end of
/// a stream.
///
/// Threads. Events come from gRPC's callback threads (reads one at a time, writes one at a time,
/// cancellation at any time), from workers (Outlet), alarms and the server. The thread that handles
/// a read owns reading until it starts the next read. Writing, and with it the end, has *write
/// ownership*: `owns_write_` is set and cleared under the mutex. It stays set while a write is
/// under way, and forever after the end. An event records under the mutex what happened. If
/// `owns_write_` is free, the event takes it and does what is due (write_on()). Otherwise the
/// present owner does it. So there is one write at a time, and none after the end. No lock is held
/// while a read, a write, the end or the session is called. Members that only the write owner uses
/// need no lock of their own: the mutex lies between two owners. (A thread sanitizer does not see
/// how gRPC passes a write's end between threads if the library was built without it. Therefore
/// OnReadDone() and OnWriteDone() begin with the mutex that their starters released last.)
///
/// Opening. The threads of AdmissionQueue open new sessions, when their principal's turn comes.
/// Until then nothing is read and `owns_write_` is free, so any event can end the stream. A turn
/// that comes too late then finds `owns_write_` set. Resuming a session that is here is quick and
/// done at once; one that another server left waits its turn in the slow lane.
///
/// Lifetime. The call owns itself until gRPC has finished with it (OnDone()). The session and late
/// alarms may keep its memory longer, but then find `owns_write_` set.
class TrackCall final : public grpc::ServerBidiReactor<grpc::ByteBuffer, grpc::ByteBuffer>,
                        public Outlet,
                        public OpenStream,
                        public std::enable_shared_from_this<TrackCall> {
 public:
  using Reactor = grpc::ServerBidiReactor<grpc::ByteBuffer, grpc::ByteBuffer>;
  static Reactor* start(Switchboard& board, grpc::CallbackServerContext* context);

  void OnReadDone(bool ok) override;
  void OnWriteDone(bool ok) override;
  void OnCancel() override;
  void OnDone() override;

  void ready() override;
  void refuse(const Problem& problem) override;
  [[nodiscard]] std::string peer() const override { return peer_; }

  void tell_closing() override;

 private:
  TrackCall(Switchboard& board, grpc::CallbackServerContext* context);

  template <class Event>
  void note(const Event& event);

  bool enter(grpc::Status& refusal);
  void count_as_opened();
  void begin();
  void take_message(std::chrono::steady_clock::time_point received);
  void take_frames(const v1::Frames& frames, std::chrono::steady_clock::time_point received);
  std::optional<Problem> offer(const v1::Frames& frames,
                               std::chrono::steady_clock::time_point received);
  void forget_message();
  void refuse_with(const grpc::Status& status);
  void open_soon();
  grpc::Status try_to_open(TakeOver take_over, TrackOpened& opened);
  void open_now(TakeOver take_over);
  void read_on();

  void write_on();
  bool send(const NextResponse& next, bool input_over);
  bool end(const grpc::Status& status);

  void start_draining();

  Switchboard& board_;
  grpc::CallbackServerContext* const context_;
  const std::string peer_;           ///< the context ends before the session may ask
  std::shared_ptr<TrackCall> self_;  ///< until OnDone()
  std::shared_ptr<Principal> principal_;

  std::mutex mutex_;
  StreamEvents events_;
  bool owns_write_ = false;
  bool more_ = false;    ///< an event happened while `owns_write_` was set
  bool asking_ = false;  ///< the write under way began after the input's end: only a living client
                         ///< takes it
  bool unopened_ = false;  ///< counts among Switchboard::unopened
  bool opening_ = false;   ///< a session is being opened, or was
  bool draining_ = false;
  bool done_ = false;  ///< OnDone() came
  grpc::Alarm opening_alarm_;
  grpc::Alarm draining_alarm_;

  // Used by the thread that owns reading.
  grpc::ByteBuffer incoming_;
  ReusedMessage<v1::TrackRequest, 8192> request_;
  MemoryBudget::Hold hold_;  ///< for the message, if it is large or opens a session

  // Set once, while the session is opened, before anything is read or written after that. The write
  // owner sets `id_sent`.
  StreamSession session_;

  // Used by the write owner.
  grpc::ByteBuffer outgoing_;
  TrackResponses responses_;
};

}  // namespace tocsin::service
