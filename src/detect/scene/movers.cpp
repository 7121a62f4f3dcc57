#include "detect/scene/movers.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/motion/surroundings.h"
#include "cpu/broadphase/interval_sweep.h"

namespace tocsin::detect {
namespace {

/// Relative to all coordinates: far above what they were rounded by, far below what culls less.
constexpr double kRoom = 0x1p-20;

Step step_of(const Mover& mover) {
  StepRange range;
  range.in_between = mover.in_between;
  // Both poses were looked at when the object was told to move.
  const Motion motion = Motion::create(mover.body.skeleton(), 1.0, {mover.from, mover.to}).value();
  return motion.steps(range).value().front();
}

double inner_product(const Quat& p, const Quat& q) {
  return ((p.w * q.w + p.x * q.x) + p.y * q.y) + p.z * q.z;
}

/// On one axis: box sides relative to the frame, then the frame's own way.
struct Side {
  double lo;
  double hi;
};
Side side_of(double from, double to, const Side& at_start, const Side& at_end, double more) {
  const double lo = core::min_of(at_start.lo - from, at_end.lo - to);
  const double hi = core::max_of(at_start.hi - from, at_end.hi - to);
  return {core::min_of(from, to) + lo - more, core::max_of(from, to) + hi + more};
}

}  // namespace

core::Box way_box(const Transform& from, const Transform& to, const core::Box& at_start,
                  const core::Box& at_end, double reach) {
  const Quat& p = from.rotation;
  const Quat& q = to.rotation;
  const double lengths = std::sqrt(inner_product(p, p) * inner_product(q, q));
  const double c = std::fabs(inner_product(p, q)) / lengths;
  const double cos_half = core::max_of(0.0, core::min_of(1.0, c) - kRoom * kRoom);
  const double tan_quarter = std::sqrt((1.0 - cos_half) / (1.0 + cos_half));
  const Vec3 way = to.translation - from.translation;
  const double sag = reach * (1.0 - cos_half) + 0.5 * core::norm(way) * tan_quarter;
  const double far = core::max_of(core::farthest_corner({}, core::join(at_start, at_end)),
                                  core::norm(from.translation) + core::norm(to.translation)) +
                     reach;
  const double more = sag + kRoom * far;
  const auto axis = [&](double f, double t, const Side& s, const Side& e) {
    return side_of(f, t, s, e, more);
  };
  const Side x = axis(from.translation.x, to.translation.x, {at_start.lo.x, at_start.hi.x},
                      {at_end.lo.x, at_end.hi.x});
  const Side y = axis(from.translation.y, to.translation.y, {at_start.lo.y, at_start.hi.y},
                      {at_end.lo.y, at_end.hi.y});
  const Side z = axis(from.translation.z, to.translation.z, {at_start.lo.z, at_start.hi.z},
                      {at_end.lo.z, at_end.hi.z});
  return {{core::float_below(x.lo), core::float_below(y.lo), core::float_below(z.lo)},
          {core::float_above(x.hi), core::float_above(y.hi), core::float_above(z.hi)}};
}

Movers::Movers(std::vector<Mover> movers, double margin)
    : movers_(std::move(movers)),
      margin_(margin),
      steps_(std::make_unique<LazyStep[]>(movers_.size())),
      pairs_(std::make_unique<LazyPairs>()) {
  for (const Mover& mover : movers_) {
    const Vec3 ref = core::reference_point(mover.from.translation);
    refs_ = core::join(refs_, core::grown_box(ref, ref, 0.0));
  }
}

bool Movers::has(std::uint32_t object) const {
  const auto at = std::lower_bound(
      movers_.begin(), movers_.end(), object,
      [](const Mover& mover, std::uint32_t wanted) { return mover.object < wanted; });
  return at != movers_.end() && at->object == object;
}

const Step& Movers::step(std::size_t i) const {
  LazyStep& lazy = steps_[i];
  std::call_once(lazy.once, [&] { lazy.step = step_of(movers_[i]); });
  return lazy.step;
}

std::span<const std::uint32_t> Movers::behind(std::size_t i) const {
  std::call_once(pairs_->once, [&] { find_pairs(); });
  return std::span(pairs_->behind)
      .subspan(pairs_->begin[i], pairs_->begin[i + 1] - pairs_->begin[i]);
}

void Movers::find_pairs() const {
  std::vector<core::Box> boxes;
  // Half of the margin for each of the two, and what is rounded.
  const double more = 0.5 * margin_ * (1.0 + kRoom);
  for (const Mover& mover : movers_) {
    const core::Box& box = mover.box;
    boxes.push_back(core::grown_box(core::to_double(box.lo), core::to_double(box.hi), more));
  }
  std::vector<std::size_t> begin(movers_.size() + 1, 0);
  std::vector<std::uint32_t> behind;
  cpu::IntervalSweep sweep;
  for (const cpu::BodyPair& pair : sweep.pairs(boxes)) {  // in order
    ++begin[static_cast<std::size_t>(pair.first) + 1];
    behind.push_back(static_cast<std::uint32_t>(pair.second));
  }
  for (std::size_t i = 1; i < begin.size(); ++i) begin[i] += begin[i - 1];
  pairs_->begin = std::move(begin);
  pairs_->behind = std::move(behind);
}

}  // namespace tocsin::detect
