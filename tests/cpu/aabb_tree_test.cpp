// The tree keeps exactly the triangles whose boxes the swept link's boxes touch, and finds the
// nearest.
#include "cpu/aabb_tree.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/distance.h"
#include "support/random_scene.h"

namespace tocsin::cpu {
namespace {

using test::RandomLinks;

core::Box box_of(const Environment& room, std::uint32_t t) {
  const auto v = room.corners(t);
  return core::join(core::box_of(v[0]), core::join(core::box_of(v[1]), core::box_of(v[2])));
}

TEST(AabbTree, CandidatesAreThoseWhoseBoxesTouch) {
  RandomLinks random(111);
  std::size_t kept = 0;
  for (int i = 0; i < 40; ++i) {
    const auto take = test::random_take(random, 6, 3, i % 2 == 0 ? 0.3 : 3.0, 0.5);
    const Environment room = test::random_room(random, 3, 1 + 20 * i, 2.0);
    const AabbTree tree(room);
    scene::StepMotion motion;
    for (const Step& step : take.motion.steps()) {
      motion.set(take.avatar, step, 0.0, tree.bounds());
      for (const scene::SweptLink& link : motion.links()) {
        std::vector<std::uint32_t> got;
        tree.cull(link, got);
        std::sort(got.begin(), got.end());
        EXPECT_EQ(std::adjacent_find(got.begin(), got.end()), got.end()) << "each once";
        std::vector<std::uint32_t> want;
        for (std::uint32_t t = 0; t < room.triangles().size(); ++t) {
          bool touched = false;
          for (std::int32_t p = 0; p < link.pieces; ++p) {
            touched =
                touched || core::overlap(link.piece[static_cast<std::size_t>(p)], box_of(room, t));
          }
          if (touched) want.push_back(t);
        }
        EXPECT_EQ(got, want);
        kept += want.size();
      }
    }
  }
  EXPECT_GT(kept, 1000U);
}

TEST(AabbTree, NearestIsTheLeastOfAll) {
  RandomLinks random(112);
  for (int i = 0; i < 200; ++i) {
    const Environment room = test::random_room(random, 2, 50, 2.0);
    const AabbTree tree(room);
    const Vec3 a = random.uniform(0, 3) * random.direction();
    const Vec3 b = random.uniform(0, 3) * random.direction();
    const auto odd = [](std::uint32_t t) { return t % 2 == 1; };
    double want = HUGE_VAL;
    for (std::uint32_t t = 1; t < room.triangles().size(); t += 2) {
      const auto v = room.corners(t);
      const core::Triangle triangle{
          {core::to_double(v[0]), core::to_double(v[1]), core::to_double(v[2])}};
      want = std::min(want, std::sqrt(core::closest_points(a, b, triangle).squared));
    }
    EXPECT_NEAR(tree.nearest(a, b, HUGE_VAL, odd), want, 1e-12);
    if (want > 1e-9) {
      EXPECT_EQ(tree.nearest(a, b, 0.5 * want, odd), 0.5 * want);
    }
  }
}

TEST(AabbTree, ManyTrianglesAtOnePlaceAreNoTrouble) {
  ObjectMesh mesh;
  mesh.name = "pile";
  mesh.vertices = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
  mesh.triangles.assign(5000, {0, 1, 2});
  const Environment room = Environment::create({mesh});
  const AabbTree tree(room);
  EXPECT_NEAR(
      tree.nearest({0.2, 0.2, 1}, {0.2, 0.2, 2}, HUGE_VAL, [](std::uint32_t) { return true; }), 1.0,
      1e-12);
}

TEST(AabbTree, NoTriangles) {
  const AabbTree tree{Environment()};
  EXPECT_EQ(tree.nearest({}, {}, 3.0, [](std::uint32_t) { return true; }), 3.0);
}

}  // namespace
}  // namespace tocsin::cpu
