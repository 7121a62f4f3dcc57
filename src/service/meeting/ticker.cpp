#include "service/meeting/ticker.h"

#include <algorithm>
#include <utility>

namespace tocsin::service {

Ticker::Ticker(double rate, std::function<bool(std::uint64_t)> tick)
    : rate_(rate), tick_(std::move(tick)), thread_([this] { run(); }) {}

Ticker::~Ticker() {
  {
    const std::lock_guard lock(mutex_);
    over_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

void Ticker::wake() {
  {
    const std::lock_guard lock(mutex_);
    if (std::exchange(awake_, true)) return;
  }
  changed_.notify_all();
}

void Ticker::pass(std::uint64_t number) {
  const std::chrono::duration<double> since = Clock::now() - start_;
  const auto now = static_cast<std::uint64_t>(since.count() * rate_);
  const std::lock_guard lock(mutex_);
  if (number > now + added_) added_ = number - now;
}

std::uint64_t Ticker::next_number(double seconds, double rate, std::uint64_t last) {
  return std::max(static_cast<std::uint64_t>(seconds * rate), last) + 1;
}

void Ticker::run() {
  std::uint64_t last = 0;
  std::unique_lock lock(mutex_);
  while (!over_) {
    if (!awake_) {
      changed_.wait(lock);
      continue;
    }
    const std::chrono::duration<double> since = Clock::now() - start_;
    const std::uint64_t next = next_number(since.count(), rate_, last);
    const std::chrono::duration<double> due(static_cast<double>(next) / rate_);
    const auto at = start_ + std::chrono::duration_cast<Clock::duration>(due);
    if (changed_.wait_until(lock, at, [this] { return over_; })) return;
    // A wake() during the call takes effect after it.
    awake_ = false;
    last = next;
    const std::uint64_t number = next + added_;
    lock.unlock();
    const bool more = tick_(number);
    lock.lock();
    awake_ = awake_ || more;
  }
}

}  // namespace tocsin::service
