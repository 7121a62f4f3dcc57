// Four floats in one register, where the machine has one. SSE2 is used if it is there, as on every
// x86-64, so no choice is needed at run time. Otherwise the vector types of g++ and clang are used.
// Both give the same bits.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace tocsin::scene {

using Float4 = float __attribute__((vector_size(16)));
using Bits4 = std::uint32_t __attribute__((vector_size(16)));

inline Float4 load4(const float* from) {
  Float4 out;
  std::memcpy(&out, from, sizeof out);
  return out;
}
inline void store4(const Float4& from, float* to) { std::memcpy(to, &from, sizeof from); }
inline Float4 all4(float x) { return Float4{x, x, x, x}; }

/// Entry by entry, the lesser and the greater; b where one is NaN.
#if defined(__SSE2__)
inline Float4 min4(const Float4& a, const Float4& b) { return _mm_min_ps(a, b); }
inline Float4 max4(const Float4& a, const Float4& b) { return _mm_max_ps(a, b); }
#else
inline Float4 min4(const Float4& a, const Float4& b) { return a < b ? a : b; }
inline Float4 max4(const Float4& a, const Float4& b) { return a > b ? a : b; }
#endif

/// The bits of the first three entries, without the latency of going through memory.
inline std::array<std::uint32_t, 3> first_three(const Float4& x) {
#if defined(__SSE2__)
  const __m128i bits = _mm_castps_si128(x);
  const auto two = static_cast<std::uint64_t>(_mm_cvtsi128_si64(bits));
  const auto third = static_cast<std::uint32_t>(_mm_cvtsi128_si32(_mm_unpackhi_epi64(bits, bits)));
  return {static_cast<std::uint32_t>(two), static_cast<std::uint32_t>(two >> 32U), third};
#else
  const auto bits = std::bit_cast<std::array<std::uint32_t, 4> >(x);
  return {bits[0], bits[1], bits[2]};
#endif
}

}  // namespace tocsin::scene
