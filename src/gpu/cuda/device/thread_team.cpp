#include "gpu/cuda/device/thread_team.h"

#include <system_error>

namespace tocsin::cuda::detail {

ThreadTeam::ThreadTeam(int size) {
  try {
    for (int i = 1; i < size; ++i) others_.emplace_back([this] { work(); });
  } catch (const std::system_error&) {  // so many threads there are not: fewer will do
  }
}

ThreadTeam::~ThreadTeam() {
  {
    const std::scoped_lock lock(mutex_);
    stop_ = true;
  }
  start_.notify_all();
  for (std::thread& thread : others_) thread.join();
}

void ThreadTeam::run(const std::function<void()>& job) {
  {
    const std::scoped_lock lock(mutex_);
    job_ = &job;
    busy_ = others_.size();
    ++round_;
  }
  start_.notify_all();
  job();
  std::unique_lock lock(mutex_);
  end_.wait(lock, [&] { return busy_ == 0; });
}

void ThreadTeam::work() {
  std::uint64_t seen = 0;
  for (;;) {
    const std::function<void()>* job = nullptr;
    {
      std::unique_lock lock(mutex_);
      start_.wait(lock, [&] { return stop_ || round_ != seen; });
      if (stop_) return;
      seen = round_;
      job = job_;
    }
    (*job)();
    const std::scoped_lock lock(mutex_);
    if (--busy_ == 0) end_.notify_one();
  }
}

}  // namespace tocsin::cuda::detail
