#include "gpu/cuda/device/device.h"

#include <fmt/format.h>

#include <chrono>
#include <utility>

namespace tocsin::cuda {

namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

}  // namespace

Device::Device(std::unique_ptr<detail::DeviceWork> work, const DeviceOptions& options)
    : work_(std::move(work)),
      name_(work_->name()),
      index_(options.index),
      emulated_(options.emulate) {}

Device::~Device() = default;

std::string names_of(std::span<const std::shared_ptr<Device>> devices) {
  if (devices.size() == 1) return devices.front()->name();
  std::string out;
  for (const auto& device : devices) {
    out += fmt::format("{}{}: {}", out.empty() ? "" : "; ", device->index().value_or(0),
                       device->name());
  }
  return out;
}

std::size_t Device::free_memory(const Where& where) const { return work_->free_memory(where); }

void* Device::allocate(std::size_t bytes, const Where& where) {
  return work_->allocate(bytes, where);
}

void Device::release(void* memory, std::size_t bytes) noexcept { work_->release(memory, bytes); }

void* Device::allocate_pinned(std::size_t bytes, const Where& where) {
  if (bytes == 0) return nullptr;
  work_->before({.name = "allocate_pinned", .size = bytes, .unit = "bytes"}, where);
  return work_->allocate_pinned(bytes, where);
}

void Device::release_pinned(void* memory, std::size_t bytes) noexcept {
  if (memory != nullptr) work_->release_pinned(memory, bytes);
}

std::chrono::steady_clock::time_point Device::start_of_copy(const Where& where) {
  if (cost_ != nullptr) work_->synchronize(where);  // what runs before it is not the copy's
  return Clock::now();
}

void Device::upload(void* to, const void* from, std::size_t bytes, const Where& where) {
  upload(Stream::kWork, to, from, bytes, where);
}

void Device::upload(Stream stream, void* to, const void* from, std::size_t bytes,
                    const Where& where) {
  if (bytes == 0) return;
  work_->before({.name = "upload", .size = bytes, .unit = "bytes"}, where);
  const Clock::time_point begin = start_of_copy(where);
  work_->upload(stream, to, from, bytes, where);
  if (cost_ == nullptr) return;
  work_->synchronize(where);
  cost_->uploaded += bytes;
  cost_->upload_seconds += seconds_since(begin);
}

void Device::download(void* to, const void* from, std::size_t bytes, const Where& where) {
  if (bytes == 0) return;
  work_->before({.name = "download", .size = bytes, .unit = "bytes"}, where);
  const Clock::time_point begin = start_of_copy(where);
  work_->download(to, from, bytes, where);
  waited();
  if (cost_ == nullptr) return;
  cost_->downloaded += bytes;
  cost_->download_seconds += seconds_since(begin);
}

void Device::download(Stream stream, void* to, const void* from, std::size_t bytes,
                      const Where& where) {
  if (bytes == 0) return;
  work_->before({.name = "download", .size = bytes, .unit = "bytes"}, where);
  const Clock::time_point begin = start_of_copy(where);
  work_->download(stream, to, from, bytes, where);
  if (cost_ == nullptr) return;
  work_->synchronize(where);
  cost_->downloaded += bytes;
  cost_->download_seconds += seconds_since(begin);
}

void Device::copy(void* to, const void* from, std::size_t bytes, const Where& where) {
  if (bytes == 0) return;
  work_->before({.name = "copy", .size = bytes, .unit = "bytes"}, where);
  work_->copy(to, from, bytes, where);
}

void Device::fill(void* to, int value, std::size_t bytes, const Where& where) {
  if (bytes == 0) return;
  work_->before({.name = "fill", .size = bytes, .unit = "bytes"}, where);
  work_->fill(to, value, bytes, where);
}

void Device::synchronize(const Where& where) {
  work_->before({.name = "synchronize"}, where);
  work_->synchronize(where);
  waited();
}

std::unique_ptr<detail::DeviceEvent> Device::make_event(const Where& where) {
  work_->before({.name = "make_event"}, where);
  return work_->make_event(where);
}

void Device::record(detail::DeviceEvent& event, Stream stream, const Where& where) {
  work_->before({.name = "record"}, where);
  work_->record(event, stream, where);
}

void Device::wait(const detail::DeviceEvent& event, Stream stream, const Where& where) {
  work_->before({.name = "wait"}, where);
  work_->wait(event, stream, where);
}

void Device::wait(const detail::DeviceEvent& event, const Where& where) {
  work_->before({.name = "wait"}, where);
  work_->wait(event, where);
  if (cost_ != nullptr) ++cost_->waits;
}

void Device::before_launch(std::size_t n, const Where& where) {
  work_->before({.name = "launch", .size = n, .unit = "elements"}, where);
  if (cost_ != nullptr) ++cost_->launches;
}

void Device::launch_emulated(detail::RangeFunction run, const void* body, std::size_t body_bytes,
                             std::size_t n) {
  work_->launch_emulated(run, body, body_bytes, n);
}

void Device::before_primitive(std::string_view name, std::size_t n, const Where& where) {
  work_->before({.name = name, .size = n, .unit = "elements"}, where);
  if (cost_ != nullptr) ++cost_->primitives;
}

void Device::waited() {
  ++waits_for_work_;
  if (cost_ != nullptr) ++cost_->waits;
}

void Device::sort(std::uint64_t* keys, std::size_t n, KeyBits bits, const Where& where) {
  if (n < 2) return;
  before_primitive("sort", n, where);
  work_->sort(keys, nullptr, n, bits, where);
}

void Device::sort_pairs(std::uint64_t* keys, std::uint32_t* values, std::size_t n, KeyBits bits,
                        const Where& where) {
  if (n < 2) return;
  before_primitive("sort_pairs", n, where);
  work_->sort(keys, values, n, bits, where);
}

void Device::sum_there(const std::uint32_t* from, std::uint64_t* to, std::size_t n,
                       const Where& where) {
  before_primitive("exclusive_sum", n, where);
  work_->exclusive_sum(from, to, n, where);
}

std::uint64_t Device::exclusive_sum(const std::uint32_t* from, std::uint64_t* to, std::size_t n,
                                    const Where& where) {
  sum_there(from, to, n, where);
  waited();
  return work_->result(to + n, where);
}

void Device::select_there(const std::uint8_t* flags, std::uint32_t* to, std::size_t n,
                          std::uint64_t* count, const Where& where) {
  before_primitive("select", n, where);
  if (n == 0) {
    work_->fill(count, 0, sizeof *count, where);
  } else {
    work_->select(flags, to, n, count, where);
  }
}

std::size_t Device::select(const std::uint8_t* flags, std::uint32_t* to, std::size_t n,
                           const Where& where) {
  if (n == 0) return 0;
  before_primitive("select", n, where);
  waited();
  return work_->select(flags, to, n, where);
}

void Device::measure(StageCost* to, const Where& where) {
  if (StageCost* const was = std::exchange(cost_, nullptr); was != nullptr) {
    work_->before({.name = "synchronize"}, where);
    work_->synchronize(where);
    was->seconds += seconds_since(since_);
  }
  cost_ = to;
  since_ = Clock::now();
}

}  // namespace tocsin::cuda
