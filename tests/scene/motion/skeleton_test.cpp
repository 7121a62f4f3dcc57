#include "tocsin/skeleton.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace tocsin::skeleton_test {
namespace {

constexpr double kHalfRoot = 0.70710678118654752440;
constexpr Quat kQuarterTurnAboutZ{kHalfRoot, 0.0, 0.0, kHalfRoot};

Joint joint(std::string name, int parent, Vec3 offset, Quat rotation = {}) {
  return {std::move(name), parent, {rotation, offset}};
}

/// A root one metre up, a chain of two joints, and a second child of the root.
Skeleton tree() {
  return *Skeleton::create({joint("root", -1, {0, 1, 0}), joint("a", 0, {2, 0, 0}),
                            joint("b", 1, {0, 3, 0}), joint("c", 0, {0, -1, 5})});
}

void expect_near(const Vec3& got, const Vec3& want) {
  EXPECT_NEAR(got.x, want.x, 1e-14);
  EXPECT_NEAR(got.y, want.y, 1e-14);
  EXPECT_NEAR(got.z, want.z, 1e-14);
}

void expect_skeleton_refused(std::vector<Joint> joints, const std::string& phrase) {
  const Result<Skeleton> made = Skeleton::create(std::move(joints));
  ASSERT_FALSE(made.ok());
  EXPECT_EQ(made.error().code, ErrorCode::kInput);
  EXPECT_NE(made.error().message.find(phrase), std::string::npos) << made.error().message;
}

TEST(Skeleton, AddsOffsetsAlongTheTree) {
  const std::vector<Vec3> at = tree().rest_positions();
  ASSERT_EQ(at.size(), 4U);
  EXPECT_EQ(at[0], (Vec3{0, 1, 0}));
  EXPECT_EQ(at[1], (Vec3{2, 1, 0}));
  EXPECT_EQ(at[2], (Vec3{2, 4, 0}));
  EXPECT_EQ(at[3], (Vec3{0, 0, 5}));
}

TEST(Skeleton, RotationsTurnWhatLiesBelow) {
  // The root turns x to y; its child a turns again, so that b's offset along x ends up along -x.
  const Skeleton skeleton =
      *Skeleton::create({joint("root", -1, {0, 1, 0}, kQuarterTurnAboutZ),
                         joint("a", 0, {2, 0, 0}, kQuarterTurnAboutZ), joint("b", 1, {3, 0, 0})});
  const std::vector<Vec3> at = skeleton.rest_positions();
  expect_near(at[1], {0, 3, 0});
  expect_near(at[2], {-3, 3, 0});
  expect_near(skeleton.rest_position_in(2, 0), {2, 3, 0});
  expect_near(skeleton.rest_position_in(2, 1), {3, 0, 0});
  expect_near(skeleton.rest_position_in(2, 2), {0, 0, 0});
}

TEST(Skeleton, HeightIsTheExtentAlongTheUpAxis) {
  EXPECT_EQ(tree().rest_height(), 4.0);
  EXPECT_EQ(tree().rest_height(UpAxis::kX), 2.0);
  EXPECT_EQ(tree().rest_height(UpAxis::kZ), 5.0);
  EXPECT_EQ(Skeleton().rest_height(), 0.0);
}

TEST(Skeleton, FindsTheFirstJointOfAName) {
  const Skeleton twice =
      *Skeleton::create({joint("r", -1, {}), joint("x", 0, {}), joint("x", 1, {})});
  EXPECT_EQ(twice.find("x"), 1);
  EXPECT_EQ(twice.find("X"), -1);
  EXPECT_EQ(twice.find(""), -1);
}

TEST(Skeleton, KnowsWhoDescendsFromWhom) {
  const Skeleton skeleton = tree();
  EXPECT_TRUE(skeleton.descends(2, 0));
  EXPECT_TRUE(skeleton.descends(2, 1));
  EXPECT_TRUE(skeleton.descends(3, 3));
  EXPECT_FALSE(skeleton.descends(3, 1));
  EXPECT_FALSE(skeleton.descends(0, 2));
  EXPECT_FALSE(skeleton.descends(4, 0));
  EXPECT_FALSE(skeleton.descends(2, -1));
  EXPECT_FALSE(skeleton.descends(-1, -1));
}

TEST(Skeleton, SeveralRootsStandInTheWorld) {
  const Skeleton two = *Skeleton::create({joint("p", -1, {1, 0, 0}), joint("q", -1, {0, 2, 0})});
  EXPECT_EQ(two.rest_positions()[1], (Vec3{0, 2, 0}));
  EXPECT_FALSE(two.descends(1, 0));
}

TEST(Skeleton, RefusesWhatIsNotATree) {
  expect_skeleton_refused({}, "at least one joint");
  expect_skeleton_refused({joint("r", 0, {})},
                          "joint 0 \"r\": its parent, 0, does not come before it");
  expect_skeleton_refused({joint("r", -1, {}), joint("x", 2, {}), joint("y", 0, {})},
                          "joint 1 \"x\"");
  expect_skeleton_refused({joint("r", -2, {})}, "its parent, -2");
}

TEST(Skeleton, RefusesScaledAndInfiniteJoints) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  expect_skeleton_refused({joint("r", -1, {0, nan, 0})}, "not finite");
  expect_skeleton_refused({joint("r", -1, {}, {nan, 0, 0, 0})}, "not finite");
  expect_skeleton_refused({joint("r", -1, {}, {1.0011, 0, 0, 0})}, "has length 1.0011");
  expect_skeleton_refused({joint("r", -1, {}, {0.9989, 0, 0, 0})}, "has length 0.9989");
  expect_skeleton_refused({joint("r", -1, {}, {0, 0, 0, 0})}, "has length 0");
}

