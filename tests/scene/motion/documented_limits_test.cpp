// What docs/exact.md says under "What is not claimed" of half turns and of times near 1e6 s.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <random>
#include <string>
#include <vector>

#include "tocsin/motion.h"
#include "tocsin/time_line.h"

namespace tocsin::documented_limits_test {
namespace {

using Vec4 = std::array<double, 4>;

Vec4 unit(Vec4 q) {
  const double n = std::hypot(std::hypot(q[0], q[1]), std::hypot(q[2], q[3]));
  for (double& x : q) x /= n;
  return q;
}

Vec4 random_unit(std::mt19937_64& engine) {
  std::normal_distribution<double> normal;
  return unit({normal(engine), normal(engine), normal(engine), normal(engine)});
}

double dot(const Vec4& a, const Vec4& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
}

/// Radians, 0 to pi, between two rotations.
double angle(const Vec4& a, const Vec4& b) {
  return 2.0 * std::acos(std::min(1.0, std::abs(dot(a, b))));
}

Transform turned(const Vec4& q) { return {{q[0], q[1], q[2], q[3]}, {}}; }

/// Half-way from a to b.
Vec4 between(const Vec4& a, const Vec4& b, InBetween how) {
  const std::array<Transform, 1> from{turned(a)};
  const std::array<Transform, 1> to{turned(b)};
  const Quat q = pose_between(from, to, how, 0.5)[0].rotation;
  return {q.w, q.x, q.y, q.z};
}

TEST(DocumentedLimits, TheLastBitsOfAHalfTurnDecideTheWayRound) {
  std::mt19937_64 engine(20261125);
  int ways_differ = 0;
  for (int i = 0; i < 1000; ++i) {
    const Vec4 a = random_unit(engine);
    Vec4 b = random_unit(engine);
    const double along = dot(a, b);
    for (std::size_t k = 0; k < 4; ++k) b[k] -= along * a[k];  // a half turn away
    b = unit(b);
    // Nearer to a, and nearer to -a, by some last bits: what storing it in another format may do.
    Vec4 nearer = b;
    Vec4 farther = b;
    for (std::size_t k = 0; k < 4; ++k) {
      nearer[k] += 1e-15 * a[k];
      farther[k] -= 1e-15 * a[k];
    }
    ASSERT_LT(angle(nearer, farther), 1e-7);  // acos knows no less
    for (const InBetween how : {InBetween::kScrew, InBetween::kTranslateRotate}) {
      const Vec4 one = between(a, nearer, how);
      const Vec4 other = between(a, farther, how);
      // Both are as short.
      for (const Vec4& middle : {one, other}) {
        EXPECT_NEAR(angle(a, middle), std::numbers::pi / 2, 1e-7);
        EXPECT_NEAR(angle(b, middle), std::numbers::pi / 2, 1e-7);
      }
      if (angle(one, other) > 3.0) ++ways_differ;
    }
  }
  EXPECT_GT(ways_differ, 1800) << "of 2000";
}

/// A joint that runs about at up to 12 m/s, 120 frames a second: faster than a hand.
Motion running(std::mt19937_64& engine, int frames) {
  std::uniform_real_distribution<double> step(-0.057, 0.057);
  std::vector<Transform> poses;
  Vec3 at{0.0, 1.0, 0.0};
  for (int f = 0; f < frames; ++f) {
    poses.push_back({{}, at});
    at = {at.x + step(engine), at.y + step(engine), at.z + step(engine)};
  }
  const std::vector<Joint> joints{{"hand", -1, {}}};
  return *Motion::create(*Skeleton::create(joints), 1.0 / 120.0, std::move(poses));
}

TEST(DocumentedLimits, NearAMillionSecondsPosesAreOffByNanometresAtMost) {
  constexpr double kStated = 5e-9;  // metres
  std::mt19937_64 engine(7);
  double greatest = 0.0;
  for (int i = 0; i < 20; ++i) {
    const Motion one = running(engine, 60);
    const Motion other = running(engine, 60);
    // A difference of starts that is a double at both times: the cuts are at the same places.
    const double apart = (1.0 + i) / 4096.0;
    const std::vector<TakePart> here{{one, {}, 1.0}, {other, {}, 1.0 + apart}};
    const std::vector<TakePart> far{{one, {}, 1e6 - 1.0}, {other, {}, 1e6 - 1.0 + apart}};
    const auto near_line = on_one_time_line(here);
    const auto far_line = on_one_time_line(far);
    ASSERT_TRUE(near_line.ok() && far_line.ok());
    ASSERT_EQ(near_line->instants.size(), far_line->instants.size());
    for (std::size_t take = 0; take < 2; ++take) {
      ASSERT_EQ(near_line->steps[take].size(), far_line->steps[take].size());
      for (std::size_t k = 0; k < near_line->steps[take].size(); ++k) {
        const Vec3 a = near_line->steps[take][k].pose1()[0].translation;
        const Vec3 b = far_line->steps[take][k].pose1()[0].translation;
        greatest = std::max(greatest, std::hypot(a.x - b.x, a.y - b.y, a.z - b.z));
      }
    }
  }
  EXPECT_LE(greatest, kStated);
  EXPECT_GT(greatest, 1e-12) << "nothing was rounded: the test shows nothing";
}

}  // namespace
}  // namespace tocsin::documented_limits_test
