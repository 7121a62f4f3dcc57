// Tables, and what has drawers, doors or boards.
#include <array>
#include <cstddef>

#include "make/room/room_shapes.h"

namespace tocsin::make {
namespace {

/// A bar to hold on to, 2 cm before two points.
void handle(Sculptor& s, const Frame& at, const Vec3& from, const Vec3& to) {
  s.rod(at, from + Vec3{0.0, 0.0, 0.02}, to + Vec3{0.0, 0.0, 0.02}, 0.006);
}

}  // namespace

void fronts(Sculptor& s, const Frame& at, const Fronts& f) {
  if (!s.has_trimmings()) return;
  const double w = (f.x1 - f.x0) / f.columns;
  const double h = (f.y1 - f.y0) / f.rows;
  for (int c = 0; c < f.columns; ++c) {
    for (int r = 0; r < f.rows; ++r) {
      const double x0 = f.x0 + w * c + 0.004;
      const double y0 = f.y0 + h * r + 0.004;
      const double x1 = x0 + w - 0.008;
      const double y1 = y0 + h - 0.008;
      s.cushion(at, {.low = {x0, y0, f.z - 0.004}, .high = {x1, y1, f.z + 0.016}, .radius = 0.006});
      const double mx = 0.5 * (x0 + x1);
      const double my = 0.5 * (y0 + y1);
      if (f.upright) {
        const double x = c % 2 == 0 ? x1 - 0.04 : x0 + 0.04;
        handle(s, at, {x, my - 0.07, f.z + 0.012}, {x, my + 0.07, f.z + 0.012});
      } else {
        handle(s, at, {mx - 0.06, my, f.z + 0.012}, {mx + 0.06, my, f.z + 0.012});
      }
    }
  }
}

void table(Sculptor& s, const Frame& at, const Size& size, int style) {
  const double x = 0.5 * size.x;
  const double z = 0.5 * size.z;
  s.cushion(at, {.low = {-x, size.y - 0.035, -z}, .high = {x, size.y, z}, .radius = 0.012});
  const double in = 0.07;
  s.box(at, {-x + in, size.y - 0.11, -z + in - 0.01}, {x - in, size.y - 0.03, -z + in + 0.01});
  s.box(at, {-x + in, size.y - 0.11, z - in - 0.01}, {x - in, size.y - 0.03, z - in + 0.01});
  for (const double sx : {-1.0, 1.0}) {
    for (const double sz : {-1.0, 1.0}) {
      const Frame leg = moved(at, {sx * (x - in), 0.0, sz * (z - in)});
      if (style == 0) {
        s.box(leg, {-0.03, 0.0, -0.03}, {0.03, size.y - 0.02, 0.03});
      } else {
        s.rod(leg, {0.0, 0.0, 0.0}, {0.0, size.y - 0.02, 0.0}, 0.022, 0.036);
      }
    }
  }
}

void round_table(Sculptor& s, const Frame& at, double radius, double height) {
  s.turn(at, {.profile = {{0.0, height - 0.03},
                          {radius - 0.02, height - 0.03},
                          {radius, height - 0.015},
                          {radius - 0.01, height},
                          {0.0, height}},
              .smooth = false});
  s.turn(at, {.profile = {{0.0, 0.0},
                          {0.45 * radius, 0.0},
                          {0.45 * radius, 0.015},
                          {0.12 * radius, 0.05},
                          {0.08 * radius, 0.3 * height},
                          {0.1 * radius, height - 0.02},
                          {0.0, height - 0.02}},
              .smooth = false});
}

void desk(Sculptor& s, const Frame& at, const Size& size) {
  const double x = 0.5 * size.x;
  const double z = 0.5 * size.z;
  s.cushion(at, {.low = {-x, size.y - 0.03, -z}, .high = {x, size.y, z}, .radius = 0.01});
  s.box(at, {-x + 0.02, 0.0, -z + 0.03}, {-x + 0.045, size.y - 0.01, z - 0.04});
  s.box(at, {x - 0.42, 0.06, -z + 0.03}, {x - 0.03, size.y - 0.02, z - 0.06});
  s.box(at, {x - 0.41, 0.0, -z + 0.06}, {x - 0.04, 0.07, z - 0.1});
  s.box(at, {-x + 0.04, 0.35, -z + 0.02}, {x - 0.41, size.y - 0.02, -z + 0.035});
  fronts(s, at, {x - 0.42, 0.08, x - 0.03, size.y - 0.05, z - 0.06, 1, 3, false});
}

void drawers(Sculptor& s, const Frame& at, const Size& size, int columns, int rows) {
  const double x = 0.5 * size.x;
  const double z = 0.5 * size.z;
  s.box(at, {-x + 0.02, 0.0, -z + 0.03}, {x - 0.02, 0.07, z - 0.08});
  s.box(at, {-x + 0.01, 0.06, -z + 0.01}, {x - 0.01, size.y - 0.02, z - 0.045});
  s.cushion(at, {.low = {-x, size.y - 0.03, -z}, .high = {x, size.y, z - 0.01}, .radius = 0.01});
  fronts(s, at, {-x + 0.01, 0.08, x - 0.01, size.y - 0.035, z - 0.045, columns, rows, false});
}

void wardrobe(Sculptor& s, const Frame& at, const Size& size, int doors) {
  const double x = 0.5 * size.x;
  const double z = 0.5 * size.z;
  s.box(at, {-x + 0.02, 0.0, -z + 0.03}, {x - 0.02, 0.08, z - 0.08});
  s.box(at, {-x + 0.01, 0.07, -z + 0.01}, {x - 0.01, size.y - 0.04, z - 0.045});
  s.cushion(at, {.low = {-x, size.y - 0.05, -z}, .high = {x, size.y, z - 0.01}, .radius = 0.015});
  fronts(s, at, {-x + 0.01, 0.09, x - 0.01, size.y - 0.055, z - 0.045, doors, 1, true});
}

double board_height(const Size& size, int boards, int k) {
  return 0.06 + (size.y - 0.06 - kBoard) * k / boards + kBoard;
}

void bookshelf(Sculptor& s, const Frame& at, const Size& size, int boards) {
  const double x = 0.5 * size.x;
  const double z = 0.5 * size.z;
  s.box(at, {-x, 0.0, -z}, {-x + kBoard, size.y - 0.004, z - 0.002});
  s.box(at, {x - kBoard, 0.0, -z}, {x, size.y - 0.004, z - 0.002});
  s.box(at, {-x + 0.01, 0.05, -z + 0.002}, {x - 0.01, size.y - 0.01, -z + 0.01});
  for (int k = 0; k <= boards; ++k) {
    const double y = board_height(size, boards, k);
    const double in = k == boards ? -0.002 : 0.006;
    s.box(at, {-x + in, y - kBoard, -z + 0.004}, {x - in, y, z - (k == boards ? 0.0 : 0.008)});
  }
}

void book(Sculptor& s, const Frame& at, const Size& size) {
  s.cushion(at, {.low = {-0.5 * size.x, 0.0, -0.5 * size.z},
                 .high = {0.5 * size.x, size.y, 0.5 * size.z},
                 .radius = 0.2 * size.x,
                 .finer = 2.0});
}

void upright_piano(Sculptor& s, const Frame& at) {
  const double x = 0.5 * kPiano.x;
  s.box(at, {-x + 0.03, 0.04, -0.31}, {x - 0.03, 1.2, 0.02});
  s.cushion(at, {.low = {-x, 1.19, -0.31}, .high = {x, 1.23, 0.06}, .radius = 0.012});
  s.cushion(at, {.low = {-x + 0.02, 0.62, 0.0}, .high = {x - 0.02, 0.7, 0.3}, .radius = 0.01});
  for (const double sx : {-1.0, 1.0}) {
    const double a = sx > 0.0 ? x - 0.05 : -x;
    s.box(at, {a, 0.0, -0.3}, {a + 0.05, 1.195, 0.04});
    s.cushion(at, {.low = {a, 0.6, 0.01}, .high = {a + 0.05, 0.79, 0.305}, .radius = 0.015});
    s.turn(moved(at, {sx * (x - 0.06), 0.0, 0.25}), {.profile = {{0.0, 0.0},
                                                                 {0.025, 0.002},
                                                                 {0.03, 0.03},
                                                                 {0.02, 0.08},
                                                                 {0.035, 0.3},
                                                                 {0.022, 0.5},
                                                                 {0.035, 0.61},
                                                                 {0.0, 0.625}}});
  }
  s.box(turned_x(moved(at, {0.0, 0.84, 0.03}), -12.0), {-0.35, 0.0, 0.0}, {0.35, 0.26, 0.012});
  for (const double px : {-0.08, 0.0, 0.08}) {
    s.rod(at, {px, 0.05, -0.02}, {px, 0.035, 0.14}, 0.012, 0.016);
  }
}

void piano_keys(Sculptor& s, const Frame& at) {
  constexpr int kWhite = 52;
  const double left = -0.5 * kPiano.x + 0.06;
  const double step = (kPiano.x - 0.12) / kWhite;
  for (int i = 0; i < kWhite; ++i) {
    s.box(at, {left + step * i, 0.705, 0.13}, {left + step * (i + 1) - 0.001, 0.722, 0.285});
    // A0 is the first white key; black ones follow A, C, D, F and G.
    constexpr std::array<bool, 7> kBlackAfter{true, false, true, true, false, true, true};
    if (!kBlackAfter[static_cast<std::size_t>(i % 7)] || i == kWhite - 1) continue;
    const double middle = left + step * (i + 1);
    s.box(at, {middle - 0.005, 0.715, 0.131}, {middle + 0.005, 0.735, 0.225});
  }
}

}  // namespace tocsin::make
