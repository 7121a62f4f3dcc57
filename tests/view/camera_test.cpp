// The camera against pinhole geometry worked out by hand, and its matrices against itself.
#include "view/camera.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

#include "core/vector/vec.h"

namespace tocsin::view::camera_test {
namespace {

/// 10 m in front of the origin, 90 degrees from edge to edge: at the origin the picture is 20 m
/// high.
Camera square_on() { return {{0.0, 0.0, 10.0}, {}, 90.0, 400, 200}; }

TEST(Camera, ProjectsAsAPinholeDoes) {
  const auto middle = square_on().project({});
  ASSERT_TRUE(middle.has_value());
  EXPECT_NEAR(middle->x, 200.0, 1e-9);
  EXPECT_NEAR(middle->y, 100.0, 1e-9);
  EXPECT_NEAR(middle->depth, 10.0, 1e-12);
  const auto corner = square_on().project({-20.0, 10.0, 0.0});  // 2:1, so 40 m wide
  ASSERT_TRUE(corner.has_value());
  EXPECT_NEAR(corner->x, 0.0, 1e-9);
  EXPECT_NEAR(corner->y, 0.0, 1e-9);
  EXPECT_FALSE(square_on().project({0.0, 0.0, 10.5}).has_value());
}

/// What OpenGL would make of the two matrices.
Seen through_matrices(const Camera& camera, const Vec3& p, double near, double far) {
  const auto times = [](const Mat4& m, const std::array<double, 4>& v) {
    std::array<double, 4> out{};
    for (std::size_t row = 0; row < 4; ++row) {
      for (std::size_t i = 0; i < 4; ++i)
        out.at(row) += static_cast<double>(m.at(4 * i + row)) * v.at(i);
    }
    return out;
  };
  const auto clip = times(camera.projection(near, far), times(camera.view(), {p.x, p.y, p.z, 1.0}));
  return {(0.5 + 0.5 * clip[0] / clip[3]) * camera.width,
          (0.5 - 0.5 * clip[1] / clip[3]) * camera.height, clip[2] / clip[3]};
}

TEST(Camera, TheMatricesSayTheSame) {
  std::mt19937_64 random(7);
  std::uniform_real_distribution<double> place(-3.0, 3.0);
  int seen = 0;
  for (int i = 0; i < 200; ++i) {
    const Camera camera{{place(random), place(random), place(random)},
                        {place(random), place(random), place(random)},
                        40.0,
                        640,
                        480};
    const Vec3 point{place(random), place(random), place(random)};
    const auto expected = camera.project(point);
    if (!expected || expected->depth < 0.3) continue;
    ++seen;
    const Seen drawn = through_matrices(camera, point, 0.1, 100.0);
    EXPECT_NEAR(drawn.x, expected->x, 1e-3 * (1.0 + std::fabs(expected->x)));
    EXPECT_NEAR(drawn.y, expected->y, 1e-3 * (1.0 + std::fabs(expected->y)));
  }
  EXPECT_GT(seen, 50);
  const Camera camera = square_on();
  EXPECT_NEAR(through_matrices(camera, {0.0, 0.0, 9.5}, 0.5, 20.0).depth, -1.0, 1e-4);
  EXPECT_NEAR(through_matrices(camera, {0.0, 0.0, -10.0}, 0.5, 20.0).depth, 1.0, 1e-4);
}

TEST(Camera, StandsUprightAndLooksDownWithoutTurningOver) {
  const Camera level{{1.0, 2.0, 3.0}, {4.0, 2.5, -1.0}, 40.0, 10, 10};
  EXPECT_NEAR(level.right().y, 0.0, 1e-12);
  EXPECT_GT(level.up().y, 0.9);
  const Camera down{{0.0, 5.0, 0.0}, {}, 40.0, 10, 10};
  EXPECT_NEAR(core::norm(down.right()), 1.0, 1e-12);
  EXPECT_NEAR(core::norm(down.up()), 1.0, 1e-12);
}

TEST(Camera, ABadOneIsRefused) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double inf = std::numeric_limits<double>::infinity();
  const Vec3 eye{0.0, 0.0, 1.0};
  for (const Camera& bad :
       {Camera{{nan, 0.0, 0.0}, {}, 40.0, 8, 8}, Camera{eye, {0, inf, 0}, 40.0, 8, 8},
        Camera{eye, eye, 40.0, 8, 8}, Camera{{2e6, 0, 0}, {}, 40.0, 8, 8},
        Camera{eye, {}, 0.0, 8, 8}, Camera{eye, {}, 180.0, 8, 8}, Camera{eye, {}, nan, 8, 8}}) {
    EXPECT_EQ(check_camera(bad).error().code, ErrorCode::kUsage);
    EXPECT_FALSE(check_camera(bad).error().message.empty());
  }
  EXPECT_TRUE(check_camera(square_on()));
}

}  // namespace
}  // namespace tocsin::view::camera_test
