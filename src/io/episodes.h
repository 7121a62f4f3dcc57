// Episodes: what a person wants to know instead of one line per step.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include "tocsin/detector.h"
#include "tocsin/motion.h"

namespace tocsin::io {

/// A run of consecutive steps in which one (avatar, link, object) pair stays in contact.
struct Episode {
  int avatar = 0;
  Contact first;  ///< the contact of the run's first step; names link and object
  std::array<std::int64_t, 2>
      frames{};  ///< first frame of the first step, last frame of the last step
  std::array<double, 2> first_touch{};  ///< bracket, seconds since frame 0
  double until = 0.0;                   ///< end of the last step in contact, seconds since frame 0
  std::int64_t steps = 0;               ///< how many steps
  bool proved = false;                  ///< at least one contact of the run is more than a graze

  /// From the first touch that is proved to the end of the last step in contact, seconds: right to
  /// one step, as contacts say when a step is first touched and not when it is last touched.
  [[nodiscard]] double duration() const { return until - first_touch[1]; }
};

/// Gathers the episodes of a take from its steps.
class EpisodeTracker {
 public:
  /// Takes the next step of the take. Two steps are consecutive if they are added one after the
  /// other.
  void add(const Step& step, const StepReport& report, int avatar = 0);

  /// In order of first touch (lower end, then upper end), then link, then object.
  [[nodiscard]] std::vector<Episode> sorted() const;
  [[nodiscard]] std::size_t count() const { return episodes_.size(); }

 private:
  struct Open {
    std::size_t episode = 0;
    std::int64_t last_step = 0;
  };
  using Pair = std::pair<std::int32_t, std::uint32_t>;  ///< link, object

  std::vector<Episode> episodes_;
  std::map<std::pair<int, Pair>, Open> open_;
  std::int64_t steps_added_ = 0;
};

}  // namespace tocsin::io
