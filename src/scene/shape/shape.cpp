#include "tocsin/shape.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <tuple>
#include <utility>

#include "core/vector/vec.h"
#include "scene/avatar/avatar_limits.h"
#include "scene/room/coordinate_limit.h"
#include "scene/shape/bounding_capsule.h"
#include "scene/shape/shape_data.h"
#include "tocsin/avatar.h"

namespace tocsin {

namespace {

/// More are refused. A tree takes some 350 bytes a feature.
constexpr std::size_t kMostFeatures = std::size_t{1} << 24U;

Error bad(std::string text) { return {ErrorCode::kInput, std::move(text)}; }

std::optional<Error> problem_with(double radius) {
  if (radius >= 0.0 && radius <= scene::kMaxCoordinate) return std::nullopt;
  return bad(fmt::format("a shape's radius must be between 0 and 1e6 m, is {}", radius));
}

/// Of the corners that features use.
std::optional<Error> problem_with(std::span<const Vec3> corners,
                                  std::span<const TriangleIndices> features) {
  for (const TriangleIndices& f : features) {
    for (const std::uint32_t i : f) {
      const Vec3& p = corners[i];
      if (scene::within_reach(p)) continue;
      return bad(
          fmt::format("corner {} of a shape must be finite and within 1e6 m, is ({}, {}, {})", i,
                      p.x, p.y, p.z));
    }
  }
  return std::nullopt;
}

std::optional<Error> problem_with(std::span<const TriangleIndices> features, std::size_t corners) {
  if (features.empty()) return bad("a shape needs at least one triangle");
  if (features.size() > kMostFeatures) {
    return bad(
        fmt::format("a shape may have {} triangles, has {}", kMostFeatures, features.size()));
  }
  for (std::size_t i = 0; i < features.size(); ++i) {
    for (const std::uint32_t corner : features[i]) {
      if (corner < corners) continue;
      return bad(fmt::format("triangle {} of a shape names corner {}, but there are {}", i, corner,
                             corners));
    }
  }
  return std::nullopt;
}

std::optional<Error> problem_with(const ShapePlacement& at) {
  if (!core::is_finite(at.translation) || !core::is_finite(at.scale)) {
    return bad("a shape's translation and scale must be finite");
  }
  if (at.scale.x == 0.0 || at.scale.y == 0.0 || at.scale.z == 0.0) {
    return bad("a shape's scale must not be 0");
  }
  const double length = core::norm(at.rotation);
  if (!(std::fabs(length - 1.0) <= 1e-3)) {
    return bad(fmt::format("a shape's rotation must be a quaternion of length 1, its length is {}",
                           length));
  }
  return std::nullopt;
}

/// Only the corners that some feature uses, in their order.
void keep_used(std::vector<Vec3>& corners, std::vector<TriangleIndices>& features) {
  std::vector<std::uint32_t> place(corners.size(), 0);
  for (const TriangleIndices& f : features) {
    for (const std::uint32_t corner : f) place[corner] = 1;
  }
  std::uint32_t used = 0;
  for (std::size_t i = 0; i < corners.size(); ++i) {
    if (place[i] == 0) continue;
    corners[used] = corners[i];
    place[i] = used++;
  }
  corners.resize(used);
  for (TriangleIndices& f : features) {
    for (std::uint32_t& corner : f) corner = place[corner];
  }
}

/// Union and find over corners.
class Components {
 public:
  explicit Components(std::size_t count) : parent_(count) {
    std::iota(parent_.begin(), parent_.end(), std::uint32_t{0});
  }
  std::uint32_t root(std::uint32_t i) {
    while (parent_[i] != i) {
      parent_[i] = parent_[parent_[i]];
      i = parent_[i];
    }
    return i;
  }
  void join(std::uint32_t i, std::uint32_t j) { parent_[root(i)] = root(j); }

