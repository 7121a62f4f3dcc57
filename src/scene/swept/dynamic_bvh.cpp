#include "scene/swept/dynamic_bvh.h"

namespace tocsin::scene {

void DynamicBvh::set(std::span<const core::Box> leaves) {
  leaves_ = leaves.size();
  nodes_.assign(leaves.begin(), leaves.end());
  level_count_ = 0;
  if (leaves.empty()) return;
  begin_[0] = 0;
  size_[0] = leaves.size();
  while (size_[level_count_] > 1) {
    const std::size_t begin = begin_[level_count_];
    const std::size_t size = size_[level_count_];
    for (std::size_t i = 0; i < size; i += 2) {
      const core::Box left = nodes_[begin + i];  // not a reference: the array may move
      nodes_.push_back(i + 1 < size ? join(left, nodes_[begin + i + 1]) : left);
    }
    ++level_count_;
    begin_[level_count_] = begin + size;
    size_[level_count_] = (size + 1) / 2;
  }
  ++level_count_;
}

}  // namespace tocsin::scene
