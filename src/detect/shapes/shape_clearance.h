// A proved lower bound of how near a link that has a shape comes to the room, or to another link.
// docs/exact.md, "Clearance".
#pragma once

#include <cstdint>
#include <functional>
#include <stop_token>

#include "cpu/tree/tree_culler.h"
#include "detect/step/moving_links.h"
#include "tocsin/environment.h"

namespace tocsin::detect {

/// Some of a room's triangles.
struct WantedTriangles {
  const Environment& environment;
  const cpu::TreeCuller& tree;
  const std::function<bool(std::uint32_t)>& wanted;
};

/// As proved_clearance() of a line swept sphere (detect/step/clearance.h), between the shape's
/// surface and the triangles that are wanted. Throws Stopped once `stop` asks for it; null: never.
double shape_clearance(MovingLinks& links, std::size_t link, const WantedTriangles& triangles,
                       const std::stop_token* stop);

/// The same of two links of which one at least has a shape. The motions of both are made already.
double shape_clearance(MovingLinks& a, std::size_t link, MovingLinks& b, std::size_t other,
                       const std::stop_token* stop);

}  // namespace tocsin::detect
