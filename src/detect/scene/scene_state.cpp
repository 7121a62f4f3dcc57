#include "detect/scene/scene_state.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

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

double largest(const Vec3& p) { return std::max({std::fabs(p.x), std::fabs(p.y), std::fabs(p.z)}); }

Error moves_and_deforms() {
  return {ErrorCode::kUsage, "an object cannot move and deform in one step"};
}

ShapePlacement moved_to(ShapePlacement place, const Transform& to) {
  place.translation = to.translation;
  place.rotation = to.rotation;
  return place;
}

bool is_within_reach(const core::Box& box) {
  return scene::within_reach(box.lo) && scene::within_reach(box.hi);
}

/// Errors (kInput): as Scene::place.
Result<PlacedMesh> placed(const scene::MeshData& mesh, const ShapePlacement& where) {
  auto at = scene::affine_of(where);
  if (!at) return at.error();
  const core::Box box = scene::box_of(mesh, at.value());
  if (!is_within_reach(box)) {
    return {ErrorCode::kInput, "an object's corners must be within 1e6 m of the origin"};
  }
  return PlacedMesh{at.value(), box};
}

}  // namespace

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
  make_room_for(mesh->triangle_count());
  if (next_triangle + mesh->triangle_count() > kMostTriangles) {
    return {ErrorCode::kInput, "the scene would have more than 2^31 triangles"};
  }
  const auto index = static_cast<std::uint32_t>(items.size());
  const std::uint64_t id = number ? *number : ++last_number;
  scene::Instance instance;
  instance.at = where->at;
  instance.box = where->box;
  instance.number = id;
  instance.first_triangle = static_cast<std::uint32_t>(next_triangle);
  instance.solid = !mesh->shells.empty() && !is_surface(name);
  next_triangle += mesh->triangle_count();
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

void SceneState::refresh(std::uint32_t index) {
  Entry& entry = entries[index];
  const bool there = is_there(index);
  if (items[index].checked != there) items.write(index).checked = there;
  const bool stands = there && !entry.moved;
  const std::size_t weight = items[index].solid ? 1 : 0;
  if (stands && entry.leaf < 0) {
    entry.leaf = tree.insert(index, items[index].box);
    solids += weight;
  } else if (!stands && entry.leaf >= 0) {
    tree.remove(entry.leaf);
    entry.leaf = -1;
    solids -= weight;
  } else if (stands) {
    tree.move(entry.leaf, items[index].box);
  }
}

void SceneState::leave_switch(std::uint32_t index) {
  std::uint64_t& parent = entries[index].parent;
  if (parent != 0 && switches[parent] == items[index].number) switches[parent].reset();
  parent = 0;
}

void SceneState::choose(std::uint64_t parent, std::optional<std::uint64_t> number) {
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
  }
  const std::uint64_t number = items[index].number;
  const std::string old_name = name(index);
  const std::uint64_t parent_choice =
      entry.parent != 0 ? switches[entry.parent].value_or(0) : std::uint64_t{0};
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
    auto later = placed(*entry.shape, at);
    if (!later) return later.error();
  }
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

Status SceneState::move(std::uint32_t index, const Transform& to, InBetween in_between) {
  Entry& entry = entries[index];
  if (entry.shape) return moves_and_deforms();
  auto where = placed(*mesh_of(index), moved_to(entry.place, to));
  if (!where) return where.error();
  if (!entry.to) moving.push_back(items[index].number);
  entry.to = to;
  entry.next = where.value();
  entry.in_between = in_between;
  return Nothing{};
}

Status SceneState::deform(std::uint32_t index, std::vector<Vec3f> vertices) {
  Entry& entry = entries[index];
  if (entry.to) return moves_and_deforms();
  const std::shared_ptr<const scene::MeshData>& mesh = mesh_of(index);
  auto shape = mesh->alone.with_vertices(std::move(vertices));
  if (!shape) return shape.error();
  auto next = scene::with_corners(*mesh, std::move(shape).value());
  auto where = placed(*next, entry.place);
  if (!where) return where.error();
  if (!entry.shape) deforming.push_back(items[index].number);
  entry.shape = std::move(next);
  return Nothing{};
}

bool SceneState::set_out(std::uint32_t index) {
  entries[index].moved = true;
  refresh(index);
  settling.push_back(items[index].number);
  return is_there(index);
}

std::vector<detect::Deformer> SceneState::begin_deformations() {
  std::vector<detect::Deformer> out;
  for (const std::uint64_t number : deforming) {
    const auto found = find(ObjectId{number});
    if (!found || !entries[*found].shape) continue;
    Entry& entry = entries[*found];
    const scene::Instance& instance = items[*found];
    entry.became = std::move(entry.shape);
    entry.there = {instance.at, scene::box_of(*entry.became, instance.at)};
    if (!set_out(*found)) continue;
    // Between two corners a straight line stays in the box of both.
    out.push_back({*found, meshes[*found], entry.became, instance.at,
                   core::join(instance.box, entry.there.box)});
  }
  deforming.clear();
  std::sort(out.begin(), out.end(), [](const detect::Deformer& p, const detect::Deformer& q) {
    return p.object < q.object;
  });
  return out;
}

