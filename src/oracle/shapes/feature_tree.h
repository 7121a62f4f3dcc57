// Features in one frame, with a tree of spheres around them: what the oracle leaves out of two sets
// of features, it leaves out by these.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "oracle/hulls/hull_separation.h"
#include "oracle/number.h"
#include "tocsin/shape.h"

namespace tocsin::oracle {

/// A sphere that holds all features below a node, without their radius.
struct SphereNode {
  RealVec centre;             ///< frame, metres
  Real radius = 0.0L;         ///< with room for rounding
  Real arm = 0.0L;            ///< |centre|
  std::int32_t child = -1;    ///< of two, which stand side by side; -1: a leaf
  std::uint32_t feature = 0;  ///< of a leaf
};

/// Hulls of one to three corners.
class FeatureTree {
 public:
  /// Each feature as three indices into the corners, as in Shape. Precondition: there are some.
  FeatureTree(std::vector<RealVec> corners, std::vector<TriangleIndices> features);
  explicit FeatureTree(const Shape& shape);

  [[nodiscard]] std::size_t size() const { return features_.size(); }
  /// A feature's corners, each once.
  [[nodiscard]] Corners feature(std::size_t i) const;
  /// The root first.
  [[nodiscard]] std::span<const SphereNode> nodes() const { return nodes_; }
  /// No corner and no centre is farther from the frame's origin, metres.
  [[nodiscard]] Real reach() const { return reach_; }
  /// Features that are joined by corners they have in common are a component: of each, the
  /// features, in order. Found when it is first asked for; several threads may ask.
  [[nodiscard]] const std::vector<std::vector<std::uint32_t>>& components() const;

 private:
  /// Shared by copies.
  struct Components {
    std::once_flag once;
    std::vector<std::vector<std::uint32_t>> all;
  };

  void build();
  [[nodiscard]] std::vector<std::vector<std::uint32_t>> find_components() const;
  [[nodiscard]] SphereNode sphere_around(std::span<const std::uint32_t> features) const;

  std::vector<RealVec> corners_;
  std::vector<TriangleIndices> features_;
  std::vector<SphereNode> nodes_;
  Real reach_ = 0.0L;
  std::shared_ptr<Components> components_ = std::make_shared<Components>();
};

}  // namespace tocsin::oracle
