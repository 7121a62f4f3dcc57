// Memory for the messages of streams, which a thread uses for one stream after the other.
#pragma once

#include <vector>

#include "service/rpc/reused_message.h"
#include "tocsin/track.h"
#include "tocsin/v1/collision.pb.h"

namespace tocsin::service {

/// The thread's: what its last message has used is still in the caches of its processor, whichever
/// stream that was of. A stream's own memory would come from further away each time.
struct StreamMemory {
  /// Of the message that is being read, until its frames were offered.
  ReusedMessage<v1::TrackRequest, 8192> request;
  TrackFrame frame;
  /// Of the message that is being made, until it is serialized.
  ReusedMessage<v1::TrackResponse, 4096> response;
  std::vector<TrackReport> reports;

  static StreamMemory& of_thread() {
    thread_local StreamMemory out;
    return out;
  }
};

}  // namespace tocsin::service
