#include "selftest/measure/gl_scene.h"

#include <fmt/format.h>

#include <cstddef>

#include "cpu/tree/make_tree_culler.h"
#include "make/make.h"
#include "scene/swept/step_motion.h"
#include "tocsin/io.h"

namespace tocsin::selftest {

namespace {

constexpr std::uint64_t kSceneSeed = 1;
constexpr double kSceneRate = 120.0;  // Hz
/// Frames a step: a tenth of a second, as if the network had been slow. Links move a decimetre.
constexpr std::int64_t kSceneStride = 12;

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
      near += scene.tree->clear_of(motion.coarse_box(link)) ? 0 : 1;
    }
    links += near;
    if (near > 0) scene.near.push_back(step);
  }
  if (!scene.near.empty()) {
    scene.near_links = static_cast<double>(links) / static_cast<double>(scene.near.size());
  }
}

}  // namespace

Status complete(GlScene& scene) {
  scene.tree = cpu::make_tree_culler(scene.environment);
  find_near(scene);
  if (scene.near.empty()) return {ErrorCode::kInput, scene.name + ": nothing is near the avatar"};
  return Nothing{};
}

Result<GlScene> made_gl_scene(std::uint64_t triangles, double seconds) {
  GlScene out;
  out.take = "a cartwheel among furniture, made, steps of 0.1 s";
  const Result<Environment> room = make_room({triangles, kSceneSeed});
  if (!room.ok()) return room.error();
  out.environment = *room;
  const Result<Motion> take = make_motion({.kind = Performance::kCartwheel,
                                           .seconds = seconds,
                                           .rate = kSceneRate,
                                           .seed = kSceneSeed});
  if (!take.ok()) return take.error();
  // As bench_rooms has it: 3 cm above the floor, which would otherwise always be in contact.
  const Result<Motion> placed = take->placed({{-2.0, 0.03, -2.5}, 0.0});
  if (!placed.ok()) return placed.error();
  const Result<Avatar> avatar = Avatar::bind(*load_avatar_model("humanoid16"), placed->skeleton());
  if (!avatar.ok()) return avatar.error();
  out.avatar = *avatar;
  const Result<StepList> steps = placed->steps({.stride = kSceneStride});
  if (!steps.ok()) return steps.error();
  out.steps.assign(steps->begin(), steps->end());
  out.name = fmt::format("made, {} triangles", room->triangles().size());
  if (const Status found = complete(out); !found) return found.error();
  return out;
}

}  // namespace tocsin::selftest
