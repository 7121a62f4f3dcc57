// A stand-in for <tbb/task_group.h> under ThreadSanitizer: see parallel_for.h.
#pragma once

#include <exception>
#include <thread>
#include <utility>

namespace tbb {

/// For one task at a time.
class task_group {
 public:
  task_group() = default;
  task_group(const task_group&) = delete;
  task_group& operator=(const task_group&) = delete;
  ~task_group() {
    if (thread_.joinable()) thread_.join();
  }

  template <class F>
  void run(F f) {
    thread_ = std::thread([this, f = std::move(f)] {
      try {
        f();
      } catch (...) {
        error_ = std::current_exception();
      }
    });
  }
  void wait() {
    if (thread_.joinable()) thread_.join();
    if (error_) std::rethrow_exception(std::exchange(error_, nullptr));
  }

 private:
  std::thread thread_;
  std::exception_ptr error_;
};

}  // namespace tbb
