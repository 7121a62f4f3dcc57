// On which threads many questions are answered.
#pragma once

#include <tbb/blocked_range.h>
#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <cstddef>
#include <optional>
#include <utility>

namespace tocsin::detect {

/// A number of threads. It may exceed the machine's, for tests that the answer stays the same.
class Threads {
 public:
  /// `threads`: 0: all.
  explicit Threads(int threads)
      : count_(threads > 0 ? threads : tbb::this_task_arena::max_concurrency()),
        arena_(threads > 0 ? threads : tbb::task_arena::automatic) {
    if (threads > tbb::this_task_arena::max_concurrency()) {
      more_.emplace(tbb::global_control::max_allowed_parallelism,
                    static_cast<std::size_t>(threads));
    }
  }
  /// Calls f() on one of them; what it starts runs on all.
  template <class F>
  void execute(const F& f) {
    arena_.execute(f);
  }
  [[nodiscard]] int count() const { return count_; }

 private:
  int count_;
  std::optional<tbb::global_control> more_;
  tbb::task_arena arena_;
};

/// Calls f() with so many threads for what it starts; 0: those of the current arena.
template <class F>
auto on_threads(int threads, const F& f) {
  if (threads <= 0) return f();
  std::optional<decltype(f())> out;
  Threads(threads).execute([&] { out.emplace(f()); });
  return *std::move(out);
}

/// Calls f(i) for i = 0 to count - 1: on the threads of the current arena, or, not in parallel, in
/// order on this one.
template <class F>
void for_each(bool parallel, std::size_t count, const F& f) {
  if (!parallel || count < 2) {
    for (std::size_t i = 0; i < count; ++i) f(i);
    return;
  }
  tbb::parallel_for(tbb::blocked_range<std::size_t>(0, count), [&](const auto& range) {
    for (std::size_t i = range.begin(); i < range.end(); ++i) f(i);
  });
}

}  // namespace tocsin::detect
