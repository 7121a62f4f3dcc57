// Bodies that select the near links and the overlapping pairs of links of a batch.
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/batch/layout.h"
#include "core/vector/atomic.h"

namespace tocsin::core::batch {

/// flags[i]: the boxes of pairs[i] overlap; the first's step counts it.
struct FlagPairs {
  View view;
  const Box* boxes;  ///< per link of the batch
  const LinkPair* pairs;
  StepTally* tallies;
  std::uint8_t* flags;
  TOCSIN_HD void operator()(std::size_t i) const {
    const LinkPair& pair = pairs[i];
    const bool meet = overlap(boxes[pair.first], boxes[pair.second]);
    flags[i] = meet ? 1 : 0;
    if (meet) atomic_add(tallies[view.step_of_link[pair.first]].link_pairs, 1);
  }
};

/// to[i] = from[index[i]].
template <class T>
struct Gather {
  const T* from;
  const std::uint32_t* index;
  T* to;
  TOCSIN_HD void operator()(std::size_t i) const { to[i] = from[index[i]]; }
};

/// Of pairs of a link and an object whose boxes overlap: counts a link's active ones. counts: per
/// link, 0 before.
struct CountActive {
  View view;
  const LinkPair* pairs;
  std::uint32_t object_count;
  std::uint32_t* counts;
  TOCSIN_HD void operator()(std::size_t i) const {
    const auto [link, object] = pairs[i];
    const BatchStep& step = view.steps[view.step_of_link[link]];
    const bool off =
        step.mask != kNone &&
        view.masks[step.mask + static_cast<std::size_t>(link - step.first_link) * object_count +
                   object] != 0;
    if (!off) atomic_add(counts[link], 1);
  }
};

/// flags[i]: near[i] has something active.
struct FlagNear {
  const std::uint32_t* near;
  const std::uint32_t* counts;  ///< per link of the batch
  std::uint8_t* flags;
  TOCSIN_HD void operator()(std::size_t i) const { flags[i] = counts[near[i]] != 0 ? 1 : 0; }
};

/// Counts near links per step.
struct TallyNear {
  View view;
  const std::uint32_t* near;
  StepTally* tallies;
  TOCSIN_HD void operator()(std::size_t i) const {
    atomic_add(tallies[view.step_of_link[near[i]]].near_links, 1);
  }
};

}  // namespace tocsin::core::batch
