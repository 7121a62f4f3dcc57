// Bad room files in the formats that assimp reads: an error that names the file, never a crash, a
// hang or memory out of proportion.
#include <gtest/gtest.h>

#include <chrono>
#include <limits>
#include <string>

#include "io/fbx_records.h"
#include "io/gltf_nodes.h"
#include "io/nesting.h"
#include "io/room_files.h"
#include "tocsin/io.h"

namespace tocsin {
namespace {

using test::f32;
using test::RoomFolder;
using test::u16;
using test::u32;

std::string repeated(std::string_view part, std::size_t times) {
  std::string out;
  for (std::size_t i = 0; i < times; ++i) out += part;
  return out;
}

/// Reads `bytes` as a file of that name; gives the error's message without the file's path.
std::string error_of(const std::string& name, std::string_view bytes) {
  const RoomFolder folder;
  const auto file = folder.write(name, bytes);
  const auto begin = std::chrono::steady_clock::now();
  const auto room = load_environment(file);
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(20)) << name;
  EXPECT_FALSE(room.ok()) << name << ": " << bytes.substr(0, 100);
  EXPECT_EQ(room.error().code, ErrorCode::kInput);
  EXPECT_TRUE(room.triangles().empty());
  const std::string& message = room.error().message;
  EXPECT_EQ(message.rfind(file.string() + ": ", 0), 0U) << message;
  EXPECT_LT(message.size(), 1000U);
  return message.size() > file.string().size() ? message.substr(file.string().size() + 2) : message;
}

const char* const kExtensions[] = {"ply", "stl", "glb", "gltf", "dae", "x3d", "fbx"};

TEST(AssimpBadInput, EmptyFilesAndNoise) {
  std::string noise;
  std::uint32_t state = 12345;
  for (int i = 0; i < 4096; ++i) {
    state = state * 1664525U + 1013904223U;
    noise += static_cast<char>(state >> 24U);
  }
  for (const std::string extension : kExtensions) {
    error_of("r." + extension, "");
    error_of("r." + extension, " ");
    error_of("r." + extension, noise);
    error_of("r." + extension, "hello, world\n");
    error_of("r." + extension, std::string(1000, '\0'));
  }
}

TEST(AssimpBadInput, NestedTwoHundredThousandDeep) {
  constexpr std::size_t kDeep = 200'000;
  const std::string cause = "nested more than 500 deep";
  EXPECT_EQ(error_of("r.gltf", repeated("[", kDeep)), cause);
  EXPECT_EQ(error_of("r.gltf", repeated("{\"a\":", kDeep)), cause);
  EXPECT_EQ(error_of("r.glb", test::glb(repeated("[", kDeep), "")), cause);
  EXPECT_EQ(error_of("r.dae", "<?xml version=\"1.0\"?><COLLADA>" + repeated("<node>", kDeep)),
            cause);
  EXPECT_EQ(error_of("r.x3d", "<X3D><Scene>" + repeated("<Transform a='>'>", kDeep)), cause);
  EXPECT_EQ(error_of("r.fbx", "; FBX 7.3.0 project file\n" + repeated("A: {\n", kDeep)), cause);
}

TEST(AssimpBadInput, GltfNodesNestedOrInACircle) {
  const auto document = [](const std::string& nodes) {
    return R"({"asset":{"version":"2.0"},"scene":0,"scenes":[{"nodes":[0]}],"nodes":[)" + nodes +
           "]}";
  };
  std::string chain;
  for (int i = 0; i < 200'000; ++i) chain += "{\"children\":[" + std::to_string(i + 1) + "]},";
  EXPECT_EQ(error_of("r.gltf", document(chain + "{}")), "nodes nested more than 500 deep");
  EXPECT_EQ(error_of("r.gltf", document(R"({"children":[1]},{"children":[0]})")),
            "node 0 lies below itself");
  EXPECT_EQ(error_of("r.gltf", document(R"({"children":[0]})")), "node 0 lies below itself");
  EXPECT_EQ(error_of("r.gltf", R"({"asset":{"version":"1.0"},"nodes":{"a":{"children":["a"]}}})"),
            "glTF 1.0 is not read; convert it to glTF 2.0");
  EXPECT_EQ(io::gltf_node_fault(document(R"({"children":[1,2]},{"children":[2]},{})"), 3), "");
  EXPECT_NE(io::gltf_node_fault(document(R"({"children":[1,2]},{"children":[2]},{})"), 2), "");
}

TEST(AssimpBadInput, CountsThatTheFileCannotHold) {
  const auto ply = [](const std::string& vertices, const std::string& faces) {
    return "ply\nformat ascii 1.0\nelement vertex " + vertices +
           "\nproperty float x\nproperty float y\nproperty float z\nelement face " + faces +
           "\nproperty list uchar int vertex_indices\nend_header\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n";
  };
  EXPECT_NE(
      error_of("r.ply", ply("100000000000", "1")).find("line 3: claims 100000000000 \"vertex\""),
      std::string::npos);
  EXPECT_NE(error_of("r.ply", ply("3", "4294967295")).find("line 7: claims"), std::string::npos);
  EXPECT_NE(error_of("r.ply", ply("99999999999999999999999", "1")).find("line 3"),
            std::string::npos);
  EXPECT_NE(error_of("r.ply", ply("-1", "1")).find("line 3"), std::string::npos);
  error_of("r.stl", std::string(80, ' ') + u32(0xFFFFFFFF) + std::string(100, '\0'));
  error_of("r.gltf",
           R"({"asset":{"version":"2.0"},"scene":0,"scenes":[{"nodes":[0]}],"nodes":[{"mesh":0}],
        "meshes":[{"primitives":[{"attributes":{"POSITION":0}}]}],
        "buffers":[{"byteLength":12,"uri":"data:application/octet-stream;base64,AAAAAAAAAAAAAAAA"}],
        "bufferViews":[{"buffer":0,"byteLength":12}],
        "accessors":[{"bufferView":0,"componentType":5126,"count":100000000000,"type":"VEC3"}]})");
}

TEST(AssimpBadInput, IndicesOutOfRange) {
  const auto ply = [](const std::string& face) {
    return "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\n"
           "property float z\nelement face 1\nproperty list uchar int vertex_indices\nend_header\n"
           "0 0 0\n1 0 0\n0 1 0\n" +
           face;
  };
  EXPECT_NE(error_of("r.ply", ply("3 0 1 3\n")).find("index 3 is out of range"), std::string::npos);
  error_of("r.ply", ply("3 0 1 -1\n"));
  error_of("r.ply", ply("3 0 1 4294967295\n"));
}

TEST(AssimpBadInput, CoordinatesThatAreNotFinite) {
  const auto stl = [](float x) {
    return std::string(80, ' ') + u32(1) + f32({0, 0, 1, 0, 0, 0, 1, 0, x, 0, 1, 0}) + u16(0);
  };
  EXPECT_EQ(error_of("r.stl", stl(std::numeric_limits<float>::quiet_NaN())),
            "object \"r\", vertex 1 (used by triangle 0): (nan, nan, nan) is not finite");
  EXPECT_NE(error_of("r.stl", stl(-std::numeric_limits<float>::infinity())).find("vertex 1"),
            std::string::npos);
  EXPECT_NE(error_of("r.stl", stl(3e6F)).find("further than 1000000 m"), std::string::npos);
}

TEST(AssimpBadInput, FilesWithoutTriangles) {
  EXPECT_EQ(error_of("r.gltf", R"({"asset":{"version":"2.0"},"scene":0,"scenes":[{"nodes":[0]}],
                                    "nodes":[{"name":"a"}]})"),
            "holds no triangles");
}

