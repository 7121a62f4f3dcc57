// What the oracle leaves out of two shapes is far: its tree's spheres hold what is below them, and
// its answers are those of all pairs of features.
#include "oracle/shapes/shape_prover.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "core/vector/vec.h"
#include "oracle/shapes/shape_trees.h"
#include "shapes/shape_generator.h"
#include "shapes/small_shapes.h"

namespace tocsin::oracle::test::shape_prover_test {
namespace {

void expect_holds(const FeatureTree& tree, std::size_t node, std::vector<std::uint32_t>& below) {
  const SphereNode& at = tree.nodes()[node];
  std::vector<std::uint32_t> own;
  if (at.child < 0) {
    own.push_back(at.feature);
  } else {
    expect_holds(tree, static_cast<std::size_t>(at.child), own);
    expect_holds(tree, static_cast<std::size_t>(at.child) + 1, own);
  }
  for (const std::uint32_t feature : own) {
    const Corners c = tree.feature(feature);
    for (std::size_t i = 0; i < c.count; ++i) {
      EXPECT_LE(length(c.at[i] - at.centre), at.radius);
      EXPECT_LE(length(c.at[i]), tree.reach());
    }
  }
  EXPECT_LE(length(at.centre), tree.reach());
  EXPECT_EQ(at.arm, length(at.centre));
  below.insert(below.end(), own.begin(), own.end());
}

TEST(OracleFeatureTree, EverySphereHoldsWhatIsBelow) {
  Random random(71, 0, 0);
  for (int i = 0; i < 70; ++i) {
    const UnitShape unit = unit_shape(static_cast<ShapeKind>(i % kShapeKinds), random);
    const double far = i % 3 == 0 ? 1e4 : 0.0;
    std::vector<Vec3> corners = unit.corners;
    for (Vec3& p : corners) p.y += far;
    const FeatureTree tree(Shape::mesh(corners, unit.features).value());
    std::vector<std::uint32_t> all;
    expect_holds(tree, 0, all);
    std::sort(all.begin(), all.end());
    ASSERT_EQ(all.size(), unit.features.size());
    for (std::uint32_t k = 0; k < all.size(); ++k) EXPECT_EQ(all[k], k);
  }
}

TEST(OracleFeatureTree, CornersInCommonMakeAComponent) {
  const std::vector<Vec3> corners(7, Vec3{1.0, 2.0, 3.0});
  const std::vector<TriangleIndices> features{{0, 1, 1}, {5, 5, 5}, {2, 3, 4}, {1, 6, 2}};
  const FeatureTree tree(Shape::mesh(corners, features).value());
  const std::vector<std::vector<std::uint32_t>> expected{{0, 2, 3}, {1}};
  EXPECT_EQ(tree.components(), expected);
  EXPECT_EQ(tree.feature(0).count, 2U);
  EXPECT_EQ(tree.feature(1).count, 1U);
  EXPECT_EQ(tree.feature(2).count, 3U);
}

TEST(OracleShapeTrees, CopiesOfAShapeHaveOneTree) {
  const Shape one = Shape::box({1, 2, 3}).value();
  const Shape other = Shape::box({1, 2, 3}).value();
  const Skeleton skeleton = Skeleton::create({{"root", -1, {}}}).value();
  const auto member = [&](const std::vector<Shape>& shapes) {
    std::vector<Link> links{{"capsule", 0, {}, {0, 1, 0}, 0.1}};
    for (const Shape& shape : shapes) {
      links.push_back(link_of_shape("link" + std::to_string(links.size()), 0, shape));
    }
    return Member{Avatar::create("a", skeleton, std::move(links)).value(), {}, {}};
  };
  const std::vector<Member> members{member({one, one}), member({one, other})};
  const ShapeTrees trees(members);
  EXPECT_EQ(trees.size(), 2U);
  const auto links = members[1].avatar.links();
  EXPECT_EQ(trees.of(one), trees.of(links[1].shape));
  EXPECT_NE(trees.of(one), trees.of(other));
  const Shape third = Shape::box({1, 1, 1}).value();
  EXPECT_EQ(trees.of(third)->size(), 12U);
  EXPECT_NE(trees.of(third), trees.of(third));
}

// All pairs of features, one by one.
struct OneByOne {
  bool touches = false;
  bool undecided = false;
  std::int64_t pairs = 0;
};

OneByOne one_by_one(const MovingShape& f, const MovingShape& g, Real radius, Real t0, Real t1) {
  OneByOne out;
  for (std::size_t i = 0; i < f.features().size(); ++i) {
    const HullPath one = f.feature(i);
    for (std::size_t j = 0; j < g.features().size(); ++j) {
      const HullPath other = g.feature(j);
      const Proof proof = HullProver(one, other, radius).prove_free(t0, t1, 2000);
      ++out.pairs;
      out.touches = out.touches || proof.kind == Proof::Kind::kTouch;
      out.undecided = out.undecided || proof.kind == Proof::Kind::kUndecided;
      if (out.touches) return out;
    }
  }
  return out;
}

TEST(OracleShapeProver, AnswersAsAllPairsOfFeaturesDo) {
  int touching = 0;
  int free = 0;
  std::int64_t asked = 0;
  std::int64_t all = 0;
  for (int c = 0; c < kPairClassCount; ++c) {
    for (std::uint64_t number = 0; number < 6; ++number) {
      for (const ShapeQuery& q : make_shapes(static_cast<PairClass>(c), 72, number)) {
        const MovingShape f = shape_of(q.first);
        const MovingShape g = shape_of(q.second);
        const Real t0 = number % 3 == 0 ? 0.375L : 0.0L;
        const Real t1 = number % 2 == 0 ? 0.875L : 1.0L;
        ShapeProver prover(f, g, radius_of(q));
        const Proof proof = prover.prove_free(t0, t1, 2000);
        const OneByOne known = one_by_one(f, g, radius_of(q), t0, t1);
        if (known.undecided || proof.kind == Proof::Kind::kUndecided) continue;
        EXPECT_EQ(proof.kind == Proof::Kind::kTouch, known.touches)
            << name_of(static_cast<PairClass>(c)) << " " << number;
        (known.touches ? touching : free) += 1;
        if (known.touches) continue;
        asked += prover.asked();
        all += known.pairs;
      }
    }
  }
  EXPECT_GE(touching, 90);
  EXPECT_GE(free, 90);
  EXPECT_LT(asked, all / 2) << "the spheres leave most pairs out, even in parts of the step";
}

// A touch that is proved is one.
TEST(OracleShapeProver, NamesTheFeaturesThatTouch) {
  int touching = 0;
  for (std::uint64_t number = 0; number < 60; ++number) {
    const ShapeQuery q = make_shapes(PairClass::kMix, 73, number)[0];
    const MovingShape f = shape_of(q.first);
    const MovingShape g = shape_of(q.second);
    ShapeProver prover(f, g, radius_of(q));
    const Proof proof = prover.prove_free(0.0L, 1.0L, 2000);
    if (proof.kind != Proof::Kind::kTouch) continue;
    ++touching;
    const TwoFeatures two = prover.last();
    ShapeProver again(f, g, radius_of(q), two);
    EXPECT_LE(again.distance(proof.time).most, radius_of(q));
    EXPECT_EQ(again.parts(), prover.parts());
  }
  EXPECT_GE(touching, 40);
}

}  // namespace
}  // namespace tocsin::oracle::test::shape_prover_test
