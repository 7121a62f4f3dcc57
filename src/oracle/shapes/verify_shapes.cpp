#include "oracle/shapes/verify_shapes.h"

#include <memory>

namespace tocsin::oracle {

MovingShape shape_of(const ShapeInMotion& shape) {
  return {std::make_shared<const MovingFrame>(shape.chain, shape.kind),
          std::make_shared<const FeatureTree>(shape.shape)};
}

Real radius_of(const ShapeQuery& query) {
  return static_cast<Real>(query.first.radius) + static_cast<Real>(query.second.radius);
}

Verdict verify(const ShapeQuery& query, const ShapeClaim& claim, const Effort& effort) {
  const MovingShape first = shape_of(query.first);
  const MovingShape second = shape_of(query.second);
  const bool touches =
      claim.status == Claim::Status::kOverlap || claim.status == Claim::Status::kHit;
  if (touches && !(claim.touching.first < first.features().size() &&
                   claim.touching.second < second.features().size())) {
    return {Verdict::Kind::kRefuted, Verdict::Fault::kMalformed, claim.hi, 0.0L, 0};
  }
  ShapeProver prover(first, second, radius_of(query), claim.touching);
  return verify(prover, claim, effort);
}

}  // namespace tocsin::oracle
