// A tracker's poses: local ones against matrices of independent code in long double, joints that
// are lost by hand, and sessions of them against sessions of local poses.
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "service/session/session_fixture.h"
#include "service/step/tracker_space.h"

namespace tocsin::service::tracker_test {
namespace {

using test::frame_of;
using test::SessionRig;
using test::SessionTest;

using Real = long double;
using M4 = Eigen::Matrix<Real, 4, 4>;
using M3 = Eigen::Matrix<Real, 3, 3>;
using Q = Eigen::Quaternion<Real>;

M4 matrix_of(const Transform& t) {
  M4 out = M4::Identity();
  out.topLeftCorner<3, 3>() =
      Q(t.rotation.w, t.rotation.x, t.rotation.y, t.rotation.z).normalized().toRotationMatrix();
  out.topRightCorner<3, 1>() << t.translation.x, t.translation.y, t.translation.z;
  return out;
}

Transform transform_of(const M4& m) {
  const Q q(M3(m.topLeftCorner<3, 3>()));
  return {{double(q.w()), double(q.x()), double(q.y()), double(q.z())},
          {double(m(0, 3)), double(m(1, 3)), double(m(2, 3))}};
}

/// Each joint's place in the world.
std::vector<Transform> world_of(const Skeleton& skeleton, std::span<const Transform> local) {
  std::vector<M4> world;
  std::vector<Transform> out;
  for (std::size_t i = 0; i < local.size(); ++i) {
    const int parent = skeleton.joints()[i].parent;
    M4 here = matrix_of(local[i]);
    if (parent >= 0) here = (world[static_cast<std::size_t>(parent)] * here).eval();
    world.push_back(here);
    out.push_back(transform_of(here));
  }
  return out;
}

constexpr Quat kLost{0.0, 0.0, 0.0, 0.0};

/// All 48 sets of axes: their matrix is of the axes' directions as columns.
TEST(TrackerAxes, AreMatricesOfTheirDirections) {
  std::size_t sets = 0;
  std::size_t left = 0;
  for (int x = 0; x < 6; ++x) {
    for (int y = 0; y < 6; ++y) {
      for (int z = 0; z < 6; ++z) {
        const auto axis = [](int i) { return static_cast<AxisAlong>(i); };
        M3 m = M3::Zero();
        int column = 0;
        for (const int along : {x, y, z}) m(along % 3, column++) = along < 3 ? 1 : -1;
        const bool sound = std::abs(m.determinant()) > Real(0.5);
        ASSERT_EQ(Axes::are_axes(axis(x), axis(y), axis(z)), sound);
        if (!sound) continue;
        ++sets;
        const Axes axes(axis(x), axis(y), axis(z), 0.01);
        EXPECT_EQ(axes.are_left_handed(), m.determinant() < 0);
        left += axes.are_left_handed() ? 1 : 0;
        const Transform at{{0.5, -0.1, 0.7, 0.5}, {1, 2, -3}};  // unit: 0.25 + 0.01 + 0.49 + 0.25
        const Transform got = axes(at);
        const Eigen::Matrix<Real, 3, 1> place =
            m * Eigen::Matrix<Real, 3, 1>(1, 2, -3) * Real(0.01);
        EXPECT_NEAR(double(place(0)), got.translation.x, 1e-17);
        EXPECT_NEAR(double(place(1)), got.translation.y, 1e-17);
        EXPECT_NEAR(double(place(2)), got.translation.z, 1e-17);
        const M3 turned = m * M3(matrix_of(at).topLeftCorner<3, 3>()) * m.transpose();
        const M3 of = M3(matrix_of(got).topLeftCorner<3, 3>());
        EXPECT_LT(double((turned - of).cwiseAbs().maxCoeff()), 1e-15);
      }
    }
  }
  EXPECT_EQ(sets, 48U);
  EXPECT_EQ(left, 24U);
  EXPECT_TRUE(kUnityAxes.are_left_handed());
  EXPECT_TRUE(Axes().are_ours());
  EXPECT_FALSE(kUnityAxes.are_ours());
}

class TrackerTest : public SessionTest {
 protected:
  [[nodiscard]] TrackFrame world_frame(std::int64_t k) const {
    TrackFrame out = frame_of(take_.motion, k);
    out.pose = world_of(take_.motion.skeleton(), out.pose);
    return out;
  }
  std::vector<TrackReport> run(SessionRig& rig, const std::vector<TrackFrame>& frames) {
    std::vector<TrackReport> out;
    for (const TrackFrame& frame : frames) {
      const auto problem = rig.offer(frame);
      EXPECT_FALSE(problem) << problem->message;
      rig.scheduler->run_all();
      for (TrackReport& report : rig.pull()) out.push_back(std::move(report));
    }
    return out;
  }
};

TEST_F(TrackerTest, LocalPosesAreThoseOfTheMatrices) {
  const TrackerSpace space({.world = true}, take_.motion.skeleton());
  ASSERT_TRUE(space.asked());
  for (std::int64_t k = 0; k < take_.motion.frame_count(); ++k) {
    std::vector<Transform> pose = world_frame(k).pose;
    std::string fault;
    space.take(pose, {}, fault);
    ASSERT_TRUE(fault.empty()) << fault;
    for (std::size_t i = 0; i < pose.size(); ++i) {
      const M4 off = matrix_of(pose[i]) - matrix_of(take_.motion.pose(k)[i]);
      EXPECT_LT(double(off.cwiseAbs().maxCoeff()), 1e-13) << "joint " << i;
    }
  }
}

TEST_F(TrackerTest, WorldPosesHaveTheContactsOfLocalOnes) {
  options_.lookahead = 0.1;
  options_.avatar.place = {{0.1, 0.0, 0.1}, 20.0};
  SessionRig plain(room_);
  ASSERT_TRUE(plain.open(options_));
  options_.tracker.world = true;
  ASSERT_TRUE(open());
  std::vector<TrackFrame> local;
  std::vector<TrackFrame> world;
  for (std::int64_t k = 0; k < 39; ++k) {
    local.push_back(frame_of(take_.motion, k));
    world.push_back(world_frame(k));
    if (k % 2 == 1) continue;
    local.back().ahead = frame_of(take_.motion, k + 1).pose;
    world.back().ahead = world_frame(k + 1).pose;
  }
  const auto want = run(plain, local);
  const auto got = run(rig_, world);
  ASSERT_EQ(got.size(), want.size());
  std::size_t contacts = 0;
  std::size_t own = 0;
  for (std::size_t i = 0; i < got.size(); ++i) {
    ASSERT_EQ(got[i].result.contacts.size(), want[i].result.contacts.size()) << i;
    for (std::size_t c = 0; c < got[i].result.contacts.size(); ++c) {
      const Contact& a = got[i].result.contacts[c];
      const Contact& b = want[i].result.contacts[c];
      EXPECT_EQ(a.link, b.link);
      EXPECT_EQ(a.touched, b.touched);
      EXPECT_NEAR(a.toc[1], b.toc[1], 1e-7);
      ++contacts;
    }
    ASSERT_EQ(got[i].ahead.has_value(), want[i].ahead.has_value());
    if (!got[i].ahead) continue;
    EXPECT_EQ(got[i].ahead->own_pose, want[i].ahead->own_pose);
    EXPECT_EQ(got[i].ahead->contacts.size(), want[i].ahead->contacts.size());
    own += got[i].ahead->own_pose ? 1 : 0;
  }
  EXPECT_GT(contacts, 20U);
  EXPECT_GT(own, 5U);
}

/// By hand: a root, a child one metre above, a grandchild one metre further. Nothing is turned but
/// by quarter turns about z, which take x to y.
TEST(TrackerSpace, JointsThatAreLostKeepTheirPlaceInTheirParentsFrame) {
  const Skeleton skeleton = *Skeleton::create(
      {{"root", -1, {}}, {"arm", 0, {{}, {0, 1, 0}}}, {"hand", 1, {{}, {0, 1, 0}}}});
  const double root = std::sqrt(0.5);
  const Quat quarter{root, 0, 0, root};
  TrackerSpace space({.world = true, .hold_missing = true}, skeleton);
  const auto settled = [&](std::vector<Transform> pose, std::vector<std::uint32_t> lost) {
    EXPECT_EQ(space.missing(pose), lost);
    std::string fault;
    space.take(pose, lost, fault);
    EXPECT_TRUE(fault.empty()) << fault;
    space.settle(pose, lost);
    return pose;
  };
  const auto expect_near = [](const Transform& got, const Quat& rotation, const Vec3& at) {
    const double same = got.rotation.w * rotation.w + got.rotation.x * rotation.x +
                        got.rotation.y * rotation.y + got.rotation.z * rotation.z;
    EXPECT_NEAR(std::fabs(same), 1.0, 1e-14);
    EXPECT_NEAR(got.translation.x, at.x, 1e-14);
    EXPECT_NEAR(got.translation.y, at.y, 1e-14);
    EXPECT_NEAR(got.translation.z, at.z, 1e-14);
  };
  // At first the place of rest: the arm is lost, and the hand is seen at (0, 2, 0).
  auto pose = settled({{{}, {0, 0, 0}}, {kLost, {9, 9, 9}}, {{}, {0, 2, 0}}}, {1});
  expect_near(pose[1], {}, {0, 1, 0});
  expect_near(pose[2], {}, {0, 1, 0});
  // All are seen: the arm is turned by a quarter, and half a metre above the root.
  pose = settled({{{}, {1, 0, 0}}, {quarter, {1, 0.5, 0}}, {quarter, {0, 0.5, 0}}}, {});
  expect_near(pose[1], quarter, {0, 0.5, 0});
  expect_near(pose[2], {}, {0, 1, 0});
  // The arm is lost, and the root turns by a quarter at the origin. So the arm is at (-0.5, 0, 0),
  // turned by a half. The hand is seen at (-0.5, -3, 0), turned by a half as well.
  pose = settled({{quarter, {0, 0, 0}}, {kLost, {}}, {{0, 0, 0, 1}, {-0.5, -3, 0}}}, {1});
  expect_near(pose[0], quarter, {0, 0, 0});
  expect_near(pose[1], quarter, {0, 0.5, 0});
  expect_near(pose[2], {}, {0, 3, 0});
  // Root and hand are lost: the root stays where it was, the hand with the arm.
  pose = settled({{kLost, {}}, {quarter, {0, 7, 0}}, {kLost, {}}}, {0, 2});
  expect_near(pose[0], quarter, {0, 0, 0});
  expect_near(pose[1], {}, {7, 0, 0});
  expect_near(pose[2], {}, {0, 3, 0});
}

TEST(TrackerSpace, SaysWhatIsWrongWithAPose) {
  const Skeleton skeleton = *Skeleton::create({{"root", -1, {}}, {"arm", 0, {}}});
  const TrackerSpace space({.world = true}, skeleton);
  std::string fault;
  std::vector<Transform> pose{{}, {{0.5, 0, 0, 0}, {}}};
  space.take(pose, {}, fault);
  EXPECT_EQ(fault, "joint \"arm\": the quaternion has length 0.5, not 1");
  pose = {{}, {kLost, {}}};
  EXPECT_TRUE(space.missing(pose).empty());  // they are not held
  space.take(pose, {}, fault);
  EXPECT_EQ(fault, "joint \"arm\": the quaternion has length 0, not 1");
}

/// Joints are lost at random, in local poses and in the world's; reports say which, and contacts
/// are those of the poses that are held.
TEST_F(TrackerTest, ReportsSayWhichJointsWereHeld) {
  for (const bool in_world : {false, true}) {
    options_.tracker = {.world = in_world, .hold_missing = true};
    SessionRig rig(room_);
    ASSERT_TRUE(rig.open(options_)) << rig.problem.message;
    SessionRig plain(room_);
    TrackOptions as_ever = options_;
    as_ever.tracker = {};
    ASSERT_TRUE(plain.open(as_ever));
    std::vector<TrackFrame> sent;
    std::vector<TrackFrame> held;
    std::vector<std::vector<std::uint32_t>> lost;
    for (std::int64_t k = 0; k < 30; ++k) {
      TrackFrame frame = in_world ? world_frame(k) : frame_of(take_.motion, k);
      TrackFrame want = frame_of(take_.motion, k);
      std::vector<std::uint32_t> of_frame;
      for (std::uint32_t joint = 0; joint < want.pose.size(); ++joint) {
        if (k == 0 || (k + 3 * joint) % 7 != 0) continue;
        of_frame.push_back(joint);
        frame.pose[joint] = {kLost, {5, 5, 5}};
        want.pose[joint] = held.back().pose[joint];
      }
      // What is below is seen where it is, wherever what is above is held.
      if (in_world) {
        const auto held_world = world_of(take_.motion.skeleton(), want.pose);
        for (std::size_t joint = 0; joint < want.pose.size(); ++joint) {
          const int parent = take_.motion.skeleton().joints()[joint].parent;
          const bool is_lost = std::find(of_frame.begin(), of_frame.end(), joint) != of_frame.end();
          if (is_lost || parent < 0) continue;
          M4 above = M4::Identity();
          std::vector<int> chain;
          for (int up = parent; up >= 0;
               up = take_.motion.skeleton().joints()[static_cast<std::size_t>(up)].parent) {
            chain.push_back(up);
          }
          // Parents come first: theirs are settled.
          for (std::size_t c = chain.size(); c-- > 0;) {
            above = (above * matrix_of(want.pose[static_cast<std::size_t>(chain[c])])).eval();
          }
          want.pose[joint] =
              transform_of((above.inverse() * matrix_of(world_frame(k).pose[joint])).eval());
        }
      }
      sent.push_back(frame);
      held.push_back(want);
      lost.push_back(of_frame);
    }
    const auto got = run(rig, sent);
    const auto want = run(plain, held);
    ASSERT_EQ(got.size(), want.size());
    std::size_t contacts = 0;
    std::size_t told = 0;
    for (std::size_t i = 0; i < got.size(); ++i) {
      EXPECT_EQ(got[i].held, lost[i + 1]) << i;
      EXPECT_TRUE(want[i].held.empty());
      EXPECT_EQ(got[i].bad_frames, 0U);
      told += got[i].held.size();
      ASSERT_EQ(got[i].result.contacts.size(), want[i].result.contacts.size()) << i;
      for (std::size_t c = 0; c < got[i].result.contacts.size(); ++c) {
        EXPECT_EQ(got[i].result.contacts[c].link, want[i].result.contacts[c].link);
        EXPECT_EQ(got[i].result.contacts[c].touched, want[i].result.contacts[c].touched);
        if (!in_world) {
          EXPECT_EQ(got[i].result.contacts[c], want[i].result.contacts[c]);
        }
        ++contacts;
      }
    }
    EXPECT_GT(contacts, 20U);
    EXPECT_GT(told, 15U);
  }
}

TEST_F(TrackerTest, WithoutHoldingAFrameWithoutAJointIsBad) {
  options_.tracker.world = true;
  ASSERT_TRUE(open());
  std::vector<TrackFrame> frames{world_frame(0), world_frame(1), world_frame(2)};
  frames[1].pose[2].rotation = kLost;
  const auto reports = run(rig_, frames);
  ASSERT_EQ(reports.size(), 1U);
  EXPECT_EQ(reports[0].bad, (std::vector<IdRange>{{1, 1}}));
  EXPECT_EQ(reports[0].first_bad_frame,
            "frame 1: joint \"joint2\": the quaternion has length 0, not 1");
}

TEST_F(TrackerTest, StopPosesAreRefused) {
  options_.tracker.world = true;
  options_.stop_pose = true;
  EXPECT_FALSE(open());
  EXPECT_EQ(rig_.problem.refusal, Refusal::kInvalid);
  EXPECT_NE(rig_.problem.message.find("`stop_pose` and `tracker`"), std::string::npos);
}

}  // namespace
}  // namespace tocsin::service::tracker_test
