#include "base/sha256_blocks.h"

#include <bit>

#ifdef __x86_64__
#include <cpuid.h>
#include <immintrin.h>
#endif

namespace tocsin::base {
namespace {

/// The first 32 bits of the fractions of the cube roots of the first 64 primes (FIPS 180-4, 4.2.2).
alignas(16) constexpr std::array<std::uint32_t, 64> kRound{
    0x428a2f98U, 0x71374491U, 0xb5c0fbcfU, 0xe9b5dba5U, 0x3956c25bU, 0x59f111f1U, 0x923f82a4U,
    0xab1c5ed5U, 0xd807aa98U, 0x12835b01U, 0x243185beU, 0x550c7dc3U, 0x72be5d74U, 0x80deb1feU,
    0x9bdc06a7U, 0xc19bf174U, 0xe49b69c1U, 0xefbe4786U, 0x0fc19dc6U, 0x240ca1ccU, 0x2de92c6fU,
    0x4a7484aaU, 0x5cb0a9dcU, 0x76f988daU, 0x983e5152U, 0xa831c66dU, 0xb00327c8U, 0xbf597fc7U,
    0xc6e00bf3U, 0xd5a79147U, 0x06ca6351U, 0x14292967U, 0x27b70a85U, 0x2e1b2138U, 0x4d2c6dfcU,
    0x53380d13U, 0x650a7354U, 0x766a0abbU, 0x81c2c92eU, 0x92722c85U, 0xa2bfe8a1U, 0xa81a664bU,
    0xc24b8b70U, 0xc76c51a3U, 0xd192e819U, 0xd6990624U, 0xf40e3585U, 0x106aa070U, 0x19a4c116U,
    0x1e376c08U, 0x2748774cU, 0x34b0bcb5U, 0x391c0cb3U, 0x4ed8aa4aU, 0x5b9cca4fU, 0x682e6ff3U,
    0x748f82eeU, 0x78a5636fU, 0x84c87814U, 0x8cc70208U, 0x90befffaU, 0xa4506cebU, 0xbef9a3f7U,
    0xc67178f2U};

std::uint32_t big_endian(const unsigned char* p) {
  return std::uint32_t{p[0]} << 24U | std::uint32_t{p[1]} << 16U | std::uint32_t{p[2]} << 8U |
         std::uint32_t{p[3]};
}

/// One round; only d and h change.
inline void do_round(std::uint32_t a, std::uint32_t b, std::uint32_t c, std::uint32_t& d,
                     std::uint32_t e, std::uint32_t f, std::uint32_t g, std::uint32_t& h,
                     std::uint32_t word) {
  const std::uint32_t t1 =
      h + (std::rotr(e, 6) ^ std::rotr(e, 11) ^ std::rotr(e, 25)) + (g ^ (e & (f ^ g))) + word;
  d += t1;
  h = t1 + (std::rotr(a, 2) ^ std::rotr(a, 13) ^ std::rotr(a, 22)) + ((a & b) ^ (c & (a ^ b)));
}

void one_block(Sha256State& state, const unsigned char* bytes) {
  std::array<std::uint32_t, 64> w{};
  for (std::size_t i = 0; i < 16; ++i) w[i] = big_endian(bytes + 4 * i);
  for (std::size_t i = 16; i < 64; ++i) {
    const std::uint32_t x = w[i - 15];
    const std::uint32_t y = w[i - 2];
    w[i] = w[i - 16] + (std::rotr(x, 7) ^ std::rotr(x, 18) ^ (x >> 3U)) + w[i - 7] +
           (std::rotr(y, 17) ^ std::rotr(y, 19) ^ (y >> 10U));
  }
  auto [a, b, c, d, e, f, g, h] = state;
  // The letters go round, instead of their values.
  for (std::size_t i = 0; i < 64; i += 8) {
    do_round(a, b, c, d, e, f, g, h, kRound[i] + w[i]);
    do_round(h, a, b, c, d, e, f, g, kRound[i + 1] + w[i + 1]);
    do_round(g, h, a, b, c, d, e, f, kRound[i + 2] + w[i + 2]);
    do_round(f, g, h, a, b, c, d, e, kRound[i + 3] + w[i + 3]);
    do_round(e, f, g, h, a, b, c, d, kRound[i + 4] + w[i + 4]);
    do_round(d, e, f, g, h, a, b, c, kRound[i + 5] + w[i + 5]);
    do_round(c, d, e, f, g, h, a, b, kRound[i + 6] + w[i + 6]);
    do_round(b, c, d, e, f, g, h, a, kRound[i + 7] + w[i + 7]);
  }
  const Sha256State add{a, b, c, d, e, f, g, h};
  for (std::size_t i = 0; i < 8; ++i) state[i] += add[i];
}

#ifdef __x86_64__

/// SHA, SSE4.1 and SSSE3.
bool has_instructions() {
  unsigned a = 0;
  unsigned b = 0;
  unsigned c = 0;
  unsigned d = 0;
  if (__get_cpuid(1, &a, &b, &c, &d) == 0) return false;
  const bool shuffles = (c >> 9U & 1U) != 0 && (c >> 19U & 1U) != 0;
  return shuffles && __get_cpuid_count(7, 0, &a, &b, &c, &d) != 0 && (b >> 29U & 1U) != 0;
}

/// The state as the instructions want it: `abef` holds a in its highest quarter, f in its lowest.
struct Halves {
  __m128i abef;
  __m128i cdgh;
};

__attribute__((target("sha,sse4.1,ssse3"))) Halves one_block_x86(const Halves& before,
                                                                 const unsigned char* bytes) {
  // Reverses the bytes of each of four numbers.
  const __m128i reverse = _mm_set_epi64x(0x0c0d0e0f08090a0b, 0x0405060700010203);
  __m128i w[4] = {};  // the last 16 words
  Halves s = before;
  for (std::size_t i = 0; i < 16; ++i) {  // four rounds each
    __m128i& words = w[i % 4];
    if (i < 4) {
      const auto* const from = reinterpret_cast<const __m128i*>(bytes + 16 * i);
      words = _mm_shuffle_epi8(_mm_loadu_si128(from), reverse);
    } else {
      const __m128i last = w[(i + 3) % 4];
      const __m128i seven_back = _mm_alignr_epi8(last, w[(i + 2) % 4], 4);
      words = _mm_add_epi32(_mm_sha256msg1_epu32(words, w[(i + 1) % 4]), seven_back);
      words = _mm_sha256msg2_epu32(words, last);
    }
    const auto* const constants = reinterpret_cast<const __m128i*>(kRound.data() + 4 * i);
    const __m128i sum = _mm_add_epi32(words, _mm_load_si128(constants));
    // Two rounds make the new abef; the old one is the new cdgh.
    s.cdgh = _mm_sha256rnds2_epu32(s.cdgh, s.abef, sum);
    s.abef = _mm_sha256rnds2_epu32(s.abef, s.cdgh, _mm_shuffle_epi32(sum, 0x0e));
  }
  return {_mm_add_epi32(s.abef, before.abef), _mm_add_epi32(s.cdgh, before.cdgh)};
}

void blocks_x86(Sha256State& state, const unsigned char* bytes, std::size_t count) {
  const auto quarters = [&](int a, int b, int c, int d) {
    const auto at = [&](int i) { return static_cast<int>(state[static_cast<std::size_t>(i)]); };
    return _mm_set_epi32(at(a), at(b), at(c), at(d));
  };
  Halves s{quarters(0, 1, 4, 5), quarters(2, 3, 6, 7)};
  for (; count > 0; --count, bytes += kSha256BlockBytes) s = one_block_x86(s, bytes);
  alignas(16) std::array<std::uint32_t, 4> feba{};
  alignas(16) std::array<std::uint32_t, 4> hgdc{};
  _mm_store_si128(reinterpret_cast<__m128i*>(feba.data()), s.abef);
  _mm_store_si128(reinterpret_cast<__m128i*>(hgdc.data()), s.cdgh);
  state = {feba[3], feba[2], hgdc[3], hgdc[2], feba[1], feba[0], hgdc[1], hgdc[0]};
}

#endif

}  // namespace

void sha256_blocks_portable(Sha256State& state, const unsigned char* bytes, std::size_t count) {
  for (; count > 0; --count, bytes += kSha256BlockBytes) one_block(state, bytes);
}

Sha256Blocks sha256_blocks_x86() {
#ifdef __x86_64__
  static const bool kHas = has_instructions();
  if (kHas) return blocks_x86;
#endif
  return nullptr;
}

}  // namespace tocsin::base