void SceneState::become(std::uint32_t index) {
  Entry& entry = entries[index];
  if (!entry.became) return;
  scene::Instance& instance = items.write(index);
  instance.mesh = entry.became.get();
  instance.solid = !entry.became->shells.empty() && !is_surface(name(index));
  meshes.write(index) = std::move(entry.became);
  entry.became.reset();
  entry.body.reset();
}

void SceneState::arrive(std::uint32_t index) {
  become(index);
  scene::Instance& instance = items.write(index);
  instance.at = entries[index].there.at;
  instance.box = entries[index].there.box;
}

void SceneState::settle() {
  for (const std::uint64_t number : settling) {
    const auto found = find(ObjectId{number});
    if (!found || !entries[*found].moved) continue;
    Entry& entry = entries[*found];
    entry.moved = false;
    arrive(*found);
    if (!entry.to) refresh(*found);  // else it goes on from there
  }
  settling.clear();
}

std::vector<detect::Mover> SceneState::begin_moves() {
  std::vector<detect::Mover> out;
  for (const std::uint64_t number : moving) {
    const auto found = find(ObjectId{number});
    if (!found || !entries[*found].to) continue;
    Entry& entry = entries[*found];
    const Transform from{entry.place.rotation, entry.place.translation};
    const Transform to = *entry.to;
    entry.to.reset();
    entry.there = entry.next;
    entry.place.translation = to.translation;
    entry.place.rotation = to.rotation;
    if (!set_out(*found)) continue;
    const scene::Instance& instance = items[*found];
    const core::Box box = detect::way_box(from, to, instance.box, entry.there.box,
                                          instance.mesh->reach * largest(entry.place.scale));
    out.push_back({*found, body_of(*found), from, to, entry.in_between, box});
  }
  moving.clear();
  std::sort(out.begin(), out.end(),
            [](const detect::Mover& p, const detect::Mover& q) { return p.object < q.object; });
  return out;
}

const Avatar& SceneState::body_of(std::uint32_t index) {
  Entry& entry = entries[index];
  if (!entry.body) entry.body = shared_body(meshes[index], entry.place.scale);
  return *entry.body;
}

const Avatar& SceneState::shared_body(const std::shared_ptr<const scene::MeshData>& mesh,
                                      const Vec3& scale) {
  const BodyKey key{mesh.get(), {scale.x, scale.y, scale.z}};
  if (const auto known = bodies_.find(key); known != bodies_.end()) {
    if (!known->second.mesh.expired()) return known->second.avatar;
  }
  std::erase_if(bodies_, [](const auto& body) { return body.second.mesh.expired(); });
  std::vector<Vec3> corners;
  for (const Vec3f& v : mesh->alone.vertices()) {
    corners.push_back({scale.x * double{v.x}, scale.y * double{v.y}, scale.z * double{v.z}});
  }
  const auto triangles = mesh->alone.triangles();
  // Every corner was within reach where the object was put.
  Shape shape = Shape::mesh(std::move(corners), {triangles.begin(), triangles.end()}, 0.0).value();
  Skeleton skeleton = Skeleton::create({{"object", -1, {}}}).value();
  std::vector<Link> links;
  links.push_back(link_of_shape("object", 0, std::move(shape)));
  Avatar avatar = Avatar::create("object", std::move(skeleton), std::move(links)).value();
  return bodies_.insert_or_assign(key, Body{mesh, std::move(avatar)}).first->second.avatar;
}

detect::PairRules& SceneState::own_rules() {
  if (rules_shared) rules = std::make_shared<detect::PairRules>(*rules);
  rules_shared = false;
  return *rules;
}

void SceneState::compact() {
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
    refresh(index);
  }
  ++compactions;
}

SceneParts SceneState::snapshot() {
  if (!table) make_room_for(0);
  settle();
  std::vector<detect::Mover> movers = begin_moves();
  std::vector<detect::Deformer> deformers = begin_deformations();
  std::vector<std::uint32_t> indices;
  std::size_t all_solids = solids;
  const auto note = [&](std::uint32_t object) {
    indices.push_back(object);
    if (items[object].solid) ++all_solids;
  };
  for (const detect::Mover& mover : movers) note(mover.object);
  for (const detect::Deformer& deformer : deformers) note(deformer.object);
  std::sort(indices.begin(), indices.end());
  rules_shared = true;
  SceneParts out;
  out.instances = std::make_shared<const scene::Instances>(
      table, items.snapshot(), meshes.snapshot(), tree.snapshot(), indices, all_solids);
  out.view = std::make_shared<const detect::SceneView>(out.instances, rules, std::move(movers),
                                                       std::move(deformers));
  return out;
}

}  // namespace tocsin::detail
