// The call Watch: tells one watcher of sessions.
#pragma once

#include <grpcpp/alarm.h>
#include <grpcpp/server_context.h>
#include <grpcpp/support/byte_buffer.h>
#include <grpcpp/support/server_callback.h>
#include <grpcpp/support/status.h>

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>

#include "service/access/access.h"
#include "service/rpc/switchboard.h"
#include "service/watch/watch_hub.h"
#include "tocsin/v1/collision.pb.h"
#include "wire/reports.h"

namespace tocsin::service {

/// Events wait in the hub, as plain values, until the message before has gone. Then a thread of
/// gRPC's packs them: no session's.
///
/// Threads. Whoever sets `owns_write_` under the mutex packs and writes; it stays set while a write
/// is under way, and forever after the end. The hub only sets an alarm, so that what happens within
/// kGather shares a message. Lifetime: as TrackCall.
class WatchCall final : public grpc::ServerWriteReactor<grpc::ByteBuffer>,
                        public std::enable_shared_from_this<WatchCall> {
 public:
  using Reactor = grpc::ServerWriteReactor<grpc::ByteBuffer>;

  static Reactor* start(Switchboard& board, grpc::CallbackServerContext* context,
                        const grpc::ByteBuffer& request);

  void OnWriteDone(bool ok) override;
  void OnCancel() override;
  void OnDone() override;

 private:
  /// A session that the watcher was told of.
  struct Told {
    std::shared_ptr<const wire::PoseCodec> codec;
    /// A step with this number begins where the last one told ended; none: none was told.
    std::optional<std::uint64_t> next_step;
    bool attached = false;
    bool is_there = false;  ///< while a loss is made good
  };
  using Events = v1::WatchResponse;

  WatchCall(Switchboard& board, grpc::CallbackServerContext* context)
      : board_(board), context_(context) {}

  grpc::Status enter(const grpc::ByteBuffer& request);
  void wake();
  void go_on();
  void write_on();
  bool write_next();
  void end(const grpc::Status& status);
  /// Packs what was taken until the message is full. False: there is nothing left.
  bool pack(Events& out);
  void pack_item(const WatchItem& item, Events& out);
  void pack_step(const std::shared_ptr<const WatchSubject>& subject, const WatchStep& step,
                 Events& out);
  Told& describe(const WatchedNow& now, Events& out);
  void make_good(Events& out);

  Switchboard& board_;
  grpc::CallbackServerContext* const context_;
  std::shared_ptr<WatchCall> self_;  ///< until OnDone()
  std::shared_ptr<Principal> principal_;
  MemoryBudget::Hold hold_;  ///< for what waits

  std::mutex mutex_;
  bool owns_write_ = false;
  bool woken_ = false;      ///< since the write owner has looked
  bool cancelled_ = false;  ///< the client has gone
  bool waits_ = false;      ///< for the alarm
  std::unique_ptr<grpc::Alarm> alarm_;

  // Of the write owner.
  std::unique_ptr<WatchHub::Watcher> watcher_;
  bool poses_ = true;
  bool begun_ = false;                          ///< a message was written
  std::unordered_map<std::string, Told> told_;  ///< by name
  WatchTaken taken_;
  std::size_t next_ = 0;      ///< of taken_.items
  std::size_t next_now_ = 0;  ///< of taken_.now, after these
  grpc::ByteBuffer outgoing_;
};

}  // namespace tocsin::service
