#include "service/access/allowance.h"

#include <algorithm>

namespace tocsin::service {

bool Allowance::take(std::uint64_t count, double rate, std::chrono::steady_clock::time_point now) {
  const double most = rate > 0.0 ? std::max(rate, 1.0) : 0.0;
  const std::scoped_lock lock(mutex_);
  if (!last_) {
    allowance_ = most;
  } else if (now > *last_) {
    const double seconds = std::chrono::duration<double>(now - *last_).count();
    allowance_ = std::min(most, allowance_ + seconds * rate);
  }
  last_ = last_ ? std::max(*last_, now) : now;
  if (allowance_ < static_cast<double>(count)) return false;
  allowance_ -= static_cast<double>(count);
  return true;
}

void Allowance::give_back(double rate) {
  const std::scoped_lock lock(mutex_);
  allowance_ = std::min(std::max(rate, 1.0), allowance_ + 1.0);
}

}  // namespace tocsin::service
