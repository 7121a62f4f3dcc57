// Contacts of links that have shapes: with the room's triangles, and with other links of any kind.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "detect/crowd/near_links.h"
#include "detect/shapes/feature_search.h"
#include "detect/shapes/link_features.h"
#include "detect/step/moving_links.h"
#include "tocsin/contact.h"
#include "tocsin/environment.h"
#include "tocsin/step_report.h"

namespace tocsin::detect {

/// Some triangles of one object, by their indices in the environment, in order.
struct RoomTriangles {
  const Environment& environment;
  std::uint32_t object = 0;
  std::span<const std::uint32_t> triangles;
};

/// Owns memory that is used again; one thread at a time asks. Throws Stopped and std::bad_alloc,
/// and Spent as FeatureSearch does.
class ShapeContacts {
 public:
  /// The contact of a link with an object of which only these triangles are near; the others are
  /// proved free of the link's capsule. Precondition: the link has a shape.
  std::optional<Contact> with_room(MovingLinks& links, std::size_t link,
                                   const RoomTriangles& triangles, const SearchLimits& limits,
                                   StepCounters& counters);

  /// The contact of a link, of any kind, with an object that deforms, of which only these triangles
  /// are near. The object's thickness is 0.
  std::optional<Contact> with_deforming(MovingLinks& links, std::size_t link, std::uint32_t object,
                                        std::span<const MovingTriangle> triangles,
                                        const SearchLimits& limits, StepCounters& counters);

  /// The contact of two links. `other`: how the contact names the second. It does not depend on
  /// limits.stop_after: what is pruned of a fold would change it. Precondition: one of them has a
  /// shape.
  std::optional<Contact> with_link(MovingLinks& a, MovingLinks& b, const NearLinks& pair,
                                   const OtherLink& other, const SearchLimits& limits,
                                   StepCounters& counters);

  /// FeatureSearch::proved_until().
  [[nodiscard]] double proved_until() const { return search_.proved_until(); }

 private:
  FeatureSearch search_;
  FeatureStore first_;
  FeatureStore second_;
};

}  // namespace tocsin::detect
