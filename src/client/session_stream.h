// A session's stream: gRPC's reactor around a bounded queue of messages and a handler.
#pragma once

#include <grpcpp/client_context.h>
#include <grpcpp/support/client_callback.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
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
#include "wire/reports.h"

namespace tocsin::detail {

/// Owns itself until its stream is over, because gRPC calls it until then. gRPC's threads call the
/// handler, one call at a time: only one read is ever under way, and the end comes after the last
/// read.
class SessionStream final : public LiveStream,
                            private grpc::ClientBidiReactor<v1::TrackRequest, v1::TrackResponse> {
 public:
  /// Starts the stream with its first message, an `open` or a `resume`.
  static std::shared_ptr<SessionStream> start(std::shared_ptr<ConnectionState> connection,
                                              const Skeleton& skeleton, TrackHandler handler,
                                              v1::TrackRequest first);
  ~SessionStream() override = default;

  Status send(std::span<const TrackFrame> frames) override;
  Status finish() override;
  void cancel() override { context_.TryCancel(); }
  bool is_closed() override;
  bool wait(std::chrono::milliseconds timeout) override;
  void end() override;

 private:
  /// A message to be sent.
  struct Outgoing {
    v1::TrackRequest request;
    bool floats = false;    ///< its frames are FramesF
    int frames = 0;         ///< frames in use; the request's further ones are from an earlier use
    std::size_t calls = 0;  ///< number of send() calls that end in it
    std::size_t bytes = 0;  ///< estimated
  };

  /// Outlives the stream.
  struct Over {
    std::mutex mutex;
    std::condition_variable changed;
    bool over = false;
  };

  SessionStream(std::shared_ptr<ConnectionState> connection, const Skeleton& skeleton,
                TrackHandler handler);

  void OnReadDone(bool ok) override;
  void OnWriteDone(bool ok) override;
  void OnDone(const grpc::Status& status) override;

  Status pack(std::span<const TrackFrame> frames);
  void pack_all(std::span<const TrackFrame> frames);
  Outgoing& message_for(std::size_t bytes, bool floats);
  void take_opened(const v1::Opened& opened);
  Status check_open(std::size_t calls) const;
  void write_next(std::unique_lock<std::mutex>& lock);
  void take(const v1::TrackResponse& response);
  void take_reports(const v1::Reports& reports);
  void take_partial(const v1::StepReport& report);
  void refuse(std::string message);

  std::shared_ptr<ConnectionState> connection_;
  wire::PoseCodec poses_;  ///< changed by gRPC's thread alone, under mutex_
  std::size_t joints_;
  TrackHandler handler_;
  grpc::ClientContext context_;
  v1::TrackResponse response_;  ///< of the read that is under way; reused

  // Set by the handler's calls, for the end. Without a lock, because they come one at a time.
  std::optional<TrackEnded> ended_;
  std::optional<std::string> closing_;
  std::string problem_;                   ///< an invalid message of the server
  std::atomic<std::thread::id> calling_;  ///< the thread of the handler's call, during it

  std::mutex mutex_;
  std::shared_ptr<SessionStream> self_;
  std::unique_ptr<Outgoing> writing_;  ///< the write that is under way
  std::deque<std::unique_ptr<Outgoing>> queue_;
  std::vector<std::unique_ptr<Outgoing>> spare_;  ///< messages for reuse
  std::size_t pending_calls_ = 0;                 ///< of send(), in queue_
  bool finishing_ = false;                        ///< no more frames
  bool closed_ = false;                           ///< no more writes
  bool over_ = false;                             ///< the handler's `over` has returned
  /// Notified when gRPC's thread no longer owns the stream. So the waiting thread is the last owner
  /// of the stream and of the connection: gRPC aborts if one of its own threads destroys the last
  /// channel.
  const std::shared_ptr<Over> gone_ = std::make_shared<Over>();
};

}  // namespace tocsin::detail