TEST(AssimpBadInput, FbxArraysThatClaimTooMuch) {
  // One record "A" with an array of 2^32 - 1 doubles in 10 compressed bytes.
  const std::string array = 'd' + u32(0xFFFFFFFF) + u32(1) + u32(10) + std::string(10, 'x');
  const std::string head = std::string("Kaydara FBX Binary  \0\x1a\0", 23) + u32(7400);
  const auto end = static_cast<std::uint32_t>(head.size() + 14 + array.size());
  const std::string bytes =
      head + u32(end) + u32(1) + u32(static_cast<std::uint32_t>(array.size())) + "\1A" + array;
  EXPECT_NE(error_of("r.fbx", bytes).find("claims 4294967295 elements in 10 bytes"),
            std::string::npos);
}

TEST(AssimpBadInput, FbxRecordsNestedDeep) {
  const std::string head = std::string("Kaydara FBX Binary  \0\x1a\0", 23) + u32(7400);
  constexpr std::size_t kDeep = 200'000;
  const auto end = static_cast<std::uint32_t>(head.size() + 13 * kDeep + 13);
  const std::string record = u32(end) + u32(0) + u32(0) + std::string(1, '\0');
  EXPECT_NE(error_of("r.fbx", head + repeated(record, kDeep) + std::string(13, '\0'))
                .find("nested more than 500 deep"),
            std::string::npos);
}

