#include "service/schedule/batcher.h"

#include <algorithm>
#include <array>
#include <new>
#include <utility>

#include "service/schedule/device_queue.h"
#include "service/schedule/prefetch.h"
#include "service/session/session.h"

namespace tocsin::service {
namespace {

using Lane = WorkerPool::Lane;

/// The session whose memory is asked for while one is run: two workers are on it then, or one.
/// More: it may be out of the caches again. Fewer: it is not there yet.
constexpr std::size_t kAhead = 2;

WorkerPool::Key key_of(const Session& session) { return session.identity().principal.get(); }

}  // namespace

Batcher::Batcher(WorkerPool& pool, std::size_t size, std::chrono::microseconds delay,
                 double slow_step, DeviceQueue* device, Metrics* metrics, double brief_step)
    : pool_(pool),
      size_(size),
      delay_(delay),
      slow_step_(slow_step),
      brief_step_(brief_step),
      device_(device),
      metrics_(metrics),
      waiting_(std::make_shared<std::atomic<std::size_t>>(0)) {
  if (size_ > 1 && delay_.count() > 0) watcher_ = std::thread([this] { watch(); });
}

Batcher::~Batcher() {
  {
    const std::lock_guard lock(mutex_);
    over_ = true;
  }
  wake_.notify_all();
  if (watcher_.joinable()) watcher_.join();
  for (const auto& [room, batch] : pending_) hand_out(batch.sessions);
}

Lane Batcher::lane_of(const Session& session) const {
  return session.forecast().seconds > slow_step_ ? Lane::kSlow : Lane::kInteractive;
}

bool Batcher::is_for_device(const Session& session) const {
  return device_ != nullptr && session.forecast().joins_batch &&
         session.batch()->group().device->works() && lane_of(session) == Lane::kInteractive;
}

void Batcher::add(const std::shared_ptr<Session>& session) {
  if (is_for_device(*session)) {
    device_->add(session);
    return;
  }
  if (!watcher_.joinable()) {
    count(1);
    pool_.submit(
        lane_of(*session), [session] { session->run_step(1); }, key_of(*session));
    return;
  }
  bool wakes = false;
  {
    const std::lock_guard lock(mutex_);
    Batch& batch = pending_[session->identity().room.get()];
    const auto now = std::chrono::steady_clock::now();
    if (batch.sessions.empty()) batch.due = now + delay_;
    batch.sessions.push_back(session);
    const bool full = batch.sessions.size() >= size_;
    if (full) batch.due = now;
    wakes = full || batch.sessions.size() == 1;
  }
  if (wakes) wake_.notify_one();
}

/// Sessions that several workers run, each the next one: a slow step holds up one worker, as ever.
struct Batcher::Crowd {
  Sessions sessions;
  std::function<void()> then;
  WorkerPool& pool;
  WorkerPool::Key key;
  std::shared_ptr<std::atomic<std::size_t>> waiting;
  std::vector<const Session*> addresses = {};  ///< of the sessions; not kept alive
  std::atomic<std::size_t> next = 0;

