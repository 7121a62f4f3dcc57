// The skeletons of a scene: which of its nodes are joints of one body.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "io/import/animated_scene.h"

namespace tocsin::io {

struct SceneSkeleton {
  std::string name;                ///< of its first skin; of its root, if the file has no skins
  std::vector<std::string> names;  ///< names that select it: those of all its skins and root joints
  std::vector<int> nodes;          ///< of the scene, parents before children
  std::vector<int> parents;        ///< of each: index into `nodes`, -1: a root
};

/// Most skeletons in one file. A crowd in one file has some hundreds. With more, the work for each
/// of them over all nodes would be out of proportion to the file.
inline constexpr std::size_t kMostSkeletons = 1000;

/// Skins that share a joint, or of which one has a joint above one of the other's, are one
/// skeleton. With them come the nodes between two of their joints; the lowest node that is above
/// all of them, if an animation moves it; and what hangs below them and shows nothing, neither
/// itself nor further down (end nodes). If no mesh is skinned, the nodes that the animations move
/// are taken for the joints of one skeleton, and the lowest node above all of them belongs to it
/// unless it is the whole scene's.
///
/// Nodes that assimp makes for an FBX node's pivots (SceneNode::helper) are never joints. More than
/// kMostSkeletons: the first so many and one more.
std::vector<SceneSkeleton> scene_skeletons(const AnimatedScene& scene);

}  // namespace tocsin::io
