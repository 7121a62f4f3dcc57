#include "detect/shapes/link_features.h"

#include <algorithm>

#include "detect/step/contact_at.h"

namespace tocsin::detect {

Features FeatureStore::of_link(const MovingLinks& links, std::size_t link) {
  const Shape& shape = links.shape(link);
  if (!shape.empty()) {
    const tocsin::detail::ShapeData& data = scene::data_of(shape);
    return {data.corners, data.features, data.nodes, 1, data.radius + links.margin(),
            data.longest, data.reach};
  }
  const Link& capsule = links.source(link);
  corners_ = {capsule.a, capsule.b};
  features_ = {{0, 1, 1}};
  nodes_.assign(1, {});
  nodes_.front().box = scene::box_around(corners_);
  return {corners_,
          features_,
          nodes_,
          1,
          capsule.radius + links.margin(),
          core::norm(capsule.b - capsule.a),
          std::max(core::norm(capsule.a), core::norm(capsule.b))};
}

Features FeatureStore::of_triangles(const Environment& environment,
                                    std::span<const std::uint32_t> triangles, const Vec3& ref) {
  corners_.clear();
  features_.clear();
  nodes_.clear();
  Features out;
  for (const std::uint32_t triangle : triangles) {
    const core::Triangle corners = triangle_of(environment, triangle, ref);
    const auto first = static_cast<std::uint32_t>(corners_.size());
    corners_.insert(corners_.end(), std::begin(corners.v), std::end(corners.v));
    const auto index = static_cast<std::uint32_t>(features_.size());
    features_.push_back({first, first + 1, first + 2});
    nodes_.push_back({scene::box_around({std::end(corners_) - 3, 3}), -1, index});
    for (std::size_t i = 0; i < 3; ++i) {
      out.longest = std::max(out.longest, core::norm(corners.v[(i + 1) % 3] - corners.v[i]));
      out.reach = std::max(out.reach, core::norm(corners.v[i]));
    }
  }
  out.corners = corners_;
  out.features = features_;
  out.nodes = nodes_;
  out.roots = nodes_.size();
  return out;
}

Features FeatureStore::of_triangles(std::span<const MovingTriangle> triangles, const Vec3& ref) {
  corners_.clear();
  changes_.clear();
  features_.clear();
  nodes_.clear();
  Features out;
  for (const MovingTriangle& triangle : triangles) {
    const auto first = static_cast<std::uint32_t>(corners_.size());
    std::array<Vec3, 6> all;  // where it begins, and where it ends
    for (std::size_t i = 0; i < 3; ++i) {
      all[i] = core::to_double(triangle.from[i]) - ref;
      all[i + 3] = core::to_double(triangle.to[i]) - ref;
      corners_.push_back(all[i]);
      changes_.push_back(all[i + 3] - all[i]);
      out.reach = std::max({out.reach, core::norm(all[i]), core::norm(all[i + 3])});
    }
    for (std::size_t i = 0; i < all.size(); ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        out.longest = std::max(out.longest, core::norm(all[i] - all[j]));
      }
    }
    const auto index = static_cast<std::uint32_t>(features_.size());
    features_.push_back({first, first + 1, first + 2});
    nodes_.push_back({scene::box_around(all), -1, index});
  }
  out.corners = corners_;
  out.changes = changes_;
  out.features = features_;
  out.nodes = nodes_;
  out.roots = nodes_.size();
  return out;
}

Features FeatureStore::one_feature(const TriangleIndices& feature) {
  features_ = {feature};
  nodes_.assign(1, {});
  nodes_.front().box = scene::box_around(corners_);
  Features out;
  out.corners = corners_;
  out.features = features_;
  out.nodes = nodes_;
  for (std::size_t i = 0; i < corners_.size(); ++i) {
    out.reach = std::max(out.reach, core::norm(corners_[i]));
    out.longest = std::max(out.longest, core::norm(corners_[i] - corners_[0]));
    out.longest = std::max(out.longest, core::norm(corners_[i] - corners_.back()));
  }
  return out;
}

Features FeatureStore::of_triangle_at(const MovingTriangle& triangle, double time,
                                      const Vec3& ref) {
  corners_.clear();
  for (std::size_t i = 0; i < 3; ++i) {
    // As core::DeformingTriangle has it.
    const Vec3 from = core::to_double(triangle.from[i]) - ref;
    const Vec3 to = core::to_double(triangle.to[i]) - ref;
    corners_.push_back(from + time * (to - from));
  }
  return one_feature({0, 1, 2});
}

Features FeatureStore::of_point(const Vec3& point) {
  corners_ = {point};
  return one_feature({0, 0, 0});
}

}  // namespace tocsin::detect
