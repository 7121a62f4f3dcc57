#include "selftest/scenes/hard_meshes.h"

#include <cmath>
#include <cstdint>
#include <random>
#include <utility>
#include <vector>

#include "core/vector/vec.h"

namespace tocsin::selftest {

namespace {

constexpr double kToothPitch = 0.002;  // metres, from tooth to tooth of one comb
constexpr double kToothHeight = 0.03;
constexpr double kToothHalfWidth = 0.01;
/// A tooth of the second comb is off its middle plane by so much at the ends of its base.
constexpr double kToothSlant = 0.0005;
/// Both combs' teeth are equally wide, and their edges cross, at this part of the base.
constexpr double kTeethCross = 0.4;

/// One mesh that stands still, and one that goes from one pose to another.
MeshScene pair_of(const Shape& still, const Shape& moving, const Transform& from,
                  const Transform& to) {
  return scene_of({{still, {{}, {}}}, {moving, {from, to}}});
}

struct LooseTriangles {
  std::vector<Vec3> all;
  std::vector<TriangleIndices> triangles;

  void add(const Vec3& a, const Vec3& b, const Vec3& c) {
    const auto first = static_cast<std::uint32_t>(all.size());
    all.insert(all.end(), {a, b, c});
    triangles.push_back({first, first + 1, first + 2});
  }
  [[nodiscard]] Shape shape() && {
    return Shape::mesh(std::move(all), std::move(triangles)).value();
  }
};

Shape sheet(int rows) {
  LooseTriangles out;
  const double cell = 1.0 / rows;
  for (int i = 0; i < rows; ++i) {
    for (int j = 0; j < rows; ++j) {
      const Vec3 a{cell * i, 0, cell * j};
      const Vec3 b{cell * (i + 1), 0, cell * (j + 1)};
      out.add(a, {b.x, 0, a.z}, b);
      out.add(a, b, {a.x, 0, b.z});
    }
  }
  return std::move(out).shape();
}

Shape soup(const Soups& soups, std::uint64_t seed) {
  std::mt19937_64 engine(seed);
  const auto draw = [&](double low, double high) {
    return low + (high - low) * static_cast<double>(engine() >> 11) * 0x1p-53;
  };
  const auto vector = [&](double size) {
    const double x = draw(-size, size);
    const double y = draw(-size, size);
    return Vec3{x, y, draw(-size, size)};
  };
  const double size = soups.size / std::cbrt(static_cast<double>(soups.triangles));
  LooseTriangles out;
  for (std::size_t i = 0; i < soups.triangles; ++i) {
    const Vec3 at = vector(0.5);
    const Vec3 b = at + vector(size);
    out.add(at, b, at + vector(size));
  }
  return std::move(out).shape();
}

}  // namespace

double gap_of_combs() { return 0.5 * kToothPitch - kTeethCross * kToothSlant; }

MeshScene two_combs(const Combs& combs) {
  LooseTriangles first;
  LooseTriangles second;
  for (std::size_t i = 0; i < combs.teeth; ++i) {
    const double x = kToothPitch * static_cast<double>(i);
    first.add({x, 0, -kToothHalfWidth}, {x, 0, kToothHalfWidth}, {x, kToothHeight, 0});
    // Its tip is below the first's tips by 0.8 of the height: edges cross half-way between.
    const double top = 1.2 * kToothHeight;
    const double tip = 0.2 * kToothHeight;
    const double middle = x + 0.5 * kToothPitch;
    second.add({middle + kToothSlant, top, kToothHalfWidth},
               {middle - kToothSlant, top, -kToothHalfWidth}, {middle, tip, 0});
  }
  return pair_of(std::move(first).shape(), std::move(second).shape(), {}, {{}, {combs.way, 0, 0}});
}

MeshScene two_sheets(int rows) {
  const Shape shape = sheet(rows);
  const double cell = 1.0 / rows;
  return pair_of(shape, shape, {{}, {0.3 * cell, 0, 0.2 * cell}},
                 {{}, {0.9 * cell, 0, 0.5 * cell}});
}

MeshScene two_soups(const Soups& soups) {
  const double angle = 0.001;
  return pair_of(soup(soups, 41), soup(soups, 42), {},
                 {{std::cos(0.5 * angle), 0, std::sin(0.5 * angle), 0}, {}});
}

}  // namespace tocsin::selftest
