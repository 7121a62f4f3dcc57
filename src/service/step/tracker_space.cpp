#include "service/step/tracker_space.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>

#include "core/vector/compose.h"
#include "core/vector/vec.h"
#include "scene/motion/motion_data.h"

namespace tocsin::service {
namespace {

Transform normalized(const Transform& place) {
  return {core::normalized(place.rotation), place.translation};
}

}  // namespace

TrackerSpace::TrackerSpace(const TrackerPoses& tracker, const Skeleton& skeleton)
    : world_(tracker.world), holds_(tracker.hold_missing), skeleton_(skeleton) {
  for (const Joint& joint : skeleton.joints()) held_.push_back(joint.rest);
}

std::vector<std::uint32_t> TrackerSpace::missing(std::span<const Transform> pose) const {
  std::vector<std::uint32_t> out;
  for (std::size_t i = 0; holds_ && i < pose.size(); ++i) {
    if (pose[i].rotation == Quat{0.0, 0.0, 0.0, 0.0}) out.push_back(static_cast<std::uint32_t>(i));
  }
  return out;
}

void TrackerSpace::take(std::vector<Transform>& pose, std::span<const std::uint32_t> missing,
                        std::string& fault) const {
  for (const std::uint32_t joint : missing) pose[joint] = {};
  std::size_t joint = 0;
  fault = detail::take_pose(pose, joint);
  if (!fault.empty()) {
    fault = fmt::format("joint \"{}\": {}", skeleton_.joints()[joint].name, fault);
    return;
  }
  if (missing.empty()) pose = local(pose, missing);
}

void TrackerSpace::settle(std::vector<Transform>& pose, std::span<const std::uint32_t> missing) {
  if (!holds_) return;
  if (!missing.empty()) pose = local(pose, missing);
  held_ = pose;
}

void TrackerSpace::keep(std::span<const Transform> pose) {
  if (holds_) held_.assign(pose.begin(), pose.end());
}

std::vector<Transform> TrackerSpace::local(std::span<const Transform> pose,
                                           std::span<const std::uint32_t> missing) const {
  const auto joints = skeleton_.joints();
  std::vector<Transform> out(pose.begin(), pose.end());
  std::vector<Transform> world(pose.begin(), pose.end());
  for (std::size_t i = 0; i < out.size(); ++i) {
    const bool is_missing =
        std::binary_search(missing.begin(), missing.end(), static_cast<std::uint32_t>(i));
    const int parent = joints[i].parent;
    if (is_missing) {
      out[i] = held_[i];
      world[i] = parent < 0
                     ? out[i]
                     : normalized(core::compose(world[static_cast<std::size_t>(parent)], out[i]));
    } else if (world_ && parent >= 0) {
      out[i] = normalized(core::seen_from(world[static_cast<std::size_t>(parent)], pose[i]));
    }
  }
  return out;
}

}  // namespace tocsin::service
