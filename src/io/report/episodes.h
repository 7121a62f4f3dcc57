// Episodes: a summary for people instead of one line per step.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <tuple>
#include <vector>

#include "tocsin/depth.h"
#include "tocsin/motion.h"
#include "tocsin/step_report.h"

namespace tocsin::io {

/// The worst moment of an episode. Computed, not certified. docs/exact.md, "Depth of an episode".
struct Deepest {
  /// Twice the frame, or the two that the moment is between; of several takes, instants.
  std::array<std::int64_t, 2> frames{};
  double seconds = 0.0;  ///< since frame 0
  double depth = 0.0;    ///< metres
  /// The start of the link's axis is in the object, which is solid (Depth::inside).
  bool inside = false;
  /// The link's axis meets the surface, or the other axis: it is at least so deep.
  bool through = false;

  [[nodiscard]] bool between() const { return frames[0] != frames[1]; }
};

/// A run of consecutive steps in which one pair stays in contact: a link of an avatar, and an
/// object or another link.
struct Episode {
  int avatar = 0;
  Contact first;  ///< the contact of the run's first step; names link, and object or other
  Step begin;     ///< the run's first step
  std::array<std::int64_t, 2>
      frames{};  ///< first frame of the first step, last frame of the last step
  std::array<double, 2> first_touch{};  ///< bracket, seconds since frame 0
  double until = 0.0;                   ///< end of the last step in contact, seconds since frame 0
  std::int64_t steps = 0;               ///< how many steps
  bool proved = false;                  ///< at least one contact of the run is more than a graze
  std::optional<Deepest> deepest;       ///< none: it was not asked for

  /// From the first touch that is proved to the end of the last step in contact, seconds: right to
  /// one step, as contacts say when a step is first touched and not when it is last touched.
  [[nodiscard]] double duration() const { return until - first_touch[1]; }
};

/// A pair that came near without ever touching (`--near`): computed, not certified.
struct NearPair {
  int avatar = 0;
  std::int32_t link = 0;
  Touched thing;                         ///< the object (its triangle is 0), or the other link
  std::array<std::int64_t, 2> frames{};  ///< of the nearest moment, as Deepest::frames
  double seconds = 0.0;
  double metres = 0.0;  ///< between the surfaces
};

/// What is nearest to a link where its clearance is least (`--clearance`): computed, not certified.
struct NearestToLink {
  int avatar = 0;
  std::int32_t link = 0;
  std::int64_t step = 0;                 ///< the step with the least clearance
  std::array<std::int64_t, 2> frames{};  ///< its frames
  double seconds = 0.0;                  ///< when it begins
  double clearance = 0.0;                ///< the least, metres; infinite: there is nothing to touch
  std::optional<Touched>
      thing;  ///< as NearPair::thing; of a link that touches, what it is deepest in
  std::optional<double> metres;  ///< between the surfaces; none: it touches, or there is nothing
};

/// How near a link and an object are at a frame (`--nearest`): computed, not certified.
struct FrameDistance {
  int avatar = 0;
  std::int64_t frame = 0;
  double seconds = 0.0;
  LinkDistance at;
};

/// Gathers the episodes of one or several takes from their steps.
class EpisodeTracker {
 public:
  /// What is kept: all episodes, or only how many there are, where a take may have no end.
  enum class Keep : std::uint8_t { kAll, kCount };
  explicit EpisodeTracker(Keep keep = Keep::kAll) : keep_(keep) {}

  /// Takes the next step of the avatar that the report names. Two steps of one avatar are
  /// consecutive if no other of its own is added between them.
  void add(const Step& step, const StepReport& report);

  /// In order of first touch (lower end, then upper end), then avatar, link; then objects, then
  /// other links. Keep::kAll only.
  [[nodiscard]] std::vector<Episode> sorted() const;
  [[nodiscard]] std::size_t count() const { return count_; }

 private:
  struct Open {
    std::size_t episode = 0;
    std::int64_t last_step = 0;
  };
  /// Avatar, link, and what it touches: in the order in which a step's contacts come.
  /// The avatar, its link, and the object (its triangle is 0) or the other link.
  using Pair = std::tuple<int, std::int32_t, Touched>;
  static Pair pair_of(int avatar, const Contact& contact);

  Keep keep_;
  std::size_t count_ = 0;
  std::vector<Episode> episodes_;
  std::map<Pair, Open> open_;
  std::map<int, std::int64_t> steps_added_;  ///< per avatar
};

}  // namespace tocsin::io
