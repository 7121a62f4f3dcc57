// Bins of the surface area heuristic: the distribution of a node's triangles along each axis, and
// the best split.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "core/bounds/box.h"

namespace tocsin::scene {

/// An item to be divided: a triangle, or a cell of the grid with many. It has 32 bytes, so that two
/// loads fetch it; the upper bounds are negated, so that one operation, the minimum, joins boxes.
struct alignas(32) SahItem {
  float lo[3];           ///< of its box, metres
  std::uint32_t index;   ///< of the triangle or cell
  float minus_hi[3];     ///< of its box
  std::uint32_t weight;  ///< number of its triangles
};

/// Bins along an axis, a power of two. In a room of 2.5 M triangles 8 make 2 % more blocks; 32 make
/// 0.6 % fewer and take a fifth longer.
inline constexpr std::size_t kSahBins = 16;

/// Where the items' centres, times two, lie; metres, per axis. Items outside count as at the rim.
struct SahDomain {
  std::array<float, 4> low{};
  std::array<float, 4> high{};
  std::array<float, 4> scale{};  ///< bins per metre; 0: the axis is not asked
};

/// A box as two vectors, the fourth entry of each not used: an item's as it is stored.
struct alignas(16) SahBound {
  std::array<float, 8> at;
};

/// An item belongs to the lower side if its bin along `axis` lies below `bin`.
struct SahSplit {
  std::size_t axis = 3;  ///< 3: there is none
  std::size_t bin = 0;
  float cost = 0.0F;  ///< over both sides: surface times number of full blocks
};

struct SahBins {
  SahDomain domain;
  alignas(32) SahBound bound[3][kSahBins];
  std::uint32_t weight[3][kSahBins];

  /// Empties them, for items in `where`.
  void reset(const SahDomain& where);
};

/// The domain between two corners.
SahDomain sah_domain(const std::array<float, 4>& low, const std::array<float, 4>& high);

/// Bound of nothing.
SahBound no_bound();
/// Makes `to` hold an item, or another bound.
void add(const SahItem& item, SahBound& to);
void join_into(const SahBound& bound, SahBound& to);
SahItem item_of(const SahBound& bound, std::uint32_t index, std::uint32_t weight);
/// Proportional to its surface.
float surface_of(const SahBound& bound);
/// The bounds on one side of a split.
struct SahSide {
  SahBound bound;
  std::uint32_t weight = 0;
  SahDomain domain;
};
std::array<SahSide, 2> sides_of(const SahBins& bins, const SahSplit& split);

/// Bound of the items, and of twice their centres.
struct SahExtent {
  SahBound bound;
  SahDomain domain;
  std::uint32_t weight = 0;
};
SahExtent extent_of(std::span<const SahItem> items);

/// Adds the items to bins.
void fill_bins(std::span<const SahItem> items, SahBins& bins);

/// The best split, if a leaf of `block` triangles costs the same however many of them it has.
SahSplit best_split(const SahBins& bins, std::uint32_t block);

/// Writes the items of the lower side from the front of `to` and those of the upper side from its
/// back; returns how many went to the front. Adds them to `lower` and `upper` on the way, unless
/// these are null. `bins`: those that the split was found in.
std::size_t divide(std::span<const SahItem> items, const SahBins& bins, const SahSplit& split,
                   std::span<SahItem> to, SahBins* lower, SahBins* upper);

}  // namespace tocsin::scene
