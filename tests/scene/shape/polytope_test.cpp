// Boxes cut by planes: closed whatever the planes, and as large as they should be.
#include "scene/shape/polytope.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <map>
#include <utility>
#include <vector>

#include "core/vector/vec.h"
#include "support/scenes/random_link.h"

namespace tocsin::scene::polytope_test {
namespace {

using test::RandomLinks;

Polytope cube() { return {{-1, -1, -1}, {1, 1, 1}}; }

double volume(const Polytope& p) {
  double sum = 0.0;
  for (std::size_t f = 0; f < p.face_count(); ++f) {
    const auto face = p.face(f);
    for (std::size_t k = 2; k < face.size(); ++k) {
      sum += core::dot(p.corner(face[0]), core::cross(p.corner(face[k - 1]), p.corner(face[k])));
    }
  }
  return sum / 6.0;
}

/// A closed surface like a ball's: every side once each way, three at least a face, and Euler's
/// formula.
void check_closed(const Polytope& p) {
  std::map<std::pair<int, int>, int> sides;
  Polytope::Mask used = 0;
  for (std::size_t f = 0; f < p.face_count(); ++f) {
    const auto face = p.face(f);
    ASSERT_GE(face.size(), 3U);
    for (std::size_t k = 0; k < face.size(); ++k) {
      used |= Polytope::Mask{1} << face[k];
      ASSERT_EQ(++(sides[{face[k], face[(k + 1) % face.size()]}]), 1);
    }
  }
  for (const auto& [side, times] : sides) ASSERT_EQ(sides.count({side.second, side.first}), 1U);
  ASSERT_EQ(used, p.corners());
  ASSERT_EQ(static_cast<std::size_t>(std::popcount(used)) + p.face_count(), sides.size() / 2 + 2);
}

TEST(Polytope, StartsAsABox) {
  const Polytope p({-1, -2, -3}, {2, 4, 5});
  check_closed(p);
  EXPECT_EQ(volume(p), 3.0 * 6.0 * 8.0);
}

TEST(Polytope, LosesACorner) {
  const double third = 1.0 / std::sqrt(3.0);
  const Vec3 n{third, third, third};
  // x + y + z <= s cuts a pyramid of legs 3 - s off, as long as these are at most 2. At 1 the plane
  // goes through three corners.
  for (const double s : {2.9, 2.0, 1.5, 1.0}) {
    Polytope p = cube();
    EXPECT_TRUE(p.cut(n, s * third, 0.0)) << s;
    check_closed(p);
    EXPECT_EQ(p.face_count(), 7U);
    EXPECT_NEAR(volume(p), 8.0 - std::pow(3.0 - s, 3) / 6.0, 1e-14);
  }
}

TEST(Polytope, StaysAsItIsIfThereIsNothingToCutOrNothingWouldStay) {
  Polytope p = cube();
  EXPECT_FALSE(p.cut({1, 0, 0}, 1.0, 0.0));
  EXPECT_FALSE(p.cut({1, 0, 0}, 1.5, 0.0));
  EXPECT_FALSE(p.cut({1, 0, 0}, 0.9, 0.2)) << "less than asked for";
  EXPECT_FALSE(p.cut({1, 0, 0}, -1.5, 0.0)) << "all would go";
  check_closed(p);
  EXPECT_EQ(volume(p), 8.0);
  EXPECT_TRUE(p.cut({1, 0, 0}, 0.9, 0.05));
  EXPECT_NEAR(volume(p), 7.6, 1e-14);
}

TEST(Polytope, IsClosedWhateverThePlanes) {
  RandomLinks random(1);
  int most = 0;
  for (int round = 0; round < 300; ++round) {
    Polytope p = cube();
    std::vector<std::pair<Vec3, double>> planes;
    // Three kinds: any; through corners and sides of the cube; almost the same again and again.
    const Vec3 again = random.direction();
    for (int i = 0; i < 60; ++i) {
      Vec3 n = random.direction();
      double d = random.uniform(0.2, 1.0);
      if (round % 3 == 1) {
        n = {std::round(2 * n.x), std::round(2 * n.y), std::round(2 * n.z)};
        if (core::norm(n) == 0.0) continue;
        d = std::round(random.uniform(1, 4)) / core::norm(n);
      } else if (round % 3 == 2) {
        n = again + random.uniform(0, 1e-15) * n;
        d = 0.5 + random.uniform(0, 1e-15);
      }
      n = (1.0 / core::norm(n)) * n;
      const double before = volume(p);
      if (p.cut(n, d, 0.0)) planes.emplace_back(n, d);
      ASSERT_LE(volume(p), before + 1e-14);
      check_closed(p);
      if (HasFatalFailure()) return;
    }
    most = std::max(most, static_cast<int>(p.face_count()));
    for (Polytope::Mask rest = p.corners(); rest != 0; rest &= rest - 1) {
      const Vec3 corner = p.corner(static_cast<std::size_t>(std::countr_zero(rest)));
      for (const auto& [n, d] : planes) EXPECT_LE(core::dot(n, corner), d + 1e-13);
    }
    // What lies within all planes is still there: the origin, and a ball around it.
    EXPECT_GT(volume(p), 4.0 / 3.0 * 3.14 * std::pow(0.19, 3));
  }
  EXPECT_GT(most, 20) << "full ones must have been tried";
  EXPECT_LE(most, static_cast<int>(Polytope::kMostFaces));
}

}  // namespace
}  // namespace tocsin::scene::polytope_test
