// Measuring made takes from the outside: nothing here knows how they were made, only the skeleton's
// joint names. Eigen does the arithmetic.
#pragma once

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <Eigen/Geometry>
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "make/make.h"
#include "support/scenes/world_frames.h"

namespace tocsin::test {

inline constexpr double kDegree = std::numbers::pi / 180.0;

inline constexpr Performance kEveryKind[] = {Performance::kWalk,  Performance::kReach,
                                             Performance::kKick,  Performance::kCartwheel,
                                             Performance::kSwing, Performance::kDoor};

inline const char* name_of(Performance kind) {
  constexpr const char* kNames[] = {"walk", "reach", "kick", "cartwheel", "swing", "door"};
  return kNames[static_cast<int>(kind)];
}

inline Eigen::Quaterniond eigen(const Quat& q) { return {q.w, q.x, q.y, q.z}; }
inline Eigen::Vector3d eigen(const Vec3& v) { return {v.x, v.y, v.z}; }

/// A take; fails the test where there is none.
inline Motion made(Performance kind, double seconds, double rate, std::uint64_t seed) {
  const Result<Motion> motion = make_motion({kind, seconds, rate, seed});
  EXPECT_TRUE(motion.ok()) << motion.error().message;
  return *motion;
}

inline int joint_of(const Motion& motion, const std::string& name) {
  const int joint = motion.skeleton().find(name);
  EXPECT_GE(joint, 0) << name;
  return joint;
}

inline Eigen::Quaterniond rotation_of(const Motion& motion, std::int64_t frame, int joint) {
  return eigen(motion.pose(frame)[static_cast<std::size_t>(joint)].rotation);
}

/// q = swing * twist, the twist about the unit vector `bone`; degrees. The swing's rotation vector
/// has no component along the bone.
struct SwingTwist {
  Eigen::Vector3d swing;
  double twist = 0.0;
};

inline SwingTwist split(const Eigen::Quaterniond& q, const Eigen::Vector3d& bone) {
  const Eigen::Vector3d end = q * bone;
  const Eigen::Vector3d axis = bone.cross(end);
  const Eigen::Quaterniond swing =
      Eigen::Quaterniond(1.0 + bone.dot(end), axis.x(), axis.y(), axis.z()).normalized();
  const Eigen::AngleAxisd swung(swing);
  Eigen::Quaterniond rest = swing.conjugate() * q;
  if (rest.w() < 0) rest.coeffs() = -rest.coeffs();
  return {swung.angle() / kDegree * swung.axis(),
          2.0 * std::atan2(rest.vec().dot(bone), rest.w()) / kDegree};
}

}  // namespace tocsin::test
