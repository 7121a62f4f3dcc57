// A scene's snapshots answer as the flat room of the same objects does, whatever came before.
#include "tocsin/scene.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "detect/scene/random_world.h"
#include "support/scenes/random_scene.h"
#include "tocsin/stream.h"

namespace tocsin::scene_test {
namespace {

using test::FlatRoom;
using test::RandomTake;
using test::RandomWorld;

struct Totals {
  std::size_t questions = 0;  ///< pairs of a link and an object
  std::size_t contacts = 0;
  std::size_t inside = 0;
  std::size_t grazes = 0;
};

/// The report of the flat room, in the words of the scene.
StepReport renamed(StepReport report, const FlatRoom& flat) {
  for (Contact& c : report.contacts) {
    if (RoomTriangle* const at = c.room()) at->object = flat.index[at->object];
  }
  return report;
}

void expect_equal(const StepReport& got, const StepReport& want, Totals& totals) {
  ASSERT_FALSE(want.error);
  ASSERT_FALSE(got.error) << got.error->message;
  EXPECT_EQ(got.safe_until, want.safe_until);
  EXPECT_EQ(got.contacts, want.contacts);
  EXPECT_EQ(got.clearances, want.clearances);
  EXPECT_EQ(got.counters.candidates, want.counters.candidates);
  for (const Contact& c : want.contacts) {
    ++totals.contacts;
    if (c.inside) ++totals.inside;
    if (c.status == ContactStatus::kGraze) ++totals.grazes;
  }
}

/// Corners are where the objects were put, to the last bit of a float or the one beside it.
void expect_placed(RandomWorld& world, const Environment& snapshot) {
  for (const auto& [name, object] : world.objects()) {
    const std::uint32_t index = world.scene().index_of(object.id).value();
    const Object& known = snapshot.objects()[index];
    EXPECT_EQ(known.name, name);
    const test::WorldMesh& mesh = world.meshes()[object.mesh];
    ASSERT_EQ(known.triangle_count, mesh.triangles.size());
    for (std::uint32_t t = 0; t < known.triangle_count; t += 7) {
      ASSERT_EQ(snapshot.object_of(known.first_triangle + t), index);
      const auto corners = snapshot.corners(known.first_triangle + t);
      for (std::size_t k = 0; k < 3; ++k) {
        const auto want = test::placed_exactly(object.at, mesh.vertices[mesh.triangles[t][k]]);
        const float got[3] = {corners[k].x, corners[k].y, corners[k].z};
        for (std::size_t a = 0; a < 3; ++a) {
          // Half a unit in a float's last place, and the rounding of doubles where terms cancel.
          const long double most = std::fabs(want[a]) * 0x1.01p-24L + 0x1p-48L;
          EXPECT_LE(std::fabs(static_cast<long double>(got[a]) - want[a]), most);
        }
      }
    }
  }
}

TEST(Scene, AnswersAsTheFlatRoomWhateverCameBefore) {
  Totals totals;
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    DetectorOptions options;
    options.contacts = seed % 4 == 3 ? Contacts::kFirst : Contacts::kPairs;
    options.margin = seed % 3 == 0 ? 0.02 : 0.0;
    options.clearance = seed % 2 == 0;
    RandomWorld world(seed, options);
    for (int i = 0; i < 6; ++i) world.add();
    for (int version = 0; version < 12; ++version) {
      for (int i = 0; i < 5; ++i) world.change();
      const Detector detector = world.scene().snapshot().value();
      expect_placed(world, detector.environment());
      const FlatRoom flat = test::flat_room(world, detector.environment());
      EXPECT_EQ(detector.environment().bounds(), flat.room.bounds());
      const Detector want = Detector::make(flat.room, options).value();
      const RandomTake take = test::random_take(world.random(), 6, 5, 0.5, 0.3);
      const Motion motion =
          take.motion.placed({world.random().vector(0, 0.5), world.random().uniform(-180, 180)})
              .value();
      Stream stream(detector, take.avatar);
      for (const Step& step : motion.steps().value()) {
        const StepReport expected = renamed(want.check(take.avatar, step), flat);
        expect_equal(detector.check(take.avatar, step), expected, totals);
        totals.questions += take.avatar.links().size() * flat.index.size();
        const StepReport streamed = stream.check(step);
        EXPECT_EQ(streamed.contacts, expected.contacts);
        EXPECT_EQ(streamed.safe_until, expected.safe_until);
      }
    }
  }
  // Those of kFirst have one contact a step at most.
  EXPECT_GT(totals.contacts, totals.questions / 20);
  EXPECT_LT(totals.contacts, totals.questions * 4 / 5);
  EXPECT_GT(totals.inside, 20U);
}

TEST(Scene, ASnapshotStaysAsItWas) {
  RandomWorld world(77, {});
  for (int i = 0; i < 20; ++i) world.add();
  const RandomTake take = test::random_take(world.random(), 6, 6, 0.5, 0.3);
  const StepList steps = take.motion.steps().value();
  std::vector<Detector> versions;
  std::vector<StepReport> before;
  for (int version = 0; version < 30; ++version) {
    versions.push_back(world.scene().snapshot().value());
    before.push_back(versions.back().check(take.avatar, steps[2]));
    for (int i = 0; i < 10; ++i) world.change();
  }
  std::size_t contacts = 0;
  for (std::size_t i = 0; i < versions.size(); ++i) {
    EXPECT_EQ(versions[i].check(take.avatar, steps[2]).contacts, before[i].contacts);
    contacts += before[i].contacts.size();
  }
  EXPECT_GT(contacts, 60U);
}

TEST(Scene, ManyRemovalsRenumberAndChangeNothing) {
  Scene scene = Scene::make().value();
  const test::WorldMesh box = test::box_mesh();
  std::vector<ObjectId> ids;
  for (int i = 0; i < 3000; ++i) {
    ShapePlacement at;
    at.translation = {3.0 * (i % 50), 3.0 * (i / 50 % 50), 3.0 * (i / 2500)};
    ids.push_back(scene.add("box " + std::to_string(i), box.mesh, at).value());
  }
  const Detector all = scene.snapshot().value();
  for (std::size_t i = 0; i < ids.size(); ++i) {
    if (i % 10 != 3) test::done(scene.remove(ids[i]));
  }
  EXPECT_EQ(scene.size(), 300U);
  const ObjectId more = scene.add("one more", box.mesh, {{-9, 0, 0}, {}}).value();
  EXPECT_EQ(scene.compacted(), 1U);
  const Detector few = scene.snapshot().value();
  EXPECT_EQ(few.environment().objects().size(), 301U);
  for (std::size_t i = 3; i < ids.size(); i += 10) {
    const std::uint32_t index = scene.index_of(ids[i]).value();
    const Object& object = few.environment().objects()[index];
    EXPECT_EQ(object.name, "box " + std::to_string(i));
    const Object& old = all.environment().objects()[i];
    EXPECT_EQ(few.environment().corners(object.first_triangle + 5),
              all.environment().corners(old.first_triangle + 5));
  }
  EXPECT_TRUE(scene.find("one more").value() == more);
  EXPECT_FALSE(scene.find("box 4").ok());
  EXPECT_TRUE(scene.find("box 13").ok());
}

}  // namespace
}  // namespace tocsin::scene_test
