// The slabs of one step's links that come near something, and what they come near. Paper 004,
// sections 5 and 6.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "cpu/tree/tree_culler.h"
#include "devices/gl/slab_requests.h"
#include "scene/swept/dynamic_bvh.h"
#include "scene/swept/slab.h"
#include "scene/swept/step_motion.h"
#include "scene/tree/clusters.h"
#include "tocsin/detector.h"

namespace tocsin::devices {

/// Memory that one thread uses again from step to step.
class StepSlabs {
 public:
  /// Starts on a step and finds the links near some triangle: the dynamic hierarchy over their
  /// boxes against the tree. Precondition: problem_with() found none.
  void begin(const Avatar& avatar, const Step& step, double margin, const cpu::TreeCuller& tree,
             StepCounters& counters);
  /// These links, in order.
  [[nodiscard]] const std::vector<std::int32_t>& near_links() const { return near_; }
  /// Keeps nothing alive any more; memory stays.
  void let_go() { motion_.let_go(); }
  [[nodiscard]] const scene::SweptLink& link(std::int32_t i) {
    return motion_.link(static_cast<std::size_t>(i));
  }

  /// Asks about every piece of every near link (scene::piece_slab).
  void add_pieces(std::uint32_t step, const scene::Clusters& clusters, const core::Box& bounds,
                  const ActivePairs& active, SlabRequests& requests, StepCounters& counters);
  /// Asks about one link over [t0, t1] and those of the clusters that its skin's box overlaps.
  void add_stretch(const SlabOwner& owner, const core::Box& bounds, const scene::Clusters& clusters,
                   std::span<const std::uint32_t> wanted, SlabRequests& requests);
  /// Asks about every active cluster near one link over [t0, t1].
  void add_stretch(const SlabOwner& owner, const core::Box& bounds, const scene::Clusters& clusters,
                   const ActivePairs& active, SlabRequests& requests, StepCounters& counters);
  /// The same for all slabs of the main paper's own surface.
  void add_paper_slabs(std::uint32_t step, std::int32_t link, int slabs,
                       const scene::Clusters& clusters, const ActivePairs& active,
                       SlabRequests& requests, StepCounters& counters);

 private:
  void set_skin(std::int32_t link, const scene::Slab& slab);
  double reach(std::int32_t link, const core::Box& bounds);
  void find_clusters(std::int32_t link, const core::Box& box, const scene::Clusters& clusters,
                     const ActivePairs& active, StepCounters& counters);

  scene::StepMotion motion_;
  scene::DynamicBvh hierarchy_;
  scene::SlabSkin skin_;
  scene::HullSlab hull_;
  std::vector<core::Box> boxes_;
  std::vector<std::int32_t> near_;
  std::vector<std::uint32_t> found_;  ///< clusters
  std::vector<double> reach_;         ///< scene::graze_reach of every link; below 0: not known
};

/// Calls f(i, memory, requests) for every step i < count, on all threads of the current arena, and
/// puts the requests together in the order of the steps.
void prepare(std::size_t count, SlabRequests& requests,
             const std::function<void(std::size_t, StepSlabs&, SlabRequests&)>& f);

}  // namespace tocsin::devices
