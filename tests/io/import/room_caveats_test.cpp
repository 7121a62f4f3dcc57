// What assimp would read wrongly without a word: that it is refused or said.
#include "io/import/room_caveats.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "io/room_files.h"

namespace tocsin::io::room_caveats_test {
namespace {

using test::u32;

struct Case {
  const char* what;
  std::string text;
  std::string error;    ///< a part of it; empty: none
  std::string warning;  ///< the only one; empty: none
};

void check(const Case& c, const Result<RoomCaveats>& found) {
  EXPECT_EQ(found.ok(), c.error.empty()) << found.error().message;
  if (!c.error.empty()) {
    EXPECT_EQ(found.error().code, ErrorCode::kInput);
    EXPECT_NE(found.error().message.find(c.error), std::string::npos) << found.error().message;
    return;
  }
  ASSERT_TRUE(found.ok());
  ASSERT_EQ(found->warnings.size(), c.warning.empty() ? 0U : 1U);
  if (!c.warning.empty()) {
    EXPECT_EQ(found->warnings[0], c.warning);
  }
}

void check(const Case& c, std::string_view bytes, std::string_view extension) {
  SCOPED_TRACE(std::string(c.what) + std::string(extension));
  check(c, room_caveats(bytes, extension));
}

/// Of a file whose meshes assimp reads.
void check_gltf(const Case& c) {
  SCOPED_TRACE(c.what);
  check(c, gltf_caveats(nlohmann::json::parse(c.text), true));
}

/// A glTF file with one mesh. `accessor`: of its positions; `rest`: more members of the file.
std::string gltf(const std::string& accessor, const std::string& rest) {
  return R"({"asset":{"version":"2.0"},"accessors":[{"componentType":5126,"type":"VEC3"},{)" +
         accessor + R"(}],"meshes":[{"name":"M","primitives":[{"attributes":{"POSITION":1}}]}])" +
         rest + "}";
}
const std::string kFloats = R"("componentType":5126,"type":"VEC3")";

TEST(RoomCaveats, Gltf) {
  const auto required = [](const std::string& name) {
    return gltf(kFloats, R"(,"extensionsRequired":[")" + name + "\"]");
  };
  const auto accessor = [](const std::string& type, const std::string& shape) {
    return gltf("\"componentType\":" + type + ",\"type\":\"" + shape + "\"", "");
  };
  const auto nodes = [](const std::string& list) {
    return gltf(kFloats, ",\"nodes\":[" + list + "]");
  };
  const auto target = [](const std::string& at) {
    return R"({"accessors":[{"componentType":5126,"type":"VEC3"},{"componentType":5120}],)"
           R"("meshes":[{},{"primitives":[{},{"attributes":{"POSITION":0},"targets":[{},{)" +
           at + "}]}]}]}";
  };
  const std::string weighed =
      R"({"meshes":[{"primitives":[],"weights":[0,0.5]},{"weights":[0,0]}],"nodes":[)";
  const std::string morphed = "with morph targets that weigh something: read without them (first: ";
  const Case cases[] = {
      {"plain", gltf(kFloats, ""), "", ""},
      {"draco", required("KHR_draco_mesh_compression"), "", ""},
      {"material", required("KHR_materials_unlit"), "", ""},
      {"texture", required("KHR_texture_basisu"), "", ""},
      {"light", required("KHR_lights_punctual"), "", ""},
      {"used only", gltf(kFloats, R"(,"extensionsUsed":["EXT_meshopt_compression"])"), "", ""},
      {"meshopt", required("EXT_meshopt_compression"), "needs the extension \"EXT_meshopt_", ""},
      {"quantization", required("KHR_mesh_quantization"), "\"KHR_mesh_quantization\"", ""},
      {"instancing", required("EXT_mesh_gpu_instancing"), "\"EXT_mesh_gpu_instancing\"", ""},
      {"unknown", required("A\\nB"), "needs the extension \"A\\nB\"", ""},
      {"second", required("KHR_materials_ior\",\"X"), "needs the extension \"X\"", ""},
      {"int16", accessor("5122", "VEC3"),
       "mesh \"M\", primitive 0: positions as 16-bit integers, which assimp takes for floats", ""},
      {"uint8", accessor("5121", "VEC3"), "positions as 8-bit integers", ""},
      {"uint32", accessor("5125", "VEC3"), "positions as 32-bit integers", ""},
      {"type 7", accessor("7", "VEC3"), "positions as numbers of type 7", ""},
      {"VEC4", accessor("5126", "VEC4"), "primitive 0: positions of type \"VEC4\", not VEC3", ""},
      {"target", target("\"POSITION\":1"),
       "mesh 1, primitive 1, morph target 1: positions as 8-bit integers", ""},
      {"float target", target("\"POSITION\":0"), "", ""},
      {"instances",
       nodes(R"({},{"name":"Inst","mesh":0,"extensions":{"EXT_mesh_gpu_instancing":{}}})"),
       "node \"Inst\": instances (EXT_mesh_gpu_instancing), which are not read", ""},
      {"skin",
       nodes(R"({"mesh":0},{"name":"Body","mesh":0,"skin":0},{"skin":0},{"mesh":0,"skin":1})"), "",
       "2 meshes with a skin: read at the node's own place, not posed by its joints (first: node "
       "\"Body\")"},
      {"mesh weights", weighed + R"({},{"mesh":0}]})", "", "1 mesh " + morphed + "node 1)"},
      {"node weights", weighed + R"({"mesh":1,"weights":[1]},{"mesh":1,"weights":[-1]}]})", "",
       "2 meshes " + morphed + "node 0)"},
      {"weights undone", weighed + R"({"mesh":0,"weights":[0,0]},{"mesh":1}]})", "", ""},
      {"weights in extras", R"({"meshes":[{"extras":{"weights":[1]}}],"nodes":[{"mesh":0}]})", "",
       ""},
      {"byte order mark", "\xEF\xBB\xBF" + required("X"), "needs the extension", ""},
  };
  for (const Case& c : cases) check_gltf(c);
}

// What only assimp cannot read.
TEST(RoomCaveats, GltfThatAssimpDoesNotReadMayHaveAnyPositions) {
  const std::string sparse = gltf(R"("componentType":5126,"type":"VEC3","sparse":{})", "");
  const std::string integers = gltf(R"("componentType":5122,"type":"VEC3")",
                                    R"(,"extensionsRequired":["KHR_mesh_quantization"])");
  for (const std::string& text : {sparse, integers}) {
    EXPECT_FALSE(gltf_caveats(nlohmann::json::parse(text), true).ok());
    EXPECT_TRUE(gltf_caveats(nlohmann::json::parse(text), false).ok());
  }
  EXPECT_NE(gltf_caveats(nlohmann::json::parse(sparse), true)
                .error()
                .message.find("sparse positions in a file with Draco"),
            std::string::npos);
}

TEST(RoomCaveats, GltfThatIsStrangeIsLeftToItsReader) {
  const std::string texts[] = {
      "null",
      "[]",
      "3",
      "\"x\"",
      R"({"meshes":3,"nodes":"x","accessors":null,"extensionsRequired":{"a":1}})",
      R"({"meshes":[3,null,"x",[],{}],"nodes":[3,null,[],{"mesh":"x"},{"mesh":-1}]})",
      R"({"meshes":[{"primitives":7},{"primitives":[4,{"attributes":[],"targets":8}]}]})",
      R"({"meshes":[{"primitives":[{"attributes":{"POSITION":9}}]}],"accessors":[{}]})",
      R"({"meshes":[{"primitives":[{"attributes":{"POSITION":-1}}]}],"accessors":[{}]})",
      R"({"meshes":[{"primitives":[{"attributes":{"POSITION":0}}]}],"accessors":[7]})",
      R"({"meshes":[{"primitives":[{"attributes":{"POSITION":0}}]}],"accessors":[{"type":5}]})",
      R"({"meshes":[{"weights":"x"}],"nodes":[{"mesh":18446744073709551615,"weights":[{}]}]})",
      R"({"meshes":[{"weights":["x",null,[1]]}],"nodes":[{"mesh":0,"extensions":[1]}]})",
      R"({"extensionsRequired":[1,null,["x"],{}]})",
      R"({"extensionsRequired":"EXT_meshopt_compression"})",
  };
  for (const std::string& text : texts) {
    check_gltf({text.c_str(), text, "", ""});
  }
}

std::string x3d(const std::string& scene) {
  return "<?xml version=\"1.0\"?><X3D><Scene>" + scene + "</Scene></X3D>";
}

TEST(RoomCaveats, X3d) {
  const std::string group = ": left out with all that they hold, which assimp does not read";
  const Case cases[] = {
      {"none", x3d("<Transform DEF='Sphere'><Switch><Shape><Box/></Shape></Switch></Transform>"),
       "", ""},
      {"spheres", x3d("<Sphere/><Sphere radius='2'></Sphere><Sphere\n/>"), "",
       "3 Sphere: replaced by polyhedra inside them, up to about 0.5 % of the radius smaller "
       "(.wrl: polyhedra that contain them)"},
      {"slit", x3d("<Cylinder/><Cone/><Cylinder/>"), "",
       "1 Cone, 2 Cylinder: replaced by polyhedra inside them, about 0.6 % of the radius smaller, "
       "with a slit that is 12 degrees wide (.wrl: polyhedra that contain them)"},
      {"groups", x3d("<LOD/><Anchor><Collision/></Anchor><LOD></LOD>"), "",
       "1 Anchor, 1 Collision, 2 LOD" + group},
      {"text", x3d("<Text string='a'/><QuadSet/>"), "",
       "1 QuadSet, 1 Text: left out with the shapes that they are in, as assimp does not read "
       "them"},
      {"prototype", x3d("<ProtoDeclare/><ProtoInstance name='P'/>"), "",
       "1 ProtoInstance: left out, as assimp does not know prototypes"},
      {"inline", x3d("<Inline url='a.x3d'/>"), "",
       "1 Inline: the files they name are not looked through for what assimp leaves out"},
      {"unit", "<X3D><head><unit category='length' conversionFactor='0.01'/></head></X3D>", "",
       "1 unit: not applied by assimp; where the length is not metres, give the scale yourself"},
      {"comment", x3d("<!-- <LOD/> > <LOD/> --><![CDATA[ <LOD/> ]]><?x <LOD/> ?>"), "", ""},
      {"value", x3d("<A b='<LOD/>' c=\"'<LOD/>\" d='\"'/>"), "", ""},
      {"after a value", x3d("<A b='>'/><LOD/>"), "", "1 LOD" + group},
      {"other names", x3d("<LODX/><xLOD/><lod/><a:LOD/></LOD>< LOD/>"), "", ""},
      {"cut", "<LOD", "", "1 LOD" + group},
      {"cut value", "<LOD><A b='<LOD/>", "", "1 LOD" + group},
      {"cut comment", "<LOD><!-- <LOD/>", "", "1 LOD" + group},
      {"bracket", "<LOD><", "", "1 LOD" + group},
      {"empty", "", "", ""},
  };
  for (const Case& c : cases) check(c, c.text, ".x3d");
}

const std::string kFacet =
    "facet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nendloop\nendfacet\n";

TEST(RoomCaveats, Stl) {
  const std::string head = "solid a\n";
  const std::string end = "endsolid a\n";
  const std::string middle = "the file ends in the middle of a solid, that of line 1";
  const std::string no_vertex = "facet normal 0 0 1\nvertex 0 0 0\nvertex 1 0 0\nendfacet\n";
  const Case cases[] = {
      {"whole", head + kFacet + kFacet + end, "", ""},
      {"two", head + kFacet + end + "\nsolid b\n" + kFacet + "endsolid", "", ""},
      {"name", "solid my facet of solid vertex\n" + kFacet + "endsolid my facet of solid\n", "",
       ""},
      {"no blank", " \n solida\n" + kFacet + end, "", ""},
      {"one line",
       "solid facet normal 0 0 1 outer loop vertex 0 0 0 vertex 1 0 0 vertex 0 1 0 "
       "endloop endfacet endsolid",
       "", ""},
      {"CR LF, padded", "solid\r\n" + kFacet + end + std::string(7, '\0'), "", ""},
      {"no end", head + kFacet, "line 9: " + middle, ""},
      {"cut word", head + kFacet + "endsol", "line 9: " + middle, ""},
      {"cut facet", head + kFacet + "facet normal 0 0 1\nouter loop\nvertex 0 0", "line 11: ", ""},
      {"cut second", head + kFacet + end + "solid b\n" + kFacet, "that of line 10", ""},
      {"two vertices", head + no_vertex + end, "line 5: a facet with 2 vertices, not 3", ""},
      {"facet in facet", head + "facet normal 0 0 1\n" + kFacet + end,
       "line 3: the facet of line 2 does not end", ""},
      {"end in facet", head + "facet normal 0 0 1\n" + end,
       "line 3: the facet of line 2 does not end", ""},
      {"end without facet", head + "endfacet\n" + end, "line 2: the end of a facet that", ""},
      {"facet outside", head + end + kFacet, "line 3: a facet outside of a solid", ""},
      {"binary, cut", "solid" + std::string(75, '\0') + u32(2) + std::string(60, 'x'),
       "line 1: a zero byte", ""},
      {"binary", "solid" + std::string(75, ' ') + u32(2) + std::string(100, '\0'), "", ""},
      {"binary, announces more", std::string(80, ' ') + u32(1'000'000'000) + std::string(100, 'x'),
       "byte 80: 1000000000 triangles are announced, which make 50000000084 bytes with the head; "
       "the file has 184",
       ""},
      {"other", "hello", "5 bytes, which are no text", ""},
      {"empty", "", "0 bytes, which are no text", ""},
      {"blank", " \n", "2 bytes, which are no text", ""},
  };
  for (const Case& c : cases) check(c, c.text, ".stl");
}

TEST(RoomCaveats, EveryCutOfAnAsciiStlIsRefused) {
  const std::string whole = "solid a\n" + kFacet + "endsolid";
  for (std::size_t size = 5; size < whole.size(); ++size) {
    EXPECT_FALSE(room_caveats(whole.substr(0, size), ".stl").ok()) << size;
  }
  EXPECT_TRUE(room_caveats(whole, ".stl").ok());
}

TEST(RoomCaveats, OtherFormatsHaveNone) {
  for (const std::string_view extension : {".obj", ".fbx", ".dae", "", ".GLB"}) {
    check({"other", "", "", ""}, "solid", extension);
  }
}

}  // namespace
}  // namespace tocsin::io::room_caveats_test
