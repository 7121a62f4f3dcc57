// Tells watchers what happens to sessions: a registry of those that are there, and a bounded queue
// for each watcher.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "service/watch/watch_subject.h"
#include "tocsin/live/watch.h"
#include "tocsin/motion.h"
#include "tocsin/track.h"

namespace tocsin::service {

/// A session that is there.
struct WatchedNow {
  std::shared_ptr<const WatchSubject> subject;
  bool attached = false;
};

/// A step, or a part of one.
struct WatchStep {
  TrackReport report;        ///< with names
  std::optional<Step> step;  ///< none: a part of a report
};

/// One thing that happened to a session.
struct WatchItem {
  std::shared_ptr<const WatchSubject> subject;
  /// It began; a step; its stream; its end.
  std::variant<WatchedNow, WatchStep, WatchedStream, WatchedEnd> what;
};

/// Which sessions a watcher wants, of those that it may see.
struct WatchFilter {
  std::string principal;
  std::string circle;
  std::set<std::string> sessions;  ///< names; empty: all
  /// Owner (empty: the operator) and name of a room; none: all.
  std::optional<std::pair<std::string, std::string>> room;

  [[nodiscard]] bool may_see(const WatchSubject& subject) const;
  [[nodiscard]] bool wants(const WatchSubject& subject) const;
};

/// Whether a session is watched, as it has looked last: steps take no lock while only others are.
struct WatchMark {
  std::uint64_t change = 0;  ///< of the hub's watchers, then
  bool watched = false;
};

/// Thread-safe. No function waits for a watcher, and none calls a session.
class WatchHub {
 public:
  /// Watchers at once; of one principal.
  static constexpr std::size_t kMostWatchers = 32;
  static constexpr std::size_t kMostOfOne = 8;
  /// Bytes, estimated, that wait for one watcher. Beyond it items are dropped and counted. A step
  /// of a body takes 8 KB, so it holds the tenth of a second of a hundred bodies. Larger: slow
  /// watchers hold memory. Smaller: a hiccup of the network costs items. A larger item waits alone.
  static constexpr std::size_t kMostWaiting = std::size_t{8} << 20U;

  class Watcher;

  /// `wake`: called whenever something more waits or was dropped, by any thread, without the hub's
  /// lock, maybe with a session's: it must be quick, must not throw, and may still be called
  /// after the watcher has gone. All sessions that it wants come first. Null: there are too many
  /// watchers. Throws std::bad_alloc.
  std::unique_ptr<Watcher> watch(WatchFilter filter, std::function<void()> wake);

  /// False: nobody watches, and publish() need not be called. No lock.
  [[nodiscard]] bool is_watched() const {
    return watchers_now_.load(std::memory_order_relaxed) > 0;
  }
  /// True if somebody watches this session. No lock, unless a watcher has come or gone since.
  /// `mark`: the session's own.
  [[nodiscard]] bool is_watched(const WatchSubject& subject, WatchMark& mark) const;

  // The life of a session. None of these throws; without memory watchers miss it, and are told so.
  void begin(const std::shared_ptr<const WatchSubject>& subject, bool attached);
  void attach(const WatchSubject& subject, bool attached);
  void publish(const std::shared_ptr<const WatchSubject>& subject, WatchStep step);
  /// Something of the session could not be told, because there is no memory.
  void miss(const WatchSubject& subject);
  /// Does nothing if it has ended, even if another of its name has begun. Call after the last step.
  void end(const WatchSubject& subject, WatchedEnd end);
  /// The service is over: watchers are told nothing more.
  void close();

  /// The session of that name. Null: there is none that the principal may see.
  [[nodiscard]] std::shared_ptr<const WatchSubject> find(const WatchFilter& who,
                                                         const std::string& name) const;
  [[nodiscard]] std::size_t watchers() const { return watchers_now_; }
  /// Items that watchers did not get.
  [[nodiscard]] std::uint64_t dropped() const { return dropped_; }

 private:
  using Item = std::shared_ptr<const WatchItem>;
  using Wake = std::shared_ptr<const std::function<void()>>;
  struct Queue {
    WatchFilter filter;
    Wake wake;
    std::deque<std::pair<Item, std::size_t>> waiting;  ///< and estimated bytes
    std::size_t bytes = 0;
    std::uint64_t dropped = 0;  ///< since the last take()
  };
  using Queues = std::list<Queue>;

  [[nodiscard]] std::vector<WatchedNow> wanted_by(const WatchFilter& filter) const;
  using Sessions = std::map<std::string, WatchedNow>;

  /// Under the lock. The end: it has not begun, or has ended.
  Sessions::iterator place_of(const WatchSubject& subject);
  // Under the lock; `wakes`: whom to wake without it.
  void drop(Queue& queue);
  void push(const Item& item, std::size_t bytes, std::vector<Wake>& wakes);
  void tell(const std::shared_ptr<const WatchSubject>& subject, WatchItem item, std::size_t bytes);

  mutable std::mutex mutex_;
  Queues queues_;
  Sessions now_;  ///< by name
  bool closed_ = false;
  std::atomic<std::size_t> watchers_now_{0};
  std::atomic<std::uint64_t> changes_{0};  ///< of queues_
  std::atomic<std::uint64_t> dropped_{0};
};

/// What Watcher::take() gives.
struct WatchTaken {
  std::vector<std::shared_ptr<const WatchItem>> items;
  /// Items that were dropped since the last call: they would have come after these.
  std::uint64_t dropped = 0;
  std::vector<WatchedNow> now;  ///< if some were: all sessions that the watcher wants, as they are
  bool closed = false;          ///< the service is over, and this was all
};

/// One watcher; the hub lives longer. One thread's at a time.
class WatchHub::Watcher {
 public:
  Watcher(WatchHub& hub, Queues::iterator queue) : hub_(hub), queue_(queue) {}
  Watcher(const Watcher&) = delete;
  Watcher& operator=(const Watcher&) = delete;
  ~Watcher();

  /// The next items, in order, up to `most` estimated bytes but one at least.
  WatchTaken take(std::size_t most);

 private:
  WatchHub& hub_;
  const Queues::iterator queue_;
};

}  // namespace tocsin::service
