// ThreadSanitizer builds only: see parallel_for.h.
#pragma once

#include <cstddef>

namespace tbb {

/// The half-open range [begin, end), cut in pieces of `grainsize`.
template <class Index>
class blocked_range {
 public:
  blocked_range(Index begin, Index end, std::size_t grainsize = 1)
      : begin_(begin), end_(end), grainsize_(grainsize) {}
  [[nodiscard]] Index begin() const { return begin_; }
  [[nodiscard]] Index end() const { return end_; }
  [[nodiscard]] std::size_t size() const { return static_cast<std::size_t>(end_ - begin_); }
  [[nodiscard]] std::size_t grainsize() const { return grainsize_; }

 private:
  Index begin_;
  Index end_;
  std::size_t grainsize_;
};

}  // namespace tbb
