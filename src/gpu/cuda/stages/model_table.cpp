#include "gpu/cuda/stages/model_table.h"

#include <atomic>
#include <bit>

#include "core/vector/same_bits.h"
#include "gpu/cuda/device/failure.h"
#include "gpu/cuda/stages/index_table.h"
#include "scene/shape/shape_data.h"

namespace tocsin::cuda {

namespace {

using core::batch::Model;
using core::batch::ModelLink;

using cuda::mixed;
std::uint64_t mixed(std::uint64_t hash, double value) {
  return mixed(hash, std::bit_cast<std::uint64_t>(value));
}
std::uint64_t mixed(std::uint64_t hash, const Vec3& p) {
  return mixed(mixed(mixed(hash, p.x), p.y), p.z);
}

/// What copies of a shape share; null: there is none.
const tocsin::detail::ShapeData* data_of(const Shape& shape) {
  return shape.empty() ? nullptr : &scene::data_of(shape);
}

}  // namespace

std::uint64_t ModelTable::next_version() {
  static std::atomic<std::uint64_t> last{0};
  return ++last;
}

std::uint64_t ModelTable::hash(const Avatar& avatar) {
  std::uint64_t hash = avatar.links().size();
  for (const Link& link : avatar.links()) {
    hash = mixed(hash, static_cast<std::uint64_t>(link.joint));
    hash = mixed(mixed(mixed(hash, link.a), link.b), link.radius);
    hash = mixed(hash, reinterpret_cast<std::uintptr_t>(data_of(link.shape)));
  }
  return hash;
}

bool ModelTable::is(std::uint32_t model, const Avatar& avatar) const {
  const Model& m = models_[model];
  const std::span<const Link> links = avatar.links();
  if (m.link_count != links.size()) return false;
  const std::span<const std::int32_t> used = used_of(m);
  const std::span<const Joint> joints = avatar.skeleton().joints();
  for (std::size_t i = 0; i < links.size(); ++i) {
    const Link& p = links[i];
    const ModelLink& q = links_[m.first_link + i];
    if (p.joint != used[static_cast<std::size_t>(q.joint)] || !core::same_bits(p.a, q.a) ||
        !core::same_bits(p.b, q.b) || p.radius != q.radius ||
        data_of(p.shape) != (q.shape == core::batch::kNone ? nullptr : data_of(kept_[q.shape]))) {
      return false;
    }
  }
  // The parents of those that the links name, and theirs: if all are the same, so are the joints.
  for (std::size_t k = 0; k < used.size(); ++k) {
    const std::int32_t parent = parents_[m.first_joint + k];
    const auto j = static_cast<std::size_t>(used[k]);
    if (j >= joints.size()) return false;
    if (joints[j].parent != (parent < 0 ? -1 : used[static_cast<std::size_t>(parent)])) {
      return false;
    }
  }
  return true;
}

std::uint32_t ModelTable::find(const Avatar& avatar, std::uint64_t hash) {
  const auto [first, last] = by_hash_.equal_range(hash);
  for (auto it = first; it != last; ++it) {
    if (is(it->second, avatar)) return it->second;
  }
  const std::uint32_t model = add(avatar);
  by_hash_.emplace(hash, model);
  return model;
}

void ModelTable::forget_spare(std::size_t items) {
  // Spare models cost memory, and to make and upload one anew costs time.
  constexpr std::size_t kSpareModels = 1024;
  if (models_.size() > kSpareModels + 2 * items) clear();
}

void ModelTable::clear() {
  models_.clear();
  parents_.clear();
  links_.clear();
  chains_.clear();
  used_.clear();
  roots_.clear();
  first_root_.assign(1, 0);
  by_hash_.clear();
  version_ = next_version();
  kept_.clear();
  shapes_.clear();
  shape_corners_.clear();
  shape_features_.clear();
  shape_nodes_.clear();
  shapes_version_ = next_version();
}

void ModelTable::add_joints(const Avatar& avatar) {
  const std::span<const Joint> joints = avatar.skeleton().joints();
  place_.assign(joints.size(), -1);
  for (const Link& link : avatar.links()) {
    for (std::int32_t j = link.joint; j >= 0 && place_[static_cast<std::size_t>(j)] < 0;
         j = joints[static_cast<std::size_t>(j)].parent) {
      place_[static_cast<std::size_t>(j)] = 0;
    }
  }
  std::int32_t count = 0;
  for (std::size_t j = 0; j < joints.size(); ++j) {
    if (place_[j] < 0) continue;
    place_[j] = count++;
    const std::int32_t parent = joints[j].parent;
    parents_.push_back(parent < 0 ? -1 : place_[static_cast<std::size_t>(parent)]);
    used_.push_back(static_cast<std::int32_t>(j));
    if (parent < 0) roots_.push_back(static_cast<std::int32_t>(j));
  }
}

void ModelTable::add_chains(Model& model) {
  // The chain of a joint begins with that of its parent. So only joints without a child need one of
  // their own, and skeletons that are one long chain need no more than a line.
  const std::span<const std::int32_t> parents =
      std::span(parents_).subspan(model.first_joint, model.joint_count);
  std::vector<std::uint32_t> begin(parents.size(), core::batch::kNone);
  std::vector<std::int32_t> length(parents.size(), 1);
  for (std::size_t j = 0; j < parents.size(); ++j) {
    if (parents[j] >= 0) length[j] = length[static_cast<std::size_t>(parents[j])] + 1;
  }
  for (std::size_t j = parents.size(); j-- > 0;) {
    if (begin[j] != core::batch::kNone) continue;
    const std::size_t first = chains_.size();
    chains_.resize(first + static_cast<std::size_t>(length[j]));
    counted(chains_.size(), "entries of models' chains");
    for (auto k = static_cast<std::int32_t>(j); k >= 0; k = parents[static_cast<std::size_t>(k)]) {
      const auto at = static_cast<std::size_t>(k);
      chains_[first + static_cast<std::size_t>(length[at]) - 1] = k;
      if (begin[at] == core::batch::kNone) begin[at] = static_cast<std::uint32_t>(first);
    }
  }
  for (std::size_t i = model.first_link; i < links_.size(); ++i) {
    const auto joint = static_cast<std::size_t>(links_[i].joint);
    links_[i].chain_begin = begin[joint];
    links_[i].chain_length = length[joint];
  }
}

std::uint32_t ModelTable::shape_of(const Link& link) {
  const tocsin::detail::ShapeData* const data = data_of(link.shape);
  if (data == nullptr) return core::batch::kNone;
  for (std::size_t i = 0; i < kept_.size(); ++i) {
    if (data_of(kept_[i]) == data) return static_cast<std::uint32_t>(i);
  }
  shapes_version_ = next_version();
  core::batch::BatchShape out;
  out.first_corner = static_cast<std::uint32_t>(shape_corners_.size());
  out.first_feature = static_cast<std::uint32_t>(shape_features_.size() / 3);
  out.first_node = static_cast<std::uint32_t>(shape_nodes_.size());
  out.radius = data->radius;
  out.longest = data->longest;
  out.reach = data->reach;
  shape_corners_.insert(shape_corners_.end(), data->corners.begin(), data->corners.end());
  for (const TriangleIndices& f : data->features) {
    shape_features_.insert(shape_features_.end(), f.begin(), f.end());
  }
  shape_nodes_.insert(shape_nodes_.end(), data->nodes.begin(), data->nodes.end());
  counted(shape_corners_.size(), "corners of shapes");
  counted(shape_nodes_.size(), "nodes of shapes");
  shapes_.push_back(out);
  kept_.push_back(link.shape);
  return static_cast<std::uint32_t>(kept_.size() - 1);
}

std::size_t ModelTable::shape_bytes(const Avatar& avatar, std::unordered_set<const void*>& known) {
  std::size_t bytes = 0;
  for (const Link& link : avatar.links()) {
    const tocsin::detail::ShapeData* const data = data_of(link.shape);
    if (data == nullptr || !known.insert(data).second) continue;
    bytes += sizeof(core::batch::BatchShape) + data->corners.size() * sizeof(Vec3) +
             data->features.size() * sizeof(TriangleIndices) +
             data->nodes.size() * sizeof(core::HullNode);
  }
  return bytes;
}

std::uint32_t ModelTable::add(const Avatar& avatar) {
  counted(models_.size() + 1, "models");
  version_ = next_version();
  Model model;
  model.first_joint = static_cast<std::uint32_t>(parents_.size());
  model.first_link = static_cast<std::uint32_t>(links_.size());
  add_joints(avatar);
  for (const Link& link : avatar.links()) {
    ModelLink& out = links_.emplace_back();
    out.joint = place_[static_cast<std::size_t>(link.joint)];
    out.a = link.a;
    out.b = link.b;
    out.radius = link.radius;
    out.shape = shape_of(link);
  }
  counted(parents_.size(), "joints of models");
  counted(links_.size(), "links of models");
  model.joint_count = static_cast<std::uint32_t>(parents_.size()) - model.first_joint;
  model.link_count = static_cast<std::uint32_t>(links_.size()) - model.first_link;
  add_chains(model);
  models_.push_back(model);
  first_root_.push_back(roots_.size());
  return static_cast<std::uint32_t>(models_.size() - 1);
}

}  // namespace tocsin::cuda
