#include "io/shape/node_motion.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "base/extension.h"
#include "base/quoted.h"
#include "base/text_file.h"
#include "io/import/clip_sampler.h"
#include "io/import/key_times.h"
#include "io/import/read_animated_scene.h"
#include "io/import/rigid.h"
#include "io/import/skinned_motion.h"
#include "io/up_axis.h"

namespace tocsin::io {
namespace {

/// A mesh whose lengths change by more than this part is not rigid. A file's numbers are floats:
/// less would refuse rotations that are rounded.
constexpr double kStretch = 1e-4;

/// Times between two keys at which a body must be rigid as well: a rotation below an uneven scale
/// shears what is rigid at both keys.
constexpr int kLooksBetween = 3;

/// A node that is flatter than this part of its size has no way back.
constexpr double kFlat = 1e-6;

bool is_flat(const Affine& map) {
  const auto& [r0, r1, r2] = map.linear.row;
  const Vec3 lengths = stretches(map);
  const double volume = std::fabs(core::dot(r0, core::cross(r1, r2)));
  return !(volume > kFlat * lengths.x * lengths.y * lengths.z);
}

/// The map back. Precondition: it flattens nothing.
Affine inverse_of(const Affine& map) {
  const auto& [r0, r1, r2] = map.linear.row;
  const Vec3 c0 = core::cross(r1, r2);
  const Vec3 c1 = core::cross(r2, r0);
  const Vec3 c2 = core::cross(r0, r1);
  const double by = 1.0 / core::dot(r0, c0);
  Affine out;
  out.linear = {{{by * c0.x, by * c1.x, by * c2.x},
                 {by * c0.y, by * c1.y, by * c2.y},
                 {by * c0.z, by * c1.z, by * c2.z}}};
  out.origin = -1.0 * (out.linear * map.origin);
  return out;
}

/// Turns a file's maps into those of metres, Y up.
class Metres {
 public:
  explicit Metres(const AnimatedScene& scene) : unit_(scene.unit_metres), up_(scene.up) {}

  [[nodiscard]] Vec3 point(const Vec3& p) const { return unit_ * turned_up(p, up_); }
  [[nodiscard]] Affine map(const Affine& file) const {
    const core::Mat3 back{
        {turned_up({1, 0, 0}, up_), turned_up({0, 1, 0}, up_), turned_up({0, 0, 1}, up_)}};
    const core::Mat3 turn{{column(back, 0), column(back, 1), column(back, 2)}};
    return {turn * file.linear * back, point(file.origin)};
  }

 private:
  double unit_;
  UpAxis up_;
};

/// Which node carries an object: itself or the next above that a clip moves. These, and all that
/// the clip moves above them, are joints.
class Carriers {
 public:
  static constexpr int kNone = -1;

  Carriers(const AnimatedScene& scene, const SceneClip& clip) {
    std::vector<char> moved(scene.nodes.size(), 0);
    for (const SceneTrack& track : clip.tracks) moved[static_cast<std::size_t>(track.node)] = 1;
    std::vector<int> carrier(scene.nodes.size(), kNone);
    const auto next_above = [&](int node) {
      const int parent = scene.nodes[static_cast<std::size_t>(node)].parent;
      return parent < 0 ? kNone : carrier[static_cast<std::size_t>(parent)];
    };
    for (std::size_t i = 0; i < scene.nodes.size(); ++i) {
      const SceneNode& node = scene.nodes[i];
      const auto parent = static_cast<std::size_t>(node.parent);
      // The links of a chain that assimp makes of an FBX node move the node itself, the chain's
      // end.
      if (node.parent >= 0 && scene.nodes[parent].helper && moved[parent] != 0) moved[i] = 1;
      const bool joint = moved[i] != 0 && !node.helper;
      carrier[i] = joint ? static_cast<int>(i) : next_above(static_cast<int>(i));
      if (node.mesh) of_objects_.push_back(carrier[i]);
    }
    std::vector<char> taken(scene.nodes.size(), 0);
    for (int node : of_objects_) {
      for (; node != kNone && taken[static_cast<std::size_t>(node)] == 0; node = next_above(node)) {
        taken[static_cast<std::size_t>(node)] = 1;
      }
    }
    std::ptrdiff_t roots = 0;
    for (std::size_t i = 0; i < taken.size(); ++i) {
      if (taken[i] == 0) continue;
      nodes_.push_back(static_cast<int>(i));
      if (next_above(nodes_.back()) == kNone) ++roots;
    }
    const bool rest = std::find(of_objects_.begin(), of_objects_.end(), kNone) != of_objects_.end();
    if (rest || roots > 1) nodes_.insert(nodes_.begin(), kNone);
    for (const int node : nodes_) {
      const int above = node == kNone ? kNone : next_above(node);
      const bool root = node == kNone || (above == kNone && nodes_.front() != kNone);
      parents_.push_back(root ? -1 : joint_of(above));
    }
  }

