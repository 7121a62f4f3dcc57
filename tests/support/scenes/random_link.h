// Random chains of joints with a link at the end, for the tests of the core. Fixed seeds only.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

#include "core/motion/link_motion.h"

namespace tocsin::test {

/// A LinkMotion together with the joints that it points to. Not copyable: the link points into it.
struct RandomLink {
  std::vector<Transform> pose0;
  std::vector<Transform> pose1;
  std::vector<core::JointMotion> joints;
  std::vector<std::int32_t> chain;
  core::LinkMotion link;

  RandomLink() = default;
  RandomLink(const RandomLink&) = delete;
  RandomLink& operator=(const RandomLink&) = delete;
};

/// Both ways in between, in turn.
inline InBetween kind_of(int i) {
  return i % 2 == 0 ? InBetween::kScrew : InBetween::kTranslateRotate;
}

class RandomLinks {
 public:
  explicit RandomLinks(std::uint64_t seed) : engine_(seed) {}

  double uniform(double low, double high) {
    return low + (high - low) * static_cast<double>(engine_() >> 11) * 0x1p-53;
  }

  /// 0 to count - 1.
  std::size_t below(std::size_t count) { return engine_() % count; }

  Vec3 direction() {
    while (true) {
      const Vec3 v{uniform(-1, 1), uniform(-1, 1), uniform(-1, 1)};
      const double n = core::norm(v);
      if (n > 0.1 && n <= 1.0) return (1.0 / n) * v;
    }
  }

  /// A vector in any direction, its length within [low, high]. The direction is drawn first: a
  /// product of two draws would leave their order to the compiler, and the scene with it.
  Vec3 vector(double low, double high) {
    const Vec3 along = direction();
    return uniform(low, high) * along;
  }

  /// A rotation by `angle` radians about a random axis.
  Quat rotation(double angle) {
    const Vec3 u = direction();
    const double s = std::sin(angle / 2);
    return {std::cos(angle / 2), s * u.x, s * u.y, s * u.z};
  }

  /// K joints, bones up to `bone` metres, turns up to `turn` radians, root travel up to `travel`
  /// metres, at about `where` metres from the origin.
  void make(RandomLink& out, int joints, InBetween kind, double bone, double turn, double travel,
            double where) {
    out.pose0.clear();
    out.pose1.clear();
    out.joints.clear();
    out.chain.clear();
    for (int k = 0; k < joints; ++k) {
      Transform p0;
      p0.rotation = core::normalized(rotation(uniform(0, 3.1)));
      p0.translation = vector(0, k == 0 ? where : bone);
      Transform p1 = p0;
      p1.rotation = core::normalized(rotation(uniform(0, turn)) * p0.rotation);
      p1.translation = p0.translation + vector(0, k == 0 ? travel : 0.1 * bone);
      out.pose0.push_back(p0);
      out.pose1.push_back(p1);
      out.joints.push_back(core::joint_motion(p0, p1, kind));
      out.chain.push_back(k);
    }
    core::LinkMotion& link = out.link;
    link.joints = out.joints.data();
    link.chain = out.chain.data();
    link.chain_length = joints;
    link.kind = kind;
    link.a = vector(0, bone);
    link.b = vector(0, bone);
    link.radius = uniform(0.01, 0.2);
    const Vec3 c = out.pose0[0].translation;
    link.ref = {static_cast<float>(c.x), static_cast<float>(c.y), static_cast<float>(c.z)};
    core::ChainBounds bounds;
    for (const core::JointMotion& m : out.joints) bounds = core::extend(bounds, m, kind, link.ref);
    core::set_bounds(link, bounds);
  }

 private:
  std::mt19937_64 engine_;
};

}  // namespace tocsin::test
