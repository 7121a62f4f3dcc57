// The parts of reading a skinned motion: rigid motions of affine maps, and frames from key times.
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <Eigen/Geometry>
#include <cmath>
#include <random>
#include <vector>

#include "io/import/key_times.h"
#include "io/import/rigid.h"

namespace tocsin::io::skinned_parts_test {
namespace {

Affine affine(const Eigen::Matrix3d& m, const Eigen::Vector3d& t) {
  Affine out;
  for (int i = 0; i < 3; ++i) out.linear.row[i] = {m(i, 0), m(i, 1), m(i, 2)};
  out.origin = {t.x(), t.y(), t.z()};
  return out;
}

Eigen::Quaterniond eigen(const Quat& q) { return {q.w, q.x, q.y, q.z}; }

TEST(RigidPart, IsTheRotationOfThePolarDecomposition) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  int tested = 0;
  while (tested < 500) {
    Eigen::Matrix3d m;
    for (int i = 0; i < 9; ++i) m(i / 3, i % 3) = uniform(random);
    m *= std::pow(10.0, 4.0 * uniform(random));
    if (m.determinant() <= 0.0) continue;
    // M = R S with S the root of M^T M.
    const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> squares(m.transpose() * m);
    const Eigen::Vector3d stretch = squares.eigenvalues().cwiseMax(0.0).cwiseSqrt();
    if (stretch.minCoeff() < 0.01 * stretch.maxCoeff()) continue;
    ++tested;
    const Eigen::Matrix3d& axes = squares.eigenvectors();
    const Eigen::Matrix3d rotation =
        m * axes * stretch.cwiseInverse().asDiagonal() * axes.transpose();
    const auto rigid = rigid_part(affine(m, {1, 2, 3}));
    ASSERT_TRUE(rigid.has_value());
    EXPECT_LT((eigen(rigid->rotation).toRotationMatrix() - rotation).norm(), 1e-10);
    EXPECT_NEAR(eigen(rigid->rotation).norm(), 1.0, 1e-15);
    EXPECT_EQ(rigid->translation, (Vec3{1, 2, 3}));
  }
}

TEST(RigidPart, KeepsRotationsOfEveryKind) {
  for (const double angle : {0.0, 1e-9, 0.5, 1.5707963267948966, 3.0, 3.141592653589793, 5.0}) {
    for (const Eigen::Vector3d& axis :
         {Eigen::Vector3d(1, 0, 0), Eigen::Vector3d(0, 1, 0), Eigen::Vector3d(0, 0, 1),
          Eigen::Vector3d(1, 1, 1), Eigen::Vector3d(-3, 1, 2)}) {
      const Eigen::Quaterniond q(Eigen::AngleAxisd(angle, axis.normalized()));
      const auto rigid = rigid_part(affine(0.01 * q.toRotationMatrix(), {0, 0, 0}));
      ASSERT_TRUE(rigid.has_value());
      EXPECT_NEAR(std::fabs(eigen(rigid->rotation).dot(q)), 1.0, 1e-15);
    }
  }
}

TEST(RigidPart, IsNoneForWhatIsNoRotation) {
  const double inf = std::numeric_limits<double>::infinity();
  const Eigen::Matrix3d one = Eigen::Matrix3d::Identity();
  EXPECT_FALSE(rigid_part(affine(-one, {0, 0, 0})).has_value());
  EXPECT_FALSE(rigid_part(affine(0.0 * one, {0, 0, 0})).has_value());
  EXPECT_FALSE(rigid_part(affine(Eigen::Vector3d(1, 1, 0).asDiagonal(), {0, 0, 0})).has_value());
  EXPECT_FALSE(rigid_part(affine(Eigen::Vector3d(1, 1, 1e-9).asDiagonal(), {0, 0, 0})).has_value());
  EXPECT_FALSE(rigid_part(affine(one, {0, inf, 0})).has_value());
  EXPECT_FALSE(rigid_part(affine(std::nan("") * one, {0, 0, 0})).has_value());
  EXPECT_FALSE(rigid_part(affine(1e200 * one, {0, 0, 0})).has_value());
  EXPECT_TRUE(rigid_part(affine(1e-9 * one, {0, 0, 0})).has_value());
}

TEST(Slerp, TurnsAtConstantSpeedTheShortWay) {
  std::mt19937 random(11);
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  for (int i = 0; i < 500; ++i) {
    Eigen::Quaterniond a(uniform(random), uniform(random), uniform(random), uniform(random));
    Eigen::Quaterniond b(uniform(random), uniform(random), uniform(random), uniform(random));
    a.normalize();
    b.normalize();
    if (i % 5 == 0) b = a;
    if (i % 5 == 1) b.coeffs() = -a.coeffs();
    if (i % 5 == 2) b = a * Eigen::Quaterniond(Eigen::AngleAxisd(1e-10, Eigen::Vector3d::UnitX()));
    const double u = 0.5 * (uniform(random) + 1.0);
    const Quat got = slerp({a.w(), a.x(), a.y(), a.z()}, {b.w(), b.x(), b.y(), b.z()}, u);
    EXPECT_NEAR(std::fabs(eigen(got).dot(a.slerp(u, b))), 1.0, 1e-14);
    EXPECT_NEAR(eigen(got).norm(), 1.0, 1e-15);
  }
}

std::vector<double> float_times(double first, double frame_time, const std::vector<int>& frames) {
  std::vector<double> out;
  for (const int k : frames) {
    // A float of seconds, which assimp makes a float of milliseconds.
    const auto seconds = static_cast<float>(first + k * frame_time);
    out.push_back(static_cast<double>(seconds * 1000.0F) / 1000.0);
  }
  return out;
}

TEST(KeyTimes, GridsAreRecognised) {
  for (const double first : {0.0, 0.25, 7.0}) {
    for (const double rate : {24.0, 25.0, 30.0, 60.0, 90.0, 120.0}) {
      const auto all = even_grid(float_times(first, 1.0 / rate, {0, 1, 2, 3, 4}), 0.0);
      ASSERT_TRUE(all.has_value()) << first << ' ' << rate;
      EXPECT_EQ(all->frame_time, 1.0 / rate);
      EXPECT_EQ(all->count, 5);
      EXPECT_NEAR(all->first, first, 1e-6);
      const auto sparse = even_grid(float_times(first, 1.0 / rate, {0, 30, 31, 90, 500}), 0.0);
      ASSERT_TRUE(sparse.has_value()) << first << ' ' << rate;
      EXPECT_EQ(sparse->frame_time, 1.0 / rate);
      EXPECT_EQ(sparse->count, 501);
    }
  }
  EXPECT_EQ(even_grid({0.0, 0.04, 0.08}, 0.0)->frame_time, 0.04);
  EXPECT_EQ(even_grid({0.0, 2.5}, 0.0)->frame_time, 2.5);
}

TEST(KeyTimes, WhatIsNoGridIsNone) {
  EXPECT_FALSE(even_grid({}, 0.0).has_value());
  EXPECT_FALSE(even_grid({1.0}, 0.0).has_value());
  EXPECT_FALSE(even_grid({0.0, 0.1, 0.25}, 0.0).has_value());
  EXPECT_FALSE(even_grid({0.0, 0.1, 0.201}, 0.0).has_value());
  // So far from zero that floats cannot tell.
  EXPECT_FALSE(even_grid(float_times(1e5, 0.01, {0, 1, 2}), 0.0).has_value());
  EXPECT_FALSE(even_grid({0.0, 1e-7, 1000.0}, 0.0).has_value());
}

TEST(KeyTimes, TheFilesOwnWordCountsIfItAgrees) {
  const std::vector<double> times = float_times(0.0, 0.0417083750417, {0, 1, 2, 3, 100});
  EXPECT_EQ(even_grid(times, 0.0417083750417)->frame_time, 0.0417083750417);
  EXPECT_NE(even_grid(times, 0.0418)->frame_time, 0.0418);
  EXPECT_NEAR(even_grid(times, -1.0)->frame_time, 0.0417083750417, 1e-8);
  EXPECT_NEAR(even_grid(times, std::nan(""))->frame_time, 0.0417083750417, 1e-8);
}

TEST(KeyTimes, OfAClip) {
  SceneClip clip;
  const auto add = [&](const std::vector<double>& times) {
    SceneTrack track;
    track.times = times;
    clip.tracks.push_back(track);
  };
  EXPECT_TRUE(key_times(clip, false).empty());
  add({0.5});
  EXPECT_EQ(key_times(clip, false), std::vector<double>{0.5});
  add({0.0, 1.0});
  add({-0.5, 1.0 + 1e-10, 2.0});
  EXPECT_EQ(key_times(clip, false), (std::vector<double>{-0.5, 0.0, 1.0, 2.0}));
  EXPECT_EQ(key_times(clip, true), (std::vector<double>{0.0, 1.0, 2.0}));
}

}  // namespace
}  // namespace tocsin::io::skinned_parts_test
