// Sweeps of random pairs of links: core's certify_pair answers, the oracle judges.
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "core/motion/link_motion.h"
#include "core/query/query.h"
#include "pair_generator.h"
#include "sweep_run.h"

namespace tocsin::oracle::test {

/// A query as certify_pair wants it. Holds pointers into `query`, which must outlive it.
class PairInput {
 public:
  explicit PairInput(const PairQuery& query);
  core::LinkMotion first;
  core::LinkMotion second;

  [[nodiscard]] core::Certificate certify(double tolerance) const;

 private:
  std::array<std::vector<std::int32_t>, 2> chains_;
};

/// What certify_pair says about a query.
core::Certificate certify_query(const PairQuery& query, double tolerance);

/// A query as numbers, for a person.
std::string describe(const PairQuery& query);

/// Link against link (sweep_run.h).
struct PairQueries {
  using Class = PairClass;
  using Query = PairQuery;
  static constexpr int kClasses = kPairClassCount;
  static std::string_view name(Class c) { return name_of(c); }
  static std::array<PairQuery, 2> make_pair(Class c, std::uint64_t seed, std::uint64_t number) {
    return test::make_pair(c, seed, number);
  }
  static core::Certificate certify(const PairQuery& query, double tolerance) {
    return certify_query(query, tolerance);
  }
  static bool starts_early(const PairQuery& query, double lo);
};

using PairSweepOptions = SweepOptionsOf<PairQueries>;
using PairSweepResult = SweepResultOf<PairQueries>;

}  // namespace tocsin::oracle::test
