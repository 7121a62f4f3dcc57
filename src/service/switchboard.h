// What all calls of a server share.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <memory>
#include <mutex>
#include <unordered_map>

#include "service/access.h"
#include "service/engine.h"
#include "service/openings.h"
#include "service/session.h"
#include "service/worker_pool.h"
#include "tocsin/v1/collision.pb.h"
#include "wire/reports.h"

namespace tocsin::service {

class TrackCall;

/// The streams that are open, so that all of them can be told something. Thread-safe.
class TrackCalls {
 public:
  void add(const std::shared_ptr<TrackCall>& call);
  void remove(const TrackCall* call);
  /// Every stream is told that the server closes.
  void tell_closing();
  /// False: some are still open at that time.
  bool wait_until_over(std::chrono::steady_clock::time_point latest);

 private:
  std::mutex mutex_;
  std::condition_variable over_;
  std::unordered_map<const TrackCall*, std::weak_ptr<TrackCall>> calls_;
};

/// The sessions' codecs, for streams that resume one. Thread-safe.
class PoseCodecs {
 public:
  std::shared_ptr<const wire::PoseCodec> make(const std::shared_ptr<Session>& session,
                                              const Skeleton& skeleton);
  /// Null: of a session that make() was not called for.
  std::shared_ptr<const wire::PoseCodec> find(const Session& session);

 private:
  struct Entry {
    std::weak_ptr<const Session> session;
    std::shared_ptr<const wire::PoseCodec> codec;
  };
  std::mutex mutex_;
  std::unordered_map<const Session*, Entry> entries_;
  std::size_t next_sweep_ = 64;  ///< entries
};

/// How many loads may be under way, waiting ones included: each may hold a file of the size of an
/// upload. Of one principal: so that nobody keeps the others from loading. More would only wait, as
/// one room is built at a time.
inline constexpr std::size_t kMostLoads = 8;
inline constexpr std::size_t kMostLoadsOfOne = 2;

/// Counts loads. Thread-safe.
class LoadCounts {
 public:
  /// False: there are too many already.
  bool enter(const Principal* principal);
  void leave(const Principal* principal);

 private:
  std::mutex mutex_;
  std::size_t all_ = 0;
  std::unordered_map<const Principal*, std::size_t> of_one_;
};

struct Switchboard {
  std::shared_ptr<Engine> engine;
  std::shared_ptr<Access> access;
  std::chrono::milliseconds opening_patience{};  ///< ServerOptions
  std::chrono::milliseconds parting_patience{};
  v1::ListAvatarModelsResponse models;  ///< made once, at the start
  TrackCalls tracks;
  PoseCodecs codecs;
  /// Shared with the loads: the last owner of one may be an alarm that came late.
  const std::shared_ptr<LoadCounts> loads = std::make_shared<LoadCounts>();
  /// Until when streams may still take what is left for them, whatever `parting_patience` says; set
  /// before `closing`.
  std::atomic<std::chrono::steady_clock::time_point> closing_until{};
  std::atomic<bool> closing{false};
  // These two last: destroyed first, as their tasks use the rest.
  Openings openings;
  /// What else would hold up gRPC's few callback threads: writing uploads and giving back memory
  /// (quick lane), building rooms (slow lane: one at a time).
  WorkerPool chores{2};
};

}  // namespace tocsin::service
