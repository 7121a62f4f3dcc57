#include "gpu/cuda/device/device_work.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

namespace tocsin::cuda::detail {
namespace {

/// "launch (4000 elements)"
std::string described(const Call& call) {
  if (call.unit.empty()) return std::string(call.name);
  return fmt::format("{} ({} {})", call.name, call.size, call.unit);
}

}  // namespace

Charge::Charge(DeviceWork& work, std::size_t* account) noexcept
    : work_(work), before_(std::exchange(work.account_, account)) {}

Charge::~Charge() { work_.account_ = before_; }

DeviceWork::DeviceWork(const DeviceOptions& options, std::size_t limit)
    : title_(options.index ? fmt::format("CUDA device {}", *options.index) : "the CUDA device"),
      memory_(DeviceMemory::of(options)),
      limit_(limit),
      fail_at_(options.fail_at) {
  memory_->enter(keeper_);
}

DeviceWork::~DeviceWork() { memory_->leave(keeper_); }

void DeviceWork::end() noexcept {
  memory_->leave(keeper_);
  release_scratch();
}

void DeviceWork::before(const Call& call, const Where& where) {
  std::uint64_t number = 0;
  {
    const std::lock_guard lock(mutex_);
    if (!lost_.empty()) throw Failure(FailureKind::kDevice, lost_, lost_where_);
    number = ++calls_;
  }
  if (fail_at_ != 0 && number >= fail_at_) {
    fail(FailureKind::kDevice, call, where, fmt::format("call {} fails on demand", number));
  }
  enter(where);
}

void DeviceWork::fail(FailureKind kind, const Call& call, const Where& where,
                      std::string_view reason) {
  std::string text = fmt::format("{} failed: {}: {}", title_, described(call), reason);
  if (kind == FailureKind::kDevice) {
    const std::lock_guard lock(mutex_);
    lost_ = text;
    lost_where_ = where;
  }
  throw Failure(kind, std::move(text), where);
}

std::size_t DeviceWork::free_memory(const Where& where) {
  before({.name = "free_memory"}, where);
  const std::size_t kept = memory_->kept();
  const std::size_t used = memory_->allocated();
  const std::size_t there = device_free_memory(where);
  const std::size_t free = there > std::numeric_limits<std::size_t>::max() - kept
                               ? std::numeric_limits<std::size_t>::max()
                               : there + kept;
  return limit_ == 0 ? free : std::min(free, limit_ - std::min(limit_, used - kept));
}

void* DeviceWork::allocate(std::size_t bytes, const Where& where) {
  if (bytes == 0) return nullptr;
  const Call call{.name = "allocate", .size = bytes, .unit = "bytes"};
  before(call, where);
  for (;;) {
    try {
      return take(call, where);
    } catch (const Failure& failure) {
      if (failure.kind() != FailureKind::kMemory || memory_->reclaim() == 0) throw;
    }
  }
}

void* DeviceWork::take(const Call& call, const Where& where) {
  const std::size_t used = memory_->allocated();
  if (limit_ != 0 && call.size > limit_ - std::min(limit_, used)) {
    fail(FailureKind::kMemory, call, where, fmt::format("{} of {} bytes are in use", used, limit_));
  }
  void* const memory = device_allocate(call.size, where);
  memory_->add(call.size);
  if (account_ != nullptr) *account_ += call.size;
  return memory;
}

void DeviceWork::release(void* memory, std::size_t bytes) noexcept {
  if (memory == nullptr) return;
  memory_->subtract(bytes);
  if (account_ != nullptr) *account_ -= std::min(*account_, bytes);
  device_release(memory, bytes);
}

void* DeviceWork::scratch(std::size_t bytes, const Where& where) {
  if (bytes <= scratch_bytes_) return scratch_;
  release_scratch();
  const Charge own(*this, nullptr);
  scratch_ = allocate(bytes, where);
  scratch_bytes_ = bytes;
  return scratch_;
}

void DeviceWork::release_scratch() noexcept {
  const Charge own(*this, nullptr);
  release(std::exchange(scratch_, nullptr), std::exchange(scratch_bytes_, 0));
}

}  // namespace tocsin::cuda::detail
