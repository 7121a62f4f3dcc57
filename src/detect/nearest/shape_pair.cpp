#include <cmath>

#include "core/vector/vec.h"
#include "detect/nearest/places.h"
#include "detect/shapes/feature_distance.h"
#include "scene/shape/shape_data.h"
#include "tocsin/nearest.h"

namespace tocsin {

namespace {

detect::Features features_of(const Shape& shape) {
  const detail::ShapeData& data = scene::data_of(shape);
  return {data.corners, data.features, data.nodes, 1, data.radius, data.longest, data.reach};
}

/// A frame that is turned, and whose origin is its ref.
core::FrameState state_of(const Transform& place) {
  const core::Mat3 turn = core::to_matrix(core::normalized(place.rotation));
  return {core::column(turn, 0), core::column(turn, 1), core::column(turn, 2), {}, {}, {}, {}, {}};
}

}  // namespace

Result<ShapeNearest> nearest(const Shape& first, const Transform& at, const Shape& second,
                             const Transform& other) {
  if (first.empty() || second.empty()) return {ErrorCode::kInput, "an empty shape is nowhere"};
  if (auto problem = detect::problem_with(at)) return *std::move(problem);
  if (auto problem = detect::problem_with(other)) return *std::move(problem);
  thread_local detect::FeatureDistance measure;
  const detect::Features f = features_of(first);
  const detect::Features g = features_of(second);
  const Vec3 shift = other.translation - at.translation;
  // What boxes' distances and those of features may differ by: some hundred roundings.
  const double slack = 0x1p-42 * (core::norm(shift) + f.reach + g.reach);
  detect::NearestFeatures best;
  measure.nearest({state_of(at), state_of(other), shift}, f, g, slack, best);

  ShapeNearest out;
  out.distance = best.distance - (f.radius + g.radius);
  out.first_feature = detect::first_of(best.pair);
  out.second_feature = detect::second_of(best.pair);
  const Vec3 apart = best.own - best.point;
  const double length = core::norm(apart);
  // Nearer than that the direction is rounding, and both points are one.
  const Vec3 normal = length > slack ? (1.0 / length) * apart : Vec3{};
  out.first = at.translation + (best.own + (-f.radius) * normal);
  out.second = at.translation + (best.point + g.radius * normal);
  return out;
}

}  // namespace tocsin
