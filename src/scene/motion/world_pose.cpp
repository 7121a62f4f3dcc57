#include "scene/motion/world_pose.h"

#include <utility>

#include "core/vector/same_bits.h"

namespace tocsin::scene {

void WorldPoses::set_avatar(std::shared_ptr<const AvatarTree> tree) {
  tree_ = std::move(tree);
  start_.resize(tree_->places.size());
  end_.resize(tree_->places.size());
  last_ = {};
}

void WorldPoses::set_step(const Step& step) {
  // Steps mostly follow each other: then this one starts where the last one ended.
  if (core::same_bits(step.pose0(), last_.pose1())) {
    std::swap(start_, end_);
  } else {
    set_pose(step.pose0(), start_);
  }
  set_pose(step.pose1(), end_);
  last_ = step;
}

void WorldPoses::set_pose(std::span<const Transform> local, std::vector<LinkEnds>& ends) {
  // Of this call alone, 4 KiB of a person: those of the thread stay in its caches.
  thread_local std::vector<JointFrame> frames;
  if (frames.size() < tree_->parents.size()) frames.resize(tree_->parents.size());
  place_joints(tree_->used, tree_->parents, local, frames);
  place_links(tree_->places, frames, ends);
}

}  // namespace tocsin::scene
