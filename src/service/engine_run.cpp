#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <exception>
#include <functional>
#include <iterator>
#include <mutex>
#include <new>
#include <shared_mutex>
#include <thread>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/sha256.h"
#include "service/engine.h"
#include "service/engine_state.h"

namespace tocsin::service {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

/// Time limit of a batch, as a part of the limit of one step. It is for all steps together, because
/// all sessions in a batch wait for the slowest.
constexpr double kBatchShare = 0.25;

/// How often close() tests whether everything is checked.
constexpr milliseconds kPollInterval{1};

}  // namespace

void Engine::State::schedule(const std::shared_ptr<Session>& session) {
  const std::lock_guard lock(gate);
  if (batcher) batcher->add(session);
}

void Engine::schedule(std::span<const std::shared_ptr<Session>> sessions,
                      const std::function<void()>& then) {
  const auto is_slow = [this](const std::shared_ptr<Session>& session) {
    return session->forecast().seconds > state_->options.slow_step;
  };
  // Those that are slow go by themselves: the reports of the others must not wait for them, nor
  // each cost a message.
  std::vector<std::shared_ptr<Session>> quick;
  try {
    quick.reserve(sessions.size());
    std::copy_if(sessions.begin(), sessions.end(), std::back_inserter(quick), std::not_fn(is_slow));
  } catch (const std::bad_alloc&) {
    quick.clear();
  }
  bool handed_out = false;
  {
    const std::lock_guard lock(state_->gate);
    handed_out = state_->batcher && state_->batcher->add_all(quick, then);
  }
  // A session whose run is over by now has another forecast: it is looked up, not asked again.
  auto next = quick.cbegin();
  for (const std::shared_ptr<Session>& session : sessions) {
    const bool is_quick = next != quick.cend() && *next == session;
    if (is_quick) ++next;
    if (!handed_out || !is_quick) session->schedule();
  }
  if (!handed_out) then();
}

bool Engine::run_here(Session& session, Clock::time_point waited, std::vector<Transform>* memory) {
  const std::shared_lock<std::shared_mutex> here(state_->here, std::try_to_lock);
  if (!here) return false;  // it stops
  const Clock::time_point now = Clock::now();
  {
    const std::lock_guard lock(state_->gate);
    if (!state_->batcher || !state_->batcher->may_run_here(session, waited, now)) return false;
  }
  session.run_briefly(now, memory);
  return true;
}

void Engine::State::start() {
  pool = std::make_unique<WorkerPool>(options.threads);
  if (has_device) {
    device =
        std::make_unique<DeviceQueue>(*pool, options.batch_size, options.batch_delay,
                                      kBatchShare * options.limits.step_seconds, metrics.get());
  }
  batcher =
      std::make_unique<Batcher>(*pool, options.batch_size, options.batch_delay, options.slow_step,
                                device.get(), metrics.get(), options.limits.brief_seconds);
  sweeper = std::thread([this] { sweep(); });
  if (options.meet_rate > 0.0) {
    ticker = std::make_unique<Ticker>(options.meet_rate,
                                      [this](std::uint64_t number) { return tick(number); });
  }
}

bool Engine::State::tick(std::uint64_t number) {
  try {
    return meetings.tick([&](const auto& meeting) { submit_tick(meeting, number); });
  } catch (const std::bad_alloc&) {  // the next tick will do
    return true;
  }
}

void Engine::State::submit_tick(const std::shared_ptr<Meeting>& meeting, std::uint64_t number) {
  const auto lane = meeting->expected_seconds() > options.slow_step
                        ? WorkerPool::Lane::kSlow
                        : WorkerPool::Lane::kInteractive;
  bool submitted = false;
  try {
    const std::lock_guard lock(gate);
    if (pool)
      pool->submit(
          lane, [meeting, number] { meeting->tick(number); }, meeting.get());
    submitted = pool != nullptr;
  } catch (const std::bad_alloc&) {
  }
  if (!submitted) meeting->skip_tick();
}

void Engine::State::stop() {
  std::unique_ptr<WorkerPool> last_pool;
  std::unique_ptr<DeviceQueue> last_device;
  std::unique_ptr<Batcher> last_batcher;
  {
    const std::lock_guard lock(gate);
    last_pool.swap(pool);
    last_device.swap(device);
    last_batcher.swap(batcher);
  }
  { const std::lock_guard last_runs(here); }
  last_batcher.reset();
  const BatchCounts batches = last_device ? last_device->counts() : BatchCounts{};
  last_device.reset();
  last_pool.reset();
  const std::lock_guard lock(mutex);
  last_batches = batches;
  last_batches.waiting = 0;
}

void Engine::State::over(const std::shared_ptr<Session>& session) {
  const std::string& id = session->identity().id;
  bool is_over = false;
  {
    const std::lock_guard lock(mutex);
    table.erase(id);
    // Another server may go on with what this one leaves.
    is_over = !closing || session->is_reported();
  }
  try {
    watch->end(*session->subject(), session->watched_end());
  } catch (const std::bad_alloc&) {
    watch->end(*session->subject(), {});
  }
  if (records && is_over) records->forget(base::sha256_hex(id), session->record_stem());
}

std::vector<std::shared_ptr<Session>> Engine::State::all() const {
  std::vector<std::shared_ptr<Session>> out;
  const std::lock_guard lock(mutex);
  out.reserve(table.size());
  for (const auto& [id, session] : table) out.push_back(session);
  return out;
}

