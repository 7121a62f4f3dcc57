// Sweeps of random link-triangle queries: core's certify answers, the oracle judges.
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "core/query/certify.h"
#include "query_generator.h"
#include "sweep_run.h"

namespace tocsin::oracle::test {

/// What core's certify says about a query.
core::Certificate certify_query(const LinkQuery& query, double tolerance);

/// The rounding margin eta that certify uses for it, metres.
double eta_of(const LinkQuery& query);

/// A query as numbers, for a person.
std::string describe(const LinkQuery& query);

/// One link as certify wants it: relative to its root's place at t = 0, rounded to float. `chain`:
/// 0, 1, 2, ..., as many as the link has joints; kept by the caller.
core::LinkMotion link_motion_of(const MovingAxis& axis, const std::vector<std::int32_t>& chain);

/// Link against triangle (sweep_run.h).
struct LinkQueries {
  using Class = QueryClass;
  using Query = LinkQuery;
  static constexpr int kClasses = kClassCount;
  static std::string_view name(Class c) { return name_of(c); }
  static std::array<LinkQuery, 2> make_pair(Class c, std::uint64_t seed, std::uint64_t number) {
    return QueryGenerator(c, seed).make_pair(number);
  }
  static core::Certificate certify(const LinkQuery& query, double tolerance) {
    return certify_query(query, tolerance);
  }
  static bool starts_early(const LinkQuery& query, double lo);
};

using SweepOptions = SweepOptionsOf<LinkQueries>;
using SweepResult = SweepResultOf<LinkQueries>;
using Refutation = RefutationOf<LinkQueries>;

}  // namespace tocsin::oracle::test
