// Feet and hands on the floor: they do not sink, and what carries does not slide.
#include <algorithm>
#include <array>

#include "make/motion/body.h"
#include "make/motion/motion_measure.h"

namespace tocsin::test::motion_floor_test {
namespace {

using Eigen::Vector3d;

constexpr int kSeeds = 6;
constexpr double kSeconds = 24.0;
constexpr double kRate = 120.0;

/// Metres: a point this close to where it rests carries weight.
constexpr double kTouching = 0.0005;

/// Metres: how far rounding, of the take and of the arithmetic here, may be from the floor.
constexpr double kRounding = 1e-6;

/// Heel, ball (of the toes, which stay as the heel rises) and toe tip of the sole, and the foot's
/// side of the ball, in this order.
std::array<Vector3d, 4> sole_points(const Motion& motion,
                                    const std::vector<Eigen::Isometry3d>& frames, bool left) {
  const std::string side = left ? "Left" : "Right";
  const Eigen::Isometry3d& foot = frames[static_cast<std::size_t>(joint_of(motion, side + "Foot"))];
  const int toe_joint = joint_of(motion, side + "ToeBase");
  const Eigen::Isometry3d& toes = frames[static_cast<std::size_t>(toe_joint)];
  const auto rest = motion.skeleton().rest_positions();
  const double ankle = rest[static_cast<std::size_t>(joint_of(motion, side + "Foot"))].y;
  const double toe = rest[static_cast<std::size_t>(toe_joint)].y;
  return {foot * Vector3d(0, -ankle, make::kHeel), toes * Vector3d(0, -toe, 0),
          toes * Vector3d(0, -toe, make::kToeTip - make::kBall),
          foot * Vector3d(0, -ankle, make::kBall)};
}

/// Follows one point: how far it moves while it touches.
class Contact {
 public:
  void at(const Vector3d& point, double resting_height) {
    if (point.y() > resting_height + kTouching) {
      touching_ = false;
      return;
    }
    if (!touching_) start_ = point;
    touching_ = true;
    ++frames_;
    slide_ = std::max(slide_, std::hypot(point.x() - start_.x(), point.z() - start_.z()));
  }
  [[nodiscard]] double slide() const { return slide_; }
  [[nodiscard]] std::int64_t frames() const { return frames_; }

 private:
  bool touching_ = false;
  Vector3d start_{0, 0, 0};
  double slide_ = 0.0;
  std::int64_t frames_ = 0;
};

class MotionFloor : public testing::TestWithParam<Performance> {};

TEST_P(MotionFloor, FeetNeitherSinkNorSlide) {
  double lowest = 1.0;
  double slide = 0.0;
  double highest_support = 0.0;
  std::int64_t touching = 0;
  std::int64_t frames_seen = 0;
  for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
    const Motion motion = made(GetParam(), kSeconds, kRate, seed);
    std::array<Contact, 6> contacts;
    for (std::int64_t frame = 0; frame < motion.frame_count(); ++frame) {
      const auto frames = world_frames(motion, frame);
      double support = 10.0;
      for (const bool left : {true, false}) {
        const auto points = sole_points(motion, frames, left);
        for (std::size_t i = 0; i < 3; ++i) {
          contacts[i + (left ? 0 : 3)].at(points[i], 0.0);
          support = std::min(support, points[i].y());
        }
        for (const Vector3d& point : points) lowest = std::min(lowest, point.y());
        const auto hand = static_cast<std::size_t>(
            joint_of(motion, left ? "LeftHandMiddle1" : "RightHandMiddle1"));
        if (GetParam() == Performance::kCartwheel) {
          support = std::min(support, frames[hand].translation().y());
        }
      }
      highest_support = std::max(highest_support, support);
    }
    for (const Contact& contact : contacts) {
      slide = std::max(slide, contact.slide());
      touching += contact.frames();
    }
    frames_seen += motion.frame_count();
  }
  std::printf(
      "%-9s sole: lowest %.2f mm, slides %.2f mm, highest support %.1f mm, touches %.0f %%\n",
      name_of(GetParam()), 1e3 * lowest, 1e3 * slide, 1e3 * highest_support,
      100.0 * static_cast<double>(touching) / static_cast<double>(6 * frames_seen));
  // What docs/made.md promises.
  EXPECT_GT(lowest, -kRounding);
  EXPECT_LT(slide, 0.002);
  // A cartwheel's hands carry it in between: the base of a planted finger is 18 mm above the floor.
  EXPECT_LT(highest_support, GetParam() == Performance::kCartwheel ? 0.025 : kRounding);
  // The test has seen feet that stand.
  EXPECT_GT(touching, 6 * frames_seen / 4);
}

INSTANTIATE_TEST_SUITE_P(Kinds, MotionFloor, testing::ValuesIn(kEveryKind),
                         [](const auto& param) { return name_of(param.param); });

TEST(MotionHands, ACartwheelsHandsNeitherSinkNorSlide) {
  constexpr double kKnuckle = 0.018;  // metres above the floor when planted
  double lowest = 1.0;
  for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
    const Motion motion = made(Performance::kCartwheel, kSeconds, kRate, seed);
    for (const char* side : {"Left", "Right"}) {
      Contact contact;
      const int hand = joint_of(motion, std::string(side) + "Hand");
      const int knuckle = joint_of(motion, std::string(side) + "HandMiddle1");
      for (std::int64_t frame = 0; frame < motion.frame_count(); ++frame) {
        const auto frames = world_frames(motion, frame);
        contact.at(frames[static_cast<std::size_t>(knuckle)].translation(), kKnuckle);
        for (int joint = 0; joint < motion.skeleton().size(); ++joint) {
          if (!motion.skeleton().descends(joint, hand)) continue;
          lowest = std::min(lowest, frames[static_cast<std::size_t>(joint)].translation().y());
        }
      }
      EXPECT_LT(contact.slide(), 0.005) << side << " seed " << seed;
      // Five cartwheels or more, half a second each.
      EXPECT_GT(contact.frames(), static_cast<std::int64_t>(5 * 0.4 * kRate)) << side;
      std::printf("cartwheel %s hand slides %.2f mm, planted %.1f s\n", side, 1e3 * contact.slide(),
                  static_cast<double>(contact.frames()) / kRate);
    }
  }
  std::printf("cartwheel hands: lowest joint %.1f mm\n", 1e3 * lowest);
  EXPECT_GT(lowest, 0.005);  // as docs/made.md promises
}

}  // namespace
}  // namespace tocsin::test::motion_floor_test
