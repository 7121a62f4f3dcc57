// The objects of a scene: instances of meshes, each with a place. Environment and trees read them
// where a room has triangles of its own.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <utility>
#include <vector>

#include "scene/instance/affine.h"
#include "scene/instance/box_tree.h"
#include "scene/instance/mesh_data.h"
#include "scene/instance/paged_array.h"
#include "tocsin/environment.h"

namespace tocsin::scene {

/// One object.
struct Instance {
  const MeshData* mesh = nullptr;  ///< kept alive beside it; null: it was removed
  Affine at;
  core::Box box;             ///< of its corners, exactly
  std::uint64_t number = 0;  ///< no other object of the scene ever has it
  std::uint32_t first_triangle = 0;
  bool solid = false;    ///< of a closed mesh, and no surface by name
  bool checked = false;  ///< it is there, and switched on
};

/// Objects by number, of which later versions only ever have more.
using ObjectTable = std::vector<Object>;

/// The objects that move or deform during the step of this version, each as it is at its start.
struct InMotion {
  std::vector<std::uint32_t> all;    ///< in order
  std::vector<std::uint32_t> rigid;  ///< those that move: their corners are not rounded. In order
};

/// One version of all objects. Immutable.
class Instances {
 public:
  static constexpr std::size_t kPage = 16;
  using Items = PagedArray<Instance, kPage>;
  /// What keeps meshes alive: apart, as it seldom changes, and costs more to copy.
  using Meshes = PagedArray<std::shared_ptr<const MeshData>, 4 * kPage>;

  /// `tree`: of the objects that stand. `solids`: how many are solid, of those and of those in
  /// motion. `layout`: no other numbering of objects has the same, 0 aside.
  Instances(std::shared_ptr<const ObjectTable> table, Items::Snapshot items,
            Meshes::Snapshot meshes, BoxTree::Snapshot tree, InMotion in_motion, std::size_t solids,
            std::uint64_t layout)
      : table_(std::move(table)),
        objects_(table_->data(), items.size()),
        items_(std::move(items)),
        meshes_(std::move(meshes)),
        tree_(std::move(tree)),
        in_motion_(std::move(in_motion)),
        start_(std::make_shared<LazyTree>()),
        solids_(solids),
        layout_(layout) {}

  [[nodiscard]] std::span<const Object> objects() const { return objects_; }
  [[nodiscard]] const Instance& operator[](std::uint32_t object) const { return items_[object]; }
  /// The same objects, of which only this one is there, and stands.
  [[nodiscard]] Instances only(std::uint32_t object) const;
  /// The boxes of all objects that stand and are checked, by their indices.
  [[nodiscard]] const BoxTree::Snapshot& tree() const { return tree_; }
  /// How many objects that are checked are solid.
  [[nodiscard]] std::size_t solids() const { return solids_; }
  [[nodiscard]] std::uint64_t layout() const { return layout_; }
  /// The corners of an object's triangle, by its number among all, in the world.
  [[nodiscard]] std::array<Vec3f, 3> corners(std::uint32_t object, std::uint32_t triangle) const;

  /// Calls f(object) for each solid object that is wanted(object) and holds p
  /// (scene::Solid::holds), in order.
  template <class Wanted, class F>
  void for_each_around(const Vec3& p, const Wanted& wanted, const F& f) const {
    if (solids_ == 0) return;
    for (const std::uint32_t object : solids_near(p)) {
      if (wanted(object) && holds(object, p)) f(object);
    }
  }

  /// True if an object that is solid holds p at the start of the step (scene::Solid::holds).
  [[nodiscard]] bool holds(std::uint32_t object, const Vec3& p) const;

  /// All triangles as an environment of its own, with the same numbers; those of objects that were
  /// removed have no area and lie at the origin. Made anew at every call.
  [[nodiscard]] Environment flat() const;

 private:
  /// The boxes of objects in motion, where they start; made at the first question.
  struct LazyTree {
    std::once_flag once;
    BoxTree::Snapshot tree;
  };

  /// Solid objects whose boxes hold p, in order.
  [[nodiscard]] std::vector<std::uint32_t> solids_near(const Vec3& p) const;
  [[nodiscard]] const BoxTree::Snapshot& start_tree() const;

  std::shared_ptr<const ObjectTable> table_;
  std::span<const Object> objects_;
  Items::Snapshot items_;
  Meshes::Snapshot meshes_;
  BoxTree::Snapshot tree_;
  InMotion in_motion_;
  std::shared_ptr<LazyTree> start_;
  std::size_t solids_ = 0;
  std::uint64_t layout_ = 0;
};

/// Those of an environment that a scene made; else null.
const Instances* instances_of(const Environment& environment);
/// An environment of these objects.
Environment environment_of(std::shared_ptr<const Instances> instances);

}  // namespace tocsin::scene
