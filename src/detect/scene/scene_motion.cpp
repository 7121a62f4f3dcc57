// What a scene's objects do in the step of the next snapshot: they move and deform, and arrive.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "detect/scene/scene_state.h"

namespace tocsin::detail {
namespace {

double largest(const Vec3& p) { return std::max({std::fabs(p.x), std::fabs(p.y), std::fabs(p.z)}); }

Error moves_and_deforms() {
  return {ErrorCode::kUsage, "an object cannot move and deform in one step"};
}

Error cannot_move(const Error& why) {
  return {why.code,
          fmt::format("an object of this mesh cannot move at its scale: {}", why.message)};
}

/// A rotation is that of the quaternion with the other sign, too.
bool is_same_place(const ShapePlacement& at, const Transform& to) {
  const Quat& q = at.rotation;
  const bool same = to.rotation == q || to.rotation == Quat{-q.w, -q.x, -q.y, -q.z};
  return same && to.translation == at.translation;
}

}  // namespace

Status SceneState::move(std::uint32_t index, const Transform& to, InBetween in_between) {
  Entry& entry = entries[index];
  if (entry.shape) return moves_and_deforms();
  if (is_same_place(entry.place, to)) {
    entry.to.reset();  // it rests: asked nothing, and its corners stay as they are
    return Nothing{};
  }
  auto where = placed(*mesh_of(index), moved_to(entry.place, to));
  if (!where) return where.error();
  if (!entry.body || entry.became) {
    auto body = shared_body(mesh_of(index), entry.place.scale);
    if (!body) return body.error();
  }
  if (!entry.to) moving.push_back(items[index].number);
  entry.to = to;
  entry.next = where.value();
  entry.in_between = in_between;
  return Nothing{};
}

Status SceneState::deform(std::uint32_t index, std::vector<Vec3f> vertices,
                          const ShapePlacement* to) {
  Entry& entry = entries[index];
  if (entry.to) return moves_and_deforms();
  const std::shared_ptr<const scene::MeshData>& mesh = mesh_of(index);
  if (to != nullptr && vertices.empty()) {
    const auto own = mesh->alone.vertices();
    vertices.assign(own.begin(), own.end());
  }
  auto shape = mesh->alone.with_vertices(std::move(vertices));
  if (!shape) return shape.error();
  auto next = scene::with_corners(*mesh, std::move(shape).value());
  auto where = placed(*next, to != nullptr ? *to : entry.place);
  if (!where) return where.error();
  if (where->at.mirrors != items[index].at.mirrors) return turned_inside_out();
  entry.shape_to = to != nullptr ? std::optional(*to) : std::nullopt;
  entry.next = where.value();
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
  for (const std::uint32_t index : indices_of(deforming)) {
    Entry& entry = entries[index];
    if (!entry.shape) continue;
    const scene::Instance& instance = items[index];
    entry.became = std::move(entry.shape);
    entry.there = {instance.at, scene::box_of(*entry.became, instance.at)};
    if (entry.shape_to) {
      entry.there = entry.next;
      entry.place = *std::exchange(entry.shape_to, std::nullopt);
    }
    if (!set_out(index)) continue;
    // Between two corners a straight line stays in the box of both.
    out.push_back({index, meshes[index], entry.became, instance.at, entry.there.at,
                   core::join(instance.box, entry.there.box)});
  }
  deforming.clear();
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

/// Neighbours in memory are looked at together.
std::vector<std::uint32_t> SceneState::indices_of(const std::vector<std::uint64_t>& numbers) const {
  std::vector<std::uint32_t> out;
  out.reserve(numbers.size());
  for (const std::uint64_t number : numbers) {
    if (const auto found = find(ObjectId{number})) out.push_back(*found);
  }
  std::sort(out.begin(), out.end());
  return out;
}

void SceneState::settle() {
  for (const std::uint32_t index : indices_of(settling)) {
    Entry& entry = entries[index];
    if (!entry.moved) continue;
    entry.moved = false;
    const core::Box before = items[index].box;
    arrive(index);
    if (!entry.to) refresh(index, before);  // else it goes on from there
  }
  settling.clear();
}

std::vector<detect::Mover> SceneState::begin_moves() {
  std::vector<detect::Mover> out;
  out.reserve(moving.size());
  for (const std::uint32_t index : indices_of(moving)) {
    Entry& entry = entries[index];
    if (!entry.to) continue;
    const Transform from{entry.place.rotation, entry.place.translation};
    const Transform to = *entry.to;
    entry.to.reset();
    entry.there = entry.next;
    entry.place.translation = to.translation;
    entry.place.rotation = to.rotation;
    if (!set_out(index)) continue;
    const scene::Instance& instance = items[index];
    const core::Box box = detect::way_box(from, to, instance.box, entry.there.box,
                                          instance.mesh->reach * largest(entry.place.scale));
    out.push_back({index, body_of(index), from, to, entry.in_between, box});
  }
  moving.clear();
  return out;
}

const Avatar& SceneState::body_of(std::uint32_t index) {
  Entry& entry = entries[index];
  // It was made when the object was told to move.
  if (!entry.body) entry.body = shared_body(meshes[index], entry.place.scale).value();
  return *entry.body;
}

Result<Avatar> SceneState::shared_body(const std::shared_ptr<const scene::MeshData>& mesh,
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
  // Corners may be within reach where the object stands, and not about the mesh's own origin.
  auto shape = Shape::mesh(std::move(corners), {triangles.begin(), triangles.end()}, 0.0);
  if (!shape) return cannot_move(shape.error());
  Skeleton skeleton = Skeleton::create({{"object", -1, {}}}).value();
  std::vector<Link> links;
  links.push_back(link_of_shape("object", 0, std::move(shape).value()));
  auto avatar = Avatar::create("object", std::move(skeleton), std::move(links));
  if (!avatar) return cannot_move(avatar.error());
  return bodies_.insert_or_assign(key, Body{mesh, std::move(avatar).value()}).first->second.avatar;
}

SceneParts SceneState::snapshot() {
  const Change change(broken);
  if (!table) make_room_for(0);
  settle();
  std::vector<detect::Mover> movers = begin_moves();
  std::vector<detect::Deformer> deformers = begin_deformations();
  scene::InMotion in_motion;
  in_motion.all.reserve(movers.size() + deformers.size());
  in_motion.rigid.reserve(movers.size());
  std::size_t all_solids = solids;
  const auto note = [&](std::uint32_t object) {
    in_motion.all.push_back(object);
    if (items[object].solid) ++all_solids;
  };
  for (const detect::Mover& mover : movers) {
    in_motion.rigid.push_back(mover.object);
    note(mover.object);
  }
  for (const detect::Deformer& deformer : deformers) note(deformer.object);
  std::sort(in_motion.all.begin(), in_motion.all.end());
  rules_shared = true;
  SceneParts out;
  out.instances = std::make_shared<const scene::Instances>(
      table, items.snapshot(), meshes.snapshot(), tree.snapshot(), std::move(in_motion), all_solids,
      layout);
  out.view = std::make_shared<const detect::SceneView>(out.instances, rules, std::move(movers),
                                                       std::move(deformers), options.margin);
  return out;
}

}  // namespace tocsin::detail
