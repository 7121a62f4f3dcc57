#include "cpu/broadphase/interval_tree.h"

#include <algorithm>

namespace tocsin::cpu {

void IntervalTree::set(std::span<const EndPoint> sorted) {
  ranks_ = static_cast<std::uint32_t>(sorted.size());
  const std::uint32_t n = ranks_ / 2;
  interval_.resize(n);
  std::uint32_t begun = 0;
  for (std::uint32_t rank = 0; rank < ranks_; ++rank) {
    Interval& interval = interval_[body_of(sorted[rank])];
    if (side_of(sorted[rank]) == kLow) {
      interval.low = rank;
      ++begun;
    } else {
      interval.high = rank;
      interval.next = begun;
    }
  }
  // How many each node has, then where its slots end.
  node_.assign(ranks_ + std::size_t{1}, {});
  levels_ = 0;
  for (const Interval& i : interval_) {
    const std::uint32_t centre = node_of(i);
    Node& node = node_[centre];
    ++node.begin;
    node.least_low = std::min(node.least_low, i.low);
    node.greatest_high = std::max(node.greatest_high, i.high);
    levels_ |= centre & (~centre + 1);  // the lowest bit: 1 << level
  }
  std::uint32_t sum = 0;
  for (Node& node : node_) {
    sum += node.begin;
    node.begin = sum;
  }
  // Filled from their ends, nodes' slots begin where the filling stops: the last ones first.
  up_entry_.resize(n);
  for (std::uint32_t i = n; i-- > 0;) {
    Interval& interval = interval_[i];
    interval.up = --node_[node_of(interval)].begin;
    up_entry_[interval.up] = {interval.low, i};
  }
  down_entry_.resize(n);
  for (std::uint32_t rank = ranks_; rank-- > 0;) {
    if (side_of(sorted[rank]) == kLow) continue;
    const std::uint32_t i = body_of(sorted[rank]);
    Interval& interval = interval_[i];
    interval.down = node_[node_of(interval)].begin++;
    down_entry_[interval.down] = {rank, i};
  }
  // That moved every begin to its node's end, which is where the next node with slots begins.
  for (std::uint32_t i = n; i-- > 0;) --node_[node_of(interval_[i])].begin;
  in_order_.reset(n);
  up_.reset(n);
  down_.reset(n);
}

}  // namespace tocsin::cpu
