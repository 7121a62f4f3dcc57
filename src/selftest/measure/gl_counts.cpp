#include "selftest/measure/gl_counts.h"

#include <vector>

#include "cpu/tree/make_tree_culler.h"
#include "devices/gl/slab_requests.h"
#include "devices/gl/step_slabs.h"
#include "gpu/gl/visibility/visibility.h"
#include "gpu/gl/visibility/visibility_records.h"

namespace tocsin::selftest {

Result<GlCounts> count_gl_frame(const StandingCrowd& crowd, std::size_t avatars,
                                const std::shared_ptr<gl::DeviceThread>& device) {
  const auto tree = cpu::make_tree_culler(crowd.environment());
  const scene::Clusters clusters = tree->clusters(crowd.environment());
  const auto visibility = gl::Visibility::create(device, {});
  if (!visibility) return visibility.error();
  const auto room = (*visibility)->upload(crowd.environment(), clusters);
  if (!room) return room.error();
  devices::StepSlabs slabs;
  devices::SlabRequests requests;
  StepCounters counters;
  GlCounts out;
  out.avatars = avatars;
  const std::vector<Step> steps = crowd.frame(avatars, 0);
  for (std::size_t i = 0; i < steps.size(); ++i) {
    devices::SlabRequests one;
    slabs.begin(crowd.avatar(), steps[i], 0.0, *tree, counters);
    slabs.add_pieces(static_cast<std::uint32_t>(i), clusters, tree->bounds(), {}, one, counters);
    out.near_links += slabs.near_links().size();
    requests.append(one);
  }
  gl::VisibilityCounters counted;
  std::vector<gl::Seen> seen;
  const Status tested = (*visibility)->test(**room, requests.batch, seen, counted);
  if (!tested) return tested.error();
  out.slabs = counted.slabs;
  out.pairs = counted.pairs;
  out.kept = counted.kept;
  out.skin_triangles = counted.skin_triangles;
  out.room_triangles = counted.room_triangles;
  out.views = counted.atlases;
  // A skin and a pair more in every chunk: its control. VisibilityPasses::load and run.
  const std::uint64_t chunks = counted.atlases / 3;
  out.draws = 3 * (counted.slabs + counted.pairs + 2 * chunks);
  out.bytes_up = sizeof(gl::SkinTriangle) * counted.skin_triangles +
                 (sizeof(gl::SlabRecord) + 2 * sizeof(gl::DrawCommand)) * counted.slabs +
                 sizeof(gl::PairRecord) * counted.pairs;
  out.bytes_down = sizeof(std::uint32_t) * (counted.pairs + chunks);
  return out;
}

}  // namespace tocsin::selftest
