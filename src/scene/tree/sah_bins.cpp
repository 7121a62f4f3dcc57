#include "scene/tree/sah_bins.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "scene/tree/float4.h"

namespace tocsin::scene {

namespace {

using F4 = Float4;

/// A box in two registers.
struct Bound {
  F4 lo;
  F4 minus_hi;
};

Bound load(const SahItem& item) { return {load4(item.lo), load4(item.minus_hi)}; }
Bound load(const SahBound& b) { return {load4(b.at.data()), load4(b.at.data() + 4)}; }
void store(const Bound& b, SahBound& to) {
  store4(b.lo, to.at.data());
  store4(b.minus_hi, to.at.data() + 4);
}
Bound join(const Bound& a, const Bound& b) {
  return {min4(a.lo, b.lo), min4(a.minus_hi, b.minus_hi)};
}
Bound nothing() { return {all4(HUGE_VALF), all4(HUGE_VALF)}; }

/// Added to a number from 0 to 2^22, leaves its nearest integer in the low bits of the sum.
constexpr float kToInteger = 0x1p23F;

/// Twice the centre; the fourth entry is 0 (it may hold anything in an item, and arithmetic with
/// denormal numbers is slow).
F4 centre_doubled(const Bound& b) {
  constexpr Bits4 kMask{0xFFFFFFFF, 0xFFFFFFFF, 0xFFFFFFFF, 0};
  return std::bit_cast<F4>(std::bit_cast<Bits4>(b.lo - b.minus_hi) & kMask);
}

/// Bins of items in a domain.
class Binner {
 public:
  explicit Binner(const SahDomain& d) : low_(load4(d.low.data())), scale_(load4(d.scale.data())) {}

  /// The bin along each axis, as a whole number in the low bits.
  [[nodiscard]] F4 operator()(F4 twice_centre) const {
    const F4 at = (twice_centre - low_) * scale_ + all4(kToInteger - 0.5F);
    return min4(max4(at, all4(kToInteger)), all4(kToInteger + kSahBins - 1));
  }

 private:
  F4 low_;
  F4 scale_;
};

void add(const Bound& item, std::uint32_t weight, F4 bin, SahBins& to) {
  const std::array<std::uint32_t, 3> at = first_three(bin);
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const std::size_t i = at[axis] % kSahBins;
    SahBound& bound = to.bound[axis][i];
    store(join(load(bound), item), bound);
    to.weight[axis][i] += weight;
  }
}

float surface(const Bound& b) {
  const F4 e = b.lo + b.minus_hi;  // minus the edges
  return e[0] * (e[1] + e[2]) + e[1] * e[2];
}

template <bool kLower, bool kUpper>
std::size_t divide_into(std::span<const SahItem> items, const SahBins& bins, const SahSplit& split,
                        std::span<SahItem> to, SahBins* lower, SahBins* upper) {
  const float low = bins.domain.low[split.axis];
  const float scale = bins.domain.scale[split.axis];
  const float limit = kToInteger + static_cast<float>(split.bin);
  SahBins* const target[2] = {lower, upper};
  const Binner binner[2] = {Binner(lower != nullptr ? lower->domain : SahDomain{}),
                            Binner(upper != nullptr ? upper->domain : SahDomain{})};
  std::size_t front = 0;
  std::size_t back = items.size();
  for (const SahItem& item : items) {
    const float twice_centre = item.lo[split.axis] - item.minus_hi[split.axis];
    const float at = (twice_centre - low) * scale + (kToInteger - 0.5F);
    const std::size_t side = at < limit ? 0 : 1;
    const Bound bound = load(item);
    const std::uint32_t weight = item.weight;
    back -= side;
    SahItem& place = to[side == 0 ? front : back];
    front += 1 - side;
    store4(bound.lo, place.lo);
    store4(bound.minus_hi, place.minus_hi);
    if constexpr (kLower && kUpper) {
      add(bound, weight, binner[side](centre_doubled(bound)), *target[side]);
    } else if constexpr (kLower) {
      if (side == 0) add(bound, weight, binner[0](centre_doubled(bound)), *lower);
    } else if constexpr (kUpper) {
      if (side == 1) add(bound, weight, binner[1](centre_doubled(bound)), *upper);
    }
  }
  return front;
}

}  // namespace

SahBound no_bound() {
  SahBound out;
  store(nothing(), out);
  return out;
}

void add(const SahItem& item, SahBound& to) { store(join(load(to), load(item)), to); }
void join_into(const SahBound& bound, SahBound& to) { store(join(load(to), load(bound)), to); }
SahItem item_of(const SahBound& b, std::uint32_t index, std::uint32_t weight) {
  return {{b.at[0], b.at[1], b.at[2]}, index, {b.at[4], b.at[5], b.at[6]}, weight};
}

