// An array in the CPU's memory that a device copies from fast.
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <span>
#include <type_traits>
#include <utility>

#include "base/large_array.h"
#include "gpu/cuda/device/device.h"

namespace tocsin::cuda {

/// Owns its memory, which only grows; the device's pinned memory, or plain memory without a device.
/// The device is kept alive.
template <class T>
class PinnedArray {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  explicit PinnedArray(std::shared_ptr<Device> device) : device_(std::move(device)) {}
  PinnedArray(const PinnedArray&) = delete;
  PinnedArray& operator=(const PinnedArray&) = delete;
  ~PinnedArray() { release(); }

  /// Not initialised; what was there is lost if it grows. Throws Failure, std::bad_alloc.
  void resize(std::size_t size, const Where& where = Where::current()) {
    if (size > capacity_) {
      // Batches of one sort are of nearly one size: a little room saves the next from growing.
      const std::size_t capacity = size + size / 8;
      release();
      const std::size_t bytes = capacity * sizeof(T);
      data_ = static_cast<T*>(device_ ? device_->allocate_pinned(bytes, where)
                                      : base::allocate_large(bytes));
      capacity_ = capacity;
    }
    size_ = size;
  }

  /// Keeps what is there, which nobody copies meanwhile. Throws Failure, std::bad_alloc.
  void grow(std::size_t size, const Where& where = Where::current()) {
    if (size > capacity_) {
      PinnedArray larger(device_);
      larger.resize(std::max(size, 2 * capacity_), where);
      std::copy_n(data_, size_, larger.data_);
      std::swap(data_, larger.data_);
      std::swap(capacity_, larger.capacity_);
    }
    size_ = size;
  }

  [[nodiscard]] T* data() { return data_; }
  [[nodiscard]] const T* data() const { return data_; }
  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] std::size_t capacity() const { return capacity_; }
  [[nodiscard]] bool empty() const { return size_ == 0; }
  [[nodiscard]] T& operator[](std::size_t i) { return data_[i]; }
  [[nodiscard]] const T& operator[](std::size_t i) const { return data_[i]; }
  [[nodiscard]] T* begin() { return data_; }
  [[nodiscard]] T* end() { return data_ + size_; }
  [[nodiscard]] const T* begin() const { return data_; }
  [[nodiscard]] const T* end() const { return data_ + size_; }
  [[nodiscard]] std::span<const T> all() const { return {data_, size_}; }

 private:
  void release() noexcept {
    if (data_ == nullptr) return;
    if (device_) {
      device_->release_pinned(data_, capacity_ * sizeof(T));
    } else {
      base::free_large(data_, capacity_ * sizeof(T));
    }
    data_ = nullptr;
    capacity_ = size_ = 0;
  }

  std::shared_ptr<Device> device_;
  T* data_ = nullptr;
  std::size_t size_ = 0;
  std::size_t capacity_ = 0;
};

}  // namespace tocsin::cuda
