// A counter-based random number stream: what it yields depends on its key only, not on the
// compiler, the thread or the streams before it.
#pragma once

#include <cmath>
#include <cstdint>

#include "tocsin/types.h"

namespace tocsin::selftest {

/// SplitMix64 (Steele, Lea, Flood 2014) over a key.
class Random {
 public:
  Random(std::uint64_t seed, std::uint64_t stream, std::uint64_t index)
      : state_(mix(mix(mix(seed) ^ stream) ^ index)) {}

  std::uint64_t bits() {
    state_ += 0x9e3779b97f4a7c15ULL;
    return mix(state_);
  }
  /// In [0, 1), 53 bits.
  double unit() { return static_cast<double>(bits() >> 11) * 0x1p-53; }
  double between(double low, double high) { return low + (high - low) * unit(); }
  /// Log-uniform.
  double magnitude(double low, double high) {
    return low * std::exp(unit() * std::log(high / low));
  }
  int below(int n) { return static_cast<int>(bits() % static_cast<std::uint64_t>(n)); }
  bool chance(double p) { return unit() < p; }

  /// Uniform on the unit sphere.
  Vec3 direction() {
    const double z = between(-1.0, 1.0);
    const double phi = between(0.0, 6.283185307179586);
    const double r = std::sqrt(1.0 - z * z);
    return {r * std::cos(phi), r * std::sin(phi), z};
  }
  /// A rotation by `angle` about `axis`.
  static Quat rotation(const Vec3& axis, double angle) {
    const double s = std::sin(0.5 * angle);
    return {std::cos(0.5 * angle), s * axis.x, s * axis.y, s * axis.z};
  }
  Quat rotation_by(double angle) { return rotation(direction(), angle); }
  Quat rotation() { return rotation_by(between(0.0, 3.141592653589793)); }
  /// A vector of a uniform, or log-uniform, length.
  Vec3 vector(double low, double high) { return scaled(between(low, high)); }
  Vec3 log_vector(double low, double high) { return scaled(magnitude(low, high)); }
  /// A number of log-uniform magnitude and either sign.
  double offset(double low, double high) {
    const double m = magnitude(low, high);
    return chance(0.5) ? m : -m;
  }

 private:
  Vec3 scaled(double l) {
    const Vec3 d = direction();
    return {l * d.x, l * d.y, l * d.z};
  }
  static std::uint64_t mix(std::uint64_t z) {
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
    return z ^ (z >> 31);
  }
  std::uint64_t state_;
};

}  // namespace tocsin::selftest
