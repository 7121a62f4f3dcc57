// Every joint of every kind of take stays within the limits of make/motion/joint_limits.h, and
// these are those that docs/made.md tells. How a rotation is measured is written down here again,
// from the header's description.
#include <algorithm>
#include <cctype>
#include <fstream>
#include <map>
#include <sstream>
#include <string_view>
#include <vector>

#include "make/motion/joint_limits.h"
#include "make/motion/motion_measure.h"
#include "support/places.h"

namespace tocsin::test::motion_limits_test {
namespace {

constexpr int kLimitSeeds = 12;

/// Degrees by which rounding may exceed a limit, above all a joint that does not turn at all.
constexpr double kAngleRounding = 1e-5;

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
      EXPECT_GE(seen.low, seen.limit.low - kAngleRounding) << kind << ": " << what;
      EXPECT_LE(seen.high, seen.limit.high + kAngleRounding) << kind << ": " << what;
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
  for (std::uint64_t seed = 1; seed <= kLimitSeeds; ++seed) {
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

/// The rows of the table of joint limits in docs/made.md: by their first cell, the numbers of the
/// others as they stand there. Names in `code` have no numbers.
std::map<std::string, std::vector<double>> documented_limits() {
  std::ifstream in(source_dir() + "/docs/made.md");
  std::map<std::string, std::vector<double>> out;
  bool within = false;
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with("| joint | range |")) within = true;
    if (!line.starts_with("| ")) within = false;
    if (!within || line.starts_with("| joint") || line.starts_with("| ---")) continue;
    std::istringstream cells(line.substr(2));
    std::string joint;
    std::getline(cells, joint, '|');
    std::vector<double>& numbers = out[joint.substr(0, joint.find_last_not_of(' ') + 1)];
    bool code = false;
    for (char c = '\0'; cells.get(c);) {
      if (c == '`') code = !code;
      if (code || std::isdigit(static_cast<unsigned char>(c)) == 0) continue;
      cells.unget();
      double number = 0.0;
      cells >> number;
      numbers.push_back(number);
    }
  }
  return out;
}

/// A range that goes as far one way as the other.
double each_way(const make::Range& range) {
  EXPECT_EQ(range.low, -range.high);
  return range.high;
}

template <class Limits>
const auto& limit_of(const Limits& limits, std::string_view joint) {
  return *std::find_if(std::begin(limits), std::end(limits),
                       [&](const auto& limit) { return limit.joint == joint; });
}

/// Upright joints that share what the table says of all of them together: flexion, extension,
/// lateral, rotation.
std::vector<double> together(std::initializer_list<std::string_view> joints) {
  std::vector<double> sum(4, 0.0);
  for (const std::string_view joint : joints) {
    const make::UprightLimit& limit = limit_of(make::kTrunkLimits, joint);
    sum[0] += limit.flexion.high;
    sum[1] -= limit.flexion.low;
    sum[2] += each_way(limit.lateral);
    sum[3] += each_way(limit.twist);
  }
  return sum;
}

TEST(MotionLimitsTable, TheDocumentTellsThoseThatAreHeld) {
  const auto& hip = limit_of(make::kLegLimits, "UpLeg");
  const auto& knee = limit_of(make::kLegLimits, "Leg");
  const auto& ankle = limit_of(make::kLegLimits, "Foot");
  const auto& toes = limit_of(make::kLegLimits, "ToeBase");
  const auto& clavicle = limit_of(make::kArmLimits, "Shoulder");
  const auto& elbow = limit_of(make::kArmLimits, "ForeArm");
  const auto& hand = limit_of(make::kArmLimits, "Hand");
  for (const make::Range& still : {knee.lateral, knee.twist, toes.lateral, toes.twist,
                                   elbow.sideways, elbow.twist, make::kThumbLimits[0]}) {
    EXPECT_EQ(each_way(still), 0.0);
  }
  constexpr make::ShoulderLimit kShoulder = make::kShoulderLimit;
  const make::Range* const finger = make::kFingerLimits;
  const make::Range* const thumb = make::kThumbLimits;
  const std::map<std::string, std::vector<double>> held{
      {"hip",
       {hip.flexion.high, -hip.flexion.low, hip.lateral.high, -hip.lateral.low,
        each_way(hip.twist)}},
      {"knee", {knee.flexion.low, knee.flexion.high}},
      {"ankle",
       {ankle.flexion.high, -ankle.flexion.low, ankle.lateral.high, -ankle.lateral.low,
        each_way(ankle.twist)}},
      {"toes", {toes.flexion.high, -toes.flexion.low}},
      {"thoracic and lumbar spine", together({"Spine", "Spine1", "Spine2"})},
      {"neck", together({"Neck", "Head"})},
      {"shoulder (chest to upper arm)",
       {kShoulder.behind, kShoulder.medial, kShoulder.lateral, kShoulder.across}},
      {"clavicle",
       {clavicle.flexion.high, -clavicle.flexion.low, clavicle.sideways.high,
        -clavicle.sideways.low, each_way(clavicle.twist)}},
      {"elbow", {elbow.flexion.low, elbow.flexion.high}},
      {"forearm and wrist (`Hand`)",
       {hand.twist.high, -hand.twist.low, hand.flexion.high, -hand.flexion.low, hand.sideways.high,
        -hand.sideways.low}},
      {"fingers",
       {finger[0].high, -finger[0].low, finger[1].low, finger[1].high, finger[2].low,
        finger[2].high}},
      {"thumb", {thumb[1].low, thumb[1].high, thumb[2].low, thumb[2].high}},
  };
  const auto told = documented_limits();
  EXPECT_EQ(told.size(), held.size());
  for (const auto& [joint, numbers] : held) {
    ASSERT_TRUE(told.contains(joint)) << joint;
    ASSERT_EQ(told.at(joint).size(), numbers.size()) << joint;
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      EXPECT_NEAR(told.at(joint)[i], numbers[i], 1e-9) << joint << ", number " << i + 1;
    }
  }
}

}  // namespace
}  // namespace tocsin::test::motion_limits_test
