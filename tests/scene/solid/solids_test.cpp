// Which points lie in closed objects, against exact answers by other means: whole numbers, and
// rational numbers (GMP). TOCSIN_SOLID_POINTS sets how many points.
#include "scene/solid/solids.h"

#include <gmp.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <random>
#include <string>
#include <vector>

#include "scene/solid/edges.h"
#include "support/scenes/grid_solids.h"

namespace tocsin::scene::solids_test {
namespace {

using test::box_mesh;
using test::GridPoint;
using test::GridSolid;
using test::joined;
using test::turned;

/// As many as the variable says, else `usual`.
int asked(int usual) {
  const char* const text = std::getenv("TOCSIN_SOLID_POINTS");
  return text != nullptr ? std::atoi(text) : usual;
}

Environment room_of(std::vector<ObjectMesh> meshes) {
  return Environment::create(std::move(meshes)).value();
}

bool holds(const Environment& room, std::uint32_t object, const Vec3& p) {
  bool found = false;
  solids_of(room).for_each_around(room, p,
                                  [&](std::uint32_t one) { found = found || one == object; });
  return found;
}

EdgeCounts edges_of(const ObjectMesh& mesh) {
  const Environment room = room_of({mesh});
  const EdgeCounts out = count_edges(room, room.objects()[0]);
  // The quick answer may only err on one side.
  EXPECT_TRUE(!out.closed() || may_be_closed(room, room.objects()[0]));
  EXPECT_EQ(solids_of(room).closed(0), out.closed());
  return out;
}

ObjectMesh unit_box() { return box_mesh("box", {0, 0, 0}, {1, 1, 1}); }

TEST(Edges, OfClosedObjects) {
  EXPECT_TRUE(edges_of(unit_box()).closed());
  EXPECT_TRUE(edges_of(turned(unit_box())).closed());
  // Corners at one place are one, whichever vertices they are, and -0 is 0.
  ObjectMesh apart{"apart", {}, {}};
  const ObjectMesh box = unit_box();
  for (const TriangleIndices& t : box.triangles) {
    const auto first = static_cast<std::uint32_t>(apart.vertices.size());
    for (const std::uint32_t i : t) {
      Vec3f v = box.vertices[i];
      if (v.x == 0.0F && first % 2 == 0) v.x = -0.0F;
      apart.vertices.push_back(v);
    }
    apart.triangles.push_back({first, first + 1, first + 2});
  }
  EXPECT_TRUE(edges_of(apart).closed());
  // Two boxes that meet at a corner only.
  EXPECT_TRUE(edges_of(joined(unit_box(), box_mesh("", {1, 1, 1}, {2, 2, 2}))).closed());
}

TEST(Edges, OfOpenOnes) {
  ObjectMesh hole = unit_box();
  hole.triangles.pop_back();
  EXPECT_EQ(edges_of(hole).boundary, 3U);
  ObjectMesh twisted = unit_box();
  std::swap(twisted.triangles[3][1], twisted.triangles[3][2]);
  EXPECT_EQ(edges_of(twisted).twisted, 3U);
  ObjectMesh twice = unit_box();
  twice.triangles.push_back(twice.triangles[5]);
  EXPECT_EQ(edges_of(twice).nonmanifold, 3U);
  // Every triangle twice, and every triangle with its opposite: both add up, neither is closed.
  EXPECT_EQ(edges_of(joined(unit_box(), unit_box())).nonmanifold, 18U);
  EXPECT_EQ(edges_of(joined(unit_box(), turned(unit_box()))).nonmanifold, 18U);
  // Two boxes with an edge, and with a face in common.
  EXPECT_EQ(edges_of(joined(unit_box(), box_mesh("", {1, 1, 0}, {2, 2, 1}))).nonmanifold, 1U);
  EXPECT_GT(edges_of(joined(unit_box(), box_mesh("", {1, 0, 0}, {2, 1, 1}))).nonmanifold, 3U);
  EXPECT_FALSE(edges_of({"empty", {}, {}}).closed());
  EXPECT_FALSE(edges_of({"needle", {{0, 0, 0}, {1, 0, 0}}, {{0, 1, 1}}}).closed());
}

TEST(Solids, ABoxHoldsItsInside) {
  const Environment room = room_of({unit_box(), turned(box_mesh("room", {-9, -9, -9}, {9, 9, 9}))});
  EXPECT_TRUE(holds(room, 0, {0.5, 0.5, 0.5}));
  EXPECT_TRUE(holds(room, 0, {1e-9, 0.25, 0.25}));
  EXPECT_FALSE(holds(room, 0, {-1e-9, 0.25, 0.25}));
  EXPECT_FALSE(holds(room, 0, {0.5, 0.5, 1.0 + 0x1p-50}));
  EXPECT_FALSE(holds(room, 0, {0.5, 50.0, 0.5}));
  // A box that faces inward is a room: closed, and no solid, inside or outside.
  EXPECT_TRUE(solids_of(room).closed(1));
  EXPECT_FALSE(solids_of(room).solid(1));
  EXPECT_FALSE(holds(room, 1, {0.5, 0.5, 0.5}));
  EXPECT_FALSE(holds(room, 1, {20, 0, 0}));
}

TEST(Solids, ShellsInShells) {
  const ObjectMesh big = box_mesh("o", {-4, -4, -4}, {4, 4, 4});
  const ObjectMesh mid = box_mesh("o", {-2, -2, -2}, {2, 2, 2});
  const ObjectMesh small = box_mesh("o", {-1, -1, -1}, {1, 1, 1});
  const auto inside = [&](const ObjectMesh& mesh) {  // between big and mid, mid and small, in small
    const Environment room = room_of({mesh});
    return std::array<bool, 3>{holds(room, 0, {3, 0.1, 0.2}), holds(room, 0, {1.5, 0.1, 0.2}),
                               holds(room, 0, {0.5, 0.1, 0.2})};
  };
  using Want = std::array<bool, 3>;
  // A cavity, and something in it.
  EXPECT_EQ(inside(joined(big, turned(mid))), (Want{true, false, false}));
  EXPECT_EQ(inside(joined(joined(big, turned(mid)), small)), (Want{true, false, true}));
  // A room and what stands in it, as one object.
  EXPECT_EQ(inside(joined(turned(big), small)), (Want{false, false, true}));
  // A house: an outer shell, and its inside, which faces inward; with furniture.
  EXPECT_EQ(inside(joined(joined(turned(mid), small), big)), (Want{true, false, true}));
  // A room in a room: neither is solid. What stands in it is.
  EXPECT_EQ(inside(joined(turned(big), turned(mid))), (Want{false, false, false}));
  EXPECT_EQ(inside(joined(joined(turned(big), turned(mid)), small)), (Want{false, false, true}));
  // In a room: a solid with a cavity. The solid is around the cavity, not the room.
  EXPECT_EQ(inside(joined(joined(turned(big), mid), turned(small))), (Want{false, true, false}));
  // Two solids in each other are one.
  EXPECT_EQ(inside(joined(big, mid)), (Want{true, true, true}));
}

TEST(Solids, AreLikeWholeNumbersSay) {
  constexpr int kUsual = 100'000;
  std::mt19937_64 random(20261125);
  test::GridWinding winding(7);
  int points = 0;
  int inside = 0;
  int on_surface = 0;
  int level = 0;  // with a corner: the ray along x starts level with it
  for (int n = 0; points < asked(kUsual); ++n) {
    const std::int64_t size = n % 3 == 0 ? 3 : (n % 3 == 1 ? 6 : 40);
    const auto solid = test::random_grid_solid(random, 3 + n % 4, 3 + n % 5, size);
    if (!solid) continue;
    // Half units from 2^-20 to 1 m, up to 1000 m away: everything is exact in floats.
    const float half = n % 2 == 0 ? 1.0F : 0x1p-7F;
    const Vec3f origin = n % 4 < 2 ? Vec3f{} : Vec3f{1000, -500, 250};
    const Environment room = room_of({mesh_of(*solid, "solid", half, origin)});
    ASSERT_TRUE(solids_of(room).closed(0));
    std::uniform_int_distribution<std::int64_t> at(-1, 2 * size + 1);
    for (int k = 0; k < 500; ++k, ++points) {
      GridPoint p = {at(random), at(random), at(random)};
      if (k % 3 == 0) {  // level with a corner in two directions: the worst for a ray
        const GridPoint& v = solid->vertices[random() % solid->vertices.size()];
        p[1] = v[1];
        p[2] = v[2];
        ++level;
      } else if (k % 3 == 1) {  // where the inside is more likely
        for (std::size_t c = 0; c < 3; ++c) {
          p[c] = 0;
          for (int i = 0; i < 4; ++i) {
            p[c] += solid->vertices[random() % solid->vertices.size()][c] / 2;
          }
          p[c] /= 2;
        }
      }
      const auto want = winding(*solid, p);
      if (!want) {  // on the surface, where a link touches whatever is said here
        ++on_surface;
        continue;
      }
      const double h = double{half};
      const bool got = holds(room, 0,
                             {double{origin.x} + h * static_cast<double>(p[0]),
                              double{origin.y} + h * static_cast<double>(p[1]),
                              double{origin.z} + h * static_cast<double>(p[2])});
      ASSERT_EQ(got, *want > 0) << "solid " << n << ", point " << k;
      inside += *want > 0 ? 1 : 0;
    }
  }
  EXPECT_GT(inside, points / 20);
  EXPECT_GT(points - inside, points / 3);
  EXPECT_LT(on_surface, points / 4);
  EXPECT_GT(level, points / 4);
}

/// A rational number.
class Rational {
 public:
  Rational() { mpq_init(value_); }
  explicit Rational(double x) : Rational() { mpq_set_d(value_, x); }
  Rational(const Rational& other) : Rational() { mpq_set(value_, other.value_); }
  Rational& operator=(const Rational& other) {
    mpq_set(value_, other.value_);
    return *this;
  }
  ~Rational() { mpq_clear(value_); }
  friend Rational operator-(const Rational& a, const Rational& b) {
    Rational out;
    mpq_sub(out.value_, a.value_, b.value_);
    return out;
  }
  friend Rational operator*(const Rational& a, const Rational& b) {
    Rational out;
    mpq_mul(out.value_, a.value_, b.value_);
    return out;
  }
  [[nodiscard]] int sign() const { return mpq_sgn(value_); }

