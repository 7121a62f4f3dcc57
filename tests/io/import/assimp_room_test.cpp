// Rooms through assimp. The files are written by hand, the expected positions worked out by hand
// from them.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

#include "base/sha256.h"
#include "io/import/buffer_files.h"
#include "io/load_environment.h"
#include "io/room_files.h"
#include "io/room_queries.h"
#include "tocsin/io.h"

namespace tocsin::assimp_room_test {
namespace {

using test::Corners;
using test::f32;
using test::RoomFolder;
using test::triangles_of;
using test::u16;
using test::u32;
using test::warns;

/// A binary STL of one triangle.
std::string stl(std::initializer_list<float> corners) {
  return std::string(80, ' ') + u32(1) + f32({0, 0, 1}) + f32(corners) + u16(0);
}

TEST(AssimpRoom, ScaleAndUpAxisAreAppliedInDouble) {
  const RoomFolder folder;
  const auto file = folder.write("dart.STL", stl({0, 0, 0, 2, 0, 0, 0.5F, 0.5F, 0}));
  const auto scaled = load_environment(file, {.scale = 0.1, .up = UpAxis::kZ});
  // (x, y, z) becomes (x, z, -y); 0.1 in double times 0.5 rounds to the float nearest to 0.05.
  EXPECT_EQ(triangles_of(*scaled, "dart").at(0),
            (Corners{{{0, 0, 0}, {0.2F, 0, 0}, {0.05F, 0, -0.05F}}}));
  const auto turned = load_environment(file, {.scale = 1.0, .up = UpAxis::kX});
  EXPECT_EQ(triangles_of(*turned, "dart").at(0),
            (Corners{{{0, 0, 0}, {0, 2, 0}, {-0.5F, 0.5F, 0}}}));
  for (const double scale : {0.0, -1.0, 1.0 / 0.0, 0.0 / 0.0}) {
    EXPECT_FALSE(load_environment(file, {.scale = scale, .up = UpAxis::kY}).ok());
  }
  // Far too large a scale is refused, not overflowed.
  EXPECT_FALSE(load_environment(file, {.scale = 1e300, .up = UpAxis::kY}).ok());
}

TEST(AssimpRoom, StlSolidsAreObjectsAndNothingIsDropped) {
  const auto facet = [](const std::string& a, const std::string& b, const std::string& c) {
    return "facet normal 0 0 1\nouter loop\nvertex " + a + "\nvertex " + b + "\nvertex " + c +
           "\nendloop\nendfacet\n";
  };
  const RoomFolder folder;
  const auto room = load_environment(folder.write(
      "two.stl", "solid left\n" + facet("0 0 0", "1 0 0", "0 1 0") +
                     "endsolid left\nsolid right\n" + facet("5 0 0", "6 0 0", "5 1 0") +
                     facet("5 0 0", "5 0 0", "5 1 0") + facet("5 0 0", "6 0 0", "5 1 0") +
                     "endsolid right\n"));
  ASSERT_TRUE(room.ok()) << room.error().message;
  EXPECT_EQ(test::object_names(*room), (std::vector<std::string>{"left", "right"}));
  EXPECT_EQ(triangles_of(*room, "right"),
            (std::vector<Corners>{{{{5, 0, 0}, {6, 0, 0}, {5, 1, 0}}},
                                  {{{5, 0, 0}, {5, 0, 0}, {5, 1, 0}}},
                                  {{{5, 0, 0}, {6, 0, 0}, {5, 1, 0}}}}));
}

TEST(AssimpRoom, BinaryStl) {
  const RoomFolder folder;
  const auto room = load_environment(folder.write("box.stl", stl({0, 0, 0, 1, 0, 0, 0, 1, 0})));
  ASSERT_TRUE(room.ok()) << room.error().message;
  EXPECT_EQ(triangles_of(*room, "box"),
            (std::vector<Corners>{{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}}}));
}

/// Positions (0,0,0) (1,0,0) (0,1,0) (0,0,1); triangles 0 1 2 and 0 2 3; a line 0 1.
std::string gltf_buffer() {
  return f32({0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1}) + u16(0) + u16(1) + u16(2) + u16(0) + u16(2) +
         u16(3) + u16(0) + u16(1);
}

/// Two meshes: two triangles; and two triangles, a line, two triangles.
std::string gltf(const std::string& nodes, const std::string& roots, const std::string& uri) {
  return R"({"asset":{"version":"2.0"},"scene":0,"scenes":[{"nodes":[)" + roots +
         R"(]}],"nodes":[)" + nodes +
         R"(],"meshes":[{"primitives":[{"attributes":{"POSITION":0},"indices":1}]},
    {"primitives":[{"attributes":{"POSITION":0},"indices":1},
                   {"attributes":{"POSITION":0},"indices":2,"mode":1},
                   {"attributes":{"POSITION":0},"indices":1}]}],
    "buffers":[{"byteLength":64)" +
         (uri.empty() ? "" : ",\"uri\":\"" + uri + '"') + R"(}],
    "bufferViews":[{"buffer":0,"byteLength":48},{"buffer":0,"byteOffset":48,"byteLength":12},
                   {"buffer":0,"byteOffset":60,"byteLength":4}],
    "accessors":[{"bufferView":0,"componentType":5126,"count":4,"type":"VEC3","min":[0,0,0],"max":[1,1,1]},
                 {"bufferView":1,"componentType":5123,"count":6,"type":"SCALAR"},
                 {"bufferView":2,"componentType":5123,"count":2,"type":"SCALAR"}]})";
}

