// A link's axis over a stretch of the step: where it is, its velocity and its acceleration, as
// balls that hold all their values. Interval arithmetic in its midpoint-radius form: an interval
// matrix (interval_boxes.h) turns a box, which grows by up to sqrt 3 with every joint
// of a chain; a ball turns into a ball.
#pragma once

#include "core/motion/link_motion.h"

namespace tocsin::papers {

/// All vectors within `radius` of `mid`.
struct Ball {
  Vec3 mid;
  double radius = 0.0;
};

/// A point's position relative to the link's ref, metres, and its derivatives by step time.
struct PointRange {
  Ball position;
  Ball velocity;
  Ball acceleration;
};

struct AxisRange {
  PointRange a;
  PointRange b;
  PointRange along;  ///< b - a, which is tighter than the difference of the two
};

/// The axis over [t0, t1] within [0, 1]. For t0 = t1 the mids are the derivatives at that time,
/// with core::evaluate's errors; the radii do not count rounding.
AxisRange axis_range(const core::LinkMotion& link, double t0, double t1);

}  // namespace tocsin::papers
