#include "scene/room/fingerprint.h"

#include <array>
#include <bit>
#include <cstring>

#include "tocsin/types.h"

namespace tocsin::scene {
namespace {

/// Lanes that are multiplied side by side: a product takes 3 or 4 clocks but one can start in each.
/// Another number gives other hashes (kTreeFormat).
constexpr std::size_t kLanes = 8;
constexpr std::size_t kStripe = kLanes * sizeof(std::uint64_t);

/// Odd, so that a product with them can be undone; their bits are the fractional ones of the golden
/// ratio and of pi, without pattern. Others give other hashes (kTreeFormat).
constexpr std::uint64_t kGolden = 0x9E3779B97F4A7C15;
constexpr std::uint64_t kPi = 0x243F6A8885A308D3;

using Lanes = std::array<std::uint64_t, kLanes>;

/// One to one for a given word and for a given lane: single differences are certain to show. A
/// product sends bits up and the turn brings the top ones down again. With one product instead of
/// two the flip of a word's top bit would be undone by the flip of one bit of the lane's next word.
std::uint64_t mixed(std::uint64_t lane, std::uint64_t word) {
  return std::rotl(lane ^ (word * kGolden), 29) * kPi;
}

void take_stripe(Lanes& lanes, const std::byte* from) {
  for (std::size_t i = 0; i < kLanes; ++i) {
    std::uint64_t word = 0;
    std::memcpy(&word, from + i * sizeof word, sizeof word);
    lanes[i] = mixed(lanes[i], word);
  }
}

}  // namespace

std::uint64_t hash_bytes(std::span<const std::byte> bytes, std::uint64_t seed) {
  Lanes lanes{};
  for (std::size_t i = 0; i < kLanes; ++i) lanes[i] = mixed(seed, i + 1);
  std::size_t done = 0;
  for (; bytes.size() - done >= kStripe; done += kStripe) take_stripe(lanes, bytes.data() + done);
  if (done < bytes.size()) {
    std::array<std::byte, kStripe> last{};
    std::memcpy(last.data(), bytes.data() + done, bytes.size() - done);
    take_stripe(lanes, last.data());
  }
  std::uint64_t hash = mixed(seed, bytes.size());  // which tells padding from zeros
  for (const std::uint64_t lane : lanes) {
    hash = mixed(hash, lane);
    hash ^= hash >> 32U;
  }
  return hash;
}

std::uint64_t fingerprint(const Environment& environment) {
  static_assert(sizeof(Vec3f) == 12 && sizeof(TriangleIndices) == 12);  // no padding in the hash
  return hash_bytes(std::as_bytes(environment.triangles()),
                    hash_bytes(std::as_bytes(environment.vertices())));
}

}  // namespace tocsin::scene
