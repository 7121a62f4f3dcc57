// Sweeps of random pairs of hulls: core's certify_hulls answers, the oracle judges.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "core/query/query.h"
#include "hulls/hull_generator.h"
#include "hulls/hull_input.h"
#include "sweep_run.h"

namespace tocsin::oracle::test {

/// What certify_hulls says about a query.
core::Certificate certify_query(const HullQuery& query, double tolerance);

/// A query as numbers, for a person.
std::string describe(const HullQuery& query);

/// Hull against hull (sweep_run.h).
struct HullQueries {
  using Class = PairClass;
  using Query = HullQuery;
  static constexpr int kClasses = kPairClassCount;
  static std::string_view name(Class c) { return name_of(c); }
  static std::array<HullQuery, 2> make_pair(Class c, std::uint64_t seed, std::uint64_t number) {
    return make_hulls(c, seed, number);
  }
  static core::Certificate certify(const HullQuery& query, double tolerance) {
    return certify_query(query, tolerance);
  }
  static bool starts_early(const HullQuery& query, double lo);
};

using HullSweepOptions = SweepOptionsOf<HullQueries>;
using HullSweepResult = SweepResultOf<HullQueries>;

}  // namespace tocsin::oracle::test
