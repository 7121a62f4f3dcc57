// A queue whose memory stays: what comes takes the place of what went.
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <type_traits>
#include <utility>

namespace tocsin::service {

/// Elements are numbered from the oldest, 0. Memory grows by doubling and is kept, so that a queue
/// that is filled and emptied allocates nothing; an empty one begins again at its first place,
/// which is in the caches. Not copied. Not thread-safe.
template <class T>
class Ring {
  static_assert(std::is_nothrow_move_constructible_v<T> && std::is_nothrow_move_assignable_v<T>);

 public:
  Ring() = default;
  Ring(Ring&& other) noexcept
      : places_(std::exchange(other.places_, nullptr)),
        capacity_(std::exchange(other.capacity_, 0)),
        head_(std::exchange(other.head_, 0)),
        size_(std::exchange(other.size_, 0)) {}
  Ring(const Ring&) = delete;
  Ring& operator=(const Ring&) = delete;
  Ring& operator=(Ring&&) = delete;
  ~Ring() {
    while (!empty()) pop_front();
    if (places_ != nullptr) std::allocator<T>().deallocate(places_, capacity_);
  }

  [[nodiscard]] bool empty() const { return size_ == 0; }
  [[nodiscard]] std::size_t size() const { return size_; }
  T& operator[](std::size_t i) { return places_[place_of(i)]; }
  const T& operator[](std::size_t i) const { return places_[place_of(i)]; }
  T& front() { return (*this)[0]; }
  [[nodiscard]] const T& front() const { return (*this)[0]; }
  T& back() { return (*this)[size_ - 1]; }
  [[nodiscard]] const T& back() const { return (*this)[size_ - 1]; }

  /// Where the next element will be, if it needs no memory; null: it needs some.
  [[nodiscard]] const T* next_place() const {
    return size_ == capacity_ ? nullptr : places_ + place_of(size_);
  }
  /// Throws std::bad_alloc; then nothing has changed, `element` neither.
  void push_back(T&& element) {
    if (size_ == capacity_) grow();
    std::construct_at(places_ + place_of(size_), std::move(element));
    ++size_;
  }
  /// Before element `at`. Throws as push_back().
  void insert(std::size_t at, T&& element) {
    push_back(std::move(element));
    for (std::size_t i = size_ - 1; i > at; --i) std::swap((*this)[i], (*this)[i - 1]);
  }
  void pop_front() {
    std::destroy_at(places_ + head_);
    head_ = place_of(1);
    if (--size_ == 0) head_ = 0;
  }
  /// Removes the elements from `first` on, before `last`.
  void erase(std::size_t first, std::size_t last) {
    for (std::size_t i = last; i < size_; ++i) (*this)[first + i - last] = std::move((*this)[i]);
    for (std::size_t left = last - first; left > 0; --left) {
      std::destroy_at(&back());
      --size_;
    }
  }

 private:
  static constexpr std::size_t kFirstCapacity = 2;

  [[nodiscard]] std::size_t place_of(std::size_t i) const {
    const std::size_t place = head_ + i;
    return place < capacity_ ? place : place - capacity_;
  }
  void grow() {
    const std::size_t capacity = std::max(kFirstCapacity, 2 * capacity_);
    T* const places = std::allocator<T>().allocate(capacity);
    for (std::size_t i = 0; i < size_; ++i) {
      T& old = (*this)[i];
      std::construct_at(places + i, std::move(old));
      std::destroy_at(&old);
    }
    if (places_ != nullptr) std::allocator<T>().deallocate(places_, capacity_);
    places_ = places;
    capacity_ = capacity;
    head_ = 0;
  }

  T* places_ = nullptr;
  std::size_t capacity_ = 0;
  std::size_t head_ = 0;
  std::size_t size_ = 0;
};

}  // namespace tocsin::service
