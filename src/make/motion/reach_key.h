// Postures of standing and reaching for a target.
#pragma once

#include <array>
#include <cstdint>

#include "make/motion/pose.h"

namespace tocsin::make {

enum class Reaching : std::uint8_t { kRest, kHigh, kLow, kFar, kAcross };

/// A target to reach.
struct Target {
  Reaching kind = Reaching::kRest;
  Side side = kLeft;  ///< the hand
  Vec3 point;         ///< world, metres; not used for kRest
};

/// The number-th target of a seed.
Target target_of(std::uint64_t seed, std::uint64_t number);

/// The numbers that change from key to key and can be interpolated. Degrees, metres.
struct Posture {
  static constexpr int kArmNumbers = 7;
  /// Pelvis: x, drop, z, tilt forward, turn to the left; trunk: flexion, lateral, twist; neck:
  /// flexion, twist.
  std::array<double, 10> body{};
  /// An arm by Side: flexion, azimuth, elbow, swivel, shrug, protraction, and how far from hanging
  /// (0) to reaching (1) the rest of it is held.
  std::array<std::array<double, kArmNumbers>, 2> arm = {
      {{6, 0, 20, 25, 0, 0, 0}, {6, 0, 20, 25, 0, 0, 0}}};
};

/// a at u = 0, b at u = 1.
Posture mix(const Posture& a, const Posture& b, double u);

/// The posture's controls.
Controls posed(const Posture& posture);

/// The posture that reaches a target. Targets of target_of() are reached. Towards a farther target
/// the arm is stretched.
Posture reaching(const Target& target);

}  // namespace tocsin::make
