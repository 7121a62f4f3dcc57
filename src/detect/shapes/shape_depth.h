// How deep a link that has a shape is in an object, and how far two links are apart, at one time.
// Computed, not certified. docs/exact.md, "Depth of an episode".
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "cpu/tree/tree_culler.h"
#include "detect/step/moving_links.h"
#include "detect/step/solid_objects.h"
#include "tocsin/avatar.h"
#include "tocsin/depth.h"
#include "tocsin/environment.h"
#include "tocsin/motion.h"

namespace tocsin::detect {

/// A room with its tree, and which of its objects are solid.
struct SolidRoom {
  const Environment& environment;
  const cpu::TreeCuller& tree;
  const SolidObjects& solid;
};

/// Of a shape's parts whose first corners are in an object, the deepest.
struct CornerInside {
  Depth depth;  ///< of the corner
  Vec3 at;      ///< where it is, relative to the link's ref, metres
};

/// None: the object is not solid, or holds none of them.
std::optional<CornerInside> deepest_corner(const SolidRoom& room, std::uint32_t object,
                                           MovingLinks& links, std::size_t link, double time);

/// Detector::depth of a link that has a shape, at a local time of the step. Precondition: the
/// object has triangles.
Depth shape_depth(const SolidRoom& room, std::uint32_t object, MovingLinks& links, std::size_t link,
                  double time);

/// A link at a local time of a step.
struct LinkAt {
  const Avatar& avatar;
  const Step& step;
  std::int32_t link = 0;
  double time = 0.0;
};

/// The distance of two links of any kind, without their radii, metres; what they meet by is at most
/// rounding.
double distance_of_links(const LinkAt& a, const LinkAt& b);

}  // namespace tocsin::detect