TEST(AssimpBadInput, MeshesUsedTooOften) {
  // A mesh of 3,000 triangles, used by 60,000 nodes: 180 million triangles in a file of 2 MB.
  const std::string indices = repeated(u16(0) + u16(1) + u16(2), 3000);
  std::string nodes = R"({"children":[1)";
  for (int i = 2; i <= 60'000; ++i) nodes += ',' + std::to_string(i);
  nodes += "]}" + repeated(R"(,{"mesh":0})", 60'000);
  const std::string json =
      R"({"asset":{"version":"2.0"},"scene":0,"scenes":[{"nodes":[0]}],"nodes":[)" + nodes +
      R"(],"meshes":[{"primitives":[{"attributes":{"POSITION":0},"indices":1}]}],
      "buffers":[{"byteLength":18036}],
      "bufferViews":[{"buffer":0,"byteLength":36},{"buffer":0,"byteOffset":36,"byteLength":18000}],
      "accessors":[{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3"},
                   {"bufferView":1,"componentType":5123,"count":9000,"type":"SCALAR"}]})";
  EXPECT_NE(error_of("r.glb", test::glb(json, f32({0, 0, 0, 1, 0, 0, 0, 1, 0}) + indices))
                .find("used so often"),
            std::string::npos);
}

TEST(AssimpBadInput, PlyHeadersThatAreNoHeaders) {
  const auto fault = [](const std::string& text) { return error_of("r.ply", text); };
  EXPECT_EQ(fault("plx\n"), "line 1: expected: ply");
  EXPECT_EQ(fault("ply\nformat ascii 1.0\n"),
            "the header does not end: there is no line end_header");
  EXPECT_EQ(fault("ply\nelement vertex\nend_header\n"), "line 2: expected: element NAME COUNT");
  EXPECT_EQ(fault("ply\r\nelement vertex 1\r\nproperty flaot x\r\nend_header\r\n"),
            "line 3: expected: property TYPE NAME, or property list TYPE TYPE NAME");
  EXPECT_EQ(
      fault("ply\rfoo bar\rend_header\r"),
      "line 2: expected format, comment, obj_info, element, property or end_header, found \"foo\"");
}

TEST(AssimpBadInput, EveryTruncationOfSmallFiles) {
  const std::string ply =
      "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\nproperty float "
      "z\n"
      "element face 1\nproperty list uchar int vertex_indices\nend_header\n0 0 0\n1 0 0\n0 1 0\n3 "
      "0 1 2\n";
  const std::string stl = std::string(80, ' ') + u32(1) + std::string(50, '\0');
  const RoomFolder folder;
  for (const auto& [name, bytes] :
       {std::pair<std::string, std::string>{"r.ply", ply}, {"r.stl", stl}}) {
    // Some truncations still are complete files (the last newline): not crashing is what counts
    // here.
    for (std::size_t size = 0; size < bytes.size(); ++size) {
      const auto room = load_environment(folder.write(name, bytes.substr(0, size)));
      EXPECT_TRUE(room.ok() || room.error().message.find(name) != std::string::npos);
    }
  }
}

}  // namespace
}  // namespace tocsin
