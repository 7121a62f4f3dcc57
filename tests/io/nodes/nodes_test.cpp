// Transforms of rooms' nodes: in double from the file's own numbers, whatever reads the meshes.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <Eigen/Geometry>
#include <cmath>
#include <numbers>
#include <random>
#include <string>
#include <vector>

#include "io/nodes/named_nodes.h"
#include "io/nodes/xml_tags.h"
#include "io/room_files.h"
#include "io/room_queries.h"
#include "tocsin/io.h"

namespace tocsin::nodes_test {
namespace {

using Eigen::Matrix4d;
using Eigen::Vector3d;
using test::Corners;
using test::f32;
using test::RoomFolder;
using test::triangles_of;

/// Transform elements of two nodes, one in the other, in which a triangle stands.
std::string dae(const std::string& outer, const std::string& inner,
                const std::string& asset = R"(<unit meter="1"/><up_axis>Y_UP</up_axis>)",
                const std::string& points = "0 -8 -8 0 8 -8 0 0 16") {
  return R"(<?xml version="1.0"?><COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1"><asset>)" +
         asset + R"(</asset><library_geometries><geometry id="g"><mesh>
<source id="p"><float_array id="pa" count="9">)" +
         points +
         R"(</float_array><technique_common><accessor source="#pa" count="3" stride="3">
<param name="X" type="float"/><param name="Y" type="float"/><param name="Z" type="float"/></accessor></technique_common></source>
<vertices id="v"><input semantic="POSITION" source="#p"/></vertices>
<triangles count="1"><input semantic="VERTEX" source="#v" offset="0"/><p>0 1 2</p></triangles></mesh></geometry></library_geometries>
<library_visual_scenes><visual_scene id="s"><node id="site" name='Site &amp; "yard"'>)" +
         outer + R"(<node id="wall" name="wall">)" + inner +
         R"(<instance_geometry url="#g"/></node></node></visual_scene></library_visual_scenes>
<scene><instance_visual_scene url="#s"/></scene></COLLADA>)";
}

std::string x3d(const std::string& outer, const std::string& inner) {
  return R"(<?xml version="1.0"?><X3D version="3.0" profile="Interchange"><Scene><Transform )" +
         outer + R"(><Transform DEF="wall" )" + inner +
         R"(><Shape><IndexedFaceSet coordIndex="0 1 2 -1"><Coordinate point="0 -8 -8 0 8 -8 0 0 16"/></IndexedFaceSet></Shape></Transform></Transform></Scene></X3D>)";
}

