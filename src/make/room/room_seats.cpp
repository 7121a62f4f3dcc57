// Chairs, sofas, beds.
#include <cmath>
#include <vector>

#include "make/room/room_shapes.h"

namespace tocsin::make {
namespace {

/// A board between two posts, bowed backwards by `bow`: from x = -half to half.
void bowed_board(Sculptor& s, const Frame& at, double half, double height, double thickness,
                 double bow) {
  const int n = s.segments(2.0 * half, 1, 60);
  s.lattice(at, n, 1, 1, [&](int i, int j, int k) {
    const double u = 2.0 * i / n - 1.0;
    return Vec3{u * half, j * height, k * thickness - bow * (1.0 - u * u)};
  });
}

}  // namespace

void chair(Sculptor& s, const Frame& at, int style) {
  s.cushion(at, {.low = {-0.22, 0.425, -0.2},
                 .high = {0.22, 0.465, 0.25},
                 .radius = 0.018,
                 .puff = 0.008,
                 .dents = 2.5});
  for (const double x : {-0.19, 0.19}) {
    s.rod(at, {x, 0.0, 0.215}, {x, 0.43, 0.215}, 0.017, 0.021);
    std::vector<Vec3> post{{x, 0.0, -0.215}, {x, 0.93, -0.235}};
    if (s.has_trimmings()) post.insert(post.begin() + 1, {x, 0.44, -0.2});
    s.tube(at, {.path = post, .radius = 0.017, .end_radius = 0.015});
  }
  const double lean = 0.035 / 0.49;  // of the posts above the seat
  if (!s.has_trimmings()) {
    bowed_board(s, moved(at, {0.0, 0.6, -0.2 - lean * 0.2}), 0.185, 0.3, 0.012, 0.01);
  } else if (style == 0) {
    for (const double y : {0.58, 0.71, 0.84}) {
      bowed_board(s, moved(at, {0.0, y, -0.2 - lean * (y - 0.4)}), 0.185, 0.055, 0.012, 0.01);
    }
  } else {
    bowed_board(s, moved(at, {0.0, 0.87, -0.2 - lean * 0.44}), 0.2, 0.06, 0.018, 0.005);
    for (const double x : {-0.1, 0.0, 0.1}) {
      s.rod(at, {x, 0.45, -0.19}, {x, 0.88, -0.23}, 0.009, 0.007);
    }
  }
}

void stool(Sculptor& s, const Frame& at) {
  s.turn(at, {.profile = {{0.0, 0.44},
                          {0.165, 0.44},
                          {0.17, 0.445},
                          {0.175, 0.465},
                          {0.16, 0.49},
                          {0.1, 0.5},
                          {0.0, 0.5}}});
  for (const double x : {-1.0, 1.0}) {
    for (const double z : {-1.0, 1.0}) {
      s.rod(at, {0.12 * x, 0.0, 0.12 * z}, {0.09 * x, 0.45, 0.09 * z}, 0.014, 0.02);
    }
  }
}

void sofa(Sculptor& s, const Frame& at, double width, int seats) {
  const double half = 0.5 * width;
  const double arm = 0.19;
  const double inner = half - arm;
  const bool feet = s.has_trimmings();
  s.box(at, {-half + 0.03, feet ? 0.09 : 0.0, -0.4}, {half - 0.03, 0.3, 0.42});
  for (const double x : {-1.0, 1.0}) {
    const double middle = x * (half - 0.5 * arm);
    s.cushion(at, {.low = {middle - 0.5 * arm, 0.08, -0.45},
                   .high = {middle + 0.5 * arm, 0.61, 0.46},
                   .radius = 0.07,
                   .puff = 0.006});
    if (!feet) continue;
    for (const double z : {-0.36, 0.38}) {
      s.rod(at, {x * (half - 0.1), 0.0, z}, {x * (half - 0.1), 0.1, z}, 0.018, 0.026);
    }
  }
  s.cushion(at, {.low = {-half + 0.1, 0.08, -0.465},
                 .high = {half - 0.1, 0.78, -0.24},
                 .radius = 0.07,
                 .puff = 0.006});
  const double share = 2.0 * inner / seats;
  for (int i = 0; i < seats; ++i) {
    const double low = -inner + share * i + 0.004;
    const double high = low + share - 0.008;
    s.cushion(at, {.low = {low, 0.29, -0.28},
                   .high = {high, 0.47, 0.44},
                   .radius = 0.05,
                   .puff = 0.022,
                   .dents = 1.7});
    const Frame lean = turned_x(moved(at, {0.0, 0.46, -0.2}), -9.0);
    s.cushion(lean, {.low = {low + 0.01, 0.0, -0.08},
                     .high = {high - 0.01, 0.37, 0.07},
                     .radius = 0.055,
                     .puff = 0.025,
                     .dents = 2.1});
  }
}

void loose_cushion(Sculptor& s, const Frame& at) {
  s.cushion(at, {.low = {-0.2, 0.0, -0.06},
                 .high = {0.2, 0.4, 0.06},
                 .radius = 0.055,
                 .puff = 0.045,
                 .dents = 4.0,
                 .finer = 1.5});
}

void bed(Sculptor& s, const Frame& at, const Size& size, int pillows) {
  const double half = 0.5 * size.x;
  const double head = -0.5 * size.z;
  const double foot = 0.5 * size.z;
  s.box(at, {-half + 0.02, 0.14, head + 0.03}, {half - 0.02, 0.32, foot - 0.03});
  for (const double x : {-1.0, 1.0}) {
    for (const double z : {head + 0.12, foot - 0.12}) {
      s.rod(at, {x * (half - 0.1), 0.0, z}, {x * (half - 0.1), 0.15, z}, 0.025, 0.03);
    }
  }
  s.cushion(at, {.low = {-half, 0.1, head}, .high = {half, size.y, head + 0.07}, .radius = 0.03});
  s.cushion(at, {.low = {-half + 0.04, 0.3, head + 0.08},
                 .high = {half - 0.04, 0.5, foot - 0.04},
                 .radius = 0.05,
                 .puff = 0.01,
                 .dents = 1.1});
  for (int i = 0; i < pillows; ++i) {
    const double middle = (i + 0.5) * size.x / pillows - half;
    s.cushion(turned_x(moved(at, {middle, 0.5, head + 0.34}), 8.0), {.low = {-0.33, -0.02, -0.21},
                                                                     .high = {0.33, 0.13, 0.21},
                                                                     .radius = 0.06,
                                                                     .puff = 0.04,
                                                                     .dents = 3.1,
                                                                     .finer = 1.3});
  }
  // A duvet that hangs down on both sides: down, across, down again.
  const double start = head + 0.62;
  const double drop = 0.24;
  const int side = s.segments(drop, 1, 400);
  const int top = s.segments(size.x, 1, 2000);
  const int along = s.segments(foot - start, 1, 2000);
  const int n = 2 * side + top;
  s.lattice(at, n, 1, along, [&](int i, int j, int k) {
    const double z = start + (foot - start - 0.005) * k / along;
    const double edge = half - 0.035;
    const bool left = i < side;
    const bool right = i > side + top;
    const double down =
        left ? drop * (side - i) / side : (right ? drop * (i - side - top) / side : 0.0);
    const double x = left ? -edge : (right ? edge : -edge + 2.0 * edge * (i - side) / top);
    const double rim = (x / edge) * (x / edge);
    const double fold =
        0.006 * wave(3.1 * z + 1.3 * x) * wave(1.7 * x + 0.8 * z) + 0.004 * wave(5.3 * (z - x));
    const double thick = j == 0 ? 0.0 : 0.022 + 0.5 * fold;
    const double aside =
        (x / edge) * (rim >= 1.0 ? thick + (j == 0 ? 0.0 : 0.006 * wave(4.0 * z)) : 0.0);
    return Vec3{x + aside, 0.502 + thick - down, z};
  });
}

}  // namespace tocsin::make
