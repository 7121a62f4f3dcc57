// Sweeps of random pairs of shapes: the engine's FeatureSearch answers, the oracle judges.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "core/query/query.h"
#include "shapes/shape_generator.h"
#include "sweep_run.h"

namespace tocsin::oracle::test {

/// What is answered about two shapes, and the features that touch.
struct ShapeAnswer : core::Certificate {
  TwoFeatures touching = {};
};

ShapeClaim claim_of(const ShapeAnswer& answer);

/// What FeatureSearch says about a query.
ShapeAnswer answer_query(const ShapeQuery& query, double tolerance);

/// Shape against shape (sweep_run.h).
struct ShapeQueries {
  using Class = PairClass;
  using Query = ShapeQuery;
  static constexpr int kClasses = kPairClassCount;
  static std::string_view name(Class c) { return name_of(c); }
  static std::array<ShapeQuery, 2> make_pair(Class c, std::uint64_t seed, std::uint64_t number) {
    return make_shapes(c, seed, number);
  }
  static ShapeAnswer certify(const ShapeQuery& query, double tolerance) {
    return answer_query(query, tolerance);
  }
  static bool starts_early(const ShapeQuery& query, double lo);
};

using ShapeSweepOptions = SweepOptionsOf<ShapeQueries>;
using ShapeSweepResult = SweepResultOf<ShapeQueries>;

}  // namespace tocsin::oracle::test
