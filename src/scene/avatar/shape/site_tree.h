// A skeleton's tree without what only its maker needs: joints that lie in one place are one site.
#pragma once

#include <span>
#include <vector>

#include "tocsin/skeleton.h"

namespace tocsin::scene {

/// Joints that are connected and lie in one place.
struct Site {
  int parent = -1;            ///< site; -1: a root's
  Vec3 at;                    ///< as SiteTree::place
  std::vector<int> joints;    ///< parents first
  std::vector<int> children;  ///< sites
  double reach = 0.0;         ///< metres: the longest way down, from site to site
};

/// The tree of sites in one pose. Every root's frame is the world's, so that neither a placement
/// nor an up axis changes a bit of it.
class SiteTree {
 public:
  /// `local`: each joint's transform in its parent's frame; as many as there are joints.
  SiteTree(const Skeleton& skeleton, std::span<const Transform> local);

  [[nodiscard]] const std::vector<Site>& sites() const { return sites_; }
  [[nodiscard]] const Site& site(int index) const {
    return sites_[static_cast<std::size_t>(index)];
  }
  [[nodiscard]] int site_of(int joint) const { return site_of_[static_cast<std::size_t>(joint)]; }
  [[nodiscard]] int parent(int joint) const { return parents_[static_cast<std::size_t>(joint)]; }

  /// A joint's frame in its root's.
  [[nodiscard]] const Transform& place(int joint) const {
    return places_[static_cast<std::size_t>(joint)];
  }

  /// A point of the root's frame in a joint's.
  [[nodiscard]] Vec3 in_joint(const Vec3& point, int joint) const;

  /// The last joint of `site` on the way from the root to `joint`, which lies at or below it; -1 if
  /// it does not. What lies between this site and the next moves with this joint.
  [[nodiscard]] int last_at(int site, int joint) const;

  /// The last joint that both descend from; -1: they have different roots.
  [[nodiscard]] int common_joint(int a, int b) const;
  [[nodiscard]] int common_site(int a, int b) const;

  /// The sites below `above` on the way to `site`, both ends included; empty if it does not lie at
  /// or below it.
  [[nodiscard]] std::vector<int> way(int above, int site) const;

  /// The length of a branch: from a site's parent to the end of the longest way below it.
  [[nodiscard]] double branch(int site) const;

 private:
  void place_joints(const Skeleton& skeleton, std::span<const Transform> local);
  void merge(double least);

  std::vector<Site> sites_;
  std::vector<int> site_of_;
  std::vector<int> parents_;
  std::vector<Transform> places_;
};

}  // namespace tocsin::scene
