// One stream of a session: gRPC's events on one side, a Session on the other.
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
#include <vector>

#include "service/access.h"
#include "service/reused_message.h"
#include "service/session.h"
#include "service/switchboard.h"
#include "tocsin/v1/collision.pb.h"
#include "wire/reports.h"

namespace tocsin::service {

/// Reports of one message, at most. More would let a client that fell behind have messages beyond
/// the 4 MiB that gRPC takes by default.
inline constexpr std::size_t kMostReports = 16;

/// Messages are parsed here instead of by gRPC, which would tell a message that is none just as it
/// tells the end of a stream.
///
/// Threads. Events come from gRPC's callback threads (reads one at a time, writes one at a time,
/// cancellation at any time), from workers (Outlet), alarms and the server. Reading belongs to
/// whoever handles the last read, until it starts the next. Writing, and with it the end, belongs
/// to who holds the *pen*: `pen_` is taken and given back under the mutex, kept while a write is
/// under way, and never given back after the end. An event notes under the mutex what happened, and
/// takes the pen if that is free and does what is due (write_on()); else the pen's holder will. So
/// there is one write at a time, none after the end, and no lock is held while a read, a write, the
/// end or the session is called. What only the holder of the pen touches needs no lock of its own:
/// between two holders lies the mutex. (gRPC hands a write's end from thread to thread by means
/// that a thread sanitizer does not see in a library that was built without it; therefore
/// OnReadDone() and OnWriteDone() begin with the mutex that their starters let go last.)
///
/// Opening. New sessions are opened by Openings' threads, when their principal's turn comes. Until
/// then nothing is read and the pen lies free, so that whatever ends a stream that waits ends this
/// one; whose turn comes too late finds the pen taken. Resuming is quick, and done at once.
///
/// Life. The call owns itself until gRPC is through with it (OnDone()); the session and late alarms
/// may keep its memory longer, but then find the pen taken.
class TrackCall final : public grpc::ServerBidiReactor<grpc::ByteBuffer, grpc::ByteBuffer>,
                        public Outlet,
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

  /// The server closes: the client is told so.
  void tell_closing();

 private:
  TrackCall(Switchboard& board, grpc::CallbackServerContext* context)
      : board_(board), context_(context) {}

  /// What has happened.
  struct Events {
    bool broken = false;              ///< cancelled, or a write failed
    bool input_over = false;          ///< nothing more comes: half closed, or broken
    bool closing = false;             ///< the server closes
    std::optional<grpc::Status> end;  ///< the stream must end so
  };

  template <class Event>
  void note(const Event& event);
  void refuse_with(const grpc::Status& status);

  void begin();
  void take_message(std::chrono::steady_clock::time_point received);
  void take_frames(const v1::Frames& frames, std::chrono::steady_clock::time_point received);
  void open_soon();
  void open_now();
  void open();
  grpc::Status open_session(TrackOpened& opened);
  bool resume_session(TrackOpened& opened, Problem& problem);
  bool new_session(TrackOpened& opened, Problem& problem);
  void read_on();

  void write_on();
  bool write_next(const Events& now);
  bool write_last(const Events& now);
  bool write(const v1::TrackResponse& message, bool input_over);
  bool write_ended(const TrackEnded& ended);
  bool end(const grpc::Status& status);

  void start_parting();
  void cut_off();

  Switchboard& board_;
  grpc::CallbackServerContext* const context_;
  std::shared_ptr<TrackCall> self_;  ///< until OnDone()
  std::shared_ptr<Principal> principal_;

  std::mutex mutex_;
  Events events_;
  bool pen_ = false;
  bool more_ = false;     ///< something happened while the pen was taken
  bool asking_ = false;   ///< the write under way began after the input's end: only a living client
                          ///< takes it
  bool opening_ = false;  ///< a session is being opened, or was
  bool parting_ = false;
  bool done_ = false;  ///< OnDone() came
  grpc::Alarm opening_alarm_;
  grpc::Alarm parting_alarm_;

  // Of whoever reads.
  grpc::ByteBuffer incoming_;
  ReusedMessage<v1::TrackRequest, 8192> request_;

  // Set once, while the session is opened, before anything is read or written after that.
  std::shared_ptr<Session> session_;
  std::shared_ptr<const wire::PoseCodec> codec_;

  // Of who holds the pen.
  grpc::ByteBuffer outgoing_;
  ReusedMessage<v1::TrackResponse, 4096> response_;
  bool told_id_ = true;  ///< false: nobody but us knows the session's id yet
  bool told_closing_ = false;
  bool alive_ = false;      ///< the client took something after the input's end: it has closed its
                            ///< side, and was not lost
  bool finishing_ = false;  ///< the session knows that no more frames come
};

}  // namespace tocsin::service
