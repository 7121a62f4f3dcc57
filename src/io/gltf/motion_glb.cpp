#include "io/gltf/motion_glb.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/packed.h"
#include "core/vector/vec.h"
#include "io/gltf/glb.h"
#include "io/gltf/gltf_json.h"
#include "io/gltf/stick_figure.h"
#include "scene/motion/joint_places.h"
#include "tocsin/version.h"

namespace tocsin::io {
namespace {

using OrderedJson = nlohmann::ordered_json;

// glTF's numbers for component types and uses of a buffer view.
constexpr int kUint16 = 5123;
constexpr int kUint32 = 5125;
constexpr int kVertices = 34962;
constexpr int kIndices = 34963;

/// Writes items of `kItemBytes` each, with base::write_packed()'s `put`.
template <std::size_t kItemBytes, class Items, class Put>
Status write_items(GlbWriter& out, const Items& items, Put put) {
  Status status = Nothing{};
  base::write_packed<kItemBytes>(items, put, [&](std::string_view bytes) {
    status = out.write(bytes);
    return status.ok();
  });
  return status;
}

Status write_floats(GlbWriter& out, const std::vector<float>& values) {
  return write_items<4>(out, values, [](char* to, float x) { return base::put_packed(to, x); });
}

/// The figure's positions, joints, weights and triangles.
Status write_figure(GlbWriter& out, const StickFigure& figure) {
  const auto put_position = [](char* to, const Vec3f& p) {
    return base::put_packed(base::put_packed(base::put_packed(to, p.x), p.y), p.z);
  };
  // Four 16-bit joints, and their weights: the first has all.
  const auto put_joints = [](char* to, std::uint16_t joint) {
    return base::put_packed(base::put_packed(to, std::uint32_t{joint}), std::uint32_t{0});
  };
  const auto put_weights = [](char* to, std::uint16_t /*joint*/) {
    for (const float weight : {1.0F, 0.0F, 0.0F, 0.0F}) to = base::put_packed(to, weight);
    return to;
  };
  const auto put_triangle = [](char* to, const std::array<std::uint32_t, 3>& t) {
    return base::put_packed(base::put_packed(base::put_packed(to, t[0]), t[1]), t[2]);
  };
  Status status = write_items<12>(out, figure.vertices, put_position);
  if (status.ok()) status = write_items<8>(out, figure.joints, put_joints);
  if (status.ok()) status = write_items<16>(out, figure.joints, put_weights);
  if (status.ok()) status = write_items<12>(out, figure.triangles, put_triangle);
  return status;
}

/// Column-major, joint to world inverted.
void append_inverse(const Transform& place, std::vector<float>& out) {
  const Quat back = core::conjugate(core::normalized(place.rotation));
  const core::Mat3 m = core::to_matrix(back);
  for (int column = 0; column < 3; ++column) {
    const Vec3 c = core::column(m, column);
    for (const double x : {c.x, c.y, c.z, 0.0}) out.push_back(static_cast<float>(x));
  }
  const Vec3 t = -core::rotate(back, place.translation);
  for (const double x : {t.x, t.y, t.z, 1.0}) out.push_back(static_cast<float>(x));
}

/// The document, and the parts that its one buffer is made of, in order.
class GlbDocument {
 public:
  GlbDocument(const Motion& motion, const std::filesystem::path& file)
      : motion_(motion),
        joints_(motion.skeleton().joints()),
        frames_(static_cast<std::size_t>(motion.frame_count())),
        file_(file) {}

  Status write() {
    if (frames_ == 0) return fail("an empty motion cannot be written");
    if (Status status = set_times(); !status.ok()) return status;
    describe_nodes();
    describe_figure();
    describe_skin();
    describe_animation();
    json_["buffers"] = OrderedJson::array({OrderedJson{{"byteLength", size_}}});
    GlbWriter writer;
    const std::string text = json_.dump(-1, ' ', false, OrderedJson::error_handler_t::replace);
    if (Status opened = writer.open(file_, text, size_); !opened.ok()) return opened;
    Status written = write_figure(writer, figure_);
    if (written.ok()) written = write_floats(writer, inverse_binds_);
    if (written.ok()) written = write_floats(writer, times_);
    for (std::size_t joint = 0; joint < joints_.size() && written.ok(); ++joint) {
      written = write_floats(writer, rotations(joint));
      if (written.ok() && moves(joint)) written = write_floats(writer, translations(joint));
    }
    if (!written.ok()) return written;
    return writer.finish();
  }

