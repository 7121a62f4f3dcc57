#include "shared/gl_scene.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>

#include "cpu/tree/make_tree_culler.h"
#include "make/make.h"
#include "scene/swept/dynamic_bvh.h"
#include "scene/swept/step_motion.h"
#include "shared/inputs.h"

namespace tocsin::bench {

namespace {

constexpr std::uint64_t kSeed = 1;
constexpr double kRate = 120.0;  // Hz
/// Frames a step: a tenth of a second, as if the network had been slow. Links move a decimetre.
constexpr std::int64_t kStride = 12;

/// Goes through n things in an order without pattern: a prime that no take's length is a multiple
/// of.
std::size_t shuffled(std::size_t i, std::size_t n) { return i * 7919 % n; }

void find_near(GlScene& scene) {
  scene::StepMotion motion;
  std::size_t links = 0;
  for (std::size_t i = 0; i < scene.steps.size(); ++i) {
    const Step& step = scene.steps[shuffled(i, scene.steps.size())];
    motion.begin(scene.avatar, step, 0.0, scene.tree->bounds());
    std::size_t near = 0;
    for (std::size_t link = 0; link < motion.link_count(); ++link) {
      near += scene.tree->clear_of(motion.quick_box(link)) ? 0 : 1;
    }
    links += near;
    if (near > 0) scene.near.push_back(step);
  }
  if (!scene.near.empty()) {
    scene.near_links = static_cast<double>(links) / static_cast<double>(scene.near.size());
  }
}

Result<GlScene> made_scene(std::uint64_t triangles, double seconds) {
  GlScene out;
  out.take = "a cartwheel among furniture, made, steps of 0.1 s";
  const Result<Environment> room = make_room({triangles, kSeed});
  if (!room.ok()) return room.error();
  out.environment = *room;
  const Result<Motion> take = make_motion(
      {.kind = Performance::kCartwheel, .seconds = seconds, .rate = kRate, .seed = kSeed});
  if (!take.ok()) return take.error();
  // As bench_rooms has it: 3 cm above the floor, which would otherwise always be in contact.
  const Result<Motion> placed = take->placed({{-2.0, 0.03, -2.5}, 0.0});
  if (!placed.ok()) return placed.error();
  const Result<Avatar> avatar = Avatar::bind(*load_avatar_model("humanoid16"), placed->skeleton());
  if (!avatar.ok()) return avatar.error();
  out.avatar = *avatar;
  const Result<StepList> steps = placed->steps({.stride = kStride});
  if (!steps.ok()) return steps.error();
  out.steps.assign(steps->begin(), steps->end());
  out.name = fmt::format("made, {} triangles", room->triangles().size());
  return out;
}

GlScene recorded_scene(const Inputs& inputs) {
  GlScene out;
  const Case& hard = inputs.cases.back();
  out.name = fmt::format("{}, {} triangles", inputs.room, inputs.environment.triangles().size());
  out.take = fmt::format("{} {}", inputs.motion, hard.what);
  out.avatar = inputs.avatar;
  out.environment = inputs.environment;
  out.steps = hard.steps;
  return out;
}

}  // namespace

Result<std::vector<GlScene>> gl_scenes(bool quick) {
  std::vector<GlScene> out;
  if (!quick) {
    const Result<Inputs> inputs = load_inputs(false);
    if (!inputs.ok()) return inputs.error();
    if (inputs->recorded) out.push_back(recorded_scene(*inputs));
  }
  std::vector<std::uint64_t> sizes{156'000, 2'000'000};
  if (quick) sizes = {10'000};
  for (const std::uint64_t triangles : sizes) {
    Result<GlScene> scene = made_scene(triangles, quick ? 3.0 : 8.0);
    if (!scene.ok()) return scene.error();
    out.push_back(std::move(scene).value());
  }
  for (GlScene& scene : out) {
    scene.tree = cpu::make_tree_culler(scene.environment);
    find_near(scene);
    if (scene.near.empty()) return {ErrorCode::kInput, scene.name + ": nothing is near the avatar"};
  }
  return out;
}

Result<Crowd> Crowd::make(std::uint64_t triangles) {
  Result<Environment> room = make_room({triangles, kSeed});
  if (!room.ok()) return room.error();
  return in(std::move(room).value());
}

Result<Crowd> Crowd::in(Environment room) {
  constexpr int kAcross = 8;
  constexpr int kDeep = 5;
  Crowd out;
  const auto [lo, hi] = room.bounds();
  constexpr std::array kKinds{Performance::kWalk, Performance::kReach, Performance::kKick,
                              Performance::kCartwheel};
  for (int place = 0; place < kAcross * kDeep; ++place) {
    const auto number = static_cast<std::size_t>(place);
    const Result<Motion> take = make_motion({.kind = kKinds[number % kKinds.size()],
                                             .seconds = 2.0,
                                             .rate = kRate,
                                             .seed = kSeed + number});
    if (!take.ok()) return take.error();
    const double x = (place % kAcross + 0.5) / kAcross;
    const double z = (place / kAcross + 0.5) / kDeep;
    const Placement at{{lo.x + x * (hi.x - lo.x), 0.03, lo.z + z * (hi.z - lo.z)}, 50.0 * place};
    const Result<Motion> placed = take->placed(at);
    if (!placed.ok()) return placed.error();
    const Result<StepList> steps = placed->steps();
    if (!steps.ok()) return steps.error();
    out.takes_.push_back(*steps);
    if (place > 0) continue;
    const Result<Avatar> avatar = Avatar::bind(*load_avatar_model("humanoid16"), take->skeleton());
    if (!avatar.ok()) return avatar.error();
    out.avatar_ = *avatar;
  }
  out.environment_ = std::move(room);
  return out;
}

std::vector<Step> Crowd::frame(std::size_t count, std::size_t frame) const {
  std::vector<Step> out;
  for (std::size_t i = 0; i < count; ++i) {
    // Places in an order without pattern too: a few avatars do not all stand in one row.
    const StepList& take = takes_[i * 17 % takes_.size()];
    out.push_back(take[(frame + i / takes_.size() * 9) % take.size()]);
  }
  return out;
}

}  // namespace tocsin::bench
