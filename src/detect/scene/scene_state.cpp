#include "detect/scene/scene_state.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <utility>

#include "base/quoted.h"
#include "detect/crowd/name_patterns.h"
#include "scene/room/coordinate_limit.h"

namespace tocsin::detail {
namespace {

/// Triangle numbers must fit into a signed 32-bit integer, as in every environment.
constexpr std::uint64_t kMostTriangles = std::uint64_t{1} << 31U;
/// Fewer removed objects are not worth renumbering all others, which costs some 0.1 us each.
constexpr std::size_t kLeastRemoved = 1024;
/// A table begins with room for so many objects (3 MB of address space): a longer one is copied.
constexpr std::size_t kFirstObjects = std::size_t{1} << 16U;

bool is_within_reach(const core::Box& box) {
  return scene::within_reach(box.lo) && scene::within_reach(box.hi);
}

/// Another number at every call.
std::uint64_t new_layout() {
  static std::atomic<std::uint64_t> last{0};
  return ++last;
}

Error too_many_triangles() {
  return {ErrorCode::kInput, "the scene would have more than 2^31 triangles"};
}

}  // namespace

Result<PlacedMesh> placed(const scene::MeshData& mesh, const ShapePlacement& where) {
  auto at = scene::affine_of(where);
  if (!at) return at.error();
  const core::Box box = scene::box_of(mesh, at.value());
  if (!is_within_reach(box)) {
    return {ErrorCode::kInput, "an object's corners must be within 1e6 m of the origin"};
  }
  return PlacedMesh{at.value(), box};
}

Error turned_inside_out() {
  return {ErrorCode::kInput, "an object cannot be turned inside out by its scale"};
}

ShapePlacement moved_to(ShapePlacement place, const Transform& to) {
  place.translation = to.translation;
  place.rotation = to.rotation;
  return place;
}

SceneState::SceneState(DetectorOptions with) : options(std::move(with)), layout(new_layout()) {}

std::optional<std::uint32_t> SceneState::find(ObjectId id) const {
  const auto found = index_of.find(static_cast<std::uint64_t>(id));
  if (found == index_of.end()) return std::nullopt;
  return found->second;
}

bool SceneState::is_surface(const std::string& name) const {
  return std::any_of(options.surfaces.begin(), options.surfaces.end(),
                     [&](const std::string& p) { return detect::matches(p, name); });
}

void SceneState::make_room_for(std::size_t triangles) {
  const std::size_t removed = items.size() - live;
  if (next_triangle + triangles > kMostTriangles || removed > std::max(live, kLeastRemoved)) {
    compact();
  }
  if (table && table->size() < table->capacity()) return;
  auto larger = std::make_shared<scene::ObjectTable>();
  larger->reserve(std::max(kFirstObjects, 2 * items.size()));
  if (table) larger->assign(table->begin(), table->end());
  table = std::move(larger);
}

Result<ObjectId> SceneState::add(std::string name, std::shared_ptr<const scene::MeshData> mesh,
                                 const ShapePlacement& at, std::optional<std::uint64_t> number) {
  if (named.contains(name)) {
    return {ErrorCode::kInput,
            fmt::format("the scene has an object {} already", base::in_quotes(name))};
  }
  auto where = placed(*mesh, at);
  if (!where) return where.error();
  if (live_triangles + mesh->triangle_count() > kMostTriangles) return too_many_triangles();
  const Change change(broken);
  make_room_for(mesh->triangle_count());
  const auto index = static_cast<std::uint32_t>(items.size());
  const std::uint64_t id = number ? *number : ++last_number;
  scene::Instance instance;
  instance.at = where->at;
  instance.box = where->box;
  instance.number = id;
  instance.first_triangle = static_cast<std::uint32_t>(next_triangle);
  instance.solid = !mesh->shells.empty() && !is_surface(name);
  next_triangle += mesh->triangle_count();
  live_triangles += mesh->triangle_count();
  table->push_back({name, instance.first_triangle, mesh->triangle_count()});
  instance.mesh = mesh.get();
  items.push_back(instance);
  meshes.push_back(std::move(mesh));
  entries.push_back({});
  entries.back().place = at;
  index_of[id] = index;
  named.emplace(std::move(name), id);
  ++live;
  refresh(index);
  return ObjectId{id};
}

void SceneState::remove(std::uint32_t index) {
  const Change change(broken);
  Entry& entry = entries[index];
  entry.active = false;
  refresh(index);
  const std::uint64_t number = items[index].number;
  leave_switch(index);
  named.erase(name(index));
  index_of.erase(number);
  entry = {};
  entry.active = false;
  scene::Instance& instance = items.write(index);
  live_triangles -= instance.mesh->triangle_count();
  const std::uint32_t first = instance.first_triangle;
  instance = {};
  instance.first_triangle = first;
  meshes.write(index).reset();
  --live;
}

bool SceneState::is_there(std::uint32_t index) const {
  const Entry& entry = entries[index];
  if (!entry.active) return false;
  if (entry.parent == 0) return true;
  const auto of = switches.find(entry.parent);
  return of != switches.end() && of->second == items[index].number;
}

void SceneState::refresh(std::uint32_t index, const core::Box& before) {
  Entry& entry = entries[index];
  const bool there = is_there(index);
  if (items[index].checked != there) items.write(index).checked = there;
  const bool stands = there && !entry.moved;
  const std::size_t weight = items[index].solid ? 1 : 0;
  const core::Box& box = items[index].box;
  if (!there && entry.leaf >= 0) {
    tree.remove(entry.leaf);
    entry.leaf = -1;
    if (!std::exchange(entry.hidden, false)) solids -= weight;
  } else if (stands && entry.leaf < 0) {
    entry.leaf = tree.insert(index, box);
    solids += weight;
  } else if (stands && entry.hidden) {
    tree.show(entry.leaf, before, box);
    entry.hidden = false;
    solids += weight;
  } else if (stands) {
    tree.move(entry.leaf, box);
  } else if (entry.leaf >= 0 && !entry.hidden) {  // it moves, and will seldom get far
    tree.hide(entry.leaf);
    entry.hidden = true;
    solids -= weight;
  }
}

void SceneState::set_active(std::uint32_t index, bool active) {
  const Change change(broken);
  entries[index].active = active;
  refresh(index);
}

void SceneState::set_switch(std::uint32_t index, std::uint64_t parent) {
  if (entries[index].parent == parent) return;  // the chosen one stays chosen
  const Change change(broken);
  leave_switch(index);
  entries[index].parent = parent;
  refresh(index);
}

void SceneState::leave_switch(std::uint32_t index) {
  std::uint64_t& parent = entries[index].parent;
  if (parent != 0 && switches[parent] == items[index].number) switches[parent].reset();
  parent = 0;
}

void SceneState::choose(std::uint64_t parent, std::optional<std::uint64_t> number) {
  const Change change(broken);
  std::optional<std::uint64_t>& chosen = switches[parent];
  const std::optional<std::uint64_t> before = chosen;
  chosen = number;
  for (const std::optional<std::uint64_t>& one : {before, number}) {
    const auto index = one ? find(ObjectId{*one}) : std::nullopt;
    if (index) refresh(*index);
  }
}

Status SceneState::replace(std::uint32_t index, std::shared_ptr<const scene::MeshData> mesh) {
  const Entry entry = entries[index];
  auto where = placed(*mesh, entry.place);
  if (!where) return where.error();
  if (entry.to) {
    where = placed(*mesh, moved_to(entry.place, *entry.to));
    if (!where) return where.error();
    auto body = shared_body(mesh, entry.place.scale);
    if (!body) return body.error();
  }
  const std::uint64_t others = live_triangles - items[index].mesh->triangle_count();
  if (others + mesh->triangle_count() > kMostTriangles) return too_many_triangles();
  const std::uint64_t number = items[index].number;
  const std::string old_name = name(index);
  const std::uint64_t parent_choice =
      entry.parent != 0 ? switches[entry.parent].value_or(0) : std::uint64_t{0};
  const Change change(broken);
  remove(index);
  auto added = add(old_name, std::move(mesh), entry.place, number);
  if (!added) return added.error();
  const std::uint32_t now = index_of.at(number);
  entries[now].active = entry.active;
  entries[now].parent = entry.parent;
  entries[now].to = entry.to;
  entries[now].next = where.value();
  entries[now].in_between = entry.in_between;
  if (parent_choice == number) switches[entry.parent] = number;
  refresh(now);
  return Nothing{};
}

Status SceneState::place(std::uint32_t index, const ShapePlacement& at) {
  auto where = placed(*mesh_of(index), at);
  if (!where) return where.error();
  Entry& entry = entries[index];
  if (entry.shape) {
    auto later = placed(*entry.shape, entry.shape_to.value_or(at));
    if (!later) return later.error();
    if (entry.shape_to && where->at.mirrors != later->at.mirrors) return turned_inside_out();
  }
  const Change change(broken);
  become(index);
  if (entry.place.scale != at.scale) entry.body.reset();
  entry.place = at;
  entry.to.reset();
  entry.moved = false;
  scene::Instance& instance = items.write(index);
  instance.at = where->at;
  instance.box = where->box;
  refresh(index);
  return Nothing{};
}

detect::PairRules& SceneState::own_rules() {
  if (rules_shared) rules = std::make_shared<detect::PairRules>(*rules);
  rules_shared = false;
  return *rules;
}

void SceneState::compact() {
  layout = new_layout();
  scene::Instances::Items old = std::move(items);
  const std::vector<Entry> entries_before = std::move(entries);
  const std::shared_ptr<const scene::ObjectTable> table_before = std::move(table);
  scene::Instances::Meshes meshes_before = std::move(meshes);
  items = {};
  meshes = {};
  entries.clear();
  tree.clear();
  solids = 0;
  next_triangle = 0;
  table = std::make_shared<scene::ObjectTable>();
  table->reserve(std::max(kFirstObjects, 2 * live));
  for (std::uint32_t i = 0; i < old.size(); ++i) {
    if (old[i].mesh == nullptr) continue;
    const auto index = static_cast<std::uint32_t>(items.size());
    scene::Instance instance = old[i];
    instance.first_triangle = static_cast<std::uint32_t>(next_triangle);
    const std::uint32_t count = instance.mesh->triangle_count();
    table->push_back({(*table_before)[i].name, instance.first_triangle, count});
    next_triangle += count;
    index_of[instance.number] = index;
    items.push_back(instance);
    meshes.push_back(meshes_before[i]);
    entries.push_back(entries_before[i]);
    entries.back().leaf = -1;
    entries.back().hidden = false;
    refresh(index);
  }
  ++compactions;
}

}  // namespace tocsin::detail
