#include "hulls/hull_sweep.h"

#include <fmt/format.h>

#include "core/query/advance.h"
#include "sweep_counts.h"

namespace tocsin::oracle::test {
namespace {

std::string describe(const MovingHull& hull) {
  std::string out =
      fmt::format("{}, radius {:a}\n",
                  hull.kind == InBetween::kScrew ? "screw" : "translate_rotate", hull.radius);
  for (const Vec3& corner : hull.corners) out += fmt::format("corner {}\n", numbers(corner));
  for (const core::JointMotion& m : hull.chain) out += numbers(m);
  return out;
}

}  // namespace

core::Certificate certify_query(const HullQuery& query, double tolerance) {
  return HullInput(query).certify(tolerance, core::kToEnd);
}

bool HullQueries::starts_early(const HullQuery& query, double lo) {
  const HullPath first(query.first);
  const HullPath second(query.second);
  HullProver prover(first, second, radius_of(query));
  const Real eta = HullInput(query).eta();
  return prover.distance(lo).least > prover.radius() + 8.0L * eta;
}

std::string describe(const HullQuery& q) { return describe(q.first) + describe(q.second); }

}  // namespace tocsin::oracle::test