 private:
  [[nodiscard]] Error fail(std::string_view cause) const {
    return {ErrorCode::kInput, fmt::format("{}: {}", file_.string(), cause)};
  }

  [[nodiscard]] const Transform& pose(std::size_t frame, std::size_t joint) const {
    return motion_.pose(static_cast<std::int64_t>(frame))[joint];
  }

  Status set_times() {
    for (std::size_t k = 0; k < frames_; ++k) {
      const double seconds = motion_.seconds(static_cast<std::int64_t>(k));
      times_.push_back(static_cast<float>(seconds));
      if (k > 0 && !(times_[k] > times_[k - 1])) {
        return fail(
            fmt::format("a .glb holds times as 32-bit floats, which cannot tell frames {} "
                        "and {}, {} s apart, from each other",
                        k - 1, k, seconds - motion_.seconds(static_cast<std::int64_t>(k) - 1)));
      }
    }
    return Nothing{};
  }

  /// Adds a part to the buffer, as a view of its own; gives the view's index.
  std::size_t add_view(std::uint64_t size, int use) {
    OrderedJson view = {{"buffer", 0}, {"byteOffset", size_}, {"byteLength", size}};
    if (use != 0) view["target"] = use;
    size_ += size;
    json_["bufferViews"].push_back(std::move(view));
    return json_["bufferViews"].size() - 1;
  }

  /// Gives the accessor's index.
  std::size_t add_accessor(std::size_t view, std::size_t count, int component, const char* type) {
    json_["accessors"].push_back(
        {{"bufferView", view}, {"componentType", component}, {"count", count}, {"type", type}});
    return json_["accessors"].size() - 1;
  }

  static OrderedJson numbers(std::initializer_list<double> values) {
    OrderedJson out = OrderedJson::array();
    for (const double value : values) out.push_back(value);
    return out;
  }

  void describe_nodes() {
    json_["asset"] = {{"version", "2.0"},
                      {"generator", fmt::format("Tocsin {}", tocsin::kVersion)}};
    json_["scene"] = 0;
    OrderedJson nodes = OrderedJson::array();
    OrderedJson roots = OrderedJson::array();
    for (std::size_t i = 0; i < joints_.size(); ++i) {
      const Vec3& t = joints_[i].rest.translation;
      const Quat& q = joints_[i].rest.rotation;
      OrderedJson node = {{"name", joints_[i].name}};
      if (t != Vec3{}) node["translation"] = numbers({t.x, t.y, t.z});
      if (q != Quat{}) node["rotation"] = numbers({q.x, q.y, q.z, q.w});
      nodes.push_back(std::move(node));
      if (joints_[i].parent < 0) {
        roots.push_back(i);
      } else {
        nodes[static_cast<std::size_t>(joints_[i].parent)]["children"].push_back(i);
      }
    }
    if (roots.size() > 1) {  // the joints of a skin must have something above them in common
      nodes.push_back({{"name", "skeleton"}, {"children", roots}});
      roots = OrderedJson::array({nodes.size() - 1});
    }
    nodes.push_back({{"name", "figure"}, {"mesh", 0}, {"skin", 0}});
    roots.push_back(nodes.size() - 1);
    json_["scenes"] = OrderedJson::array({OrderedJson{{"nodes", roots}}});
    json_["nodes"] = std::move(nodes);
    json_["bufferViews"] = OrderedJson::array();
    json_["accessors"] = OrderedJson::array();
  }

  void describe_figure() {
    const std::vector<Transform> world = scene::rest_places(motion_.skeleton());
    figure_ = stick_figure(motion_.skeleton(), world);
    for (const Transform& place : world) append_inverse(place, inverse_binds_);
    const std::size_t count = figure_.vertices.size();
    const std::size_t positions =
        add_accessor(add_view(12 * count, kVertices), count, kGltfFloat, "VEC3");
    Vec3f low = figure_.vertices.front();
    Vec3f high = low;
    for (const Vec3f& p : figure_.vertices) {
      low = {std::min(low.x, p.x), std::min(low.y, p.y), std::min(low.z, p.z)};
      high = {std::max(high.x, p.x), std::max(high.y, p.y), std::max(high.z, p.z)};
    }
    json_["accessors"][positions]["min"] = {low.x, low.y, low.z};
    json_["accessors"][positions]["max"] = {high.x, high.y, high.z};
    const std::size_t joints = add_accessor(add_view(8 * count, kVertices), count, kUint16, "VEC4");
    const std::size_t weights =
        add_accessor(add_view(16 * count, kVertices), count, kGltfFloat, "VEC4");
    const std::size_t corners = 3 * figure_.triangles.size();
    const std::size_t indices =
        add_accessor(add_view(4 * corners, kIndices), corners, kUint32, "SCALAR");
    const OrderedJson attributes = {
        {"POSITION", positions}, {"JOINTS_0", joints}, {"WEIGHTS_0", weights}};
    const OrderedJson primitive = {{"attributes", attributes}, {"indices", indices}};
    json_["meshes"] = OrderedJson::array(
        {OrderedJson{{"name", "figure"}, {"primitives", OrderedJson::array({primitive})}}});
  }

