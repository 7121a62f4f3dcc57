#include "service/engine.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <new>
#include <thread>
#include <unordered_map>
#include <utility>
#include <vector>

#include "service/meeting/meetings.h"
#include "service/meeting/ticker.h"
#include "service/schedule/batcher.h"
#include "service/schedule/worker_pool.h"
#include "service/session/session_id.h"

namespace tocsin::service {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

/// Time limit of a batch, as a part of the limit of one step. It is for all steps together, because
/// all sessions in a batch wait for the slowest.
constexpr double kBatchShare = 0.25;

/// How often close() tests whether everything is checked.
constexpr milliseconds kPollInterval{1};

/// For records and MeetingInfo where ticks are called by hand.
constexpr double kRateByHand = 120.0;

Problem closing() { return {Refusal::kClosing, "the server is shutting down"}; }

}  // namespace

/// Outlives the engine while a session is referenced; then nothing is scheduled.
struct Engine::State : StepScheduler {
  State(EngineOptions engine_options, bool in_batches)
      : options(std::move(engine_options)),
        has_device(in_batches),
        meetings(options.meet_rate > 0.0 ? options.meet_rate : kRateByHand, options.meeting) {
    if (options.record.empty()) return;
    records = std::make_shared<RecordStore>(options.record, options.record_rules, options.log);
  }

  void schedule(const std::shared_ptr<Session>& session) override;
  void over(const std::shared_ptr<Session>& session) override;

  void start();
  /// Runs all submitted work to its end. Nothing is submitted after that.
  void stop();
  void sweep();
  void watch_device();
  void add_queues(EngineCounts& out) const;
  /// False: there is no meeting.
  bool tick(std::uint64_t number);
  void submit_tick(const std::shared_ptr<Meeting>& meeting, std::uint64_t number);
  [[nodiscard]] std::vector<std::shared_ptr<Session>> all() const;
  std::optional<Problem> limit(const Principal& principal, SessionSlot& slot,
                               std::shared_ptr<const Room> room, std::shared_ptr<Principal> owner);

  const EngineOptions options;
  const bool has_device;
  Meetings meetings;
  const std::shared_ptr<Metrics> metrics = std::make_shared<Metrics>();
  const std::shared_ptr<EventHub> events = std::make_shared<EventHub>();
  std::shared_ptr<RecordStore> records;  ///< null: nothing is recorded
  const std::shared_ptr<std::atomic<std::size_t>> slots =
      std::make_shared<std::atomic<std::size_t>>(0);

  mutable std::mutex mutex;  ///< of the table and all below
  std::unordered_map<std::string, std::shared_ptr<Session>> table;
  BatchCounts last_batches;  ///< when the device was stopped
  std::uint64_t numbers = 0;
  bool closing = false;
  std::condition_variable wake;
  std::thread sweeper;

  mutable std::mutex gate;  ///< of these three; null once nothing is handed out any more
  std::unique_ptr<WorkerPool> pool;
  std::unique_ptr<DeviceQueue> device;  ///< also null: no room has a device
  std::unique_ptr<Batcher> batcher;
  std::unique_ptr<Ticker> ticker;  ///< null: ticks are called by hand
};

void Engine::State::schedule(const std::shared_ptr<Session>& session) {
  const std::lock_guard lock(gate);
  if (batcher) batcher->add(session);
}

void Engine::State::start() {
  pool = std::make_unique<WorkerPool>(options.threads);
  if (has_device) {
    device =
        std::make_unique<DeviceQueue>(*pool, options.batch_size, options.batch_delay,
                                      kBatchShare * options.limits.step_seconds, metrics.get());
  }
  batcher = std::make_unique<Batcher>(*pool, options.batch_size, options.batch_delay,
                                      Batcher::kSlowStep, device.get(), metrics.get());
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
  const auto lane = meeting->expected_seconds() > Batcher::kSlowStep
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
  last_batcher.reset();
  const BatchCounts batches = last_device ? last_device->counts() : BatchCounts{};
  last_device.reset();
  last_pool.reset();
  const std::lock_guard lock(mutex);
  last_batches = batches;
  last_batches.waiting = 0;
}

