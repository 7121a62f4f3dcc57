// An array whose copies cost next to nothing: they share all pages that were not written since.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace tocsin::scene {

/// One writer; its snapshots are immutable, and any thread may read them while the writer goes on.
/// A write copies the page if a snapshot may share it: at most once a page and snapshot.
template <class T, std::size_t kPage>
class PagedArray {
  struct Page {
    std::array<T, kPage> items{};
    std::uint64_t version = 0;  ///< the writer's when the page was made
  };

 public:
  /// What the array held when it was taken.
  class Snapshot {
   public:
    Snapshot() = default;
    [[nodiscard]] std::size_t size() const { return size_; }
    [[nodiscard]] const T& operator[](std::size_t i) const {
      return pages_[i / kPage]->items[i % kPage];
    }

   private:
    friend class PagedArray;
    std::vector<std::shared_ptr<const Page>> pages_;
    std::size_t size_ = 0;
  };

  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] const T& operator[](std::size_t i) const {
    return pages_[i / kPage]->items[i % kPage];
  }
  /// The element, to be changed. Throws std::bad_alloc.
  [[nodiscard]] T& write(std::size_t i) { return own_page(i / kPage).items[i % kPage]; }
  void push_back(T item) {
    if (size_ == pages_.size() * kPage) {
      pages_.push_back(std::make_shared<Page>());
      pages_.back()->version = version_;
    }
    own_page(size_ / kPage).items[size_ % kPage] = std::move(item);
    ++size_;
  }
  void clear() {
    pages_.clear();
    size_ = 0;
  }

  /// From now on every page is shared with it.
  [[nodiscard]] Snapshot snapshot() {
    Snapshot out;
    out.pages_.assign(pages_.begin(), pages_.end());
    out.size_ = size_;
    ++version_;
    return out;
  }

 private:
  Page& own_page(std::size_t page) {
    std::shared_ptr<Page>& at = pages_[page];
    // A count of owners would not do: a reader that lets go is not ordered before this write.
    if (at->version != version_) {
      at = std::make_shared<Page>(*at);
      at->version = version_;
    }
    return *at;
  }

  std::vector<std::shared_ptr<Page>> pages_;
  std::size_t size_ = 0;
  std::uint64_t version_ = 0;
};

}  // namespace tocsin::scene
