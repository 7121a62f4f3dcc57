// pose_between() against the textbook's formulas in long double: a screw is exp(t log D) of the
// displacement D between the poses; translate-rotate is a line and a turn about one axis.
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <random>
#include <vector>

#include "tocsin/motion.h"

namespace tocsin::pose_between_test {
namespace {

using Real = long double;
using V = Eigen::Matrix<Real, 3, 1>;
using M = Eigen::Matrix<Real, 3, 3>;
using Q = Eigen::Quaternion<Real>;

const Real kPi = std::acos(Real(-1));

Q to_eigen(const Quat& q) { return Q(q.w, q.x, q.y, q.z).normalized(); }
V to_eigen(const Vec3& v) { return {v.x, v.y, v.z}; }

M cross_of(const V& a) {
  M m;
  m << 0, -a.z(), a.y(), a.z(), 0, -a.x(), -a.y(), a.x(), 0;
  return m;
}

/// The left Jacobian of SO(3) at `turn` (axis times angle): the integral of exp(s turn), s from 0
/// to 1.
M jacobian(const V& turn) {
  const Real a = turn.norm();
  const M k = cross_of(turn);
  const bool tiny = a < Real(1e-3);
  const Real p =
      tiny ? 1 / Real(2) - a * a / 24 + a * a * a * a / 720 : (1 - std::cos(a)) / (a * a);
  const Real q =
      tiny ? 1 / Real(6) - a * a / 120 + a * a * a * a / 5040 : (a - std::sin(a)) / (a * a * a);
  return M::Identity() + p * k + q * k * k;
}

struct Place {
  Q rotation;
  V translation;
};

/// Axis times angle of the shorter turn from p0 to p1.
V turn_of(const Transform& p0, const Transform& p1) {
  Q d = to_eigen(p1.rotation) * to_eigen(p0.rotation).conjugate();
  if (d.w() < 0) d.coeffs() = -d.coeffs();
  const Real n = d.vec().norm();
  if (n == 0) return V::Zero();
  return d.vec() * (2 * std::atan2(n, d.w()) / n);
}

Place expected(const Transform& p0, const Transform& p1, InBetween in_between, Real t) {
  const V turn = turn_of(p0, p1);
  const V c0 = to_eigen(p0.translation);
  const V c1 = to_eigen(p1.translation);
  const auto rotation = [&turn](Real s) {
    const Real angle = turn.norm();
    if (angle == 0) return Q::Identity();
    return Q(Eigen::AngleAxis<Real>(s * angle, turn / angle));
  };
  const Q r = rotation(t) * to_eigen(p0.rotation);
  if (in_between == InBetween::kTranslateRotate) return {r, c0 + t * (c1 - c0)};
  // D x = Rd x + (c1 - Rd c0) = exp(turn, rho) x.
  const V rho = jacobian(turn).inverse() * (c1 - rotation(1) * c0);
  return {r, rotation(t) * c0 + t * (jacobian(t * turn) * rho)};
}

/// `size`: of the translations, metres.
void expect_between(const Transform& p0, const Transform& p1, double size) {
  for (const InBetween in_between : {InBetween::kScrew, InBetween::kTranslateRotate}) {
    for (const double t : {0.0, 1e-9, 0.125, 0.5, 0.7, 1.0}) {
      const std::vector<Transform> got = pose_between({&p0, 1}, {&p1, 1}, in_between, t);
      ASSERT_EQ(got.size(), 1U);
      const Place want = expected(p0, p1, in_between, t);
      const Q q = to_eigen(got[0].rotation);
      EXPECT_NEAR(
          std::sqrt(static_cast<double>(
              got[0].rotation.w * got[0].rotation.w + got[0].rotation.x * got[0].rotation.x +
              got[0].rotation.y * got[0].rotation.y + got[0].rotation.z * got[0].rotation.z)),
          1.0, 1e-15);
      const Real off = std::min((q.coeffs() - want.rotation.coeffs()).norm(),
                                (q.coeffs() + want.rotation.coeffs()).norm());
      EXPECT_LT(static_cast<double>(off), 2e-15) << t;
      const Real far = (to_eigen(got[0].translation) - want.translation).norm();
      EXPECT_LT(static_cast<double>(far), 4e-15 * size) << t;
    }
  }
}

class RandomTurns {
 public:
  double in(double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(engine_);
  }
  V axis() {
    std::normal_distribution<double> normal;
    return V(normal(engine_), normal(engine_), normal(engine_)).normalized();
  }
  Vec3 point(double size) { return {in(-size, size), in(-size, size), in(-size, size)}; }

