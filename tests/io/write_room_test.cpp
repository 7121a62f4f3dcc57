// Rooms written and read back: the same names, triangles and bits.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "io/room_files.h"
#include "support/data.h"
#include "tocsin/io.h"

namespace tocsin::write_room_test {
namespace {

using test::RoomFolder;

const char* const kExtensions[] = {".obj", ".ply", ".glb"};

std::string contents(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

std::uint32_t bits(float x) { return std::bit_cast<std::uint32_t>(x); }

/// The same objects, and the same triangles down to the last bit; `zero_sign`: also of zeros.
void expect_same(const Environment& a, const Environment& b, bool zero_sign) {
  ASSERT_EQ(a.objects().size(), b.objects().size());
  for (std::size_t i = 0; i < a.objects().size(); ++i) {
    EXPECT_EQ(a.objects()[i].name, b.objects()[i].name);
    EXPECT_EQ(a.objects()[i].first_triangle, b.objects()[i].first_triangle);
    EXPECT_EQ(a.objects()[i].triangle_count, b.objects()[i].triangle_count);
  }
  ASSERT_EQ(a.triangles().size(), b.triangles().size());
  std::size_t different = 0;
  for (std::uint32_t t = 0; t < a.triangles().size(); ++t) {
    const auto p = a.corners(t);
    const auto q = b.corners(t);
    for (std::size_t i = 0; i < 3; ++i) {
      const bool same = zero_sign ? bits(p[i].x) == bits(q[i].x) && bits(p[i].y) == bits(q[i].y) &&
                                        bits(p[i].z) == bits(q[i].z)
                                  : p[i] == q[i];
      different += same ? 0 : 1;
    }
  }
  EXPECT_EQ(different, 0U);
}

/// Writes, reads, compares; gives what was read.
Result<Environment> round_trip(const Environment& room, const std::string& extension) {
  const RoomFolder folder;
  const auto file = folder.write("room" + extension, "older");
  const Status saved = save_environment(room, file);
  EXPECT_TRUE(saved.ok()) << saved.error().message;
  auto back = load_environment(file);
  EXPECT_TRUE(back.ok()) << back.error().message;
  expect_same(room, *back, extension != ".glb");
  return back;
}

/// Floats of all sizes, as a room may hold them.
Environment random_room(std::size_t objects, std::size_t vertices) {
  std::mt19937 random(12);
  const auto coordinate = [&] {
    for (;;) {
      const auto x = std::bit_cast<float>(static_cast<std::uint32_t>(random()));
      if (std::fabs(x) <= 1e6F) return x;
    }
  };
  std::vector<ObjectMesh> meshes(objects);
  for (std::size_t o = 0; o < objects; ++o) {
    meshes[o].name = "object " + std::to_string(o);
    for (std::size_t i = 0; i < vertices; ++i) {
      meshes[o].vertices.push_back({coordinate(), coordinate(), coordinate()});
    }
    for (std::size_t i = 0; i < vertices; ++i) {
      // Each vertex is used, so that none is left out.
      meshes[o].triangles.push_back({static_cast<std::uint32_t>(i),
                                     static_cast<std::uint32_t>(random() % vertices),
                                     static_cast<std::uint32_t>(random() % vertices)});
    }
  }
  return *Environment::create(std::move(meshes));
}

TEST(WriteRoom, AnyFloatComesBack) {
  const Environment room = random_room(3, 5000);
  for (const std::string extension : kExtensions) {
    const auto back = round_trip(room, extension);
    EXPECT_EQ(back->vertices().size(), room.vertices().size()) << extension;
    EXPECT_TRUE(back->warnings().empty()) << back->warnings()[0];
  }
}

TEST(WriteRoom, ZeroesKeepTheirSignInObjAndPly) {
  const Environment room =
      *Environment::create({{"a", {{-0.0F, 0, 1}, {1, -0.0F, 0}, {0, 1, -0.0F}}, {{0, 1, 2}}}});
  for (const std::string extension : kExtensions) {
    const auto back = round_trip(room, extension);
    EXPECT_EQ(std::signbit(back->corners(0)[0].x), extension != ".glb");
  }
}

TEST(WriteRoom, ObjectsMayShareNothingOrHoldOneTriangle) {
  std::vector<ObjectMesh> meshes;
  for (int i = 0; i < 300; ++i) {
    const auto x = static_cast<float>(i);
    meshes.push_back({"book_" + std::to_string(i % 7) + "." + std::to_string(i),
                      {{x, 0, 0}, {x, 1, 0}, {x, 0, 0.1F}},
                      {{2, 1, 0}}});
  }
  const Environment room = *Environment::create(std::move(meshes));
  for (const std::string extension : kExtensions) EXPECT_TRUE(round_trip(room, extension).ok());
}

TEST(WriteRoom, TheHouse) {
  TOCSIN_NEEDS_DATA("environments/small_house.obj");
  const auto house = load_environment(test::data_path("environments/small_house.obj"));
  ASSERT_TRUE(house.ok());
  for (const std::string extension : kExtensions) {
    const auto back = round_trip(*house, extension);
    EXPECT_EQ(back->vertices().size(), 83'867U);
  }
}

ObjectMesh triangle(const std::string& name) {
  return {name, {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{0, 1, 2}}};
}

TEST(WriteRoom, NamesOfAllKinds) {
  // Those that a format cannot hold are refused, the others come back.
  const struct {
    std::string name;
    bool obj;
    bool glb;
  } kNames[] = {
      {"sofa", true, true},
      {"a  name with blanks", true, true},
      {"B\xc3\xbc"
       "cherregal \xe6\xa9\x9f",
       true, true},
      {"back\\slash \\", true, true},
      {"# no comment \"quoted\" {json} %d", true, true},
      {"0 3 sofa", true, true},
      {" blank", false, true},
      {"blank ", false, true},
      {"two\nlines", false, false},
      {"two\r\nlines\r", false, false},
      {"tab\there", false, false},
      {"\x7f", false, false},
      {"<bracketed>", true, false},
      {"a_$AssimpFbx$_b", true, false},
      {std::string(1000, 'n'), true, true},
      {std::string(1001, 'n'), true, false},
  };
  for (const auto& [name, obj, glb] : kNames) {
    const Environment room = *Environment::create({triangle("first"), triangle(name)});
    for (const std::string extension : kExtensions) {
      SCOPED_TRACE(name.substr(0, 40) + extension);
      if (extension == ".ply" || (extension == ".obj" ? obj : glb)) {
        EXPECT_TRUE(round_trip(room, extension).ok());
        continue;
      }
      const RoomFolder folder;
      const auto file = folder.write("n" + extension, "older");
      const Status saved = save_environment(room, file);
      ASSERT_FALSE(saved.ok());
      EXPECT_EQ(saved.error().code, ErrorCode::kInput);
      EXPECT_TRUE(saved.error().message.starts_with(file.string() + ": ")) << saved.error().message;
      EXPECT_EQ(contents(file), "older");
    }
  }
  const RoomFolder folder;
  for (const std::string name : {"", "\xff", "a\xc3"}) {
    const Environment room = *Environment::create({triangle(name)});
    for (const std::string extension : kExtensions) {
      const Status saved = save_environment(room, folder.write("n" + extension, "older"));
      EXPECT_EQ(saved.error().code, ErrorCode::kInput);
    }
  }
}

TEST(WriteRoom, WhatNoTriangleUsesIsToldByTheReader) {
  ObjectMesh more = triangle("more");
  more.vertices.push_back({5, 5, 5});
  const Environment room = *Environment::create({{"nothing", {}, {}},
                                                 more,
                                                 {"points", {{7, 7, 7}}, {}},
                                                 triangle("last"),
                                                 {"no end", {}, {}}});
  const RoomFolder folder;
  for (const std::string extension : kExtensions) {
    const auto file = folder.write("r" + extension, "");
    ASSERT_TRUE(save_environment(room, file).ok());
    const auto back = load_environment(file);
    ASSERT_TRUE(back.ok()) << back.error().message;
    ASSERT_EQ(back->objects().size(), 2U);
    EXPECT_EQ(back->objects()[0].name, "more");
    EXPECT_EQ(back->objects()[1].name, "last");
    EXPECT_EQ(back->corners(1)[1], (Vec3f{1, 0, 0}));
    EXPECT_EQ(back->warnings().size(), extension == ".glb" ? 0U : 2U);
  }
}

TEST(WriteRoom, ObjIsAsAPersonWouldWriteIt) {
  const Environment room = *Environment::create(
      {triangle("floor"), {"a rug", {{0.1F, -2.5F, 1e-7F}, {3, 1e6F, 0}, {4, 5, 6}}, {{0, 2, 1}}}});
  const RoomFolder folder;
  const auto file = folder.write("r.obj", "");
  ASSERT_TRUE(save_environment(room, file).ok());
  EXPECT_EQ(contents(file),
            "# metres, Y up\no floor\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n"
            "o a rug\nv 0.1 -2.5 1e-07\nv 3 1e+06 0\nv 4 5 6\nf 4 6 5\n");
}

TEST(WriteRoom, BinaryPlyIsThirteenBytesATriangle) {
  const Environment room = random_room(1, 100);
  const RoomFolder folder;
  const auto file = folder.write("r.ply", "");
  ASSERT_TRUE(save_environment(room, file).ok());
  const std::string bytes = contents(file);
  const std::string header =
      "ply\nformat binary_little_endian 1.0\ncomment metres, Y up\n"
      "comment tocsin.object 0 100 object 0\nelement vertex 100\nproperty float x\n"
      "property float y\nproperty float z\nelement face 100\n"
      "property list uchar int vertex_indices\nend_header\n";
  EXPECT_EQ(bytes.substr(0, header.size()), header);
  EXPECT_EQ(bytes.size(), header.size() + 100 * 12 + 100 * 13);
  EXPECT_EQ(bytes.substr(header.size(), 4), test::f32({room.vertices()[0].x}));
}

}  // namespace
}  // namespace tocsin::write_room_test