void Engine::State::watch_device() {
  const std::lock_guard lock(gate);
  if (device) device->watch(Clock::now());
}

void Engine::State::add_queues(EngineCounts& out) const {
  const std::lock_guard lock(gate);
  if (device) out.batches = device->counts();
  if (!pool) return;
  out.waiting_steps = pool->waiting(WorkerPool::Lane::kInteractive) + batcher->waiting();
  out.waiting_slow_steps = pool->waiting(WorkerPool::Lane::kSlow);
}

void Engine::State::sweep() {
  const milliseconds interval = sweep_interval(options.limits);
  while (true) {
    {
      std::unique_lock lock(mutex);
      if (wake.wait_for(lock, interval, [this] { return closing; })) return;
    }
    watch_device();
    try {
      for (const std::shared_ptr<Session>& session : all()) {
        session->watch(Clock::now());
        const bool expired = session->expire(Clock::now());
        if (session->counts().state == SessionState::kOver)
          over(session);  // others are forgotten once they are
        if (expired) metrics->expired.add();
      }
    } catch (const std::bad_alloc&) {  // tried again next time
    }
  }
}

Engine::Engine(EngineOptions options, std::shared_ptr<Environments> rooms)
    : rooms_(std::move(rooms)),
      state_(std::make_shared<State>(std::move(options), rooms_->policy().batches.has_value())) {
  state_->start();
  if (state_->records) {
    state_->records->start([all = rooms_] { return all->stored_files(); });
  }
}

Engine::~Engine() { close(milliseconds(0)); }

std::size_t Engine::most_sessions() const { return state_->options.most_sessions; }

void Engine::tick(std::uint64_t number) { state_->tick(number); }

bool Engine::run_one() {
  WorkerPool* pool = nullptr;
  {
    const std::lock_guard lock(state_->gate);
    pool = state_->pool.get();
  }
  // Not under the lock: a task may hand out the next.
  return pool != nullptr && pool->run_one();
}

Metrics& Engine::metrics() const { return *state_->metrics; }
EventHub& Engine::events() const { return *state_->events; }
WatchHub& Engine::watch() const { return *state_->watch; }
const RecordStore* Engine::records() const { return state_->records.get(); }

EngineCounts Engine::counts() const {
  EngineCounts out;
  state_->add_queues(out);
  const Metrics& metrics = *state_->metrics;
  out.opened = metrics.opened.value();
  out.expired = metrics.expired.value();
  out.steps = metrics.steps.value();
  out.contacts = metrics.contacts.value();
  out.skipped_frames = metrics.skipped_frames.value();
  out.stale_frames = metrics.stale_frames.value();
  out.bad_frames = metrics.bad_frames.value();
  const std::lock_guard lock(state_->mutex);
  if (state_->last_batches.batches > 0) out.batches = state_->last_batches;
  out.sessions = state_->table.size();
  out.meeting_members = state_->meetings.members();
  out.meeting = state_->meetings.counts();
  for (const auto& [id, session] : state_->table) {
    const SessionCounts counts = session->counts();
    out.attached += counts.attached ? 1 : 0;
    out.pending_frames += counts.pending_frames;
    out.unsent_reports += counts.unsent_reports;
  }
  return out;
}

std::vector<SessionRow> Engine::sessions() const {
  std::vector<std::shared_ptr<Session>> all = state_->all();
  std::sort(all.begin(), all.end(),
            [](const auto& a, const auto& b) { return a->since() < b->since(); });
  const Clock::time_point now = Clock::now();
  std::vector<SessionRow> out;
  out.reserve(all.size());
  for (const std::shared_ptr<Session>& session : all) {
    const SessionIdentity& who = session->identity();
    out.push_back({.session = who.shown(),
                   .principal = who.principal->name,
                   .label = who.label,
                   .room = who.room->name,
                   .peer = session->peer(),
                   .age = std::chrono::duration<double>(now - session->since()).count(),
                   .counts = session->counts()});
  }
  return out;
}

bool Engine::end_session(const std::string& name) {
  for (const std::shared_ptr<Session>& session : state_->all()) {
    if (session->identity().id != name && session->identity().shown() != name) continue;
    if (!goes_on(session->counts().state)) return false;
    session->end({Refusal::kForbidden, "the operator has ended the session"});
    if (session->counts().state == SessionState::kOver) state_->over(session);
    return true;
  }
  return false;
}

std::uint64_t Engine::close(milliseconds timeout) {
  {
    const std::lock_guard lock(state_->mutex);
    if (state_->closing) return 0;
    state_->closing = true;
  }
  state_->wake.notify_all();
  const std::vector<std::shared_ptr<Session>> sessions = state_->all();
  for (const auto& session : sessions) session->drain();
  const Clock::time_point end = Clock::now() + timeout;
  const auto at_work = [](const auto& session) { return session->counts().working; };
  while (Clock::now() < end && std::any_of(sessions.begin(), sessions.end(), at_work)) {
    std::this_thread::sleep_for(kPollInterval);
  }
  std::uint64_t left = 0;
  for (const auto& session : sessions) {
    session->close();
    left += session->counts().pending_frames;
  }
  state_->meetings.stop();
  state_->ticker.reset();
  if (state_->sweeper.joinable()) state_->sweeper.join();
  state_->stop();
  for (const auto& session : sessions) {
    session->settle();
    state_->over(session);
  }
  state_->watch->close();
  // Its thread must not be the last that has a session.
  if (state_->records && state_->records->sync() != nullptr) state_->records->sync()->end();
  return left;
}

}  // namespace tocsin::service