  /// The nodes of the joints, parents first. kNone, if it is there the first: what stands still.
  [[nodiscard]] const std::vector<int>& nodes() const { return nodes_; }
  [[nodiscard]] bool any() const { return !nodes_.empty() && nodes_.back() != kNone; }
  [[nodiscard]] std::size_t objects() const { return of_objects_.size(); }

  [[nodiscard]] std::vector<int> joints_of_objects() const {
    std::vector<int> out;
    for (const int node : of_objects_) out.push_back(joint_of(node));
    return out;
  }

  /// -1: it is a root.
  [[nodiscard]] int parent_of(std::size_t joint) const { return parents_[joint]; }

 private:
  [[nodiscard]] int joint_of(int node) const {
    const auto at = std::lower_bound(nodes_.begin(), nodes_.end(), node);
    return static_cast<int>(at - nodes_.begin());
  }

  std::vector<int> of_objects_;
  std::vector<int> nodes_;
  std::vector<int> parents_;  ///< per joint
};

class NodeMotionReader {
 public:
  NodeMotionReader(const AnimatedScene& scene, const std::filesystem::path& file)
      : scene_(scene), file_(file), metres_(scene) {}

  Result<std::optional<NodeMotion>> read(std::size_t objects) {
    if (scene_.morph_channels > 0) {
      return refused("its clips change the shapes of meshes (morph weights), and a body is rigid");
    }
    const SceneClip* clip = nullptr;
    for (const SceneClip& one : scene_.clips) {
      if (!Carriers(scene_, one).any()) continue;
      if (clip != nullptr) {
        return refused(
            "holds several clips that move its meshes, and the motion of a body is one: give it a "
            ".csv");
      }
      clip = &one;
    }
    if (clip == nullptr) return std::optional<NodeMotion>();
    if (const std::string fault = key_fault(scene_, *clip); !fault.empty()) return refused(fault);
    const Carriers carriers(scene_, *clip);
    if (const std::string jump = jump_of(*clip, carriers); !jump.empty()) return refused(jump);
    if (carriers.objects() != objects) {
      return refused(fmt::format(
          "its {} nodes with meshes are not its {} objects, so which node moves which cannot be "
          "told: give it a .csv",
          carriers.objects(), objects));
    }
    return sample(*clip, carriers);
  }

 private:
  [[nodiscard]] Error refused(const std::string& cause) const {
    return base::file_error(file_, cause);
  }

  /// The curves of the joints. Those of an FBX node may belong to links of its chain: all count.
  [[nodiscard]] std::vector<const SceneTrack*> tracks_of(const SceneClip& clip,
                                                         const Carriers& carriers) const {
    std::vector<const SceneTrack*> out;
    const std::vector<int>& nodes = carriers.nodes();
    for (const SceneTrack& track : clip.tracks) {
      if (scene_.nodes[static_cast<std::size_t>(track.node)].helper ||
          std::binary_search(nodes.begin(), nodes.end(), track.node)) {
        out.push_back(&track);
      }
    }
    return out;
  }

