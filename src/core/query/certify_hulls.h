// certify_hulls: two rounded hulls of up to three points, each fixed to a frame of its own, both
// moving, over one step. docs/exact.md, "Two hulls".
#pragma once

#include <cmath>
#include <cstdint>

#include "core/motion/frame_motion.h"
#include "core/query/hull.h"
#include "core/query/hull_advance.h"
#include "core/query/hull_distance.h"
#include "core/query/query.h"
#include "core/vector/vec.h"

namespace tocsin::core {

/// A rounding margin as a function of how far a hull reaches in each frame: base + first |f| +
/// second |g|, metres.
struct MarginLine {
  double base = 0.0;
  double first = 0.0;
  double second = 0.0;
};

/// Two frames as certify_hulls compares hulls of them: seen from the last joint that their chains
/// share, if they are frames of one skeleton. The same for all hulls of both.
struct FramePair {
  FrameMotion first;
  FrameMotion second;
  Vec3 shift;            ///< second.ref - first.ref
  MarginLine margin;     ///< of the whole chains
  MarginLine shortened;  ///< of the chains without their shared joints
};

namespace detail {

/// The margin of one frame's hulls: 224 u max(16, K) (X + D + L), a line in |l|. `joints`: K.
TOCSIN_HD inline void add_margin(MarginLine& line, double& slope, const FrameMotion& m,
                                 std::int32_t joints, double apart) {
  const double factor = margin_factor(joints);
  const double speed = m.bounds.speed * kBoundGrowth;
  const double turn = m.bounds.turn * kBoundGrowth;
  line.base += factor * (m.bounds.reach + apart + speed);
  slope = factor * (1.0 + turn);
}

/// `shared`: joints that both chains have lost.
TOCSIN_HD inline MarginLine margin_line(const FrameMotion& a, const FrameMotion& b,
                                        std::int32_t shared) {
  const double apart = norm(b.ref - a.ref);
  MarginLine line;
  add_margin(line, line.first, a, a.chain_length + shared, apart);
  add_margin(line, line.second, b, b.chain_length + shared, apart);
  return line;
}

TOCSIN_HD inline double at(const MarginLine& line, double f, double g) {
  return line.base + (line.first * f + line.second * g);
}

/// The frame as seen from its joint number `joints`, relative to that one's origin.
TOCSIN_HD inline FrameMotion seen_from(const FrameMotion& m, std::int32_t joints) {
  return frame_motion(m.joints, m.chain + joints, m.chain_length - joints, m.kind, {});
}

}  // namespace detail

/// Two frames, prepared. Frames of one skeleton must share one array of joints.
TOCSIN_HD inline FramePair frame_pair(const FrameMotion& a, const FrameMotion& b) {
  FramePair out{a, b, b.ref - a.ref, detail::margin_line(a, b, 0), {}};
  const std::int32_t shared = shared_joints(a, b);
  if (shared > 0) {
    out.first = detail::seen_from(a, shared);
    out.second = detail::seen_from(b, shared);
    out.shift = {};
    out.shortened = detail::margin_line(out.first, out.second, shared);
  }
  return out;
}

/// eta: the rounding margin of everything certify_hulls computes about hulls that reach this far in
/// their frames, metres.
TOCSIN_HD inline double rounding_margin(const FramePair& frames, double first, double second) {
  return max_of(detail::at(frames.margin, first, second),
                detail::at(frames.shortened, first, second));
}

/// How a frame is evaluated: core::evaluate, or what has its bits.
using EvaluateFrame = FrameState (*)(const FrameMotion&, double);

namespace detail {

/// What is asked about two moving hulls at one time, however they move.
class HullMeeting {
 public:
  using State = HullScene;
  using Closest = struct Nearest {
    ClosestHulls points;
    bool pierced = false;
  };

  /// radius: the sum of both; metres.
  TOCSIN_HD HullMeeting(double radius, double eta) : radius_(radius), eta_(eta) {}

  /// Surfaces without thickness have no two points that are surely near enough: they touch where an
  /// edge of one goes through the other.
  TOCSIN_HD Nearest closest(const HullScene& s) const {
    const HullPair& both = s.pair;
    Nearest c{closest_points(both.f, both.g), false};
    if (thin() && std::sqrt(c.points.squared) <= eta_) {
      c.pierced = surely_pierce(both.f, both.g, eta_);
    }
    return c;
  }

  TOCSIN_HD bool touching(const Nearest& c) const {
    return c.pierced || std::sqrt(c.points.squared) <= radius_ - eta_;
  }

  TOCSIN_HD Outlook outlook(const HullScene& scene, const Nearest& nearest, double left) const {
    const ClosestHulls& c = nearest.points;
    Approach p;
    set_nearest(p, scene.pair, c);
    const double own = clear_time(p.gap, p.rate, p.acceleration, left);
    return outlook_of(p, clear_time_split(scene, c, own, left), eta_);
  }

  /// The distance at which they touch.
  [[nodiscard]] TOCSIN_HD double reach() const { return radius_ + eta_; }

 private:
  /// How deep in eta a piercing must be before its five determinants are sure: 7.5 where an edge
  /// enters a face of its own size straight on. More: brackets are wider. Less: probes that fail.
  static constexpr double kPiercedDepth = 12.0;

  TOCSIN_HD bool thin() const { return radius_ < eta_; }

