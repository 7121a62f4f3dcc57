#include "service/live/live_sources.h"

#include <poll.h>

#include <chrono>
#include <utility>

namespace tocsin::service {
namespace {

/// Between two looks at who is silent, milliseconds. Longer: sessions end later.
constexpr int kTidyEvery = 200;

}  // namespace

Result<std::unique_ptr<LiveSources>> LiveSources::start(const std::vector<LiveOptions>& options,
                                                        const LiveSurroundings& around) {
  std::unique_ptr<LiveSources> out(new LiveSources());
  if (out->waker_.descriptor() < 0) return {ErrorCode::kResource, "no descriptor is free"};
  for (const LiveOptions& one : options) {
    auto source = LiveSource::open(one, around);
    if (!source) return source.error();
    out->sources_.push_back(std::move(source).value());
  }
  if (!out->sources_.empty()) out->thread_ = std::thread([all = out.get()] { all->run(); });
  return out;
}

std::vector<std::string> LiveSources::names() const {
  std::vector<std::string> out;
  for (const auto& source : sources_) out.push_back(source->name());
  return out;
}

void LiveSources::stop() {
  if (!thread_.joinable()) return;
  stopping_ = true;
  waker_.wake();
  thread_.join();
  for (const auto& source : sources_) source->finish();
}

void LiveSources::run() {
  using Clock = std::chrono::steady_clock;
  std::vector<pollfd> watched{{waker_.descriptor(), POLLIN, 0}};
  for (const auto& source : sources_) watched.push_back({source->descriptor(), POLLIN, 0});
  Clock::time_point tidied{};
  while (!stopping_) {
    (void)::poll(watched.data(), watched.size(), kTidyEvery);
    const Clock::time_point now = Clock::now();
    for (std::size_t i = 0; i < sources_.size(); ++i) {
      if ((watched[i + 1].revents & POLLIN) != 0) sources_[i]->receive(now);
    }
    if (now - tidied < std::chrono::milliseconds(kTidyEvery)) continue;
    tidied = now;
    for (const auto& source : sources_) source->tidy(now);
  }
}

}  // namespace tocsin::service