  void describe_skin() {
    const std::size_t count = joints_.size();
    const std::size_t binds = add_accessor(add_view(64 * count, 0), count, kGltfFloat, "MAT4");
    OrderedJson list = OrderedJson::array();
    for (std::size_t i = 0; i < count; ++i) list.push_back(i);
    json_["skins"] = OrderedJson::array(
        {OrderedJson{{"name", "skeleton"}, {"inverseBindMatrices", binds}, {"joints", list}}});
  }

  void describe_animation() {
    const std::size_t input = add_accessor(add_view(4 * frames_, 0), frames_, kGltfFloat, "SCALAR");
    json_["accessors"][input]["min"] = numbers({static_cast<double>(times_.front())});
    json_["accessors"][input]["max"] = numbers({static_cast<double>(times_.back())});
    OrderedJson samplers = OrderedJson::array();
    OrderedJson channels = OrderedJson::array();
    const auto add = [&](std::size_t joint, const char* path, std::size_t each, const char* type) {
      const std::size_t view = add_view(4 * each * frames_, 0);
      const std::size_t output = add_accessor(view, frames_, kGltfFloat, type);
      channels.push_back(
          {{"sampler", samplers.size()}, {"target", {{"node", joint}, {"path", path}}}});
      samplers.push_back({{"input", input}, {"output", output}});
    };
    for (std::size_t joint = 0; joint < joints_.size(); ++joint) {
      add(joint, "rotation", 4, "VEC4");
      if (moves(joint)) add(joint, "translation", 3, "VEC3");
    }
    const std::string& from = motion_.source().file;
    const std::string name = (from.empty() ? file_ : std::filesystem::path(from)).stem().string();
    OrderedJson animation = {
        {"name", name}, {"samplers", std::move(samplers)}, {"channels", std::move(channels)}};
    const bool even = motion_.ticks().empty();
    if (even) animation["extras"] = {{"frame_time", motion_.frame_time()}};
    json_["animations"] = OrderedJson::array({std::move(animation)});
  }

  [[nodiscard]] bool moves(std::size_t joint) const {
    for (std::size_t k = 0; k < frames_; ++k) {
      if (pose(k, joint).translation != joints_[joint].rest.translation) return true;
    }
    return false;
  }

  [[nodiscard]] std::vector<float> rotations(std::size_t joint) const {
    std::vector<float> out;
    out.reserve(4 * frames_);
    Quat before;
    for (std::size_t k = 0; k < frames_; ++k) {
      Quat q = pose(k, joint).rotation;
      const double cosine = (q.w * before.w + q.x * before.x) + (q.y * before.y + q.z * before.z);
      if (k > 0 && cosine < 0.0) q = {-q.w, -q.x, -q.y, -q.z};
      before = q;
      for (const double x : {q.x, q.y, q.z, q.w}) out.push_back(static_cast<float>(x));
    }
    return out;
  }

  [[nodiscard]] std::vector<float> translations(std::size_t joint) const {
    std::vector<float> out;
    out.reserve(3 * frames_);
    for (std::size_t k = 0; k < frames_; ++k) {
      const Vec3& t = pose(k, joint).translation;
      for (const double x : {t.x, t.y, t.z}) out.push_back(static_cast<float>(x));
    }
    return out;
  }

  const Motion& motion_;
  std::span<const Joint> joints_;
  std::size_t frames_;
  const std::filesystem::path& file_;
  OrderedJson json_;
  std::uint64_t size_ = 0;  ///< of the buffer
  StickFigure figure_;
  std::vector<float> inverse_binds_;
  std::vector<float> times_;
};

}  // namespace

Status write_motion_glb(const Motion& motion, const std::filesystem::path& file) {
  return GlbDocument(motion, file).write();
}

}  // namespace tocsin::io
