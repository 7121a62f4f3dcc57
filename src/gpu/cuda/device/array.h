// An array in a device's memory.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "gpu/cuda/device/device.h"

namespace tocsin::cuda {

/// Owns its memory, which only grows: what is used again from batch to batch costs no allocation.
/// The device is kept alive. Functions throw Failure.
template <class T>
class Array {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  explicit Array(std::shared_ptr<Device> device) : device_(std::move(device)) {}
  Array(Array&& from) noexcept
      : device_(from.device_),
        data_(std::exchange(from.data_, nullptr)),
        size_(std::exchange(from.size_, 0)),
        capacity_(std::exchange(from.capacity_, 0)) {}
  Array& operator=(Array&& from) noexcept {
    std::swap(device_, from.device_);
    std::swap(data_, from.data_);
    std::swap(size_, from.size_);
    std::swap(capacity_, from.capacity_);
    return *this;
  }
  ~Array() { device_->release(data_, capacity_ * sizeof(T)); }

  /// Not initialised where it grows; what was there is lost then.
  void resize(std::size_t size, const Where& where = Where::current()) {
    if (size > capacity_) {
      device_->release(data_, capacity_ * sizeof(T));
      data_ = nullptr;
      capacity_ = size_ = 0;
      data_ = static_cast<T*>(device_->allocate(size * sizeof(T), where));
      capacity_ = size;
    }
    size_ = size;
  }
  void upload(std::span<const T> from, const Where& where = Where::current()) {
    resize(from.size(), where);
    if (!from.empty()) device_->upload(data_, from.data(), from.size_bytes(), where);
  }
  /// In order with another stream. An array that grows waits for all of them.
  void upload(Stream stream, std::span<const T> from, const Where& where = Where::current()) {
    resize(from.size(), where);
    if (!from.empty()) device_->upload(stream, data_, from.data(), from.size_bytes(), where);
  }
  void download(std::vector<T>& to, const Where& where = Where::current()) const {
    to.resize(size_);
    if (size_ != 0) device_->download(to.data(), data_, size_ * sizeof(T), where);
  }
  [[nodiscard]] std::vector<T> download(const Where& where = Where::current()) const {
    std::vector<T> out;
    download(out, where);
    return out;
  }
  void fill(int byte, const Where& where = Where::current()) {
    if (size_ != 0) device_->fill(data_, byte, size_ * sizeof(T), where);
  }
  /// Gives the memory back.
  void clear() {
    device_->release(data_, capacity_ * sizeof(T));
    data_ = nullptr;
    capacity_ = size_ = 0;
  }

  [[nodiscard]] T* data() { return data_; }
  [[nodiscard]] const T* data() const { return data_; }
  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] bool empty() const { return size_ == 0; }

 private:
  std::shared_ptr<Device> device_;
  T* data_ = nullptr;
  std::size_t size_ = 0;
  std::size_t capacity_ = 0;
};

}  // namespace tocsin::cuda
