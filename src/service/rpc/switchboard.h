// Shared state of all calls of a server.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <memory>
#include <mutex>
#include <unordered_map>

#include "service/access/admission.h"
#include "service/access/admission_queue.h"
#include "service/access/memory_budget.h"
#include "service/engine.h"
#include "service/log/event_log.h"
#include "service/rpc/live_credentials.h"
#include "service/schedule/worker_pool.h"
#include "service/session/session.h"
#include "tocsin/v1/collision.pb.h"
#include "wire/reports.h"

namespace tocsin::service {

/// A stream that is open.
class OpenStream {
 public:
  OpenStream() = default;
  OpenStream(const OpenStream&) = delete;
  OpenStream& operator=(const OpenStream&) = delete;
  virtual ~OpenStream() = default;
  /// Tells the client that the server closes.
  virtual void tell_closing() = 0;
};

/// All open streams. Thread-safe.
class OpenStreams {
 public:
  void add(const std::shared_ptr<OpenStream>& stream);
  void remove(const OpenStream* stream);
  /// Tells every client that the server closes.
  void tell_closing();
  /// False: some are still open at that time.
  bool wait_until_over(std::chrono::steady_clock::time_point latest);

 private:
  std::mutex mutex_;
  std::condition_variable over_;
  std::unordered_map<const OpenStream*, std::weak_ptr<OpenStream>> streams_;
};

/// The sessions' codecs, for streams that resume one. A session whose codec would be like the one
/// made last has that, so that a crowd's frames are unpacked by one, which stays in the caches.
/// Thread-safe.
class PoseCodecs {
 public:
  std::shared_ptr<const wire::PoseCodec> make(const std::shared_ptr<Session>& session,
                                              const Skeleton& skeleton);
  /// Null if make() was not called for the session.
  std::shared_ptr<const wire::PoseCodec> find(const Session& session);

 private:
  struct Entry {
    std::weak_ptr<const Session> session;
    std::shared_ptr<const wire::PoseCodec> codec;
  };
  std::mutex mutex_;
  std::unordered_map<const Session*, Entry> entries_;
  std::weak_ptr<const wire::PoseCodec> newest_;
  std::size_t next_sweep_ = 64;  ///< entries
};

/// Limits of the loads that are under way, pending ones included. Each may hold a file of the size
/// of an upload. The limit of one principal (Limits::uploads) keeps it from blocking the others.
/// More loads would only wait, because one room is built at a time.
inline constexpr std::size_t kMostLoads = 8;

/// Counts calls of one kind, in all and for each principal. Thread-safe.
class CallCounts {
 public:
  /// False, and not counted: there are as many already.
  bool enter(const Principal* principal, std::size_t most, std::size_t most_of_one);
  void leave(const Principal* principal);

 private:
  std::mutex mutex_;
  std::size_t all_ = 0;
  std::unordered_map<const Principal*, std::size_t> of_one_;
};

struct Switchboard {
  explicit Switchboard(std::uint64_t most_memory = 0) : memory(most_memory) {}

  std::shared_ptr<Engine> engine;
  std::unique_ptr<Admission> admission_of_clients;  ///< set before the first call, as all of these
  std::shared_ptr<LiveCredentials> credentials;
  bool names_by_certificate = false;            ///< clients have certificates, and no tokens
  std::chrono::milliseconds opening_timeout{};  ///< ServerOptions
  std::chrono::milliseconds draining_timeout{};
  v1::ListAvatarModelsResponse models;  ///< made once, at the start
  std::shared_ptr<EventLog> events;     ///< null: nobody is told
  MemoryBudget memory;
  OpenStreams streams;
  PoseCodecs codecs;
  /// Shared with the loads, because a late alarm may be a load's last owner.
  const std::shared_ptr<CallCounts> loads = std::make_shared<CallCounts>();
  /// As the loads.
  const std::shared_ptr<CallCounts> downloads = std::make_shared<CallCounts>();
  CallCounts unopened;  ///< streams that have not opened a session yet
  CallCounts crowds;    ///< streams of many sessions
  /// Until then streams may still read their last messages, even after `draining_timeout`. Set
  /// before `closing`.
  std::atomic<std::chrono::steady_clock::time_point> closing_until{};
  std::atomic<bool> closing{false};
  // These two are last, and so destroyed first, because their tasks use the rest.
  AdmissionQueue admission;
  /// Work that would block gRPC's few callback threads: writing uploads and freeing memory (quick
  /// lane), building rooms (slow lane: one at a time).
  WorkerPool chores{2};
};

}  // namespace tocsin::service
