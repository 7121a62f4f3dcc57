// What is near an avatar's links at one time: the parts of Detector::nearest. docs/nearest.md.
#pragma once

#include <cstddef>
#include <cstdint>
#include <stop_token>
#include <vector>

#include "detect/step/exact_step.h"
#include "detect/step/moving_links.h"
#include "tocsin/active_pairs.h"
#include "tocsin/depth.h"

namespace tocsin::detect {

/// A room, and what is asked of it.
struct NearQuestion {
  const ExactStep& exact;
  const ActivePairs& active;  ///< those of the member and, of a scene, of its rules
  double time = 0.0;          ///< local, of the step that the links are on
  double within = 0.0;        ///< metres
  const std::stop_token* stop = nullptr;
};

/// Appends the objects that stand within the distance of a link, in any order. Throws Stopped.
void add_standing(const NearQuestion& question, MovingLinks& links, std::size_t link,
                  std::vector<LinkDistance>& out);
/// The same of objects of a scene that move or deform.
void add_in_motion(const NearQuestion& question, const SceneView& scene, MovingLinks& links,
                   std::size_t link, std::vector<LinkDistance>& out);

/// Where a link and an object are nearest to each other.
struct NearPlace {
  Vec3 ref;               ///< the others are relative to it; world, metres
  Vec3 on_link;           ///< on the axis, or a feature without its radius
  Vec3 point;             ///< on the object's surface
  double distance = 0.0;  ///< between the two, metres
  double radius = 0.0;    ///< of the link, margin included, metres
  double slack = 0.0;     ///< nearer than that both meet, metres
  bool inside = false;
};

/// Sets all but link, nearest and link_feature.
void set_place(LinkDistance& out, const NearPlace& at);

}  // namespace tocsin::detect