  /// The speeds of a part's corners along n, and the greatest acceleration.
  struct Range {
    double least = HUGE_VAL;
    double most = -HUGE_VAL;
    double acceleration = 0.0;
  };
  TOCSIN_HD static Range range_of(const HullPart& part, const Vec3& n) {
    Range r;
    for (std::int32_t i = 0; i < part.corners; ++i) {
      const double rate = dot(n, part.v[i]);
      r.least = min_of(rate, r.least);
      r.most = max_of(rate, r.most);
      r.acceleration = max_of(part.acceleration[i], r.acceleration);
    }
    return r;
  }

  /// What the closest pair alone does, and the fastest corners.
  TOCSIN_HD void set_nearest(Approach& p, const HullPair& pair, const ClosestHulls& c) const {
    p.distance = std::sqrt(c.squared);
    p.gap = p.distance - (radius_ + eta_);
    const Vec3 n = p.distance > kLeastLength ? (1.0 / p.distance) * (c.y - c.x) : Vec3{};
    const HullPoint y = point_of(pair.f, c.first);
    const HullPoint x = point_of(pair.g, c.second);
    const Vec3 velocity = y.v - x.v;
    p.squared_speed = dot(velocity, velocity);
    p.rate = dot(n, velocity);
    p.acceleration = y.acceleration + x.acceleration;
    if (thin()) {
      // Nearer than eta the direction is rounding. And where edges and faces meet, passing by does
      // not bend the distance.
      if (p.distance <= eta_) p.rate = -std::sqrt(p.squared_speed);
      p.squared_speed = p.rate * p.rate;
      p.deep = kPiercedDepth;
    }
    const Range f = range_of(pair.f, n);
    const Range g = range_of(pair.g, n);
    p.fastest = max_of(-p.rate, g.most - f.least);
    p.greatest_speed = max_of(g.most - f.least, f.most - g.least);
    p.greatest = f.acceleration + g.acceleration;
  }

  double radius_;
  double eta_;
};

TOCSIN_HD inline TurningFrame turning_frame(const FrameState& state, const FrameMotion& m) {
  return {state, m.bounds.turn * kBoundGrowth, margin_factor(m.chain_length)};
}

/// Two moving hulls.
template <EvaluateFrame kEvaluate>
class TwoHulls : public HullMeeting {
 public:
  TOCSIN_HD TwoHulls(const FramePair& frames, const Hull& f, const Hull& g, double eta)
      : HullMeeting(f.radius + g.radius, eta), frames_(frames), f_(f), g_(g) {}

  TOCSIN_HD HullScene state(const FrameState& a, const FrameState& b) const {
    return {{part_at(f_, a, {}, acceleration_line(frames_.first)),
             part_at(g_, b, frames_.shift, acceleration_line(frames_.second))},
            turning_frame(a, frames_.first),
            turning_frame(b, frames_.second),
            reach()};
  }
  TOCSIN_HD HullScene at(double t) const {
    return state(kEvaluate(frames_.first, t), kEvaluate(frames_.second, t));
  }

 private:
  const FramePair& frames_;
  const Hull& f_;
  const Hull& g_;
};

}  // namespace detail

/// True if certify_hulls answers kOverlap: the hulls are proved to touch at the time of these
/// states.
TOCSIN_HD inline bool hulls_touch(const FramePair& frames, const Hull& f, const FrameState& at_f,
                                  const Hull& g, const FrameState& at_g) {
  const double eta = rounding_margin(frames, reach_of(f), reach_of(g));
  if (!std::isfinite(eta + (f.radius + g.radius))) return false;
  const detail::TwoHulls<&evaluate> meeting(frames, f, g, eta);
  return meeting.touching(meeting.closest(meeting.state(at_f, at_g)));
}

/// Proves what can be proved about two hulls over the step, both moving at the same local times.
///
/// f and g are fixed to the frames' last joints. at0_f, at0_g: evaluate(frames.first, 0),
/// evaluate(frames.second, 0). tolerance, stop_after and every outcome: as for certify(); hulls
/// touch where their distance is at most the sum of their radii, or, where that sum is below the
/// rounding margin, where an edge of one pierces the other. A pure function of its arguments.
/// Exchanging both may change roundings, never the proof. Input that is not finite: nothing is
/// proved, the answer is a kGraze over [0, 1]. kEvaluate: evaluate(), or the same bits faster.
template <EvaluateFrame kEvaluate = &evaluate>
TOCSIN_HD inline Certificate certify_hulls(const FramePair& frames, const Hull& f,
                                           const FrameState& at0_f, const Hull& g,
                                           const FrameState& at0_g, double tolerance,
                                           double stop_after) {
  const double reach_f = reach_of(f);
  const double reach_g = reach_of(g);
  const double eta = rounding_margin(frames, reach_f, reach_g);
  const double bounds =
      acceleration_at(frames.first, reach_f) + acceleration_at(frames.second, reach_g);
  // A sum is finite only if all terms are. Later comparisons would not detect a NaN.
  if (!std::isfinite((eta + bounds) + (f.radius + g.radius))) return kNothingProved;
  const detail::TwoHulls<kEvaluate> meeting(frames, f, g, eta);
  return detail::Query(meeting, tolerance, stop_after).run(meeting.state(at0_f, at0_g));
}

}  // namespace tocsin::core
