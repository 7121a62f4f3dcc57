// Kitchen and bathroom.
#include <cmath>
#include <vector>

#include "make/room/room_shapes.h"

namespace tocsin::make {
namespace {

using core::clamp_to;

/// A block with a hollow: a sink, a washbasin, a bathtub. Its upper side is at y = 0.
struct Basin {
  Size size;
  double rim = 0.04;    ///< m
  double slope = 0.08;  ///< m, over which the hollow reaches its depth
  double depth = 0.1;   ///< m
};

double smooth_step(double t) { return t * t * (3.0 - 2.0 * t); }

void basin(Sculptor& s, const Frame& at, const Basin& b) {
  struct Axis {
    double half, rim, slope;
    int a, b, c;  // cells of the rim, the slope, the bottom

    [[nodiscard]] int cells() const { return 2 * (a + b) + c; }
    [[nodiscard]] double at(int i) const {
      const int mirrored = cells() - i;
      if (mirrored < i) return -at(mirrored);
      if (i <= a) return -half + rim * i / a;
      if (i <= a + b) return -half + rim + slope * (i - a) / b;
      const double inner = half - rim - slope;
      return -inner + 2.0 * inner * (i - a - b) / c;
    }
    [[nodiscard]] double share(double x) const {
      return smooth_step(clamp_to((half - rim - std::fabs(x)) / slope, 0.0, 1.0));
    }
  };
  const auto axis = [&](double size) {
    const int rim = s.segments(b.rim, 1, 60);
    const int slope = s.segments(1.5 * b.slope, 1, 200);
    // An odd number: the middle of an even one would be a point of its own mirror image.
    const int bottom = 2 * s.segments(0.5 * (size - 2.0 * (b.rim + b.slope)), 0, 1000) + 1;
    return Axis{0.5 * size, b.rim, b.slope, rim, slope, bottom};
  };
  const Axis x = axis(b.size.x);
  const Axis z = axis(b.size.z);
  s.lattice(at, x.cells(), 1, z.cells(), [&](int i, int j, int k) {
    const double px = x.at(i);
    const double pz = z.at(k);
    const double y = j == 0 ? -b.size.y : -b.depth * x.share(px) * z.share(pz);
    return Vec3{px, y, pz};
  });
}

/// A tap: up, over and a little down towards +z, `reach` metres.
void tap(Sculptor& s, const Frame& at, double height, double reach) {
  const int bend = s.segments(core::kPi * 0.5 * reach * 2.0, 4, 120);
  std::vector<Vec3> path{{0.0, 0.0, 0.0}};
  const double r = 0.5 * reach;
  for (int i = 0; i <= bend; ++i) {
    const core::SinCos a = core::sincos_degrees(160.0 * i / bend);
    path.push_back({0.0, height - r + r * a.sin, r - r * a.cos});
  }
  s.tube(at, {.path = path, .radius = 0.012, .end_radius = 0.01, .finer = 2.0});
  if (!s.has_trimmings()) return;
  s.rod(at, {-0.07, 0.0, 0.0}, {-0.07, 0.05, 0.0}, 0.014, 0.018);
  s.rod(at, {0.07, 0.0, 0.0}, {0.07, 0.05, 0.0}, 0.014, 0.018);
}

}  // namespace

void kitchen_block(Sculptor& s, const Frame& at, double width) {
  const double x = 0.5 * width;
  const double z = 0.5 * kKitchenDepth;
  s.box(at, {-x + 0.01, 0.0, -z + 0.03}, {x - 0.01, 0.1, z - 0.09});
  // What is below the sink stays out of its way.
  s.box(at, {-x + 0.005, 0.09, -z + 0.01}, {x - 0.005, 0.7, z - 0.04});
  s.box(at, {-x + 0.006, 0.68, -z + 0.012}, {x - 0.006, 0.875, -z + 0.05});
  s.box(at, {-x + 0.006, 0.68, z - 0.08}, {x - 0.006, 0.875, z - 0.041});
  const int doors = static_cast<int>(width / 0.55);
  fronts(s, at, {-x + 0.006, 0.11, x - 0.006, 0.86, z - 0.041, doors, 1, true});
  // The worktop lies on its back: x, then z, then down.
  const double sink = -0.25 * width;
  s.panel(turned_x(moved(at, {0.0, 0.91, 0.0}), 90.0), {-x, sink - 0.25, sink + 0.25, x},
          {-z, -0.17, 0.21, z}, 0.04,
          {{true, true, true}, {true, false, true}, {true, true, true}});
  basin(s, moved(at, {sink, 0.916, 0.02}),
        {.size = {0.53, 0.19, 0.41}, .rim = 0.03, .slope = 0.04, .depth = 0.17});
  tap(s, moved(at, {sink, 0.908, -0.235}), 0.3, 0.2);
  const double hob = 0.2 * width;
  s.box(at, {hob - 0.29, 0.905, -0.25}, {hob + 0.29, 0.916, 0.26});
  if (!s.has_trimmings()) return;
  for (const double px : {-0.14, 0.14}) {
    for (const double pz : {-0.12, 0.13}) {
      const double r = px * pz > 0.0 ? 0.1 : 0.08;
      s.turn(moved(at, {hob + px, 0.912, pz}),
             {.profile = {{0.0, 0.0}, {r, 0.0}, {r, 0.01}, {0.0, 0.01}}, .smooth = false});
    }
  }
}

void wall_cupboards(Sculptor& s, const Frame& at, double width) {
  const double x = 0.5 * width;
  const double back = -0.5 * kKitchenDepth;
  s.box(at, {-x + 0.005, 1.45, back + 0.005}, {x - 0.005, 2.15, back + 0.33});
  fronts(
      s, at,
      {-x + 0.005, 1.455, x - 0.005, 2.145, back + 0.33, static_cast<int>(width / 0.55), 1, true});
}

void refrigerator(Sculptor& s, const Frame& at) {
  const double x = 0.5 * kRefrigerator.x;
  const double z = 0.5 * kRefrigerator.z;
  s.box(at, {-x + 0.02, 0.0, -z + 0.02}, {x - 0.02, 0.05, z - 0.08});
  s.cushion(at, {.low = {-x, 0.04, -z}, .high = {x, kRefrigerator.y, z - 0.06}, .radius = 0.015});
  for (const double y : {0.06, 0.72}) {
    const double top = y < 0.5 ? 0.7 : kRefrigerator.y - 0.005;
    s.cushion(at, {.low = {-x + 0.002, y, z - 0.065}, .high = {x - 0.002, top, z}, .radius = 0.02});
  }
  s.rod(at, {-x + 0.06, 0.8, z + 0.025}, {-x + 0.06, 1.3, z + 0.025}, 0.01);
  s.rod(at, {-x + 0.06, 0.4, z + 0.025}, {-x + 0.06, 0.65, z + 0.025}, 0.01);
}

void bathtub(Sculptor& s, const Frame& at) {
  basin(s, moved(at, {0.0, kBathtub.y, 0.0}),
        {.size = kBathtub, .rim = 0.06, .slope = 0.22, .depth = 0.44});
  tap(s, turned_y(moved(at, {-0.5 * kBathtub.x + 0.03, kBathtub.y - 0.003, 0.0}), 90.0), 0.16,
      0.14);
}

void washbasin(Sculptor& s, const Frame& at) {
  s.turn(moved(at, {0.0, 0.0, -0.06}), {.profile = {{0.0, 0.0},
                                                    {0.11, 0.0},
                                                    {0.112, 0.01},
                                                    {0.09, 0.1},
                                                    {0.07, 0.4},
                                                    {0.1, 0.72},
                                                    {0.0, 0.73}}});
  basin(s, moved(at, {0.0, 0.86, 0.0}),
        {.size = {kWashbasin.x, 0.17, kWashbasin.z}, .rim = 0.05, .slope = 0.14, .depth = 0.13});
  tap(s, moved(at, {0.0, 0.857, -0.225}), 0.15, 0.13);
}

void toilet(Sculptor& s, const Frame& at) {
  const double front = 0.5 * kToilet.z;
  const double r = 0.5 * kToilet.x - 0.01;
  s.turn(moved(at, {0.0, 0.0, front - r}), {.profile = {{0.0, 0.0},
                                                        {0.13, 0.0},
                                                        {0.132, 0.01},
                                                        {0.11, 0.12},
                                                        {0.16, 0.26},
                                                        {r, 0.38},
                                                        {r, 0.4},
                                                        {r - 0.04, 0.4},
                                                        {0.12, 0.28},
                                                        {0.05, 0.2},
                                                        {0.0, 0.19}}});
  s.cushion(
      at, {.low = {-0.19, 0.4, -front}, .high = {0.19, kToilet.y, -front + 0.18}, .radius = 0.03});
  s.box(at, {-0.1, 0.0, -front + 0.02}, {0.1, 0.41, -front + 0.3});
  if (!s.has_trimmings()) return;
  s.turn(moved(at, {0.0, 0.0, front - r}), {.profile = {{r, 0.402},
                                                        {r + 0.005, 0.415},
                                                        {r, 0.425},
                                                        {r - 0.06, 0.425},
                                                        {r - 0.065, 0.415},
                                                        {r - 0.06, 0.402}},
                                            .smooth = false,
                                            .loop = true});
}

}  // namespace tocsin::make
