#include "tocsin/avatar.h"

#include <fmt/format.h>

#include <cmath>
#include <cstddef>
#include <iterator>
#include <utility>

#include "base/quoted.h"
#include "core/vector/vec.h"
#include "scene/avatar/avatar_limits.h"
#include "scene/motion/avatar_tree.h"

namespace tocsin {
namespace {

/// Empty, or what is wrong with a link.
std::string fault_of(const Link& link, const Skeleton& skeleton) {
  if (link.joint < 0 || link.joint >= skeleton.size()) {
    return fmt::format("joint index {} is out of range (the skeleton has {} joints)", link.joint,
                       skeleton.size());
  }
  // Written so that a NaN fails.
  if (!(link.radius >= scene::kMinLinkRadius) || !std::isfinite(link.radius)) {
    return fmt::format("its radius must be finite and at least {} m, is {}", scene::kMinLinkRadius,
                       link.radius);
  }
  for (const Vec3& end : {link.a, link.b}) {
    if (!(std::fabs(end.x) <= scene::kMaxLinkOffset && std::fabs(end.y) <= scene::kMaxLinkOffset &&
          std::fabs(end.z) <= scene::kMaxLinkOffset)) {
      return fmt::format(
          "an end point must be finite and within {} m of its joint, is ({}, {}, {})",
          scene::kMaxLinkOffset, end.x, end.y, end.z);
    }
  }
  return {};
}

}  // namespace

Result<Avatar> Avatar::create(std::string name, Skeleton skeleton, std::vector<Link> links) {
  if (skeleton.size() == 0) return {ErrorCode::kInput, "an avatar needs a skeleton with joints"};
  if (links.empty()) {
    return {ErrorCode::kInput, fmt::format("avatar {} has no links", base::in_quotes(name))};
  }
  for (std::size_t i = 0; i < links.size(); ++i) {
    Link& link = links[i];
    // Whoever made it: what does not hold the shape would miss contacts.
    if (!link.shape.empty()) link = link_of_shape(link.name, link.joint, link.shape);
    const std::string fault = fault_of(links[i], skeleton);
    if (fault.empty()) continue;
    return {ErrorCode::kInput, fmt::format("avatar {}, link {} ({}): {}", base::in_quotes(name), i,
                                           base::in_quotes(links[i].name), fault)};
  }
  auto tree = std::make_shared<const scene::AvatarTree>(scene::make_tree(skeleton, links));
  Avatar avatar;
  avatar.body_ = std::make_shared<const Body>(
      Body{std::move(name), std::move(skeleton), std::move(links), std::move(tree)});
  return avatar;
}

Result<Avatar> Avatar::with_links(std::vector<Link> more) const {
  std::vector<Link> all(links().begin(), links().end());
  all.insert(all.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
  Result<Avatar> out = create(name(), skeleton(), std::move(all));
  if (out.ok()) out->radius_factor_ = radius_factor_;
  return out;
}

const std::shared_ptr<const Avatar::Body>& Avatar::nobody() {
  static const auto kNobody =
      std::make_shared<const Body>(Body{{}, {}, {}, std::make_shared<const scene::AvatarTree>()});
  return kNobody;
}

}  // namespace tocsin
