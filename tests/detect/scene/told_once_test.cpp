// Two objects in motion: what happens between them is told once, by the one that comes first.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "detect/scene/random_world.h"
#include "support/scenes/random_link.h"
#include "tocsin/detector.h"
#include "tocsin/scene.h"

namespace tocsin::told_once_test {
namespace {

using test::RandomLinks;

/// Contacts of an object's report with another one.
std::vector<Contact> with(const ObjectReport& of, std::uint32_t object) {
  std::vector<Contact> out;
  for (const Contact& c : of.report.value().contacts) {
    if (c.room() != nullptr && c.room()->object == object) out.push_back(c);
  }
  return out;
}

/// A small box leaves a large one, in whose midst it begins. Each moves or deforms.
struct Nested {
  Scene scene = Scene::make().value();
  std::array<ObjectId, 2> boxes{};  ///< in order of index

  Nested(bool outer_first, const std::array<bool, 2>& moves) {
    const test::WorldMesh box = test::box_mesh();
    ShapePlacement small;
    small.scale = {0.2, 0.2, 0.2};
    for (std::size_t i = 0; i < 2; ++i) {
      const bool outer = (i == 0) == outer_first;
      boxes[i] =
          scene.add(outer ? "outer" : "inner", box.mesh, outer ? ShapePlacement{} : small).value();
      ShapePlacement to = outer ? ShapePlacement{} : small;
      to.translation.x = outer ? 0.1 : 5.0;
      if (moves[i]) {
        test::done(scene.move(boxes[i], {to.rotation, to.translation}));
      } else {
        test::done(scene.deform(boxes[i], {}, to));
      }
    }
  }
};

TEST(PairsInMotion, OfWhichOneLeavesTheOtherAreToldOnce) {
  for (const bool outer_first : {true, false}) {
    for (const std::array<bool, 2> moves :
         {std::array{true, true}, {true, false}, {false, true}, {false, false}}) {
      SCOPED_TRACE(std::to_string(outer_first) + std::to_string(moves[0]) +
                   std::to_string(moves[1]));
      Nested nested(outer_first, moves);
      const Detector detector = nested.scene.snapshot().value();
      const auto reports = detector.check_objects();
      ASSERT_EQ(reports.size(), 2U);
      // Those that move come before those that deform.
      const std::size_t teller = !moves[0] && moves[1] ? 1 : 0;
      const StepReport& told = reports[teller].report.value();
      ASSERT_EQ(told.contacts.size(), 1U);
      EXPECT_EQ(told.contacts[0].room()->object, reports[1 - teller].object);
      EXPECT_TRUE(told.contacts[0].inside);
      EXPECT_EQ(told.contacts[0].status, ContactStatus::kOverlap);
      EXPECT_EQ(told.contacts[0].toc, (std::array<double, 2>{}));
      EXPECT_EQ(told.safe_until, 0.0);
      const StepReport& other = reports[1 - teller].report.value();
      EXPECT_TRUE(other.contacts.empty());
      EXPECT_EQ(other.safe_until, 1.0);
      // A pair that is switched off is nobody's.
      Nested apart(outer_first, moves);
      test::done(apart.scene.deactivate_pair(apart.boxes[1], apart.boxes[0]));
      for (const ObjectReport& one : apart.scene.snapshot().value().check_objects()) {
        EXPECT_TRUE(one.report.value().contacts.empty());
      }
    }
  }
}

/// A box in motion, and what the test knows of it.
struct Box {
  ObjectId id{};
  ShapePlacement at;
  Transform to;
};

/// How far the first corner of one is inside another when the step begins; below 0: outside.
double depth_of(const Box& one, const Box& other) {
  const Vec3 corner =
      core::rotate(one.at.rotation, {-one.at.scale.x, -one.at.scale.y, -one.at.scale.z}) +
      one.at.translation;
  const Vec3 p = core::rotate(core::conjugate(other.at.rotation), corner - other.at.translation);
  return std::min({other.at.scale.x - std::fabs(p.x), other.at.scale.y - std::fabs(p.y),
                   other.at.scale.z - std::fabs(p.z)});
}

/// Boxes of all sizes, many of them in others.
struct Boxes {
  Scene scene;
  std::vector<Box> all;

  Boxes(RandomLinks& random, const test::WorldMesh& mesh, Contacts contacts)
      : scene(Scene::make({.contacts = contacts}).value()) {
    for (int i = 0; i < 6; ++i) {
      Box box;
      const double size = i % 2 == 0 ? random.uniform(0.5, 1.0) : random.uniform(0.02, 0.2);
      box.at.translation = random.vector(0, 0.5);
      box.at.rotation = core::normalized(random.rotation(random.uniform(0, 3.0)));
      box.at.scale = {size, size, size};
      box.to = {box.at.rotation, box.at.translation + random.vector(0, 1.0)};
      box.id = scene.add("box " + std::to_string(i), mesh.mesh, box.at).value();
      all.push_back(box);
    }
    for (const Box& box : all) test::done(scene.move(box.id, box.to));
  }
};

TEST(PairsInMotion, AreToldOnceAndAsEarlyAsTheyTouch) {
  RandomLinks random(71);
  const test::WorldMesh mesh = test::box_mesh();
  std::size_t held = 0;
  std::size_t leaving = 0;
  std::size_t touching = 0;
  for (int round = 0; round < 150; ++round) {
    Boxes boxes(random, mesh, Contacts::kPairs);
    const Detector detector = boxes.scene.snapshot().value();
    const auto got = detector.check_objects({.threads = 1 + round % 2});
    ASSERT_EQ(got.size(), boxes.all.size());
    for (std::size_t i = 0; i < got.size(); ++i) {
      for (std::size_t j = i + 1; j < got.size(); ++j) {
        EXPECT_TRUE(with(got[j], got[i].object).empty()) << round;
        const auto told = with(got[i], got[j].object);
        ASSERT_LE(told.size(), 1U);
        touching += told.size();
        // One that is inside another is in contact with it from the start, whatever comes later.
        const double depth =
            std::max(depth_of(boxes.all[i], boxes.all[j]), depth_of(boxes.all[j], boxes.all[i]));
        if (depth < 1e-6) continue;
        ++held;
        ASSERT_EQ(told.size(), 1U) << round << ' ' << i << ' ' << j;
        EXPECT_EQ(told[0].toc[0], 0.0);
        if (depth_of(boxes.all[j], boxes.all[i]) > 1e-6 && told[0].inside) ++leaving;
      }
    }
    // With the first contact alone, nothing is lost to a pair that another report tells of.
    const Detector least = detector.with_options({.contacts = Contacts::kFirst}).value();
    const auto firsts = least.check_objects();
    for (std::size_t i = 0; i < got.size(); ++i) {
      const StepReport& all = got[i].report.value();
      const StepReport& one = firsts[i].report.value();
      EXPECT_EQ(one.contacts.size(), std::min<std::size_t>(all.contacts.size(), 1));
      EXPECT_EQ(one.safe_until, all.safe_until);
    }
  }
  EXPECT_GT(held, 150U);
  EXPECT_GT(leaving, 50U);
  EXPECT_GT(touching, held + 50U);
}

}  // namespace
}  // namespace tocsin::told_once_test
