// How a motion goes on, against the textbook in long double: with D the displacement of a joint
// over its last step, X(1 + k) = exp((1 + k) log D) X(0).
#include "scene/motion/step_ahead.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace tocsin::step_ahead_test {
namespace {

using Real = long double;
using V = Eigen::Matrix<Real, 3, 1>;
using M4 = Eigen::Matrix<Real, 4, 4>;
using Q = Eigen::Quaternion<Real>;

/// exp of a matrix by its series, halved until it is small.
M4 exp_of(const M4& a) {
  const int halvings = 12;
  const M4 small = a / std::pow(Real(2), halvings);
  M4 term = M4::Identity();
  M4 out = term;
  for (int i = 1; i < 24; ++i) {
    term = term * small / Real(i);
    out += term;
  }
  for (int i = 0; i < halvings; ++i) out = out * out;
  return out;
}

M4 matrix_of(const Transform& t) {
  const Q q = Q(t.rotation.w, t.rotation.x, t.rotation.y, t.rotation.z).normalized();
  M4 out = M4::Identity();
  out.topLeftCorner<3, 3>() = q.toRotationMatrix();
  out.topRightCorner<3, 1>() = V(t.translation.x, t.translation.y, t.translation.z);
  return out;
}

/// A motion of constant velocity about `axis`: angle and travel a second.
struct Twist {
  V turn;  ///< axis times radians a second
  V move;
  [[nodiscard]] M4 after(Real seconds) const {
    M4 a = M4::Zero();
    a.topLeftCorner<3, 3>() << 0, -turn.z(), turn.y(), turn.z(), 0, -turn.x(), -turn.y(), turn.x(),
        0;
    a.topRightCorner<3, 1>() = move;
    return exp_of(a * seconds);
  }
};

Transform transform_of(const M4& m) {
  const Q q(Eigen::Matrix<Real, 3, 3>(m.topLeftCorner<3, 3>()));
  return {{double(q.w()), double(q.x()), double(q.y()), double(q.z())},
          {double(m(0, 3)), double(m(1, 3)), double(m(2, 3))}};
}

class RandomTwists {
 public:
  double in(double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(engine_);
  }
  V vector(double size) { return {in(-size, size), in(-size, size), in(-size, size)}; }
  M4 place() {
    const V axis = vector(1).normalized();
    M4 out = M4::Identity();
    out.topLeftCorner<3, 3>() = Eigen::AngleAxis<Real>(in(0, 3), axis).toRotationMatrix();
    out.topRightCorner<3, 1>() = vector(2);
    return out;
  }

