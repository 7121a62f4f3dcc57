// The searches of two trees, best first (the CPU's) and depth first (a device's), against a fold of
// certify_hulls over all pairs of features: the same bits, whatever the trees, their order and what
// is left out.
#include "detect/shapes/feature_search.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <vector>

#include "core/query/hull_walk.h"
#include "detect/shapes/random_shape.h"

namespace tocsin::detect::feature_search_test {
namespace {

using test::RandomLink;
using test::RandomLinks;

core::FrameMotion frame_of(const core::LinkMotion& m) {
  return core::frame_motion(m.joints, m.chain, m.chain_length, m.kind, m.ref);
}

Features features_of(const Shape& shape, double margin) {
  const auto& data = scene::data_of(shape);
  return {data.corners,         data.features, data.nodes, 1,
          data.radius + margin, data.longest,  data.reach};
}

core::Hull hull_of(const Features& f, std::size_t i) {
  core::Hull hull = scene::hull_of(f.corners, f.features[i]);
  hull.radius = f.radius;
  return hull;
}

/// What docs/exact.md says the answer is.
FeatureContact fold(const core::FramePair& frames, const Features& f, const Features& g) {
  FeatureContact out;
  const core::FrameState a = core::evaluate(frames.first, 0.0);
  const core::FrameState b = core::evaluate(frames.second, 0.0);
  FeatureContact overlap;
  for (std::uint32_t i = 0; i < f.features.size(); ++i) {
    for (std::uint32_t j = 0; j < g.features.size(); ++j) {
      const core::Certificate c =
          core::certify_hulls(frames, hull_of(f, i), a, hull_of(g, j), b, 1e-9, core::kToEnd);
      out.add(feature_pair(i, j), c);
      if (c.outcome == core::Outcome::kOverlap) overlap.add(feature_pair(i, j), c);
    }
  }
  return overlap.any() ? overlap : out;
}

core::HullTree tree_of(const Features& f) {
  return {f.corners.data(), f.features.data()->data(), f.nodes.data(), f.radius, f.longest,
          f.reach};
}

/// As a device answers: the whole of one tree against the whole of the other, or against each of
/// its features in turn.
core::HullWalk::Contact walk(const core::FramePair& frames, const Features& f, const Features& g,
                             bool at_once) {
  const core::HullTree first = tree_of(f);
  core::HullWalk walk(frames, first, 1e-9);
  core::HullWalk::Contact out;
  core::WalkTally tally;
  if (at_once) {
    EXPECT_TRUE(walk.add(tree_of(g), 0, out, tally));
    return out;
  }
  for (std::uint32_t j = 0; j < g.features.size(); ++j) {
    const core::Hull hull = hull_of(g, j);
    const core::LoneHull lone = core::lone_hull(hull.corner, hull.corners);
    EXPECT_TRUE(walk.add(lone.tree(g.radius), j, out, tally));
  }
  return out;
}

template <class P, class Q>
void expect_same(const P& p, const Q& q, int scene) {
  ASSERT_EQ(p.any(), q.any()) << scene;
  if (!p.any()) return;
  ASSERT_EQ(p.touch(), q.touch()) << scene;
  EXPECT_EQ(p.lo(), q.lo()) << scene;
  EXPECT_EQ(p.hi(), q.hi()) << scene;
  EXPECT_EQ(p.triangle(), q.triangle()) << scene;
  EXPECT_EQ(p.place_time(), q.place_time()) << scene;
  EXPECT_EQ(p.limited(), q.limited()) << scene;
}

/// Two chains that come near each other.
struct Scene {
  RandomLink first;
  RandomLink second;
  Shape f;
  Shape g;
  Vec3 apart;  ///< of both frames' origins in the middle of the step

