// Bodies that find the objects' boxes that links' boxes overlap: one thread a link, over blocks of
// blocks of objects.
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/batch/layout.h"
#include "core/batch/sweep.h"

namespace tocsin::core::batch {

/// Objects in a block, and blocks in a block of blocks. For n objects that lie well apart a link
/// asks n / 1024 + 2 * 32 boxes and somewhat more; a power of two near the cube root of the most
/// objects that rooms have is best.
inline constexpr std::size_t kObjectBlock = 32;

/// blocks[i]: holds the boxes 32 i, 32 i + 1, ... as far as they hold points.
struct BlockBoxes {
  const Box* boxes;
  std::size_t count;
  Box* blocks;
  TOCSIN_HD void operator()(std::size_t i) const {
    const std::size_t begin = i * kObjectBlock;
    const std::size_t end = begin + kObjectBlock < count ? begin + kObjectBlock : count;
    Box block;
    for (std::size_t k = begin; k < end; ++k) {
      const Box at = boxes[k];
      if (holds_a_point(at)) block = join(block, at);
    }
    blocks[i] = block;
  }
};

/// Boxes of objects, in blocks of two sizes.
struct ObjectBlocks {
  const Box* boxes;
  const Box* blocks;
  const Box* large_blocks;
  std::size_t count;  ///< of boxes

  /// Calls found(place) for every box that overlaps this one, in ascending order.
  template <class Found>
  TOCSIN_HD void each(const Box& box, const Found& found) const {
    if (!holds_a_point(box)) return;
    const std::size_t all_blocks = (count + kObjectBlock - 1) / kObjectBlock;
    for (std::size_t large = 0; large * kObjectBlock < all_blocks; ++large) {
      if (!meets(box, large_blocks[large])) continue;
      const std::size_t end = least((large + 1) * kObjectBlock, all_blocks);
      for (std::size_t block = large * kObjectBlock; block < end; ++block) {
        if (!meets(box, blocks[block])) continue;
        const std::size_t last = least((block + 1) * kObjectBlock, count);
        for (std::size_t k = block * kObjectBlock; k < last; ++k) {
          if (meets(box, boxes[k])) found(k);
        }
      }
    }
  }

 private:
  TOCSIN_HD static bool meets(const Box& a, const Box& b) {
    return overlap(a, b) && holds_a_point(b);
  }
  TOCSIN_HD static std::size_t least(std::size_t a, std::size_t b) { return a < b ? a : b; }
};

/// counts[link]: how many boxes its own overlaps.
struct CountObjects {
  ObjectBlocks objects;
  const Box* links;
  std::uint32_t* counts;
  TOCSIN_HD void operator()(std::size_t link) const {
    std::uint32_t found = 0;
    objects.each(links[link], [&](std::size_t) { ++found; });
    counts[link] = found;
  }
};

/// Writes (link, object) from offsets[link] on, in order of the places.
struct FillObjects {
  ObjectBlocks objects;
  const Box* links;
  const std::uint32_t* order;  ///< per place the object; null: place i is object i
  const std::uint64_t* offsets;
  LinkPair* pairs;
  TOCSIN_HD void operator()(std::size_t link) const {
    if (offsets[link] == offsets[link + 1]) return;
    LinkPair* to = pairs + offsets[link];
    objects.each(links[link], [&](std::size_t place) {
      const auto object = static_cast<std::uint32_t>(place);
      *to++ = {static_cast<std::uint32_t>(link), order == nullptr ? object : order[object]};
    });
  }
};

/// Pairs as keys that sort like them, and back.
struct KeysOfPairs {
  const LinkPair* pairs;
  std::uint64_t* keys;
  TOCSIN_HD void operator()(std::size_t i) const {
    keys[i] = static_cast<std::uint64_t>(pairs[i].first) << 32U | pairs[i].second;
  }
};
struct PairsOfKeys {
  const std::uint64_t* keys;
  LinkPair* pairs;
  TOCSIN_HD void operator()(std::size_t i) const {
    pairs[i] = {static_cast<std::uint32_t>(keys[i] >> 32U), static_cast<std::uint32_t>(keys[i])};
  }
};

}  // namespace tocsin::core::batch
