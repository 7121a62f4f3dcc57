// The call Download: a room's triangles, or the shapes of a session's links.
#pragma once

#include <grpcpp/alarm.h>
#include <grpcpp/server_context.h>
#include <grpcpp/support/byte_buffer.h>
#include <grpcpp/support/server_callback.h>
#include <grpcpp/support/status.h>

#include <chrono>
#include <cstddef>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "service/access/access.h"
#include "service/rooms/room.h"
#include "service/rpc/switchboard.h"
#include "service/watch/watch_subject.h"
#include "tocsin/v1/collision.pb.h"
#include "wire/parts.h"

namespace tocsin::service {

/// Downloads at once; of one principal. Each may hold a copy of its room.
inline constexpr std::size_t kMostDownloads = 8;
inline constexpr std::size_t kMostDownloadsOfOne = 2;
/// Time limit of a download. Longer: clients that do not read keep others out.
inline constexpr std::chrono::minutes kDownloadTimeout{10};

/// What is downloaded: parts that are packed one after the other. One thread's at a time.
class Downloaded {
 public:
  /// The room as it is now, in one version. Errors (kResource): more than `most` triangles in one
  /// that changes; memory.
  static Result<Downloaded> of(const Room& room, std::uint64_t most);
  static Downloaded of(const Avatar& avatar);

  [[nodiscard]] const std::vector<wire::PartHead>& heads() const { return heads_; }
  /// Of a room.
  [[nodiscard]] std::uint64_t version() const { return version_; }
  [[nodiscard]] std::string pack(std::size_t part);

 private:
  std::vector<wire::PartHead> heads_;
  std::uint64_t version_ = 0;
  std::optional<wire::ObjectPacker> packer_;
  std::optional<Avatar> avatar_;
};

/// Chores hash and pack, because large rooms take time; the network's threads send. One follows the
/// other, from the beginning to the end. They are slow chores: hashing a large room takes seconds,
/// and changes of rooms do not wait for it. Lifetime: as LoadCall.
class DownloadCall final : public grpc::ServerWriteReactor<grpc::ByteBuffer>,
                           public std::enable_shared_from_this<DownloadCall> {
 public:
  using Reactor = grpc::ServerWriteReactor<grpc::ByteBuffer>;

  static Reactor* start(Switchboard& board, grpc::CallbackServerContext* context,
                        const grpc::ByteBuffer& request);
  DownloadCall(const DownloadCall&) = delete;
  DownloadCall& operator=(const DownloadCall&) = delete;
  ~DownloadCall() override;

  void OnWriteDone(bool ok) override;
  void OnDone() override;

 private:
  DownloadCall(Switchboard& board, grpc::CallbackServerContext* context)
      : board_(board), context_(context), downloads_(board.downloads) {}

  using Work = grpc::Status (DownloadCall::*)();

  grpc::Status enter(const grpc::ByteBuffer& request);
  grpc::Status find(const v1::DownloadRequest& request);
  void have_done(Work work);
  grpc::Status send_head();
  grpc::Status pack_next();
  grpc::Status send_chunk();
  grpc::Status send(const v1::DownloadResponse& message);
  void end(const grpc::Status& status);

  Switchboard& board_;
  grpc::CallbackServerContext* const context_;
  const std::shared_ptr<CallCounts> downloads_;
  std::shared_ptr<DownloadCall> self_;  ///< until OnDone()
  std::shared_ptr<Principal> principal_;
  bool counted_ = false;
  grpc::Alarm late_;
  std::mutex mutex_;  ///< between two threads that follow each other; of done_
  bool done_ = false;

  std::shared_ptr<const Room> room_;  ///< null: shapes
  std::shared_ptr<const WatchSubject> subject_;
  std::set<std::string> have_;
  bool head_only_ = false;
  MemoryBudget::Hold hold_;
  std::uint64_t most_ = 0;  ///< triangles that it is for
  std::optional<Downloaded> what_;
  std::size_t part_ = 0;  ///< the next to be packed
  std::string bytes_;     ///< of the one before
  std::size_t sent_ = 0;  ///< of these
  grpc::ByteBuffer outgoing_;
};

}  // namespace tocsin::service
