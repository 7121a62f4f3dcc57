#include "service/access/failure_gate.h"

#include <algorithm>

namespace tocsin::service {

bool FailureGate::is_open(const std::string& address, Time now) {
  if (address.empty()) return true;
  const std::scoped_lock lock(mutex_);
  const auto found = failures_.find(address);
  return found == failures_.end() || found->second.count(now) + 1.0 <= kAtOnce;
}

void FailureGate::note_failure(const std::string& address, Time now) {
  if (address.empty()) return;
  const std::scoped_lock lock(mutex_);
  if (failures_.size() >= kMostAddresses && failures_.count(address) == 0) make_room();
  failures_.try_emplace(address, kPerSecond, now).first->second.add(kAtOnce, now);
}

void FailureGate::make_room() {
  failures_.erase(std::min_element(
      failures_.begin(), failures_.end(),
      [](const auto& a, const auto& b) { return a.second.last() < b.second.last(); }));
}

}  // namespace tocsin::service