std::string gltf(const std::string& outer, const std::string& inner) {
  return R"({"asset":{"version":"2.0"},"scenes":[{"nodes":[0]}],"nodes":[{"children":[1],)" +
         outer + R"(},{"name":"wall","mesh":0,)" + inner +
         R"(}],"meshes":[{"primitives":[{"attributes":{"POSITION":0}}]}],
    "accessors":[{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3"}],
    "bufferViews":[{"buffer":0,"byteLength":36}],"buffers":[{"byteLength":36,"uri":"data:;base64,)" +
         test::base64(f32({0, -8, -8, 0, 8, -8, 0, 0, 16})) + "\"}]}";
}

Result<Environment> load(const std::string& name, const std::string& text) {
  const RoomFolder folder;
  return load_environment(folder.write(name, text));
}

// Found by an attack: floats of 500,000 m are 3 cm apart, so the wall stood 15 mm off.
TEST(Nodes, AWallUnderAParentFarAwayStandsWhereItShould) {
  const std::string wrl =
      "#VRML V2.0 utf8\nTransform { translation 500000.14 0 0 children Transform { translation "
      "-500000 0 0 children DEF wall Shape { geometry IndexedFaceSet { coord Coordinate { point [0 "
      "-8 -8, 0 8 -8, 0 0 16] } coordIndex [0 1 2 -1] } } } }\n";
  const std::pair<std::string, std::string> rooms[] = {
      {"room.wrl", wrl},
      {"room.gltf", gltf(R"("translation":[500000.14,0,0])", R"("translation":[-500000,0,0])")},
      {"room.dae",
       dae("<translate>500000.14 0 0</translate>", "<translate>-500000 0 0</translate>")},
      {"room.x3d", x3d("translation='500000.14 0 0'", "translation='-500000, 0, 0'")}};
  // 500000.14 is a double 1.2e-11 from it; the difference is exact, then rounded to a float.
  const auto x = static_cast<float>(500000.14 - 500000.0);
  for (const auto& [name, text] : rooms) {
    const auto room = load(name, text);
    ASSERT_TRUE(room.ok()) << room.error().message;
    EXPECT_EQ(triangles_of(*room, "wall"),
              (std::vector<Corners>{Corners{{{x, -8, -8}, {x, 8, -8}, {x, 0, 16}}}}))
        << name;
  }
}

/// A named node's transform as a matrix.
Matrix4d eigen(const io::Affine& map) {
  Matrix4d out = Matrix4d::Identity();
  for (int i = 0; i < 3; ++i) {
    const Vec3& row = map.linear.row[i];
    out.block<1, 3>(i, 0) << row.x, row.y, row.z;
  }
  out.block<3, 1>(0, 3) << map.origin.x, map.origin.y, map.origin.z;
  return out;
}

Matrix4d dae_local(const std::string& elements) {
  const auto nodes = io::named_dae_nodes(dae(elements, ""));
  EXPECT_TRUE(nodes.ok()) << nodes.error().message;
  return nodes.ok() ? eigen(nodes->nodes.at(0).local) : Matrix4d::Zero();
}

Matrix4d shifted(const Vector3d& by) { return Eigen::Affine3d(Eigen::Translation3d(by)).matrix(); }
Matrix4d turned(double radians, const Vector3d& axis) {
  return Eigen::Affine3d(Eigen::AngleAxisd(radians, axis.normalized())).matrix();
}
Matrix4d scaled(const Vector3d& by) { return Eigen::Affine3d(Eigen::Scaling(by)).matrix(); }

TEST(Nodes, ColladaElementsMultiplyInOrder) {
  std::mt19937 random(5);
  std::uniform_real_distribution<double> uniform(-3.0, 3.0);
  for (int i = 0; i < 200; ++i) {
    const auto three = [&] { return Vector3d(uniform(random), uniform(random), uniform(random)); };
    const Vector3d move = three();
    const Vector3d axis = three();
    const Vector3d scale = three();
    const Vector3d row = three();
    const double degrees = 100.0 * uniform(random);
    const std::string text = fmt::format(
        "<translate sid='a'>{} {} {}</translate><rotate>{}\n{}\t{} {}</rotate><extra/>"
        "<!-- <scale>9 9 9</scale> --><scale>{} {} {}</scale>"
        "<matrix>1 0 0 0 {} {} {} 2 0 0 1 0 0 0 0 1</matrix>",
        move.x(), move.y(), move.z(), axis.x(), axis.y(), axis.z(), degrees, scale.x(), scale.y(),
        scale.z(), row.x(), row.y(), row.z());
    Matrix4d last = Matrix4d::Identity();
    last.row(1) << row.x(), row.y(), row.z(), 2.0;
    const Matrix4d expected =
        shifted(move) * turned(degrees * std::numbers::pi / 180.0, axis) * scaled(scale) * last;
    EXPECT_LT((dae_local(text) - expected).cwiseAbs().maxCoeff(), 1e-13);
  }
}

// Found by an attack: assimp keeps the up vector as it is, so that the transform sheared.
TEST(Nodes, ColladaLookatIsRigid) {
  std::mt19937 random(6);
  std::uniform_real_distribution<double> uniform(-3.0, 3.0);
  for (int i = 0; i < 200; ++i) {
    const Vector3d eye(uniform(random), uniform(random), uniform(random));
    const Vector3d at(uniform(random), uniform(random), uniform(random));
    const Vector3d up(uniform(random), uniform(random), uniform(random));
    const Matrix4d m =
        dae_local(fmt::format("<lookat>{} {} {} {} {} {} {} {} {}</lookat>", eye.x(), eye.y(),
                              eye.z(), at.x(), at.y(), at.z(), up.x(), up.y(), up.z()));
    const Eigen::Matrix3d r = m.block<3, 3>(0, 0);
    EXPECT_LT((r.transpose() * r - Eigen::Matrix3d::Identity()).norm(), 1e-14);
    EXPECT_NEAR(r.determinant(), 1.0, 1e-14);
    EXPECT_LT((m.block<3, 1>(0, 3) - eye).norm(), 1e-15);
    // -z looks at the target; up has no part to the side, and a positive one along y.
    EXPECT_LT((r * Vector3d(0, 0, -1) - (at - eye).normalized()).norm(), 1e-14);
    EXPECT_NEAR(r.col(0).dot(up), 0.0, 1e-13);
    EXPECT_GT(r.col(1).dot(up), 0.0);
  }
}

TEST(Nodes, TheAttacksLookatLeavesItsTriangleAsItIs) {
  const auto room =
      load("room.dae", dae("<lookat>0 0 0 0 -1 -1 0 1 0</lookat>", "",
                           R"(<unit meter="1"/><up_axis>Y_UP</up_axis>)", "0 0 0 0 1 0 1 0 0"));
  ASSERT_TRUE(room.ok()) << room.error().message;
  const auto h = static_cast<float>(std::sqrt(0.5));
  const Corners corners = triangles_of(*room, "wall").at(0);
  EXPECT_EQ(corners[2], (Vec3f{1, 0, 0}));
  EXPECT_NEAR(corners[1].y, h, 6e-8F);
  EXPECT_NEAR(corners[1].z, -h, 6e-8F);
}

TEST(Nodes, ColladaUnitsAreAppliedInDouble) {
  const auto room = load("room.dae", dae("<translate>1e1 0 0</translate>", "",
                                         R"(<unit meter="0.0254"/><up_axis> Z_UP </up_axis>)"));
  ASSERT_TRUE(room.ok()) << room.error().message;
  // (x, y, z) inches, Z up -> (x, z, -y).
  const auto inches = [](double value) { return static_cast<float>(0.0254 * value); };
  EXPECT_EQ(triangles_of(*room, "wall"),
            (std::vector<Corners>{Corners{{{inches(10), inches(-8), inches(8)},
                                           {inches(10), inches(-8), inches(-8)},
                                           {inches(10), inches(16), 0}}}}));
  EXPECT_TRUE(room->warnings().empty());
}

TEST(Nodes, AColladaNodeThatIsInstantiatedTwiceStandsTwice) {
  std::string text = dae("", "<translate>0 0 1</translate>");
  const std::string library =
      "<library_nodes><node id='chair' name='chair'><translate>500000.14 0 0</translate>"
      "<instance_geometry url='#g'/></node></library_nodes>";
  text.insert(text.find("<library_visual_scenes>"), library);
  text.insert(text.find("</visual_scene>"),
              "<node name='row'><translate>-500000 0 0</translate><instance_node url='#chair'/>"
              "<instance_node url='#chair'/></node><node><instance_geometry url='#g'/></node>");
  const auto room = load("room.dae", text);
  ASSERT_TRUE(room.ok()) << room.error().message;
  EXPECT_EQ(test::object_names(*room),
            (std::vector<std::string>{"wall", "chair", "chair@2", "$ColladaAutoName$_0"}));
  const auto x = static_cast<float>(500000.14 - 500000.0);
  for (const char* const name : {"chair", "chair@2"}) {
    EXPECT_EQ(triangles_of(*room, name).at(0)[0], (Vec3f{x, -8, -8})) << name;
  }
}

TEST(Nodes, ColladaThatCannotBeReadRightlyIsRefused) {
  const std::pair<const char*, const char*> cases[] = {
      {"<skew>30 1 0 0 0 1 0</skew>", "<skew> is not read; write it as a <matrix>"},
      {"<translate>1 2</translate>", "<translate> is no transform"},
      {"<translate>1 2 3 4</translate>", "<translate> is no transform"},
      {"<translate/>", "<translate> is no transform"},
      {"<rotate>0 0 0 30</rotate>", "<rotate> is no transform"},
      {"<rotate>0 0 1 nan</rotate>", "<rotate> is no transform"},
      {"<scale>1 1,5 x</scale>", "<scale> is no transform"},
      {"<matrix>1 0 0 0 0 1 0 0 0 0 1 0 0 0 1 1</matrix>", "<matrix> is no transform"},
      {"<lookat>0 0 0 0 1 0 0 1 0</lookat>", "<lookat> is no transform"},
      {"<lookat>1 1 1 1 1 1 0 1 0</lookat>", "<lookat> is no transform"},
  };
  for (const auto& [element, cause] : cases) {
    const auto room = load("room.dae", dae(element, ""));
    ASSERT_FALSE(room.ok()) << element;
    EXPECT_EQ(room.error().code, ErrorCode::kInput);
    EXPECT_NE(room.error().message.find(cause), std::string::npos) << room.error().message;
    EXPECT_NE(room.error().message.find(R"(node "Site & \"yard\"")"), std::string::npos)
        << room.error().message;
  }
  for (const char* const unit : {"0", "-1", "x", "", "nan"}) {
    const auto room = load("room.dae", dae("", "", fmt::format("<unit meter='{}'/>", unit)));
    ASSERT_FALSE(room.ok()) << unit;
    EXPECT_NE(room.error().message.find("is not a positive number"), std::string::npos);
  }
}

TEST(Nodes, X3dTransformsAreThoseOfTheStandard) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> uniform(-3.0, 3.0);
  for (int i = 0; i < 200; ++i) {
    const auto three = [&] { return Vector3d(uniform(random), uniform(random), uniform(random)); };
    const Vector3d t = three();
    const Vector3d c = three();
    const Vector3d s = three();
    const Vector3d r = three();
    const Vector3d so = three();
    const double a = uniform(random);
    const double b = uniform(random);
    const std::string fields = fmt::format(
        R"(translation="{} {} {}" center = '{},{} {}' scale="{} {} {}" rotation="{} {} {} {}" scaleOrientation="{} {} {} {}")",
        t.x(), t.y(), t.z(), c.x(), c.y(), c.z(), s.x(), s.y(), s.z(), r.x(), r.y(), r.z(), a,
        so.x(), so.y(), so.z(), b);
    const auto nodes = io::named_x3d_nodes(x3d(fields, ""));
    ASSERT_TRUE(nodes.ok()) << nodes.error().message;
    const Matrix4d expected = shifted(t) * shifted(c) * turned(a, r) * turned(b, so) * scaled(s) *
                              turned(-b, so) * shifted(-c);
    EXPECT_LT((eigen(nodes->nodes.at(0).local) - expected).cwiseAbs().maxCoeff(), 1e-12);
  }
}

// assimp 5.2 drops all nodes that follow a group that is used again.
TEST(Nodes, AnX3dGroupThatIsUsedAgainIsRefusedAShapeIsNot) {
  const std::string shape =
      R"(<Shape DEF="s"><IndexedFaceSet coordIndex="0 1 2 -1"><Coordinate point="0 0 0 1 0 0 0 1 0"/></IndexedFaceSet></Shape>)";
  const auto with = [&](const std::string& again) {
    return load("room.x3d", R"(<X3D profile="Interchange" version="3.0"><Scene>
<Transform DEF="a" translation="500000.14 0 0">)" +
                                shape + R"(</Transform><Transform DEF="b" translation="5 0 0">)" +
                                again + R"(</Transform><Transform translation="0 0 7">)" + shape +
                                "</Transform></Scene></X3D>");
  };
  for (const char* const name : {"Transform", "Group", "StaticGroup", "Switch"}) {
    const auto room = with(fmt::format("<{} USE='a'/>", name));
    ASSERT_FALSE(room.ok()) << name;
    EXPECT_NE(room.error().message.find(fmt::format(
                  "<{} USE=\"a\">, after which assimp loses nodes; write the node out", name)),
              std::string::npos)
        << room.error().message;
  }
  const auto room = with("<Shape USE='s'/>");
  ASSERT_TRUE(room.ok()) << room.error().message;
  ASSERT_EQ(test::object_names(*room), (std::vector<std::string>{"a", "b", "room"}));
  EXPECT_EQ(triangles_of(*room, "a").at(0)[0].x, static_cast<float>(500000.14));
  EXPECT_EQ(triangles_of(*room, "b").at(0)[0].x, 5.0F);
  EXPECT_EQ(triangles_of(*room, "room").at(0)[0].z, 7.0F);
}

// The files that an X3D file names are read by assimp alone.
TEST(Nodes, AnInlinedX3dFileKeepsItsTransforms) {
  const RoomFolder folder;
  EXPECT_TRUE(
      folder.write("chair.x3d", x3d("translation='0 0 3'", "translation='0 1 0'")).has_filename());
  const auto room = load_environment(folder.write(
      "room.x3d",
      R"(<X3D profile="Interchange" version="3.0"><Scene><Transform DEF="t" translation="5 0 0"><Inline url='"chair.x3d"'/></Transform></Scene></X3D>)"));
  if (!room.ok()) {  // an assimp that does not read them says that nothing is there
    EXPECT_NE(room.error().message.find("room.x3d: "), std::string::npos);
    return;
  }
  EXPECT_EQ(room->vertices()[0], (Vec3f{5, -7, -5}));
}

TEST(Nodes, NamesThatStandForNodesAreRefusedElsewhere) {
  const auto x3d_room = load("room.x3d", "<X3D><Scene><Group DEF='node#0'/></Scene></X3D>");
  ASSERT_FALSE(x3d_room.ok());
  EXPECT_NE(x3d_room.error().message.find("the DEF name \"node#0\" is not allowed"),
            std::string::npos);
  std::string text = dae("", "");
  text.replace(text.find("visual_scene id=\"s\""), 19, "visual_scene id=\"s\" name=\"node#0\"");
  const auto dae_room = load("room.dae", text);
  ASSERT_FALSE(dae_room.ok());
  EXPECT_NE(dae_room.error().message.find("the name \"node#0\" is not allowed"), std::string::npos);
}

TEST(Nodes, X3dThatCannotBeReadIsRefused) {
  for (const char* const field : {"translation='1 2'", "rotation='0 0 0 1'", "scale='1 1 1 1'",
                                  "center='a b c'", "scaleOrientation='1 0 0'"}) {
    const auto room = load("room.x3d", x3d(field, ""));
    ASSERT_FALSE(room.ok()) << field;
    EXPECT_NE(room.error().message.find("a Transform's "), std::string::npos);
  }
}

TEST(Nodes, Utf16XmlIsRead) {
  const auto wide = [](const std::string& text) {
    std::string out = "\xFE\xFF";
    for (const char c : text) {
      out += '\0';
      out += c;
    }
    return out;
  };
  for (const auto& [name, text] :
       {std::pair<std::string, std::string>{"room.dae", dae("", "")}, {"room.x3d", x3d("", "")}}) {
    const auto room = load(name, wide(text));
    ASSERT_TRUE(room.ok()) << room.error().message;
    EXPECT_EQ(test::object_names(*room), (std::vector<std::string>{"wall"}));
  }
}

TEST(XmlTags, AttributesAndEntities) {
  const std::string text =
      R"(<?xml v="1"?><!-- <no a="1"/> --><a:b x = "1>2" y='"q"'/><c><![CDATA[<d/>]]></c >)";
  io::XmlTags tags(text);
  io::XmlTag tag;
  ASSERT_TRUE(tags.next(tag));
  EXPECT_EQ(tag.name, "a:b");
  EXPECT_TRUE(tag.empty);
  EXPECT_EQ(tags.attribute(tag, "x")->text, "1>2");
  EXPECT_EQ(tags.attribute(tag, "y")->text, "\"q\"");
  EXPECT_FALSE(tags.attribute(tag, "z"));
  ASSERT_TRUE(tags.next(tag));
  EXPECT_EQ(tag.name, "c");
  ASSERT_TRUE(tags.next(tag));
  EXPECT_TRUE(tag.closes);
  EXPECT_FALSE(tags.next(tag));
  EXPECT_EQ(io::xml_unescaped("&lt;&amp;&#246;&#x20ac;&unknown;&;&"),
            "<&\xC3\xB6\xE2\x82\xAC&unknown;&;&");
}

TEST(XmlTags, CutAndDamagedTextsAreReadToTheirEnds) {
  const std::string whole =
      dae("<rotate>0 0 1 30</rotate>", "<lookat>0 0 0 0 -1 -1 0 1 0</lookat>");
  for (std::size_t size = 0; size < whole.size(); size += 3) {
    (void)io::named_dae_nodes(whole.substr(0, size));
    (void)io::named_x3d_nodes(whole.substr(0, size));
    std::string damaged = whole;
    for (const char c : {'<', '"', '&', '\0'}) {
      damaged[size] = c;
      (void)io::named_dae_nodes(damaged);
    }
  }
}

}  // namespace
}  // namespace tocsin::nodes_test
