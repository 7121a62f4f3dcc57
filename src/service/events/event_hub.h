// Passes what sessions touch on to those who listen.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <string>

namespace tocsin::service {

/// Who may see an event: its principal, and, if there is one, a circle (Principal::circle()).
struct EventAudience {
  std::string principal;
  std::string circle;  ///< empty: nobody else
};

/// Thread-safe.
class EventHub {
 public:
  /// Listeners at once; of one principal.
  static constexpr std::size_t kMostListeners = 32;
  static constexpr std::size_t kMostOfOne = 8;
  /// Bytes that wait for one listener. Beyond it events are dropped and counted. 200 avatars that
  /// touch something at 90 Hz make 5 MB a second. Larger: slow listeners hold memory.
  static constexpr std::size_t kMostWaiting = std::size_t{1} << 20U;

  class Listener;

  /// Null: there are too many listeners. Throws std::bad_alloc.
  std::unique_ptr<Listener> listen(const std::string& principal, const std::string& circle);

  /// False: nobody listens, and publish() need not be called. No lock.
  [[nodiscard]] bool is_heard() const { return listeners_now_.load(std::memory_order_relaxed) > 0; }
  /// Calls `make` without a lock if somebody listens who may see it, and gives them the text.
  /// Without memory it is dropped and counted.
  void publish(const EventAudience& audience, const std::function<std::string()>& make);

  [[nodiscard]] std::size_t listeners() const { return listeners_now_; }
  /// Events that listeners did not get.
  [[nodiscard]] std::uint64_t dropped() const { return dropped_; }

 private:
  using Text = std::shared_ptr<const std::string>;
  struct Queue {
    std::string principal;
    std::string circle;
    std::deque<Text> waiting;
    std::size_t bytes = 0;
    std::uint64_t dropped = 0;  ///< since the last take()
  };
  using Queues = std::list<Queue>;

  void push(const EventAudience& audience, const Text& text);
  void drop(Queue& queue);

  std::mutex mutex_;
  Queues queues_;  ///< of the listeners
  std::atomic<std::size_t> listeners_now_{0};
  std::atomic<std::uint64_t> dropped_{0};
};

/// One listener; the hub lives longer. One thread's.
class EventHub::Listener {
 public:
  Listener(EventHub& hub, Queues::iterator queue) : hub_(hub), queue_(queue) {}
  Listener(const Listener&) = delete;
  Listener& operator=(const Listener&) = delete;
  ~Listener();

  /// Appends the next texts, in order, up to `most` bytes but one at least. @return how many were
  /// dropped since the last call; they would have come after these
  std::uint64_t take(std::string& out, std::size_t most);

 private:
  EventHub& hub_;
  const Queues::iterator queue_;
};

}  // namespace tocsin::service