 private:
  std::mt19937_64 engine_{11};
};

Quat to_quat(const Q& q) {
  return {static_cast<double>(q.w()), static_cast<double>(q.x()), static_cast<double>(q.y()),
          static_cast<double>(q.z())};
}

TEST(PoseBetween, AnyTurn) {
  RandomTurns random;
  for (int k = 0; k < 2000; ++k) {
    const double size = k % 3 == 0 ? 1000.0 : 2.0;
    const Q first(Eigen::AngleAxis<Real>(random.in(0, 3), random.axis()));
    const Q turn(Eigen::AngleAxis<Real>(random.in(0, 3.1), random.axis()));
    expect_between({to_quat(first), random.point(size)},
                   {to_quat(turn * first), random.point(size)}, 4 * size);
  }
}

TEST(PoseBetween, TinyTurns) {
  RandomTurns random;
  for (const double angle : {1e-3, 1e-6, 1e-9, 1e-12, 1e-15, 1e-18, 1e-100, 1e-160, 0.0}) {
    for (int k = 0; k < 30; ++k) {
      // From the identity, so that the turn is not lost in rounding.
      const Q turn(Eigen::AngleAxis<Real>(angle, random.axis()));
      expect_between({{}, random.point(2)}, {to_quat(turn), random.point(2)}, 8);
    }
  }
}

TEST(PoseBetween, HalfTurns) {
  RandomTurns random;
  // Exactly pi: the axes' quaternions are without rounding.
  for (const Quat& half :
       {Quat{0, 1, 0, 0}, Quat{0, 0, -1, 0}, Quat{0, 0, 0, 1}, Quat{0, 0.6, 0.8, 0}}) {
    expect_between({{}, random.point(2)}, {half, random.point(2)}, 8);
  }
  for (const double short_of : {1e-3, 1e-6, 1e-9, 1e-12}) {
    const Q turn(Eigen::AngleAxis<Real>(kPi - short_of, random.axis()));
    expect_between({{}, random.point(2)}, {to_quat(turn), random.point(2)}, 8);
  }
  // Beyond pi the other way round is the shorter one.
  const Q long_way(Eigen::AngleAxis<Real>(kPi + 0.5, V(0, 1, 0)));
  const Transform end{to_quat(long_way), {}};
  const Transform begin;
  const auto middle = pose_between({&begin, 1}, {&end, 1}, InBetween::kScrew, 0.5);
  const double half = 0.5 * static_cast<double>(kPi - 0.5) / 2;
  EXPECT_NEAR(std::fabs(middle[0].rotation.w), std::cos(half), 1e-15);
  EXPECT_NEAR(std::fabs(middle[0].rotation.y), std::sin(half), 1e-15);
}

/// Worked out by hand: a quarter turn about y that takes (1, 0, 0) to (0, 0, -1) goes round the
/// origin as a screw, and straight as translate-rotate.
TEST(PoseBetween, AQuarterTurnByHand) {
  const double root = std::sqrt(0.5);
  const Transform p0{{}, {1, 0, 0}};
  const Transform p1{{root, 0, root, 0}, {0, 0, -1}};
  const auto screw = pose_between({&p0, 1}, {&p1, 1}, InBetween::kScrew, 0.5);
  EXPECT_NEAR(screw[0].translation.x, root, 1e-15);
  EXPECT_NEAR(screw[0].translation.y, 0, 1e-15);
  EXPECT_NEAR(screw[0].translation.z, -root, 1e-15);
  const auto straight = pose_between({&p0, 1}, {&p1, 1}, InBetween::kTranslateRotate, 0.5);
  EXPECT_EQ(straight[0].translation, (Vec3{0.5, 0, -0.5}));
  EXPECT_EQ(straight[0].rotation, screw[0].rotation);
}

TEST(PoseBetween, NothingMovesWithoutMotion) {
  const Transform p{{0.5, 0.5, -0.5, 0.5}, {3, -1, 2}};
  for (const InBetween in_between : {InBetween::kScrew, InBetween::kTranslateRotate}) {
    for (const double t : {0.0, 0.3, 1.0}) {
      EXPECT_EQ(pose_between({&p, 1}, {&p, 1}, in_between, t)[0], p);
    }
  }
}

TEST(PoseBetween, EveryJointAndNoneIfTheyDiffer) {
  const std::vector<Transform> p0{{{}, {0, 0, 0}}, {{}, {1, 0, 0}}, {{}, {0, 5, 0}}};
  const std::vector<Transform> p1{{{}, {2, 0, 0}}, {{}, {1, 4, 0}}, {{}, {0, 5, 0}}};
  const auto middle = pose_between(p0, p1, InBetween::kScrew, 0.5);
  ASSERT_EQ(middle.size(), 3U);
  EXPECT_EQ(middle[0].translation, (Vec3{1, 0, 0}));
  EXPECT_EQ(middle[1].translation, (Vec3{1, 2, 0}));
  EXPECT_EQ(middle[2].translation, (Vec3{0, 5, 0}));
  EXPECT_TRUE(pose_between(p0, std::span(p1).first(2), InBetween::kScrew, 0.5).empty());
}

}  // namespace
}  // namespace tocsin::pose_between_test
