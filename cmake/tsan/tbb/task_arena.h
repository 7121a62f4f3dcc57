// ThreadSanitizer builds only: see parallel_for.h.
#pragma once

#include "tbb/info.h"

namespace tbb {

/// How many threads the loops inside execute() may use.
class task_arena {
 public:
  static constexpr int automatic = -1;

  explicit task_arena(int concurrency = automatic)
      : concurrency_(concurrency > 0 ? concurrency : info::default_concurrency()) {}

  template <class Function>
  void execute(const Function& function) {
    const Within within(concurrency_);
    function();
  }

  static int current_concurrency() { return current_ > 0 ? current_ : info::default_concurrency(); }

 private:
  struct Within {
    explicit Within(int concurrency) { current_ = concurrency; }
    ~Within() { current_ = outer_; }
    Within(const Within&) = delete;
    Within& operator=(const Within&) = delete;
    int outer_ = current_;
  };
  inline static thread_local int current_ = 0;
  int concurrency_;
};

namespace this_task_arena {
inline int max_concurrency() { return task_arena::current_concurrency(); }
/// A thread that waits here never takes up another's task.
template <class Function>
auto isolate(const Function& function) -> decltype(function()) {
  return function();
}
}  // namespace this_task_arena

}  // namespace tbb
