#include "scene/motion/world_pose.h"

#include <cstring>
#include <utility>

namespace tocsin::scene {

namespace {

/// True if the poses are the same, bit for bit: what was computed from one holds for the other.
bool same_bits(std::span<const Transform> p, std::span<const Transform> q) {
  static_assert(sizeof(Transform) == 7 * sizeof(double));  // no padding
  if (p.size() != q.size()) return false;
  return p.data() == q.data() || std::memcmp(p.data(), q.data(), p.size_bytes()) == 0;
}

}  // namespace

void WorldPoses::set_avatar(const Avatar& avatar, std::span<const std::int32_t> used,
                            std::span<const std::int32_t> parents) {
  used_.assign(used.begin(), used.end());
  parents_.assign(parents.begin(), parents.end());
  links_.clear();
  for (const Link& link : avatar.links()) links_.push_back({link.joint, link.a, link.b});
  frames_.resize(parents_.size());
  start_.resize(links_.size());
  end_.resize(links_.size());
  last_ = {};
}

void WorldPoses::set_step(const Step& step) {
  // Steps mostly follow each other: then this one starts where the last one ended.
  if (same_bits(step.pose0(), last_.pose1())) {
    std::swap(start_, end_);
  } else {
    set_pose(step.pose0(), start_);
  }
  set_pose(step.pose1(), end_);
  last_ = step;
}

void WorldPoses::set_pose(std::span<const Transform> local, std::vector<LinkEnds>& ends) {
  place_joints(used_, parents_, local, frames_);
  place_links(links_, frames_, ends);
}

}  // namespace tocsin::scene
