// What a Scene knows between snapshots.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "detect/scene/deformers.h"
#include "detect/scene/movers.h"
#include "detect/scene/pair_rules.h"
#include "detect/scene/scene_view.h"
#include "scene/instance/instances.h"
#include "tocsin/scene.h"

namespace tocsin::detail {

/// A snapshot's parts.
struct SceneParts {
  std::shared_ptr<const scene::Instances> instances;
  std::shared_ptr<const detect::SceneView> view;
};

/// Where a mesh stands, and its box there.
struct PlacedMesh {
  scene::Affine at;
  core::Box box;
};

/// Errors (kInput): as Scene::place.
Result<PlacedMesh> placed(const scene::MeshData& mesh, const ShapePlacement& where);
Error turned_inside_out();
/// The same scale, elsewhere.
ShapePlacement moved_to(ShapePlacement place, const Transform& to);

/// While it lives, what is changed is neither as it was nor as it will be: `broken` becomes true if
/// an exception ends it.
class Change {
 public:
  explicit Change(bool& broken) : broken_(broken), before_(std::uncaught_exceptions()) {}
  Change(const Change&) = delete;
  Change& operator=(const Change&) = delete;
  ~Change() {
    if (std::uncaught_exceptions() > before_) broken_ = true;
  }

 private:
  bool& broken_;
  int before_;
};

/// Objects by index; their ids are numbers that are never used again.
struct SceneState {
  /// What the writer knows of an object beside its Instance.
  struct Entry {
    // What every change reads, side by side.
    std::int32_t leaf = -1;  ///< in the tree; -1: it is not there
    bool hidden = false;     ///< in the tree, while it moves
    bool active = true;
    bool moved = false;        ///< the last snapshot had it in motion
    std::uint64_t parent = 0;  ///< its switch, or 0
    /// What it deforms to in the next snapshot's step; null: it does not.
    std::shared_ptr<const scene::MeshData> shape;
    /// What it became in the step of the last snapshot; null: it did not deform there.
    std::shared_ptr<const scene::MeshData> became;
    ShapePlacement place;         ///< where it is; of one that moves, where that ends
    std::optional<Transform> to;  ///< where it moves to in the next snapshot's step
    InBetween in_between = InBetween::kScrew;
    std::optional<Avatar> body;              ///< as a body that moves, at this scale
    std::optional<ShapePlacement> shape_to;  ///< where `shape` is then; none: where it was
    PlacedMesh next;   ///< its place at the end of that motion, or of `shape_to`
    PlacedMesh there;  ///< the same of the motion that the last snapshot had
  };

  explicit SceneState(DetectorOptions with);

  [[nodiscard]] std::optional<std::uint32_t> find(ObjectId id) const;
  [[nodiscard]] const std::string& name(std::uint32_t index) const { return (*table)[index].name; }
  Result<ObjectId> add(std::string name, std::shared_ptr<const scene::MeshData> mesh,
                       const ShapePlacement& at, std::optional<std::uint64_t> number = {});
  void remove(std::uint32_t index);
  /// The same object with another mesh, at a new index.
  Status replace(std::uint32_t index, std::shared_ptr<const scene::MeshData> mesh);
  Status place(std::uint32_t index, const ShapePlacement& at);
  Status move(std::uint32_t index, const Transform& to, InBetween in_between);
  /// `to`: null: it stays where it is.
  Status deform(std::uint32_t index, std::vector<Vec3f> vertices,
                const ShapePlacement* to = nullptr);
  void set_active(std::uint32_t index, bool active);
  /// `parent`: 0: none.
  void set_switch(std::uint32_t index, std::uint64_t parent);
  /// Whether an object is there: active, and chosen by its switch.
  [[nodiscard]] bool is_there(std::uint32_t index) const;
  /// Puts it into the tree or takes it out, as it should be. `before`: the box of one that moved.
  void refresh(std::uint32_t index, const core::Box& before = {});
  void leave_switch(std::uint32_t index);
  /// The switch's object from now on; none: no object is there.
  void choose(std::uint64_t parent, std::optional<std::uint64_t> number);
  SceneParts snapshot();

  DetectorOptions options;
  /// Memory ran out in the midst of a change: nothing that follows can be relied on.
  bool broken = false;
  std::uint64_t layout = 0;  ///< no other numbering of objects, of any scene, has the same
  std::uint64_t last_number = 0;
  std::uint64_t compactions = 0;
  std::size_t live = 0;
  std::uint64_t next_triangle = 0;
  std::uint64_t live_triangles = 0;  ///< of the objects that there are
  std::shared_ptr<scene::ObjectTable> table;
  scene::Instances::Items items;
  scene::Instances::Meshes meshes;  ///< of the items
  std::vector<Entry> entries;
  scene::BoxTree tree;
  std::size_t solids = 0;  ///< solid objects in the tree
  std::unordered_map<std::uint64_t, std::uint32_t> index_of;
  std::unordered_map<std::string, std::uint64_t> named;
  std::map<std::uint64_t, std::optional<std::uint64_t>> switches;  ///< and what each has chosen
  std::vector<std::uint64_t> deforming;  ///< told to deform since the last snapshot
  std::vector<std::uint64_t> moving;     ///< told to move since the last snapshot
  std::vector<std::uint64_t> settling;   ///< those that the last snapshot had in motion
  std::shared_ptr<detect::PairRules> rules = std::make_shared<detect::PairRules>();
  bool rules_shared = false;

  /// The rules, to be changed.
  detect::PairRules& own_rules();

 private:
  /// Of those of these objects that there are. In order.
  [[nodiscard]] std::vector<std::uint32_t> indices_of(
      const std::vector<std::uint64_t>& numbers) const;
  void settle();
  /// Its Instance is where, and what, its motion ended with.
  void arrive(std::uint32_t index);
  void become(std::uint32_t index);
  /// Its mesh at the end of what the last snapshot had.
  [[nodiscard]] const std::shared_ptr<const scene::MeshData>& mesh_of(std::uint32_t index) const {
    return entries[index].became ? entries[index].became : meshes[index];
  }
  void compact();
  void make_room_for(std::size_t triangles);
  /// Takes an object out of the tree for the next snapshot's step. False: it is not there.
  bool set_out(std::uint32_t index);
  std::vector<detect::Mover> begin_moves();
  std::vector<detect::Deformer> begin_deformations();
  const Avatar& body_of(std::uint32_t index);
  /// Errors (kInput): as Scene::move.
  Result<Avatar> shared_body(const std::shared_ptr<const scene::MeshData>& mesh, const Vec3& scale);
  [[nodiscard]] bool is_surface(const std::string& name) const;

  /// Meshes as bodies, by mesh and scale.
  using BodyKey = std::pair<const scene::MeshData*, std::array<double, 3>>;
  struct Body {
    std::weak_ptr<const scene::MeshData> mesh;
    Avatar avatar;
  };
  std::map<BodyKey, Body> bodies_;
};

}  // namespace tocsin::detail
