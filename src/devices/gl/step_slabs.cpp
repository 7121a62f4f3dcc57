#include "devices/gl/step_slabs.h"

#include <tbb/parallel_for.h>

#include <algorithm>

namespace tocsin::devices {

namespace {

/// Steps that one thread prepares at a time: their requests are put together in its memory first.
constexpr std::size_t kSlabStretch = 4;

/// How finely the paper's surface is cut beside its slabs.
constexpr int kPaperAlong = 8;
constexpr int kPaperAround = 16;

}  // namespace

void StepSlabs::begin(const Avatar& avatar, const Step& step, double margin,
                      const cpu::TreeCuller& tree, StepCounters& counters) {
  motion_.begin(avatar, step, margin, tree.bounds());
  boxes_.clear();
  for (std::size_t i = 0; i < motion_.link_count(); ++i) boxes_.push_back(motion_.coarse_box(i));
  hierarchy_.set(boxes_);
  near_.clear();
  counters.tree_queries += hierarchy_.visit(
      [&tree](const core::Box& box) { return tree.clear_of(box); },
      [this](std::size_t link) { near_.push_back(static_cast<std::int32_t>(link)); });
  counters.near_links += near_.size();
  reach_.assign(boxes_.size(), -1.0);
}

void StepSlabs::set_skin(std::int32_t index, const scene::Slab& slab) {
  const Link& source = motion_.source(static_cast<std::size_t>(index));
  if (source.shape.empty()) {
    skin_.set(slab);
  } else {
    hull_.set(link(index), source, slab.t0, slab.t1);
    skin_.set(slab, hull_);
  }
}

double StepSlabs::reach(std::int32_t index, const core::Box& bounds) {
  // A shape's capsule has it in its radius.
  if (!motion_.source(static_cast<std::size_t>(index)).shape.empty()) return 0.0;
  double& known = reach_[static_cast<std::size_t>(index)];
  if (known < 0.0) known = scene::graze_reach(link(index).motion, bounds);
  return known;
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
    for (std::int32_t piece = 0; piece < swept.pieces; ++piece) {
      const scene::Slab slab = scene::piece_slab(swept, piece, reach(index, bounds));
      set_skin(index, slab);
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
  set_skin(owner.link, scene::time_slab(swept, owner.t0, owner.t1, reach(owner.link, bounds)));
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
  set_skin(owner.link, scene::time_slab(swept, owner.t0, owner.t1, reach(owner.link, bounds)));
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

void prepare(std::size_t count, SlabRequests& requests,
             const std::function<void(std::size_t, StepSlabs&, SlabRequests&)>& f) {
  std::vector<SlabRequests> parts((count + kSlabStretch - 1) / kSlabStretch);
  tbb::parallel_for(std::size_t{0}, parts.size(), [&](std::size_t part) {
    thread_local StepSlabs slabs;
    const std::size_t end = std::min(count, (part + 1) * kSlabStretch);
    for (std::size_t i = part * kSlabStretch; i < end; ++i) f(i, slabs, parts[part]);
    slabs.let_go();
  });
  for (SlabRequests& part : parts) {
    requests.append(part);
    part = {};
  }
}

}  // namespace tocsin::devices
