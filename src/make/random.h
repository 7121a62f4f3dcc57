// Random numbers that are the same bits on every machine and compiler: splitmix64 (Steele, Lea and
// Flood 2014), whose k-th number is a hash of seed + k times a constant. Integer arithmetic and
// exact conversions only; std::uniform_*_distribution differs between standard libraries.
#pragma once

#include <cstdint>

namespace tocsin::make {

/// The increment of splitmix64: 2^64 divided by the golden ratio, made odd.
inline constexpr std::uint64_t kGoldenGamma = 0x9E3779B97F4A7C15U;

/// A 64-bit hash: every bit of the input changes about half of the output's.
constexpr std::uint64_t hash_bits(std::uint64_t x) {
  x = (x ^ (x >> 30U)) * 0xBF58476D1CE4E5B9U;
  x = (x ^ (x >> 27U)) * 0x94D049BB133111EBU;
  return x ^ (x >> 31U);
}

/// 64 bits as a number in [0, 1): the top 53 of them, exactly.
constexpr double unit_interval(std::uint64_t bits) {
  return static_cast<double>(bits >> 11U) * 0x1p-53;
}

/// A stream of random numbers. Streams of one seed with different numbers are independent, so
/// that drawing more for one purpose changes nothing for another.
class Random {
 public:
  explicit constexpr Random(std::uint64_t seed, std::uint64_t stream = 0)
      : state_(hash_bits(seed + kGoldenGamma) ^ hash_bits(~stream)) {}

  constexpr std::uint64_t bits() { return hash_bits(state_ += kGoldenGamma); }
  /// In [0, 1).
  constexpr double uniform() { return unit_interval(bits()); }
  /// In [low, high], rounding included.
  constexpr double uniform(double low, double high) { return low + (high - low) * uniform(); }
  /// One of low, low + 1, ..., high. Ranges are small here: the bias of 2^-53 is no matter.
  constexpr int integer(int low, int high) {
    return low + static_cast<int>(uniform() * (static_cast<double>(high) - low + 1.0));
  }
  /// True with this probability.
  constexpr bool chance(double probability) { return uniform() < probability; }

 private:
  std::uint64_t state_;
};

}  // namespace tocsin::make
