// Shapes of a robot's links, the files that they come from, and pairs of links that are left out.
#include "io/robot/robot_model.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "io/avatar/load_avatar_model.h"
#include "io/robot/plan.h"
#include "io/robot/srdf.h"
#include "io/robot/urdf.h"
#include "support/contains.h"
#include "support/test_folder.h"
#include "tocsin/detector.h"
#include "tocsin/io.h"
#include "tocsin/link_pairs.h"

namespace tocsin::io::robot_model_test {
namespace {

using test::contains;
using test::TestFolder;

std::string collision(const std::string& geometry, const std::string& origin = {}) {
  return "<collision>" + origin + "<geometry>" + geometry + "</geometry></collision>";
}

/// A robot of one link.
std::string one_link(const std::string& parts) {
  return "<robot name=\"r\"><link name=\"l\">" + parts + "</link></robot>";
}

Shape shape_of(const TestFolder& folder, const std::string& geometry,
               const std::string& origin = {}) {
  const auto file = folder.write("r.urdf", one_link(collision(geometry, origin)));
  const auto model = load_avatar_model(file.string(), nullptr);
  EXPECT_TRUE(model.ok()) << model.error().message;
  return model.ok() ? model->links[0].shape : Shape();
}

struct Extent {
  Vec3 low{1e9, 1e9, 1e9};
  Vec3 high{-1e9, -1e9, -1e9};
};

Extent extent_of(const Shape& shape) {
  Extent out;
  for (const Vec3& p : shape.corners()) {
    out.low = {std::min(out.low.x, p.x), std::min(out.low.y, p.y), std::min(out.low.z, p.z)};
    out.high = {std::max(out.high.x, p.x), std::max(out.high.y, p.y), std::max(out.high.z, p.z)};
  }
  return out;
}

void expect_extent(const Extent& found, const Vec3& low, const Vec3& high, double tolerance) {
  EXPECT_NEAR(found.low.x, low.x, tolerance);
  EXPECT_NEAR(found.low.y, low.y, tolerance);
  EXPECT_NEAR(found.low.z, low.z, tolerance);
  EXPECT_NEAR(found.high.x, high.x, tolerance);
  EXPECT_NEAR(found.high.y, high.y, tolerance);
  EXPECT_NEAR(found.high.z, high.z, tolerance);
}

TEST(RobotModel, PrimitivesHaveTheirSizesAndPlaces) {
  const TestFolder folder;
  expect_extent(extent_of(shape_of(folder, "<box size=\"2 4 6\"/>", "<origin xyz=\"1 0 0\"/>")),
                {0, -2, -3}, {2, 2, 3}, 1e-15);
  const Shape ball =
      shape_of(folder, "<sphere radius=\"0.5\"/>", "<origin xyz=\"1 2 3\" rpy=\"1 2 3\"/>");
  EXPECT_EQ(ball.radius(), 0.5);
  ASSERT_EQ(ball.corners().size(), 1U);
  EXPECT_EQ(ball.corners()[0], (Vec3{1, 2, 3}));
}

TEST(RobotModel, ACylindersAxisIsZ) {
  const TestFolder folder;
  const Shape upright = shape_of(folder, "<cylinder radius=\"0.1\" length=\"2\"/>");
  expect_extent(extent_of(upright), {-0.1, -0.1, -1}, {0.1, 0.1, 1}, 0.0015);
  double least = 1.0;
  for (const Vec3& p : upright.corners()) {
    EXPECT_NEAR(std::fabs(p.z), 1.0, 1e-15);
    const double radius = std::hypot(p.x, p.y);
    EXPECT_GT(radius, 0.1);             // the prism holds the cylinder
    EXPECT_LE(radius, 0.1005 + 1e-12);  // by half a millimetre at most
    least = std::min(least, radius);
  }
  EXPECT_LT(least, 0.1006);
  // A quarter turn about x puts z on -y.
  const Shape lying = shape_of(folder, "<cylinder radius=\"0.1\" length=\"2\"/>",
                               "<origin rpy=\"1.5707963267948966 0 0\"/>");
  for (const Vec3& p : lying.corners()) EXPECT_NEAR(std::fabs(p.y), 1.0, 1e-15);
}

TEST(RobotModel, OriginsTurnAboutFixedAxesXThenYThenZ) {
  const TestFolder folder;
  folder.write("p.obj", "v 1 0 0\nv 0 2 0\nv 0 0 3\nf 1 2 3\n");
  const Shape shape =
      shape_of(folder, "<mesh filename=\"p.obj\"/>",
               "<origin xyz=\"10 0 0\" rpy=\"1.5707963267948966 0 1.5707963267948966\"/>");
  // x: (0,2,0) -> (0,0,2), (0,0,3) -> (0,-3,0); then z: (1,0,0) -> (0,1,0), (0,-3,0) -> (3,0,0).
  const std::vector<Vec3> expected{{10, 1, 0}, {10, 0, 2}, {13, 0, 0}};
  ASSERT_EQ(shape.corners().size(), 3U);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_NEAR(shape.corners()[i].x, expected[i].x, 1e-14) << i;
    EXPECT_NEAR(shape.corners()[i].y, expected[i].y, 1e-14) << i;
    EXPECT_NEAR(shape.corners()[i].z, expected[i].z, 1e-14) << i;
  }
}

TEST(RobotModel, ScalesMeshesBeforeTheyAreTurned) {
  const TestFolder folder;
  folder.write("p.obj", "v 1 0 0\nv 0 2 0\nv 0 0 3\nf 1 2 3\n");
  const Shape shape = shape_of(folder, "<mesh filename=\"p.obj\" scale=\"10 -100 1000\"/>",
                               "<origin rpy=\"0 0 1.5707963267948966\"/>");
  ASSERT_EQ(shape.corners().size(), 3U);
  EXPECT_NEAR(shape.corners()[0].y, 10.0, 1e-13);
  EXPECT_NEAR(shape.corners()[1].x, 200.0, 1e-12);
  EXPECT_NEAR(shape.corners()[2].z, 3000.0, 1e-12);
}

TEST(RobotModel, AColladaFileKeepsItsOwnAxes) {
  const TestFolder folder;
  folder.write(
      "p.dae",
      "<?xml version=\"1.0\"?><COLLADA xmlns=\"http://www.collada.org/2005/11/COLLADASchema\" "
      "version=\"1.4.1\"><asset><up_axis>Z_UP</up_axis></asset><library_geometries>"
      "<geometry id=\"g\"><mesh><source id=\"s\"><float_array id=\"f\" count=\"9\">1 2 3 4 5 6 "
      "7 8 0</float_array><technique_common><accessor source=\"#f\" count=\"3\" stride=\"3\">"
      "<param name=\"X\" type=\"float\"/><param name=\"Y\" type=\"float\"/>"
      "<param name=\"Z\" type=\"float\"/></accessor></technique_common></source>"
      "<vertices id=\"v\"><input semantic=\"POSITION\" source=\"#s\"/></vertices>"
      "<triangles count=\"1\"><input semantic=\"VERTEX\" source=\"#v\" offset=\"0\"/>"
      "<p>0 1 2</p></triangles></mesh></geometry></library_geometries>"
      "<library_visual_scenes><visual_scene id=\"vs\"><node id=\"n\"><instance_geometry "
      "url=\"#g\"/></node></visual_scene></library_visual_scenes><scene>"
      "<instance_visual_scene url=\"#vs\"/></scene></COLLADA>");
  const Shape shape = shape_of(folder, "<mesh filename=\"p.dae\"/>");
  ASSERT_EQ(shape.corners().size(), 3U);
  EXPECT_EQ(shape.corners()[0], (Vec3{1, 2, 3}));
  EXPECT_EQ(shape.corners()[1], (Vec3{4, 5, 6}));
}

TEST(RobotModel, FindsMeshFiles) {
  const TestFolder folder;
  std::filesystem::create_directories(folder.path() / "bot" / "urdf");
  std::filesystem::create_directories(folder.path() / "bot" / "meshes");
  std::filesystem::create_directories(folder.path() / "other");
  folder.write("bot/meshes/m.obj", "v 1 0 0\nv 0 2 0\nv 0 0 3\nf 1 2 3\n");
  folder.write("other/n.obj", "v 1 0 0\nv 0 2 0\nv 0 0 3\nf 1 2 3\n");
  const auto urdf = folder.path() / "bot" / "urdf" / "r.urdf";
  const auto is = [&](const std::string& name, const std::string& file) {
    const auto found = robot_mesh_file(urdf, name);
    ASSERT_TRUE(found.ok()) << found.error().message;
    EXPECT_EQ(*found, (folder.path() / file).lexically_normal()) << name;
  };
  is("../meshes/m.obj", "bot/meshes/m.obj");
  is("package://bot/meshes/m.obj", "bot/meshes/m.obj");
  is("package://other/n.obj", "other/n.obj");
  is("file://" + (folder.path() / "other/n.obj").string(), "other/n.obj");
  const auto refused = [&](const std::string& name) {
    const auto found = robot_mesh_file(urdf, name);
    return found.ok() ? std::string("found") : found.error().message;
  };
  EXPECT_TRUE(contains(refused("m.obj"), "mesh \"m.obj\" is not found: there is no "));
  EXPECT_TRUE(
      contains(refused("package://bot/m.obj"), "package \"bot\" with \"m.obj\" is in no folder"));
  EXPECT_TRUE(contains(refused("package://bot"), "is not found"));
  EXPECT_TRUE(contains(refused("model://m.obj"), "is no file: package://"));
  EXPECT_TRUE(contains(refused(""), "has no name"));
}

TEST(RobotModel, SaysWhichLinkCannotBeMade) {
  const TestFolder folder;
  const auto refusal = [&](const std::string& text) {
    const auto file = folder.write("r.urdf", text);
    const auto model = load_avatar_model(file.string(), nullptr);
    return model.ok() ? std::string("read") : model.error().message;
  };
  EXPECT_TRUE(contains(refusal(one_link("\n" + collision("<mesh filename=\"no.stl\"/>"))),
                       "r.urdf:2: link \"l\": mesh \"no.stl\" is not found"));
  folder.write("bad.obj", "v 1 0\n");
  EXPECT_TRUE(contains(refusal(one_link(collision("<mesh filename=\"bad.obj\"/>"))), "bad.obj:1:"));
  EXPECT_TRUE(
      contains(refusal(one_link(collision("<box size=\"1 0 1\"/>"))), "r.urdf:1: link \"l\": "));
  EXPECT_TRUE(
      contains(refusal(one_link(collision("<sphere radius=\"-1\"/>"))), "r.urdf:1: link \"l\": "));
  EXPECT_TRUE(contains(refusal(one_link(collision("<cylinder radius=\"1\" length=\"0\"/>"))),
                       "r.urdf:1: link \"l\": "));
  EXPECT_TRUE(contains(refusal(one_link("")), "no link has a collision element"));
}

constexpr const char* kJointStart = "<joint name=\"j\" type=\"continuous\"><parent link=\"a\"/>";

TEST(RobotModel, ALinkWithSeveralElementsIsSeveralLinks) {
  const TestFolder folder;
  const std::string ball = collision("<sphere radius=\"1\"/>");
  const auto file = folder.write("r.urdf", "<robot name=\"r\"><link name=\"a\">" + ball + ball +
                                               "</link><link name=\"b\">" + ball + "</link>" +
                                               kJointStart + "<child link=\"b\"/></joint></robot>");
  const auto model = load_avatar_model(file.string(), nullptr);
  ASSERT_TRUE(model.ok()) << model.error().message;
  std::vector<std::string> names;
  for (const LinkModel& link : model->links) names.push_back(link.name + " on " + link.joint);
  EXPECT_EQ(names, (std::vector<std::string>{"a.1 on a", "a.2 on a", "b on b"}));
  folder.write("r.urdf", "<robot name=\"r\"><link name=\"a\">" + ball + ball +
                             "</link><link name=\"a.2\">" + ball + "</link>" + kJointStart +
                             "<child link=\"a.2\"/></joint></robot>");
  EXPECT_TRUE(contains(load_avatar_model(file.string(), nullptr).error().message,
                       "\"a.2\" is the name of another link, too"));
}

// A ball on an arm of a metre turns by 3 rad in 2 s and meets a wall, whose plane is x = -0.5: the
// ball, of radius 0.1, touches where cos(angle) = -0.4.
TEST(RobotModel, AContactIsWhereGeometrySaysItIs) {
  const TestFolder folder;
  const auto urdf = folder.write(
      "r.urdf", std::string("<robot name=\"r\"><link name=\"a\"/><link name=\"b\">") +
                    collision("<sphere radius=\"0.1\"/>", "<origin xyz=\"1 0 0\"/>") + "</link>" +
                    kJointStart + "<child link=\"b\"/><axis xyz=\"0 0 1\"/></joint></robot>");
  const auto plan = folder.write("p.csv", "time,j\n0,0\n2,3\n");
  const auto wall =
      folder.write("w.obj", "o Wall\nv -0.5 -9 -9\nv -0.5 9 -9\nv -0.5 0 9\nf 1 2 3\n");
  const auto motion = tocsin::load_motion(plan, {.skeleton = urdf});
  ASSERT_TRUE(motion.ok()) << motion.error().message;
  const auto avatar = Avatar::bind(tocsin::load_avatar_model(urdf.string()), motion->skeleton());
  ASSERT_TRUE(avatar.ok()) << avatar.error().message;
  const auto detector = Detector::make(*tocsin::load_environment(wall));
  ASSERT_TRUE(detector.ok());
  const auto steps = motion->steps().value();
  ASSERT_EQ(steps.size(), 1U);
  const StepReport report = detector->check(*avatar, steps[0]);
  ASSERT_EQ(report.contacts.size(), 1U);
  const auto [lo, hi] = report.contacts[0].toc;
  const double expected = std::acos(-0.4) / 3.0;
  EXPECT_LE(lo, expected + 1e-12);
  EXPECT_GE(hi, expected - 1e-12);
  EXPECT_LT(hi - lo, 1e-6);
}

TEST(Srdf, ReadsDisabledPairs) {
  const auto srdf = parse_srdf(
      "<?xml version=\"1.0\"?>\n<!-- made -->\n<robot name=\"r\">\n<group name=\"g\"><link "
      "name=\"a\"/></group>\n"
      "<disable_collisions link1=\"a\" link2=\"b\" reason=\"Never\"/>\n"
      "<disable_collisions link2='a' link1='c&amp;d'></disable_collisions>\n</robot>\n",
      "r.srdf");
  ASSERT_TRUE(srdf.ok()) << srdf.error().message;
  const std::vector<std::array<std::string, 2>> expected{{"a", "b"}, {"c&d", "a"}};
  EXPECT_EQ(srdf->disabled, expected);
}

TEST(Srdf, SaysWhatIsWrongAndWhere) {
  const auto refusal = [](const std::string& text) {
    const auto srdf = parse_srdf(text, "r.srdf");
    return srdf.ok() ? std::string("read") : srdf.error().message;
  };
  EXPECT_EQ(refusal(""), "r.srdf: has no element; expected <robot>");
  EXPECT_EQ(refusal("<urdf/>"), "r.srdf:1: expected one element <robot>, found <urdf>");
  EXPECT_EQ(refusal("<robot>\n<disable_collisions link1=\"a\"/></robot>"),
            "r.srdf:2: <disable_collisions> has no link2");
  EXPECT_EQ(refusal("<robot>\n<disable_collisions link1=\"a\" link2=\"b\"/>\n"),
            "r.srdf:3: ends inside of <robot>");
  EXPECT_EQ(refusal("<robot>\n</group></robot>"), "r.srdf:2: </group> closes nothing that is open");
  EXPECT_TRUE(contains(refusal("<robot><disable_default_collisions link=\"a\"/></robot>"),
                       "<disable_default_collisions> is not read"));
}

TEST(Srdf, NamesStandForAllPartsAndUnknownOnesAreTold) {
  const TestFolder folder;
  const std::string ball = collision("<sphere radius=\"0.1\"/>");
  std::string text = "<robot name=\"r\">";
  for (const char* const name : {"a", "b", "c", "d"}) {
    text +=
        std::string("<link name=\"") + name + "\">" + ball + (*name == 'c' ? ball : "") + "</link>";
  }
  text +=
      "<joint name=\"j1\" type=\"continuous\"><parent link=\"a\"/><child link=\"b\"/></joint>"
      "<joint name=\"j2\" type=\"continuous\"><parent link=\"b\"/><child link=\"c\"/></joint>"
      "<joint name=\"j3\" type=\"fixed\"><parent link=\"c\"/><child link=\"d\"/></joint></robot>";
  const auto file = folder.write("r.urdf", text);
  const auto robot = read_robot(file, "avatar", nullptr);
  ASSERT_TRUE(robot.ok());
  const auto avatar = Avatar::bind(tocsin::load_avatar_model(file.string()),
                                   robot_skeleton(*robot, UpAxis::kY).value());
  ASSERT_TRUE(avatar.ok()) << avatar.error().message;
  // Links: a, b, c.1, c.2, d.
  Srdf srdf;
  srdf.disabled = {{"c", "a"}, {"a", "x"}, {"x", "b"}, {"y", "z"}, {"a", "c"}};
  const DisabledPairs disabled = disabled_pairs(srdf, *avatar);
  EXPECT_EQ(disabled.pairs, (std::vector<LinkPair>{{0, 2}, {0, 3}}));
  EXPECT_EQ(disabled.unknown, (std::vector<std::string>{"x", "y", "z"}));
  EXPECT_EQ(rigid_pairs(*robot, *avatar), (std::vector<LinkPair>{{2, 3}, {2, 4}, {3, 4}}));
}

}  // namespace
}  // namespace tocsin::io::robot_model_test
