#include "cpu/broadphase/interval_sweep.h"

#include <algorithm>
#include <array>
#include <bit>

#include "cpu/broadphase/sort_keys.h"

namespace tocsin::cpu {
namespace {

/// Up to so many boxes, comparing all of them is faster than sorting: measured, bench/bodies.
constexpr std::size_t kFewBoxes = 48;

/// Pairs that overlap on the axis swept, per box and doubling of their number, up to which
/// comparing each of them on the other axes is faster than asking the tree, which costs some 20 ns
/// a box and doubling: measured, bench/bodies. Any number keeps the bound of n log n.
constexpr std::uint64_t kTestsPerBox = 4;

/// The coordinate of a key, cut off far away: infinite boxes must not leave the others without a
/// mean.
double coordinate(std::uint32_t key) {
  constexpr std::uint32_t kSign = 0x80000000U;
  const auto x = std::bit_cast<float>((key & kSign) != 0 ? key ^ kSign : ~key);
  return std::clamp(static_cast<double>(x), -1e30, 1e30);
}

/// Variance of the centres in units of the boxes' mean size: the greater it is, the fewer boxes
/// does one overlap on this axis.
double spread(std::span<const KeyBox> boxes, std::size_t axis) {
  const double count = static_cast<double>(boxes.size());
  double size = 0.0;
  double sum = 0.0;
  for (const KeyBox& b : boxes) {
    const double lo = coordinate(b.end[kLow][axis]);
    const double hi = coordinate(b.end[kHigh][axis]);
    size += hi - lo;
    sum += lo + hi;
  }
  const double mean = sum / count;  // of twice the centre, as below
  double variance = 0.0;
  for (const KeyBox& b : boxes) {
    const double d = coordinate(b.end[kLow][axis]) + coordinate(b.end[kHigh][axis]) - mean;
    variance += d * d;
  }
  const double mean_size = std::max(size / count, 1e-30);
  return variance / (mean_size * mean_size);
}

/// The axes, the one with the greatest spread first.
std::array<std::size_t, 3> by_spread(std::span<const KeyBox> boxes) {
  const std::array<double, 3> s{spread(boxes, 0), spread(boxes, 1), spread(boxes, 2)};
  std::array<std::size_t, 3> axes{0, 1, 2};
  std::sort(axes.begin(), axes.end(),
            [&](std::size_t a, std::size_t b) { return s[a] != s[b] ? s[a] > s[b] : a < b; });
  return axes;
}

/// Pairs of intervals that overlap, by their sorted end points.
std::uint64_t overlaps_on_axis(std::span<const EndPoint> ends) {
  std::uint64_t pairs = 0;
  std::uint64_t open = 0;
  for (const EndPoint e : ends) {
    if (side_of(e) == kLow) {
      pairs += open++;
    } else {
      --open;
    }
  }
  return pairs;
}

}  // namespace

void IntervalSweep::add(const KeyBox& box, std::size_t body) {
  if (is_empty(box)) return;
  boxes_.push_back(box);
  bodies_.push_back(static_cast<std::uint32_t>(body));
}

std::span<const BodyPair> IntervalSweep::pairs(std::span<const core::Box> boxes) {
  boxes_.clear();
  bodies_.clear();
  for (std::size_t i = 0; i < boxes.size(); ++i) add(key_box(boxes[i]), i);
  find(boxes.size());
  return pairs_;
}

std::span<const BodyPair> IntervalSweep::pairs(std::span<const KeyBox> boxes) {
  boxes_.clear();
  bodies_.clear();
  for (std::size_t i = 0; i < boxes.size(); ++i) add(boxes[i], i);
  find(boxes.size());
  return pairs_;
}

void IntervalSweep::find(std::size_t bodies) {
  counters_ = {};
  found_.clear();
  body_bits_ = static_cast<unsigned>(std::bit_width(bodies));
  if (boxes_.size() <= (kind_ == SweepKind::kFastest ? kFewBoxes : 1)) {
    test_all();
  } else {
    sweep();
    sort_keys(found_, 0, 2 * body_bits_, spare_);
  }
  pairs_.clear();
  const std::uint64_t mask = (std::uint64_t{1} << body_bits_) - 1;
  for (const std::uint64_t f : found_) {
    pairs_.push_back({static_cast<BodyId>(f >> body_bits_), static_cast<BodyId>(f & mask)});
  }
}

void IntervalSweep::test_all() {
  for (std::size_t i = 0; i < boxes_.size(); ++i) {
    for (std::size_t j = i + 1; j < boxes_.size(); ++j) {
      ++counters_.box_tests;
      if (!overlap(boxes_[i], boxes_[j])) continue;
      found_.push_back(static_cast<std::uint64_t>(bodies_[i]) << body_bits_ | bodies_[j]);
    }
  }
}

void IntervalSweep::sort_ends(std::size_t axis, std::vector<EndPoint>& ends) {
  ends.clear();
  // Low ends first: at the same place they stay first.
  for (const Side side : {kLow, kHigh}) {
    for (std::uint32_t i = 0; i < boxes_.size(); ++i) {
      ends.push_back(end_point(boxes_[i].end[side][axis], side, i));
    }
  }
  sort_keys(ends, 32, 64, spare_);
}

void IntervalSweep::renumber(std::vector<EndPoint>& ends) {
  new_boxes_.clear();
  new_bodies_.clear();
  number_.resize(boxes_.size());
  for (EndPoint& e : ends) {
    const std::uint32_t i = body_of(e);
    if (side_of(e) == kLow) {
      number_[i] = static_cast<std::uint32_t>(new_boxes_.size());
      new_boxes_.push_back(boxes_[i]);
      new_bodies_.push_back(bodies_[i]);
    }
    e = end_point(0, side_of(e), number_[i]);  // the order is all that is needed from now on
  }
  boxes_.swap(new_boxes_);
  bodies_.swap(new_bodies_);
}

void IntervalSweep::keep(std::uint32_t i, std::uint32_t j) {
  const std::uint64_t first = std::min(bodies_[i], bodies_[j]);
  found_.push_back(first << body_bits_ | std::max(bodies_[i], bodies_[j]));
}

void IntervalSweep::sweep() {
  const auto [sweep_axis, tree_axis, last_axis] = by_spread(boxes_);
  sort_ends(sweep_axis, sweep_ends_);
  const auto doublings = static_cast<std::uint64_t>(std::bit_width(boxes_.size()));
  if (kind_ == SweepKind::kFastest &&
      overlaps_on_axis(sweep_ends_) <= kTestsPerBox * boxes_.size() * doublings) {
    sweep_list(sweep_axis);
  } else {
    sweep_tree(tree_axis, last_axis);
  }
}

void IntervalSweep::sweep_list(std::size_t axis) {
  renumber(sweep_ends_);
  const std::size_t second = (axis + 1) % 3;
  const std::size_t third = (axis + 2) % 3;
  for (std::uint32_t i = 0; i < boxes_.size(); ++i) {
    const KeyBox box = boxes_[i];
    std::uint32_t j = i + 1;
    for (; j < boxes_.size() && boxes_[j].end[kLow][axis] <= box.end[kHigh][axis]; ++j) {
      if (overlap_on(box, boxes_[j], second) && overlap_on(box, boxes_[j], third)) keep(i, j);
    }
    counters_.box_tests += j - i - 1;
  }
}

void IntervalSweep::sweep_tree(std::size_t tree_axis, std::size_t last_axis) {
  sort_ends(tree_axis, tree_ends_);
  renumber(tree_ends_);  // what a visit looks at lies side by side then
  tree_.set(tree_ends_);
  for (const EndPoint e : sweep_ends_) {
    const std::uint32_t i = number_[body_of(e)];
    if (side_of(e) == kHigh) {
      tree_.erase(i);
      continue;
    }
    counters_.nodes += tree_.visit(i, [&](std::uint32_t j) {
      ++counters_.box_tests;
      if (overlap_on(boxes_[i], boxes_[j], last_axis)) keep(i, j);
    });
    tree_.insert(i);
  }
}

}  // namespace tocsin::cpu