/// Table: half a turn about y, scale (2, -1, 1), at (10, 0, 0). The first Chair: x to z, z to -x,
/// at (0, 0, 5). Both stand in House, at (1, 2, 3). A second Chair stands outside.
const char* const kNodes =
    R"({"name":"House","translation":[1,2,3],"children":[1,2]},
       {"name":"Table","mesh":0,"rotation":[0,1,0,0],"scale":[2,-1,1],"translation":[10,0,0]},
       {"name":"Chair","mesh":0,"matrix":[0,0,1,0, 0,1,0,0, -1,0,0,0, 0,0,5,1]},
       {"name":"Chair","mesh":1})";

void expect_house(const Result<Environment>& room) {
  ASSERT_TRUE(room.ok()) << room.error().message;
  EXPECT_EQ(test::object_names(*room), (std::vector<std::string>{"Table", "Chair", "Chair@2"}));
  // (1,0,0) -> scale (2,0,0) -> turn (-2,0,0) -> (8,0,0) -> (9,2,3), and so on.
  EXPECT_EQ(triangles_of(*room, "Table"),
            (std::vector<Corners>{{{{11, 2, 3}, {9, 2, 3}, {11, 1, 3}}},
                                  {{{11, 2, 3}, {11, 1, 3}, {11, 2, 2}}}}));
  EXPECT_EQ(triangles_of(*room, "Chair"),
            (std::vector<Corners>{{{{1, 2, 8}, {1, 2, 9}, {1, 3, 8}}},
                                  {{{1, 2, 8}, {1, 3, 8}, {0, 2, 8}}}}));
  // Two meshes make one object, in order.
  const std::vector<Corners> once{{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}},
                                  {{{0, 0, 0}, {0, 1, 0}, {0, 0, 1}}}};
  std::vector<Corners> twice = once;
  twice.insert(twice.end(), once.begin(), once.end());
  EXPECT_EQ(triangles_of(*room, "Chair@2"), twice);
  EXPECT_TRUE(warns(*room, "\"Chair\" is now \"Chair@2\""));
  EXPECT_TRUE(warns(*room, "left out, as only triangles can be touched: 1 line"));
}

TEST(AssimpRoom, GltfNodesBecomeObjects) {
  const RoomFolder folder;
  const std::string uri = "data:application/octet-stream;base64," + test::base64(gltf_buffer());
  expect_house(load_environment(folder.write("house.gltf", gltf(kNodes, "0,3", uri))));
}

TEST(AssimpRoom, GltfBuffersMayLieBesideTheFile) {
  const RoomFolder folder;
  const auto file = folder.write("house.gltf", gltf(kNodes, "0,3", "house.bin"));
  EXPECT_FALSE(load_environment(file).ok());
  EXPECT_TRUE(folder.write("house.bin", gltf_buffer()).has_filename());
  expect_house(load_environment(file));
}

