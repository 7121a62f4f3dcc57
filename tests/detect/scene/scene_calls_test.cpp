// Every call of paper 003's Tables 1 and 2, under the names that it has here (docs/scenes.md); and
// every error.
#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <vector>

#include "detect/scene/random_world.h"
#include "tocsin/scene.h"

namespace tocsin::scene_calls_test {
namespace {

using test::done;

/// A stick of 1 m along x that rests at a height.
struct Stick {
  Avatar avatar;
  Step step;
};
Stick stick_at(double y) {
  Skeleton skeleton = Skeleton::create({{"root", -1, {}}}).value();
  const Transform at{{}, {0, y, 0}};
  Motion motion = Motion::create(skeleton, 1.0, {at, at}).value();
  std::vector<Link> links{{"stick", 0, {-0.5, 0, 0}, {0.5, 0, 0}, 0.05, {}},
                          {"knob", 0, {-2, 0, 0}, {-2, 0, 0}, 0.05, {}}};
  return {Avatar::create("stick", std::move(skeleton), std::move(links)).value(),
          motion.steps().value().front()};
}

std::vector<std::string> touched(Scene& scene, const Stick& stick) {
  const Detector detector = scene.snapshot().value();
  std::vector<std::string> out;
  for (const Contact& c : detector.check(stick.avatar, stick.step).value().contacts) {
    out.push_back(detector.environment().objects()[c.room()->object].name);
  }
  return out;
}

using Names = std::vector<std::string>;

TEST(SceneCalls, TableOne) {
  const Stick stick = stick_at(0.0);
  // col_open
  Scene scene = Scene::make().value();
  EXPECT_EQ(touched(scene, stick), Names{});
  // col_create_object, col_add_triangle, col_finish_object
  const Mesh flag = Mesh::create({{0, -1, -1}, {0, 1, -1}, {0, 0, 2}}, {{0, 1, 2}}).value();
  const ObjectId near = scene.add("near", flag).value();
  const ObjectId far = scene.add("far", flag, {{9, 0, 0}, {}}).value();
  EXPECT_EQ(touched(scene, stick), Names{"near"});
  // col_update_transform
  done(scene.place(far, {{0.2, 0, 0}, {}}));
  EXPECT_EQ(touched(scene, stick), (Names{"near", "far"}));
  // col_deactivate, col_activate
  done(scene.deactivate(near));
  EXPECT_EQ(touched(scene, stick), Names{"far"});
  done(scene.activate(near));
  EXPECT_EQ(touched(scene, stick), (Names{"near", "far"}));
  // col_deactivate_pair, col_activate_pair: of a link and an object by patterns
  done(scene.deactivate_pairs("stick:n*"));
  EXPECT_EQ(touched(scene, stick), Names{"far"});
  done(scene.deactivate_pairs("*:*"));
  EXPECT_EQ(touched(scene, stick), Names{});
  done(scene.activate_pairs("stick:near"));
  EXPECT_EQ(touched(scene, stick), Names{"near"});
  done(scene.activate_pairs("*:*"));
  EXPECT_EQ(touched(scene, stick), (Names{"near", "far"}));
  // col_clear_object and a new col_finish_object
  done(scene.replace(near, Mesh::create({{0, 7, 0}, {1, 7, 0}, {0, 8, 0}}, {{0, 1, 2}}).value()));
  EXPECT_EQ(touched(scene, stick), Names{"far"});
  EXPECT_EQ(scene.size(), 2U);
  // col_delete_object
  done(scene.remove(far));
  EXPECT_EQ(touched(scene, stick), Names{});
  EXPECT_EQ(scene.size(), 1U);
  EXPECT_FALSE(scene.remove(far).ok());
  // col_test, col_report_collision: snapshot() and the detector's reports, as above
}

TEST(SceneCalls, PairsOfObjects) {
  Scene scene = Scene::make().value();
  const test::WorldMesh box = test::box_mesh();
  const ObjectId wall = scene.add("wall", box.mesh, {{3, 0, 0}, {}}).value();
  const ObjectId crate = scene.add("crate", box.mesh).value();
  const ObjectId other = scene.add("other crate", box.mesh, {{0, 0, 5}, {}}).value();
  const auto contacts = [&] {
    done(scene.place(crate, {}));
    done(scene.move(crate, {{}, {2, 0, 4}}));
    std::size_t out = 0;
    for (const ObjectReport& one : scene.snapshot().value().check_objects()) {
      EXPECT_EQ(one.object, scene.index_of(crate).value());
      out += one.report.value().contacts.size();
    }
    return out;
  };
  EXPECT_EQ(contacts(), 2U);
  done(scene.deactivate_pair(wall, crate));
  EXPECT_EQ(contacts(), 1U);
  done(scene.deactivate_pairs("crate:other*"));
  EXPECT_EQ(contacts(), 0U);
  done(scene.activate_pair(other, crate));  // the latest word
  EXPECT_EQ(contacts(), 1U);
  done(scene.activate_pairs("wall:crate"));  // either way round
  EXPECT_EQ(contacts(), 2U);
  done(scene.deactivate_pair(crate, wall));
  EXPECT_EQ(contacts(), 1U);
  // Another object is another pair.
  done(scene.remove(wall));
  ASSERT_TRUE(scene.add("wall", box.mesh, {{3, 0, 0}, {}}).ok());
  EXPECT_EQ(contacts(), 2U);
}

TEST(SceneCalls, TableTwo) {
  const Stick stick = stick_at(0.0);
  DetectorOptions options;
  options.clearance = true;
  Scene scene = Scene::make(options).value();
  // col_set_tolerance, col_add_sphere, col_add_cylinder, col_add_cone: shapes with their tolerance
  const Mesh cylinder = Mesh::of(Shape::cylinder(0.3, 1.0, 1e-3).value()).value();
  const Mesh cone = Mesh::of(Shape::cone(0.3, 1.0, 1e-3).value()).value();
  const Mesh box = Mesh::of(Shape::box({0.1, 0.1, 0.1}).value()).value();
  EXPECT_TRUE(cylinder.closed());
  EXPECT_TRUE(cone.closed());
  const ObjectId a = scene.add("near", cylinder, {{0.6, 0, 0}, {}}).value();
  EXPECT_EQ(touched(scene, stick), Names{"near"});
  // col_est_distance
  done(scene.place(a, {{2.0, 0, 0}, {}}));
  const StepReport report = scene.snapshot().value().check(stick.avatar, stick.step);
  EXPECT_TRUE(report.contacts.empty());
  EXPECT_LE(report.clearances[0], 2.0 - 0.3 - 0.5 - 0.05 + 1e-6);
  EXPECT_GT(report.clearances[0], 2.0 - 0.3 - 0.5 - 0.05 - 0.01);
  // col_create_switch, col_parent_object, col_choose_child
  const ObjectId b = scene.add("fine", cone).value();
  const ObjectId c = scene.add("coarse", box).value();
  const SwitchId level = scene.add_switch();
  done(scene.set_switch(b, level));
  done(scene.set_switch(c, level));
  EXPECT_EQ(touched(scene, stick), Names{});
  done(scene.choose(level, c));
  EXPECT_EQ(touched(scene, stick), Names{"coarse"});
  done(scene.choose(level, b));
  EXPECT_EQ(touched(scene, stick), Names{"fine"});
  done(scene.deactivate(b));
  EXPECT_EQ(touched(scene, stick), Names{});
  done(scene.activate(b));
  done(scene.replace(b, box));  // it stays the chosen one
  EXPECT_EQ(touched(scene, stick), Names{"fine"});
  done(scene.clear_switch(c));
  EXPECT_EQ(touched(scene, stick), (Names{"coarse", "fine"}));
  done(scene.choose_none(level));
  EXPECT_EQ(touched(scene, stick), Names{"coarse"});
  EXPECT_FALSE(scene.choose(level, c).ok());
  EXPECT_FALSE(scene.choose(SwitchId{12345}, b).ok());
}

void expect_refused(const Status& status, const std::string& says) {
  ASSERT_FALSE(status.ok()) << says;
  EXPECT_NE(status.error().message.find(says), std::string::npos) << status.error().message;
}

TEST(SceneCalls, ErrorsChangeNothing) {
  Scene scene = Scene::make().value();
  const Mesh box = test::box_mesh().mesh;
  const ObjectId a = scene.add("a", box).value();
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_FALSE(scene.add("a", box).ok());
  EXPECT_FALSE(scene.add("b", Mesh()).ok());
  EXPECT_FALSE(scene.replace(a, Mesh()).ok());
  EXPECT_FALSE(Mesh::create({{0, 0, 0}}, {}).ok());
  EXPECT_FALSE(Mesh::create({{0, 0, 0}}, {{0, 0, 1}}).ok());
  EXPECT_FALSE(Mesh::of(Shape()).ok());
  EXPECT_FALSE(Mesh::of(Shape::sphere({}, 1.0).value()).ok());
  expect_refused(scene.place(a, {{nan, 0, 0}, {}}), "translation must be finite");
  expect_refused(scene.place(a, {{2e6, 0, 0}, {}}), "translation must be finite");
  expect_refused(scene.place(a, {{}, {2, 0, 0, 0}}), "unit length");
  expect_refused(scene.place(a, {{}, {nan, 0, 0, 0}}), "unit length");
  expect_refused(scene.place(a, {{}, {}, {1, 0, 1}}), "scale must be finite");
  expect_refused(scene.place(a, {{}, {}, {1, nan, 1}}), "scale must be finite");
  expect_refused(scene.place(a, {{999999.5, 0, 0}, {}}), "within 1e6 m");
  expect_refused(scene.move(a, {{}, {nan, 0, 0}}), "translation must be finite");
  expect_refused(scene.move(a, {{3, 0, 0, 0}, {}}), "unit length");
  expect_refused(scene.deactivate_pairs("no colon"), "no ':'");
  expect_refused(scene.place(ObjectId{99}, {}), "no such object");
  expect_refused(scene.activate_pair(a, ObjectId{99}), "no such object");
  expect_refused(scene.set_switch(a, SwitchId{99}), "no such switch");
  for (const Backend backend : {Backend::kGl, Backend::kCuda}) {
    DetectorOptions device;
    device.backend = backend;
    EXPECT_FALSE(Scene::make(device).ok());
  }
  DetectorOptions wrong;
  wrong.margin = -1.0;
  EXPECT_FALSE(Scene::make(wrong).ok());
  EXPECT_EQ(scene.size(), 1U);
  EXPECT_EQ(touched(scene, stick_at(0.98)), Names{"a"});

  const Detector detector = scene.snapshot().value();
  EXPECT_FALSE(detector.with_environment(Environment()).ok());
  EXPECT_FALSE(detector.with_backend({}).ok());
  DetectorOptions surfaces;
  surfaces.surfaces = {"*"};
  EXPECT_FALSE(detector.with_options(surfaces).ok());
  DetectorOptions margin;
  margin.margin = 0.1;
  EXPECT_TRUE(detector.with_options(margin).ok());
}

TEST(SceneCalls, SurfacesAreNotSolid) {
  const Stick stick = stick_at(0.0);
  DetectorOptions options;
  options.surfaces = {"paper*"};
  Scene scene = Scene::make(options).value();
  const Mesh box = test::box_mesh().mesh;
  ShapePlacement around;
  around.scale = {5, 5, 5};
  const ObjectId paper = scene.add("paper box", box, around).value();
  EXPECT_EQ(touched(scene, stick), Names{});
  done(scene.remove(paper));
  around.scale = {5, 5, -5};  // mirrored, and still solid
  ASSERT_TRUE(scene.add("solid box", box, around).ok());
  EXPECT_EQ(touched(scene, stick), (Names{"solid box", "solid box"}));
}

}  // namespace
}  // namespace tocsin::scene_calls_test
