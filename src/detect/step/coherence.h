// What a stream remembers of the room around an avatar: boxes that no active triangle meets.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/bounds/box.h"
#include "cpu/tree/tree_culler.h"
#include "tocsin/active_pairs.h"
#include "tocsin/step_report.h"

namespace tocsin::detect {

/// The coherence of papers 000 to 002, in a form that cannot go stale: the room does not move, so a
/// box that is once known to be empty stays so, and a link whose box lies inside has no candidate.
/// Nothing of a step's answer depends on what is remembered.
class Coherence {
 public:
  /// `links`: of the avatar; `environment`, `active`, `tree`: must outlive this.
  Coherence(const cpu::TreeCuller& tree, const Environment& environment, const ActivePairs& active,
            std::size_t links);

  /// True if no active triangle's box meets `box`, which holds all links. False proves nothing.
  /// Counts the questions that it asks the tree.
  bool avatar_is_clear(const core::Box& box, StepCounters& counters);
  /// The same for one link.
  bool link_is_clear(std::size_t link, const core::Box& box, StepCounters& counters);

  /// What is remembered of the links.
  [[nodiscard]] std::span<const std::byte> memory() const {
    return std::as_bytes(std::span(links_));
  }

 private:
  /// An empty box, and when to look for another.
  struct Known {
    core::Box empty;
    std::uint32_t served = 0;  ///< steps that it has saved a question
    std::uint32_t wait = 0;    ///< steps until the next search
    std::uint32_t last = 0;    ///< the wait before this one
  };

  /// `wanted`: of a triangle.
  template <class Wanted>
  bool is_clear(Known& known, const core::Box& box, const Wanted& wanted, StepCounters& counters);
  [[nodiscard]] bool some_link_meets(std::uint32_t object) const;

  const cpu::TreeCuller& tree_;
  const Environment& environment_;
  const ActivePairs& active_;
  Known avatar_;
  std::vector<Known> links_;
};

}  // namespace tocsin::detect
