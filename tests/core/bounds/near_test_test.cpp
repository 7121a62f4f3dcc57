// The near test never drops a triangle that touches the balls' hull, and drops nearly all that stay
// clear along its directions.
#include "core/bounds/near_test.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "support/scenes/random_link.h"

namespace tocsin::core::near_test_test {
namespace {

using test::RandomLinks;
using Corners = std::array<Vec3f, 3>;

/// A piece of a step: four balls.
struct Piece {
  std::array<Vec3, 4> centre{};  ///< a0, b0, a1, b1
  double grow_a = 0.0;
  double grow_b = 0.0;

  [[nodiscard]] double grow(std::size_t i) const { return i % 2 == 0 ? grow_a : grow_b; }
  [[nodiscard]] LinkDirections directions(double farthest) const {
    return link_directions(centre[0], centre[1], centre[2], centre[3], grow_a, grow_b, farthest);
  }
};

/// Links that move anyhow, along themselves, not at all; with and without length.
Piece random_piece(RandomLinks& random, int kind, double where) {
  const Vec3 at = where * random.direction();
  const Vec3 along = random.vector(0, 0.5);
  const Vec3 by = random.vector(0, 0.4);
  const Vec3 turn = random.vector(0, 0.2);
  Piece p;
  p.grow_a = random.uniform(0.001, 0.1);
  p.grow_b = random.uniform(0, 1) < 0.5 ? p.grow_a : random.uniform(0.001, 0.1);
  switch (kind % 8) {
    case 0:
      p.centre = {at, at + along, at, at + along};
      break;  // stands
    case 1:
      p.centre = {at, at, at + by, at + by};
      break;  // a moving point
    case 2:
      p.centre = {at, at, at, at};
      break;  // a point
    case 3:
      p.centre = {at, at + along, at + 0.7 * along, at + 1.7 * along};
      break;
    case 4:
      p.centre = {at, at + along, at, at + along + 1e-9 * turn};
      break;  // hardly moves
    default:
      p.centre = {at, at + along, at + by, at + by + along + turn};
      break;
  }
  return p;
}

Vec3f rounded(const Vec3& p) {
  return {static_cast<float>(p.x), static_cast<float>(p.y), static_cast<float>(p.z)};
}

/// Triangles of all sizes and shapes, with and without area.
Corners random_corners(RandomLinks& random, const Vec3& at) {
  const double size = std::pow(10.0, random.uniform(-4, 1.5));
  Corners v{};
  for (Vec3f& corner : v) corner = rounded(at + random.vector(0, size));
  const double shape = random.uniform(0, 1);
  if (shape < 0.1) v[1] = v[2];
  if (shape < 0.05) v[0] = v[2];
  return v;
}

double farthest_of(const Corners& v) {
  double far = 0.0;
  for (const Vec3f& c : v) far = std::max(far, detail::largest_size(to_double(c)));
  return far;
}

struct Exact {
  long double x;
  long double y;
  long double z;
};
Exact exact(const Vec3& p) { return {p.x, p.y, p.z}; }
long double exact_dot(const Exact& a, const Exact& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }

/// How far, metres, the triangle lies beyond the balls along the unit vector n; negative: not.
long double gap_along(const Exact& n, const Piece& p, const Corners& v) {
  long double least = HUGE_VALL;
  for (const Vec3f& c : v) least = std::min(least, exact_dot(n, exact(to_double(c))));
  long double most = -HUGE_VALL;
  for (std::size_t i = 0; i < 4; ++i) {
    most = std::max(most, exact_dot(n, exact(p.centre[i])) + static_cast<long double>(p.grow(i)));
  }
  return least - most;
}

Exact unit(const Vec3f& n, long double sign) {
  const Exact e = exact(to_double(n));
  const long double scale = sign / std::sqrt(exact_dot(e, e));
  return {scale * e.x, scale * e.y, scale * e.z};
}

bool in_use(const Vec3f& n) { return n.x != 0.0F || n.y != 0.0F || n.z != 0.0F; }

/// Moves the piece along n (unit) so that the triangle lies `gap` metres beyond it.
void set_gap(Piece& p, const Exact& n, const Corners& v, long double gap) {
  const long double by = gap_along(n, p, v) - gap;
  for (Vec3& c : p.centre) {
    c = c + Vec3{static_cast<double>(by * n.x), static_cast<double>(by * n.y),
                 static_cast<double>(by * n.z)};
  }
}

TEST(NearTest, NeverSeparatesWhatIsNotApartAndSeparatesWhatIs) {
  RandomLinks random(171);
  int apart = 0;
  int together = 0;
  int close = 0;
  for (int i = 0; i < 100000; ++i) {
    const double where = std::array{0.0, 3.0, 100.0, 1e6}[static_cast<std::size_t>(i / 8 % 4)];
    Piece piece = random_piece(random, i, where);
    const Corners v = random_corners(random, piece.centre[0]);
    // The room is as large as the triangle, or much larger.
    const double farthest = farthest_of(v) * (i % 3 == 0 ? 10.0 : 1.0);
    const LinkDirections first = piece.directions(farthest);
    const Vec3f n = first.n[random.uniform(0, 3) < 2 ? 1 : i % 3];
    if (!in_use(n)) continue;
    // Gaps about as large as what floats cannot tell, and mostly less.
    const double r = random.uniform(-1, 1);
    const double blur = 0x1p-23 * (farthest + 1.0);
    const Exact u = unit(n, i % 2 == 0 ? 1 : -1);
    set_gap(piece, u, v, 20 * blur * r * r * r);
    const LinkDirections d = piece.directions(farthest);
    const bool separates = separated(d, v[0], v[1], v[2]);
    long double gap = -HUGE_VALL;  // along the best direction of those that are asked
    for (const Vec3f& m : d.n) {
      if (!in_use(m)) continue;
      gap = std::max({gap, gap_along(unit(m, 1), piece, v), gap_along(unit(m, -1), piece, v)});
    }
    if (separates) {
      ASSERT_GT(gap, 0.0L) << i;
      ++apart;
      if (gap < 8 * blur) ++close;
    } else {
      // |n|_1 <= 1.74 |n|: 4 units of 2^-24 for each side's slack, with what the dot products err.
      ASSERT_LT(gap, 1.74L * 8 * blur) << i;
      ++together;
    }
  }
  EXPECT_GT(apart, 20000);
  EXPECT_GT(together, 20000);
  EXPECT_GT(close, 3000) << "the slack is no larger than it must be";
}

/// A point of the balls' hull, on its surface or less than 1e-9 of its size inside.
Vec3 point_of(RandomLinks& random, const Piece& p) {
  std::array<double, 4> weight{};
  double sum = 0.0;
  for (double& w : weight) sum += w = random.uniform(0, 1) < 0.4 ? 0.0 : random.uniform(0, 1);
  if (sum == 0.0) sum = weight[static_cast<std::size_t>(random.uniform(0, 4))] = 1.0;
  const Vec3 n = random.direction();
  Vec3 out;
  for (std::size_t i = 0; i < 4; ++i) {
    out = out + (weight[i] / sum) * (p.centre[i] + (p.grow(i) * (1 - 1e-9)) * n);
  }
  return out;
}

// Exact sampling: a triangle with a point in common with the hull is kept, whatever the point.
TEST(NearTest, KeepsTrianglesThatTouch) {
  RandomLinks random(172);
  for (int i = 0; i < 100000; ++i) {
    const double where = std::array{0.0, 3.0, 100.0, 1e6}[static_cast<std::size_t>(i / 8 % 4)];
    Piece piece = random_piece(random, i, where);
    const Corners v = random_corners(random, piece.centre[0]);
    const double s = random.uniform(0, 1);
    const double t = random.uniform(0, 1 - s);
    Vec3 touched = to_double(v[0]) + s * (to_double(v[1]) - to_double(v[0])) +
                   t * (to_double(v[2]) - to_double(v[0]));
    if (i % 2 == 0) touched = to_double(v[static_cast<std::size_t>(i / 2 % 3)]);
    const Vec3 by = touched - point_of(random, piece);
    for (Vec3& c : piece.centre) c = c + by;
    // What adding `by` and combining points rounded away, in doubles of this size.
    piece.grow_a += 1e-15 * (where + 50);
    piece.grow_b += 1e-15 * (where + 50);
    const LinkDirections d = piece.directions(farthest_of(v));
    ASSERT_FALSE(separated(d, v[0], v[1], v[2])) << i;
    const Box box =
        join(grown_box(piece.centre[0], piece.centre[2], piece.grow_a + 1e-15 * (where + 50)),
             grown_box(piece.centre[1], piece.centre[3], piece.grow_b + 1e-15 * (where + 50)));
    ASSERT_TRUE(meets(box, v[0], v[1], v[2])) << i;
  }
}

TEST(NearTest, DirectionsSuitTheLink) {
  // Along x, moving along y: tested along x, z, and y.
  const LinkDirections d =
      link_directions({0, 0, 0}, {1, 0, 0}, {0, 0.2, 0}, {1, 0.2, 0}, 0.1, 0.1, 5.0);
  EXPECT_GT(d.n[0].x, 0.0F);
  EXPECT_TRUE(d.n[0].y == 0.0F && d.n[0].z == 0.0F);
  EXPECT_GT(d.n[1].z, 0.0F);
  EXPECT_TRUE(d.n[1].x == 0.0F && d.n[1].y == 0.0F);
  EXPECT_NE(d.n[2].y, 0.0F);
  EXPECT_TRUE(d.n[2].x == 0.0F && d.n[2].z == 0.0F);
  EXPECT_NEAR(d.lo[0] / d.n[0].x, -0.1, 1e-5);
  EXPECT_NEAR(d.hi[0] / d.n[0].x, 1.1, 1e-5);
  EXPECT_NEAR(d.lo[1] / d.n[1].z, -0.1, 1e-5);
  EXPECT_NEAR(d.hi[1] / d.n[1].z, 0.1, 1e-5);
}

TEST(NearTest, WhatHasNoDirectionSeparatesNothing) {
  const Vec3f far{1e5F, 1e5F, 1e5F};
  const LinkDirections point = link_directions({}, {}, {}, {}, 0.1, 0.1, 1e6);
  EXPECT_FALSE(separated(point, far, far, far));
  const double huge = 1e300;  // floats would overflow
  const LinkDirections lost =
      link_directions({huge, 0, 0}, {0, huge, 0}, {0, 0, huge}, {huge, huge, 0}, 0.1, 0.1, 1e6);
  EXPECT_FALSE(separated(lost, far, far, far));
  const LinkDirections nan =
      link_directions({NAN, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 1, 0}, 0.1, 0.1, 1e6);
  EXPECT_FALSE(separated(nan, far, far, far));
}

}  // namespace
}  // namespace tocsin::core::near_test_test
