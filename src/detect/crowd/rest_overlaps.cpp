#include "detect/crowd/rest_overlaps.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/query/axis_pair.h"
#include "scene/avatar/literal_glob.h"
#include "scene/swept/step_motion.h"
#include "tocsin/motion.h"

namespace tocsin::detect {
namespace {

struct RestLink {
  core::AxisState axis;  // world, metres
  double radius = 0.0;
};

/// All links in the skeleton's rest pose; none if no motion can have that pose.
std::vector<RestLink> rest_links(const Avatar& avatar, double margin) {
  std::vector<Transform> rest;
  for (const Joint& joint : avatar.skeleton().joints()) rest.push_back(joint.rest);
  const auto still = Motion::create(avatar.skeleton(), 1.0, std::move(rest));
  if (!still) return {};
  const auto steps = still->steps({0, 0, 1, InBetween::kScrew, true});
  if (!steps || steps->empty()) return {};
  scene::StepMotion motion;
  motion.set_motions(avatar, steps->front(), margin);
  std::vector<RestLink> out;
  for (const scene::SweptLink& link : motion.links()) {
    const core::AxisState at = core::evaluate(link.motion, 0.0);
    out.push_back({{link.motion.ref + at.a, link.motion.ref + at.b, {}, {}}, link.motion.radius});
  }
  return out;
}

bool has_shape(const Avatar& avatar, std::size_t link) {
  return !avatar.links()[link].shape.empty();
}

double depth_of(const RestLink& p, const RestLink& q) {
  const Vec3 from = p.axis.a;
  const core::AxisState a{p.axis.a - from, p.axis.b - from, {}, {}};
  const core::AxisState b{q.axis.a - from, q.axis.b - from, {}, {}};
  return p.radius + q.radius - std::sqrt(core::closest_points(a, b).squared);
}

}  // namespace

std::vector<RestOverlap> rest_overlaps(const Member& member, double margin) {
  std::vector<RestOverlap> out;
  if (member.self.none()) return out;
  const std::vector<RestLink> links = rest_links(member.avatar, margin);
  for (std::size_t i = 0; i < links.size(); ++i) {
    for (std::size_t j = i + 1; j < links.size(); ++j) {
      const auto first = static_cast<std::int32_t>(i);
      const auto second = static_cast<std::int32_t>(j);
      if (!member.self.active(first, second)) continue;
      // A shape overlaps less than its capsule: to leave the pair out would miss its contacts.
      if (has_shape(member.avatar, i) || has_shape(member.avatar, j)) continue;
      const double depth = depth_of(links[i], links[j]);
      if (depth > 0.0) out.push_back({first, second, depth});
    }
  }
  std::stable_sort(out.begin(), out.end(),
                   [](const RestOverlap& a, const RestOverlap& b) { return a.depth > b.depth; });
  return out;
}

std::vector<std::string> rest_patterns(const Avatar& avatar,
                                       const std::vector<RestOverlap>& overlaps,
                                       const std::set<std::string>& objects) {
  std::vector<std::string> out;
  std::set<std::string> known;
  for (const RestOverlap& one : overlaps) {
    std::string a = avatar.links()[static_cast<std::size_t>(one.first)].name;
    std::string b = avatar.links()[static_cast<std::size_t>(one.second)].name;
    if (objects.contains(b)) std::swap(a, b);
    if (objects.contains(b)) continue;
    std::string pattern = scene::literal_glob(a) + ":" + scene::literal_glob(b);
    if (known.insert(pattern).second) out.push_back(std::move(pattern));
  }
  return out;
}

}  // namespace tocsin::detect