float surface_of(const SahBound& bound) { return surface(load(bound)); }

SahDomain sah_domain(const std::array<float, 4>& low, const std::array<float, 4>& high) {
  SahDomain out{low, high, {}};
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const float extent = high[axis] - low[axis];
    // Below this, less than a float resolves 1e-12 m from the origin, the quotient may overflow.
    if (extent > 1e-20F) out.scale[axis] = static_cast<float>(kSahBins) / extent;
  }
  return out;
}

void SahBins::reset(const SahDomain& where) {
  domain = where;
  for (auto& axis : bound) {
    for (SahBound& b : axis) store(nothing(), b);
  }
  for (auto& axis : weight) std::fill_n(axis, kSahBins, 0U);
}

SahExtent extent_of(std::span<const SahItem> items) {
  Bound all = nothing();
  F4 low = all4(HUGE_VALF);
  F4 high = all4(-HUGE_VALF);
  SahExtent out;
  for (const SahItem& item : items) {
    const Bound b = load(item);
    const F4 c = centre_doubled(b);
    all = join(all, b);
    low = min4(low, c);
    high = max4(high, c);
    out.weight += item.weight;
  }
  store(all, out.bound);
  std::array<float, 4> least{};
  std::array<float, 4> greatest{};
  store4(low, least.data());
  store4(high, greatest.data());
  out.domain = sah_domain(least, greatest);
  return out;
}

void fill_bins(std::span<const SahItem> items, SahBins& bins) {
  const Binner binner(bins.domain);
  for (const SahItem& item : items) {
    const Bound b = load(item);
    add(b, item.weight, binner(centre_doubled(b)), bins);
  }
}

SahSplit best_split(const SahBins& bins, std::uint32_t block) {
  const auto blocks = [block](std::uint32_t weight) {
    return static_cast<float>((weight + block - 1) / block);
  };
  SahSplit best;
  best.cost = HUGE_VALF;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    if (bins.domain.scale[axis] == 0.0F) continue;
    std::array<float, kSahBins> above;
    Bound all = nothing();
    std::uint32_t weight = 0;
    for (std::size_t bin = kSahBins - 1; bin > 0; --bin) {
      all = join(all, load(bins.bound[axis][bin]));
      weight += bins.weight[axis][bin];
      above[bin] = surface(all) * blocks(weight);  // an empty side: inf * 0 is NaN, and never less
    }
    all = nothing();
    weight = 0;
    for (std::size_t bin = 1; bin < kSahBins; ++bin) {
      all = join(all, load(bins.bound[axis][bin - 1]));
      weight += bins.weight[axis][bin - 1];
      const float cost = surface(all) * blocks(weight) + above[bin];
      if (cost < best.cost) best = {axis, bin, cost};
    }
  }
  return best;
}

std::array<SahSide, 2> sides_of(const SahBins& bins, const SahSplit& split) {
  std::array<SahSide, 2> out;
  for (std::size_t side = 0; side < 2; ++side) {
    Bound all = nothing();
    for (std::size_t bin = side == 0 ? 0 : split.bin; bin < (side == 0 ? split.bin : kSahBins);
         ++bin) {
      all = join(all, load(bins.bound[split.axis][bin]));
      out[side].weight += bins.weight[split.axis][bin];
    }
    store(all, out[side].bound);
    std::array<float, 4> low = bins.domain.low;
    std::array<float, 4> high = bins.domain.high;
    const float plane =
        low[split.axis] + static_cast<float>(split.bin) / bins.domain.scale[split.axis];
    (side == 0 ? high : low)[split.axis] = plane;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      low[axis] = std::max(low[axis], 2.0F * out[side].bound.at[axis]);
      high[axis] = std::min(high[axis], -2.0F * out[side].bound.at[axis + 4]);
    }
    out[side].domain = sah_domain(low, high);
  }
  return out;
}

std::size_t divide(std::span<const SahItem> items, const SahBins& bins, const SahSplit& split,
                   std::span<SahItem> to, SahBins* lower, SahBins* upper) {
  if (lower != nullptr && upper != nullptr) {
    return divide_into<true, true>(items, bins, split, to, lower, upper);
  }
  if (lower != nullptr) return divide_into<true, false>(items, bins, split, to, lower, upper);
  if (upper != nullptr) return divide_into<false, true>(items, bins, split, to, lower, upper);
  return divide_into<false, false>(items, bins, split, to, lower, upper);
}

}  // namespace tocsin::scene
