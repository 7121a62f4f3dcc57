#include "tocsin/scene.h"

#include <fmt/format.h>

#include <new>
#include <utility>

#include "cpu/tree/instance_culler.h"
#include "detect/backends/detector_core.h"
#include "detect/scene/scene_state.h"
#include "detect/step/exact_step.h"
#include "detect/step/step_problem.h"

namespace tocsin {
namespace {

Error no_object() { return {ErrorCode::kUsage, "the scene has no such object"}; }
Error no_switch() { return {ErrorCode::kUsage, "the scene has no such switch"}; }
Error no_scene_memory() {
  return {ErrorCode::kResource, "out of memory while a scene was changed"};
}
Error broken_scene() {
  return {ErrorCode::kResource,
          "memory ran out in the midst of a change of the scene: it cannot be used any more"};
}

std::uint64_t number_of(ObjectId id) { return static_cast<std::uint64_t>(id); }
std::uint64_t number_of(SwitchId id) { return static_cast<std::uint64_t>(id); }

/// act(), a Status or a Result, if the scene can be used.
template <class Act>
auto guarded(const detail::SceneState& state, const Act& act) -> decltype(act()) {
  if (state.broken) return broken_scene();
  try {
    return act();
  } catch (const std::bad_alloc&) {
    return state.broken ? broken_scene() : no_scene_memory();
  }
}

/// change(index) of an object that there is.
template <class Change>
Status with(detail::SceneState& state, ObjectId object, const Change& change) {
  return guarded(state, [&]() -> Status {
    const auto index = state.find(object);
    if (!index) return no_object();
    return change(*index);
  });
}

Status done() { return Nothing{}; }

Status set_pair(detail::SceneState& state, ObjectId a, ObjectId b, bool active) {
  return guarded(state, [&]() -> Status {
    if (!state.find(a) || !state.find(b)) return no_object();
    const detail::Change change(state.broken);
    state.own_rules().add(number_of(a), number_of(b), active);
    return done();
  });
}

Status set_pairs(detail::SceneState& state, std::string_view pattern, bool active) {
  return guarded(state, [&] {
    const detail::Change change(state.broken);
    return state.own_rules().add(pattern, active);
  });
}

}  // namespace

Scene::Scene() = default;
Scene::Scene(Scene&&) noexcept = default;
Scene& Scene::operator=(Scene&&) noexcept = default;
Scene::~Scene() = default;

Result<Scene> Scene::make(const DetectorOptions& options) {
  if (auto problem = detect::problem_with(options.margin, options.tolerance)) return *problem;
  if (auto problem = detail::problem_with_backend(options)) return *problem;
  if (options.backend == Backend::kGl || options.backend == Backend::kCuda) {
    return {ErrorCode::kUsage, "a scene is checked on the CPU: no device can do that yet"};
  }
  if (!options.experiments.certify) {
    return {ErrorCode::kUsage, "a scene is checked with certify"};
  }
  Scene out;
  out.state_ = std::make_unique<detail::SceneState>(options);
  return out;
}

Result<ObjectId> Scene::add(std::string name, const Mesh& mesh, const ShapePlacement& at) {
  if (mesh.empty()) return {ErrorCode::kInput, "an object needs a mesh"};
  if (name.empty()) return {ErrorCode::kInput, "an object needs a name"};
  return guarded(*state_, [&] { return state_->add(std::move(name), mesh.data_, at); });
}

Result<std::vector<ObjectId>> Scene::add(const Environment& room) {
  std::vector<ObjectId> out;
  const auto take_back = [&](Error error) {
    for (const ObjectId id : out) static_cast<void>(remove(id));
    return error;
  };
  const std::span<const Object> objects = room.objects();
  const scene::Instances* const of_scene = scene::instances_of(room);
  const auto add_all = [&]() -> Result<std::vector<ObjectId>> {
    out.reserve(objects.size());
    for (std::uint32_t i = 0; i < objects.size(); ++i) {
      if (objects[i].triangle_count == 0) continue;
      if (of_scene != nullptr && (*of_scene)[i].mesh == nullptr) continue;  // it was removed
      if (objects[i].name.empty()) {
        return take_back(
            {ErrorCode::kInput,
             fmt::format("object {} of the room has no name, and an object of a scene needs one",
                         i)});
      }
      auto mesh = Mesh::of(room, i);
      if (!mesh) return take_back(mesh.error());
      auto id = add(objects[i].name, mesh.value());
      if (!id) return take_back(id.error());
      out.push_back(id.value());
    }
    return std::move(out);
  };
  return guarded(*state_, add_all);
}

Status Scene::remove(ObjectId object) {
  return with(*state_, object, [&](std::uint32_t index) -> Status {
    const detail::Change change(state_->broken);
    if (!state_->rules->none()) state_->own_rules().forget(number_of(object));
    state_->remove(index);
    return Nothing{};
  });
}

Status Scene::replace(ObjectId object, const Mesh& mesh) {
  if (mesh.empty()) return Error{ErrorCode::kInput, "an object needs a mesh"};
  return with(*state_, object,
              [&](std::uint32_t index) { return state_->replace(index, mesh.data_); });
}

Status Scene::place(ObjectId object, const ShapePlacement& at) {
  return with(*state_, object, [&](std::uint32_t index) { return state_->place(index, at); });
}

Status Scene::move(ObjectId object, const Transform& to, InBetween in_between) {
  return with(*state_, object,
              [&](std::uint32_t index) { return state_->move(index, to, in_between); });
}

Status Scene::deform(ObjectId object, std::vector<Vec3f> vertices) {
  return with(*state_, object,
              [&](std::uint32_t index) { return state_->deform(index, std::move(vertices)); });
}

Status Scene::deform(ObjectId object, std::vector<Vec3f> vertices, const ShapePlacement& to) {
  return with(*state_, object,
              [&](std::uint32_t index) { return state_->deform(index, std::move(vertices), &to); });
}

Status Scene::activate(ObjectId object) {
  return with(*state_, object, [&](std::uint32_t index) {
    state_->set_active(index, true);
    return done();
  });
}

Status Scene::deactivate(ObjectId object) {
  return with(*state_, object, [&](std::uint32_t index) {
    state_->set_active(index, false);
    return done();
  });
}

Status Scene::activate_pair(ObjectId a, ObjectId b) { return set_pair(*state_, a, b, true); }

Status Scene::deactivate_pair(ObjectId a, ObjectId b) { return set_pair(*state_, a, b, false); }

Status Scene::activate_pairs(std::string_view pattern) { return set_pairs(*state_, pattern, true); }

Status Scene::deactivate_pairs(std::string_view pattern) {
  return set_pairs(*state_, pattern, false);
}

SwitchId Scene::add_switch() {
  const auto added = guarded(*state_, [&]() -> Result<SwitchId> {
    const std::uint64_t number = ++state_->last_number;
    state_->switches[number] = std::nullopt;
    return SwitchId{number};
  });
  return added.ok() ? added.value() : SwitchId{0};
}

Status Scene::set_switch(ObjectId object, SwitchId parent) {
  if (!state_->switches.contains(number_of(parent))) return no_switch();
  return with(*state_, object, [&](std::uint32_t index) {
    state_->set_switch(index, number_of(parent));
    return done();
  });
}

Status Scene::clear_switch(ObjectId object) {
  return with(*state_, object, [&](std::uint32_t index) {
    state_->set_switch(index, 0);
    return done();
  });
}

Status Scene::choose(SwitchId parent, ObjectId object) {
  const auto of = state_->switches.find(number_of(parent));
  if (of == state_->switches.end()) return no_switch();
  return with(*state_, object, [&](std::uint32_t index) -> Status {
    if (state_->entries[index].parent != of->first) {
      return Error{ErrorCode::kUsage, "the object is not under this switch"};
    }
    state_->choose(of->first, number_of(object));
    return Nothing{};
  });
}

Status Scene::choose_none(SwitchId parent) {
  if (!state_->switches.contains(number_of(parent))) return no_switch();
  return guarded(*state_, [&] {
    state_->choose(number_of(parent), std::nullopt);
    return done();
  });
}

Result<ObjectId> Scene::find(std::string_view name) const {
  return guarded(*state_, [&]() -> Result<ObjectId> {
    const auto found = state_->named.find(std::string(name));
    if (found == state_->named.end()) return no_object();
    return ObjectId{found->second};
  });
}

Result<std::uint32_t> Scene::index_of(ObjectId object) const {
  const auto index = state_->find(object);
  if (!index) return no_object();
  return *index;
}

std::size_t Scene::size() const { return state_->live; }
std::uint64_t Scene::compacted() const { return state_->compactions; }

Result<Detector> Scene::snapshot() {
  return guarded(*state_, [&]() -> Result<Detector> {
    // What moves is told to move no more: nobody would ever check it.
    const detail::Change change(state_->broken);
    detail::SceneParts parts = state_->snapshot();
    Environment room = scene::environment_of(parts.instances);
    std::shared_ptr<const cpu::TreeCuller> tree = cpu::make_instance_culler(parts.instances);
    auto exact = std::make_shared<const detect::ExactStep>(room, state_->options, std::move(tree),
                                                           std::move(parts.view));
    auto core = std::make_shared<const detail::DetectorCore>(
        std::move(exact), nullptr, std::vector<std::string>(), detail::Asking{});
    return Detector(std::move(room), state_->options, std::move(core));
  });
}

SceneReport check_scene(const Detector& scene, std::span<const Member> members,
                        std::span<const Step> steps, RunOptions options) {
  options.meet = true;
  SceneReport out;
  if (!members.empty() || !steps.empty()) out.members = scene.check_batch(members, steps, options);
  out.objects = scene.check_objects(options);
  return out;
}

}  // namespace tocsin