/// These files are read, and their hashes are those of what was parsed.
void expect_inputs(const std::filesystem::path& file,
                   const std::vector<std::filesystem::path>& wanted) {
  io::InputLog read;
  ASSERT_TRUE(io::load_environment(file, {}, io::FolderGuard::anywhere(), &read).ok());
  ASSERT_EQ(read.size(), wanted.size());
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    EXPECT_EQ(read[i].file, wanted[i].string());
    EXPECT_EQ(read[i].role, i == 0 ? "environment" : "buffer");
    EXPECT_EQ(read[i].sha256, base::sha256_file(wanted[i])->c_str());
  }
}

TEST(AssimpRoom, GltfBuffersMayBePercentEncoded) {
  const RoomFolder folder;
  const auto file = folder.write("house.gltf", gltf(kNodes, "0,3", "my%20h%C3%A4use%2.bin"));
  EXPECT_FALSE(load_environment(file).ok());
  const auto buffer = folder.write("my h\xC3\xA4use%2.bin", gltf_buffer());
  expect_house(load_environment(file));
  expect_inputs(file, {file, buffer});
  // A file of that very name comes first.
  const auto plain = folder.write("my%20h%C3%A4use%2.bin", gltf_buffer());
  expect_inputs(file, {file, plain});
}

TEST(AssimpRoom, AGltfBufferThatIsAPipeIsRefused) {
  const RoomFolder folder;
  const auto file = folder.write("house.gltf", gltf(kNodes, "0,3", "house.bin"));
  ASSERT_EQ(::mkfifo((file.parent_path() / "house.bin").c_str(), 0600), 0);
  const Result<Environment> room = load_environment(file);
  ASSERT_FALSE(room.ok());
  EXPECT_EQ(room.error().code, ErrorCode::kInput);
  EXPECT_NE(room.error().message.find("house.bin"), std::string::npos) << room.error().message;
}

// So that what is hashed is what is parsed.
TEST(AssimpRoom, BuffersOfABinaryFileAndOfGltf1AreRead) {
  const RoomFolder folder;
  EXPECT_TRUE(folder.write("house.bin", gltf_buffer()).has_filename());
  const std::string old = R"({"buffers":{"a":{"uri":"house.bin"}},"images":[{"uri":"no.png"}]})";
  for (const auto& [name, bytes] : {std::pair<std::string, std::string>{
                                        "new.glb", test::glb(gltf(kNodes, "0,3", "house.bin"), "")},
                                    {"old.gltf", old}}) {
    const auto buffers =
        io::read_buffers(folder.write(name, bytes), bytes, io::FolderGuard::anywhere(), nullptr);
    ASSERT_TRUE(buffers.ok()) << buffers.error().message;
    ASSERT_EQ(buffers->size(), 1U) << name;
    EXPECT_EQ((*buffers)[0].bytes, gltf_buffer());
  }
}

TEST(AssimpRoom, ABufferOutsideOfTheFolderIsRefused) {
  const RoomFolder folder;
  const auto file = folder.write("house.gltf", gltf(kNodes, "0,3", "house.bin"));
  EXPECT_TRUE(folder.write("house.bin", gltf_buffer()).has_filename());
  const auto room = io::load_environment(file, {}, io::FolderGuard({}), nullptr);
  ASSERT_FALSE(room.ok());
  EXPECT_EQ(room.error().code, ErrorCode::kUsage);
  EXPECT_NE(room.error().message.find("house.bin\", which may not be read"), std::string::npos)
      << room.error().message;
}

TEST(AssimpRoom, TooManyBuffersAreRefused) {
  const RoomFolder folder;
  std::string json = R"({"buffers":[)";
  for (std::size_t i = 0; i <= io::kMostBuffers; ++i) {
    json += (i == 0 ? "" : ",") + std::string(R"({"uri":"b)") + std::to_string(i) + "\"}";
  }
  const auto room = load_environment(folder.write("house.gltf", json + "]}"));
  ASSERT_FALSE(room.ok());
  EXPECT_NE(room.error().message.find("names more than 4096 buffer files"), std::string::npos);
}

