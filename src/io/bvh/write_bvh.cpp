#include "io/bvh/write_bvh.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "base/output_file.h"
#include "core/vector/vec.h"
#include "io/bvh/bvh_hierarchy.h"
#include "io/bvh/bvh_layout.h"
#include "io/bvh/euler.h"

namespace tocsin::io {
namespace {

class BvhWriter {
 public:
  BvhWriter(const Motion& motion, const BvhLayout& layout, base::OutputFile& out)
      : motion_(motion), layout_(layout), out_(out) {}

  bool write() { return write_hierarchy() && write_frames(); }

 private:
  static std::size_t at(std::int32_t index) { return static_cast<std::size_t>(index); }

  template <class... Values>
  void add(fmt::format_string<Values...> form, Values&&... values) {
    fmt::format_to(std::back_inserter(text_), form, std::forward<Values>(values)...);
  }

  bool flush() {
    const bool written = out_.write({text_.data(), text_.size()});
    text_.clear();
    return written;
  }

  // ---- the first half

  bool write_hierarchy() {
    add("HIERARCHY\n");
    int open = 0;  // blocks whose brace is not closed
    for (const BvhJoint& joint : layout_.joints) {
      close(open, joint.depth);
      begin(joint);
      open = joint.depth + 1;
      if (!flush()) return false;
    }
    close(open, 0);
    return flush();
  }

  /// Deeper levels look like this one: a chain of ten thousand joints would be mostly blanks.
  static constexpr int kDeepestIndent = 32;

  void indent(int depth) {
    text_.append(std::string(2U * static_cast<std::size_t>(std::min(depth, kDeepestIndent)), ' '));
  }

  void close(int& open, int depth) {
    while (open > depth) {
      indent(--open);
      add("}}\n");
    }
  }

  void begin(const BvhJoint& joint) {
    const Vec3 offset = turned(joint.joint, rest(joint.joint)).translation;
    indent(joint.depth);
    if (joint.end_site) {
      add("End Site\n");
    } else {
      add("{} {}\n", joint.depth == 0 ? "ROOT" : "JOINT", joint.name);
    }
    indent(joint.depth);
    add("{{\n");
    indent(joint.depth + 1);
    add("OFFSET {} {} {}\n", offset.x, offset.y, offset.z);
    if (joint.end_site) return;
    indent(joint.depth + 1);
    add("CHANNELS {}Zrotation Yrotation Xrotation\n",
        joint.has_position ? "6 Xposition Yposition Zposition " : "3 ");
  }

  // ---- the second half

  bool write_frames() {
    add("MOTION\nFrames: {}\nFrame Time: {}\n", motion_.frame_count(), motion_.frame_time());
    for (std::int64_t frame = 0; frame < motion_.frame_count(); ++frame) {
      const char* before = "";
      for (const BvhJoint& joint : layout_.joints) {
        if (joint.end_site) continue;
        const Transform pose = turned(joint.joint, motion_.pose(frame)[at(joint.joint)]);
        const Vec3& t = pose.translation;
        if (joint.has_position) add("{}{} {} {}", std::exchange(before, " "), t.x, t.y, t.z);
        const EulerZyx angles = euler_zyx(pose.rotation);
        add("{}{} {} {}", std::exchange(before, " "), angles.z, angles.y, angles.x);
      }
      add("\n");
      if (!flush()) return false;
    }
    return true;
  }

  // ---- frames without rest rotations

  const Transform& rest(std::int32_t joint) const {
    return motion_.skeleton().joints()[at(joint)].rest;
  }

  /// A joint's transform, between frames that are aligned with the world at rest.
  Transform turned(std::int32_t joint, const Transform& local) const {
    const std::int32_t parent = motion_.skeleton().joints()[at(joint)].parent;
    const Quat to_rest = core::conjugate(layout_.world[at(joint)]);
    if (parent < 0) return {core::normalized(local.rotation * to_rest), local.translation};
    const Quat& from = layout_.world[at(parent)];
    return {core::normalized((from * local.rotation) * to_rest),
            core::rotate(from, local.translation)};
  }

  const Motion& motion_;
  const BvhLayout& layout_;
  base::OutputFile& out_;
  fmt::memory_buffer text_;
};

}  // namespace

Result<SaveNotes> write_bvh(const Motion& motion, const std::filesystem::path& file) {
  if (motion.skeleton().size() == 0) {
    return {ErrorCode::kInput, "an empty motion cannot be written"};
  }
  if (static_cast<std::size_t>(motion.skeleton().size()) > kMaxBvhJoints) {
    return {ErrorCode::kInput, fmt::format("{}: {} joints; a .bvh has at most {}", file.string(),
                                           motion.skeleton().size(), kMaxBvhJoints)};
  }
  if (!motion.ticks().empty()) {
    return {ErrorCode::kInput,
            fmt::format("{}: the frames are not evenly spaced, and a .bvh knows only one frame "
                        "time; write a .glb or a .poses",
                        file.string())};
  }
  BvhLayout layout = lay_out_bvh(motion);
  base::OutputFile out;
  if (Status opened = out.open(file.string()); !opened.ok()) return opened.error();
  if (!BvhWriter(motion, layout, out).write()) return out.error();
  if (Status finished = out.finish(); !finished.ok()) return finished.error();
  return SaveNotes{std::move(layout.warnings)};
}

}  // namespace tocsin::io
