// The oracle's kinematics against Eigen, against the poses that a step joins, and against proved
// intervals.
#include "oracle/kinematics.h"

#include <gtest/gtest.h>

#include <Eigen/Geometry>

#include "interval.h"
#include "oracle/bounds.h"
#include "oracle/link_path.h"
#include "oracle/verify_bracket.h"
#include "pair_generator.h"
#include "query_generator.h"
#include "random.h"

namespace tocsin::oracle::test::kinematics_test {
namespace {

Eigen::Vector3d eigen(const Vec3& v) { return {v.x, v.y, v.z}; }

Eigen::Vector3d eigen(const RealVec& v) {
  return {static_cast<double>(v.x), static_cast<double>(v.y), static_cast<double>(v.z)};
}

// A joint's pose at t from the geometry of the motion rather than its formula: a screw turns about
// a fixed axis through q and slides along it.
Eigen::Isometry3d pose_at(const core::JointMotion& m, InBetween kind, double t) {
  Eigen::Matrix3d r0;
  for (int i = 0; i < 3; ++i) r0.row(i) = eigen(m.r0.row[i]);
  const Eigen::AngleAxisd turn(m.w * t, eigen(m.u));
  Eigen::Vector3d moved = eigen(m.c) + t * eigen(m.s);
  if (kind == InBetween::kScrew && m.w > 1e-3) {
    const Eigen::Vector3d arm = -eigen(m.u).cross(eigen(m.v)) / m.w;  // c - q
    moved = eigen(m.c) - arm + turn * arm + t * m.h * eigen(m.u);
  }
  Eigen::Isometry3d out = Eigen::Isometry3d::Identity();
  out.linear() = turn * r0;
  out.translation() = moved;
  return out;
}

TEST(OracleKinematics, AgreesWithEigen) {
  for (int c = 0; c < kClassCount; ++c) {
    const QueryGenerator generator(static_cast<QueryClass>(c), 11);
    for (std::uint64_t i = 0; i < 100; ++i) {
      const LinkQuery q = generator.make(2 * i);
      const LinkPath path(q.chain, q.kind, q.a, q.b);
      const auto size =
          static_cast<double>(length(widen<Real>(path.origin())) + path.bounds().reach);
      for (const double t : {0.0, 0.3, 0.5, 1.0}) {
        Eigen::Isometry3d world = Eigen::Isometry3d::Identity();
        bool tiny_turn = false;
        for (const core::JointMotion& m : q.chain) {
          tiny_turn = tiny_turn || (m.w > 0.0 && m.w <= 1e-3);
          world = world * pose_at(m, q.kind, t);
        }
        // pose_at takes a straight line where the screw turns hardly at all: off by about w |s|.
        const double allowed = tiny_turn && q.kind == InBetween::kScrew ? 1e-3 : 1e-10;
        const Axis<Real> axis = path.at(t);
        const Eigen::Vector3d origin = eigen(path.origin());
        EXPECT_LT((world * eigen(q.a) - origin - eigen(axis.a)).norm(), allowed * size);
        EXPECT_LT((world * eigen(q.b) - origin - eigen(axis.b)).norm(), allowed * size);
      }
    }
  }
}

TEST(OracleKinematics, JoinsThePosesOfAStep) {
  for (std::uint64_t i = 0; i < 2000; ++i) {
    Random random(5, 0, i);
    const Transform p0{core::normalized(random.rotation()), random.vector(0.0, 2.0)};
    const Transform p1{core::normalized(random.rotation()), random.vector(0.0, 2.0)};
    const InBetween kind = i % 2 == 0 ? InBetween::kScrew : InBetween::kTranslateRotate;
    const core::JointMotion m = core::joint_motion(p0, p1, kind);
    const Vec3 a{0.3, -0.2, 0.5};
    const AxisPath<Real> path({&m, 1}, kind, a, {}, {});
    for (int end = 0; end < 2; ++end) {
      const Transform& p = end == 0 ? p0 : p1;
      const Eigen::Quaterniond r(p.rotation.w, p.rotation.x, p.rotation.y, p.rotation.z);
      const Axis<Real> axis = path.at(static_cast<Real>(end));
      EXPECT_LT((r * eigen(a) + eigen(p.translation) - eigen(axis.a)).norm(), 1e-13);
      EXPECT_LT((eigen(p.translation) - eigen(axis.b)).norm(), 1e-13);
    }
  }
}

Real farthest(const Vec<Interval>& held, const RealVec& v) {
  const Real x = held.x.farthest_from(v.x);
  const Real y = held.y.farthest_from(v.y);
  const Real z = held.z.farthest_from(v.z);
  return std::sqrt(x * x + y * y + z * z);
}

TEST(OracleKinematics, RoundingStaysWithinTheSlack) {
  Real worst = 0.0L;
  for (int c = 0; c < kClassCount; ++c) {
    const QueryGenerator generator(static_cast<QueryClass>(c), 12);
    for (std::uint64_t i = 0; i < 40; ++i) {
      const LinkQuery q = generator.make(2 * i);
      const LinkPath path(q.chain, q.kind, q.a, q.b);
      const AxisPath<Interval> proved(q.chain, q.kind, q.a, q.b, path.origin());
      const Real slack = rounding_slack(path.bounds(), 0.0L);
      Random random(12, static_cast<std::uint64_t>(c), i);
      for (const Real t : {0.0L, 1.0L, static_cast<Real>(random.unit()), 1.0L / 3.0L}) {
        const Axis<Real> axis = path.at(t);
        const Axis<Interval> held = proved.at(Interval(t));
        const Real off = std::max(farthest(held.a, axis.a), farthest(held.b, axis.b));
        // Three quarters of the slack are for positions, the rest is for distances.
        EXPECT_LE(off, 0.75L * slack) << name_of(static_cast<QueryClass>(c)) << " " << 2 * i;
        worst = std::max(worst, off / slack);
      }
    }
  }
  RecordProperty("worst_share_of_slack", std::to_string(static_cast<double>(worst)));
  EXPECT_GT(worst, 1e-4L) << "the slack is needlessly wide, or the test tests nothing";
}

// Two links: each is computed relative to its own root, and one is then moved over to the other's.
TEST(OracleKinematics, RoundingOfTwoLinksStaysWithinTheirSlack) {
  Real worst = 0.0L;
  for (int c = 0; c < kPairClassCount; ++c) {
    const auto pair_class = static_cast<PairClass>(c);
    for (std::uint64_t i = 0; i < 15; ++i) {
      const PairQuery q = make_pair(pair_class, 13, i)[i % 2];
      const LinkPath first = path_of(q.first);
      const LinkPath second = path_of(q.second);
      const AxisPath<Interval> proved(q.second.chain, q.second.kind, q.second.a, q.second.b,
                                      first.origin());
      const RealVec shift = widen<Real>(second.origin()) - widen<Real>(first.origin());
      const Real slack = rounding_slack(second.bounds(), length(shift));
      for (const Real t : {0.0L, 1.0L, 1.0L / 3.0L}) {
        const Axis<Real> axis = second.at(t);
        const Axis<Interval> held = proved.at(Interval(t));
        const Real off =
            std::max(farthest(held.a, axis.a + shift), farthest(held.b, axis.b + shift));
        EXPECT_LE(off, 0.75L * slack) << name_of(pair_class) << " " << i;
        worst = std::max(worst, off / slack);
      }
    }
  }
  EXPECT_GT(worst, 1e-4L) << "the slack is needlessly wide, or the test tests nothing";
}

}  // namespace
}  // namespace tocsin::oracle::test::kinematics_test