  void prefetch_after(std::size_t mine) const {
    if (mine + kAhead < addresses.size()) Session::prefetch_it(addresses[mine + kAhead]);
  }
};

void Batcher::take_turn(const std::shared_ptr<Crowd>& crowd) {
  // Of a pool that is run by hand, each call runs one session.
  const bool by_hand = crowd->pool.threads() == 0;
  const Time end = std::chrono::steady_clock::now() + (by_hand ? Time::duration() : kTurn);
  while (true) {
    const std::size_t mine = crowd->next++;
    const std::size_t count = crowd->sessions.size();
    if (mine == count) crowd->then();  // of all turns one comes here
    if (mine >= count) return;
    --*crowd->waiting;
    {
      // What this session's step takes is time enough for one of the next to come from memory.
      // Whose turn that is, another worker may decide: the pointers are not theirs to change
      // before.
      crowd->prefetch_after(mine);
      const std::shared_ptr<Session> session = std::move(crowd->sessions[mine]);
      session->run_step(1);
    }
    if (std::chrono::steady_clock::now() < end) continue;
    try {
      return crowd->pool.submit(
          Lane::kInteractive, [crowd] { take_turn(crowd); }, crowd->key);
    } catch (const std::bad_alloc&) {  // the turn goes on
    }
  }
}

bool Batcher::add_all(std::span<const std::shared_ptr<Session>> sessions,
                      const std::function<void()>& then) {
  const auto for_device = [this](const auto& session) { return is_for_device(*session); };
  if (sessions.empty() || watcher_.joinable() ||
      std::any_of(sessions.begin(), sessions.end(), for_device)) {
    return false;
  }
  bool waits = false;
  try {
    const WorkerPool::Key key = key_of(*sessions.front());
    const std::shared_ptr<Crowd> crowd(
        new Crowd{{sessions.begin(), sessions.end()}, then, pool_, key, waiting_});
    crowd->addresses.reserve(sessions.size());
    for (const auto& session : sessions) crowd->addresses.push_back(session.get());
    TaskQueue::Tasks tasks;
    const auto turns = static_cast<std::size_t>(std::max(pool_.threads(), 1));
    for (std::size_t i = 0; i < std::min(turns, sessions.size()); ++i) {
      tasks.push_back({[crowd] { take_turn(crowd); }, key});
    }
    *waiting_ += sessions.size();
    waits = true;
    pool_.submit_all(Lane::kInteractive, std::move(tasks));
  } catch (const std::bad_alloc&) {
    if (waits) *waiting_ -= sessions.size();
    return false;
  }
  for (std::size_t i = 0; i < sessions.size(); ++i) count(1);
  return true;
}

bool Batcher::may_run_here(const Session& session, Time waited, Time now) const {
  if (watcher_.joinable() || pool_.threads() == 0) return false;
  const RunForecast forecast = session.forecast();
  const std::size_t most = kMostWaiting * static_cast<std::size_t>(pool_.threads());
  const bool may = forecast.only_checks && forecast.seconds <= brief_step_ && waiting() == 0 &&
                   pool_.waiting(Lane::kInteractive) < most &&
                   now - waited <= kHere / pool_.threads();
  if (may) count(1);
  return may;
}

void Batcher::count(std::size_t batch) const {
  if (metrics_ != nullptr) metrics_->batches.add(batch);
}

void Batcher::hand_out(const Sessions& sessions) {
  const auto size = static_cast<std::uint32_t>(sessions.size());
  count(size);
  // Each session's lane is read once: it may change as soon as the first is submitted.
  std::array<Sessions, 2> lanes;
  try {
    for (const std::shared_ptr<Session>& session : sessions) {
      lanes[lane_of(*session) == Lane::kInteractive ? 0 : 1].push_back(session);
    }
  } catch (const std::bad_alloc&) {
    return run_here(sessions);
  }
  hand_out(Lane::kInteractive, lanes[0], size);
  hand_out(Lane::kSlow, lanes[1], size);
}

void Batcher::hand_out(Lane lane, const Sessions& sessions, std::uint32_t count) {
  try {
    TaskQueue::Tasks tasks;
    for (const std::shared_ptr<Session>& session : sessions) {
      tasks.push_back({[session, count] { session->run_step(count); }, key_of(*session)});
    }
    if (!tasks.empty()) pool_.submit_all(lane, std::move(tasks));
  } catch (const std::bad_alloc&) {
    run_here(sessions);
  }
}

/// Used if there is no memory for tasks: slow, but sessions continue.
void Batcher::run_here(const Sessions& sessions) {
  for (const std::shared_ptr<Session>& session : sessions) session->run_step(1);
}

void Batcher::watch() {
  std::unique_lock lock(mutex_);
  while (!over_) {
    if (pending_.empty()) {
      wake_.wait(lock);
      continue;
    }
    const auto next =
        std::min_element(pending_.begin(), pending_.end(),
                         [](const auto& a, const auto& b) { return a.second.due < b.second.due; });
    const Time due = next->second.due;
    if (std::chrono::steady_clock::now() < due) {
      wake_.wait_until(lock, due);
      continue;
    }
    {
      // Destroyed before the lock is taken again: the last reference to a session may free a room.
      const Sessions ready = std::move(next->second.sessions);
      pending_.erase(next);
      lock.unlock();
      hand_out(ready);
    }
    lock.lock();
  }
}

}  // namespace tocsin::service
