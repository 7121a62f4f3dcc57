#include "oracle/shapes/moving_shape.h"

namespace tocsin::oracle {

FeatureTree axis_feature(const Vec3& a, const Vec3& b) {
  return {{widen<Real>(a), widen<Real>(b)}, {{0, 1, 1}}};
}

MovingShape room_shape(const Environment& environment, std::span<const std::uint32_t> triangles,
                       const Vec3& origin) {
  std::vector<RealVec> corners;
  std::vector<TriangleIndices> features;
  for (const std::uint32_t triangle : triangles) {
    const auto first = static_cast<std::uint32_t>(corners.size());
    for (const Vec3f& v : environment.corners(triangle)) {
      corners.push_back(RealVec{Real(v.x), Real(v.y), Real(v.z)} - widen<Real>(origin));
    }
    features.push_back({first, first + 1, first + 2});
  }
  return {std::make_shared<const MovingFrame>(MovingFrame::still(origin)),
          std::make_shared<const FeatureTree>(std::move(corners), std::move(features))};
}

}  // namespace tocsin::oracle