 private:
  std::vector<std::uint32_t> parent_;
};

}  // namespace

namespace scene {

const tocsin::detail::ShapeData& data_of(const Shape& shape) { return *shape.data_; }

core::Hull hull_of(std::span<const Vec3> corners, const TriangleIndices& feature) {
  const auto& [i, j, k] = feature;
  core::Hull out;
  out.corner[0] = corners[i];
  out.corner[1] = corners[j];
  out.corner[2] = corners[k];
  out.corners = i == j && j == k ? 1 : j == k ? 2 : 3;
  return out;
}

std::vector<std::uint32_t> component_features(std::span<const Vec3> corners,
                                              std::span<const TriangleIndices> features) {
  Components components(corners.size());
  // Files often have corners of their own for each triangle: those at one place are one.
  std::vector<std::uint32_t> order(corners.size());
  std::iota(order.begin(), order.end(), std::uint32_t{0});
  const auto place = [&](std::uint32_t i) {
    return std::tuple(corners[i].x, corners[i].y, corners[i].z);
  };
  std::sort(order.begin(), order.end(),
            [&](std::uint32_t i, std::uint32_t j) { return place(i) < place(j); });
  for (std::size_t k = 1; k < order.size(); ++k) {
    if (place(order[k - 1]) == place(order[k])) components.join(order[k - 1], order[k]);
  }
  for (const TriangleIndices& f : features) {
    components.join(f[0], f[1]);
    components.join(f[0], f[2]);
  }
  std::vector<std::uint8_t> seen(corners.size(), 0);
  std::vector<std::uint32_t> out;
  for (std::size_t i = 0; i < features.size(); ++i) {
    std::uint8_t& known = seen[components.root(features[i][0])];
    if (known == 0) out.push_back(static_cast<std::uint32_t>(i));
    known = 1;
  }
  return out;
}

std::vector<Vec3> component_corners(std::span<const Vec3> corners,
                                    std::span<const TriangleIndices> features) {
  std::vector<Vec3> out;
  for (const std::uint32_t i : component_features(corners, features)) {
    out.push_back(corners[features[i][0]]);
  }
  return out;
}

}  // namespace scene

Result<Shape> Shape::make(std::vector<Vec3> corners, std::vector<TriangleIndices> features,
                          double radius) {
  if (auto problem = problem_with(radius)) return *std::move(problem);
  if (auto problem = problem_with(features, corners.size())) return *std::move(problem);
  if (auto problem = problem_with(corners, features)) return *std::move(problem);
  keep_used(corners, features);
  auto data = std::make_shared<detail::ShapeData>();
  data->nodes = scene::shape_tree(corners, features);
  data->components = scene::component_corners(corners, features);
  data->hull = scene::outer_hull(corners, data->nodes.front().box);
  for (const auto& [i, j, k] : features) {
    data->longest =
        std::max({data->longest, core::norm(corners[j] - corners[i]),
                  core::norm(corners[k] - corners[j]), core::norm(corners[i] - corners[k])});
  }
  for (const Vec3& corner : corners) data->reach = std::max(data->reach, core::norm(corner));
  data->corners = std::move(corners);
  data->features = std::move(features);
  data->radius = radius;
  Shape out;
  out.data_ = std::move(data);
  return out;
}

Result<Shape> Shape::mesh(std::vector<Vec3> corners, std::vector<TriangleIndices> triangles,
                          double radius) {
  return make(std::move(corners), std::move(triangles), radius);
}

Result<Shape> Shape::box(const Vec3& half, double radius) {
  if (!(half.x > 0.0 && half.y > 0.0 && half.z > 0.0)) {
    return bad(fmt::format("half the edges of a box must be above 0, are ({}, {}, {})", half.x,
                           half.y, half.z));
  }
  std::vector<Vec3> corners;
  for (unsigned i = 0; i < 8; ++i) {
    corners.push_back({(i & 1U) != 0 ? half.x : -half.x, (i & 2U) != 0 ? half.y : -half.y,
                       (i & 4U) != 0 ? half.z : -half.z});
  }
  // Outwards, two a side: -x, +x, -y, +y, -z, +z.
  std::vector<TriangleIndices> triangles{{0, 4, 6}, {0, 6, 2}, {1, 3, 7}, {1, 7, 5},
                                         {0, 1, 5}, {0, 5, 4}, {2, 6, 7}, {2, 7, 3},
                                         {0, 2, 3}, {0, 3, 1}, {4, 5, 7}, {4, 7, 6}};
  return make(std::move(corners), std::move(triangles), radius);
}

Result<Shape> Shape::sphere(const Vec3& centre, double radius) {
  return capsule(centre, centre, radius);
}

Result<Shape> Shape::capsule(const Vec3& a, const Vec3& b, double radius) {
  if (!(radius >= scene::kMinLinkRadius)) {
    return bad(fmt::format("the radius of a sphere or capsule must be at least {} m, is {}",
                           scene::kMinLinkRadius, radius));
  }
  auto out = a == b ? make({a}, {{0, 0, 0}}, radius) : make({a, b}, {{0, 1, 1}}, radius);
  if (!out) return out;
  auto data = std::make_shared<detail::ShapeData>(*out->data_);
  data->round = true;
  Shape round;
  round.data_ = std::move(data);
  return round;
}

Result<Shape> Shape::placed(const ShapePlacement& at) const {
  if (empty()) return bad("an empty shape cannot be placed");
  if (auto problem = problem_with(at)) return *std::move(problem);
  const auto is_one = [](double s) { return std::fabs(s) == 1.0; };
  if (data_->round && !(is_one(at.scale.x) && is_one(at.scale.y) && is_one(at.scale.z))) {
    return bad("a sphere or capsule cannot be scaled: give it other sizes");
  }
  const core::Mat3 turn = core::to_matrix(core::normalized(at.rotation));
  std::vector<Vec3> corners = data_->corners;
  for (Vec3& p : corners) {
    p = turn * Vec3{at.scale.x * p.x, at.scale.y * p.y, at.scale.z * p.z} + at.translation;
  }
  std::vector<TriangleIndices> features = data_->features;
  if (at.scale.x * at.scale.y * at.scale.z < 0.0 && !data_->round) {
    // A mirrored surface faces outwards again.
    for (TriangleIndices& f : features) std::swap(f[1], f[2]);
  }
  auto out = make(std::move(corners), std::move(features), data_->radius);
  if (!out || !data_->round) return out;
  auto data = std::make_shared<detail::ShapeData>(*out->data_);
  data->round = true;
  out->data_ = std::move(data);
  return out;
}

std::span<const Vec3> Shape::corners() const {
  return empty() ? std::span<const Vec3>() : data_->corners;
}
std::span<const TriangleIndices> Shape::features() const {
  return empty() ? std::span<const TriangleIndices>() : data_->features;
}
double Shape::radius() const { return empty() ? 0.0 : data_->radius; }

Link link_of_shape(std::string name, int joint, Shape shape) {
  Link link{std::move(name), joint, {}, {}, 0.0, {}};
  if (!shape.empty()) {
    const scene::BoundingCapsule around = scene::bounding_capsule(shape.corners());
    link.a = around.a;
    link.b = around.b;
    link.radius = std::max(around.radius + shape.radius(), scene::kMinLinkRadius);
  }
  link.shape = std::move(shape);
  return link;
}

}  // namespace tocsin
