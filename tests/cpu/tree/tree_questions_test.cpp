// What the exact step asks a tree besides candidates: the same answers at every SIMD target.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/query/distance.h"
#include "core/vector/vec.h"
#include "cpu/kernels/simd_targets.h"
#include "cpu/tree/make_tree_culler.h"
#include "cpu/tree/tree_rooms.h"
#include "support/scenes/random_scene.h"

namespace tocsin::cpu::tree_questions_test {
namespace {

using core::Box;
using test::any_triangle;
using test::RandomLinks;

/// A box of up to `size` metres on each side, somewhere within 2.5 m.
Box random_box(RandomLinks& random, double size) {
  const Vec3 at = random.vector(0, 2.5);
  const Vec3 half{random.uniform(0, size), random.uniform(0, size), random.uniform(0, size)};
  return core::grown_box(at - half, at + half, 0.0);
}

bool holds(const Box& outer, const Box& inner) {
  return outer.lo.x <= inner.lo.x && outer.lo.y <= inner.lo.y && outer.lo.z <= inner.lo.z &&
         inner.hi.x <= outer.hi.x && inner.hi.y <= outer.hi.y && inner.hi.z <= outer.hi.z;
}

bool is_empty(const Box& box) { return !(box.lo.x <= box.hi.x); }

std::vector<Box> boxes_of(const Environment& room) {
  std::vector<Box> out;
  for (std::uint32_t t = 0; t < room.triangles().size(); ++t) out.push_back(test::box_of(room, t));
  return out;
}

TEST(TreeQuestions, ClearIfNoBoxOverlaps) {
  RandomLinks random(121);
  const Environment room = test::random_room(random, 3, 60, 2.0);
  const std::vector<Box> triangles = boxes_of(room);
  std::vector<Box> asked;
  std::vector<bool> want;
  for (int i = 0; i < 300; ++i) {
    asked.push_back(random_box(random, i % 2 == 0 ? 0.1 : 0.7));
    want.push_back(std::none_of(triangles.begin(), triangles.end(),
                                [&](const Box& t) { return overlap(t, asked.back()); }));
  }
  // One that shares no more than a corner with a triangle's box is not clear.
  const Vec3f corner = triangles[7].hi;
  asked.push_back({corner, {corner.x + 1, corner.y + 1, corner.z + 1}});
  want.push_back(false);
  const auto clear = static_cast<std::size_t>(std::count(want.begin(), want.end(), true));
  EXPECT_GT(clear, 50U);
  EXPECT_GT(want.size() - clear, 50U);
  const auto tree = make_tree_culler(room);
  test::at_every_simd_target([&] {
    for (std::size_t i = 0; i < asked.size(); ++i) {
      ASSERT_EQ(tree->clear_of(asked[i]), want[i]);
    }
  });
}

struct Segment {
  Vec3 a;
  Vec3 b;
  double distance = 0.0;  ///< to the nearest odd triangle
};

TEST(TreeQuestions, NearestIsTheLeastOfAll) {
  RandomLinks random(112);
  const auto odd = [](std::uint32_t t) { return t % 2 == 1; };
  for (int i = 0; i < 6; ++i) {
    const Environment room = test::random_room(random, 2, 8 + 40 * i, 2.0);
    std::vector<Segment> asked(25);
    for (Segment& s : asked) {
      s = {random.vector(0, 3), random.vector(0, 3), HUGE_VAL};
      for (std::uint32_t t = 1; t < room.triangles().size(); t += 2) {
        const auto v = room.corners(t);
        const core::Triangle triangle{
            {core::to_double(v[0]), core::to_double(v[1]), core::to_double(v[2])}};
        s.distance =
            std::min(s.distance, std::sqrt(core::closest_points(s.a, s.b, triangle).squared));
      }
    }
    std::vector<double> first;
    const auto tree = make_tree_culler(room);
    test::at_every_simd_target([&] {
      std::vector<double> got;
      for (const Segment& s : asked) {
        got.push_back(tree->nearest(s.a, s.b, HUGE_VAL, odd));
        ASSERT_NEAR(got.back(), s.distance, 1e-12);
        if (s.distance <= 1e-9) continue;
        ASSERT_EQ(tree->nearest(s.a, s.b, 0.5 * s.distance, odd), 0.5 * s.distance);
        ASSERT_NEAR(tree->nearest(s.a, s.b, 1.01 * s.distance, odd), s.distance, 1e-12);
      }
      if (first.empty()) first = got;
      ASSERT_EQ(got, first) << "bit for bit";
    });
  }
}

TEST(TreeQuestions, NearestFromFarAway) {
  RandomLinks random(115);
  const Environment room = test::random_room(random, 1, 30, 1.0);
  const auto tree = make_tree_culler(room);
  for (const double far : {1e3, 1e6, 1e25}) {
    const double got = tree->nearest({far, 0, 0}, {far, 1, 0}, HUGE_VAL, any_triangle);
    EXPECT_LE(got, far + 2);
    EXPECT_GE(got, std::min(1e18, far) * 0.99 - 2);
  }
}

TEST(TreeQuestions, ManyTrianglesAtOnePlaceAreNoTrouble) {
  ObjectMesh mesh;
  mesh.name = "pile";
  mesh.vertices = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
  mesh.triangles.assign(5000, {0, 1, 2});
  const Environment room = Environment::create({mesh}).value();
  const auto tree = make_tree_culler(room);
  EXPECT_NEAR(tree->nearest({0.2, 0.2, 1}, {0.2, 0.2, 2}, HUGE_VAL, any_triangle), 1.0, 1e-12);
}

/// What must hold of every answer of empty_box.
void check_empty_box(const Box& got, const Box& inner, float reach,
                     const std::vector<Box>& triangles,
                     const std::function<bool(std::uint32_t)>& wanted) {
  bool touched = false;
  for (std::uint32_t t = 0; t < triangles.size(); ++t) {
    touched = touched || (wanted(t) && overlap(triangles[t], inner));
  }
  ASSERT_EQ(is_empty(got), touched);
  if (touched) return;
  ASSERT_TRUE(holds(got, inner));
  const Box most{{inner.lo.x - reach, inner.lo.y - reach, inner.lo.z - reach},
                 {inner.hi.x + reach, inner.hi.y + reach, inner.hi.z + reach}};
  ASSERT_TRUE(holds(most, got));
  for (std::uint32_t t = 0; t < triangles.size(); ++t) {
    ASSERT_FALSE(wanted(t) && overlap(triangles[t], got));
  }
}

TEST(TreeQuestions, EmptyBoxIsEmpty) {
  RandomLinks random(122);
  const auto not_fifth = [](std::uint32_t t) { return t % 5 != 0; };
  for (int i = 0; i < 4; ++i) {
    const Environment room = test::random_room(random, 3, 5 + 40 * i, 2.0);
    const std::vector<Box> triangles = boxes_of(room);
    std::vector<Box> asked;
    for (int k = 0; k < 40; ++k) asked.push_back(random_box(random, 0.2));
    const auto tree = make_tree_culler(room);
    std::vector<Box> first;
    test::at_every_simd_target([&] {
      std::vector<Box> got;
      for (const Box& inner : asked) {
        got.push_back(tree->empty_box(inner, 0.5F, not_fifth));
        check_empty_box(got.back(), inner, 0.5F, triangles, not_fifth);
      }
      if (first.empty()) first = got;
      for (std::size_t k = 0; k < got.size(); ++k) {
        ASSERT_EQ(got[k].lo, first[k].lo);
        ASSERT_EQ(got[k].hi, first[k].hi);
      }
    });
    EXPECT_GT(std::count_if(first.begin(), first.end(), [](const Box& b) { return !is_empty(b); }),
              25)
        << "a box around most of the 40";
  }
}

/// The inside of a cube from -1 to 1, each face cut in n x n squares.
Environment hollow_cube(int n) {
  ObjectMesh mesh;
  mesh.name = "cube";
  const auto corner = [&](int face, int i, int j) {
    const float u = -1.0F + 2.0F * static_cast<float>(i) / static_cast<float>(n);
    const float v = -1.0F + 2.0F * static_cast<float>(j) / static_cast<float>(n);
    const float w = face % 2 == 0 ? -1.0F : 1.0F;
    mesh.vertices.push_back(face / 2 == 0   ? Vec3f{w, u, v}
                            : face / 2 == 1 ? Vec3f{v, w, u}
                                            : Vec3f{u, v, w});
    return static_cast<std::uint32_t>(mesh.vertices.size() - 1);
  };
  for (int face = 0; face < 6; ++face) {
    for (int i = 0; i < n; ++i) {
      for (int j = 0; j < n; ++j) {
        const std::uint32_t a = corner(face, i, j);
        const std::uint32_t b = corner(face, i + 1, j);
        const std::uint32_t c = corner(face, i + 1, j + 1);
        const std::uint32_t d = corner(face, i, j + 1);
        mesh.triangles.push_back({a, b, c});
        mesh.triangles.push_back({a, c, d});
      }
    }
  }
  return Environment::create({mesh}).value();
}

// Within the cube the largest empty box is the cube: nothing less will do.
TEST(TreeQuestions, EmptyBoxFillsAHollowCube) {
  const Environment room = hollow_cube(7);
  const auto tree = make_tree_culler(room);
  const Box got = tree->empty_box({{-0.3F, 0.2F, 0.1F}, {0.3F, 0.5F, 0.2F}}, 10.0F, any_triangle);
  const float most = std::nextafter(1.0F, 0.0F);
  EXPECT_EQ(got.lo, (Vec3f{-most, -most, -most}));
  EXPECT_EQ(got.hi, (Vec3f{most, most, most}));
}

// With one small triangle beside it, a box keeps all sides but one.
TEST(TreeQuestions, EmptyBoxIsCutWhereMostIsLeft) {
  ObjectMesh mesh;
  mesh.name = "one";
  mesh.vertices = {{0.9F, 0.3F, 0}, {0.9F, 0.35F, 0}, {0.95F, 0.3F, 0.1F}};
  mesh.triangles = {{0, 1, 2}};
  const Environment room = Environment::create({mesh}).value();
  const auto tree = make_tree_culler(room);
  const Box inner{{-0.1F, -0.1F, -0.1F}, {0.1F, 0.1F, 0.1F}};
  const Box got = tree->empty_box(inner, 1.0F, any_triangle);
  EXPECT_EQ(got.hi.x, std::nextafter(0.9F, 0.0F));
  EXPECT_GT(got.hi.y, 1.099F);
  EXPECT_GT(got.hi.z, 1.099F);
  EXPECT_LT(got.lo.x, -1.099F);
  const Box near = tree->empty_box(inner, 0.5F, any_triangle);  // does not reach it
  EXPECT_GT(near.hi.x, 0.599F);
  EXPECT_TRUE(is_empty(tree->empty_box({{0.5F, 0, 0}, {0.9F, 1, 1}}, 1.0F, any_triangle)))
      << "touched";
  EXPECT_FALSE(is_empty(
      tree->empty_box({{0.5F, 0, 0}, {0.9F, 1, 1}}, 1.0F, [](std::uint32_t) { return false; })));
}

TEST(TreeQuestions, NoTriangles) {
  const auto tree = make_tree_culler(Environment());
  EXPECT_EQ(tree->nearest({}, {}, 3.0, any_triangle), 3.0);
  EXPECT_TRUE(tree->clear_of({{-1, -1, -1}, {1, 1, 1}}));
  EXPECT_TRUE(is_empty(tree->bounds()));
  const Box got = tree->empty_box({{0, 0, 0}, {1, 1, 1}}, 0.5F, any_triangle);
  EXPECT_EQ(got.lo, (Vec3f{-0.5F, -0.5F, -0.5F}));
  EXPECT_EQ(got.hi, (Vec3f{1.5F, 1.5F, 1.5F}));
  const auto again = tree->refitted(Environment());
  EXPECT_TRUE(is_empty(again->bounds()));
}

}  // namespace
}  // namespace tocsin::cpu::tree_questions_test
