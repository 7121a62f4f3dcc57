// The quick look at two hulls, against points of both at many times.
#include "core/query/hull_look.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <random>

namespace tocsin::core::hull_look_test {
namespace {

constexpr int kGrid = 5;
constexpr int kTimes = 24;

class Random {
 public:
  explicit Random(unsigned seed) : engine_(seed) {}
  double operator()(double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(engine_);
  }
  Vec3 vec(double size) {
    return {(*this)(-size, size), (*this)(-size, size), (*this)(-size, size)};
  }
  /// A triangle of this size, in four of nine cases a segment or a point.
  SeenHull hull(const Vec3& at, double size, double speed) {
    SeenHull out;
    const Vec3 way = vec(speed);
    for (int i = 0; i < kMostCorners; ++i) {
      out.p[i] = at + vec(size);
      out.v[i] = way + vec(0.3 * speed);
    }
    const auto same = static_cast<int>((*this)(0.0, 9.0));
    const auto copy = [&](int to, int from) {
      out.p[to] = out.p[from];
      out.v[to] = out.v[from];
    };
    if (same < 3) copy((same + 1) % 3, same);
    if (same == 3) copy(1, 2), copy(0, 2);
    return out;
  }

 private:
  std::mt19937 engine_;
};

/// A point of the hull after h steps.
Vec3 point_of(const SeenHull& hull, int i, int j, double h, const Vec3& acceleration) {
  const double u = static_cast<double>(i) / kGrid;
  const double v = (1.0 - u) * j / kGrid;
  const double w = 1.0 - u - v;
  const Vec3 p = u * hull.p[0] + v * hull.p[1] + w * hull.p[2];
  const Vec3 speed = u * hull.v[0] + v * hull.v[1] + w * hull.v[2];
  return p + h * speed + (0.5 * h * h) * acceleration;
}

template <class Visit>
void for_points(const SeenHull& hull, double h, const Vec3& acceleration, const Visit& visit) {
  for (int i = 0; i <= kGrid; ++i) {
    for (int j = 0; j <= kGrid; ++j) visit(point_of(hull, i, j, h, acceleration));
  }
}

double least_gap(const SeenHull& f, const SeenHull& g, double h, const Vec3& a, const Vec3& b) {
  double least = 1e300;
  for_points(f, h, a, [&](const Vec3& x) {
    for_points(g, h, b, [&](const Vec3& y) { least = std::min(least, norm(x - y)); });
  });
  return least;
}

TEST(HullLook, NoPointsAreWithinReachBeforeTheTimeThatIsProved) {
  Random random(20);
  int proved = 0;
  int tight = 0;
  for (int k = 0; k < 1500; ++k) {
    const double bent = random(0.0, 1.0) < 0.5 ? random(0.0, 4.0) : 0.0;
    const Vec3 to_g = random.vec(0.8);
    HullLook look;
    look.f = random.hull({}, 0.4, 1.0);
    look.g = random.hull(to_g, 0.4, 1.0);
    look.acceleration = bent;
    look.reach = 0.01;
    // Straight at each other, as far as it is allowed.
    const Vec3 a = (0.5 * bent / std::max(norm(to_g), 1e-9)) * to_g;
    const Vec3 b = -1.0 * a;
    const double time = clear_time_of_look(look);
    if (!(time > 0.0)) continue;
    ++proved;
    const double end = std::min(time, look.left);
    for (int i = 0; i <= kTimes; ++i) {
      ASSERT_GT(least_gap(look.f, look.g, end * i / kTimes, a, b), look.reach * (1.0 - 1e-9))
          << "case " << k << " at " << i << " of " << kTimes << " parts of " << end;
    }
    tight += least_gap(look.f, look.g, end, a, b) < 0.15 ? 1 : 0;
  }
  EXPECT_GT(proved, 700);
  EXPECT_GT(tight, 100);
}

TEST(HullLook, NearPointsAreNearestWhateverCornersAreOne) {
  Random random(21);
  for (int k = 0; k < 3000; ++k) {
    const SeenHull hull = random.hull({}, 1.0, 0.0);
    const Vec3 p = random.vec(2.0);
    const Vec3 found = detail::point_near(hull, p);
    double least = 1e300;
    for_points(hull, 0.0, {}, [&](const Vec3& x) { least = std::min(least, norm(p - x)); });
    // Not: not a number.
    ASSERT_TRUE(norm(p - found) <= least + 1e-12) << "case " << k;
  }
}

}  // namespace
}  // namespace tocsin::core::hull_look_test