 private:
  mpq_t value_;
};

using RationalVec = std::array<Rational, 3>;

RationalVec between(const Vec3f& v, const Vec3& p) {
  return {Rational(double{v.x}) - Rational(p.x), Rational(double{v.y}) - Rational(p.y),
          Rational(double{v.z}) - Rational(p.z)};
}

int det_sign(const RationalVec& a, const RationalVec& b, const RationalVec& c) {
  const auto minor = [&](std::size_t j, std::size_t k) { return b[j] * c[k] - b[k] * c[j]; };
  const Rational zero(0.0);
  return (a[0] * minor(1, 2) - (zero - a[1] * minor(2, 0)) - (zero - a[2] * minor(0, 1))).sign();
}

/// How often the surface winds around p, which is not on it.
int rational_winding(const Environment& room, const Vec3& p, std::mt19937_64& random) {
  for (;;) {
    std::uniform_real_distribution<double> part(-1, 1);
    const RationalVec ray = {Rational(part(random)), Rational(part(random)),
                             Rational(part(random))};
    int winding = 0;
    bool again = false;
    for (std::uint32_t t = 0; t < room.triangles().size() && !again; ++t) {
      const auto v = room.corners(t);
      const std::array<RationalVec, 3> c = {between(v[0], p), between(v[1], p), between(v[2], p)};
      const std::array<int, 3> s = {det_sign(ray, c[0], c[1]), det_sign(ray, c[1], c[2]),
                                    det_sign(ray, c[2], c[0])};
      if (*std::max_element(s.begin(), s.end()) > 0 && *std::min_element(s.begin(), s.end()) < 0) {
        continue;
      }
      again = s[0] == 0 || s[1] == 0 || s[2] == 0;
      if (!again && det_sign(c[0], c[1], c[2]) == s[0]) winding += s[0];
    }
    if (!again) return winding;
  }
}

/// As far from p as any double says; the next double in that direction.
double beside(double x, int direction) {
  return direction == 0 ? x : std::nextafter(x, direction > 0 ? HUGE_VAL : -HUGE_VAL);
}

TEST(Solids, AreLikeRationalNumbersSay) {
  // Points an ulp beside faces, edges' planes and corners' levels of solids with odd coordinates.
  constexpr int kUsual = 20'000;
  std::mt19937_64 random(99);
  int points = 0;
  int inside = 0;
  for (int n = 0; points < asked(kUsual) / 5; ++n) {
    const auto solid = test::random_grid_solid(random, 3, 3, 9);
    if (!solid) continue;
    ObjectMesh mesh = mesh_of(*solid, "solid", 1.0F, {});
    std::uniform_real_distribution<float> odd(-0.49F, 0.49F);
    const float scale = std::ldexp(1.0F, static_cast<int>(random() % 30) - 20);
    for (Vec3f& v : mesh.vertices) {
      v = {scale * (v.x + odd(random)), scale * (v.y + odd(random)), scale * (v.z + odd(random))};
    }
    const Environment room = room_of({mesh});
    const bool outward = [&] {
      Environment copy = room;
      return solids_of(copy).solid(0);
    }();
    if (!outward) continue;  // turned round by the odd parts
    for (int k = 0; k < 40; ++k, ++points) {
      const auto corners =
          room.corners(static_cast<std::uint32_t>(random() % room.triangles().size()));
      std::uniform_real_distribution<double> part(0, 1);
      double b = part(random);
      double c = (1 - b) * part(random);
      if (k % 4 == 1) c = 0;      // beside an edge
      if (k % 4 == 2) b = c = 0;  // beside a corner
      const auto mix = [&](float p, float q, float r) {
        return (1 - b - c) * double{p} + b * double{q} + c * double{r};
      };
      const auto off = [&](double x) { return beside(x, static_cast<int>(random() % 3) - 1); };
      Vec3 p{off(mix(corners[0].x, corners[1].x, corners[2].x)),
             off(mix(corners[0].y, corners[1].y, corners[2].y)),
             off(mix(corners[0].z, corners[1].z, corners[2].z))};
      if (k % 2 == 0) p.x = double{scale} * std::uniform_real_distribution<double>(-1, 19)(random);
      p = on_grid(p);
      bool on_surface = false;
      for (std::uint32_t t = 0; t < room.triangles().size(); ++t) {
        const auto v = room.corners(t);
        on_surface =
            on_surface || det_sign(between(v[0], p), between(v[1], p), between(v[2], p)) == 0;
      }
      if (on_surface) continue;  // on some plane: the whole numbers' test has these
      const bool want = rational_winding(room, p, random) > 0;
      ASSERT_EQ(holds(room, 0, p), want) << "solid " << n << ", point " << k;
      inside += want ? 1 : 0;
    }
  }
  EXPECT_GT(inside, points / 10);
  EXPECT_LT(inside, points * 9 / 10);
}

TEST(Solids, ManyAtOnceAndMovedOnes) {
  // Hundreds of boxes in cells of their own and in shared ones, asked about at random.
  std::mt19937_64 random(5);
  std::uniform_real_distribution<float> at(-20, 20);
  std::uniform_real_distribution<float> size(0.05F, 8.0F);
  std::vector<ObjectMesh> meshes;
  std::vector<std::array<Vec3f, 2>> boxes;
  for (int i = 0; i < 300; ++i) {
    const Vec3f lo{at(random), at(random), at(random)};
    const Vec3f hi{lo.x + size(random), lo.y + size(random), lo.z + size(random)};
    boxes.push_back({lo, hi});
    meshes.push_back(box_mesh("box" + std::to_string(i), lo, hi));
  }
  const Environment room = room_of(meshes);
  std::size_t found = 0;
  for (int k = 0; k < 20'000; ++k) {
    const Vec3 p{double{at(random)}, double{at(random)}, double{at(random)}};
    std::vector<std::uint32_t> want;
    for (std::uint32_t i = 0; i < boxes.size(); ++i) {
      const auto& [lo, hi] = boxes[i];
      if (p.x > double{lo.x} && p.x < double{hi.x} && p.y > double{lo.y} && p.y < double{hi.y} &&
          p.z > double{lo.z} && p.z < double{hi.z}) {
        want.push_back(i);
      }
    }
    std::vector<std::uint32_t> got;
    solids_of(room).for_each_around(room, p, [&](std::uint32_t object) { got.push_back(object); });
    ASSERT_EQ(got, want);
    found += want.size();
  }
  EXPECT_GT(found, 2000U);
  std::vector<Vec3f> moved(room.vertices().begin(), room.vertices().end());
  for (Vec3f& v : moved) v.x += 100.0F;
  const Environment other = room.with_vertices(moved).value();
  const Vec3 centre{0.5 * (double{boxes[0][0].x} + double{boxes[0][1].x}),
                    0.5 * (double{boxes[0][0].y} + double{boxes[0][1].y}),
                    0.5 * (double{boxes[0][0].z} + double{boxes[0][1].z})};
  EXPECT_TRUE(holds(room, 0, centre));
  EXPECT_FALSE(holds(other, 0, centre));
  EXPECT_TRUE(holds(other, 0, {centre.x + 100.0, centre.y, centre.z}));
}

}  // namespace
}  // namespace tocsin::scene::solids_test
