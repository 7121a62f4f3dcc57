// A stream that many sessions share: gRPC's reactor around a bounded queue of messages.
#pragma once

#include <grpcpp/client_context.h>
#include <grpcpp/support/client_callback.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include "client/connection_state.h"
#include "client/live_stream.h"
#include "tocsin/client.h"
#include "tocsin/v1/collision.grpc.pb.h"
#include "wire/crowds.h"
#include "wire/reports.h"

namespace tocsin::detail {

class CrowdStream;

/// A session of it. The stream's thread calls the handler.
class CrowdSession final : public LiveStream {
 public:
  CrowdSession(std::shared_ptr<CrowdStream> stream, const Skeleton& skeleton, TrackHandler handler);
  ~CrowdSession() override = default;

  Status send(std::span<const TrackFrame> frames) override;
  Status finish() override;
  void cancel() override;
  bool is_closed() override;
  bool wait(std::chrono::milliseconds timeout) override;
  void end() override;

 private:
  friend class CrowdStream;

  const std::shared_ptr<CrowdStream> stream_;
  const std::size_t joints_;
  /// Changed by the stream's thread alone, under its mutex. Sessions of equal skeletons share one,
  /// which stays in the caches.
  std::shared_ptr<const wire::PoseCodec> poses_;
  const TrackHandler handler_;

  // Of the stream's thread.
  wire::SlotTold told_;
  int row_ = 0;  ///< of FreeSteps, while a message is taken: the next of this slot

  // Under the stream's mutex.
  std::uint32_t slot_ = 0;
  bool open_ = false;              ///< the server has opened it: frames may be sent
  std::vector<TrackFrame> early_;  ///< that wait for it
  bool finishing_ = false;         ///< no more frames
  bool left_ = false;              ///< its leaving is queued
  bool over_ = false;              ///< the handler's `over` has returned
};

/// Owns itself until its stream is over, because gRPC calls it until then.
class CrowdStream final
    : private grpc::ClientBidiReactor<v1::TrackManyRequest, v1::TrackManyResponse>,
      public std::enable_shared_from_this<CrowdStream> {
 public:
  /// Sessions may begin on it before start(), which must follow: then they are told of its end,
  /// however soon that comes.
  static std::shared_ptr<CrowdStream> create(std::shared_ptr<ConnectionState> connection,
                                             bool collects);
  void start() { StartCall(); }
  CrowdStream(const CrowdStream&) = delete;
  CrowdStream& operator=(const CrowdStream&) = delete;
  ~CrowdStream() override = default;

  /// Begins a session. Errors (kResource): all slots are taken, or the stream is over.
  Result<std::shared_ptr<CrowdSession>> begin(const Skeleton& skeleton, TrackHandler handler,
                                              v1::SlotOpening opening);
  void collect();
  void flush();
  /// True if no session can begin on it.
  bool is_closed();
  /// True once gRPC does not call it any more.
  bool is_over();
  /// Breaks it, and waits for its end.
  void end();

 private:
  friend class CrowdSession;

  /// A message to be sent.
  struct Outgoing {
    v1::TrackManyRequest request;
    wire::PoseForm form;    ///< of the last columns
    std::size_t poses = 1;  ///< of each frame in them
    bool floats = false;    ///< all are SlotFramesF
    std::size_t bytes = 0;  ///< of frames, estimated
  };

  explicit CrowdStream(std::shared_ptr<ConnectionState> connection)
      : connection_(std::move(connection)) {}

  void OnReadDone(bool ok) override;
  void OnWriteDone(bool ok) override;
  void OnDone(const grpc::Status& status) override;

  // For sessions.
  bool is_closed(const CrowdSession& session);
  Status send(CrowdSession& session, std::span<const TrackFrame> frames);
  Status finish(CrowdSession& session);
  void leave(CrowdSession& session);
  bool wait(CrowdSession& session, std::chrono::milliseconds timeout);
  void end(CrowdSession& session);

  // Out: under the mutex.
  void pack(const CrowdSession& session, const TrackFrame& frame);
  Outgoing& message_for(std::size_t bytes);
  Outgoing& message_for_frame(std::size_t bytes, bool floats);
  Outgoing& message_for_opening(std::size_t bytes);
  Outgoing& new_message(std::size_t bytes);
  void write_on(std::unique_lock<std::mutex>& lock, bool now);

  // In: the stream's thread.
  void take(const v1::TrackManyResponse& message);
  std::shared_ptr<CrowdSession> session_in(std::uint32_t slot);
  void take_opened(const v1::SlotOpened& opened);
  void take_steps(const v1::TrackManyResponse& message);
  void take_free(const v1::FreeSteps& free, CrowdSession& session, std::uint64_t before);
  void take_end(const v1::SlotEnd& end);
  void tell_over(const std::shared_ptr<CrowdSession>& session, StreamEnd end,
                 const TrackEnded& ended, const Error& error);
  void refuse(std::string message);

  const std::shared_ptr<ConnectionState> connection_;
  grpc::ClientContext context_;
  v1::TrackManyResponse response_;  ///< of the read that is under way; reused
  std::string problem_;             ///< an invalid message of the server
  std::shared_ptr<const wire::PoseCodec> newest_poses_;
  bool closing_ = false;
  std::atomic<std::thread::id> calling_;  ///< the thread of a handler's call, during it

  std::mutex mutex_;
  std::condition_variable changed_;  ///< a session or the stream is over
  std::shared_ptr<CrowdStream> self_;
  std::vector<std::shared_ptr<CrowdSession>> slots_;  ///< null: free
  std::vector<std::uint32_t> free_slots_;             ///< below slots_.size()
  std::unique_ptr<Outgoing> writing_;
  std::deque<std::unique_ptr<Outgoing>> queue_;
  std::vector<std::unique_ptr<Outgoing>> spare_;
  std::size_t pending_bytes_ = 0;  ///< of frames in queue_
  bool collects_ = false;
  bool due_ = false;     ///< all that is queued is to be sent
  bool closed_ = false;  ///< no more writes

  /// Outlives the stream: SessionStream::Over.
  struct Over {
    std::mutex mutex;
    std::condition_variable changed;
    bool over = false;
  };
  const std::shared_ptr<Over> gone_ = std::make_shared<Over>();
};

/// What the copies of a LiveCrowd's functions share: its stream, and the next one.
class LiveCrowdState {
 public:
  explicit LiveCrowdState(std::shared_ptr<ConnectionState> connection)
      : connection_(std::move(connection)) {}
  LiveCrowdState(const LiveCrowdState&) = delete;
  LiveCrowdState& operator=(const LiveCrowdState&) = delete;
  ~LiveCrowdState() { end(); }

  /// Begins a session on the stream; on a new one, if that is over. Errors: CrowdStream::begin().
  Result<std::shared_ptr<CrowdSession>> begin(const Skeleton& skeleton, const TrackHandler& handler,
                                              const v1::SlotOpening& opening);
  void collect();
  void flush();
  void end();

 private:
  const std::shared_ptr<ConnectionState> connection_;
  std::mutex mutex_;
  /// The stream on which sessions begin; null: the crowd is over. `made`: it is new, and is to be
  /// started.
  std::shared_ptr<CrowdStream> stream(bool& made);

  std::shared_ptr<CrowdStream> stream_;
  /// Those before, while gRPC has them: its threads must not destroy the last of a connection.
  std::vector<std::shared_ptr<CrowdStream>> earlier_;
  bool collects_ = false;
  bool ended_ = false;
};

}  // namespace tocsin::detail
