#include "app/send_schedule.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace tocsin::app {
namespace {

constexpr std::uint64_t kEndless = std::uint64_t{1} << 53U;

}  // namespace

Playback::Playback(Motion motion, std::optional<double> rate, double seconds)
    : motion_(std::move(motion)), paced_(!rate || std::isfinite(*rate)), own_pace_(!rate) {
  const auto once = static_cast<std::uint64_t>(motion_.frame_count());
  for (const double tick : motion_.ticks()) whole_ticks_ = whole_ticks_ && tick == std::floor(tick);
  if (rate && paced_) period_ = 1.0 / *rate;
  if (own_pace_) {
    const std::int64_t last = motion_.frame_count() - 1;
    period_ = last > 0 ? motion_.seconds(last) / static_cast<double>(last) : motion_.frame_time();
  }
  frames_ = once;
  if (!(seconds > 0.0)) return;
  frames_ = kEndless;
  if (!paced_) return;
  frames_ = static_cast<std::uint64_t>(std::min(seconds / period_ * (1.0 + 1e-12), 0x1p52)) + 1;
}

std::uint64_t Playback::cycle() const {
  const auto once = static_cast<std::uint64_t>(motion_.frame_count());
  return once > 1 ? 2 * once - 2 : 1;
}

std::span<const Transform> Playback::pose(std::uint64_t frame) const {
  const std::uint64_t at = frame % cycle();
  const auto once = static_cast<std::uint64_t>(motion_.frame_count());
  return motion_.pose(static_cast<std::int64_t>(at < once ? at : cycle() - at));
}

std::optional<double> Playback::id_seconds() const {
  return whole_ticks_ ? std::optional(motion_.frame_time()) : std::nullopt;
}

std::uint64_t Playback::id(std::uint64_t frame) const {
  const auto ticks = motion_.ticks();
  if (!whole_ticks_ || ticks.size() <= 1) return frame;
  const std::uint64_t at = frame % cycle();
  const auto tick = [&ticks](std::uint64_t k) { return static_cast<std::uint64_t>(ticks[k]); };
  const std::uint64_t whole = 2 * tick(ticks.size() - 1);
  return frame / cycle() * whole + (at < ticks.size() ? tick(at) : whole - tick(cycle() - at));
}

double Playback::capture_time(std::uint64_t frame) const {
  const std::uint64_t at = frame % cycle();
  const auto once = static_cast<std::uint64_t>(motion_.frame_count());
  if (once <= 1) return static_cast<double>(frame) * motion_.frame_time();
  const double whole = motion_.seconds(motion_.frame_count() - 1);
  const double within =
      at < once ? motion_.seconds(static_cast<std::int64_t>(at))
                : 2.0 * whole - motion_.seconds(static_cast<std::int64_t>(cycle() - at));
  const std::uint64_t cycles = frame / cycle();
  return static_cast<double>(cycles) * 2.0 * whole + within;
}

double Playback::due(std::uint64_t frame) const {
  if (!paced_) return 0.0;
  return own_pace_ ? capture_time(frame) : static_cast<double>(frame) * period_;
}

SendSchedule::SendSchedule(const Playback& playback, const Chances& chances, std::uint64_t avatar,
                           double offset)
    : playback_(&playback),
      chances_(chances),
      random_(chances.seed, avatar),
      offset_(offset),
      echo_(playback.paced() ? std::max(chances.jitter, playback.period()) : 0.0) {}

/// Draws what becomes of the next frame: always the same four numbers, so that one option does not
/// change what another does.
void SendSchedule::draw_next() {
  const std::uint64_t frame = drawn_++;
  const bool lost = random_.chance(chances_.loss);
  const double late = random_.uniform() * chances_.jitter;
  const bool twice = random_.chance(chances_.duplicates);
  const double later = random_.uniform() * echo_;
  if (lost) {
    ++lost_;
    return;
  }
  const double due = offset_ + playback_->due(frame) + late;
  waiting_.push({due, frame, false, false});
  if (twice) waiting_.push({due + later, frame, true, false});
}

std::optional<SendEvent> SendSchedule::next() {
  // What is due first is known once no frame that is not drawn yet can be due before it.
  while (drawn_ < playback_->frames() &&
         (waiting_.empty() || waiting_.top().due > offset_ + playback_->due(drawn_))) {
    draw_next();
  }
  if (waiting_.empty()) return std::nullopt;
  SendEvent event = waiting_.top();
  waiting_.pop();
  event.overtaken = newest_ && event.frame < *newest_;
  newest_ = std::max(newest_.value_or(0), event.frame);
  return event;
}

}  // namespace tocsin::app
