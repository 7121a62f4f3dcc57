// What a LiveSession holds: a session on a stream of its own, or on one that many share.
#pragma once

#include <chrono>
#include <span>

#include "tocsin/result.h"
#include "tocsin/track.h"

namespace tocsin::detail {

/// As LiveSession's functions say. Thread-safe.
class LiveStream {
 public:
  LiveStream() = default;
  LiveStream(const LiveStream&) = delete;
  LiveStream& operator=(const LiveStream&) = delete;
  virtual ~LiveStream() = default;

  virtual Status send(std::span<const TrackFrame> frames) = 0;
  virtual Status finish() = 0;
  virtual void cancel() = 0;
  virtual bool is_closed() = 0;
  virtual bool wait(std::chrono::milliseconds timeout) = 0;
  /// Cancels, and waits until the handler is not called any more. If the handler itself calls it,
  /// which is not allowed, it does not wait.
  virtual void end() = 0;
};

}  // namespace tocsin::detail
