// Lamps, and what stands in a music room.
#include <vector>

#include "make/room/room_shapes.h"

namespace tocsin::make {
namespace {

/// A shade that is open above and below, 4 mm thick; solid in a bare room.
void shade(Sculptor& s, const Frame& at, double low_radius, double high_radius, double height) {
  if (!s.has_trimmings()) {
    s.turn(at, {.profile = {{0.0, 0.0}, {low_radius, 0.0}, {high_radius, height}, {0.0, height}},
                .smooth = false});
    return;
  }
  constexpr double kThick = 0.004;
  s.turn(at, {.profile = {{low_radius, 0.0},
                          {high_radius, height},
                          {high_radius - kThick, height},
                          {low_radius - kThick, 0.0}},
              .smooth = false,
              .loop = true});
}

/// A bulb with a spiral, as energy-saving lamps have: long and thin, in many small triangles.
void spiral(Sculptor& s, const Frame& at, double radius, double height, int winds) {
  if (!s.has_trimmings() || s.fullness() < 0.3) {
    s.rod(at, {0.0, 0.0, 0.0}, {0.0, height, 0.0}, 0.6 * radius);
    return;
  }
  const int n = s.segments(6.3 * radius * winds * 3.0, 6 * winds, 200 * winds);
  std::vector<Vec3> path;
  for (int i = 0; i <= n; ++i) {
    const core::SinCos a = core::sincos_degrees(360.0 * winds * i / n);
    path.push_back({radius * a.cos, height * i / n, radius * a.sin});
  }
  s.tube(at, {.path = path, .radius = 0.2 * radius, .finer = 3.0});
}

}  // namespace

void floor_lamp(Sculptor& s, const Frame& at) {
  s.turn(at, {.profile = {{0.0, 0.0}, {0.15, 0.0}, {0.15, 0.012}, {0.02, 0.03}, {0.0, 0.03}},
              .smooth = false});
  s.rod(at, {0.0, 0.02, 0.0}, {0.0, 1.42, 0.0}, 0.011);
  spiral(s, moved(at, {0.0, 1.42, 0.0}), 0.025, 0.13, 5);
  shade(s, moved(at, {0.0, 1.36, 0.0}), 0.2, 0.13, 0.28);
}

void table_lamp(Sculptor& s, const Frame& at) {
  s.turn(at, {.profile = {{0.0, 0.0},
                          {0.055, 0.0},
                          {0.06, 0.004},
                          {0.07, 0.06},
                          {0.03, 0.15},
                          {0.015, 0.2},
                          {0.0, 0.205}},
              .finer = 1.5});
  spiral(s, moved(at, {0.0, 0.2, 0.0}), 0.015, 0.07, 4);
  shade(s, moved(at, {0.0, 0.19, 0.0}), 0.11, 0.075, 0.15);
}

void pendant_lamp(Sculptor& s, const Frame& at, double low, double height, int style) {
  s.turn(moved(at, {0.0, height - 0.03, 0.0}),
         {.profile = {{0.0, 0.0}, {0.03, 0.0}, {0.05, 0.03}, {0.0, 0.03}}, .smooth = false});
  if (style == 0) {
    s.rod(at, {0.0, low + 0.2, 0.0}, {0.0, height - 0.02, 0.0}, 0.004);
    spiral(s, moved(at, {0.0, low + 0.06, 0.0}), 0.03, 0.14, 5);
    shade(s, moved(at, {0.0, low, 0.0}), 0.24, 0.1, 0.22);
    return;
  }
  // A chandelier: arms with small lamps around a turned body.
  const Frame body = moved(at, {0.0, low, 0.0});
  s.rod(at, {0.0, low + 0.3, 0.0}, {0.0, height - 0.02, 0.0}, 0.006);
  s.turn(body, {.profile = {{0.0, 0.0},
                            {0.015, 0.005},
                            {0.03, 0.03},
                            {0.015, 0.07},
                            {0.045, 0.13},
                            {0.02, 0.2},
                            {0.03, 0.26},
                            {0.0, 0.31}},
                .finer = 2.0});
  for (int arm = 0; arm < 6; ++arm) {
    const Frame a = turned_y(body, 60.0 * arm);
    const int n = s.segments(0.5, 2, 200);
    std::vector<Vec3> path;
    for (int i = 0; i <= n; ++i) {
      const double t = static_cast<double>(i) / n;
      path.push_back({0.0, 0.1 - 0.22 * t * (1.0 - t) + 0.06 * t, 0.02 + 0.3 * t});
    }
    s.tube(a, {.path = path, .radius = 0.008, .end_radius = 0.006, .finer = 2.0});
    if (!s.has_trimmings()) continue;
    s.turn(
        moved(a, {0.0, 0.155, 0.32}),
        {.profile =
             {{0.0, 0.0}, {0.03, 0.01}, {0.045, 0.06}, {0.04, 0.06}, {0.025, 0.015}, {0.0, 0.008}},
         .finer = 2.0});
  }
}

void music_stand(Sculptor& s, const Frame& at) {
  // The mast is a tube of 16 mm: what the fast hand of a player meets between two frames.
  s.rod(at, {0.0, 0.09, 0.0}, {0.0, 1.12, 0.0}, 0.008, 0.007);
  for (int foot = 0; foot < 3; ++foot) {
    const Frame f = turned_y(at, 120.0 * foot);
    s.rod(f, {0.0, 0.3, 0.0}, {0.0, 0.006, 0.22}, 0.006);
  }
  const Frame desk = turned_x(moved(at, {0.0, 1.08, 0.01}), -20.0);
  s.box(desk, {-0.24, 0.0, 0.0}, {0.24, 0.27, 0.004});
  s.box(desk, {-0.24, -0.004, -0.001}, {0.24, 0.002, 0.05});
  s.turn(moved(at, {0.0, 1.08, 0.0}),
         {.profile = {{0.0, -0.03}, {0.014, -0.03}, {0.014, 0.02}, {0.0, 0.02}}, .smooth = false});
}

void sheet_music(Sculptor& s, const Frame& at) {
  // Two pages, a little curled, a millimetre thick, on the stand's desk.
  const Frame desk = turned_x(moved(at, {0.0, 1.085, 0.018}), -20.0);
  for (const double side : {-1.0, 1.0}) {
    const int n = s.segments(0.21 * 2.0, 2, 400);
    const int m = s.segments(0.29, 1, 300);
    const double left = side < 0.0 ? -0.212 : 0.002;
    s.lattice(desk, n, m, 1, [&](int i, int j, int k) {
      const double t = static_cast<double>(i) / n;
      const double u = side < 0.0 ? 1.0 - t : t;
      return Vec3{left + 0.21 * t, 0.29 * j / m, 0.001 * k + 0.02 * u * (1.0 - u)};
    });
  }
}

}  // namespace tocsin::make