  /// Two keys in a row that differ.
  static bool changes(const SceneTrack& track) {
    const std::size_t width = track.width();
    for (std::size_t i = width; i < track.values.size(); ++i) {
      if (track.values[i] != track.values[i - width]) return true;
    }
    return false;
  }

  /// Empty, or what jumps: nothing could be claimed about the way.
  [[nodiscard]] std::string jump_of(const SceneClip& clip, const Carriers& carriers) const {
    for (const SceneTrack* const track : tracks_of(clip, carriers)) {
      if (track->between != KeyInterpolation::kStep || !changes(*track)) continue;
      return fmt::format(
          "node {} jumps from key to key (STEP), and a body moves on a way: give it a .csv",
          base::in_quotes(scene_.nodes[static_cast<std::size_t>(track->node)].name));
    }
    return {};
  }

  /// A joint's frame at rest.
  struct Rest {
    Affine back;  ///< from the world to the node
    Vec3 origin;  ///< metres
  };

  Result<std::optional<NodeMotion>> sample(const SceneClip& clip, const Carriers& carriers) {
    std::vector<int> wanted = carriers.nodes();
    if (wanted.front() == Carriers::kNone) wanted.erase(wanted.begin());
    ClipSampler sampler(scene_, clip, wanted);
    std::vector<double> times = key_times(clip, false);
    const double steps = static_cast<double>(times.size()) * static_cast<double>(sampler.moving()) *
                         (kLooksBetween + 1);
    if (steps > static_cast<double>(kFreeSkinnedSteps + kSkinnedStepsPerByte * scene_.bytes)) {
      return refused("its clip has more keys below more nodes than fit the file's size");
    }
    sampler.go_to_rest();
    std::vector<Rest> rest;
    for (const int node : carriers.nodes()) {
      if (node == Carriers::kNone) {
        rest.emplace_back();
        continue;
      }
      const Affine& world = sampler.world(node);
      if (is_flat(world)) return not_rigid(node, "at rest");
      rest.push_back({inverse_of(world), metres_.point(world.origin)});
    }
    std::vector<Transform> poses;
    poses.reserve(times.size() * rest.size());
    for (std::size_t i = 0; i < times.size(); ++i) {
      sampler.go_to(times[i]);
      auto frame = poses_at(sampler, carriers, rest, times[i]);
      if (!frame) return frame.error();
      poses.insert(poses.end(), frame->begin(), frame->end());
      for (int k = 1; i + 1 < times.size() && k <= kLooksBetween; ++k) {
        const double time = times[i] + (times[i + 1] - times[i]) * k / (kLooksBetween + 1);
        sampler.go_to(time);
        if (auto between = poses_at(sampler, carriers, rest, time); !between)
          return between.error();
      }
    }
    return node_motion(carriers, rest, std::move(times), std::move(poses),
                       warnings_of(clip, carriers));
  }

  /// Of the file, and how many curves are no straight lines.
  [[nodiscard]] std::vector<std::string> warnings_of(const SceneClip& clip,
                                                     const Carriers& carriers) const {
    std::vector<std::string> out;
    const auto tracks = tracks_of(clip, carriers);
    // A glTF spline may bulge between two equal keys. Each FBX curve counts as a spline, and most
    // that do not change are flat.
    const bool all = scene_.format != "fbx";
    const auto bent = std::count_if(tracks.begin(), tracks.end(), [all](const SceneTrack* track) {
      return track->between == KeyInterpolation::kCubic && track->times.size() > 1 &&
             (all || changes(*track));
    });
    if (bent > 0) {
      out.push_back(fmt::format(
          "{}: between keys its splines are taken as straight: {} of {} curves; keys at each frame "
          "follow them",
          file_.string(), bent, tracks.size()));
    }
    return out;
  }

