// What forward kinematics and bounds ask of an avatar: its joints' tree and its links' places.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "scene/motion/pose_kernels.h"
#include "tocsin/avatar.h"

namespace tocsin::scene {

/// Made with the avatar, and immutable. All that check an avatar share it, so that it stays in a
/// worker's caches from one session of a crowd to the next.
struct AvatarTree {
  std::vector<std::int32_t> used;              ///< joints that some link hangs on, parents first
  std::vector<std::int32_t> parents;           ///< of all joints
  std::vector<std::int32_t> chain_joints;      ///< all links' chains, root first, one after another
  std::vector<std::size_t> chain_begin = {0};  ///< per link, and the end of the last
  std::vector<std::int32_t> root_of;           ///< per joint: index into `roots`
  std::vector<std::int32_t> roots;             ///< joints without a parent that are used
  std::vector<LinkPlace> places;               ///< of all links
  std::vector<double> far_a;                   ///< |a| and |b| of all links, metres
  std::vector<double> far_b;
  double farthest = 0.0;  ///< the greatest of these, and of the corners of shapes
  bool shaped = false;    ///< some link has a shape
  std::int32_t longest_chain = 0;
};

AvatarTree make_tree(const Skeleton& skeleton, std::span<const Link> links);

/// That of an avatar; the avatar keeps it.
const std::shared_ptr<const AvatarTree>& tree_of(const Avatar& avatar);

}  // namespace tocsin::scene
