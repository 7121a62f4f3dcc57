// Protobuf messages that reuse their memory: no allocation for messages of usual size.
#pragma once

#include <google/protobuf/arena.h>

#include <array>
#include <cstddef>
#include <vector>

#include "tocsin/track.h"
#include "tocsin/v1/collision.pb.h"

namespace tocsin::service {

/// `kBytes`: memory of a message of usual size. Larger ones cost an allocation each. Not
/// thread-safe.
template <class Message, std::size_t kBytes>
class ReusedMessage {
 public:
  ReusedMessage() : arena_(bytes_.data(), bytes_.size()) {}
  ReusedMessage(const ReusedMessage&) = delete;
  ReusedMessage& operator=(const ReusedMessage&) = delete;
  ~ReusedMessage() = default;

  /// An empty message. Destroys the message before.
  Message& fresh() {
    arena_.Reset();
    message_ = google::protobuf::Arena::CreateMessage<Message>(&arena_);
    return *message_;
  }
  /// Destroys the message, and frees all that did not fit.
  void clear() {
    arena_.Reset();
    message_ = nullptr;
  }
  /// The last one, after fresh().
  [[nodiscard]] const Message& get() const { return *message_; }

 private:
  alignas(std::max_align_t) std::array<char, kBytes> bytes_;
  google::protobuf::Arena arena_;
  Message* message_ = nullptr;
};

/// What a thread needs for the messages of streams, of one after the other: what its last message
/// has used is still in the caches of its processor, whichever stream that was of. A stream's own
/// memory would come from further away each time.
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
