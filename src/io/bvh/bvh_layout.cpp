#include "io/bvh/bvh_layout.h"

#include <fmt/format.h>

#include <cstddef>
#include <string_view>
#include <utility>

#include "base/quoted.h"
#include "base/unique_names.h"
#include "core/vector/vec.h"
#include "io/pose_parts.h"

namespace tocsin::io {
namespace {

/// A name that the reader takes for one, and takes whole.
std::string writable(std::string_view name) {
  // Room for the number that makes a cut name distinct.
  constexpr std::size_t kMost = kMaxJointNameBytes - 16;
  std::string out(name);
  for (char& c : out) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte <= 0x20 || byte == 0x7f || c == '{' || c == '}') c = '_';
  }
  if (out.size() > kMaxJointNameBytes) {
    std::size_t size = kMost;
    while (size > 0 && (static_cast<unsigned char>(out[size]) & 0xc0U) == 0x80U) --size;
    out.resize(size);
  }
  return out.empty() ? "joint" : out;
}

class Layout {
 public:
  explicit Layout(const Motion& motion)
      : motion_(motion),
        joints_(motion.skeleton().joints()),
        turns_(joints_.size()),
        shifts_(joints_.size()),
        children_(joints_.size()) {}

  BvhLayout make() {
    add_rest_rotations();
    note_what_moves();
    order();
    rename();
    return std::move(out_);
  }

 private:
  static std::size_t at(std::int32_t index) { return static_cast<std::size_t>(index); }

  void add_rest_rotations() {
    for (const Joint& joint : joints_) {
      Quat world = joint.rest.rotation;
      if (joint.parent >= 0) world = core::normalized(out_.world[at(joint.parent)] * world);
      out_.world.push_back(world);
    }
  }

  void note_what_moves() {
    for (std::int64_t frame = 0; frame < motion_.frame_count(); ++frame) {
      const auto pose = motion_.pose(frame);
      for (std::size_t j = 0; j < joints_.size(); ++j) {
        if (pose[j].rotation != joints_[j].rest.rotation) turns_[j] = true;
        if (pose[j].translation != joints_[j].rest.translation) shifts_[j] = true;
      }
    }
  }

  // No recursion: depth costs no stack.
  void order() {
    std::vector<std::int32_t> pending;
    for (auto j = static_cast<std::int32_t>(joints_.size()) - 1; j >= 0; --j) {
      const std::int32_t parent = joints_[at(j)].parent;
      (parent < 0 ? pending : children_[at(parent)]).push_back(j);  // last ones first
    }
    std::vector<int> depth(joints_.size(), 0);
    std::vector<int> end_sites(joints_.size(), 0);
    while (!pending.empty()) {
      const std::int32_t j = pending.back();
      pending.pop_back();
      pending.insert(pending.end(), children_[at(j)].begin(), children_[at(j)].end());
      const std::int32_t parent = joints_[at(j)].parent;
      if (parent >= 0) depth[at(j)] = depth[at(parent)] + 1;
      BvhJoint joint{j, depth[at(j)], false, parent < 0 || shifts_[at(j)], joints_[at(j)].name};
      if (parent >= 0 && is_end_site(j, end_sites[at(parent)] + 1)) {
        joint.end_site = true;
        ++end_sites[at(parent)];
      }
      out_.joints.push_back(std::move(joint));
    }
  }

  /// Whether a joint can be its parent's n-th End Site.
  bool is_end_site(std::int32_t j, int n) const {
    if (turns_[at(j)] || shifts_[at(j)] || !children_[at(j)].empty()) return false;
    const std::string& parent = joints_[at(joints_[at(j)].parent)].name;
    const std::string_view name = joints_[at(j)].name;
    return name == (n == 1 ? parent + "_end" : fmt::format("{}_end{}", parent, n));
  }

  void rename() {
    std::vector<std::string*> kept;  // they come first, so that they stay as they are
    std::vector<std::string*> changed;
    for (BvhJoint& joint : out_.joints) {
      if (joint.end_site) continue;  // the reader names it after its joint
      std::string name = writable(joint.name);
      const bool same = name == joint.name;
      if (!same && changed.empty()) {
        first_ = base::in_quotes(joint.name) + " is now " + base::in_quotes(name);
      }
      joint.name = std::move(name);
      (same ? kept : changed).push_back(&joint.name);
    }
    if (!changed.empty()) {
      out_.warnings.push_back(
          fmt::format("{} joint names that a .bvh cannot hold were changed, the first: {}",
                      changed.size(), first_));
    }
    kept.insert(kept.end(), changed.begin(), changed.end());
    const std::string text = base::describe_renames(base::make_distinct(kept), "joint");
    if (!text.empty()) out_.warnings.push_back(text);
  }

  const Motion& motion_;
  std::span<const Joint> joints_;
  std::vector<bool> turns_;   ///< joints that ever leave their rest rotation
  std::vector<bool> shifts_;  ///< joints that ever leave their rest translation
  std::vector<std::vector<std::int32_t>> children_;  ///< the last one first
  std::string first_;                                ///< name that was changed, for a person
  BvhLayout out_;
};

}  // namespace

BvhLayout lay_out_bvh(const Motion& motion) { return Layout(motion).make(); }

}  // namespace tocsin::io
