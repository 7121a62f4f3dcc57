#include "tocsin/skeleton.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/vector/vec.h"
#include "scene/motion/joint_places.h"

namespace tocsin {
namespace {

/// How far a rest quaternion's length may be from 1, as a pose's (motion.cpp): what was stored as
/// floats or with four decimals passes. Larger: a scaled joint, which is no rigid motion, may pass.
constexpr double kRestLengthTolerance = 1e-3;

/// A rest quaternion this close to unit length is kept as it is. A reader's are off by some 1e-16.
/// Smaller: skeletons, and so hashes, of before may differ in their last bits.
constexpr double kRestLengthKept = 1e-9;

double height_of(const Vec3& a, UpAxis up) {
  switch (up) {
    case UpAxis::kX:
      return a.x;
    case UpAxis::kZ:
      return a.z;
    case UpAxis::kY:
      break;
  }
  return a.y;
}

/// The longest chain for which the rounding analysis of docs/exact.md holds.
constexpr std::size_t kMostJoints = std::size_t{1} << 14;

/// The fault of joint `i`, or an empty string.
std::string problem_of(std::span<const Joint> joints, std::size_t i) {
  const Joint& joint = joints[i];
  if (joint.parent < -1 || joint.parent >= static_cast<int>(i)) {
    return fmt::format("joint {} \"{}\": its parent, {}, does not come before it", i, joint.name,
                       joint.parent);
  }
  const Quat& q = joint.rest.rotation;
  const double length = core::norm(q);
  if (!core::is_finite(joint.rest.translation) || !std::isfinite(length)) {
    return fmt::format("joint {} \"{}\": its rest transform is not finite", i, joint.name);
  }
  if (std::fabs(length - 1.0) > kRestLengthTolerance) {
    return fmt::format("joint {} \"{}\": its rest quaternion has length {}, not 1", i, joint.name,
                       length);
  }
  return {};
}

}  // namespace

Result<Skeleton> Skeleton::create(std::vector<Joint> joints) {
  if (joints.empty()) return {ErrorCode::kInput, "a skeleton needs at least one joint"};
  if (joints.size() > kMostJoints) {
    return {ErrorCode::kInput,
            fmt::format("{} joints; a skeleton has at most {}", joints.size(), kMostJoints)};
  }
  for (std::size_t i = 0; i < joints.size(); ++i) {
    if (std::string problem = problem_of(joints, i); !problem.empty()) {
      return {ErrorCode::kInput, std::move(problem)};
    }
  }
  for (Joint& joint : joints) {
    Quat& q = joint.rest.rotation;
    if (std::fabs(core::norm(q) - 1.0) > kRestLengthKept) q = core::normalized(q);
  }
  Skeleton skeleton;
  skeleton.joints_ = std::move(joints);
  return skeleton;
}

int Skeleton::find(std::string_view name) const {
  const auto at = std::find_if(joints_.begin(), joints_.end(),
                               [name](const Joint& joint) { return joint.name == name; });
  return at == joints_.end() ? -1 : static_cast<int>(at - joints_.begin());
}

bool Skeleton::descends(int joint, int ancestor) const {
  if (joint < 0 || joint >= size() || ancestor < 0) return false;
  // Parents come before children, so the walk can stop as soon as it has passed the ancestor.
  while (joint > ancestor) joint = joints_[static_cast<std::size_t>(joint)].parent;
  return joint == ancestor;
}

std::vector<Vec3> Skeleton::rest_positions() const {
  std::vector<Vec3> positions;
  positions.reserve(joints_.size());
  for (const Transform& place : scene::rest_places(*this)) positions.push_back(place.translation);
  return positions;
}

Vec3 Skeleton::rest_position_in(int descendant, int ancestor) const {
  Vec3 position;
  for (int i = descendant; i > ancestor;) {
    const Joint& joint = joints_[static_cast<std::size_t>(i)];
    position = core::rotate(joint.rest.rotation, position) + joint.rest.translation;
    i = joint.parent;
  }
  return position;
}

double Skeleton::rest_height(UpAxis up) const {
  if (joints_.empty()) return 0.0;
  const std::vector<Vec3> positions = rest_positions();
  double low = height_of(positions.front(), up);
  double high = low;
  for (const Vec3& position : positions) {
    low = core::min_of(low, height_of(position, up));
    high = core::max_of(high, height_of(position, up));
  }
  return high - low;
}

}  // namespace tocsin
