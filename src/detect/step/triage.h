// What the early-out leaves of a link's candidates to be certified, object by object.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "cpu/kernels/kernels.h"
#include "scene/tree/candidates.h"
#include "tocsin/active_pairs.h"
#include "tocsin/environment.h"
#include "tocsin/step_report.h"

namespace tocsin::detect {

/// A triangle that touches nothing at t = 0 and that the early-out could not prove free.
struct Suspect {
  std::uint32_t triangle = 0;   ///< index in the environment
  std::uint32_t candidate = 0;  ///< index among the link's candidates
  double free_until = 0.0;      ///< step time: proved free before it
};

/// Settles what can be settled at t = 0. Memory is used again from link to link.
class Triage {
 public:
  /// One object that some candidate belongs to.
  struct Group {
    std::uint32_t object = 0;
    /// Index in the environment of the first triangle that overlaps the link at t = 0, or
    /// scene::kNone. Then the pair's contact is known, and there are no suspects.
    std::uint32_t overlap = scene::kNone;
    std::span<const Suspect> suspects;  ///< in order of (free_until, triangle)
  };

  /// Fills it with all candidates of a link that are active, and counts them. `at0`: evaluate(link,
  /// 0). `holds`: the link only holds what is asked about, so that an overlap of it settles
  /// nothing: it is a suspect that is free until 0.
  void fill(const Environment& environment, const ActivePairs& active, std::int32_t link,
            const core::LinkMotion& motion, const core::AxisState& at0,
            const scene::Candidates& candidates, bool holds, StepCounters& counters);

  /// The objects that may be touched, in their order.
  [[nodiscard]] std::span<const Group> groups() const { return groups_; }

 private:
  struct Run {
    std::uint32_t object = 0;
    std::uint32_t begin = 0;  ///< its triangles
    std::uint32_t end = 0;
    std::uint32_t overlap = scene::kNone;
    bool active = true;
  };
  struct Finding {
    std::size_t run = 0;  ///< index into runs_
    Suspect suspect;
  };

  /// Index into runs_.
  std::size_t run_of(const Environment& environment, const ActivePairs& active, std::int32_t link,
                     std::uint32_t triangle);
  /// run_of() beyond the runs that are searched.
  std::size_t later_run_of(const Environment& environment, const ActivePairs& active,
                           std::int32_t link, std::uint32_t triangle);
  /// The object's run, if it is one of those that are not searched; else null.
  [[nodiscard]] const Run* later_run(std::uint32_t object) const;
  /// True if all of these belong to one object that a triangle before them is known to overlap.
  [[nodiscard]] bool changes_nothing(const Environment& environment,
                                     std::span<const std::uint32_t> triangles) const;
  void make_groups();

  std::vector<Run> runs_;
  /// Where an object's run would be, for those that are not searched. Never cleared: an entry is
  /// right if the run there is the object's, and there are so many runs. Empty until it is needed.
  std::vector<std::uint32_t> later_;
  std::vector<std::size_t> order_;  ///< of runs_, by object
  std::vector<Finding> findings_;
  std::vector<Suspect> suspects_;
  std::vector<Group> groups_;
};

}  // namespace tocsin::detect
