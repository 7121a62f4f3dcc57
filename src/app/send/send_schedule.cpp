#include "app/send/send_schedule.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace tocsin::app {
namespace {

constexpr std::uint64_t kEndless = std::uint64_t{1} << 53U;

}  // namespace

Playback::Playback(Motion motion, std::optional<double> rate, double seconds, FrameRange range)
    : motion_(std::move(motion)),
      range_(range),
      paced_(!rate || std::isfinite(*rate)),
      own_pace_(!rate) {
  if (range_.last < 0) range_.last = motion_.frame_count() - 1;
  for (const double tick : motion_.ticks()) whole_ticks_ = whole_ticks_ && tick == std::floor(tick);
  if (rate && paced_) period_ = 1.0 / *rate;
  if (own_pace_) {
    period_ = once() > 1 ? (motion_.seconds(range_.last) - motion_.seconds(range_.first)) /
                               static_cast<double>(once() - 1)
                         : motion_.frame_time();
  }
  frames_ = once();
  if (!(seconds > 0.0)) return;
  frames_ = kEndless;
  if (!paced_) return;
  frames_ = static_cast<std::uint64_t>(std::min(seconds / period_ * (1.0 + 1e-12), 0x1p52)) + 1;
}

bool Playback::whole() const {
  return range_.first == 0 && range_.last == motion_.frame_count() - 1 && range_.stride == 1;
}

std::uint64_t Playback::once() const {
  const std::int64_t whole_steps = (range_.last - range_.first) / range_.stride;
  const bool left_over = range_.first + whole_steps * range_.stride < range_.last;
  return static_cast<std::uint64_t>(whole_steps) + (left_over ? 2 : 1);
}

std::int64_t Playback::frame_at(std::uint64_t k) const {
  return k + 1 < once() ? range_.first + static_cast<std::int64_t>(k) * range_.stride : range_.last;
}

std::uint64_t Playback::cycle() const { return once() > 1 ? 2 * once() - 2 : 1; }

std::span<const Transform> Playback::pose(std::uint64_t frame) const {
  const std::uint64_t at = frame % cycle();
  return motion_.pose(frame_at(at < once() ? at : cycle() - at));
}

std::optional<double> Playback::id_seconds() const {
  return whole_ticks_ ? std::optional(motion_.frame_time()) : std::nullopt;
}

std::uint64_t Playback::name_of(std::int64_t frame) const {
  const auto ticks = motion_.ticks();
  if (!whole_ticks_ || ticks.empty()) return static_cast<std::uint64_t>(frame);
  return static_cast<std::uint64_t>(ticks[static_cast<std::size_t>(frame)]);
}

std::optional<std::int64_t> Playback::frame_named(std::uint64_t name) const {
  const auto ticks = motion_.ticks();
  auto frame = static_cast<std::int64_t>(name);
  if (whole_ticks_ && !ticks.empty()) {
    frame = std::lower_bound(ticks.begin(), ticks.end(), static_cast<double>(name)) - ticks.begin();
  }
  if (frame < 0 || frame >= motion_.frame_count() || name_of(frame) != name) return std::nullopt;
  return frame;
}

std::uint64_t Playback::id(std::uint64_t frame) const {
  const std::uint64_t first = name_of(range_.first);
  if (once() <= 1) return first + frame;
  const std::uint64_t at = frame % cycle();
  const std::uint64_t whole = 2 * (name_of(range_.last) - first);
  const std::uint64_t within = at < once() ? name_of(frame_at(at)) - first
                                           : whole - (name_of(frame_at(cycle() - at)) - first);
  return first + frame / cycle() * whole + within;
}

Result<Step> Playback::step(std::uint64_t from, std::uint64_t to) const {
  const auto first = frame_named(from);
  const auto last = frame_named(to);
  if (!first || !last || *first >= *last) {
    return Error{ErrorCode::kInput,
                 fmt::format("a step from frame {} to frame {} is none of the take", from, to)};
  }
  const auto steps = motion_.steps({.first = *first, .last = *last, .stride = *last - *first});
  if (!steps) return steps.error();
  return steps.value().front();
}

std::uint64_t Playback::slot(std::uint64_t id) const {
  const auto stride = static_cast<std::uint64_t>(range_.stride);
  return (id - name_of(range_.first) + stride - 1) / stride;
}

double Playback::capture_time(std::uint64_t frame) const {
  const double first = motion_.seconds(range_.first);
  if (once() <= 1) return first + static_cast<double>(frame) * motion_.frame_time();
  const std::uint64_t at = frame % cycle();
  const double last = motion_.seconds(range_.last);
  const double within = at < once() ? motion_.seconds(frame_at(at))
                                    : 2.0 * last - motion_.seconds(frame_at(cycle() - at));
  const std::uint64_t cycles = frame / cycle();
  return static_cast<double>(cycles) * 2.0 * (last - first) + within;
}

double Playback::due(std::uint64_t frame) const {
  if (!paced_) return 0.0;
  return own_pace_ ? capture_time(frame) - capture_time(0) : static_cast<double>(frame) * period_;
}

SendSchedule::SendSchedule(const Playback& playback, const Chances& chances, std::uint64_t avatar,
                           double offset, std::uint64_t first)
    : playback_(&playback),
      chances_(chances),
      random_(chances.seed, avatar),
      offset_(offset),
      echo_(playback.paced() ? std::max(chances.jitter, playback.period()) : 0.0),
      first_(first) {}

double SendSchedule::due(std::uint64_t frame) const {
  return offset_ + (playback_->due(frame) - playback_->due(first_));
}

/// Draws what becomes of the next frame: always the same four numbers, so that one option does not
/// change what another does.
void SendSchedule::draw_next() {
  const std::uint64_t frame = first_ + drawn_++;
  const bool lost = random_.chance(chances_.loss);
  const double late = random_.uniform() * chances_.jitter;
  const bool twice = random_.chance(chances_.duplicates);
  const double later = random_.uniform() * echo_;
  if (lost) {
    ++lost_;
    return;
  }
  const double sent = due(frame) + late;
  pending_.push({sent, frame, false, false});
  if (twice) pending_.push({sent + later, frame, true, false});
}

std::optional<SendEvent> SendSchedule::next() {
  // What is due first is known once no frame that is not drawn yet can be due before it.
  while (drawn_ < playback_->frames() &&
         (pending_.empty() || pending_.top().due > due(first_ + drawn_))) {
    draw_next();
  }
  if (pending_.empty()) return std::nullopt;
  SendEvent event = pending_.top();
  pending_.pop();
  event.overtaken = newest_ && event.frame < *newest_;
  newest_ = std::max(newest_.value_or(0), event.frame);
  return event;
}

}  // namespace tocsin::app
