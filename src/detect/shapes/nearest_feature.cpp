#include "detect/shapes/nearest_feature.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "detect/nearest/nearest_triangle.h"

namespace tocsin::detect {

void NearestFeature::begin(MovingLinks& links, std::size_t link, double time, const core::Box& room,
                           double limit) {
  const core::LinkMotion& motion = links.motion(link);
  const Features shape = store_.of_link(links, link);
  const core::FrameState state = core::evaluate(core::frame_motion(motion), time);
  axis_ = core::evaluate(motion, time);
  capsule_radius_ = links.source(link).radius;
  begin(shape, state, motion.ref,
        kNearSlack * (core::norm(motion.ref) + core::norm(state.origin) + shape.reach +
                      core::farthest_corner(motion.ref, room)),
        limit);
}

void NearestFeature::begin(const Features& shape, const core::FrameState& state, const Vec3& ref,
                           double slack, double limit) {
  shape_ = shape;
  state_ = state;
  ref_ = ref;
  slack_ = slack;
  begin_again(limit);
}

void NearestFeature::begin_again(double limit) {
  least_ = std::max(limit, 2.0 * slack_);  // or a search would end before it looks
  triangle_ = kNoTriangle;
}

HoldingCapsule NearestFeature::capsule() const {
  return {{ref_ + axis_.a, ref_ + axis_.b}, capsule_radius_};
}

void NearestFeature::look_at(const Environment& environment, std::uint32_t triangle) {
  if (meets() && triangle > triangle_) return;
  if (is_far(axis_, triangle_of(environment, triangle, ref_), least_ + capsule_radius_ + slack_)) {
    return;
  }
  const std::array<std::uint32_t, 1> one{triangle};
  look_at(triangle, of_triangle_.of_triangles(environment, one, ref_));
}

void NearestFeature::look_at(std::uint32_t triangle, const Features& feature) {
  if (meets() && triangle > triangle_) return;
  NearestFeatures best;
  // Whoever is within the slack meets it: a search that begins there would end before it looks.
  best.distance = meets() ? 2.0 * slack_ : least_;
  best.pair = triangle < triangle_ ? ~FeaturePair{0} : FeaturePair{0};
  if (!measure_.nearest({state_, still_, {}}, shape_, feature, slack_, best)) return;
  const double distance = std::max(best.distance, slack_);
  if (meets() && distance > slack_) return;
  least_ = distance;
  triangle_ = triangle;
}

NearestFeatures NearestFeature::answer(const Environment& environment) {
  const std::array<std::uint32_t, 1> one{triangle_};
  return answer(of_triangle_.of_triangles(environment, one, ref_));
}

NearestFeatures NearestFeature::answer(const Features& feature) {
  NearestFeatures best;
  measure_.nearest({state_, still_, {}}, shape_, feature, slack_, best);
  return best;
}

}  // namespace tocsin::detect
