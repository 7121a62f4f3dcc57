#include "detect/step_slabs.h"

namespace tocsin::detect {

namespace {

/// How finely the paper's surface is cut beside its slabs.
constexpr int kPaperAlong = 8;
constexpr int kPaperAround = 16;

}  // namespace

void StepSlabs::begin(const Avatar& avatar, const Step& step, double margin,
                      const cpu::TreeCuller& tree, StepCounters& counters) {
  motion_.begin(avatar, step, margin, tree.bounds());
  boxes_.clear();
  for (std::size_t i = 0; i < motion_.link_count(); ++i) boxes_.push_back(motion_.quick_box(i));
  hierarchy_.set(boxes_);
  near_.clear();
  counters.tree_queries += hierarchy_.visit(
      [&tree](const core::Box& box) { return tree.clear_of(box); },
      [this](std::size_t link) { near_.push_back(static_cast<std::int32_t>(link)); });
  counters.near_links += near_.size();
}

void StepSlabs::find_clusters(std::int32_t link, const core::Box& box,
                              const scene::Clusters& clusters, const ActivePairs& active,
                              StepCounters& counters) {
  found_.clear();
  counters.volume_tests += clusters.for_each_overlapping(box, [&](std::uint32_t cluster) {
    if (active.active(link, clusters.clusters()[cluster].object)) found_.push_back(cluster);
  });
  counters.box_pairs += found_.size();
}

void StepSlabs::add_pieces(std::uint32_t step, const scene::Clusters& clusters,
                           const core::Box& bounds, const ActivePairs& active,
                           SlabRequests& requests, StepCounters& counters) {
  for (const std::int32_t index : near_) {
    const scene::SweptLink& swept = link(index);
    const double reach = scene::graze_reach(swept.motion, bounds);
    for (std::int32_t piece = 0; piece < swept.pieces; ++piece) {
      const scene::Slab slab = scene::piece_slab(swept, piece, reach);
      skin_.set(slab);
      ++counters.updates;
      find_clusters(index, box_of(skin_), clusters, active, counters);
      requests.add({step, index, slab.t0, slab.t1}, skin_, found_);
    }
  }
}

void StepSlabs::add_stretch(const SlabOwner& owner, const core::Box& bounds,
                            const scene::Clusters& clusters, std::span<const std::uint32_t> wanted,
                            SlabRequests& requests) {
  const scene::SweptLink& swept = link(owner.link);
  skin_.set(scene::time_slab(swept, owner.t0, owner.t1, scene::graze_reach(swept.motion, bounds)));
  const core::Box box = box_of(skin_);
  found_.clear();
  for (const std::uint32_t cluster : wanted) {
    if (core::overlap(box, clusters.clusters()[cluster].box)) found_.push_back(cluster);
  }
  requests.add(owner, skin_, found_);
}

void StepSlabs::add_stretch(const SlabOwner& owner, const core::Box& bounds,
                            const scene::Clusters& clusters, const ActivePairs& active,
                            SlabRequests& requests, StepCounters& counters) {
  const scene::SweptLink& swept = link(owner.link);
  skin_.set(scene::time_slab(swept, owner.t0, owner.t1, scene::graze_reach(swept.motion, bounds)));
  ++counters.updates;
  find_clusters(owner.link, box_of(skin_), clusters, active, counters);
  requests.add(owner, skin_, found_);
}

void StepSlabs::add_paper_slabs(std::uint32_t step, std::int32_t index, int slabs,
                                const scene::Clusters& clusters, const ActivePairs& active,
                                SlabRequests& requests, StepCounters& counters) {
  const core::LinkMotion& motion = link(index).motion;
  const scene::SweptSurface surface =
      scene::swept_surface(motion, {slabs, kPaperAlong, kPaperAround});
  for (int i = 0; i < slabs; ++i) {
    const auto group = static_cast<std::size_t>(i);
    find_clusters(index, box_of(surface, group, motion.ref), clusters, active, counters);
    const double h = 1.0 / slabs;
    requests.add({step, index, h * i, h * (i + 1)}, surface, group, motion.ref, found_);
  }
}

}  // namespace tocsin::detect
