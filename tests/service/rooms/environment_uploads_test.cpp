// Rooms that clients upload.
#include <gtest/gtest.h>

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "service/rooms/rooms_fixture.h"
#include "support/contains.h"

namespace tocsin::service::environment_uploads_test {
namespace {

using test::contains;

TEST_F(Rooms, UploadsOfEveryFormat) {
  policy.folder.clear();
  Environments rooms(policy);
  const std::string wrl =
      "#VRML V2.0 utf8\nShape { geometry IndexedFaceSet { coord Coordinate { point [0 0 0, 1 0 0, "
      "0 1 0] } "
      "coordIndex [0 1 2 -1] } }\n";
  const std::string ply =
      "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\nproperty float "
      "z\n"
      "element face 1\nproperty list uchar int vertex_indices\nend_header\n0 0 0\n1 0 0\n0 1 0\n3 "
      "0 1 2\n";
  const std::string stl =
      "solid s\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\n"
      "vertex 0 1 0\nendloop\nendfacet\nendsolid s\n";
  const std::string dae =
      R"(<?xml version="1.0"?><COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1">
      <asset><unit meter="1"/><up_axis>Y_UP</up_axis></asset><library_geometries><geometry id="g"><mesh>
      <source id="p"><float_array id="a" count="9">0 0 0 1 0 0 0 1 0</float_array><technique_common>
      <accessor source="#a" count="3" stride="3"><param name="X" type="float"/><param name="Y" type="float"/>
      <param name="Z" type="float"/></accessor></technique_common></source><vertices id="v">
      <input semantic="POSITION" source="#p"/></vertices><triangles count="1">
      <input semantic="VERTEX" source="#v" offset="0"/><p>0 1 2</p></triangles></mesh></geometry>
      </library_geometries><library_visual_scenes><visual_scene id="s"><node id="n" name="N">
      <instance_geometry url="#g"/></node></visual_scene></library_visual_scenes>
      <scene><instance_visual_scene url="#s"/></scene></COLLADA>)";
  const std::string data = "data:application/octet-stream;base64," + test::base64(gltf_buffer());
  const std::vector<std::pair<std::string, std::string>> files{{"my room.OBJ", obj("door")},
                                                               {"r.wrl", wrl},
                                                               {"r.ply", ply},
                                                               {"r.stl", stl},
                                                               {"r.dae", dae},
                                                               {"r.x3d", x3d("")},
                                                               {"r.gltf", gltf(data)}};
  std::uint64_t count = 0;
  for (const auto& [name, bytes] : files) {
    const auto info = upload(rooms, "room" + std::to_string(count), name, bytes);
    ASSERT_TRUE(info.ok()) << name << ": " << info.error().message;
    EXPECT_EQ(info->revision, ++count);
    EXPECT_EQ(info->triangles, 1U);
    EXPECT_EQ(info->files, std::vector<std::string>{name});
    for (const std::string& warning : warnings) expect_discreet(warning);
  }
  // An object that is named by its file is named by the upload's.
  EXPECT_EQ(objects_of(rooms, "room2"), std::vector<std::string>{"r"});
  std::string problem;
  EXPECT_EQ(rooms.find(principal, "room0", problem)->files[0].sha256, kDoorHash);
  EXPECT_EQ(rooms.find(principal, "room0", problem)->files[0].stored, "");
}

TEST_F(Rooms, BadUploadsAreRefused) {
  Environments rooms(policy);
  for (const std::string& name :
       {std::string(), std::string("room"), std::string("room.txt"), std::string("room.mtl"),
        std::string("../room.obj"), std::string("/tmp/room.obj"), std::string("a\\b.obj"),
        std::string(".obj"), std::string("."), std::string("a\n.obj"), std::string("a\xff.obj"),
        std::string("a\0.obj", 6), std::string(200, 'a') + ".obj"}) {
    const auto info = upload(rooms, "house", name, obj("door"));
    EXPECT_EQ(info.error().code, ErrorCode::kUsage) << name << ": " << info.error().message;
  }
  const auto broken = upload(rooms, "house", "broken.obj", "v 1 2 x\n");
  EXPECT_EQ(broken.error().code, ErrorCode::kInput);
  EXPECT_EQ(broken.error().message.find("broken.obj:1: "), 0U) << broken.error().message;
  const auto part = upload(rooms, "house", "part.gltf", gltf("door.bin"));
  EXPECT_EQ(part.error().code, ErrorCode::kUsage) << part.error().message;
  EXPECT_TRUE(contains(part.error().message, "part.gltf: refers to ")) << part.error().message;
  expect_discreet(part.error().message);
  const auto empty = upload(rooms, "house", "empty.obj", "");
  EXPECT_EQ(empty.error().code, ErrorCode::kInput);
  EXPECT_EQ(principal.used->environments, 0U);
  EXPECT_TRUE(rooms.list().empty());
}

TEST_F(Rooms, UploadsAreKeptWhereRecordsNeedThem) {
  policy.keep = folder.path() / "records/rooms";
  Environments rooms(policy);
  ASSERT_TRUE(upload(rooms, "house", "my house.obj", obj("door")).ok());
  const fs::path kept = policy.keep / std::string(kDoorHash).substr(0, 20) / "my house.obj";
  std::string problem;
  EXPECT_EQ(rooms.find(principal, "house", problem)->files[0].stored, kept);
  EXPECT_TRUE(fs::is_regular_file(kept));
  EXPECT_TRUE(load_environment(kept).ok());
  ASSERT_TRUE(upload(rooms, "again", "my house.obj", obj("door")).ok());
  EXPECT_FALSE(upload(rooms, "broken", "broken.obj", "v 1 2 x\n").ok());
  std::size_t count = 0;
  for (const auto& entry : fs::recursive_directory_iterator(policy.keep)) {
    count += entry.is_directory() ? 0 : 1;
  }
  EXPECT_EQ(count, 1U);
}

TEST_F(Rooms, WhatIsRefusedIsNotKept) {
  policy.keep = folder.path() / "records/rooms";
  Environments rooms(policy);
  principal.limits.triangles = 0;
  EXPECT_EQ(upload(rooms, "house", "door.obj", obj("door")).error().code, ErrorCode::kResource);
  principal.limits.triangles = 1;
  EXPECT_FALSE(upload(rooms, "house", "door.obj", obj(std::string(257, 'd'))).ok());
  EXPECT_FALSE(fs::exists(policy.keep));
  ASSERT_TRUE(upload(rooms, "house", "door.obj", obj("door")).ok());
  EXPECT_FALSE(upload(rooms, "house", "shelf.obj", obj("shelf")).ok());  // the name is taken
  std::size_t count = 0;
  for (const auto& entry : fs::recursive_directory_iterator(policy.keep)) {
    count += entry.is_directory() ? 0 : 1;
  }
  EXPECT_EQ(count, 1U);
}

TEST_F(Rooms, AnUploadThatCannotBeKeptIsNoRoom) {
  policy.keep = folder.path() / "rooms/door.obj/rooms";  // below a file
  Environments rooms(policy);
  const auto info = upload(rooms, "house", "door.obj", obj("door"));
  EXPECT_EQ(info.error().code, ErrorCode::kResource);
  EXPECT_TRUE(contains(info.error().message, "cannot be kept")) << info.error().message;
  EXPECT_TRUE(rooms.list().empty());
  EXPECT_EQ(principal.used->environments, 0U);
}

TEST_F(Rooms, NamesOfObjectsAreNotTooLong) {
  Environments rooms(policy);
  const std::string longest(256, 'n');
  write("rooms/longest.obj", obj(longest));
  ASSERT_TRUE(load(rooms, "longest", {"longest.obj"}).ok());
  EXPECT_EQ(objects_of(rooms, "longest"), std::vector<std::string>{longest});
  ASSERT_TRUE(upload(rooms, "same", "longest.obj", obj(longest)).ok());

  const fs::path file = write("rooms/long.obj", obj("door") + obj(std::string(1'000'000, 'n')));
  const std::string fault = "object 1: its name has 1000000 bytes; 256 are allowed";
  for (const auto& info :
       {load(rooms, "house", {"long.obj"}),
        upload(rooms, "house", "long.obj", obj("door") + obj(std::string(1'000'000, 'n'))),
        rooms.load("house", std::span(&file, 1), {}, warnings)}) {
    EXPECT_EQ(info.error().code, ErrorCode::kInput);
    EXPECT_EQ(info.error().message, "room house: " + fault);
  }
  // A name that comes twice gets a suffix, and is too long then.
  EXPECT_EQ(load(rooms, "house", {"longest.obj", "longest.obj"}).error().code, ErrorCode::kInput);
  EXPECT_EQ(rooms.list().size(), 2U);
  EXPECT_EQ(principal.used->environments, 2U);
}

}  // namespace
}  // namespace tocsin::service::environment_uploads_test
