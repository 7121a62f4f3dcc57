#include <fmt/format.h>

#include <cmath>
#include <cstddef>
#include <memory>
#include <new>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "make/make.h"
#include "make/motion/body.h"
#include "make/motion/pose.h"
#include "make/motion/routine.h"

namespace tocsin {
namespace {

using make::kBodyJoints;

constexpr double kLongest = 86400.0;   ///< seconds: a day
constexpr double kFastest = 10'000.0;  ///< Hz
constexpr double kSlowest = 1e-6;      ///< Hz: the longest frame time that a Motion takes

/// Frames that a take may have: 16 GiB of poses. A day at 30 Hz has more than that: it can
/// be made in parts, with other seeds.
constexpr double kMostFrames = 0x1p34 / (kBodyJoints * sizeof(Transform));

/// Of a frame: a take of 0.3 s at 10 Hz has four frames, though 0.3 * 10 may round to just below 3.
constexpr double kFrameSlack = 1e-6;

std::unique_ptr<make::Routine> routine_of(const MotionRecipe& recipe) {
  switch (recipe.kind) {
    case Performance::kWalk:
      return make::make_walk(recipe.seed);
    case Performance::kReach:
      return make::make_reach(recipe.seed);
    case Performance::kKick:
      return make::make_kick(recipe.seed);
    case Performance::kCartwheel:
      return make::make_cartwheel(recipe.seed);
  }
  return nullptr;
}

/// What is wrong with a recipe, or an empty string.
std::string problem_with(const MotionRecipe& recipe) {
  if (!(recipe.seconds > 0.0 && recipe.seconds <= kLongest)) {
    return fmt::format("a take cannot be {} s long; it must be above 0 and at most {} (a day)",
                       recipe.seconds, kLongest);
  }
  if (!(recipe.rate >= kSlowest && recipe.rate <= kFastest)) {
    return fmt::format("a take cannot have {} frames a second; it must be from {} to {}",
                       recipe.rate, kSlowest, kFastest);
  }
  const double frames = recipe.seconds * recipe.rate;
  if (frames + 1.0 > kMostFrames) {
    return fmt::format(
        "{} s at {} Hz are {:.0f} frames of {} joints, {:.1f} GiB of poses; at most {:.0f} frames "
        "(16 GiB) are made at once",
        recipe.seconds, recipe.rate, frames + 1.0, kBodyJoints,
        frames * kBodyJoints * sizeof(Transform) / 0x1p30, std::floor(kMostFrames));
  }
  return {};
}

Result<Motion> perform(const MotionRecipe& recipe) {
  const std::unique_ptr<make::Routine> routine = routine_of(recipe);
  if (!routine) return {ErrorCode::kUsage, "no such kind of take"};
  const auto frames =
      static_cast<std::size_t>(std::floor(recipe.seconds * recipe.rate + kFrameSlack)) + 1;
  constexpr auto kJoints = static_cast<std::size_t>(kBodyJoints);
  std::vector<Transform> poses(frames * kJoints);
  for (std::size_t frame = 0; frame < frames; ++frame) {
    // One division: the same instant at two rates is the same double.
    const double seconds = static_cast<double>(frame) / recipe.rate;
    make::pose_body(routine->at(seconds), std::span(poses).subspan(frame * kJoints, kJoints));
  }
  return Motion::create(make::body_skeleton(), 1.0 / recipe.rate, std::move(poses));
}

}  // namespace

Result<Motion> make_motion(const MotionRecipe& recipe) {
  if (std::string problem = problem_with(recipe); !problem.empty()) {
    return {ErrorCode::kUsage, std::move(problem)};
  }
  try {
    return perform(recipe);
  } catch (const std::bad_alloc&) {
    return {ErrorCode::kResource, fmt::format("not enough memory for a take of {} s at {} Hz",
                                              recipe.seconds, recipe.rate)};
  }
}

}  // namespace tocsin
