#include "guard/scenes.h"

#include <utility>

#include "make/make.h"
#include "shared/files.h"

namespace tocsin::bench::guard {

namespace {

/// Large enough for trees several nodes deep, small enough to be made under valgrind in a moment.
constexpr RoomRecipe kHouse{.triangles = 30'000, .seed = 1};

/// Seconds, Hz. 120 steps.
constexpr double kSeconds = 4.0;
constexpr double kRate = 30.0;

/// Half a foot's thickness above the floor, which would otherwise be in contact all the time.
constexpr double kAbove = 0.03;

Result<Scene> scene_of(Result<Environment> room, const Result<Motion>& motion,
                       const Placement& placement) {
  if (!room.ok()) return room.error();
  if (!motion.ok()) return motion.error();
  const Result<Motion> placed = motion->placed(placement);
  if (!placed.ok()) return placed.error();
  Result<StepList> steps = placed->steps();
  if (!steps.ok()) return steps.error();
  Result<Avatar> avatar = Avatar::bind(*load_avatar_model("humanoid16"), placed->skeleton());
  if (!avatar.ok()) return avatar.error();
  return Scene{std::move(room).value(), std::move(avatar).value(), {steps->begin(), steps->end()}};
}

}  // namespace

Result<Environment> make_house() { return make_room(kHouse); }

Result<Scene> make_scene(Place place) {
  const auto take = [](Performance kind) {
    return make_motion({.kind = kind, .seconds = kSeconds, .rate = kRate, .seed = 1});
  };
  switch (place) {
    case Place::kClear:
      return scene_of(make_house(), take(Performance::kReach), {{-2.0, kAbove, 0.0}, 0.0});
    case Place::kAmong:
      return scene_of(make_house(), take(Performance::kCartwheel), {{-4.0, kAbove, -2.5}, 0.0});
    default:
      return scene_of(load_environment(source_folder() / "environments/music_room.obj"),
                      load_motion(source_folder() / "motions/walk_and_reach.bvh"), {});
  }
}

}  // namespace tocsin::bench::guard
