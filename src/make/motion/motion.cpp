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
#include "make/motion/door.h"
#include "make/motion/moved_meshes.h"
#include "make/motion/pose.h"
#include "make/motion/rotation.h"
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
    case Performance::kSwing:
      return make::make_swing(recipe.seed);
    case Performance::kDoor:
      return make::make_door(recipe.seed);
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

std::size_t frames_of(const MotionRecipe& recipe) {
  return static_cast<std::size_t>(std::floor(recipe.seconds * recipe.rate + kFrameSlack)) + 1;
}

/// When a frame is, seconds. One division: the same instant at two rates is the same double.
double time_of(std::size_t frame, const MotionRecipe& recipe) {
  return static_cast<double>(frame) / recipe.rate;
}

Result<Motion> perform(const MotionRecipe& recipe) {
  const std::unique_ptr<make::Routine> routine = routine_of(recipe);
  if (!routine) return {ErrorCode::kUsage, "no such kind of take"};
  const std::size_t frames = frames_of(recipe);
  constexpr auto kJoints = static_cast<std::size_t>(kBodyJoints);
  std::vector<Transform> poses(frames * kJoints);
  for (std::size_t frame = 0; frame < frames; ++frame) {
    make::pose_body(routine->at(time_of(frame, recipe)),
                    std::span(poses).subspan(frame * kJoints, kJoints));
  }
  return Motion::create(make::body_skeleton(), 1.0 / recipe.rate, std::move(poses));
}

/// The leaf's motion about its hinge.
Result<Motion> close_door(const MotionRecipe& recipe) {
  const make::DoorTimes times(recipe.seed);
  Joint hinge;
  hinge.name = "Door";
  hinge.rest.translation = {make::kHingeX, 0.0, make::kDoorZ};
  std::vector<Transform> poses(frames_of(recipe), hinge.rest);
  for (std::size_t frame = 0; frame < poses.size(); ++frame) {
    poses[frame].rotation = make::about_y(times.angle(time_of(frame, recipe)));
  }
  return Motion::create(Skeleton::create({std::move(hinge)}).value(), 1.0 / recipe.rate,
                        std::move(poses));
}

Result<MadeBody> body_of(const MotionRecipe& recipe) {
  switch (recipe.kind) {
    case Performance::kSwing:
      return MadeBody{make::tool_mesh(), {}};
    case Performance::kDoor: {
      Result<Motion> motion = close_door(recipe);
      if (!motion) return motion.error();
      return MadeBody{make::leaf_mesh(), *std::move(motion)};
    }
    default:
      return {ErrorCode::kUsage,
              "of this kind of take nothing moves but the person; a swing has a tool, and a door "
              "its leaf"};
  }
}

/// What `make(recipe)` makes of a recipe that makes sense.
template <class Make>
auto made_of(const MotionRecipe& recipe, const Make& make) -> decltype(make(recipe)) {
  if (std::string problem = problem_with(recipe); !problem.empty()) {
    return {ErrorCode::kUsage, std::move(problem)};
  }
  try {
    return make(recipe);
  } catch (const std::bad_alloc&) {
    return {ErrorCode::kResource, fmt::format("not enough memory for a take of {} s at {} Hz",
                                              recipe.seconds, recipe.rate)};
  }
}

}  // namespace

Result<Motion> make_motion(const MotionRecipe& recipe) { return made_of(recipe, perform); }

Result<MadeBody> make_body(const MotionRecipe& recipe) { return made_of(recipe, body_of); }

}  // namespace tocsin
