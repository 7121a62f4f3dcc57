// The layout of a motion as a BVH file: its joints, their order, names and channels.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tocsin/motion.h"

namespace tocsin::io {

struct BvhJoint {
  std::int32_t joint = 0;  ///< index in the motion's skeleton
  int depth = 0;           ///< 0: a root
  bool end_site = false;
  bool has_position = false;  ///< position channels, besides those of rotation
  std::string name;           ///< as written
};

struct BvhLayout {
  std::vector<BvhJoint> joints;       ///< depth first, siblings in the skeleton's order
  std::vector<Quat> world;            ///< world[j]: rest rotation of joint j in the world
  std::vector<std::string> warnings;  ///< about names
};

/// Precondition: the motion has joints.
BvhLayout lay_out_bvh(const Motion& motion);

}  // namespace tocsin::io
