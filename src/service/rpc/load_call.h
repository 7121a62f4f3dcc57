// The call LoadEnvironment: loads a room for a client.
#pragma once

#include <grpcpp/alarm.h>
#include <grpcpp/server_context.h>
#include <grpcpp/support/byte_buffer.h>
#include <grpcpp/support/server_callback.h>
#include <grpcpp/support/status.h>

#include <chrono>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "service/access/access.h"
#include "service/rpc/load_request.h"
#include "service/rpc/switchboard.h"
#include "tocsin/io.h"

namespace tocsin::service {

/// Time limit of an upload. Longer: slow clients block other loads for longer. Shorter: 256 MiB
/// fail on lines below 4 Mbit/s.
inline constexpr std::chrono::minutes kUploadTimeout{10};
/// Longest pause within an upload. A stalled upload blocks other loads, too.
inline constexpr std::chrono::seconds kUploadSilence{10};

/// The switchboard's chores do all work but bookkeeping, so the network's threads never wait for a
/// disk. As in TrackCall, messages are parsed here, so that a damaged message does not count as the
/// end of the file.
///
/// Threads: reading, storing and building follow each other. Each is started by the one before.
/// Only the end may come from elsewhere (cancellation, an alarm). It sets `finished_` under the
/// mutex, and no gRPC operation is started after that. Lifetime: as TrackCall.
///
/// It counts among the loads (CallCounts) until its client can know how it ended, and until its
/// last chore is done: a cancelled load holds its file until then.
class LoadCall final : public grpc::ServerReadReactor<grpc::ByteBuffer>,
                       public std::enable_shared_from_this<LoadCall> {
 public:
  static grpc::ServerReadReactor<grpc::ByteBuffer>* start(Switchboard& board,
                                                          grpc::CallbackServerContext* context,
                                                          grpc::ByteBuffer* response);
  LoadCall(const LoadCall&) = delete;
  LoadCall& operator=(const LoadCall&) = delete;
  ~LoadCall() override;

  void OnReadDone(bool ok) override;
  void OnSendInitialMetadataDone(bool ok) override;
  void OnCancel() override;
  void OnDone() override;

 private:
  LoadCall(Switchboard& board, grpc::CallbackServerContext* context, grpc::ByteBuffer* response);

  using Work = void (LoadCall::*)();

  grpc::Status enter();
  void begin();
  void watch();
  void check_deadlines();
  void finish(const grpc::Status& status);
  void have_done(WorkerPool::Lane lane, Work work);
  bool work_is_done();
  void leave();

  void store();
  void load();
  bool answer(const EnvironmentInfo& room, const std::vector<std::string>& warnings);

  Switchboard& board_;
  grpc::CallbackServerContext* const context_;
  std::shared_ptr<LoadCall> self_;  ///< until OnDone()
  std::shared_ptr<Principal> principal_;
  const std::shared_ptr<CallCounts> loads_;

  std::mutex mutex_;
  bool counted_ = false;
  bool at_work_ = false;  ///< a chore is submitted or runs
  bool finished_ = false;
  grpc::ByteBuffer* const response_;  ///< owned by gRPC, until it is finished
  bool through_ = false;              ///< the upload is complete
  std::chrono::steady_clock::time_point began_;
  std::chrono::steady_clock::time_point heard_;  ///< time of the last message
  std::unique_ptr<grpc::Alarm> alarm_;  ///< a new one each time: an alarm must not set itself

  grpc::ByteBuffer incoming_;
  std::optional<LoadRequest> request_;  ///< once the principal is known
};

}  // namespace tocsin::service
