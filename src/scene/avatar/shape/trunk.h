// Which branches of a skeleton are the legs and the arms of a person who stands upright.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/vector/vec.h"
#include "scene/avatar/shape/limb.h"

namespace tocsin::scene {

/// Legs and arms, and the directions of the body. The first of each pair is on one side, the second
/// on the other; which is left is not known yet.
struct Trunk {
  int pelvis = -1;  ///< the last site that is above both legs and the chest
  int chest = -1;   ///< the site from which the arms branch
  int neck = -1;    ///< the first site of the branch to the head
  LimbPair legs;
  LimbPair arms;
  Vec3 up;         ///< unit, from between the hips to between the shoulders
  Vec3 across;     ///< unit, across `up`, from the second side to the first
  Vec3 shoulders;  ///< the middle of the shoulders
  double cost = 0.0;
  std::vector<int> branches;  ///< both legs' and both arms' first sites: who it is

  [[nodiscard]] double leg() const { return legs.length(); }
};

struct TrunkAnswer {
  std::optional<Trunk> trunk;
  std::string why;  ///< if there is none
};

TrunkAnswer find_trunk(const SiteTree& tree);

}  // namespace tocsin::scene
