#include "scene/avatar/shape/site_tree.h"

#include <algorithm>

#include "core/vector/compose.h"
#include "core/vector/vec.h"

namespace tocsin::scene {
namespace {

/// Of the longest way from a root to an end, some 2 m on a person: so 2 mm. Bones are longer; what
/// exporters round, and the "zero" offsets of some, is shorter.
constexpr double kOnePlace = 1e-3;

}  // namespace

SiteTree::SiteTree(const Skeleton& skeleton, std::span<const Transform> local) {
  place_joints(skeleton, local);
  std::vector<double> down(places_.size(), 0.0);
  double longest = 0.0;
  for (std::size_t i = places_.size(); i-- > 0;) {
    longest = std::max(longest, down[i]);
    if (parents_[i] < 0) continue;
    const auto p = static_cast<std::size_t>(parents_[i]);
    const double bone = core::norm(places_[i].translation - places_[p].translation);
    down[p] = std::max(down[p], bone + down[i]);
  }
  merge(kOnePlace * longest);
  for (std::size_t i = sites_.size(); i-- > 0;) {
    if (sites_[i].parent < 0) continue;
    Site& above = sites_[static_cast<std::size_t>(sites_[i].parent)];
    above.reach = std::max(above.reach, branch(static_cast<int>(i)));
  }
}

void SiteTree::place_joints(const Skeleton& skeleton, std::span<const Transform> local) {
  for (std::size_t i = 0; i < local.size(); ++i) {
    const int parent = skeleton.joints()[i].parent;
    parents_.push_back(parent);
    if (parent < 0) {
      places_.emplace_back();
      continue;
    }
    const Transform& above = places_[static_cast<std::size_t>(parent)];
    places_.push_back(core::compose(above, local[i]));
  }
}

void SiteTree::merge(double least) {
  const auto near = [&](int site, const Vec3& at) {
    return core::norm(sites_[static_cast<std::size_t>(site)].at - at) <= least;
  };
  for (std::size_t i = 0; i < places_.size(); ++i) {
    const Vec3& at = places_[i].translation;
    const int above = parents_[i] < 0 ? -1 : site_of_[static_cast<std::size_t>(parents_[i])];
    int home = above >= 0 && near(above, at) ? above : -1;
    if (home < 0 && above >= 0) {
      const std::vector<int>& beside = sites_[static_cast<std::size_t>(above)].children;
      const auto it =
          std::find_if(beside.begin(), beside.end(), [&](int site) { return near(site, at); });
      if (it != beside.end()) home = *it;
    }
    if (home < 0) {
      home = static_cast<int>(sites_.size());
      sites_.push_back({above, at, {}, {}, 0.0});
      if (above >= 0) sites_[static_cast<std::size_t>(above)].children.push_back(home);
    }
    site_of_.push_back(home);
    sites_[static_cast<std::size_t>(home)].joints.push_back(static_cast<int>(i));
  }
}

Vec3 SiteTree::in_joint(const Vec3& point, int joint) const {
  const Transform& frame = place(joint);
  return core::rotate(core::conjugate(frame.rotation), point - frame.translation);
}

int SiteTree::last_at(int site, int joint) const {
  while (joint >= 0 && site_of(joint) != site) joint = parent(joint);
  return joint;
}

int SiteTree::common_joint(int a, int b) const {
  // Parents have smaller numbers.
  while (a != b) (a > b ? a : b) = parent(a > b ? a : b);
  return a;
}

int SiteTree::common_site(int a, int b) const {
  while (a != b) {
    int& lower = a > b ? a : b;
    lower = site(lower).parent;
  }
  return a;
}

std::vector<int> SiteTree::way(int above, int site_index) const {
  std::vector<int> out;
  int at = site_index;
  for (; at >= 0 && at != above; at = site(at).parent) out.push_back(at);
  if (at < 0) return {};
  out.push_back(above);
  std::reverse(out.begin(), out.end());
  return out;
}

double SiteTree::branch(int index) const {
  const Site& s = site(index);
  if (s.parent < 0) return s.reach;
  return core::norm(s.at - site(s.parent).at) + s.reach;
}

}  // namespace tocsin::scene