 private:
  std::mt19937_64 engine_{23};
};

Step step_of(const std::vector<Transform>& p0, const std::vector<Transform>& p1, double seconds,
             InBetween in_between = InBetween::kScrew) {
  std::vector<Joint> joints;
  for (std::size_t i = 0; i < p0.size(); ++i) {
    joints.push_back({"joint" + std::to_string(i), static_cast<int>(i) - 1, {}});
  }
  std::vector<Transform> poses = p0;
  poses.insert(poses.end(), p1.begin(), p1.end());
  return Motion::create(*Skeleton::create(std::move(joints)), seconds, std::move(poses))
      ->steps({.in_between = in_between})
      .value()
      .front();
}

double off(const Transform& got, const M4& want) {
  return static_cast<double>((matrix_of(got) - want).cwiseAbs().maxCoeff());
}

TEST(StepAhead, ScrewsGoOn) {
  RandomTwists random;
  std::size_t turned = 0;
  for (int i = 0; i < 500; ++i) {
    const double lasted = random.in(0.004, 0.05);
    const double ahead = random.in(0.01, 0.3);
    std::vector<Twist> twists;
    std::vector<M4> starts;
    std::vector<Transform> p0;
    std::vector<Transform> p1;
    for (int joint = 0; joint < 3; ++joint) {
      Twist twist{random.vector(1), random.vector(3)};
      if (joint == 1) twist.turn *= 1e-7;
      // So that it turns by less than 3 radians ahead, and in the step.
      const Real longest = std::max(ahead, lasted);
      if (joint == 2) twist.turn *= Real(2.9) / (longest * twist.turn.norm());
      const M4 start = random.place();
      p0.push_back(transform_of(start));
      p1.push_back(transform_of(twist.after(lasted) * start));
      twists.push_back(twist);
      starts.push_back(start);
    }
    const Step step = step_of(p0, p1, lasted);
    const Step next = step_ahead(step, ahead).value();
    ASSERT_EQ(next.pose0().size(), 3U);
    EXPECT_EQ(std::vector<Transform>(next.pose0().begin(), next.pose0().end()),
              std::vector<Transform>(step.pose1().begin(), step.pose1().end()));
    // What rounding of the two poses is, times the steps ahead.
    const double allowed = 1e-14 * (2.0 + ahead / lasted);
    for (const double t : {0.3, 1.0}) {
      const auto got = pose_between(next.pose0(), next.pose1(), InBetween::kScrew, t);
      for (std::size_t joint = 0; joint < 3; ++joint) {
        const M4 want = twists[joint].after(Real(lasted) + Real(t) * Real(ahead)) * starts[joint];
        EXPECT_LT(off(got[joint], want), allowed) << "joint " << joint << " at " << t;
        turned += twists[joint].turn.norm() * Real(ahead) > 1 ? 1 : 0;
      }
    }
  }
  EXPECT_GT(turned, 500U);
}

TEST(StepAhead, TranslateRotateGoesOnStraightAndTurns) {
  RandomTwists random;
  for (int i = 0; i < 300; ++i) {
    const double lasted = random.in(0.004, 0.05);
    const double ahead = random.in(0.01, 0.3);
    const V turn = random.vector(3);
    const V move = random.vector(3);
    const M4 start = random.place();
    const auto at = [&](Real seconds) {
      M4 out = Twist{turn, V::Zero()}.after(seconds);
      out.topLeftCorner<3, 3>() = (out * start).eval().topLeftCorner<3, 3>();
      out.topRightCorner<3, 1>() = start.topRightCorner<3, 1>() + seconds * move;
      return out;
    };
    const Step step = step_of({transform_of(at(0))}, {transform_of(at(lasted))}, lasted,
                              InBetween::kTranslateRotate);
    const Step next = step_ahead(step, ahead).value();
    EXPECT_EQ(next.in_between(), InBetween::kTranslateRotate);
    EXPECT_LT(off(next.pose1()[0], at(Real(lasted) + ahead)), 1e-14 * (2.0 + ahead / lasted));
  }
}

TEST(StepAhead, ATurnAheadIsOfThreeRadiansAtMost) {
  // By hand: half a radian a step about y, through a point one metre away on x; 20 steps ahead
  // would be ten radians. It goes three.
  const auto at = [](double angle) {
    return Transform{{std::cos(angle / 2), 0, std::sin(angle / 2), 0},
                     {1 - std::cos(angle), 0, std::sin(angle)}};
  };
  const Step step = step_of({at(0.0)}, {at(0.5)}, 0.01);
  const Transform got = step_ahead(step, 0.2).value().pose1()[0];
  const Transform want = at(3.5);
  EXPECT_NEAR(got.rotation.w, want.rotation.w, 1e-14);
  EXPECT_NEAR(got.rotation.y, want.rotation.y, 1e-14);
  EXPECT_NEAR(got.translation.x, want.translation.x, 1e-14);
  EXPECT_NEAR(got.translation.z, want.translation.z, 1e-14);
  // The way there is the same way round.
  const Step next = step_ahead(step, 0.2).value();
  const auto middle = pose_between(next.pose0(), next.pose1(), InBetween::kScrew, 0.5);
  EXPECT_NEAR(middle[0].translation.z, at(2.0).translation.z, 1e-14);
}

TEST(StepAhead, WhatDoesNotMoveStays) {
  const Transform p{{0.5, 0.5, -0.5, 0.5}, {3, -1, 2}};
  const Step step = step_of({p, p}, {p, p}, 0.01);
  const Step next = step_ahead(step, 0.2).value();
  EXPECT_EQ(next.pose1()[0], p);
  EXPECT_EQ(next.pose1()[1], p);
  // A joint with its rest translation keeps that to the bit, however it turns.
  const Transform turned{{0.8, 0, 0.6, 0}, {3, -1, 2}};
  EXPECT_EQ(step_ahead(step_of({p}, {turned}, 0.01), 0.2).value().pose1()[0].translation,
            p.translation);
  // A step that lasts no time has no velocity: LiveMotion's first.
  const Motion motion =
      Motion::create(*Skeleton::create({{"a", -1, {}}}), 0.01, {p, turned}).value();
  const Step still = motion.steps({.first = 1, .last = 1, .still = true}).value().front();
  EXPECT_EQ(step_ahead(still, 0.2).value().pose1()[0], still.pose1()[0]);
}

TEST(StepAhead, AJointThatWouldLeaveTheWorldStays) {
  const Transform far{{}, {999'999, 0, 0}};
  const Transform p{{}, {999'000, 0, 0}};
  const Step next = step_ahead(step_of({p, {}}, {far, {{}, {0, 1, 0}}}, 0.01), 0.2).value();
  EXPECT_EQ(next.pose1()[0], far);
  EXPECT_NEAR(next.pose1()[1].translation.y, 21.0, 1e-12);
}

TEST(StepAhead, ItsTimesAreThoseAfterTheStep) {
  const Transform p;
  const Motion motion =
      Motion::create_timed(*Skeleton::create({{"a", -1, {}}}), 0.5, {10, 12, 13, 17}, {p, p, p, p})
          .value();
  const Step step = motion.steps().value()[1];  // from 1 s to 1.5 s
  const Step next = step_ahead(step, 0.25).value();
  EXPECT_EQ(next.frames(), (std::array<std::int64_t, 2>{2, 3}));
  EXPECT_DOUBLE_EQ(next.seconds(0.0), 1.5);
  EXPECT_DOUBLE_EQ(next.seconds(1.0), 1.75);
}

TEST(StepAhead, GoesToTheCallersPose) {
  const Step step = step_of({{}, {}}, {{{}, {1, 0, 0}}, {}}, 0.01);
  const std::vector<Transform> pose{{{2.0 / 3, 2.0 / 3, 1.0 / 3, 0}, {5, 6, 7}}, {}};
  const Step next = step_ahead(step, 0.1, pose).value();
  EXPECT_EQ(next.pose0()[0].translation, (Vec3{1, 0, 0}));
  EXPECT_EQ(next.pose1()[0].translation, (Vec3{5, 6, 7}));
  const auto refused = [](const Result<Step>& got, ErrorCode code, const std::string& phrase) {
    ASSERT_FALSE(got.ok());
    EXPECT_EQ(got.error().code, code);
    EXPECT_NE(got.error().message.find(phrase), std::string::npos) << got.error().message;
  };
  refused(step_ahead(step, 0.1, {{}}), ErrorCode::kInput, "the pose has 1 joints, the skeleton 2");
  refused(step_ahead(step, 0.1, {{}, {{0.5, 0, 0, 0}, {}}}), ErrorCode::kInput,
          "joint \"joint1\": the quaternion has length 0.5");
  refused(step_ahead(step, 0.0, pose), ErrorCode::kUsage, "0 s ahead; must be above 0");
  refused(step_ahead(step, std::numeric_limits<double>::quiet_NaN()), ErrorCode::kUsage, "nan s");
  refused(step_ahead(step, 1e7), ErrorCode::kUsage, "at most 1000000 s");
  refused(step_ahead(Step(), 0.1), ErrorCode::kUsage, "an empty step");
}

TEST(ContactsAhead, AreThoseThatBeginInOrderOfTime) {
  const auto contact = [](std::int32_t link, ContactStatus status, double low, double high) {
    Contact out;
    out.link = link;
    out.status = status;
    out.toc = {low, high};
    return out;
  };
  const std::vector<Contact> all{
      contact(0, ContactStatus::kOverlap, 0, 0),   contact(1, ContactStatus::kHit, 0.5, 0.6),
      contact(2, ContactStatus::kGraze, 0, 0.1),   contact(3, ContactStatus::kHit, 0, 1e-12),
      contact(4, ContactStatus::kGraze, 0.2, 0.9), contact(5, ContactStatus::kHit, 0.5, 0.5)};
  std::vector<std::int32_t> links;
  for (const Contact& one : contacts_ahead(all)) links.push_back(one.link);
  EXPECT_EQ(links, (std::vector<std::int32_t>{3, 4, 1, 5}));
}

/// Joints that a caller does not look at stay; the others go on as ever, to the bit.
TEST(StepAhead, OfSomeJointsTheOthersStay) {
  std::vector<Joint> joints{{"a", -1, {}}, {"b", 0, {}}, {"c", 1, {}}};
  const Skeleton skeleton = *Skeleton::create(joints);
  std::vector<Transform> poses;
  for (int frame = 0; frame < 2; ++frame) {
    for (int joint = 0; joint < 3; ++joint) {
      const double half = 0.1 * (frame + 1) * (joint + 1);
      poses.push_back({{std::cos(half), std::sin(half), 0, 0}, {0.3 * frame, 1.0 + joint, 0}});
    }
  }
  const Motion motion = *Motion::create(skeleton, 0.1, poses);
  const Step step = motion.steps()->front();
  const Step all = *step_ahead(step, 0.2);
  const std::vector<std::uint8_t> moves{1, 0, 1};
  const Step some = *scene::step_ahead_of(step, 0.2, moves);
  EXPECT_EQ(some.pose1()[0], all.pose1()[0]);
  EXPECT_EQ(some.pose1()[1], step.pose1()[1]);
  EXPECT_EQ(some.pose1()[2], all.pose1()[2]);
  EXPECT_NE(all.pose1()[1], step.pose1()[1]);
  EXPECT_EQ(some.seconds(1.0), all.seconds(1.0));
}

}  // namespace
}  // namespace tocsin::step_ahead_test
