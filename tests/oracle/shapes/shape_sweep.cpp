#include "shapes/shape_sweep.h"

#include <limits>

#include "core/query/advance.h"
#include "shapes/shape_input.h"
#include "sweep_counts.h"

namespace tocsin::oracle::test {

ShapeClaim claim_of(const ShapeAnswer& answer) {
  ShapeClaim out;
  static_cast<Claim&>(out) = claim_of(static_cast<const core::Certificate&>(answer));
  out.touching = answer.touching;
  return out;
}

ShapeAnswer answer_query(const ShapeQuery& query, double tolerance) {
  const ShapeInput in(query);
  thread_local detect::FeatureSearch search;
  StepCounters counters;
  detect::SearchLimits limits;
  limits.tolerance = tolerance;
  const detect::FeatureContact found = search.run(in.frames, in.first, in.second, limits, counters);
  ShapeAnswer out;
  out.evaluations = static_cast<std::int32_t>(
      std::min<std::uint64_t>(counters.evaluations, std::numeric_limits<std::int32_t>::max()));
  out.outcome = core::Outcome::kFree;
  if (!found.any()) return out;
  out.outcome = found.touch() == core::Touch::kOverlap ? core::Outcome::kOverlap
                : found.touch() == core::Touch::kHit   ? core::Outcome::kHit
                                                       : core::Outcome::kGraze;
  out.lo = found.lo();
  out.hi = found.hi();
  out.touch_lo = found.place_time();
  out.limited = found.limited();
  out.touching = {detect::first_of(found.triangle()), detect::second_of(found.triangle())};
  return out;
}

bool ShapeQueries::starts_early(const ShapeQuery& query, double lo) {
  const MovingShape first = shape_of(query.first);
  const MovingShape second = shape_of(query.second);
  const Real eta = ShapeInput(query).eta();
  ShapeProver prover(first, second, radius_of(query) + 8.0L * eta);
  return prover.prove_free(lo, lo, 100).kind == Proof::Kind::kFree;
}

}  // namespace tocsin::oracle::test
