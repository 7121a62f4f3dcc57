#include "service/access/failure_gate.h"

#include <algorithm>

namespace tocsin::service {

double FailureGate::failures_now(const Entry& entry, Time now) {
  const double seconds = std::max(std::chrono::duration<double>(now - entry.last).count(), 0.0);
  return std::max(entry.failures - seconds * kPerSecond, 0.0);
}

bool FailureGate::is_open(const std::string& address, Time now) {
  if (address.empty()) return true;
  const std::scoped_lock lock(mutex_);
  const auto found = entries_.find(address);
  return found == entries_.end() || failures_now(found->second, now) + 1.0 <= kAtOnce;
}

void FailureGate::note_failure(const std::string& address, Time now) {
  if (address.empty()) return;
  const std::scoped_lock lock(mutex_);
  if (entries_.size() >= kMostAddresses && entries_.count(address) == 0) make_room();
  Entry& entry = entries_.try_emplace(address, Entry{0.0, now}).first->second;
  entry = {std::min(failures_now(entry, now) + 1.0, kAtOnce), std::max(entry.last, now)};
}

void FailureGate::make_room() {
  entries_.erase(
      std::min_element(entries_.begin(), entries_.end(),
                       [](const auto& a, const auto& b) { return a.second.last < b.second.last; }));
}

}  // namespace tocsin::service
