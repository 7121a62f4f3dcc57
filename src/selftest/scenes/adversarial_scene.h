// Link-triangle scenes of every kind in which a culler that draws pictures may lose something. Many
// scenes share an environment, each in a cell of its own, so that one Detector::run answers them
// all. Fixed seeds only.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "selftest/scenes/adversity.h"
#include "tocsin/avatar.h"
#include "tocsin/environment.h"
#include "tocsin/motion.h"

namespace tocsin::selftest {

/// One step of a batch, and what it is about.
struct AdversarialScene {
  Adversity kind = Adversity::kSliver;
  std::int32_t link = 0;     ///< the one that moves
  std::uint32_t object = 0;  ///< whose triangles are of that kind
  /// Least distance over the step between the link's surface and the object, metres; 0 or less:
  /// they touch. Found by sampling: good enough to count with, not to judge by.
  double gap = 0.0;
  double pixel = 0.0;  ///< metres
};

struct AdversarialBatch {
  Avatar avatar;
  Environment environment;
  StepList steps;  ///< one a scene
  std::vector<AdversarialScene> scenes;
};

/// Batches come in rounds: of ten, six have all kinds but the last four, which have a batch each.
inline constexpr int kRound = 10;

/// Batch `number` of `scenes` scenes: half of them meant to touch, half to be clear by a hair, a
/// part of a pixel, or a few.
AdversarialBatch make_adversarial_batch(std::uint64_t seed, std::uint64_t number, int scenes);

}  // namespace tocsin::selftest
