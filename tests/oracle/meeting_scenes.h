// Random scenes of 2 to 4 avatars of 6 to 10 links, of every kind in which a check of several
// avatars may be expected to fail.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "tocsin/detector.h"
#include "tocsin/environment.h"
#include "tocsin/motion.h"

namespace tocsin::oracle::test {

enum class SceneKind : std::uint8_t {
  kCrowd,      ///< tumbling in one place
  kFar,        ///< 100 m to 10 km from the origin
  kClones,     ///< one avatar and take several times, in one place or nearly so
  kTogether,   ///< all rush the same way, 1 to 30 m a step
  kThin,       ///< radii of 1e-6 to 1e-4 m
  kHalfTurns,  ///< joints that turn by pi, or a little less
  kStill,      ///< nobody moves, or all but one do not
  kSizes,      ///< giants and dwarfs, 0.01 to 10 times as large
  kPoints,     ///< links of zero length, and of 1e-6 m
  kChains,     ///< one joint after another, 11 of them
  kBrushing,   ///< moved so that the nearest pair of links just touches, or just does not
};
inline constexpr int kSceneKinds = 11;

std::string_view name_of(SceneKind kind);

/// Some avatars, and steps[i], those of members[i]: as many for each.
struct MeetingScene {
  Environment room;
  std::vector<Member> members;
  std::vector<StepList> steps;

  [[nodiscard]] std::size_t step_count() const { return steps.front().size(); }
  [[nodiscard]] std::vector<Step> at(std::size_t i) const {
    std::vector<Step> out;
    for (const StepList& list : steps) out.push_back(list[i]);
    return out;
  }
};

/// Depends on (kind, seed, number) only.
MeetingScene make_scene(SceneKind kind, std::uint64_t seed, std::uint64_t number);

/// The same with a shape (shapes/small_shapes.h) in place of some links, about as large, and a
/// closed box in the room, of a size that some of them are inside of.
MeetingScene make_shaped_scene(SceneKind kind, std::uint64_t seed, std::uint64_t number);

}  // namespace tocsin::oracle::test
