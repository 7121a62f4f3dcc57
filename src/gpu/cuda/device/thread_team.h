// Threads that do one job together, again and again.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace tocsin::cuda::detail {

/// Not TBB's: a thread that waits for TBB's tasks may take up any other task of the program, and
/// one that wants the device, which this thread holds, would never end.
class ThreadTeam {
 public:
  /// `size` threads, the caller's included; at least 1.
  explicit ThreadTeam(int size);
  ~ThreadTeam();
  ThreadTeam(const ThreadTeam&) = delete;
  ThreadTeam& operator=(const ThreadTeam&) = delete;

  [[nodiscard]] int size() const { return static_cast<int>(others_.size()) + 1; }
  /// Calls job() once on every thread and waits for all. A job must not throw. For one caller at a
  /// time.
  void run(const std::function<void()>& job);

 private:
  void work();

  std::mutex mutex_;
  std::condition_variable start_;
  std::condition_variable end_;
  const std::function<void()>* job_ = nullptr;
  std::uint64_t round_ = 0;  ///< jobs so far
  std::size_t busy_ = 0;
  bool stop_ = false;
  std::vector<std::thread> others_;
};

}  // namespace tocsin::cuda::detail
