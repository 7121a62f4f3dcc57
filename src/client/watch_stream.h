// A watcher's stream: gRPC's reactor around a handler.
#pragma once

#include <grpcpp/client_context.h>
#include <grpcpp/support/client_callback.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <unordered_map>
#include <vector>

#include "client/connection_state.h"
#include "tocsin/client.h"
#include "tocsin/live/watch.h"
#include "tocsin/v1/collision.grpc.pb.h"
#include "wire/reports.h"

namespace tocsin::detail {

/// Owns itself until its stream is over, as SessionStream does. gRPC's threads call the handler,
/// one call at a time.
class WatchStream final : private grpc::ClientReadReactor<v1::WatchResponse> {
 public:
  static std::shared_ptr<WatchStream> start(std::shared_ptr<ConnectionState> connection,
                                            const WatchOptions& options, WatchHandler handler);
  ~WatchStream() override = default;

  void cancel() { context_.TryCancel(); }
  bool wait(std::chrono::milliseconds timeout);
  /// Cancels, and waits until the handler is not called any more. If the handler itself calls it,
  /// which is not allowed, it does not wait.
  void end();

 private:
  /// Outlives the stream.
  struct Over {
    std::mutex mutex;
    std::condition_variable changed;
    bool over = false;
  };
  /// A session that there is.
  struct Known {
    explicit Known(const Skeleton& skeleton) : poses(skeleton) {}
    wire::PoseCodec poses;
    std::int64_t next_step = 0;     ///< it begins at `pose`
    std::vector<Transform> pose{};  ///< empty: not known
  };

  WatchStream(std::shared_ptr<ConnectionState> connection, WatchHandler handler);

  void OnReadDone(bool ok) override;
  void OnDone(const grpc::Status& status) override;

  void take(const v1::WatchEvent& event);
  void take_session(const v1::WatchedSession& session);
  void take_step(const v1::WatchedStep& step);
  void refuse(std::string message);

  std::shared_ptr<ConnectionState> connection_;
  WatchHandler handler_;
  grpc::ClientContext context_;
  v1::WatchRequest request_;
  v1::WatchResponse response_;  ///< of the read that is under way; reused

  // Of the handler's calls, which come one at a time.
  std::unordered_map<std::string, Known> known_;
  bool begun_ = false;                    ///< something has come
  std::string problem_;                   ///< an invalid message of the server
  std::atomic<std::thread::id> calling_;  ///< the thread of the handler's call, during it

  std::shared_ptr<WatchStream> self_;
  const std::shared_ptr<Over> gone_ = std::make_shared<Over>();
};

}  // namespace tocsin::detail
