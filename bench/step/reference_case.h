// A case as the frozen reference takes it.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "shared/inputs.h"
#include "step/reference_step.h"

namespace tocsin::bench {

inline reference::Vec to_reference(const Vec3& p) { return {p.x, p.y, p.z}; }
inline reference::Vec to_reference(const Vec3f& p) {
  return {static_cast<double>(p.x), static_cast<double>(p.y), static_cast<double>(p.z)};
}

/// The reference's own copy of a case.
class ReferenceCase {
 public:
  ReferenceCase(const Inputs& inputs, const std::vector<Step>& steps)
      : scene_(parents(inputs.avatar), links(inputs.avatar), triangles(inputs.environment)) {
    for (const Step& step : steps) {
      take(step.frames()[0], step.pose0());
      take(step.frames()[1], step.pose1());
    }
  }

  reference::Counters step(const Step& step, std::vector<reference::Touch>& touches) const {
    return scene_.step(frames_[static_cast<std::size_t>(step.frames()[0])],
                       frames_[static_cast<std::size_t>(step.frames()[1])], touches);
  }

 private:
  void take(std::int64_t frame, std::span<const Transform> pose) {
    const auto at = static_cast<std::size_t>(frame);
    if (frames_.size() <= at) frames_.resize(at + 1);
    if (!frames_[at].empty()) return;
    for (const Transform& t : pose) {
      frames_[at].push_back(
          {{t.rotation.w, t.rotation.x, t.rotation.y, t.rotation.z}, to_reference(t.translation)});
    }
  }
  static std::vector<int> parents(const Avatar& avatar) {
    std::vector<int> out;
    for (const Joint& joint : avatar.skeleton().joints()) out.push_back(joint.parent);
    return out;
  }
  static std::vector<reference::Link> links(const Avatar& avatar) {
    std::vector<reference::Link> out;
    for (const Link& link : avatar.links()) {
      out.push_back({link.joint, to_reference(link.a), to_reference(link.b), link.radius});
    }
    return out;
  }
  static std::vector<reference::Triangle> triangles(const Environment& environment) {
    std::vector<reference::Triangle> out;
    for (std::uint32_t i = 0; i < environment.triangles().size(); ++i) {
      const std::array<Vec3f, 3> v = environment.corners(i);
      out.push_back(
          {{to_reference(v[0]), to_reference(v[1]), to_reference(v[2])}, environment.object_of(i)});
    }
    return out;
  }

  reference::Scene scene_;
  std::vector<std::vector<reference::Pose>> frames_;
};

}  // namespace tocsin::bench
