#include "scene/motion/avatar_tree.h"

#include <algorithm>
#include <cstddef>

#include "core/vector/vec.h"
#include "scene/shape/shape_data.h"

namespace tocsin::scene {
namespace {

void add_chain(const Link& link, AvatarTree& tree, std::vector<std::uint8_t>& used) {
  for (std::int32_t j = link.joint; j >= 0; j = tree.parents[static_cast<std::size_t>(j)]) {
    tree.chain_joints.push_back(j);
    used[static_cast<std::size_t>(j)] = 1;
  }
  const std::size_t begin = tree.chain_begin.back();
  std::reverse(tree.chain_joints.begin() + static_cast<std::ptrdiff_t>(begin),
               tree.chain_joints.end());
  tree.chain_begin.push_back(tree.chain_joints.size());
  tree.longest_chain =
      std::max(tree.longest_chain, static_cast<std::int32_t>(tree.chain_joints.size() - begin));
}

void add_link(const Link& link, AvatarTree& tree) {
  tree.places.push_back({link.joint, link.a, link.b});
  tree.far_a.push_back(core::norm(link.a));
  tree.far_b.push_back(core::norm(link.b));
  tree.farthest = std::max({tree.farthest, tree.far_a.back(), tree.far_b.back()});
  if (link.shape.empty()) return;
  tree.shaped = true;
  tree.farthest = std::max(tree.farthest, data_of(link.shape).reach);
}

void find_roots(const std::vector<std::uint8_t>& used, AvatarTree& tree) {
  tree.root_of.assign(tree.parents.size(), 0);
  for (std::size_t j = 0; j < used.size(); ++j) {
    if (used[j] == 0) continue;
    tree.used.push_back(static_cast<std::int32_t>(j));
    if (tree.parents[j] >= 0) {
      tree.root_of[j] = tree.root_of[static_cast<std::size_t>(tree.parents[j])];
    } else {
      tree.root_of[j] = static_cast<std::int32_t>(tree.roots.size());
      tree.roots.push_back(static_cast<std::int32_t>(j));
    }
  }
}

}  // namespace

AvatarTree make_tree(const Skeleton& skeleton, std::span<const Link> links) {
  AvatarTree tree;
  for (const Joint& joint : skeleton.joints()) tree.parents.push_back(joint.parent);
  std::vector<std::uint8_t> used(tree.parents.size(), 0);
  for (const Link& link : links) {
    add_chain(link, tree, used);
    add_link(link, tree);
  }
  find_roots(used, tree);
  return tree;
}

const std::shared_ptr<const AvatarTree>& tree_of(const Avatar& avatar) {
  return avatar.body_->tree;
}

}  // namespace tocsin::scene
