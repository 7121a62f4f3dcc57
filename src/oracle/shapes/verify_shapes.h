// Checks one certified answer about two shapes, both moving.
#pragma once

#include <vector>

#include "core/motion/joint_motion.h"
#include "oracle/shapes/shape_prover.h"
#include "oracle/verify_bracket.h"
#include "tocsin/motion.h"
#include "tocsin/shape.h"

namespace tocsin::oracle {

/// One of two shapes over one step.
struct ShapeInMotion {
  std::vector<core::JointMotion> chain;  ///< stored parameters, root first; at least one
  InBetween kind = InBetween::kScrew;
  Shape shape;          ///< in the last joint's frame; not empty
  double radius = 0.0;  ///< metres, in place of the shape's own
};

/// A question: they touch where a feature of one is no farther from one of the other than the sum
/// of the radii.
struct ShapeQuery {
  ShapeInMotion first;
  ShapeInMotion second;
};

/// Free means all features. An overlap or a hit names two that touch.
struct ShapeClaim : Claim {
  TwoFeatures touching = {};
};

MovingShape shape_of(const ShapeInMotion& shape);

Real radius_of(const ShapeQuery& query);

/// Refuted as malformed also if a feature is named that does not exist. `effort`: of every pair of
/// features.
Verdict verify(const ShapeQuery& query, const ShapeClaim& claim, const Effort& effort = {});

}  // namespace tocsin::oracle
