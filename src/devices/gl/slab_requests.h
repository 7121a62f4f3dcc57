// Questions about many steps, put together for a device to answer at once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "gpu/gl/visibility/visibility.h"
#include "scene/swept/slab.h"
#include "scene/swept/swept_surface.h"
#include "scene/tree/clusters.h"
#include "tocsin/detector.h"

namespace tocsin::devices {

/// Whose slab it is, and when.
struct SlabOwner {
  std::uint32_t step = 0;  ///< index among the steps that are asked about
  std::int32_t link = 0;
  double t0 = 0.0;  ///< step time
  double t1 = 1.0;
};

/// A batch for gl::Visibility with the owners of its slabs.
struct SlabRequests {
  gl::VisibilityBatch batch;
  std::vector<SlabOwner> owners;  ///< of batch.slabs

  void clear();
  /// Appends all of another one.
  void append(const SlabRequests& other);
  /// Adds a slab with this skin, and pairs with the clusters. No clusters: nothing is added.
  void add(const SlabOwner& owner, const scene::SlabSkin& skin,
           std::span<const std::uint32_t> clusters);
  /// The same for one group of the paper's surface; `ref`: LinkMotion::ref.
  void add(const SlabOwner& owner, const scene::SweptSurface& surface, std::size_t group,
           const Vec3& ref, std::span<const std::uint32_t> clusters);

 private:
  /// A slab whose `triangles` are put behind the skin's next, and its pairs.
  void add_slab(const SlabOwner& owner, const Vec3f& origin, const Vec3f& half,
                std::size_t triangles, std::span<const std::uint32_t> clusters);
};

/// The box of a skin: origin +- half, rounded outward.
core::Box box_of(const scene::SlabSkin& skin);
/// The box of a group of the paper's surface, world.
core::Box box_of(const scene::SweptSurface& surface, std::size_t group, const Vec3& ref);

}  // namespace tocsin::devices
