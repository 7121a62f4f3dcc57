// A protobuf message that reuses its memory: no allocation for messages of usual size.
#pragma once

#include <google/protobuf/arena.h>

#include <array>
#include <cstddef>

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

}  // namespace tocsin::service
