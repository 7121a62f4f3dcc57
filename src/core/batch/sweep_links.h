// Bodies that go from pairs of steps whose boxes overlap to pairs of their links. One thread a link
// takes the partners of its step in order, so its output is in order.
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/batch/layout.h"
#include "core/batch/sweep.h"
#include "core/vector/atomic.h"

namespace tocsin::core::batch {

/// first[s]: where the pairs begin whose first step is s, or above it.
struct FirstPartners {
  const std::uint64_t* pairs;  ///< of steps: (first << 32 | second), sorted
  std::size_t count;
  std::uint32_t* first;  ///< step_count + 1
  TOCSIN_HD void operator()(std::size_t s) const {
    std::size_t at = 0;
    if (s != 0) {
      const std::uint64_t before = (static_cast<std::uint64_t>(s) << 32U) - 1;
      at = first_above(pairs, 0, count, before);
    }
    first[s] = static_cast<std::uint32_t>(at);
  }
};

/// The links that a link meets.
struct Meetings {
  View view;
  const Box* boxes;       ///< per link of the batch
  const Box* step_boxes;  ///< per step
  const std::uint64_t* pairs;
  const std::uint32_t* first;  ///< of FirstPartners

  /// Calls found(other) for every link of a partner of the link's step whose box overlaps its own,
  /// in ascending order.
  template <class Found>
  TOCSIN_HD void each(std::uint32_t link, const Found& found) const {
    const std::uint32_t s = view.step_of_link[link];
    const std::uint32_t end = first[s + 1];
    std::uint32_t p = first[s];
    if (p == end) return;
    const Box box = boxes[link];
    if (!holds_a_point(box)) return;
    for (; p < end; ++p) {
      const auto t = static_cast<std::uint32_t>(pairs[p]);
      if (!overlap(box, step_boxes[t])) continue;
      const LinkRange others = links_of(view, view.steps[t]);
      for (std::uint32_t other = others.begin; other < others.end; ++other) {
        const Box at = boxes[other];
        if (overlap(box, at) && holds_a_point(at)) found(other);
      }
    }
  }
};

/// counts[link]: how many links it meets.
struct CountMeetings {
  Meetings meetings;
  std::uint32_t* counts;
  TOCSIN_HD void operator()(std::size_t link) const {
    std::uint32_t found = 0;
    meetings.each(static_cast<std::uint32_t>(link), [&](std::uint32_t) { ++found; });
    counts[link] = found;
  }
};

/// Writes the pairs with the numbers begin <= n < end; those of a link have the numbers from
/// offsets[link] on.
struct FillMeetings {
  Meetings meetings;
  const std::uint64_t* offsets;
  std::uint64_t begin;
  std::uint64_t end;
  LinkPair* pairs;  ///< end - begin
  TOCSIN_HD void operator()(std::size_t link) const {
    if (offsets[link + 1] <= begin || offsets[link] >= end || offsets[link] == offsets[link + 1]) {
      return;
    }
    std::uint64_t n = offsets[link];
    const auto first = static_cast<std::uint32_t>(link);
    meetings.each(first, [&](std::uint32_t other) {
      if (n >= begin && n < end) pairs[n - begin] = {first, other};
      ++n;
    });
  }
};

/// Adds the pairs of each step's links to its tally.
struct TallyMeetings {
  View view;
  const std::uint64_t* offsets;  ///< per link
  StepTally* tallies;            ///< per step
  TOCSIN_HD void operator()(std::size_t s) const {
    const LinkRange range = links_of(view, view.steps[s]);
    tallies[s].link_pairs += offsets[range.end] - offsets[range.begin];
  }
};

}  // namespace tocsin::core::batch
