#include "detect/shapes/shape_clearance.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "detect/shapes/feature_distance.h"
#include "detect/shapes/link_features.h"
#include "detect/shapes/near_room.h"
#include "detect/step/clearance.h"

namespace tocsin::detect {

namespace {

/// L of all points of a set of features.
double speed_of(const core::FrameMotion& frame, const Features& features) {
  return (frame.bounds.speed + frame.bounds.turn * features.reach) * core::kBoundGrowth;
}

/// A link with a shape, and the room around it.
class ShapeInRoom {
 public:
  ShapeInRoom(MovingLinks& links, std::size_t link, const WantedTriangles& triangles,
              const std::stop_token* stop)
      : motion_(links.motion(link)),
        frame_(core::frame_motion(motion_)),
        features_(own_.of_link(links, link)),
        capsule_(links.source(link).radius),
        triangles_(triangles),
        measure_(stop) {}

  [[nodiscard]] const Features& features() const { return features_; }
  [[nodiscard]] const core::FrameMotion& frame() const { return frame_; }

  /// A lower bound of the distance at a time, without the radius.
  double distance(double t) {
    const core::FrameState state = core::evaluate(frame_, t);
    const core::AxisState axis = core::evaluate(motion_, t);
    const HoldingCapsule capsule{{motion_.ref + axis.a, motion_.ref + axis.b}, capsule_};
    double least = HUGE_VAL;
    return look_at_nearest(
        triangles_.tree, capsule, triangles_.wanted, [&](std::uint32_t triangle) {
          const std::array<std::uint32_t, 1> one{triangle};
          const Features room = room_.of_triangles(triangles_.environment, one, motion_.ref);
          least = measure_.least({state, still_, {}}, features_, room, least);
          return least;
        });
  }

 private:
  const core::LinkMotion& motion_;
  core::FrameMotion frame_;
  FeatureStore own_;
  Features features_;
  double capsule_;  ///< the radius of what holds the shape
  const WantedTriangles& triangles_;
  core::FrameState still_ = still_state();
  FeatureStore room_;
  FeatureDistance measure_;
};

}  // namespace

double shape_clearance(MovingLinks& links, std::size_t link, const WantedTriangles& triangles,
                       const std::stop_token* stop) {
  ShapeInRoom shape(links, link, triangles, stop);
  const core::LinkMotion& motion = links.motion(link);
  const double corner = core::farthest_corner(motion.ref, triangles.tree.bounds());
  const core::FramePair frames = core::frame_pair(shape.frame(), core::still_frame(motion));
  // As for a line swept sphere: world coordinates round to |ref| as well.
  const double slack = core::rounding_margin(frames, shape.features().reach, corner) +
                       0x1p-48 * (core::norm(motion.ref) + corner);
  return least_on_step([&](double t) { return shape.distance(t); },
                       speed_of(shape.frame(), shape.features()), shape.features().radius, slack);
}

double shape_clearance(MovingLinks& a, std::size_t link, MovingLinks& b, std::size_t other,
                       const std::stop_token* stop) {
  FeatureStore first_store;
  FeatureStore second_store;
  FeatureDistance measure(stop);
  const Features first = first_store.of_link(a, link);
  const Features second = second_store.of_link(b, other);
  const core::FrameMotion one = core::frame_motion(a.motion(link));
  const core::FrameMotion two = core::frame_motion(b.motion(other));
  const core::FramePair frames = core::frame_pair(one, two);
  const auto distance = [&](double t) {
    return measure.least({core::evaluate(one, t), core::evaluate(two, t), two.ref - one.ref}, first,
                         second, HUGE_VAL);
  };
  return least_on_step(distance, speed_of(one, first) + speed_of(two, second),
                       first.radius + second.radius,
                       core::rounding_margin(frames, first.reach, second.reach));
}

}  // namespace tocsin::detect
