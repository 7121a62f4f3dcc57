#include "service/access/memory_budget.h"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <limits>

#include "base/process_memory.h"

namespace tocsin::service {
namespace {

/// Of what there is, for the budget. The rest is for the system, and for what is used before it is
/// seen.
constexpr std::uint64_t kShare = 3;
constexpr std::uint64_t kOf = 4;

constexpr std::uint64_t kNoLimit = std::numeric_limits<std::uint64_t>::max();

std::uint64_t machine_memory() {
  const long pages = ::sysconf(_SC_PHYS_PAGES);
  const long size = ::sysconf(_SC_PAGESIZE);
  if (pages <= 0 || size <= 0) return kNoLimit;
  return static_cast<std::uint64_t>(pages) * static_cast<std::uint64_t>(size);
}

/// A number in a file of the system; none: "max", or no such file.
std::uint64_t number_in(const char* file) {
  std::ifstream in(file);
  std::uint64_t out = 0;
  return in >> out ? out : kNoLimit;
}

std::uint64_t address_space() {
  struct rlimit limit {};
  if (::getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return kNoLimit;
  return static_cast<std::uint64_t>(limit.rlim_cur);
}

/// Bytes that are taken, in small parts, before the system is asked again, while kFarFree are free.
/// Smaller: a crowd's messages ask more often. Larger, or less free: what grows beside what is
/// taken is seen too late.
constexpr std::int64_t kUnasked = 16 << 20;
constexpr std::uint64_t kSmallPart = 1 << 20;
constexpr std::uint64_t kFarFree = 128 << 20;

bool fits(std::uint64_t used, std::uint64_t more, std::uint64_t most) {
  return used <= most && more <= most - used;
}

}  // namespace

std::uint64_t default_memory() {
  const std::uint64_t most =
      std::min({machine_memory(), address_space(), number_in("/sys/fs/cgroup/memory.max"),
                number_in("/sys/fs/cgroup/memory/memory.limit_in_bytes")});
  return most == kNoLimit ? 0 : most / kOf * kShare;
}

std::optional<MemoryBudget::Hold> MemoryBudget::take(std::uint64_t bytes) {
  const std::uint64_t held = held_.fetch_add(bytes) + bytes;
  Hold hold(*this, bytes);
  if (most_ == 0) return hold;
  if (bytes <= kSmallPart) {
    const auto part = static_cast<std::int64_t>(bytes);
    if (unasked_.fetch_sub(part) >= part) return hold;
  }
  const base::ProcessMemory now = base::process_memory();
  if (!fits(now.resident, held, most_) || !fits(now.reserved, held, address_space())) {
    ++refused_;
    return std::nullopt;
  }
  const bool far = fits(now.resident, held + kFarFree, most_) &&
                   fits(now.reserved, held + kFarFree, address_space());
  unasked_ = far ? kUnasked : 0;
  return hold;
}

bool MemoryBudget::is_kept() const {
  return most_ == 0 || base::process_memory().resident + held_ <= most_;
}

}  // namespace tocsin::service