  /// The joints' poses at the sampler's time.
  Result<std::vector<Transform>> poses_at(const ClipSampler& sampler, const Carriers& carriers,
                                          const std::vector<Rest>& rest, double time) const {
    std::vector<Transform> world(rest.size());
    std::vector<Transform> poses;
    for (std::size_t j = 0; j < rest.size(); ++j) {
      const int node = carriers.nodes()[j];
      if (node != Carriers::kNone) {
        const Affine moved = metres_.map(product(sampler.world(node), rest[j].back));
        const auto pose = rigid_part(moved);
        if (!pose || stretched(moved)) return not_rigid(node, fmt::format("at {} s", time));
        world[j] = {core::normalized(pose->rotation), apply(moved, rest[j].origin)};
      }
      const int parent = carriers.parent_of(j);
      poses.push_back(parent < 0 ? world[j]
                                 : relative(world[static_cast<std::size_t>(parent)], world[j]));
    }
    return poses;
  }

  static bool stretched(const Affine& moved) {
    const Vec3 lengths = stretches(moved);
    return !(std::fabs(lengths.x - 1.0) <= kStretch && std::fabs(lengths.y - 1.0) <= kStretch &&
             std::fabs(lengths.z - 1.0) <= kStretch);
  }

  [[nodiscard]] Error not_rigid(int node, const std::string& when) const {
    return refused(fmt::format("{}, node {}: it is scaled, mirrored, flattened or not finite", when,
                               base::in_quotes(scene_.nodes[static_cast<std::size_t>(node)].name)));
  }

  Result<std::optional<NodeMotion>> node_motion(const Carriers& carriers,
                                                const std::vector<Rest>& rest,
                                                std::vector<double> times,
                                                std::vector<Transform> poses,
                                                std::vector<std::string> warnings) const {
    std::vector<Joint> joints;
    NodeMotion out;
    for (std::size_t j = 0; j < rest.size(); ++j) {
      const int node = carriers.nodes()[j];
      Joint joint;
      joint.name = node < 0 ? "body" : scene_.nodes[static_cast<std::size_t>(node)].name;
      joint.parent = carriers.parent_of(j);
      const Vec3 from =
          joint.parent < 0 ? Vec3{} : rest[static_cast<std::size_t>(joint.parent)].origin;
      joint.rest.translation = rest[j].origin - from;
      joints.push_back(std::move(joint));
      out.origin.push_back(rest[j].origin);
    }
    auto skeleton = Skeleton::create(std::move(joints));
    if (!skeleton) return refused(skeleton.error().message);
    out.carried_by = carriers.joints_of_objects();
    out.still_first = carriers.nodes().front() == Carriers::kNone;
    out.body.start = times.empty() ? 0.0 : times.front();
    MotionSource source;
    source.file = file_.string();
    source.format = scene_.format;
    source.warnings = std::move(warnings);
    auto motion = Motion::create_timed(std::move(skeleton).value(), 1.0, std::move(times),
                                       std::move(poses), std::move(source));
    if (!motion) return refused(motion.error().message);
    out.body.motion = std::move(motion).value();
    return std::optional(std::move(out));
  }

  const AnimatedScene& scene_;
  const std::filesystem::path& file_;
  Metres metres_;
};

}  // namespace

Result<std::optional<NodeMotion>> read_node_motion(const std::filesystem::path& file,
                                                   std::size_t objects, InputLog* log) {
  const std::string extension = base::lower_extension(file);
  if (extension != ".glb" && extension != ".gltf" && extension != ".fbx") {
    return std::optional<NodeMotion>();
  }
  const auto scene = read_animated_scene(file, log);
  if (!scene) return scene.error();
  return NodeMotionReader(*scene, file).read(objects);
}

}  // namespace tocsin::io
