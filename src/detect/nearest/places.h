// Places of two frames at one time.
#pragma once

#include <cmath>
#include <optional>

#include "core/query/convex_distance.h"
#include "core/vector/vec.h"
#include "tocsin/result.h"
#include "tocsin/types.h"

namespace tocsin::detect {

/// Farther away, metres, coordinates have lost the digits that a distance needs.
inline constexpr double kFarthestPlace = 1e9;

inline std::optional<Error> problem_with(const Transform& place) {
  const Vec3& p = place.translation;
  const auto near = [](double x) { return std::fabs(x) <= kFarthestPlace; };
  if (!near(p.x) || !near(p.y) || !near(p.z)) {
    return Error{ErrorCode::kInput, "a place must be finite and within 1e9 m"};
  }
  if (std::fabs(core::norm(place.rotation) - 1.0) <= 1e-3) return std::nullopt;
  return Error{ErrorCode::kInput, "a place's rotation must be a quaternion of length 1"};
}

inline core::Mat3 transposed(const core::Mat3& m) {
  return {{core::column(m, 0), core::column(m, 1), core::column(m, 2)}};
}

/// The second frame as the first sees it. turn: of the first, frame to world; shift: from the
/// first's origin to the second's, world, metres.
inline core::ConvexPlace place_of(const core::Mat3& turn, const Transform& second,
                                  const Vec3& shift) {
  core::ConvexPlace out;
  const core::Mat3 back = transposed(turn);
  out.turn = back * core::to_matrix(core::normalized(second.rotation));
  out.back = transposed(out.turn);
  out.origin = back * shift;
  return out;
}

}  // namespace tocsin::detect
