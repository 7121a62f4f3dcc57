// Rooms in glTF files, read without assimp. The files are put together here, the expected positions
// worked out by hand.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "io/room_files.h"
#include "io/room_queries.h"
#include "tocsin/io.h"

namespace tocsin::gltf_room_test {
namespace {

using test::Corners;
using test::f32;
using test::RoomFolder;
using test::triangles_of;
using test::u16;
using test::u32;
using test::warns;

/// One node with one primitive of position accessor 0.
struct Parts {
  std::string bytes;
  std::string views;
  std::string accessors;
  std::string primitive = R"("attributes":{"POSITION":0})";
  std::string more;
};

std::string document(const Parts& p) {
  return R"({"asset":{"version":"2.0"},"scene":0,"scenes":[{"nodes":[0]}],)"
         R"("nodes":[{"name":"tri","mesh":0}],"meshes":[{"primitives":[{)" +
         p.primitive + R"(}]}],"accessors":[)" + p.accessors + R"(],"bufferViews":[)" + p.views +
         R"(],"buffers":[{"byteLength":)" + std::to_string(p.bytes.size()) +
         R"(,"uri":"data:application/octet-stream;base64,)" + test::base64(p.bytes) + "\"}]" +
         p.more + "}";
}

Result<Environment> load(const std::string& text, const std::string& name = "r.gltf") {
  const RoomFolder folder;
  return load_environment(folder.write(name, text));
}

/// The error without the file's path.
std::string refusal(const std::string& text) {
  const Result<Environment> room = load(text);
  EXPECT_FALSE(room.ok()) << text;
  if (room.ok()) return {};
  EXPECT_EQ(room.error().code, ErrorCode::kInput);
  const std::string& message = room.error().message;
  const std::size_t at = message.find("r.gltf: ");
  EXPECT_NE(at, std::string::npos) << message;
  return message.substr(at == std::string::npos ? 0 : at + 8);
}

void expect_triangle(const Parts& parts, const Corners& corners, const std::string& what) {
  const Result<Environment> room = load(document(parts));
  ASSERT_TRUE(room.ok()) << what << ": " << room.error().message;
  EXPECT_EQ(triangles_of(*room, "tri"), std::vector<Corners>{corners}) << what;
}

std::string view(std::size_t at, std::size_t length, const std::string& more = "") {
  return fmt::format(R"({{"buffer":0,"byteOffset":{},"byteLength":{}{}}})", at, length, more);
}

/// Corners (0,0,0), (1,0,0), (0,0,1), each `stride` bytes from the last; the sparse accessor moves
/// the last one to (0,0,2).
Parts strided(std::size_t stride, bool sparse) {
  Parts p;
  const std::string filler((stride - 12), '\x41');
  for (const auto& [x, z] : {std::pair{0.F, 0.F}, {1.F, 0.F}, {0.F, 1.F}}) {
    p.bytes += f32({x, 0, z}) + filler;
  }
  const std::size_t end = p.bytes.size();
  p.bytes += u16(2) + u16(0) + f32({0, 0, 2});
  p.views = view(0, end, stride > 12 ? fmt::format(R"(,"byteStride":{})", stride) : "") + "," +
            view(end, 2) + "," + view(end + 4, 12);
  p.accessors = R"({"bufferView":0,"componentType":5126,"count":3,"type":"VEC3")";
  if (sparse) {
    p.accessors += R"(,"sparse":{"count":1,"indices":{"bufferView":1,"componentType":5123},)"
                   R"("values":{"bufferView":2}})";
  }
  p.accessors += "}";
  return p;
}

// Found by an attack: through assimp, the sparse and strided one was read as garbage.
TEST(GltfRoom, SparseAccessorsAndStridesAreRead) {
  const Corners plain{{{0, 0, 0}, {1, 0, 0}, {0, 0, 1}}};
  const Corners moved{{{0, 0, 0}, {1, 0, 0}, {0, 0, 2}}};
  for (const std::size_t stride : {12U, 16U, 24U, 252U}) {
    expect_triangle(strided(stride, false), plain, fmt::format("stride {}", stride));
    expect_triangle(strided(stride, true), moved, fmt::format("sparse, stride {}", stride));
  }
}

TEST(GltfRoom, ASparseAccessorNeedsNoBufferView) {
  for (const int type : {5121, 5123, 5125}) {
    Parts p;
    const auto index = [type](std::uint32_t i) {
      return type == 5121 ? std::string(1, static_cast<char>(i)) : type == 5123 ? u16(i) : u32(i);
    };
    const std::string indices = index(1) + index(2);
    p.bytes = indices + f32({1, 2, 3, 4, 5, 6});
    p.views = view(0, indices.size()) + "," + view(indices.size(), 24);
    p.accessors = fmt::format(
        R"({{"componentType":5126,"count":3,"type":"VEC3","sparse":{{"count":2,)"
        R"("indices":{{"bufferView":0,"componentType":{}}},"values":{{"bufferView":1}}}}}})",
        type);
    expect_triangle(p, Corners{{{0, 0, 0}, {1, 2, 3}, {4, 5, 6}}}, fmt::format("type {}", type));
  }
}

TEST(GltfRoom, SparseIndicesAreRead) {
  Parts p;
  p.bytes = f32({0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1}) + u16(0) + u16(1) + u16(2) + u16(0) + u16(1) +
            u16(3);
  p.views = view(0, 48) + "," + view(48, 6) + "," + view(56, 2) + "," + view(58, 2);
  p.accessors =
      R"({"bufferView":0,"componentType":5126,"count":4,"type":"VEC3"},)"
      R"({"bufferView":1,"componentType":5123,"count":3,"type":"SCALAR","sparse":{"count":1,)"
      R"("indices":{"bufferView":2,"componentType":5123},"values":{"bufferView":3}}})";
  p.primitive += R"(,"indices":1)";
  expect_triangle(p, Corners{{{0, 0, 0}, {0, 0, 1}, {0, 1, 0}}}, "the second corner is vertex 3");
}

// KHR_mesh_quantization: c, or c/127, c/255, c/32767, c/65535 (glTF 2.0, section 3.6.2.2).
TEST(GltfRoom, QuantizedPositionsAreRead) {
  struct Case {
    int type;
    bool normalized;
    std::string low;   ///< of the first number
    std::string high;  ///< of the second
    float first;
    float second;
  };
  const Case cases[] = {
      {5120, false, "\x80", "\x7f", -128.F, 127.F},
      {5120, true, "\x80", "\x7f", -1.F, 1.F},
      {5121, false, std::string(1, '\0'), "\xff", 0.F, 255.F},
      {5121, true, "\x33", "\xff", static_cast<float>(51.0 / 255.0), 1.F},
      {5122, false, u16(0x8000), u16(0x7fff), -32768.F, 32767.F},
      {5122, true, u16(0x8000), u16(0x0001), -1.F, static_cast<float>(1.0 / 32767.0)},
      {5123, false, u16(1), u16(0xffff), 1.F, 65535.F},
      {5123, true, u16(1), u16(0xffff), static_cast<float>(1.0 / 65535.0), 1.F},
  };
  for (const Case& c : cases) {
    Parts p;
    const std::string zero(c.low.size(), '\0');
    const std::string padding((4 - 3 * c.low.size() % 4) % 4, '\x55');
    p.bytes = c.low + zero + zero + padding + zero + c.high + zero + padding + zero + zero +
              c.high + padding;
    const std::size_t stride = p.bytes.size() / 3;
    p.views = view(0, p.bytes.size(), fmt::format(R"(,"byteStride":{})", stride));
    p.accessors = fmt::format(
        R"({{"bufferView":0,"componentType":{},"normalized":{},"count":3,"type":"VEC3"}})", c.type,
        c.normalized);
    p.more = R"(,"extensionsRequired":["KHR_mesh_quantization"])";
    expect_triangle(p, Corners{{{c.first, 0, 0}, {0, c.second, 0}, {0, 0, c.second}}},
                    fmt::format("type {}, normalized {}", c.type, c.normalized));
  }
}

/// Points 0 to 5 at (i, i i, 0), all used in that order.
Result<Environment> six_points(int mode, int count = 6) {
  Parts p;
  for (int i = 0; i < count; ++i) {
    p.bytes += f32({static_cast<float>(i), static_cast<float>(i * i), 0});
  }
  p.views = view(0, p.bytes.size());
  p.accessors =
      fmt::format(R"({{"bufferView":0,"componentType":5126,"count":{},"type":"VEC3"}})", count);
  p.primitive += fmt::format(R"(,"mode":{})", mode);
  return load(document(p));
}

std::vector<std::vector<int>> corners_of(const Result<Environment>& room) {
  std::vector<std::vector<int>> out;
  if (!room.ok()) return out;
  for (const Corners& corners : triangles_of(*room, "tri")) {
    out.push_back({});
    for (const auto& corner : corners) out.back().push_back(static_cast<int>(corner.x));
  }
  return out;
}

TEST(GltfRoom, StripsAndFansBecomeTriangles) {
  using List = std::vector<std::vector<int>>;
  EXPECT_EQ(corners_of(six_points(4)), (List{{0, 1, 2}, {3, 4, 5}}));
  EXPECT_EQ(corners_of(six_points(5)), (List{{0, 1, 2}, {2, 1, 3}, {2, 3, 4}, {4, 3, 5}}));
  EXPECT_EQ(corners_of(six_points(6)), (List{{0, 1, 2}, {0, 2, 3}, {0, 3, 4}, {0, 4, 5}}));
  const auto left_over = six_points(4, 5);
  EXPECT_EQ(corners_of(left_over), (List{{0, 1, 2}}));
  EXPECT_TRUE(warns(*left_over, "2 left-over corners"));
}

TEST(GltfRoom, PointsAndLinesAreCounted) {
  const char* const expected[] = {"6 points", "3 lines", "6 lines", "5 lines"};
  for (int mode = 0; mode < 4; ++mode) {
    Parts p = strided(12, false);
    p.bytes += f32({0, 0, 0, 1, 0, 0, 2, 0, 0, 3, 0, 0, 4, 0, 0, 5, 0, 0});
    p.views += "," + view(p.bytes.size() - 72, 72);
    p.accessors += R"(,{"bufferView":3,"componentType":5126,"count":6,"type":"VEC3"})";
    p.primitive += fmt::format(R"(}},{{"attributes":{{"POSITION":1}},"mode":{})", mode);
    const auto room = load(document(p));
    ASSERT_TRUE(room.ok()) << room.error().message;
    EXPECT_EQ(triangles_of(*room, "tri").size(), 1U);
    EXPECT_TRUE(warns(*room, expected[mode])) << mode;
  }
}

/// The same scene in glTF 1.0: entries have names, a node has several meshes, and an accessor has
/// its own stride.
std::string gltf_1(const std::string& buffer) {
  return R"({"asset":{"version":"1.0"},"scene":"main","scenes":{"main":{"nodes":["top"]}},
    "nodes":{"top":{"translation":[10,0,0],"children":["a","b"]},
             "a":{"name":"Stool","meshes":["m","m"]},
             "b":{"matrix":[1,0,0,0, 0,1,0,0, 0,0,-1,0, 0,0,5,1],"meshes":["m"]}},
    "meshes":{"m":{"primitives":[{"attributes":{"POSITION":"p"},"indices":"i"}]}},
    "accessors":{"p":{"bufferView":"v","byteOffset":0,"byteStride":16,"componentType":5126,"count":3,"type":"VEC3"},
                 "i":{"bufferView":"w","byteOffset":2,"componentType":5123,"count":3,"type":"SCALAR"}},
    "bufferViews":{"v":{"buffer":"binary_glTF","byteOffset":0,"byteLength":48},
                   "w":{"buffer":"binary_glTF","byteOffset":48,"byteLength":8}},
    "buffers":{"binary_glTF":{"byteLength":56)" +
         buffer + "}}}";
}
std::string gltf_1_bytes() {
  return f32({0, 0, 0, 7, 1, 0, 0, 7, 0, 0, 1, 7}) + u16(9) + u16(2) + u16(1) + u16(0);
}

void expect_gltf_1(const Result<Environment>& room) {
  ASSERT_TRUE(room.ok()) << room.error().message;
  EXPECT_EQ(test::object_names(*room), (std::vector<std::string>{"Stool", "b"}));
  const Corners once{{{10, 0, 1}, {11, 0, 0}, {10, 0, 0}}};
  EXPECT_EQ(triangles_of(*room, "Stool"), (std::vector<Corners>{once, once}));
  EXPECT_EQ(triangles_of(*room, "b"),
            (std::vector<Corners>{Corners{{{10, 0, 4}, {11, 0, 5}, {10, 0, 5}}}}));
}

TEST(GltfRoom, Gltf1IsRead) {
  expect_gltf_1(load(gltf_1(R"(,"uri":"data:;base64,)" + test::base64(gltf_1_bytes()) + '"')));
}

TEST(GltfRoom, BinaryGltf1IsRead) {
  std::string json = gltf_1(R"(,"uri":"data:,")");
  while (json.size() % 4 != 0) json += ' ';
  const std::string body = gltf_1_bytes();
  const auto size = static_cast<std::uint32_t>(json.size());
  expect_gltf_1(
      load("glTF" + u32(1) + u32(20 + size + 56) + u32(size) + u32(0) + json + body, "r.glb"));
}

TEST(GltfRoom, NodesWithoutANameAreNumberedAndOtherScenesAreSaid) {
  Parts p = strided(12, false);
  std::string text = document(p);
  text.replace(text.find(R"("name":"tri",)"), 13, "");
  text.replace(text.find(R"("scenes":[)"), 10, R"("scenes":[{"nodes":[0]},)");
  const auto room = load(text);
  ASSERT_TRUE(room.ok()) << room.error().message;
  EXPECT_EQ(test::object_names(*room), (std::vector<std::string>{"nodes[0]"}));
  EXPECT_TRUE(warns(*room, "2 scenes; only one is read, the default"));
}

TEST(GltfRoom, Utf16IsRead) {
  std::string wide = "\xFF\xFE";
  for (const char c : document(strided(16, true))) wide += {c, '\0'};
  const auto room = load(wide);
  ASSERT_TRUE(room.ok()) << room.error().message;
  EXPECT_EQ(triangles_of(*room, "tri").size(), 1U);
}

struct Change {
  const char* from;
  const char* to;
  const char* cause;
};

TEST(GltfRoom, WhatCannotBeReadIsRefused) {
  const Change changes[] = {
      {R"("scene":0)", R"("scene":1)", "the file: its scene does not exist"},
      {R"("scenes":[{"nodes":[0]}],)", "", "holds no scene"},
      {R"("nodes":[0])", R"("nodes":[1])", "refers to a node that does not exist"},
      {R"("mesh":0)", R"("mesh":1)", "object \"tri\": its mesh does not exist"},
      {R"("POSITION":0)", R"("POSITION":7)", "object \"tri\", primitive 0: its POSITION does not"},
      {R"("mesh":0)", R"("mesh":0,"matrix":[1,2])", "node \"tri\": its transform is not affine"},
      {R"("mesh":0)", R"("mesh":0,"rotation":[0,0,0,2])", "no unit quaternion"},
      {R"("mesh":0)", R"("mesh":0,"rotation":[0,0,"x",1])", "no unit quaternion"},
      {R"("byteStride":16)", R"("byteStride":8)", "a byteStride of 8 for 12 bytes"},
      {R"("count":3,)", R"("count":4,)", "4 elements of 16 bytes from 0 on do not fit in 48"},
      {R"("count":3,)", R"("count":-3,)", "its count is not a whole number"},
      {R"("count":3,)", R"("count":100000000000000000,)", "do not fit in 48"},
      {R"("count":3,)", R"("count":3,"byteOffset":18446744073709551615,)", "do not fit in 48"},
      {R"("byteLength":48)", R"("byteLength":4800)", "4800 bytes from 0 on are not in its buffer"},
      {R"("bufferView":0,)", R"("bufferView":9,)", "its bufferView does not exist"},
      {R"("bufferView":0,"componentType":5126,"count":3)",
       R"("componentType":5126,"count":99999999999)", "claims 99999999999 elements without bytes"},
      {R"("VEC3")", R"("VEC4")", "of type \"VEC4\", not VEC3"},
      {"5126", "5125", "numbers of type 5125, which are not allowed there"},
      {"5126", "7", "numbers of the unknown type 7"},
      {"5123", "5126", "sparse: indices of type 5126"},
      {R"("count":1,"indices")", R"("count":2,"indices")", "sparse: 2 elements of 2 bytes"},
      {R"("buffer":0,"byteOffset":0)", R"("buffer":3,"byteOffset":0)", "its buffer does not exist"},
      {"base64,", "base64,!", "its buffer's data: is not base64"},
      {"data:application", "nothing/application", "cannot be read"},
      {R"("buffer":0,"byteOffset":0)",
       R"("extensions":{"EXT_meshopt_compression":{}},"buffer":0,"byteOffset":0)",
       "compressed (\"EXT_meshopt_compression\"), which is not read; write the file without it"},
      {R"("primitives":[{)", R"("primitives":[{"mode":9,)", "an unknown mode"},
      {R"("scene":0)", R"("extensionsRequired":["X"],"scene":0)", "needs the extension \"X\""},
  };
  const std::string whole = document(strided(16, true));
  ASSERT_TRUE(load(whole).ok());
  for (const Change& change : changes) {
    std::string text = whole;
    const std::size_t at = text.find(change.from);
    ASSERT_NE(at, std::string::npos) << change.from;
    text.replace(at, std::string(change.from).size(), change.to);
    EXPECT_NE(refusal(text).find(change.cause), std::string::npos)
        << change.to << ": " << refusal(text);
  }
}

TEST(GltfRoom, ASparseIndexOutOfRangeIsRefused) {
  Parts p = strided(12, true);
  p.bytes[36] = 3;
  EXPECT_NE(refusal(document(p)).find("sparse: index 3 is out of range"), std::string::npos);
}

TEST(GltfRoom, NodesThatShareChildrenCannotFillTheMemory) {
  // 60 levels, each twice above the next: 2^60 visits.
  std::string nodes = R"({"children":[1,1]})";
  for (int i = 1; i < 60; ++i) nodes += fmt::format(R"(,{{"children":[{0},{0}]}})", i + 1);
  nodes += ",{}";
  EXPECT_NE(
      refusal(R"({"asset":{"version":"2.0"},"scenes":[{"nodes":[0]}],"nodes":[)" + nodes + "]}")
          .find("nodes are used so often"),
      std::string::npos);
}

TEST(GltfRoom, EveryCutOfABinaryFileIsRefusedOrWhole) {
  const Parts p = strided(16, true);
  std::string json = document(p);
  const std::size_t uri = json.find(R"(,"uri")");
  json.erase(uri, json.find('"', json.find("base64,")) + 1 - uri);
  const std::string whole = test::glb(json, p.bytes);
  ASSERT_TRUE(load(whole, "r.glb").ok());
  const RoomFolder folder;
  int refused = 0;
  // The JSON's cuts are the parser's; every 16th of them, and all of the bytes'.
  for (std::size_t size = 0; size < whole.size(); size += size < json.size() ? 16 : 1) {
    refused += load_environment(folder.write("r.glb", whole.substr(0, size))).ok() ? 0 : 1;
  }
  // What is behind the last value is padding.
  EXPECT_GE(refused, static_cast<int>(json.size() / 16 + p.bytes.size()) - 1);
}

}  // namespace
}  // namespace tocsin::gltf_room_test
