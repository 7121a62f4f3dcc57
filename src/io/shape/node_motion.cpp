#include "io/shape/node_motion.h"

#include <fmt/format.h>

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

namespace tocsin::io {
namespace {

/// A mesh whose lengths change by more than this part is not rigid. A file's numbers are floats:
/// less would refuse rotations that are rounded.
constexpr double kStretch = 1e-4;

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

/// The lowest node that a clip moves, at each visible one or above it.
class Carriers {
 public:
  Carriers(const AnimatedScene& scene, const SceneClip& clip) {
    std::vector<int> carrier(scene.nodes.size(), -1);
    for (const SceneTrack& track : clip.tracks) {
      carrier[static_cast<std::size_t>(track.node)] = track.node;
    }
    for (std::size_t i = 0; i < scene.nodes.size(); ++i) {
      const SceneNode& node = scene.nodes[i];
      if (carrier[i] < 0 && node.parent >= 0) {
        carrier[i] = carrier[static_cast<std::size_t>(node.parent)];
      }
      if (!node.visible) continue;
      if (!any_) carrier_ = carrier[i];
      same_ = same_ && carrier[i] == carrier_;
      any_ = true;
    }
  }

  /// All are carried by one node, or by none.
  [[nodiscard]] bool same() const { return same_; }
  /// -1: nothing moves.
  [[nodiscard]] int node() const { return carrier_; }

 private:
  int carrier_ = -1;
  bool same_ = true;
  bool any_ = false;
};

class NodeMotionReader {
 public:
  NodeMotionReader(const AnimatedScene& scene, const std::filesystem::path& file)
      : scene_(scene), file_(file) {}

  Result<std::optional<BodyMotion>> read() {
    const SceneClip* clip = nullptr;
    for (const SceneClip& one : scene_.clips) {
      if (one.tracks.empty()) continue;
      if (clip != nullptr) {
        return refused("holds several clips, and the motion of a body is one: give it a .csv");
      }
      clip = &one;
    }
    if (clip == nullptr) return std::optional<BodyMotion>();
    if (const std::string fault = key_fault(scene_, *clip); !fault.empty()) return refused(fault);
    const Carriers carriers(scene_, *clip);
    if (!carriers.same()) {
      return refused("its clip moves meshes, cameras or lights apart, and a body is rigid");
    }
    if (carriers.node() < 0) return std::optional<BodyMotion>();
    return sample(*clip, carriers.node());
  }

 private:
  [[nodiscard]] Error refused(const std::string& cause) const {
    return base::file_error(file_, cause);
  }

  Result<std::optional<BodyMotion>> sample(const SceneClip& clip, int node) {
    ClipSampler sampler(scene_, clip, {node});
    sampler.go_to_rest();
    if (!rigid_part(sampler.world(node))) return not_rigid(node, "at rest");
    const Affine from_rest = inverse_of(sampler.world(node));
    std::vector<double> times = key_times(clip, false);
    const double steps = static_cast<double>(times.size()) * static_cast<double>(sampler.moving());
    if (steps > static_cast<double>(kFreeSkinnedSteps + kSkinnedStepsPerByte * scene_.bytes)) {
      return refused("its clip has more keys below more nodes than fit the file's size");
    }
    std::vector<Transform> poses;
    poses.reserve(times.size());
    for (const double time : times) {
      sampler.go_to(time);
      const Affine moved = product(sampler.world(node), from_rest);
      const auto pose = rigid_part(moved);
      const Vec3 lengths = stretches(moved);
      const bool kept = std::fabs(lengths.x - 1.0) <= kStretch &&
                        std::fabs(lengths.y - 1.0) <= kStretch &&
                        std::fabs(lengths.z - 1.0) <= kStretch;
      if (!pose || !kept) return not_rigid(node, fmt::format("at {} s", time));
      poses.push_back({core::normalized(pose->rotation), pose->translation});
    }
    return body_motion(std::move(times), std::move(poses));
  }

  [[nodiscard]] Error not_rigid(int node, const std::string& when) const {
    return refused(fmt::format("{}, node {}: it is scaled, mirrored, flattened or not finite", when,
                               base::in_quotes(scene_.nodes[static_cast<std::size_t>(node)].name)));
  }

  Result<std::optional<BodyMotion>> body_motion(std::vector<double> times,
                                                std::vector<Transform> poses) const {
    auto skeleton = Skeleton::create({{"body", -1, {}}});
    if (!skeleton) return skeleton.error();
    BodyMotion out;
    out.start = times.empty() ? 0.0 : times.front();
    MotionSource source;
    source.file = file_.string();
    source.format = scene_.format;
    auto motion = Motion::create_timed(std::move(skeleton).value(), 1.0, std::move(times),
                                       std::move(poses), std::move(source));
    if (!motion) return refused(motion.error().message);
    out.motion = std::move(motion).value();
    return std::optional(std::move(out));
  }

  const AnimatedScene& scene_;
  const std::filesystem::path& file_;
};

}  // namespace

Result<std::optional<BodyMotion>> read_node_motion(const std::filesystem::path& file,
                                                   InputLog* log) {
  const std::string extension = base::lower_extension(file);
  if (extension != ".glb" && extension != ".gltf") return std::optional<BodyMotion>();
  const auto scene = read_animated_scene(file, log);
  if (!scene) return scene.error();
  return NodeMotionReader(*scene, file).read();
}

}  // namespace tocsin::io
