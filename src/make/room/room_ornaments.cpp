// Plants, vessels, pictures: what is curved and dense in a room.
#include <cmath>
#include <vector>

#include "make/random.h"
#include "make/room/room_shapes.h"

namespace tocsin::make {
namespace {

/// One leaf: an arched blade from the stem outwards along +z, pointed at both ends; open.
void leaf(Sculptor& s, const Frame& at, double length, double width, double rise, double droop) {
  const int nv = s.segments(1.2 * length, 2, 400);
  const int nu = s.has_trimmings() ? 2 * s.segments(0.6 * width, 1, 100) : 1;
  s.sheet(at, nu, nv, [&](int i, int j) {
    const double u = 2.0 * i / nu - 1.0;
    const double v = static_cast<double>(j) / nv;
    const double half = 0.5 * width * 4.0 * v * (1.0 - v) * (1.25 - 0.5 * v) + 0.002;
    const double ripple = 0.012 * width * wave(6.0 * v) * std::fabs(u);
    const double y = rise * v - droop * v * v + 0.25 * half * std::fabs(u) + ripple;
    return Vec3{-u * half, y, length * v};
  });
}

}  // namespace

void plant(Sculptor& s, const Frame& at, double height, std::uint64_t seed) {
  Random random(seed);
  s.turn(
      at,
      {.profile = {{0.0, 0.0}, {0.13, 0.0}, {0.17, 0.27}, {0.155, 0.27}, {0.15, 0.24}, {0.0, 0.24}},
       .smooth = false});
  const double stem = 0.55 * height;
  s.tube(at, {.path = {{0.0, 0.22, 0.0}, {0.015, 0.5 * stem, 0.01}, {0.0, stem, 0.0}},
              .radius = 0.014,
              .end_radius = 0.008});
  // The first leaves are the longest and are there at any size: they make the box.
  constexpr int kFirst = 9;
  constexpr int kLeaves = 40;
  for (int i = 0; i < kLeaves; ++i) {
    const double start = 0.3 + (stem - 0.3) * random.uniform(0.25, 1.0);
    const double size = i < kFirst ? 1.0 : random.uniform(0.55, 0.8);
    const double up = i < 3 ? height - stem : random.uniform(0.1, 0.5) * (height - stem);
    const double tilt = random.uniform(0.0, 15.0);
    if (i >= kFirst && s.fullness() < 1.0 * i / kLeaves) continue;
    const Frame f =
        turned_y(moved(at, {0.0, i < 3 ? stem - 0.01 : start, 0.0}), 137.508 * i + tilt);
    leaf(s, f, (i < 3 ? 0.2 : 0.34) * size, 0.11 * size, i < 3 ? up : up + 0.12,
         i < 3 ? 0.0 : 0.14 * size);
  }
}

void vase(Sculptor& s, const Frame& at, double height) {
  const double h = height;
  s.turn(at, {.profile = {{0.0, 0.0},
                          {0.18 * h, 0.0},
                          {0.2 * h, 0.01 * h},
                          {0.32 * h, 0.38 * h},
                          {0.17 * h, 0.78 * h},
                          {0.21 * h, 0.98 * h},
                          {0.2 * h, h},
                          {0.18 * h, 0.98 * h},
                          {0.14 * h, 0.78 * h},
                          {0.29 * h, 0.38 * h},
                          {0.17 * h, 0.04 * h},
                          {0.0, 0.03 * h}},
              .finer = 2.0});
}

void bowl(Sculptor& s, const Frame& at, double radius) {
  const double r = radius;
  s.turn(at, {.profile = {{0.0, 0.0},
                          {0.4 * r, 0.0},
                          {0.42 * r, 0.02 * r},
                          {0.8 * r, 0.2 * r},
                          {r, 0.5 * r},
                          {0.96 * r, 0.5 * r},
                          {0.75 * r, 0.23 * r},
                          {0.0, 0.08 * r}},
              .finer = 2.0});
}

void plate(Sculptor& s, const Frame& at) {
  s.turn(at, {.profile = {{0.0, 0.001},
                          {0.07, 0.001},
                          {0.085, 0.006},
                          {0.125, 0.018},
                          {0.123, 0.021},
                          {0.08, 0.01},
                          {0.0, 0.006}},
              .finer = 1.5});
}

void cup(Sculptor& s, const Frame& at) {
  s.turn(at, {.profile = {{0.0, 0.001},
                          {0.028, 0.001},
                          {0.03, 0.004},
                          {0.04, 0.05},
                          {0.042, 0.08},
                          {0.039, 0.08},
                          {0.036, 0.05},
                          {0.025, 0.008},
                          {0.0, 0.006}},
              .finer = 2.0});
  const int n = s.segments(0.3, 4, 60);
  std::vector<Vec3> path;
  for (int i = 0; i <= n; ++i) {
    const core::SinCos a = core::sincos_degrees(-80.0 + 160.0 * i / n);
    path.push_back({0.034 + 0.026 * a.cos, 0.042 + 0.024 * a.sin, 0.0});
  }
  s.tube(at, {.path = path, .radius = 0.004, .finer = 2.0});
}

void knot(Sculptor& s, const Frame& at, double size, int winds) {
  // A (2, winds) torus knot on a plinth.
  s.box(at, {-0.3 * size, 0.0, -0.3 * size}, {0.3 * size, 0.12 * size, 0.3 * size});
  const Frame middle = turned_x(moved(at, {0.0, 0.62 * size, 0.0}), 90.0);
  const double big = 0.3 * size;
  const double small = 0.13 * size;
  const int n = s.segments(2.0 * core::kPi * (2.0 * big + winds * small) * 3.0, 8 * winds, 6000);
  std::vector<Vec3> path;
  for (int i = 0; i < n; ++i) {
    const core::SinCos around = core::sincos_degrees(720.0 * i / n);
    const core::SinCos across = core::sincos_degrees(360.0 * winds * i / n);
    const double r = big + small * across.cos;
    path.push_back({r * around.cos, small * across.sin, r * around.sin});
  }
  s.tube(middle,
         {.path = path, .radius = 0.07 * size, .loop = true, .finer = 2.0, .least_sides = 5});
}

void globe(Sculptor& s, const Frame& at) {
  s.turn(at, {.profile = {{0.0, 0.0}, {0.09, 0.0}, {0.09, 0.012}, {0.015, 0.03}, {0.0, 0.03}},
              .smooth = false});
  s.rod(at, {0.0, 0.02, 0.0}, {0.0, 0.09, 0.0}, 0.008);
  s.ball(turned_z(moved(at, {0.0, 0.22, 0.0}), 23.4), 0.14, 1.0);
  const int n = s.segments(1.0, 4, 300);
  std::vector<Vec3> path;
  for (int i = 0; i <= n; ++i) {
    const core::SinCos a = core::sincos_degrees(180.0 * i / n);
    path.push_back({0.155 * a.sin, 0.155 * a.cos, 0.0});
  }
  s.tube(turned_z(moved(at, {0.0, 0.22, 0.0}), 23.4), {.path = path, .radius = 0.006});
}

void screen(Sculptor& s, const Frame& at, double width) {
  const double x = 0.5 * width;
  const double h = 0.56 * width;
  s.cushion(at,
            {.low = {-0.3 * width, 0.0, -0.1}, .high = {0.3 * width, 0.014, 0.1}, .radius = 0.006});
  s.box(at, {-0.05, 0.01, -0.03}, {0.05, 0.1, 0.0});
  s.cushion(at, {.low = {-x, 0.06, -0.02}, .high = {x, 0.06 + h, 0.02}, .radius = 0.008});
}

void picture(Sculptor& s, const Frame& at, double width, double height) {
  const double x = 0.5 * width;
  const double b = 0.035;
  s.ring(at, {-x, 0.0, 0.0}, {x, height, 0.028}, b);
  s.box(at, {-x + b - 0.004, b - 0.004, 0.004}, {x - b + 0.004, height - b + 0.004, 0.016});
}

void carpet(Sculptor& s, const Frame& at, double width, double depth) {
  const int nx = s.segments(width, 1, 8000);
  const int nz = s.segments(depth, 1, 8000);
  s.lattice(at, nx, 1, nz, [&](int i, int j, int k) {
    const double x = width * (static_cast<double>(i) / nx - 0.5);
    const double z = depth * (static_cast<double>(k) / nz - 0.5);
    if (j == 0) return Vec3{x, 0.001, z};
    const double pile = 0.0015 * wave(9.0 * x) * wave(9.0 * z) + 0.001 * wave(2.3 * x + 1.1 * z);
    return Vec3{x, 0.0105 + pile, z};
  });
}

}  // namespace tocsin::make
