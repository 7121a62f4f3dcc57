// Bad room files in the formats that assimp reads: an error that names the file, never a crash, a
// hang or memory out of proportion.
#include <gtest/gtest.h>

#include <chrono>
#include <limits>
#include <string>

#include "io/gltf/gltf_nodes.h"
#include "io/import/fbx_records.h"
#include "io/import/nesting.h"
#include "io/room_files.h"
#include "tocsin/io.h"

namespace tocsin::assimp_bad_input_test {
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
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(120)) << name;
  EXPECT_FALSE(room.ok()) << name << ": " << bytes.substr(0, 100);
  EXPECT_EQ(room.error().code, ErrorCode::kInput);
  const std::string& message = room.error().message;
  EXPECT_EQ(message.rfind(file.string() + ": ", 0), 0U) << message;
  EXPECT_LT(message.size(), 1000U);
  return message.size() > file.string().size() ? message.substr(file.string().size() + 2) : message;
}

const char* const kExtensions[] = {"stl", "glb", "gltf", "dae", "x3d", "fbx"};

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
  EXPECT_EQ(error_of("r.gltf", R"({"asset":{"version":"1.0"},"scenes":{"s":{"nodes":["a"]}},
                                    "nodes":{"a":{"children":["a"]}}})"),
            "nodes nested more than 500 deep");
  EXPECT_EQ(io::gltf_node_fault(document(R"({"children":[1,2]},{"children":[2]},{})"), 3), "");
  EXPECT_NE(io::gltf_node_fault(document(R"({"children":[1,2]},{"children":[2]},{})"), 2), "");
}

TEST(AssimpBadInput, CountsThatTheFileCannotHold) {
  error_of("r.stl", std::string(80, ' ') + u32(0xFFFFFFFF) + std::string(100, '\0'));
  error_of("r.gltf",
           R"({"asset":{"version":"2.0"},"scene":0,"scenes":[{"nodes":[0]}],"nodes":[{"mesh":0}],
        "meshes":[{"primitives":[{"attributes":{"POSITION":0}}]}],
        "buffers":[{"byteLength":12,"uri":"data:application/octet-stream;base64,AAAAAAAAAAAAAAAA"}],
        "bufferViews":[{"buffer":0,"byteLength":12}],
        "accessors":[{"bufferView":0,"componentType":5126,"count":100000000000,"type":"VEC3"}]})");
}

TEST(AssimpBadInput, IndicesOutOfRange) {
  const auto glb = [](std::uint32_t last) {
    const std::string json =
        R"({"asset":{"version":"2.0"},"scene":0,"scenes":[{"nodes":[0]}],"nodes":[{"mesh":0}],
        "meshes":[{"primitives":[{"attributes":{"POSITION":0},"indices":1}]}],
        "buffers":[{"byteLength":48}],
        "bufferViews":[{"buffer":0,"byteLength":36},{"buffer":0,"byteOffset":36,"byteLength":12}],
        "accessors":[{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3"},
                     {"bufferView":1,"componentType":5125,"count":3,"type":"SCALAR"}]})";
    return test::glb(json, f32({0, 0, 0, 1, 0, 0, 0, 1, 0}) + u32(0) + u32(1) + u32(last));
  };
  const RoomFolder folder;
  EXPECT_TRUE(load_environment(folder.write("good.glb", glb(2))).ok());
  error_of("r.glb", glb(3));
  error_of("r.glb", glb(0xFFFFFFFF));
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

TEST(AssimpBadInput, EveryTruncationOfASmallFile) {
  const std::string stl = std::string(80, ' ') + u32(1) + std::string(50, '\0');
  const RoomFolder folder;
  for (std::size_t size = 0; size < stl.size(); ++size) {
    const auto room = load_environment(folder.write("r.stl", stl.substr(0, size)));
    EXPECT_TRUE(room.ok() || room.error().message.find("r.stl") != std::string::npos);
  }
}

}  // namespace
}  // namespace tocsin::assimp_bad_input_test
