// Eigen's types and Tocsin's: maps show the same memory, copies mean the same geometry.
#include "tocsin/eigen.h"

#include <gtest/gtest.h>

#include <limits>
#include <utility>
#include <vector>

#include "support/scenes/random_link.h"
#include "tocsin/motion.h"
#include "tocsin/shape.h"

namespace tocsin::eigen_test {
namespace {

/// Rodrigues' formula: what a quaternion's rotation is, by neither library.
Vec3 turned(const Quat& q, const Vec3& p) {
  const double c = q.w * q.w - q.x * q.x - q.y * q.y - q.z * q.z;
  const double d = 2.0 * (q.x * p.x + q.y * p.y + q.z * p.z);
  const double w = 2.0 * q.w;
  return {c * p.x + d * q.x + w * (q.y * p.z - q.z * p.y),
          c * p.y + d * q.y + w * (q.z * p.x - q.x * p.z),
          c * p.z + d * q.z + w * (q.x * p.y - q.y * p.x)};
}

TEST(EigenTypes, MapsAreTheSameMemory) {
  Vec3 v{1, 2, 3};
  as_eigen(v) *= 2.0;
  EXPECT_EQ(v, (Vec3{2, 4, 6}));
  const Vec3 fixed{3, 4, 12};
  EXPECT_EQ(as_eigen(fixed).norm(), 13.0);
  EXPECT_EQ(as_eigen(fixed).data(), &fixed.x);
  Vec3f f{1, 2, 3};
  as_eigen(f).y() = 7;
  EXPECT_EQ(f, (Vec3f{1, 7, 3}));

  const Shape box = Shape::box({1, 2, 3}).value();
  const auto corners = as_eigen(box.corners());
  static_assert(std::is_same_v<decltype(corners), const Eigen::Map<const Eigen::Matrix3Xd>>);
  EXPECT_EQ(corners.data(), &box.corners()[0].x);
  ASSERT_EQ(corners.cols(), 8);
  EXPECT_EQ(corners.rowwise().maxCoeff(), Eigen::Vector3d(1, 2, 3));
  EXPECT_EQ(as_eigen(box.features()).maxCoeff(), 7U);

  std::vector<Transform> poses{{{0.5, 0.5, 0.5, 0.5}, {1, 2, 3}}, {{1, 0, 0, 0}, {4, 5, 6}}};
  auto numbers = as_eigen(std::span(poses));
  EXPECT_EQ(numbers.rows(), 7);
  EXPECT_EQ(numbers(0, 1), 1.0);
  EXPECT_EQ(numbers.col(1).tail<3>(), Eigen::Vector3d(4, 5, 6));
  numbers.bottomRows<3>().array() += 1.0;
  EXPECT_EQ(poses[0].translation, (Vec3{2, 3, 4}));

  Eigen::Matrix3Xd points(3, 2);
  points << 1, 4, 2, 5, 3, 6;
  const std::span<const Vec3> seen = as_tocsin(points);
  ASSERT_EQ(seen.size(), 2U);
  EXPECT_EQ(seen[1], (Vec3{4, 5, 6}));
  EXPECT_EQ(&seen[0].x, points.data());
  const Eigen::Matrix<double, 7, Eigen::Dynamic> columns = numbers;
  EXPECT_EQ(as_tocsin(columns)[1], poses[1]);
  const Eigen::Matrix<std::uint32_t, 3, Eigen::Dynamic> triangles = as_eigen(box.features());
  EXPECT_EQ(as_tocsin(triangles)[5], box.features()[5]);
}

TEST(EigenTypes, CopiesMeanTheSame) {
  test::RandomLinks random(31);
  for (int i = 0; i < 1000; ++i) {
    const Transform t{random.rotation(random.uniform(0, 6)), random.vector(0, 10)};
    const Vec3 p = random.vector(0, 5);
    const Vec3 turned_point = turned(t.rotation, p);
    const Eigen::Vector3d want = to_eigen(turned_point) + to_eigen(t.translation);
    EXPECT_LT((to_eigen(t) * to_eigen(p) - want).norm(), 1e-13);
    EXPECT_LT((to_eigen(t.rotation) * to_eigen(p) - to_eigen(turned_point)).norm(), 1e-13);
    const Transform back = from_eigen(to_eigen(t)).value();
    EXPECT_EQ(back.translation, t.translation);
    // q and -q are one rotation.
    const double same = back.rotation.w * t.rotation.w + back.rotation.x * t.rotation.x +
                        back.rotation.y * t.rotation.y + back.rotation.z * t.rotation.z;
    EXPECT_NEAR(std::abs(same), 1.0, 1e-14);
    EXPECT_EQ(from_eigen(to_eigen(t.rotation)), t.rotation);
    EXPECT_EQ(from_eigen(to_eigen(p)), p);
  }
}

TEST(EigenTypes, WhatIsNoRotationIsRefused) {
  Eigen::Isometry3d t = Eigen::Isometry3d::Identity();
  const auto refused = [&](const Eigen::Matrix3d& matrix) {
    t.linear() = matrix;
    return !from_eigen(t).ok();
  };
  const Eigen::Matrix3d one = Eigen::Matrix3d::Identity();
  EXPECT_FALSE(refused(one));
  EXPECT_FALSE(refused(one * 1.0004));
  EXPECT_TRUE(refused(one * 1.01));
  EXPECT_TRUE(refused(-one));
  EXPECT_TRUE(refused(Eigen::Vector3d(1, 1, -1).asDiagonal()));
  EXPECT_TRUE(refused(Eigen::Matrix3d::Zero()));
  EXPECT_TRUE(refused(one * std::numeric_limits<double>::quiet_NaN()));
  EXPECT_TRUE(refused(one * std::numeric_limits<double>::infinity()));
  Eigen::Matrix3d shear = one;
  shear(0, 1) = 0.01;
  EXPECT_TRUE(refused(shear));
  t.linear() = one;
  t.translation().y() = std::numeric_limits<double>::infinity();
  EXPECT_FALSE(from_eigen(t).ok());

  std::vector<Eigen::Isometry3d> poses(3, Eigen::Isometry3d::Identity());
  poses[2].linear() *= 2.0;
  const auto result = from_eigen(poses);
  ASSERT_FALSE(result.ok());
  EXPECT_NE(result.error().message.find("transform 2"), std::string::npos);
}

TEST(EigenTypes, PosesBecomeAMotion) {
  const Skeleton skeleton = Skeleton::create({{"a", -1, {}}, {"b", 0, {}}}).value();
  std::vector<Eigen::Isometry3d> poses;
  for (int i = 0; i < 6; ++i) {
    poses.emplace_back(Eigen::Translation3d(i, 0, 0) *
                       Eigen::AngleAxisd(0.1 * i, Eigen::Vector3d::UnitY()));
  }
  const Motion motion = Motion::create(skeleton, 0.1, from_eigen(poses).value()).value();
  ASSERT_EQ(motion.frame_count(), 3);
  const auto back = to_eigen(motion.pose(2));
  ASSERT_EQ(back.size(), 2U);
  EXPECT_TRUE(back[1].isApprox(poses[5], 1e-14));
}

}  // namespace
}  // namespace tocsin::eigen_test
