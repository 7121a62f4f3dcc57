#include "cpu/broadphase/sweep_and_prune.h"

#include <algorithm>
#include <bit>

#include "cpu/broadphase/sort_keys.h"

namespace tocsin::cpu {
namespace {

/// Swaps per body and doubling of their number after which insertion sort is broken off: by then it
/// has cost about as much as starting over (bench/bodies: some 2 to 4 ns a swap, some 20 ns a body
/// and doubling). Less, and frames that are still worth sorting start over; more, and a frame in
/// which everything jumps costs the more.
constexpr std::uint64_t kSwapsPerBody = 7;

/// After a frame that was broken off, the next ones start over without trying: 1, 3, 7, ... up to
/// so many if trying fails again and again. What is lost by trying is a small part then.
constexpr unsigned kLongestRest = 15;

/// Pairs that are noted before they are compared. Any number will do; they should stay in the first
/// cache.
constexpr std::size_t kPassedTogether = 512;

}  // namespace

BodyId SweepAndPrune::insert(const core::Box& box) {
  if (free_.empty()) {
    free_.push_back(static_cast<BodyId>(slots_.size()));
    slots_.push_back(Slot::kFree);
    boxes_.push_back(kEmptyBox);
  }
  const BodyId body = free_.back();
  free_.pop_back();
  Slot& slot = slots_[static_cast<std::size_t>(body)];
  // The end points of the body that had this number before become this one's: they move.
  if (slot == Slot::kGone) {
    slot = Slot::kListed;
    --gone_;
  } else {
    slot = Slot::kNew;
    ++new_;
  }
  ++size_;
  move(body, box);
  mask_.renew(body);
  return body;
}

void SweepAndPrune::remove(BodyId body) {
  Slot& slot = slots_[static_cast<std::size_t>(body)];
  if (slot == Slot::kListed) {
    slot = Slot::kGone;
    ++gone_;
  } else {
    slot = Slot::kFree;
    --new_;
  }
  --size_;
  boxes_[static_cast<std::size_t>(body)] = kEmptyBox;
  free_.push_back(body);
}

void SweepAndPrune::update() {
  counters_ = {};
  active_known_ = false;
  const auto doublings = static_cast<std::uint64_t>(std::bit_width(size_));
  std::uint64_t budget = kSwapsPerBody * size_ * doublings;
  // An end point that enters passes half of the others, on each of three axes.
  if (rests_ > 0 || 6 * new_ * size_ > budget) {
    start_over();
    return;
  }
  drop_gone();
  append_new();
  began_.clear();
  if (sort(0, budget) && sort(1, budget) && sort(2, budget)) {
    last_rest_ = 0;
    merge_pairs();
    return;
  }
  last_rest_ = std::min(2 * last_rest_ + 1, kLongestRest);
  rests_ = last_rest_ + 1;
  start_over();
}

void SweepAndPrune::drop_gone() {
  if (gone_ == 0) return;
  for (std::vector<EndPoint>& ends : ends_) {
    std::erase_if(ends, [&](EndPoint e) { return slots_[body_of(e)] == Slot::kGone; });
  }
  std::replace(slots_.begin(), slots_.end(), Slot::kGone, Slot::kFree);
  gone_ = 0;
}

void SweepAndPrune::append_new() {
  if (new_ == 0) return;
  for (std::uint32_t body = 0; body < slots_.size(); ++body) {
    if (slots_[body] != Slot::kNew) continue;
    slots_[body] = Slot::kListed;
    for (std::vector<EndPoint>& ends : ends_) {
      ends.push_back(end_point(kAboveAll, kLow, body));
      ends.push_back(end_point(kAboveAll, kHigh, body));
    }
  }
  new_ = 0;
}

// What is left of `at` has its new coordinates and is sorted, what is right of it is in the order
// of the frame before. So two end points are exchanged at most once, the right one being the one
// that moves, and only if their order has changed since that frame.
bool SweepAndPrune::sort(std::size_t axis, std::uint64_t& budget) {
  std::vector<EndPoint>& ends = ends_[axis];
  passed_.resize(kPassedTogether + ends.size());
  std::size_t passed = 0;
  for (std::size_t at = 0; at < ends.size(); ++at) {
    const std::uint32_t body = body_of(ends[at]);
    const std::uint32_t side = side_of(ends[at]);
    const EndPoint e = end_point(boxes_[body].end[side][axis], side, body);
    std::size_t to = at;
    if (side == kLow) {
      // Every end passed is noted, but only a high one is kept: a branch would be wrong half the
      // time.
      for (; to > 0 && ends[to - 1] > e; --to) {
        const EndPoint other = ends[to - 1];
        ends[to] = other;
        passed_[passed] = {body, body_of(other)};
        passed += side_of(other);
      }
    } else {
      for (; to > 0 && ends[to - 1] > e; --to) ends[to] = ends[to - 1];
    }
    ends[to] = e;
    counters_.swaps += at - to;
    if (at - to > budget) return false;
    budget -= at - to;
    if (passed < kPassedTogether) continue;
    compare({passed_.data(), passed}, axis);
    passed = 0;
  }
  compare({passed_.data(), passed}, axis);
  return true;
}

void SweepAndPrune::compare(std::span<const Passed> passed, std::size_t axis) {
  counters_.box_tests += passed.size();
  const std::size_t next = (axis + 1) % 3;
  for (const auto& [a, b] : passed) {
    if (!overlap_on(boxes_[a], boxes_[b], next)) continue;  // most end here
    if (!overlap(boxes_[a], boxes_[b]) || a == b) continue;
    began_.push_back({static_cast<BodyId>(std::min(a, b)), static_cast<BodyId>(std::max(a, b))});
  }
}

void SweepAndPrune::merge_pairs() {
  // A pair may have come to overlap on several axes. None was in the list: it did not overlap.
  std::sort(began_.begin(), began_.end());
  began_.erase(std::unique(began_.begin(), began_.end()), began_.end());
  counters_.began = began_.size();
  counters_.pair_tests = overlapping_.size();
  merged_.clear();
  auto next = began_.begin();
  for (const BodyPair& p : overlapping_) {
    if (!overlap(boxes_[static_cast<std::size_t>(p.first)],
                 boxes_[static_cast<std::size_t>(p.second)])) {
      continue;
    }
    for (; next != began_.end() && *next < p; ++next) merged_.push_back(*next);
    merged_.push_back(p);
  }
  merged_.insert(merged_.end(), next, began_.end());
  counters_.ended = overlapping_.size() + began_.size() - merged_.size();
  overlapping_.swap(merged_);
}

void SweepAndPrune::start_over() {
  const std::span<const BodyPair> found = sweep_.pairs(boxes_);
  overlapping_.assign(found.begin(), found.end());
  counters_.from_scratch = true;
  counters_.sweep = sweep_.counters();
  if (rests_ > 0) --rests_;
  if (rests_ == 0) list_all();  // sorted, for the next update to start from
}

void SweepAndPrune::list_all() {
  for (std::size_t axis = 0; axis < 3; ++axis) {
    std::vector<EndPoint>& ends = ends_[axis];
    ends.clear();
    for (const Side side : {kLow, kHigh}) {
      for (std::uint32_t body = 0; body < slots_.size(); ++body) {
        if (slots_[body] != Slot::kNew && slots_[body] != Slot::kListed) continue;
        ends.push_back(end_point(boxes_[body].end[side][axis], side, body));
      }
    }
    sort_keys(ends, 32, 64, spare_);
  }
  for (Slot& slot : slots_) {
    slot = slot == Slot::kNew || slot == Slot::kListed ? Slot::kListed : Slot::kFree;
  }
  new_ = 0;
  gone_ = 0;
}

std::span<const BodyPair> SweepAndPrune::pairs() {
  if (mask_.all_active()) return overlapping_;
  if (!active_known_ || active_version_ != mask_.version()) {
    active_.clear();
    for (const BodyPair& p : overlapping_) {
      if (mask_.active(p)) active_.push_back(p);
    }
    active_version_ = mask_.version();
    active_known_ = true;
  }
  return active_;
}

}  // namespace tocsin::cpu