void Engine::State::over(const std::shared_ptr<Session>& session) {
  const std::lock_guard lock(mutex);
  table.erase(session->identity().id);
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
  out.waiting_steps = pool->waiting(WorkerPool::Lane::kInteractive);
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

std::optional<Problem> Engine::State::limit(const Principal& principal, SessionSlot& slot,
                                            std::shared_ptr<const Room> room,
                                            std::shared_ptr<Principal> owner) {
  const std::lock_guard lock(mutex);  // slots are only taken under it
  if (closing) return service::closing();
  if (*slots >= options.most_sessions) {
    return Problem{Refusal::kOverloaded,
                   fmt::format("there are {} sessions already, as many as this server takes",
                               options.most_sessions)};
  }
  if (principal.used->sessions >= principal.limits.sessions) {
    return Problem{Refusal::kOverloaded,
                   fmt::format("\"{}\" has {} sessions already, as many as it may (sessions)",
                               principal.name, principal.limits.sessions)};
  }
  slot = SessionSlot(std::move(room), std::move(owner), slots);
  return std::nullopt;
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

std::shared_ptr<Session> Engine::open(const std::shared_ptr<Principal>& principal,
                                      const TrackOptions& options,
                                      const std::shared_ptr<Outlet>& outlet, TrackOpened& opened,
                                      Problem& problem) {
  try {
    std::string missing;
    SessionParts parts{.id = {},
                       .options = {},
                       .room = rooms_->find(*principal, options.environment, missing),
                       .principal = principal,
                       .limits = state_->options.limits,
                       .scheduler = state_,
                       .slot = {},
                       .log = state_->options.log};
    if (!parts.room) {
      problem = {Refusal::kNotFound, std::move(missing)};
      return nullptr;
    }
    if (auto found = state_->limit(*principal, parts.slot, parts.room, principal)) {
      problem = std::move(*found);
      return nullptr;
    }
    auto id = random_session_id();
    if (!id) {
      problem = {Refusal::kFailed, "the system gives no random numbers"};
      return nullptr;
    }
    parts.id = *id;
    parts.options = options;
    parts.metrics = state_->metrics;
    parts.events = state_->events;
    std::uint64_t number = 0;
    {
      const std::lock_guard lock(state_->mutex);
      number = ++state_->numbers;
    }
    TrackOptions recorded = options;
    if (options.meet) {
      parts.meeting = state_->meetings.of(parts.room, principal->circle());
      parts.number = static_cast<std::uint32_t>(number);
      // Its poses are at the ticks' times.
      recorded.frame_seconds = parts.meeting->tick_seconds();
    }
    if (!state_->options.record.empty()) {
      parts.record = [&, room = parts.room](const Avatar& avatar,
                                            const std::vector<std::string>& ignore) {
        recorded.spec.ignore = ignore;
        return Recorder::create(state_->options.record, record_stem(number), recorded, avatar,
                                *room, {}, state_->records);
      };
      parts.record_required = state_->options.record_rules.required;
    }
    std::shared_ptr<Session> session = Session::create(std::move(parts), problem);
    if (!session) return nullptr;
    if (auto found = session->attach(outlet, 0, opened)) {
      problem = std::move(*found);
      return nullptr;
    }
    {
      const std::lock_guard lock(state_->mutex);
      if (!state_->closing) {
        state_->table.emplace(*id, session);
        state_->metrics->opened.add();
        if (options.meet && state_->ticker) state_->ticker->wake();
        return session;
      }
    }
    session->detach(outlet.get());
    session->close();
    problem = closing();
  } catch (const std::bad_alloc&) {
    problem = out_of_memory();
  }
  return nullptr;
}

std::shared_ptr<Session> Engine::resume(const std::shared_ptr<Principal>& principal,
                                        const std::string& id, std::uint64_t received,
                                        const std::shared_ptr<Outlet>& outlet, TrackOpened& opened,
                                        Problem& problem) {
  std::shared_ptr<Session> session;
  {
    const std::lock_guard lock(state_->mutex);
    if (state_->closing) {
      problem = closing();
      return nullptr;
    }
    const auto found = state_->table.find(id);
    if (found != state_->table.end()) session = found->second;
  }
  // Another principal's session is not found: its existence is not revealed.
  if (!session || session->identity().principal->name != principal->name) {
    problem = {Refusal::kNotFound, "there is no such session, or not any more"};
    return nullptr;
  }
  if (auto found = session->attach(outlet, received, opened)) {
    problem = std::move(*found);
    return nullptr;
  }
  state_->metrics->resumed.add();
  return session;
}

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
  return left;
}

}  // namespace tocsin::service