// A quarter turn about +Z takes +X to +Y: the child stands where it would with the exact
// quaternion.
TEST(Skeleton, NormalisesAnImpreciseRestQuaternion) {
  const double half = std::sqrt(0.5);
  for (const double scale : {0.9991, 1.0 - 1e-6, 1.0 + 2e-9, 1.0009}) {
    const Quat stored{scale * half, 0, 0, scale * half};
    const Skeleton skeleton =
        *Skeleton::create({joint("r", -1, {}, stored), joint("c", 0, {2, 0, 0})});
    const Quat& q = skeleton.joints()[0].rest.rotation;
    EXPECT_NEAR(q.w, half, 2e-16);
    EXPECT_NEAR(q.z, half, 2e-16);
    const Vec3 child = skeleton.rest_positions()[1];
    EXPECT_NEAR(child.x, 0.0, 1e-15);
    EXPECT_NEAR(child.y, 2.0, 1e-15);
    // Once normalised it is kept.
    const Skeleton again = *Skeleton::create({joint("r", -1, {}, q)});
    EXPECT_EQ(again.joints()[0].rest.rotation, q);
  }
  const Quat kept{1.0 + 5e-10, 0, 0, 0};
  EXPECT_EQ(Skeleton::create({joint("r", -1, {}, kept)})->joints()[0].rest.rotation, kept);
}

std::vector<Joint> chain_of(int depth) {
  std::vector<Joint> joints(static_cast<std::size_t>(depth));
  for (int i = 0; i < depth; ++i) {
    joints[static_cast<std::size_t>(i)] = joint("j", i - 1, {0, 1, 0});
  }
  return joints;
}

TEST(Skeleton, TheLongestChainIsFine) {
  constexpr int kDepth = 16'384;
  const Skeleton chain = *Skeleton::create(chain_of(kDepth));
  EXPECT_EQ(chain.rest_height(), kDepth - 1);
  EXPECT_EQ(chain.rest_position_in(kDepth - 1, 0), (Vec3{0, kDepth - 1, 0}));
  EXPECT_TRUE(chain.descends(kDepth - 1, 0));
  expect_skeleton_refused(chain_of(kDepth + 1), "16385 joints; a skeleton has at most 16384");
}

}  // namespace
}  // namespace tocsin::skeleton_test
