#include "gpu/cuda/device/device_work.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

namespace tocsin::cuda::detail {
namespace {

/// "launch (4000 elements) at certify_stage.cpp:120"
std::string described(const Call& call, const Where& where) {
  std::string_view file = where.file;
  file.remove_prefix(file.find_last_of('/') + 1);
  const std::string size =
      call.unit.empty() ? std::string() : fmt::format(" ({} {})", call.size, call.unit);
  return fmt::format("{}{} at {}:{}", call.name, size, file, where.line);
}

}  // namespace

void DeviceWork::before(const Call& call, const Where& where) {
  if (!lost_.empty()) throw Failure(FailureKind::kDevice, lost_);
  ++calls_;
  if (fail_at_ != 0 && calls_ >= fail_at_) {
    fail(FailureKind::kDevice, call, where, fmt::format("call {} fails on demand", calls_));
  }
  enter(where);
}

void DeviceWork::fail(FailureKind kind, const Call& call, const Where& where,
                      std::string_view reason) {
  std::string text = fmt::format("the CUDA device failed: {}: {}", described(call, where), reason);
  if (kind == FailureKind::kDevice) lost_ = text;
  throw Failure(kind, std::move(text));
}

std::size_t DeviceWork::free_memory(const Where& where) {
  before({.name = "free_memory"}, where);
  const std::size_t there = device_free_memory(where);
  return limit_ == 0 ? there : std::min(there, limit_ - std::min(limit_, allocated_));
}

void* DeviceWork::allocate(std::size_t bytes, const Where& where) {
  if (bytes == 0) return nullptr;
  const Call call{.name = "allocate", .size = bytes, .unit = "bytes"};
  before(call, where);
  if (limit_ != 0 && bytes > limit_ - std::min(limit_, allocated_)) {
    fail(FailureKind::kMemory, call, where,
         fmt::format("{} of {} bytes are in use", allocated_, limit_));
  }
  void* const memory = device_allocate(bytes, where);
  allocated_ += bytes;
  return memory;
}

void DeviceWork::release(void* memory, std::size_t bytes) noexcept {
  if (memory == nullptr) return;
  allocated_ -= std::min(allocated_, bytes);
  device_release(memory, bytes);
}

void* DeviceWork::scratch(std::size_t bytes, const Where& where) {
  if (bytes > scratch_bytes_) {
    release_scratch();
    scratch_ = allocate(bytes, where);
    scratch_bytes_ = bytes;
  }
  return scratch_;
}

void DeviceWork::release_scratch() noexcept {
  release(std::exchange(scratch_, nullptr), std::exchange(scratch_bytes_, 0));
}

}  // namespace tocsin::cuda::detail
