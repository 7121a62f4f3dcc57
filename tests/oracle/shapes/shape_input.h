// A query about two shapes, in the form that the engine takes.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "detect/shapes/feature_search.h"
#include "oracle/shapes/verify_shapes.h"

namespace tocsin::oracle::test {

/// A query as FeatureSearch wants it. Holds pointers into `query`, which must outlive it.
class ShapeInput {
 public:
  explicit ShapeInput(const ShapeQuery& query);

  core::FramePair frames;
  detect::Features first;
  detect::Features second;

  /// Of every pair of features.
  [[nodiscard]] double eta() const;

 private:
  std::array<std::vector<std::int32_t>, 2> chains_;
};

}  // namespace tocsin::oracle::test
