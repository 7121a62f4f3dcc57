// certify_deforming: a triangle whose corners move on straight lines, over one step, and a rounded
// hull that is fixed to a moving frame, or another such triangle. docs/exact.md, "A hull and a
// triangle that deforms".
#pragma once

#include <cmath>
#include <cstdint>

#include "core/query/certify_hulls.h"
#include "core/query/contact_point.h"

namespace tocsin::core {

/// Corner i is at corner[i] + t change[i], relative to the ref of what it meets, metres. No
/// thickness.
struct DeformingTriangle {
  Vec3 corner[kMostCorners];
  Vec3 change[kMostCorners];
};

/// The greatest distance of a corner from ref during the step, and room for how it is computed.
TOCSIN_HD inline double reach_of(const DeformingTriangle& g) {
  double most = 0.0;
  for (std::int32_t i = 0; i < kMostCorners; ++i) {
    const double distance = norm(g.corner[i]) + norm(g.change[i]);
    if (!(distance <= most)) most = distance;
    if (std::isnan(distance)) break;
  }
  return most;
}

/// Where it is at a time. A corner does not accelerate, nor does any point between them.
TOCSIN_HD inline HullPart part_at(const DeformingTriangle& g, double t) {
  HullPart out;
  out.corners = kMostCorners;
  for (std::int32_t i = 0; i < kMostCorners; ++i) {
    out.p[i] = g.corner[i] + t * g.change[i];
    out.v[i] = g.change[i];
  }
  return out;
}

namespace detail {

/// A hull, and a triangle that deforms. A direction that turns with the triangle would prove
/// nothing, so that none does.
template <EvaluateFrame kEvaluate>
class HullAndDeforming : public HullMeeting {
 public:
  TOCSIN_HD HullAndDeforming(const FramePair& frames, const Hull& f, const DeformingTriangle& g,
                             double eta)
      : HullMeeting(f.radius, eta), frames_(frames), f_(f), g_(g) {}

  TOCSIN_HD HullScene state(const FrameState& a, double t) const {
    TurningFrame none;
    none.rigid = false;
    return {{part_at(f_, a, {}, acceleration_line(frames_.first)), part_at(g_, t)},
            turning_frame(a, frames_.first),
            none,
            reach()};
  }
  TOCSIN_HD HullScene at(double t) const { return state(kEvaluate(frames_.first, t), t); }

 private:
  const FramePair& frames_;
  const Hull& f_;
  const DeformingTriangle& g_;
};

/// Two triangles that deform, or stand. Nothing accelerates.
class TwoDeforming : public HullMeeting {
 public:
  TOCSIN_HD TwoDeforming(const DeformingTriangle& f, const DeformingTriangle& g, double radius,
                         double eta)
      : HullMeeting(radius, eta), f_(f), g_(g) {}

  TOCSIN_HD HullScene at(double t) const {
    TurningFrame none;
    none.rigid = false;
    return {{part_at(f_, t), part_at(g_, t)}, none, none, reach()};
  }

 private:
  const DeformingTriangle& f_;
  const DeformingTriangle& g_;
};

}  // namespace detail

/// eta of two triangles that deform, metres.
TOCSIN_HD inline double rounding_margin(const DeformingTriangle& f, const DeformingTriangle& g) {
  return margin_factor(1) * (reach_of(f) + reach_of(g));
}

/// True if certify_deforming answers kOverlap. at_f: evaluate(frames.first, 0).
TOCSIN_HD inline bool hull_touches(const FramePair& frames, const Hull& f, const FrameState& at_f,
                                   const DeformingTriangle& g) {
  const double eta = rounding_margin(frames, reach_of(f), reach_of(g));
  if (!std::isfinite(eta + f.radius)) return false;
  const detail::HullAndDeforming<&evaluate> meeting(frames, f, g, eta);
  return meeting.touching(meeting.closest(meeting.state(at_f, 0.0)));
}

/// Proves what can be proved about both over the step, as certify_hulls does. `frames.second`
/// stands still, at the ref of the first.
template <EvaluateFrame kEvaluate = &evaluate>
TOCSIN_HD inline Certificate certify_deforming(const FramePair& frames, const Hull& f,
                                               const FrameState& at0_f, const DeformingTriangle& g,
                                               double tolerance, double stop_after) {
  const double reach_f = reach_of(f);
  const double eta = rounding_margin(frames, reach_f, reach_of(g));
  if (!std::isfinite((eta + acceleration_at(frames.first, reach_f)) + f.radius)) {
    return kNothingProved;
  }
  const detail::HullAndDeforming<kEvaluate> meeting(frames, f, g, eta);
  return detail::Query(meeting, tolerance, stop_after).run(meeting.state(at0_f, 0.0));
}

/// The same of two triangles that deform, relative to one ref. They touch where they are `radius`
/// metres apart; 0: where an edge of one pierces the other.
TOCSIN_HD inline Certificate certify_deforming(const DeformingTriangle& f,
                                               const DeformingTriangle& g, double radius,
                                               double tolerance, double stop_after) {
  const double eta = rounding_margin(f, g);
  if (!std::isfinite(eta + radius)) return kNothingProved;
  const detail::TwoDeforming meeting(f, g, radius, eta);
  return detail::Query(meeting, tolerance, stop_after).run(meeting.at(0.0));
}

/// The point of g that is nearest to f at a time, relative to their ref; the normal points to f.
TOCSIN_HD inline ContactPoint place_of(const DeformingTriangle& f, const DeformingTriangle& g,
                                       double time) {
  const ClosestHulls c = closest_points(part_at(f, time), part_at(g, time));
  ContactPoint out;
  out.point = c.x;
  const double distance = std::sqrt(c.squared);
  if (distance > rounding_margin(f, g)) {
    out.normal = (1.0 / distance) * (c.y - c.x);
    out.has_normal = true;
  }
  return out;
}

/// The point of the triangle that is nearest to f at a time; the normal points to f. World.
TOCSIN_HD inline ContactPoint place_of(const FramePair& frames, const Hull& f,
                                       const DeformingTriangle& g, double time) {
  const ClosestHulls c =
      closest_points(part_at(f, evaluate(frames.first, time), {}, {}), part_at(g, time));
  ContactPoint out;
  out.point = frames.first.ref + c.x;
  const double distance = std::sqrt(c.squared);
  if (distance > rounding_margin(frames, reach_of(f), reach_of(g))) {
    out.normal = (1.0 / distance) * (c.y - c.x);
    out.has_normal = true;
  }
  return out;
}

}  // namespace tocsin::core
