// A stream of sessions: gRPC's reactor, read by message and written by one owner at a time.
#pragma once

#include <grpcpp/alarm.h>
#include <grpcpp/server_context.h>
#include <grpcpp/support/byte_buffer.h>
#include <grpcpp/support/server_callback.h>
#include <grpcpp/support/status.h>

#include <chrono>
#include <memory>
#include <mutex>
#include <new>
#include <optional>
#include <string>

#include "service/access/access.h"
#include "service/rpc/call_support.h"
#include "service/rpc/reading_pace.h"
#include "service/rpc/switchboard.h"

namespace tocsin::service {

/// What has happened to a stream so far.
struct StreamEvents {
  bool broken = false;              ///< cancelled, or a write failed
  bool input_over = false;          ///< no more messages: half closed, or broken
  bool closing = false;             ///< the server closes
  std::optional<grpc::Status> end;  ///< the status with which the stream must end
};

/// What TrackCall and CrowdCall have in common. Messages are parsed there, because gRPC reports a
/// malformed message in the same way as the end of a stream.
///
/// Threads. Events come from gRPC's callback threads (reads one at a time, writes one at a time,
/// cancellation at any time), from whoever checks (Outlet), alarms and the server. The thread that
/// handles a read owns reading until it starts the next read. Writing, and with it the end, has
/// *write ownership*: `owns_write_` is set and cleared under the mutex. It stays set while a write
/// is under way, and forever after the end. An event records under the mutex what happened. If
/// `owns_write_` is free, the event takes it and does what is due (write_on()). Otherwise the
/// present owner does it. So there is one write at a time, and none after the end. No lock is held
/// while a read, a write, the end or a session is called. Members that only the write owner uses
/// need no lock of their own: the mutex lies between two owners. (A thread sanitizer does not see
/// how gRPC passes a write's end between threads if the library was built without it. Therefore
/// OnReadDone() and OnWriteDone() begin with the mutex that their starters released last.)
///
/// Lifetime. The call owns itself until gRPC has finished with it (OnDone()). Sessions and late
/// alarms may keep its memory longer, but then find `owns_write_` set.
class StreamCall : public grpc::ServerBidiReactor<grpc::ByteBuffer, grpc::ByteBuffer>,
                   public OpenStream,
                   public std::enable_shared_from_this<StreamCall> {
 public:
  using Reactor = grpc::ServerBidiReactor<grpc::ByteBuffer, grpc::ByteBuffer>;
  using Time = std::chrono::steady_clock::time_point;

  void OnReadDone(bool ok) final;
  void OnWriteDone(bool ok) final;
  void OnCancel() final;
  void OnDone() final;
  void tell_closing() final;

 protected:
  StreamCall(Switchboard& board, grpc::CallbackServerContext* context);
  /// Admits the client, and begins to read; or refuses it.
  static Reactor* launch(const std::shared_ptr<StreamCall>& call);

  // What differs. None of these is called with the mutex.
  /// A further limit of the stream. False: `refusal` says why.
  virtual bool enter(grpc::Status& refusal) = 0;
  /// Takes the message in `incoming_`, and calls read_on() or refuse_with(). Owns reading.
  virtual void take_message(Time received) = 0;
  /// Starts a write (send_bytes()), or ends the stream (end()). False: nothing is due. Owns
  /// writing.
  virtual bool write_next(const StreamEvents& events) = 0;
  /// The client's side has taken the write. `input_over`: after the end of its input. Owns writing.
  virtual void written(bool input_over) = 0;
  /// Leaves all sessions, before the end.
  virtual void leave_all(const grpc::Status& status) = 0;
  /// gRPC has finished: the last call.
  virtual void over() = 0;

  /// Records an event under the mutex, and writes if event() says that this is due.
  template <class Event>
  void note_if(const Event& event);
  template <class Event>
  void note(const Event& event) {
    note_if([&](StreamEvents& events) {
      event(events);
      return true;
    });
  }
  void refuse_with(const grpc::Status& status);
  void read_on();
  void write_on();
  bool send_bytes(grpc::ByteBuffer& bytes, bool input_over, bool last = false);
  bool end(const grpc::Status& status);
  /// Call under the mutex. From now on the client has a limited time to read its last messages.
  void start_draining();
  /// A session is being opened: the stream need not be ended for having none. Call under the mutex.
  void is_opening() {
    opening_ = true;
    opening_alarm_.Cancel();
  }
  /// It has opened one: it does not count among Switchboard::unopened any more.
  void count_as_opened();

  Switchboard& board_;
  grpc::CallbackServerContext* const context_;
  const std::string peer_;  ///< the context ends before a session may ask
  std::shared_ptr<Principal> principal_;

  std::mutex mutex_;
  StreamEvents events_;
  bool owns_write_ = false;
  bool done_ = false;  ///< OnDone() came

  // Of the thread that owns reading.
  grpc::ByteBuffer incoming_;
  ReadingPace pace_;

 private:
  bool count_as_unopened(grpc::Status& refusal);
  void begin();

  std::shared_ptr<StreamCall> self_;  ///< until OnDone()
  // Under the mutex.
  bool more_ = false;    ///< an event happened while `owns_write_` was set
  bool asking_ = false;  ///< the write under way began after the input's end
  bool unopened_ = false;
  bool opening_ = false;
  bool draining_ = false;
  grpc::Alarm opening_alarm_;
  grpc::Alarm draining_alarm_;
};

template <class Event>
void StreamCall::note_if(const Event& event) {
  {
    const std::scoped_lock lock(mutex_);
    try {
      if (!event(events_)) return;
    } catch (const std::bad_alloc&) {
      if (!events_.end) events_.end = out_of_memory_status();
    }
    more_ = true;
    if (owns_write_) return;
    owns_write_ = true;
  }
  write_on();
}

}  // namespace tocsin::service
