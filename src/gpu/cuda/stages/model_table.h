// The models of a batch's avatars, each there once. docs/cuda.md, "What a batch is".
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "core/batch/layout.h"
#include "core/query/hull_tree.h"
#include "tocsin/avatar.h"

namespace tocsin::cuda {

/// Models are compared by what they are, not by where they lie: copies of an avatar, and avatars
/// bound alike, share one; but copies of a shape share what is compared by where it lies. Joints
/// that no link hangs on are left out: a model's joints are those used(), and links and chains
/// count these.
class ModelTable {
 public:
  /// A number that avatars bound alike share. Any thread.
  [[nodiscard]] static std::uint64_t hash(const Avatar& avatar);
  /// True if the avatar's model is this one. Any thread, while no thread calls find().
  [[nodiscard]] bool is(std::uint32_t model, const Avatar& avatar) const;
  /// The avatar's model; added if it is new. Throws Failure (kMemory) beyond 2^32 joints, links or
  /// entries of chains in all.
  std::uint32_t find(const Avatar& avatar, std::uint64_t hash);
  /// Forgets all.
  void clear();
  /// Forgets all if many more are kept than a batch of so many items can use. Only where no batch
  /// refers to a model any more.
  void forget_spare(std::size_t items);

  [[nodiscard]] std::span<const core::batch::Model> models() const { return models_; }
  [[nodiscard]] std::span<const core::batch::ModelLink> links() const { return links_; }
  [[nodiscard]] std::span<const std::int32_t> chains() const { return chains_; }
  /// The shapes of all links, each once, and what their numbers count.
  [[nodiscard]] std::span<const core::batch::BatchShape> shapes() const { return shapes_; }
  [[nodiscard]] std::span<const Vec3> shape_corners() const { return shape_corners_; }
  [[nodiscard]] std::span<const std::uint32_t> shape_features() const { return shape_features_; }
  [[nodiscard]] std::span<const core::HullNode> shape_nodes() const { return shape_nodes_; }
  /// As version(), of the shapes alone: they may be large.
  [[nodiscard]] std::uint64_t shapes_version() const { return shapes_version_; }
  /// Bytes that a device needs for the shapes of an avatar's links that are not among `known`,
  /// which gets them.
  [[nodiscard]] static std::size_t shape_bytes(const Avatar& avatar,
                                               std::unordered_set<const void*>& known);
  /// The skeleton's joints that are a model's, parents first.
  [[nodiscard]] std::span<const std::int32_t> used(std::uint32_t model) const {
    return used_of(models_[model]);
  }
  /// Those of them that have no parent.
  [[nodiscard]] std::span<const std::int32_t> roots(std::uint32_t model) const {
    return std::span(roots_).subspan(first_root_[model],
                                     first_root_[model + 1] - first_root_[model]);
  }
  /// Another one whenever something was added, and for every table: what a device has of this
  /// version need not be uploaded again. Never 0.
  [[nodiscard]] std::uint64_t version() const { return version_; }
  /// Per item of a whole batch the model that it had last time: a good guess. Anything may be
  /// there.
  std::vector<std::uint32_t> last_of_item;

 private:
  [[nodiscard]] std::span<const std::int32_t> used_of(const core::batch::Model& model) const {
    return std::span(used_).subspan(model.first_joint, model.joint_count);
  }
  std::uint32_t add(const Avatar& avatar);
  /// The number of a link's shape; kNone: it has none.
  std::uint32_t shape_of(const Link& link);
  void add_joints(const Avatar& avatar);
  void add_chains(core::batch::Model& model);
  static std::uint64_t next_version();

  std::vector<core::batch::Model> models_;
  std::vector<std::int32_t> parents_;  ///< per joint of a model, of the same model; -1: none
  std::vector<core::batch::ModelLink> links_;
  std::vector<std::int32_t> chains_;
  std::vector<std::int32_t> used_;          ///< as parents_
  std::vector<std::int32_t> roots_;         ///< joints of a skeleton, of all models
  std::vector<std::size_t> first_root_{0};  ///< per model, and the end of the last's
  std::unordered_multimap<std::uint64_t, std::uint32_t> by_hash_;
  std::vector<std::int32_t> place_;  ///< of a skeleton's joint among those used, while one is added
  std::uint64_t version_ = next_version();
  std::vector<Shape> kept_;  ///< per shape: what is compared by its address stays there
  std::vector<core::batch::BatchShape> shapes_;
  std::vector<Vec3> shape_corners_;
  std::vector<std::uint32_t> shape_features_;
  std::vector<core::HullNode> shape_nodes_;
  std::uint64_t shapes_version_ = next_version();
};

}  // namespace tocsin::cuda