TEST(AssimpRoom, BinaryGltf) {
  const RoomFolder folder;
  expect_house(load_environment(
      folder.write("house.glb", test::glb(gltf(kNodes, "0,3", ""), gltf_buffer()))));
}

TEST(AssimpRoom, DeepTransformsAreMultipliedInDouble) {
  // Ten nodes move by 0.1 each, then back by 1. In floats, the sum of ten is 1.0000001.
  std::string nodes;
  for (int i = 0; i < 10; ++i) {
    nodes += R"({"translation":[0.1,0,0],"children":[)" + std::to_string(i + 1) + "]},";
  }
  nodes += R"({"name":"Leaf","translation":[-1,0,0],"mesh":0})";
  const RoomFolder folder;
  const auto room =
      load_environment(folder.write("deep.glb", test::glb(gltf(nodes, "0", ""), gltf_buffer())));
  ASSERT_TRUE(room.ok()) << room.error().message;
  EXPECT_NEAR(triangles_of(*room, "Leaf").at(0)[0].x, 0.0, 1e-15);
}

std::string collada(const std::string& asset) {
  return R"(<?xml version="1.0" encoding="utf-8"?>
<COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1"><asset>)" +
         asset + R"(</asset>
<library_geometries><geometry id="g" name="g"><mesh>
  <source id="p"><float_array id="pa" count="12">0 0 0 100 0 0 100 100 0 0 0 200</float_array>
   <technique_common><accessor source="#pa" count="4" stride="3"><param name="X" type="float"/>
    <param name="Y" type="float"/><param name="Z" type="float"/></accessor></technique_common></source>
  <vertices id="v"><input semantic="POSITION" source="#p"/></vertices>
  <polylist count="2"><input semantic="VERTEX" source="#v" offset="0"/>
   <vcount>4 3</vcount><p>0 1 2 3 0 2 3</p></polylist></mesh></geometry></library_geometries>
<library_visual_scenes><visual_scene id="s">
 <node id="n1" name="Shelf"><translate>100 0 0</translate>
  <node id="n2" name="Board"><matrix>1 0 0 0 0 1 0 0 0 0 -1 300 0 0 0 1</matrix>
   <instance_geometry url="#g"/></node></node></visual_scene></library_visual_scenes>
<scene><instance_visual_scene url="#s"/></scene></COLLADA>)";
}

TEST(AssimpRoom, ColladaUnitAndUpAxisAreThoseOfTheFile) {
  const RoomFolder folder;
  const auto room = load_environment(folder.write(
      "shelf.dae", collada(R"(<unit name="centimeter" meter="0.01"/><up_axis>Z_UP</up_axis>)")));
  ASSERT_TRUE(room.ok()) << room.error().message;
  EXPECT_EQ(test::object_names(*room), std::vector<std::string>{"Board"});
  // (0,0,0) -> z mirrored and raised (0,0,300) -> (100,0,300) cm, Z up -> (1,3,0) m, Y up.
  const auto t = triangles_of(*room, "Board");
  EXPECT_EQ(t, (std::vector<Corners>{{{{1, 3, 0}, {2, 3, 0}, {2, 3, -1}}},
                                     {{{1, 3, 0}, {2, 3, -1}, {1, 1, 0}}},
                                     {{{1, 3, 0}, {2, 3, -1}, {1, 1, 0}}}}));
}

TEST(AssimpRoom, ColladaInMetresWithYUpIsTakenAsItIs) {
  const RoomFolder folder;
  const auto room = load_environment(
      folder.write("shelf.dae", collada(R"(<unit meter="1"/><up_axis>Y_UP</up_axis>)")));
  ASSERT_TRUE(room.ok()) << room.error().message;
  EXPECT_EQ(triangles_of(*room, "Board").at(1),
            (Corners{{{100, 0, 300}, {200, 100, 300}, {100, 0, 100}}}));
}

