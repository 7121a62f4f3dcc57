#include "shared/inputs.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <utility>

#include "shared/files.h"

namespace tocsin::bench {

namespace {

namespace fs = std::filesystem;

/// Steps of a quick case: enough to pass through every stage, few enough for Debug builds.
constexpr std::size_t kQuickSteps = 96;

struct Take {
  fs::path folder;
  std::string motion;
  std::string room;
  std::int64_t first = 0;  ///< frame
};

struct Place {
  std::string name;
  Placement placement;
  std::string what;
};

/// Steps of a stride, in all its phases: f to f + stride for every f, those that follow each other
/// in one phase side by side.
Result<StepList> steps_of(const Motion& motion, std::int64_t first, std::int64_t stride) {
  StepList all;
  for (std::int64_t phase = 0; phase < stride; ++phase) {
    const std::int64_t begin = first + phase;
    const std::int64_t count = (motion.frame_count() - 1 - begin) / stride;
    Result<StepList> steps =
        motion.steps({.first = begin, .last = begin + count * stride, .stride = stride});
    if (!steps.ok()) return steps;
    all.insert(all.end(), steps->begin(), steps->end());
  }
  return all;
}

Result<Case> make_case(const Motion& take, std::int64_t first, const Place& place,
                       std::int64_t stride, bool quick) {
  const Result<Motion> placed = take.placed(place.placement);
  if (!placed.ok()) return placed.error();
  Result<StepList> steps = steps_of(*placed, first, stride);
  if (!steps.ok()) return steps.error();
  Case out;
  out.name = fmt::format("{}, stride {}", place.name, stride);
  out.what = fmt::format("{}; steps f to f + {}", place.what, stride);
  if (quick && steps->size() > kQuickSteps) {
    const auto middle = steps->begin() + static_cast<std::ptrdiff_t>(steps->size() / 2);
    out.steps.assign(middle - kQuickSteps / 2, middle + kQuickSteps / 2);
  } else {
    out.steps.assign(steps->begin(), steps->end());
  }
  return out;
}

}  // namespace

Result<Inputs> load_inputs(bool quick) {
  const Take recorded{data_folder(), "motions/cmu_bvh/01_01.bvh", "environments/small_house.obj",
                      1};  // frame 0 is a reference pose
  const Take demo{source_folder(), "motions/walk_and_reach.bvh", "environments/music_room.obj", 0};
  std::error_code ignored;
  Inputs inputs;
  inputs.recorded = fs::exists(recorded.folder / recorded.motion, ignored) &&
                    fs::exists(recorded.folder / recorded.room, ignored);
  const Take& take = inputs.recorded ? recorded : demo;
  inputs.motion = take.motion;
  inputs.room = take.room;

  const Result<Motion> motion = load_motion(take.folder / take.motion);
  if (!motion.ok()) return motion.error();
  Result<Environment> room = load_environment(take.folder / take.room);
  if (!room.ok()) return room.error();
  inputs.environment = std::move(room).value();
  Result<Avatar> avatar = Avatar::bind(*load_avatar_model("humanoid16"), motion->skeleton());
  if (!avatar.ok()) return avatar.error();
  inputs.avatar = std::move(avatar).value();

  std::vector<Place> places;
  std::vector<std::int64_t> strides{1, 12};
  if (inputs.recorded) {
    places = {{"easy", {{3.0, 0.03, 1.0}, 0.0}, "at (3, 0.03, 1), clear of furniture"},
              {"hard", {{5.4, 0.03, -4.0}, 0.0}, "at (5.4, 0.03, -4), among the kitchen's chairs"}};
  } else {
    places = {{"demo", {}, "where the demo takes place"}};
    strides = {1, 4};
  }
  for (const Place& place : places) {
    for (const std::int64_t stride : strides) {
      Result<Case> c = make_case(*motion, take.first, place, stride, quick);
      if (!c.ok()) return c.error();
      inputs.cases.push_back(std::move(c).value());
    }
  }
  return inputs;
}

}  // namespace tocsin::bench
