#include "shapes/small_shapes.h"

#include <array>
#include <cmath>
#include <vector>

#include "core/vector/vec.h"

namespace tocsin::oracle::test {
namespace {

using tocsin::operator*;

constexpr std::array<std::string_view, kShapeKinds> kShapeNames = {
    "ball", "box", "tetra", "soup", "needles", "plate", "points"};

constexpr double kPiOfShapes = 3.14159265358979323846;

UnitShape ball(Random& random) {
  const int rings = 3 + random.below(2);
  const int around = 5 + random.below(rings == 3 ? 4 : 2);
  UnitShape out{{{0.0, 1.0, 0.0}, {0.0, -1.0, 0.0}}, {}};
  for (int i = 1; i < rings; ++i) {
    const double polar = kPiOfShapes * i / rings;
    for (int j = 0; j < around; ++j) {
      const double turn = 2.0 * kPiOfShapes * j / around;
      const double r = random.between(0.85, 1.15);
      out.corners.push_back({r * std::sin(polar) * std::cos(turn), r * std::cos(polar),
                             r * std::sin(polar) * std::sin(turn)});
    }
  }
  const auto at = [&](int i, int j) {
    return static_cast<std::uint32_t>(2 + (i - 1) * around + j % around);
  };
  for (int j = 0; j < around; ++j) {
    out.features.push_back({0, at(1, j + 1), at(1, j)});
    for (int i = 1; i + 1 < rings; ++i) {
      out.features.push_back({at(i, j), at(i, j + 1), at(i + 1, j)});
      out.features.push_back({at(i, j + 1), at(i + 1, j + 1), at(i + 1, j)});
    }
    out.features.push_back({1, at(rings - 1, j), at(rings - 1, j + 1)});
  }
  return out;
}

UnitShape box(Random& random) {
  const Vec3 half{random.between(0.1, 0.6), random.between(0.1, 0.6), random.between(0.02, 0.6)};
  const Shape made = Shape::box(half).value();
  return {{made.corners().begin(), made.corners().end()},
          {made.features().begin(), made.features().end()}};
}

UnitShape tetra(Random& random) {
  UnitShape out;
  for (int i = 0; i < 4; ++i) out.corners.push_back(random.vector(0.5, 1.0));
  out.features = {{0, 1, 2}, {0, 3, 1}, {1, 3, 2}, {2, 3, 0}};
  return out;
}

UnitShape soup(Random& random) {
  UnitShape out;
  const int count = 4 + random.below(37);
  for (int i = 0; i < count; ++i) {
    const auto first = static_cast<std::uint32_t>(out.corners.size());
    const Vec3 at = random.vector(0.0, 0.7);
    const double edge = random.magnitude(0.03, 0.3);
    for (int k = 0; k < 3; ++k) out.corners.push_back(at + random.vector(0.2 * edge, edge));
    // No area: a corner on the opposite edge.
    if (random.chance(0.05)) out.corners[first + 2] = 0.5 * (out.corners[first] + at);
    out.features.push_back({first, first + 1, random.chance(0.05) ? first + 1 : first + 2});
  }
  return out;
}

UnitShape needles(Random& random) {
  UnitShape out;
  const int count = 4 + random.below(9);
  const Vec3 along = random.direction();
  const bool bundle = random.chance(0.5);
  for (int i = 0; i < count; ++i) {
    const auto first = static_cast<std::uint32_t>(out.corners.size());
    const Vec3 tip = bundle ? along + random.vector(0.0, 0.3) : random.vector(0.5, 1.0);
    const Vec3 foot = bundle ? random.vector(0.0, 0.3) - along : random.vector(0.0, 0.5);
    out.corners.push_back(tip);
    out.corners.push_back(foot);
    out.corners.push_back(foot + random.log_vector(1e-4, 1e-2));
    out.features.push_back({first, first + 1, first + 2});
  }
  return out;
}

UnitShape plate(Random& random) {
  const std::uint32_t across = 2 + static_cast<std::uint32_t>(random.below(3));
  const std::uint32_t along = 2 + static_cast<std::uint32_t>(random.below(3));
  const bool flat = random.chance(0.5);
  UnitShape out;
  for (std::uint32_t i = 0; i <= across; ++i) {
    for (std::uint32_t j = 0; j <= along; ++j) {
      out.corners.push_back({1.4 * i / across - 0.7, flat ? 0.0 : random.between(-1e-3, 1e-3),
                             1.4 * j / along - 0.7});
    }
  }
  for (std::uint32_t i = 0; i < across; ++i) {
    for (std::uint32_t j = 0; j < along; ++j) {
      const std::uint32_t a = i * (along + 1) + j;
      out.features.push_back({a, a + 1, a + along + 1});
      out.features.push_back({a + 1, a + along + 2, a + along + 1});
    }
  }
  return out;
}

UnitShape points(Random& random) {
  UnitShape out;
  const int count = random.chance(0.2) ? 1 : 1 + random.below(12);
  for (int i = 0; i < count; ++i) {
    const auto first = static_cast<std::uint32_t>(out.corners.size());
    out.corners.push_back(random.vector(0.0, 1.0));
    const bool segment = random.chance(0.2);
    if (segment) out.corners.push_back(random.vector(0.0, 1.0));
    out.features.push_back({first, segment ? first + 1 : first, segment ? first + 1 : first});
  }
  return out;
}

}  // namespace

std::string_view name_of(ShapeKind kind) { return kShapeNames[static_cast<std::size_t>(kind)]; }

UnitShape unit_shape(ShapeKind kind, Random& random) {
  switch (kind) {
    case ShapeKind::kBall:
      return ball(random);
    case ShapeKind::kBox:
      return box(random);
    case ShapeKind::kTetra:
      return tetra(random);
    case ShapeKind::kSoup:
      return soup(random);
    case ShapeKind::kNeedles:
      return needles(random);
    case ShapeKind::kPlate:
      return plate(random);
    case ShapeKind::kPoints:
      return points(random);
  }
  return {};
}

}  // namespace tocsin::oracle::test