TEST(AssimpRoom, X3d) {
  const RoomFolder folder;
  const auto room =
      load_environment(folder.write("box.x3d", R"(<?xml version="1.0" encoding="UTF-8"?>
<X3D profile="Interchange" version="3.0"><Scene><Transform DEF="Room" translation="1 0 0">
 <Transform DEF="Box" translation="0 2 0" scale="1 1 -2"><Shape>
  <IndexedFaceSet coordIndex="0 1 2 3 -1 0 1 4 -1">
   <Coordinate point="0 0 0, 1 0 0, 1 1 0, 0 1 0, 0 0 1"/></IndexedFaceSet></Shape></Transform>
</Transform></Scene></X3D>)"));
  ASSERT_TRUE(room.ok()) << room.error().message;
  EXPECT_EQ(triangles_of(*room, "Box"),
            (std::vector<Corners>{{{{1, 2, 0}, {2, 2, 0}, {2, 3, 0}}},
                                  {{{1, 2, 0}, {2, 3, 0}, {1, 3, 0}}},
                                  {{{1, 2, 0}, {2, 2, 0}, {1, 2, -2}}}}));
}

TEST(AssimpRoom, FbxUnitAndUpAxisAreThoseOfTheFile) {
  const RoomFolder folder;
  const auto room = load_environment(folder.write("shelf.fbx", R"(; FBX 7.3.0 project file
FBXHeaderExtension:  {
	FBXHeaderVersion: 1003
	FBXVersion: 7300
}
GlobalSettings:  {
	Version: 1000
	Properties70:  {
		P: "UpAxis", "int", "Integer", "",2
		P: "UpAxisSign", "int", "Integer", "",1
		P: "UnitScaleFactor", "double", "Number", "",2.54
	}
}
Objects:  {
	Geometry: 1000, "Geometry::Quad", "Mesh" {
		Vertices: *12 {
			a: 0,0,0,100,0,0,100,100,0,0,0,50
		}
		PolygonVertexIndex: *7 {
			a: 0,1,2,-4,0,1,-4
		}
		GeometryVersion: 124
	}
	Model: 2000, "Model::Shelf", "Mesh" {
		Version: 232
		Properties70:  {
			P: "Lcl Translation", "Lcl Translation", "", "A",100,0,0
			P: "Lcl Scaling", "Lcl Scaling", "", "A",1,-1,2
		}
	}
}
Connections:  {
	C: "OO",2000,0
	C: "OO",1000,2000
}
)"));
  ASSERT_TRUE(room.ok()) << room.error().message;
  // (100,100,0) -> scaled (100,-100,0) -> (200,-100,0) inches, Z up -> (5.08, 0, 2.54) m, Y up.
  EXPECT_EQ(triangles_of(*room, "Shelf"),
            (std::vector<Corners>{{{{2.54F, 0, 0}, {5.08F, 0, 0}, {5.08F, 0, 2.54F}}},
                                  {{{2.54F, 0, 0}, {5.08F, 0, 2.54F}, {2.54F, 2.54F, 0}}},
                                  {{{2.54F, 0, 0}, {5.08F, 0, 0}, {2.54F, 2.54F, 0}}}}));
  EXPECT_TRUE(warns(*room, "0.0254 m, Z up"));
}

TEST(LoadEnvironment, AnUnknownExtensionListsTheKnownOnes) {
  const auto room = load_environment("room.max");
  ASSERT_FALSE(room.ok());
  EXPECT_EQ(room.error().message,
            "room.max: no room can be read from a file with the extension \".max\" (known: .obj, "
            ".ply, .stl, "
            ".glb, .gltf, .dae, .x3d, .fbx, .wrl)");
}

TEST(LoadEnvironment, AFileThatIsNotThereIsNamed) {
  for (const char* file : {"no_such_room.obj", "no_such_room.ply", "no_such_room.glb"}) {
    const auto room = load_environment(file);
    ASSERT_FALSE(room.ok());
    EXPECT_EQ(room.error().code, ErrorCode::kInput);
    EXPECT_EQ(room.error().message.rfind(file, 0), 0U) << room.error().message;
  }
}

}  // namespace
}  // namespace tocsin::assimp_room_test
