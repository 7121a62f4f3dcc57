#include "service/schedule/device_queue.h"

#include <algorithm>
#include <new>
#include <optional>
#include <utility>

#include "service/session/session.h"

namespace tocsin::service {
namespace {

using Clock = std::chrono::steady_clock;
using Lane = WorkerPool::Lane;

/// Weight by which a batch's time is divided among its steps: the work that the device had with
/// each.
double work_of(const StepReport& report) {
  const StepCounters& counters = report.counters;
  return 1.0 + static_cast<double>(counters.near_links + counters.candidates +
                                   counters.evaluations + counters.link_pairs);
}

}  // namespace

DeviceQueue::DeviceQueue(WorkerPool& pool, std::size_t size, std::chrono::microseconds delay,
                         double most_seconds, Metrics* metrics)
    : pool_(pool),
      size_(std::max<std::size_t>(size, 1)),
      delay_(delay),
      most_time_(most_seconds),
      metrics_(metrics),
      most_(size_),
      thread_([this] { work(); }) {}

DeviceQueue::~DeviceQueue() {
  {
    const std::lock_guard lock(mutex_);
    over_ = true;
    give_up_.request_stop();
  }
  wake_.notify_all();
  thread_.join();
  while (!pending_.empty()) {
    for (const auto& one : take(pending_.begin(), size_)) hand_out(one.task, Lane::kInteractive, 1);
  }
}

void DeviceQueue::add(const std::shared_ptr<Session>& session) {
  Queue::Tasks one;  // made without the lock
  one.push_back({session, session->identity().principal.get()});
  const BatchGroup* const group = &session->batch()->group();
  {
    const std::lock_guard lock(mutex_);
    const auto [entry, is_new] = pending_.try_emplace(group);
    Pending& pending = entry->second;
    try {
      pending.queue.add(one);
    } catch (const std::bad_alloc&) {
      if (is_new) pending_.erase(entry);
      throw;
    }
    const Time now = Clock::now();
    if (++pending.count == 1) pending.due = now + delay_;
    if (pending.count >= size_) pending.due = std::min(pending.due, now);
  }
  wake_.notify_one();
}

void DeviceQueue::watch(Time now) {
  const std::lock_guard lock(mutex_);
  if (since_ && now - *since_ > most_time_) give_up_.request_stop();
}

BatchCounts DeviceQueue::counts() const {
  const std::lock_guard lock(mutex_);
  BatchCounts out = counts_;
  for (const auto& [group, pending] : pending_) out.waiting += pending.count;
  return out;
}

/// The first group that is due, after the group that had the last turn.
DeviceQueue::Groups::iterator DeviceQueue::due_group(Time now) {
  auto group = pending_.upper_bound(last_);
  for (std::size_t i = 0; i < pending_.size(); ++i, ++group) {
    if (group == pending_.end()) group = pending_.begin();
    if (group->second.due <= now) return group;
  }
  return pending_.end();
}

DeviceQueue::Queue::Tasks DeviceQueue::take(Groups::iterator group, std::size_t most) {
  Pending& pending = group->second;
  Queue::Tasks out;
  while (!pending.queue.empty() && out.size() < most) {
    out.splice(out.end(), pending.queue.take());
    --pending.count;
  }
  last_ = group->first;
  if (pending.queue.empty()) pending_.erase(group);
  return out;
}

DeviceQueue::Queue::Tasks DeviceQueue::next(Lock& lock) {
  while (!over_) {
    if (pending_.empty()) {
      wake_.wait(lock);
      continue;
    }
    if (const auto group = due_group(Clock::now()); group != pending_.end()) {
      return take(group, most_);
    }
    const auto first =
        std::min_element(pending_.begin(), pending_.end(),
                         [](const auto& a, const auto& b) { return a.second.due < b.second.due; });
    const Time due = first->second.due;  // the entry may be erased while the lock is free
    wake_.wait_until(lock, due);
  }
  return {};
}

void DeviceQueue::work() {
  while (true) {
    Queue::Tasks batch;
    {
      Lock lock(mutex_);
      batch = next(lock);
    }
    if (batch.empty()) return;
    run(std::move(batch));
  }
}

void DeviceQueue::run(Queue::Tasks batch) {
  BatchGroup& group = batch.front().task->batch()->group();
  if (!group.device->works()) {  // it may have failed meanwhile
    for (const auto& one : batch) hand_out(one.task, Lane::kInteractive, 1);
    return;
  }
  begin_steps(batch);
  if (joined_.empty()) return;
  if (metrics_ != nullptr) metrics_->batches.add(joined_.size());
  const Time start = Clock::now();
  std::vector<StepReport> reports = check(group.detector);
  const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
  group.device->update(group.detector);
  end_steps(std::move(reports), seconds);
}

void DeviceQueue::begin_steps(Queue::Tasks& batch) {
  try {
    joined_.reserve(batch.size());
    members_.reserve(batch.size());
    steps_.reserve(batch.size());
  } catch (const std::bad_alloc&) {
    for (; !batch.empty(); batch.pop_front()) hand_out(batch.front().task, Lane::kInteractive, 1);
    return;
  }
  for (; !batch.empty(); batch.pop_front()) {
    const std::shared_ptr<Session>& session = batch.front().task;
    BatchedStep step;
    const BatchPart part = session->batch()->begin(step);
    if (part != BatchPart::kJoins) {
      hand_out(session, part == BatchPart::kAlone ? Lane::kInteractive : Lane::kSlow, 1);
      continue;
    }
    joined_.push_back(session);
    members_.push_back(std::move(step.member));
    steps_.push_back(std::move(step.step));
  }
}

std::vector<StepReport> DeviceQueue::check(const Detector& detector) {
  RunOptions options;
  {
    const std::lock_guard lock(mutex_);
    give_up_ = std::stop_source();
    if (over_ || !(most_time_.count() > 0.0)) give_up_.request_stop();
    options.stop = give_up_.get_token();
    since_ = Clock::now();
  }
  std::vector<StepReport> out;
  try {
    out = detector.check_batch(members_, steps_, options);
  } catch (const std::bad_alloc&) {  // no reports then
  }
  bool given_up = false;
  {
    const std::lock_guard lock(mutex_);
    since_.reset();
    given_up = options.stop.stop_requested();
    // The detector's CPU fallback has checked what the device did not.
    const bool answered = !given_up && !out.empty() && detector.fallback().empty();
    counts_.batches += given_up || answered ? 1 : 0;
    if (answered) {
      counts_.steps += static_cast<std::uint64_t>(
          std::count_if(out.begin(), out.end(), [](const auto& report) { return !report.error; }));
    }
    counts_.given_up += given_up ? 1 : 0;
  }
  adapt(joined_.size(), given_up);
  return out;
}

void DeviceQueue::adapt(std::size_t count, bool given_up) {
  if (given_up) {
    most_ = std::max<std::size_t>(count / 2, 1);
  } else if (count >= most_) {
    most_ = std::min(size_, 2 * most_);
  }
}

void DeviceQueue::end_steps(std::vector<StepReport> reports, double seconds) {
  double all = 0.0;
  for (const StepReport& report : reports) all += work_of(report);
  const auto count = static_cast<std::uint32_t>(joined_.size());
  steps_.clear();
  for (std::size_t i = 0; i < joined_.size(); ++i) {
    BatchParticipant& member = *joined_[i]->batch();
    if (i < reports.size() && !reports[i].error) {
      const double share = seconds * work_of(reports[i]) / all;
      member.end(std::move(members_[i]), {std::move(reports[i]), seconds, share});
    } else {  // the only step took all of the time
      const double share = joined_.size() == 1 ? seconds : 0.0;
      member.end(std::move(members_[i]), {std::nullopt, seconds, share});
    }
    hand_out(std::exchange(joined_[i], nullptr), Lane::kInteractive, count);
  }
  joined_.clear();
  members_.clear();
}

void DeviceQueue::hand_out(const std::shared_ptr<Session>& session, Lane lane,
                           std::uint32_t batch) {
  try {
    pool_.submit(
        lane, [session, batch] { session->run_step(batch); }, session->identity().principal.get());
  } catch (const std::bad_alloc&) {  // slow, but the session continues
    session->run_step(batch);
  }
}

}  // namespace tocsin::service
