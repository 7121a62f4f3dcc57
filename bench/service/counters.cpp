// What the service's counters cost a step: everything that one step of a session counts, many
// times, and the same loop without them. counters.py counts the instructions of both.
#include <fmt/format.h>

#include <array>
#include <chrono>
#include <cstdint>
#include <functional>

#include "service/metrics/metrics.h"
#include "shared/counted.h"

namespace {

using tocsin::TrackTiming;
using tocsin::service::FrameCounts;
using tocsin::service::Metrics;

constexpr std::uint64_t kSteps = 100'000;

/// Times of a step, microseconds, from 5 to 500: so every histogram's search is as long as usual.
TrackTiming timing_of(std::uint64_t step) {
  constexpr std::array<double, 4> kWaited{5.0, 12.0, 40.0, 500.0};
  const double waited = kWaited[step % kWaited.size()];
  return {
      .waited = waited, .checked = 10.0 + static_cast<double>(step % 7), .total = waited + 60.0};
}

/// As Session and Batcher count: when the frame comes, when it is handed out, when the step is
/// done, when the stream takes the report.
void count_step(Metrics& metrics, std::uint64_t step, const TrackTiming& timing) {
  FrameCounts before;
  before.covered = step;
  FrameCounts now = before;
  metrics.add_frames(before, now);
  metrics.batches.add(1);
  ++now.covered;
  metrics.add_frames(before, now);
  metrics.add_step(timing, step % 10 == 0 ? 1 : 0);
  metrics.total.add(tocsin::service::nanoseconds_of(timing.total));
}

std::uint64_t run(Metrics* metrics) {
  std::uint64_t sum = 0;
  for (std::uint64_t step = 0; step < kSteps; ++step) {
    const TrackTiming timing = timing_of(step);
    if (metrics != nullptr) count_step(*metrics, step, timing);
    sum += static_cast<std::uint64_t>(timing.total);
  }
  return sum;
}

}  // namespace

int main() {
  Metrics metrics;
  std::array<double, 2> seconds{};
  for (std::size_t counted = 0; counted < 2; ++counted) {
    const auto start = std::chrono::steady_clock::now();
    const std::uint64_t sum =
        tocsin_counted([&] { return run(counted == 1 ? &metrics : nullptr); });
    seconds[counted] =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    if (sum == 0) return 1;
  }
  if (metrics.steps.value() != kSteps || metrics.covered_frames.value() != kSteps) return 1;
  fmt::print("{} {:.2f}\n", kSteps, (seconds[1] - seconds[0]) / static_cast<double>(kSteps) * 1e9);
  return 0;
}
