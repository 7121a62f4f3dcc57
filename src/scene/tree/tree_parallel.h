// Loops over parts of a tree, on several threads.
#pragma once

#include <tbb/blocked_range.h>
#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <cstddef>
#include <optional>

namespace tocsin::scene {

/// Runs `work` with so many threads for its loops; 0: all that the machine has.
template <class Work>
void with_threads(int threads, const Work& work) {
  std::optional<tbb::global_control> more;
  if (threads > tbb::this_task_arena::max_concurrency()) {
    more.emplace(tbb::global_control::max_allowed_parallelism, static_cast<std::size_t>(threads));
  }
  tbb::task_arena arena(threads > 0 ? threads : tbb::task_arena::automatic);
  arena.execute(work);
}

/// Calls work(begin, end) for pieces of [0, count) of at least `grain` entries each, side by side.
template <class Work>
void in_pieces(std::size_t count, std::size_t grain, const Work& work) {
  if (count <= grain) {
    if (count > 0) work(std::size_t{0}, count);
    return;
  }
  tbb::parallel_for(
      tbb::blocked_range<std::size_t>(0, count, grain),
      [&](const tbb::blocked_range<std::size_t>& range) { work(range.begin(), range.end()); });
}

}  // namespace tocsin::scene
