// Bodies that ask whether a link's box meets that of an active object: one thread a link, over
// blocks of blocks of objects.
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

/// Clears the flag of a link that no active object's box meets.
struct DropInactive {
  View view;
  ObjectBlocks objects;
  const std::uint32_t* order;  ///< per place the object; null: place i is object i
  std::uint32_t object_count;  ///< of the room, as masks have them
  const Box* links;
  std::uint8_t* flags;  ///< per link
  TOCSIN_HD void operator()(std::size_t link) const {
    const BatchStep& step = view.steps[view.step_of_link[link]];
    if (flags[link] == 0 || step.mask == kNone) return;
    const std::uint8_t* const off =
        view.masks + step.mask + (link - step.first_link) * object_count;
    bool active = false;
    objects.each(links[link], [&](std::size_t place) {
      active = active || off[order == nullptr ? place : order[place]] == 0;
    });
    if (!active) flags[link] = 0;
  }
};

}  // namespace tocsin::core::batch
