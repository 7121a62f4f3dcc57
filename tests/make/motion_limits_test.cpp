// Every joint of every kind of take stays within the limits of make/joint_limits.h. The table is
// read; how a rotation is measured is written down here again, from the table's description.
#include <algorithm>
#include <map>

#include "make/joint_limits.h"
#include "make/motion_measure.h"

namespace tocsin::test {
namespace {

constexpr int kSeeds = 12;

/// Degrees by which rounding may exceed a limit, above all a joint that does not turn at all.
constexpr double kRounding = 1e-5;

/// The extreme angles met, by joint and axis, with their limits.
class Extremes {
 public:
  void meet(const std::string& what, double degrees, const make::Range& limit) {
    Seen& seen = seen_.try_emplace(what, Seen{limit, degrees, degrees}).first->second;
    seen.low = std::min(seen.low, degrees);
    seen.high = std::max(seen.high, degrees);
  }

  /// Every angle within its limits; prints what came within 3 degrees of one that is not 0.
  void check(const char* kind) const {
    for (const auto& [what, seen] : seen_) {
      EXPECT_GE(seen.low, seen.limit.low - kRounding) << kind << ": " << what;
      EXPECT_LE(seen.high, seen.limit.high + kRounding) << kind << ": " << what;
      std::printf("%-9s %-28s %7.1f .. %6.1f   of %6.1f .. %6.1f\n", kind, what.c_str(), seen.low,
                  seen.high, seen.limit.low, seen.limit.high);
    }
  }

 private:
  struct Seen {
    make::Range limit;
    double low;
    double high;
  };
  std::map<std::string, Seen> seen_;
};

using Eigen::Quaterniond;
using Eigen::Vector3d;

/// A right joint's rotation as if it were the left one's.
Quaterniond as_left(const Quaterniond& q, bool left) {
  return left ? q : Quaterniond(q.w(), q.x(), -q.y(), -q.z());
}

void meet_upright(const Motion& motion, std::int64_t frame, const make::UprightLimit& limit,
                  const std::string& side, Extremes& out) {
  const int joint = joint_of(motion, side + limit.joint);
  const SwingTwist angles =
      split(as_left(rotation_of(motion, frame, joint), side != "Right"), Vector3d::UnitY());
  const std::string name = limit.joint;
  // Turning about +x takes up to forward and down to back: flexion of the trunk and the knee, but
  // extension of the hip and the foot's plantar flexion; of the toes, flexion.
  const bool leg = name == "UpLeg" || name == "Foot" || name == "ToeBase";
  out.meet(name + " flexion", leg ? -angles.swing.x() : angles.swing.x(), limit.flexion);
  // About +z: up to the right, down to the left; the foot's sole turns outwards.
  const bool outwards = name == "UpLeg";
  out.meet(name + " lateral", outwards ? angles.swing.z() : -angles.swing.z(), limit.lateral);
  out.meet(name + " twist", angles.twist, limit.twist);
}

void meet_arm(const Motion& motion, std::int64_t frame, const make::ArmLimit& limit, bool left,
              Extremes& out) {
  const int joint = joint_of(motion, std::string(left ? "Left" : "Right") + limit.joint);
  const SwingTwist angles =
      split(as_left(rotation_of(motion, frame, joint), left), Vector3d::UnitX());
  const std::string name = limit.joint;
  double flexion = -angles.swing.z();
  double sideways = -angles.swing.y();
  if (name == "Shoulder") flexion = -flexion;
  if (name == "ForeArm") std::swap(flexion, sideways);
  out.meet(name + " flexion", flexion, limit.flexion);
  out.meet(name + " sideways", sideways, limit.sideways);
  out.meet(name + " twist", angles.twist, limit.twist);
}

void meet_shoulder(const Motion& motion, std::int64_t frame, bool left, Extremes& out) {
  const std::string side = left ? "Left" : "Right";
  const Quaterniond q = rotation_of(motion, frame, joint_of(motion, side + "Shoulder")) *
                        rotation_of(motion, frame, joint_of(motion, side + "Arm"));
  const Quaterniond arm = as_left(q, left);
  const Vector3d along = arm * Vector3d::UnitX();
  constexpr make::ShoulderLimit kLimit = make::kShoulderLimit;
  out.meet("Arm behind", std::asin(std::clamp(-along.z(), -1.0, 1.0)) / kDegree,
           {-90, kLimit.behind});
  out.meet("Arm across", std::asin(std::clamp(-along.x(), -1.0, 1.0)) / kDegree,
           {-90, kLimit.across});
  out.meet("Arm twist", split(arm, Vector3d::UnitX()).twist, {-kLimit.lateral, kLimit.medial});
}

void meet_fingers(const Motion& motion, std::int64_t frame, bool left, Extremes& out) {
  for (const char* finger : {"Thumb", "Index", "Middle", "Ring", "Pinky"}) {
    const bool thumb = finger == std::string("Thumb");
    for (int bone = 0; bone < 3; ++bone) {
      const std::string name = std::string("Hand") + finger + std::to_string(bone + 1);
      const int joint = joint_of(motion, (left ? "Left" : "Right") + name);
      const Eigen::AngleAxisd turn(as_left(rotation_of(motion, frame, joint), left));
      const Vector3d v = turn.angle() / kDegree * turn.axis();
      const double flexion = thumb ? v.y() : -v.z();
      out.meet(name + " flexion", flexion,
               thumb ? make::kThumbLimits[bone] : make::kFingerLimits[bone]);
      const double other = v.norm() - std::abs(flexion);
      out.meet(name + " other", other, {0, 0});
    }
  }
}

class MotionLimits : public testing::TestWithParam<Performance> {};

TEST_P(MotionLimits, EveryJointOfEveryFrameIsWithinThem) {
  Extremes extremes;
  for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
    const Motion motion = made(GetParam(), 24.0, 30.0, seed);
    for (std::int64_t frame = 0; frame < motion.frame_count(); ++frame) {
      for (const auto& limit : make::kTrunkLimits) meet_upright(motion, frame, limit, "", extremes);
      for (const bool left : {true, false}) {
        for (const auto& limit : make::kLegLimits) {
          meet_upright(motion, frame, limit, left ? "Left" : "Right", extremes);
        }
        for (const auto& limit : make::kArmLimits) meet_arm(motion, frame, limit, left, extremes);
        meet_shoulder(motion, frame, left, extremes);
        meet_fingers(motion, frame, left, extremes);
      }
    }
  }
  extremes.check(name_of(GetParam()));
}

INSTANTIATE_TEST_SUITE_P(Kinds, MotionLimits, testing::ValuesIn(kEveryKind),
                         [](const auto& param) { return name_of(param.param); });

}  // namespace
}  // namespace tocsin::test