  /// The second body moved to where both are near each other in the middle of the step.
  [[nodiscard]] core::FramePair frames() const {
    core::FramePair out = core::frame_pair(frame_of(first.link), frame_of(second.link));
    const Vec3 one = core::evaluate(out.first, 0.5).origin;
    const Vec3 other = core::evaluate(out.second, 0.5).origin + out.shift;
    out.shift = out.shift + ((one - other) + apart);
    return out;
  }
};

void make(RandomLinks& random, Scene& scene, int number) {
  const double turn = number % 3 == 0 ? 3.0 : 0.4;
  const double travel = number % 2 == 0 ? 2.0 : 0.7;
  const int joints = 1 + number % 3;
  random.make(scene.first, joints, test::kind_of(number), 0.3, turn, travel, 0.9);
  random.make(scene.second, 1 + number % 2, test::kind_of(number / 2), 0.3, turn, travel, 0.9);
  scene.apart = random.vector(0, 0.6);
  scene.f = test::random_shape(random, number, 0.25);
  scene.g = test::random_shape(random, number / 5, 0.25);
}

TEST(FeatureSearch, GivesTheFoldOfAllPairs) {
  RandomLinks random(2001);
  FeatureSearch search;
  std::array<int, 4> seen{};
  std::uint64_t looked = 0;
  std::uint64_t all = 0;
  for (int i = 0; i < 3000; ++i) {
    Scene scene;
    make(random, scene, i);
    const core::FramePair frames = scene.frames();
    const double margin = i % 7 == 0 ? 0.01 : 0.0;
    const Features f = features_of(scene.f, margin);
    const Features g = features_of(scene.g, margin);
    StepCounters counters;
    const FeatureContact found = search.run(frames, f, g, {}, counters);
    expect_same(found, fold(frames, f, g), i);
    expect_same(walk(frames, f, g, true), found, i);
    expect_same(walk(frames, f, g, false), found, i);
    ++seen[found.any() ? 1 + static_cast<std::size_t>(found.touch()) : 0];
    looked += counters.candidates;
    all += f.features.size() * g.features.size();
  }
  EXPECT_GE(seen[0], 600) << "free";
  EXPECT_GE(seen[1], 500) << "overlaps";
  EXPECT_GE(seen[2], 600) << "hits";
  EXPECT_LT(looked, all / 10) << "the trees leave most pairs out";
}

/// Shapes that are moved until they just do not touch: what nodes prove free, certify_hulls proves.
TEST(FeatureSearch, NearMissesAreThoseOfCertify) {
  RandomLinks random(2002);
  FeatureSearch search;
  int near = 0;
  for (int i = 0; i < 600; ++i) {
    Scene scene;
    make(random, scene, i);
    const core::FramePair here = scene.frames();
    const Features g = features_of(scene.g, 0.0);
    const auto asked = [&](double away) {
      core::FramePair frames = here;
      frames.shift = frames.shift + Vec3{away, 0, 0};
      StepCounters counters;
      const Features f = features_of(scene.f, 0.0);
      const FeatureContact found = search.run(frames, f, g, {}, counters);
      expect_same(found, fold(frames, f, g), i);
      expect_same(walk(frames, f, g, true), found, i);
      return found.any();
    };
    double touching = 0.0;
    double free = 4.0;
    if (!asked(touching) || asked(free)) continue;
    while (free - touching > 1e-10) {
      const double middle = 0.5 * (touching + free);
      (asked(middle) ? touching : free) = middle;
      if (testing::Test::HasFailure()) return;
    }
    ++near;
  }
  EXPECT_GE(near, 100);
}

/// Another order of the features makes another tree.
TEST(FeatureSearch, DoesNotDependOnTheTree) {
  RandomLinks random(2003);
  FeatureSearch search;
  int touching = 0;
  for (int i = 0; i < 300; ++i) {
    Scene scene;
    make(random, scene, i);
    scene.f = test::bumpy_ball(random, 6, 8, 0.25, 0.0);
    scene.g = test::bumpy_ball(random, 5, 7, 0.25, 0.0);
    const core::FramePair frames = scene.frames();
    const Features f = features_of(scene.f, 0.0);
    const Features g = features_of(scene.g, 0.0);
    StepCounters counters;
    const FeatureContact best = search.run(frames, f, g, {}, counters);
    // No tree at all: every feature is a root.
    std::vector<scene::ShapeNode> flat(f.features.size());
    for (std::uint32_t k = 0; k < flat.size(); ++k) {
      const auto& t = f.features[k];
      const std::array<Vec3, 3> corners{f.corners[t[0]], f.corners[t[1]], f.corners[t[2]]};
      flat[k] = {scene::box_around(corners), -1, k};
    }
    std::reverse(flat.begin(), flat.end());
    Features other = f;
    other.nodes = flat;
    other.roots = flat.size();
    expect_same(search.run(frames, other, g, {}, counters), best, i);
    if (best.any()) ++touching;
  }
  EXPECT_GE(touching, 60);
}

TEST(FeatureSearch, StopsWhenItIsAsked) {
  RandomLinks random(2004);
  Scene scene;
  make(random, scene, 3);
  scene.f = test::random_soup(random, 2000, 0.5, 0.0);
  scene.g = test::random_soup(random, 2000, 0.5, 0.0);
  scene.apart = {1.2, 0, 0};
  std::stop_source source;
  source.request_stop();
  const std::stop_token stop = source.get_token();
  const core::FramePair frames = scene.frames();
  FeatureSearch search;
  StepCounters counters;
  SearchLimits limits;
  limits.stop = &stop;
  const Features f = features_of(scene.f, 0.0);
  const Features g = features_of(scene.g, 0.0);
  EXPECT_THROW(static_cast<void>(search.run(frames, f, g, limits, counters)), Stopped);
}

}  // namespace
}  // namespace tocsin::detect::feature_search_test
