#include "service/watch/watch_hub.h"

#include <algorithm>
#include <new>

#include "service/session/report_ring.h"

namespace tocsin::service {
namespace {

/// What an item takes beside what it holds, about.
constexpr std::size_t kItemBytes = 256;

std::size_t name_bytes_of(const ContactNames& names) {
  return sizeof(names) + names.link.capacity() + names.object.capacity() +
         names.other_link.capacity() + names.other_label.capacity();
}

std::size_t bytes_of(const WatchStep& step) {
  std::size_t out = kItemBytes + service::bytes_of(step.report);
  for (const ContactNames& names : step.report.names) out += name_bytes_of(names);
  for (const std::string& name : step.report.distance_objects) {
    out += sizeof(name) + name.capacity();
  }
  if (step.step) out += 2 * step.step->pose1().size() * sizeof(Transform);
  return out;
}

/// An avatar counts no more, so that one of large shapes costs no items. Its shapes may be shared.
constexpr std::size_t kMostAvatar = std::size_t{1} << 20U;
constexpr std::size_t kFeatureBytes = 100;  ///< a triangle of a shape, with its tree, about

/// Of a beginning: it keeps the avatar, and many sessions may begin and end while it waits.
std::size_t bytes_of(const WatchSubject& subject) {
  std::size_t out = static_cast<std::size_t>(subject.avatar.skeleton().size()) * sizeof(Joint);
  for (const Link& link : subject.avatar.links()) {
    out += sizeof(link) + link.name.capacity();
    if (!link.shape.empty()) out += link.shape.features().size() * kFeatureBytes;
  }
  return kItemBytes + std::min(out, kMostAvatar);
}

}  // namespace

bool WatchFilter::may_see(const WatchSubject& subject) const {
  const EventAudience& audience = subject.audience;
  return principal == audience.principal || (!audience.circle.empty() && circle == audience.circle);
}

bool WatchFilter::wants(const WatchSubject& subject) const {
  if (!may_see(subject)) return false;
  if (room && (room->first != subject.room_owner || room->second != subject.room_info.name)) {
    return false;
  }
  return sessions.empty() || sessions.contains(subject.name);
}

std::unique_ptr<WatchHub::Watcher> WatchHub::watch(WatchFilter filter, std::function<void()> wake) {
  Queues made;  // without the lock
  const std::string principal = filter.principal;
  made.push_back({std::move(filter),
                  std::make_shared<const std::function<void()>>(std::move(wake)),
                  {},
                  0,
                  0});
  auto out = std::make_unique<Watcher>(*this, made.begin());
  bool full = false;
  {
    const std::scoped_lock lock(mutex_);
    const auto own = std::count_if(queues_.begin(), queues_.end(), [&](const Queue& queue) {
      return queue.filter.principal == principal;
    });
    full = queues_.size() >= kMostWatchers || static_cast<std::size_t>(own) >= kMostOfOne;
    Queue& queue = made.front();
    // From here on the watcher's end removes the queue again, whatever happens.
    queues_.splice(queues_.end(), made);
    watchers_now_ = queues_.size();
    ++changes_;
    if (!full) {
      // They do not count as waiting: a server's sessions are not too many, and are told once.
      for (WatchedNow& one : wanted_by(queue.filter)) {
        auto subject = one.subject;
        queue.waiting.emplace_back(
            std::make_shared<const WatchItem>(WatchItem{std::move(subject), std::move(one)}), 0);
      }
    }
  }
  if (full) return nullptr;
  return out;
}

bool WatchHub::is_watched(const WatchSubject& subject, WatchMark& mark) const {
  if (!is_watched()) return false;
  if (mark.change == changes_.load(std::memory_order_acquire)) return mark.watched;
  const std::scoped_lock lock(mutex_);
  mark.change = changes_;
  mark.watched = std::any_of(queues_.begin(), queues_.end(),
                             [&](const Queue& queue) { return queue.filter.wants(subject); });
  return mark.watched;
}

std::vector<WatchedNow> WatchHub::wanted_by(const WatchFilter& filter) const {
  std::vector<WatchedNow> out;
  for (const auto& [name, one] : now_) {
    if (filter.wants(*one.subject)) out.push_back(one);
  }
  return out;
}

void WatchHub::push(const Item& item, std::size_t bytes, std::vector<Wake>& wakes) {
  for (Queue& queue : queues_) {
    if (!queue.filter.wants(*item->subject)) continue;
    // Once some were dropped, so are all until the watcher was told: else it could not know where.
    bool kept =
        queue.dropped == 0 && (queue.bytes + bytes <= kMostWaiting || queue.waiting.empty());
    try {
      // Also if something waits already: there may have been no memory to wake it for that.
      wakes.push_back(queue.wake);
      if (kept) queue.waiting.emplace_back(item, bytes);
    } catch (const std::bad_alloc&) {
      kept = false;
    }
    if (kept) {
      queue.bytes += bytes;
    } else {
      drop(queue);
    }
  }
}

void WatchHub::drop(Queue& queue) {
  ++queue.dropped;
  ++dropped_;
}

void WatchHub::miss(const WatchSubject& subject) {
  std::vector<Wake> wakes;
  {
    const std::scoped_lock lock(mutex_);
    for (Queue& queue : queues_) {
      if (!queue.filter.wants(subject)) continue;
      drop(queue);
      try {
        wakes.push_back(queue.wake);
      } catch (const std::bad_alloc&) {  // the next item wakes it
      }
    }
  }
  for (const Wake& wake : wakes) (*wake)();
}

void WatchHub::tell(const std::shared_ptr<const WatchSubject>& subject, WatchItem item,
                    std::size_t bytes) {
  std::vector<Wake> wakes;
  try {
    const auto shared = std::make_shared<const WatchItem>(std::move(item));
    const std::scoped_lock lock(mutex_);
    push(shared, bytes, wakes);
  } catch (const std::bad_alloc&) {
    return miss(*subject);
  }
  for (const Wake& wake : wakes) (*wake)();
}

WatchHub::Sessions::iterator WatchHub::place_of(const WatchSubject& subject) {
  const auto found = now_.find(subject.name);
  const bool same = found != now_.end() && found->second.subject.get() == &subject;
  return same ? found : now_.end();
}

void WatchHub::begin(const std::shared_ptr<const WatchSubject>& subject, bool attached) {
  try {
    const std::scoped_lock lock(mutex_);
    now_.insert_or_assign(subject->name, WatchedNow{subject, attached});
  } catch (const std::bad_alloc&) {  // it is told with its first step
  }
  if (is_watched()) tell(subject, {subject, WatchedNow{subject, attached}}, bytes_of(*subject));
}

void WatchHub::attach(const WatchSubject& subject, bool attached) {
  std::shared_ptr<const WatchSubject> known;
  {
    const std::scoped_lock lock(mutex_);
    const auto found = place_of(subject);
    if (found == now_.end() || found->second.attached == attached) return;
    found->second.attached = attached;
    known = found->second.subject;
  }
  if (!is_watched()) return;
  try {
    tell(known, {known, WatchedStream{known->name, attached}}, kItemBytes);
  } catch (const std::bad_alloc&) {
    miss(*known);
  }
}

void WatchHub::publish(const std::shared_ptr<const WatchSubject>& subject, WatchStep step) {
  const std::size_t bytes = bytes_of(step);
  tell(subject, {subject, std::move(step)}, bytes);
}

void WatchHub::end(const WatchSubject& subject, WatchedEnd end) {
  WatchedNow gone;
  {
    const std::scoped_lock lock(mutex_);
    const auto found = place_of(subject);
    if (found == now_.end()) return;
    gone = std::move(found->second);
    now_.erase(found);
  }
  if (!is_watched()) return;
  const auto known = gone.subject;
  tell(known, {known, std::move(end)}, kItemBytes);
}

void WatchHub::close() {
  std::vector<Wake> wakes;
  {
    const std::scoped_lock lock(mutex_);
    closed_ = true;
    try {
      for (const Queue& queue : queues_) wakes.push_back(queue.wake);
    } catch (const std::bad_alloc&) {  // the server's end ends the others
    }
  }
  for (const Wake& wake : wakes) (*wake)();
}

std::shared_ptr<const WatchSubject> WatchHub::find(const WatchFilter& who,
                                                   const std::string& name) const {
  const std::scoped_lock lock(mutex_);
  const auto found = now_.find(name);
  if (found == now_.end() || !who.may_see(*found->second.subject)) return nullptr;
  return found->second.subject;
}

WatchHub::Watcher::~Watcher() {
  Queues gone;  // destroyed without the lock
  const std::scoped_lock lock(hub_.mutex_);
  gone.splice(gone.end(), hub_.queues_, queue_);
  hub_.watchers_now_ = hub_.queues_.size();
  ++hub_.changes_;
}

WatchTaken WatchHub::Watcher::take(std::size_t most) {
  WatchTaken out;
  const std::scoped_lock lock(hub_.mutex_);
  Queue& queue = *queue_;
  std::size_t bytes = 0;
  while (!queue.waiting.empty() &&
         (out.items.empty() || bytes + queue.waiting.front().second <= most)) {
    auto& [item, size] = queue.waiting.front();
    out.items.push_back(std::move(item));
    bytes += size;
    queue.bytes -= size;
    queue.waiting.pop_front();
  }
  if (!queue.waiting.empty()) return out;
  if (queue.dropped > 0) out.now = hub_.wanted_by(queue.filter);
  out.dropped = std::exchange(queue.dropped, 0);
  out.closed = hub_.closed_;
  return out;
}

}  // namespace tocsin::service
