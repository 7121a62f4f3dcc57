// The walk over a hull's corners against comparing all of them, exactly.
#include "core/query/convex_climb.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "detect/nearest/dice.h"
#include "scene/shape/convex_graph.h"

namespace tocsin::convex_climb_test {
namespace {

using test::Dice;

// The walk itself: from every corner to the one that comparing all of them finds, exactly.
TEST(ConvexClimb, EndsAtOneCornerFromAnywhere) {
  Dice dice(8);
  std::vector<Vec3> lattice;
  for (int i = 0; i < 125; ++i) lattice.push_back({1.0 * (i % 5), 1.0 * (i / 5 % 5), i / 25 * 0.1});
  std::vector<std::vector<Vec3>> clouds{lattice};
  for (int i = 0; i < 20; ++i) {
    clouds.emplace_back();
    for (int k = 0; k < 30; ++k) clouds.back().push_back(dice.vector(i % 2 == 0 ? 1.0 : 1e-3));
  }
  std::size_t ties = 0;
  for (const std::vector<Vec3>& points : clouds) {
    const scene::ConvexGraph hull = scene::convex_graph(points).value();
    const core::ConvexBodyView view = hull.view();
    for (int i = 0; i < 60; ++i) {
      const auto& [p, q, r] = hull.faces[dice.index(hull.faces.size())];
      const Vec3 out =
          core::cross(hull.corners[q] - hull.corners[p], hull.corners[r] - hull.corners[p]);
      const Vec3 n = i % 3 == 0 ? dice.vector(1.0) : i % 3 == 1 ? out : -out;
      std::uint32_t best = 0;
      for (std::uint32_t k = 1; k < hull.corners.size(); ++k) {
        if (core::is_beyond(view.graph, n, best, k)) best = k;
      }
      for (std::uint32_t k = 0; k < hull.corners.size(); ++k) {
        ties += k != best && core::sign_along(n, hull.corners[k], hull.corners[best]) == 0 ? 1 : 0;
        std::uint32_t steps = 0;
        EXPECT_EQ(core::climb(view.graph, n, k, steps), best);
        EXPECT_LT(steps, hull.corners.size());
      }
    }
  }
  EXPECT_GT(ties, 100U);
}

}  // namespace
}  // namespace tocsin::convex_climb_test
