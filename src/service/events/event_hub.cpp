#include "service/events/event_hub.h"

#include <algorithm>
#include <new>
#include <utility>

namespace tocsin::service {
namespace {

template <class Queue>
bool may_see(const Queue& queue, const EventAudience& audience) {
  return queue.principal == audience.principal ||
         (!audience.circle.empty() && queue.circle == audience.circle);
}

}  // namespace

std::unique_ptr<EventHub::Listener> EventHub::listen(const std::string& principal,
                                                     const std::string& circle) {
  Queues made;  // without the lock
  made.push_back({principal, circle, {}, 0, 0});
  auto out = std::make_unique<Listener>(*this, made.begin());
  {
    const std::scoped_lock lock(mutex_);
    const auto own = std::count_if(queues_.begin(), queues_.end(), [&](const Queue& queue) {
      return queue.principal == principal;
    });
    const bool full =
        queues_.size() >= kMostListeners || static_cast<std::size_t>(own) >= kMostOfOne;
    queues_.splice(queues_.end(), made);
    listeners_now_ = queues_.size();
    if (!full) return out;
  }
  return nullptr;  // `out` removes its queue again
}

void EventHub::publish(const EventAudience& audience, const std::function<std::string()>& make) {
  {
    const std::scoped_lock lock(mutex_);
    const bool heard = std::any_of(queues_.begin(), queues_.end(),
                                   [&](const Queue& queue) { return may_see(queue, audience); });
    if (!heard) return;
  }
  Text text;
  try {
    text = std::make_shared<const std::string>(make());
  } catch (const std::bad_alloc&) {
  }
  push(audience, text);
}

/// Null: there was no memory for it.
void EventHub::push(const EventAudience& audience, const Text& text) {
  const std::scoped_lock lock(mutex_);
  for (Queue& queue : queues_) {
    if (!may_see(queue, audience)) continue;
    // Once some were dropped, so are all until the listener was told: else it could not know where.
    if (!text || queue.dropped > 0 || queue.bytes + text->size() > kMostWaiting) {
      drop(queue);
      continue;
    }
    try {
      queue.waiting.push_back(text);
      queue.bytes += text->size();
    } catch (const std::bad_alloc&) {
      drop(queue);
    }
  }
}

void EventHub::drop(Queue& queue) {
  ++queue.dropped;
  ++dropped_;
}

EventHub::Listener::~Listener() {
  Queues gone;  // destroyed without the lock
  const std::scoped_lock lock(hub_.mutex_);
  gone.splice(gone.end(), hub_.queues_, queue_);
  hub_.listeners_now_ = hub_.queues_.size();
}

std::uint64_t EventHub::Listener::take(std::string& out, std::size_t most) {
  std::deque<Text> taken;
  std::uint64_t dropped = 0;
  {
    const std::scoped_lock lock(hub_.mutex_);
    Queue& queue = *queue_;
    std::size_t bytes = 0;
    while (!queue.waiting.empty() &&
           (taken.empty() || bytes + queue.waiting.front()->size() <= most)) {
      bytes += queue.waiting.front()->size();
      taken.push_back(std::move(queue.waiting.front()));
      queue.waiting.pop_front();
    }
    queue.bytes -= bytes;
    if (queue.waiting.empty()) dropped = std::exchange(queue.dropped, 0);
  }
  for (const Text& text : taken) out += *text;
  return dropped;
}

}  // namespace tocsin::service
