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
