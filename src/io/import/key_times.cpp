#include "io/import/key_times.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <string>

namespace tocsin::io {
namespace {

/// Everything that a track tells about when things happen.
void add_times(const SceneClip& clip, std::size_t least_keys, std::vector<double>& out) {
  for (const SceneTrack& track : clip.tracks) {
    if (track.times.size() < least_keys) continue;
    for (const double time : track.times) {
      if (std::isfinite(time)) out.push_back(time);
    }
  }
}

/// The number of each time's frame, counted in `spacing`s; nothing if they are not on a grid.
std::optional<std::vector<std::int64_t>> frame_numbers(const std::vector<double>& times,
                                                       double spacing) {
  // Beyond, a frame would be lost among roundings, or a small file would be blown up.
  constexpr double kMostFrames = 1e8;
  std::vector<std::int64_t> numbers{0};
  numbers.reserve(times.size());
  for (std::size_t i = 1; i < times.size(); ++i) {
    const double gap = std::floor((times[i] - times[i - 1]) / spacing + 0.5);
    if (!(gap >= 1.0) || gap > kMostFrames) return std::nullopt;
    numbers.push_back(numbers.back() + static_cast<std::int64_t>(gap));
    // What has been passed so far tells the spacing better than any single gap.
    spacing = (times[i] - times[0]) / static_cast<double>(numbers.back());
  }
  if (static_cast<double>(numbers.back()) > kMostFrames) return std::nullopt;
  return numbers;
}

bool agrees(const std::vector<double>& times, const std::vector<std::int64_t>& numbers,
            double frame_time) {
  if (!(frame_time > 0.0)) return false;
  for (std::size_t i = 0; i < times.size(); ++i) {
    const double expected = times[0] + static_cast<double>(numbers[i]) * frame_time;
    const double tolerance = time_tolerance(std::max(std::fabs(times[i]), std::fabs(times[0])));
    // A grid that is as fine as the roundings is none.
    if (tolerance > 0.25 * frame_time) return false;
    if (!(std::fabs(times[i] - expected) <= tolerance)) return false;
  }
  return true;
}

/// The decimal with that many digits that is nearest to x.
double with_digits(double x, int digits) {
  const std::string text = fmt::format("{:.{}e}", x, digits - 1);
  double out = x;
  std::from_chars(text.data(), text.data() + text.size(), out);
  return out;
}

}  // namespace

double time_tolerance(double seconds) { return 0x1p-22 * std::fabs(seconds) + 1e-9; }

std::vector<double> key_times(const SceneClip& clip, bool from_zero) {
  std::vector<double> times;
  add_times(clip, 2, times);
  if (times.empty()) add_times(clip, 1, times);
  std::sort(times.begin(), times.end());
  std::vector<double> distinct;
  for (const double time : times) {
    if (from_zero && times.back() >= 0.0 && time < -time_tolerance(times.back())) continue;
    if (distinct.empty() || time - distinct.back() > time_tolerance(time)) distinct.push_back(time);
  }
  return distinct;
}

std::optional<FrameGrid> even_grid(const std::vector<double>& times, double stated) {
  if (times.size() < 2) return std::nullopt;
  double spacing = times[1] - times[0];
  for (std::size_t i = 2; i < times.size(); ++i) {
    spacing = std::min(spacing, times[i] - times[i - 1]);
  }
  const std::optional<std::vector<std::int64_t>> numbers = frame_numbers(times, spacing);
  if (!numbers) return std::nullopt;
  const double mean = (times.back() - times.front()) / static_cast<double>(numbers->back());
  if (!agrees(times, *numbers, mean)) return std::nullopt;

  FrameGrid grid{times.front(), mean, numbers->back() + 1};
  if (agrees(times, *numbers, stated)) {
    grid.frame_time = stated;
    return grid;
  }
  const double rate = std::floor(1.0 / mean + 0.5);
  if (rate >= 1.0 && agrees(times, *numbers, 1.0 / rate)) {
    grid.frame_time = 1.0 / rate;
    return grid;
  }
  constexpr int kMostDigits = 17;  // that a double can tell apart
  for (int digits = 1; digits <= kMostDigits; ++digits) {
    const double decimal = with_digits(mean, digits);
    if (!agrees(times, *numbers, decimal)) continue;
    grid.frame_time = decimal;
    break;
  }
  return grid;
}

}  // namespace tocsin::io
