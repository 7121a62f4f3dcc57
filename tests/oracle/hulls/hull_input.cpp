#include "hulls/hull_input.h"

#include <numeric>

#include "core/motion/surroundings.h"

namespace tocsin::oracle::test {
namespace {

std::vector<std::int32_t> chain_indices(std::size_t n) {
  std::vector<std::int32_t> out(n);
  std::iota(out.begin(), out.end(), 0);
  return out;
}

core::Hull hull_of(const MovingHull& moving) {
  core::Hull hull;
  hull.corners = 0;
  for (const Vec3& corner : moving.corners) hull.corner[hull.corners++] = corner;
  hull.radius = moving.radius;
  return hull;
}

core::FrameMotion frame_of(const MovingHull& moving, const std::vector<std::int32_t>& chain) {
  return core::frame_motion(moving.chain.data(), chain.data(),
                            static_cast<std::int32_t>(chain.size()), moving.kind,
                            core::reference_point(moving.chain.front().c));
}

}  // namespace

HullInput::HullInput(const HullQuery& query)
    : first(hull_of(query.first)),
      second(hull_of(query.second)),
      chains_{chain_indices(query.first.chain.size()), chain_indices(query.second.chain.size())} {
  frames = core::frame_pair(frame_of(query.first, chains_[0]), frame_of(query.second, chains_[1]));
}

core::Certificate HullInput::certify(double tolerance, double stop_after) const {
  return core::certify_hulls(frames, first, core::evaluate(frames.first, 0.0), second,
                             core::evaluate(frames.second, 0.0), tolerance, stop_after);
}

double HullInput::eta() const {
  return core::rounding_margin(frames, core::reach_of(first), core::reach_of(second));
}

}  // namespace tocsin::oracle::test
