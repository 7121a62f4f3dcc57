// A scene that changes at random, and what it should be: a flat room that is built anew.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "support/scenes/random_link.h"
#include "tocsin/scene.h"

namespace tocsin::test {

/// Throws what went wrong.
inline void done(const Status& status) {
  if (!status.ok()) throw Exception(status.error());
}

/// What an object is and where, as the test was told to put it.
struct WorldObject {
  ObjectId id{};
  std::size_t mesh = 0;
  ShapePlacement at;
  bool active = true;
};

/// A mesh by its parts, as they were handed in.
struct WorldMesh {
  std::vector<Vec3f> vertices;
  std::vector<TriangleIndices> triangles;
  Mesh mesh;
};

inline WorldMesh world_mesh(std::vector<Vec3f> vertices, std::vector<TriangleIndices> triangles) {
  Mesh mesh = Mesh::create(vertices, triangles).value();
  return {std::move(vertices), std::move(triangles), std::move(mesh)};
}

/// A closed box with edges of 2, facing outward.
inline WorldMesh box_mesh() {
  std::vector<Vec3f> v;
  for (int i = 0; i < 8; ++i) {
    v.push_back(
        {(i & 1) != 0 ? 1.0F : -1.0F, (i & 2) != 0 ? 1.0F : -1.0F, (i & 4) != 0 ? 1.0F : -1.0F});
  }
  return world_mesh(std::move(v), {{0, 2, 3},
                                   {0, 3, 1},
                                   {4, 5, 7},
                                   {4, 7, 6},
                                   {0, 1, 5},
                                   {0, 5, 4},
                                   {2, 6, 7},
                                   {2, 7, 3},
                                   {0, 4, 6},
                                   {0, 6, 2},
                                   {1, 3, 7},
                                   {1, 7, 5}});
}

/// A cloud of triangles about a metre wide.
inline WorldMesh cloud_mesh(RandomLinks& random, int triangles) {
  std::vector<Vec3f> v;
  std::vector<TriangleIndices> t;
  for (int i = 0; i < triangles; ++i) {
    const Vec3 at = random.vector(0, 0.5);
    const auto first = static_cast<std::uint32_t>(v.size());
    for (int k = 0; k < 3; ++k) {
      const Vec3 p = at + random.vector(0, 0.15);
      v.push_back({static_cast<float>(p.x), static_cast<float>(p.y), static_cast<float>(p.z)});
    }
    t.push_back({first, first + 1, first + 2});
  }
  return world_mesh(std::move(v), std::move(t));
}

/// The rotation of a unit quaternion and a scale, then a shift, in long double: not the product's
/// own arithmetic.
inline std::array<long double, 3> placed_exactly(const ShapePlacement& at, const Vec3f& p) {
  using Long = long double;
  const Quat& q = at.rotation;
  const Long length =
      std::sqrt(Long{q.w} * q.w + Long{q.x} * q.x + Long{q.y} * q.y + Long{q.z} * q.z);
  const Long w = q.w / length;
  const Long x = q.x / length;
  const Long y = q.y / length;
  const Long z = q.z / length;
  const Long a = Long{at.scale.x} * p.x;
  const Long b = Long{at.scale.y} * p.y;
  const Long c = Long{at.scale.z} * p.z;
  // p + 2 u x (u x p + w p), u the vector part.
  const Long ux = y * c - z * b + w * a;
  const Long uy = z * a - x * c + w * b;
  const Long uz = x * b - y * a + w * c;
  return {a + 2 * (y * uz - z * uy) + at.translation.x,
          b + 2 * (z * ux - x * uz) + at.translation.y,
          c + 2 * (x * uy - y * ux) + at.translation.z};
}

/// Objects come, go, jump, change and are switched, at random.
class RandomWorld {
 public:
  RandomWorld(std::uint64_t seed, const DetectorOptions& options)
      : random_(seed), scene_(Scene::make(options).value()) {
    meshes_.push_back(box_mesh());
    for (const int triangles : {1, 7, 60, 300}) meshes_.push_back(cloud_mesh(random_, triangles));
  }

  Scene& scene() { return scene_; }
  RandomLinks& random() { return random_; }
  std::map<std::string, WorldObject>& objects() { return objects_; }
  const std::vector<WorldMesh>& meshes() const { return meshes_; }

  ShapePlacement random_place() {
    ShapePlacement at;
    at.translation = random_.vector(0, 0.9);
    at.rotation = random_.rotation(random_.uniform(0, 3.0));
    const double size = random_.uniform(0.1, 0.6);
    at.scale = {size, size, size};
    if (random_.uniform(0, 1) < 0.3) at.scale.y *= random_.uniform(0.3, 2.0);
    return at;
  }

  void add() {
    const std::string name = "object " + std::to_string(++count_);
    WorldObject object;
    object.mesh = random_.below(meshes_.size());
    object.at = random_place();
    object.id = scene_.add(name, meshes_[object.mesh].mesh, object.at).value();
    objects_.emplace(name, object);
  }

  /// One change of any kind.
  void change() {
    const double kind = random_.uniform(0, 1);
    if (objects_.empty() || kind < 0.35) return add();
    auto at = objects_.begin();
    std::advance(at, static_cast<std::ptrdiff_t>(random_.below(objects_.size())));
    WorldObject& object = at->second;
    if (kind < 0.6) {
      object.at = random_place();
      done(scene_.place(object.id, object.at));
    } else if (kind < 0.75) {
      object.mesh = random_.below(meshes_.size());
      done(scene_.replace(object.id, meshes_[object.mesh].mesh));
    } else if (kind < 0.88) {
      object.active = !object.active;
      done(object.active ? scene_.activate(object.id) : scene_.deactivate(object.id));
    } else {
      done(scene_.remove(object.id));
      objects_.erase(at);
    }
  }

 private:
  RandomLinks random_;
  Scene scene_;
  std::vector<WorldMesh> meshes_;
  std::map<std::string, WorldObject> objects_;
  int count_ = 0;
};

/// The objects of a snapshot that are active, as a room of their own with the corners that the
/// snapshot says; index[i]: of object i of the room in the snapshot.
struct FlatRoom {
  Environment room;
  std::vector<std::uint32_t> index;
};

inline FlatRoom flat_room(RandomWorld& world, const Environment& snapshot) {
  std::vector<std::pair<std::uint32_t, const WorldObject*>> order;
  for (const auto& [name, object] : world.objects()) {
    if (object.active) order.emplace_back(world.scene().index_of(object.id).value(), &object);
  }
  std::sort(order.begin(), order.end());
  std::vector<ObjectMesh> meshes;
  FlatRoom out;
  for (const auto& [index, object] : order) {
    const WorldMesh& mesh = world.meshes()[object->mesh];
    const Object& known = snapshot.objects()[index];
    ObjectMesh one;
    one.name = known.name;
    one.triangles = mesh.triangles;
    one.vertices.resize(mesh.vertices.size());
    for (std::uint32_t t = 0; t < known.triangle_count; ++t) {
      const auto corners = snapshot.corners(known.first_triangle + t);
      for (std::size_t k = 0; k < 3; ++k) one.vertices[mesh.triangles[t][k]] = corners[k];
    }
    meshes.push_back(std::move(one));
    out.index.push_back(index);
  }
  out.room = Environment::create(std::move(meshes)).value();
  return out;
}

}  // namespace tocsin::test
