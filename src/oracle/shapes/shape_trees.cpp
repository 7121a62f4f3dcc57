#include "oracle/shapes/shape_trees.h"

namespace tocsin::oracle {

ShapeTrees::ShapeTrees(std::span<const Member> members) {
  for (const Member& member : members) {
    for (const Link& link : member.avatar.links()) {
      if (link.shape.empty()) continue;
      const auto [entry, is_new] = trees_.try_emplace(link.shape.corners().data());
      if (!is_new) continue;
      entry->second = std::make_shared<const FeatureTree>(link.shape);
      shapes_.push_back(link.shape);
    }
  }
}

std::shared_ptr<const FeatureTree> ShapeTrees::of(const Shape& shape) const {
  const auto found = trees_.find(shape.corners().data());
  if (found != trees_.end()) return found->second;
  return std::make_shared<const FeatureTree>(shape);
}

}  // namespace tocsin::oracle
