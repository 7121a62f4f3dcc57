#include "scene/swept/hull_slab.h"

#include "core/motion/frame_motion.h"
#include "core/query/hull.h"
#include "scene/shape/shape_data.h"

namespace tocsin::scene {

void HullSlab::set(const SweptLink& link, const Link& source, double t0, double t1) {
  const tocsin::detail::ShapeData& shape = data_of(source.shape);
  const core::FrameMotion frame = core::frame_motion(link.motion);
  const core::FrameState from = core::evaluate(frame, t0);
  const core::FrameState to = core::evaluate(frame, t1);
  const core::AccelerationLine acceleration = core::acceleration_line(frame);
  // The capsule's padding with the shape's radius in place of the capsule's. Both are far above
  // what the difference rounds, and it is raised by more.
  const double padding = (link.padding - source.radius) + shape.radius + 0x1p-48 * link.padding;
  const double sag = 0.125 * (t1 - t0) * (t1 - t0);
  corners_.clear();
  moved_ = {};
  for (const Vec3& corner : shape.hull.corners) {
    const Vec3 begin = core::position_of(from, corner);
    const Vec3 end = core::position_of(to, corner);
    corners_.push_back(
        {frame.ref + begin, frame.ref + end, padding + sag * acceleration.at(core::norm(corner))});
    moved_ = moved_ + (end - begin);
  }
  moved_ = (1.0 / static_cast<double>(corners_.size())) * moved_;
  for (std::size_t i = 0; i < axes_.size(); ++i) {
    axes_[i] =
        core::direction_of(from, shape.hull.axis[i]) + core::direction_of(to, shape.hull.axis[i]);
  }
}

}  // namespace tocsin::scene
