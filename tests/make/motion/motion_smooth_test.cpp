// Nothing jumps: speeds and accelerations of every joint stay within what people do.
#include <algorithm>
#include <string>

#include "make/motion/motion_measure.h"

namespace tocsin::test::motion_smooth_test {
namespace {

using Eigen::Quaterniond;
using Eigen::Vector3d;

constexpr int kSmoothSeeds = 6;
constexpr double kSmoothRate = 240.0;

/// From one rotation to the next, as a rotation vector in the parent's frame, radians.
Vector3d turn_between(const Quaterniond& a, const Quaterniond& b) {
  Quaterniond d = b * a.conjugate();
  if (d.w() < 0) d.coeffs() = -d.coeffs();
  const Eigen::AngleAxisd turn(d);
  return turn.angle() * turn.axis();
}

struct Fastest {
  double value = 0.0;
  std::string where;
  void meet(double v, const Motion& motion, std::int64_t frame, int joint) {
    if (v <= value) return;
    value = v;
    where = motion.skeleton().joints()[static_cast<std::size_t>(joint)].name + " at " +
            std::to_string(static_cast<double>(frame) / kSmoothRate) + " s";
  }
};

/// What docs/made.md promises. Joints of martial artists and gymnasts reach 25 rad/s and more.
constexpr double kMostTurnSpeed = 15.0;          // rad/s
constexpr double kMostTurnAcceleration = 700.0;  // rad/s^2
constexpr double kMostSpeed = 3.0;               // m/s, of the pelvis
constexpr double kMostAcceleration = 15.0;       // m/s^2

class MotionSmooth : public testing::TestWithParam<Performance> {};

TEST_P(MotionSmooth, SpeedsAndAccelerationsAreBounded) {
  Fastest speed;
  Fastest acceleration;
  Fastest pelvis_speed;
  Fastest pelvis_acceleration;
  for (std::uint64_t seed = 1; seed <= kSmoothSeeds; ++seed) {
    const Motion motion = made(GetParam(), 26.0, kSmoothRate, seed);
    std::vector<Vector3d> before(static_cast<std::size_t>(motion.skeleton().size()),
                                 Vector3d::Zero());
    Vector3d moved_before = Vector3d::Zero();
    for (std::int64_t frame = 1; frame < motion.frame_count(); ++frame) {
      for (int joint = 0; joint < motion.skeleton().size(); ++joint) {
        const Vector3d w = kSmoothRate * turn_between(rotation_of(motion, frame - 1, joint),
                                                      rotation_of(motion, frame, joint));
        speed.meet(w.norm(), motion, frame, joint);
        Vector3d& last = before[static_cast<std::size_t>(joint)];
        if (frame > 1) acceleration.meet(kSmoothRate * (w - last).norm(), motion, frame, joint);
        last = w;
      }
      const Vector3d v = kSmoothRate * (eigen(motion.pose(frame)[0].translation) -
                                        eigen(motion.pose(frame - 1)[0].translation));
      pelvis_speed.meet(v.norm(), motion, frame, 0);
      if (frame > 1)
        pelvis_acceleration.meet(kSmoothRate * (v - moved_before).norm(), motion, frame, 0);
      moved_before = v;
    }
  }
  std::printf("%-9s %.1f rad/s (%s), %.0f rad/s2 (%s), pelvis %.2f m/s, %.1f m/s2\n",
              name_of(GetParam()), speed.value, speed.where.c_str(), acceleration.value,
              acceleration.where.c_str(), pelvis_speed.value, pelvis_acceleration.value);
  EXPECT_LT(speed.value, kMostTurnSpeed) << speed.where;
  EXPECT_LT(acceleration.value, kMostTurnAcceleration) << acceleration.where;
  EXPECT_LT(pelvis_speed.value, kMostSpeed) << pelvis_speed.where;
  EXPECT_LT(pelvis_acceleration.value, kMostAcceleration) << pelvis_acceleration.where;
}

INSTANTIATE_TEST_SUITE_P(Kinds, MotionSmooth, testing::ValuesIn(kEveryKind),
                         [](const auto& param) { return name_of(param.param); });

}  // namespace
}  // namespace tocsin::test::motion_smooth_test
