// Avatar::automatic: links for any skeleton at all, from its bones.
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "base/unique_names.h"
#include "core/vector/vec.h"
#include "scene/avatar/avatar_scale.h"
#include "tocsin/avatar.h"

namespace tocsin {
namespace {

/// Radius of a link over length of its bone. The limbs of humanoid16 on the recorded takes have
/// 0.13 (shin) to 0.23 (forearm): docs/avatars.md. A larger ratio makes stouter avatars.
constexpr double kRadiusPerLength = 0.18;
/// Metres. About half a finger's breadth: below it short bones would turn into needles.
constexpr double kMinRadius = 0.01;
/// Metres. About half the depth of a chest: above it one long bone for a whole spine would fill a
/// door.
constexpr double kMaxRadius = 0.12;
/// Metres, for a skeleton of which all joints lie in one point: a fist, so that it can touch
/// something.
constexpr double kLoneJointRadius = 0.05;

/// A joint's name without its prefix up to the last ':', which `--ignore LINK:OBJECT` could not
/// name.
std::string short_name(const std::string& joint) {
  const std::size_t colon = joint.rfind(':');
  return colon == std::string::npos ? joint : joint.substr(colon + 1);
}

std::vector<Link> bones(std::span<const Joint> joints) {
  std::vector<Link> links;
  for (const Joint& child : joints) {
    if (child.parent < 0) continue;
    const Vec3& offset = child.rest.translation;
    const double length = core::norm(offset);
    if (!(length > 0.0)) continue;
    const std::string& parent = joints[static_cast<std::size_t>(child.parent)].name;
    Link link;
    link.name = short_name(parent) + "-" + short_name(child.name);
    link.joint = child.parent;
    link.b = offset;
    link.radius = core::clamp_to(kRadiusPerLength * length, kMinRadius, kMaxRadius);
    links.push_back(std::move(link));
  }
  return links;
}

std::vector<Link> lone_joints(std::span<const Joint> joints) {
  std::vector<Link> links;
  for (std::size_t i = 0; i < joints.size(); ++i) {
    Link link;
    link.name = short_name(joints[i].name);
    link.joint = static_cast<int>(i);
    link.radius = kLoneJointRadius;
    links.push_back(std::move(link));
  }
  return links;
}

}  // namespace

Result<Avatar> Avatar::automatic(const Skeleton& skeleton, const RadiusScale& scale) {
  const Result<scene::RadiusFactor> factor = scene::given_radius_factor(scale);
  if (!factor.ok()) return factor.error();
  std::vector<Link> links = bones(skeleton.joints());
  if (links.empty()) links = lone_joints(skeleton.joints());
  std::vector<std::string*> names;
  names.reserve(links.size());
  for (Link& link : links) names.push_back(&link.name);
  base::make_distinct(names);
  if (const Status scaled = scene::scale_radii(links, factor.value().value, scale); !scaled.ok()) {
    return scaled.error();
  }
  Result<Avatar> avatar = create("auto", skeleton, std::move(links));
  if (avatar.ok()) avatar->radius_factor_ = factor.value().value;
  return avatar;
}

}  // namespace tocsin
