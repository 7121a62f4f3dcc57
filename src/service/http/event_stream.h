// Server-sent events of one listener
// (https://html.spec.whatwg.org/multipage/server-sent-events.html).
#pragma once

#include <chrono>
#include <memory>
#include <utility>

#include "service/events/event_hub.h"
#include "service/http/answer.h"

namespace tocsin::service {

class EventStream final : public HttpStream {
 public:
  using Time = std::chrono::steady_clock::time_point;

  explicit EventStream(std::unique_ptr<EventHub::Listener> listener)
      : listener_(std::move(listener)) {}

  bool next(std::string& out) override { return next(out, std::chrono::steady_clock::now()); }
  /// Events; where some were dropped "event: lost" with their number; a comment after silence, so
  /// that a client that has vanished is found.
  bool next(std::string& out, Time now);

 private:
  const std::unique_ptr<EventHub::Listener> listener_;
  Time said_{};
};

}  // namespace tocsin::service
