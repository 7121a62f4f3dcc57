#include "shapes/shape_input.h"

#include <numeric>

#include "core/motion/surroundings.h"
#include "scene/shape/shape_data.h"

namespace tocsin::oracle::test {
namespace {

std::vector<std::int32_t> counted_joints(std::size_t n) {
  std::vector<std::int32_t> out(n);
  std::iota(out.begin(), out.end(), 0);
  return out;
}

core::FrameMotion frame_of(const ShapeInMotion& moving, const std::vector<std::int32_t>& chain) {
  return core::frame_motion(moving.chain.data(), chain.data(),
                            static_cast<std::int32_t>(chain.size()), moving.kind,
                            core::reference_point(moving.chain.front().c));
}

detect::Features features_of(const ShapeInMotion& moving) {
  const auto& data = scene::data_of(moving.shape);
  return {data.corners, data.features, data.nodes, 1, moving.radius, data.longest, data.reach};
}

}  // namespace

ShapeInput::ShapeInput(const ShapeQuery& query)
    : first(features_of(query.first)),
      second(features_of(query.second)),
      chains_{counted_joints(query.first.chain.size()), counted_joints(query.second.chain.size())} {
  frames = core::frame_pair(frame_of(query.first, chains_[0]), frame_of(query.second, chains_[1]));
}

double ShapeInput::eta() const { return core::rounding_margin(frames, first.reach, second.reach); }

}  // namespace tocsin::oracle::test
