#include "service/environments.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <atomic>
#include <filesystem>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "io/room_files.h"
#include "support/contains.h"

namespace tocsin::service {
namespace {

namespace fs = std::filesystem;

/// One triangle, an object called `name`.
std::string obj(const std::string& name) {
  return "o " + name + "\nv 0 0 0\nv 1 0 0\nv 0 2 0\nf 1 2 3\n";
}
// printf 'o door\nv 0 0 0\nv 1 0 0\nv 0 2 0\nf 1 2 3\n' | sha256sum
constexpr const char* kDoorHash =
    "e72b5bf5f72c25c9e47a05904e0e02b9d739ff6bf75a9c8141cbb26429e33a37";

/// A triangle whose buffer lies in another file.
std::string gltf(const std::string& uri) {
  return R"({"asset":{"version":"2.0"},"scene":0,"scenes":[{"nodes":[0]}],"nodes":[{"name":"N","mesh":0}],
    "meshes":[{"primitives":[{"attributes":{"POSITION":0}}]}],
    "buffers":[{"byteLength":36,"uri":")" +
         uri + R"("}],"bufferViews":[{"buffer":0,"byteLength":36}],
    "accessors":[{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3","min":[0,0,0],"max":[1,1,0]}]})";
}
std::string gltf_buffer() { return test::f32({0, 0, 0, 1, 0, 0, 0, 1, 0}); }

/// A triangle of its own and whatever is in another file.
std::string x3d(const std::string& url) {
  return R"(<?xml version="1.0" encoding="UTF-8"?><X3D version="3.0"><Scene>
    <Transform DEF="own"><Shape><IndexedFaceSet coordIndex="0 1 2 -1"><Coordinate point="0 0 0 1 0 0 0 1 0"/>
    </IndexedFaceSet></Shape></Transform>)" +
         (url.empty() ? "" : "<Inline url='" + url + "'/>") + "</Scene></X3D>";
}

/// A server's folder `rooms`, and a secret beside it.
class Rooms : public testing::Test {
 protected:
  Rooms() {
    fs::create_directories(root() / "sub");
    write("rooms/door.obj", obj("door"));
    write("rooms/sub/shelf.obj", obj("shelf"));
    write("secret.obj", obj("secret"));
    write("secret.bin", gltf_buffer());
    write("secret.x3d", x3d(""));
    policy.folder = root();
    principal.name = "studio-a";
    other.name = "studio-b";
  }

  [[nodiscard]] fs::path root() const { return folder.path() / "rooms"; }
  fs::path write(const std::string& name, const std::string& bytes) const {
    return folder.write(name, bytes);
  }
  Result<EnvironmentInfo> load(Environments& rooms, const std::string& name,
                               const std::vector<std::string>& paths) {
    warnings.clear();
    return rooms.load_paths(principal, name, paths, {}, warnings);
  }
  Result<EnvironmentInfo> upload(Environments& rooms, const std::string& name,
                                 const std::string& file_name, const std::string& bytes) {
    warnings.clear();
    fs::create_directories(folder.path() / "spool");
    const fs::path spooled = write("spool/bytes", bytes);
    auto out = rooms.load_upload(principal, name, spooled, file_name, {}, warnings);
    EXPECT_TRUE(fs::remove(spooled));
    EXPECT_TRUE(fs::is_empty(folder.path() / "spool"));  // nothing of ours is left
    return out;
  }
  /// What the client is told must not say where the folder is.
  void expect_discreet(const std::string& text) const {
    EXPECT_EQ(text.find(folder.path().string()), std::string::npos) << text;
    EXPECT_EQ(text.find("spool"), std::string::npos) << text;
    EXPECT_EQ(text.find("tocsin-room-"), std::string::npos) << text;
  }

  test::RoomFolder folder;
  RoomPolicy policy;
  Principal principal;
  Principal other;
  std::vector<std::string> warnings;
};

using test::contains;
std::vector<std::string> objects_of(const Environments& rooms, const std::string& name) {
  std::string problem;
  const auto room = rooms.find(name, problem);
  EXPECT_NE(room, nullptr) << problem;
  std::vector<std::string> out;
  if (!room) return out;
  for (const Object& object : room->environment.objects()) out.push_back(object.name);
  return out;
}

TEST_F(Rooms, TheOperatorsComeFromAnywhere) {
  Environments rooms(RoomPolicy{});
  const std::vector<fs::path> files{folder.path() / "secret.obj", root() / "door.obj"};
  const auto info = rooms.load("hall", files, {2.0, UpAxis::kY}, warnings);
  ASSERT_TRUE(info.ok()) << info.error().message;
  EXPECT_EQ(info.name, "hall");
  EXPECT_EQ(info.revision, 1U);
  EXPECT_EQ(info.objects, 2U);
  EXPECT_EQ(info.triangles, 2U);
  EXPECT_EQ(info.least, (Vec3{0, 0, 0}));
  EXPECT_EQ(info.most, (Vec3{2, 4, 0}));
  EXPECT_EQ(info.files, (std::vector<std::string>{"secret.obj", "door.obj"}));
  std::string problem;
  const auto room = rooms.find("", problem);
  ASSERT_NE(room, nullptr) << problem;
  EXPECT_EQ(room->name, "hall");
  EXPECT_EQ(room->owner, "");
  EXPECT_EQ(room->options.scale, 2.0);
  EXPECT_EQ(room->detector.backend_name(), "cpu");
  ASSERT_EQ(room->files.size(), 2U);
  EXPECT_EQ(room->files[1].stored, root() / "door.obj");
  EXPECT_EQ(room->files[1].sha256, kDoorHash);
  const auto gone = rooms.unload(principal, "hall");
  EXPECT_EQ(gone.error().code, ErrorCode::kUsage);
  EXPECT_TRUE(contains(gone.error().message, "the server's own")) << gone.error().message;
}

TEST_F(Rooms, ClientsLoadFromTheFolder) {
  Environments rooms(policy);
  const auto info = load(rooms, "house", {"./door.obj", "sub//shelf.obj"});
  ASSERT_TRUE(info.ok()) << info.error().message;
  EXPECT_EQ(info.files, (std::vector<std::string>{"door.obj", "sub/shelf.obj"}));
  EXPECT_EQ(objects_of(rooms, "house"), (std::vector<std::string>{"door", "shelf"}));
  std::string problem;
  const auto room = rooms.find("house", problem);
  EXPECT_EQ(room->owner, "studio-a");
  EXPECT_EQ(room->files[0].sha256, kDoorHash);
  EXPECT_EQ(room->files[1].stored, fs::canonical(root()) / "sub/shelf.obj");
  EXPECT_EQ(principal.environments, 1U);
  EXPECT_EQ(rooms.list().size(), 1U);
}

TEST_F(Rooms, OneNameThatComesTwiceIsKeptApartWithAWarning) {
  write("rooms/door2.obj", obj("door"));
  Environments rooms(policy);
  ASSERT_TRUE(load(rooms, "house", {"door.obj", "door2.obj"}).ok());
  EXPECT_EQ(objects_of(rooms, "house"), (std::vector<std::string>{"door", "door@2"}));
  ASSERT_EQ(warnings.size(), 1U);
  EXPECT_TRUE(contains(warnings[0], "door@2")) << warnings[0];
}

TEST_F(Rooms, ALinkWithinTheFolderIsFollowed) {
  fs::create_symlink("sub/shelf.obj", root() / "link.obj");
  Environments rooms(policy);
  const auto info = load(rooms, "house", {"link.obj"});
  ASSERT_TRUE(info.ok()) << info.error().message;
  EXPECT_EQ(info.files, std::vector<std::string>{"link.obj"});
}

struct BadPath {
  std::string path;
  ErrorCode code;
  std::string part;
};

TEST_F(Rooms, NothingLeadsOutOfTheFolder) {
  fs::create_symlink("../secret.obj", root() / "out.obj");
  fs::create_symlink(folder.path(), root() / "up");
  fs::create_symlink("up/secret.obj", root() / "twice.obj");
  fs::create_symlink("loop.obj", root() / "loop.obj");
  fs::create_symlink("../nowhere.obj", root() / "dangling.obj");
  fs::create_directories(folder.path() / "rooms-beside");  // its name begins like the folder's
  write("rooms-beside/x.obj", obj("beside"));
  fs::create_symlink("../rooms-beside/x.obj", root() / "beside.obj");
  ASSERT_EQ(::mkfifo((root() / "pipe.obj").c_str(), 0600), 0);
  const std::vector<BadPath> cases{
      {"", ErrorCode::kUsage, "empty"},
      {(folder.path() / "secret.obj").string(), ErrorCode::kUsage, "relative"},
      {(root() / "door.obj").string(), ErrorCode::kUsage, "relative"},
      {"..", ErrorCode::kUsage, "leads out"},
      {"../secret.obj", ErrorCode::kUsage, "leads out"},
      {"sub/../../secret.obj", ErrorCode::kUsage, "leads out"},
      {"sub/../door.obj", ErrorCode::kUsage, "\"..\""},
      {"out.obj", ErrorCode::kUsage, "leads out"},
      {"up/secret.obj", ErrorCode::kUsage, "leads out"},
      {"up/rooms/door.obj/../../../secret.obj", ErrorCode::kUsage, "leads out"},
      {"up/nothing.obj", ErrorCode::kUsage, "leads out"},
      {"twice.obj", ErrorCode::kUsage, "leads out"},
      {"beside.obj", ErrorCode::kUsage, "leads out"},
      {"dangling.obj", ErrorCode::kInput, "no such file"},
      {"loop.obj", ErrorCode::kInput, "cannot be looked up"},
      {"none.obj", ErrorCode::kInput, "no such file"},
      {"sub", ErrorCode::kInput, "not a regular file"},
      {".", ErrorCode::kInput, "not a regular file"},
      {"pipe.obj", ErrorCode::kInput, "not a regular file"},
      {"door.obj/x", ErrorCode::kInput, "no such file"},
      {std::string("door.obj\0.txt", 13), ErrorCode::kUsage, "control characters"},
      {"a\nb.obj", ErrorCode::kUsage, "control characters"},
      {"a\xff.obj", ErrorCode::kUsage, "UTF-8"},
      {std::string(2000, 'a'), ErrorCode::kUsage, "1024 bytes"},
      {std::string(300, 'a') + ".obj", ErrorCode::kInput, "cannot be looked up"},
  };
  Environments rooms(policy);
  for (const BadPath& bad : cases) {
    const auto info = load(rooms, "house", {"door.obj", bad.path});
    EXPECT_FALSE(info.ok()) << bad.path;
    EXPECT_EQ(info.error().code, bad.code) << bad.path << ": " << info.error().message;
    EXPECT_TRUE(contains(info.error().message, bad.part))
        << bad.part << " in: " << info.error().message;
    if (bad.path.empty() || bad.path[0] != '/') expect_discreet(info.error().message);
  }
  EXPECT_TRUE(rooms.list().empty());
  EXPECT_EQ(principal.environments, 0U);
}

TEST_F(Rooms, TheFolderItselfMayBeALink) {
  fs::create_directory_symlink("rooms", folder.path() / "link");
  policy.folder = folder.path() / "link";
  Environments rooms(policy);
  EXPECT_TRUE(load(rooms, "house", {"door.obj"}).ok());
}

TEST_F(Rooms, BadFilesAreNamedRelativeToTheFolder) {
  write("rooms/sub/bad.obj", "o x\nv 1 2\n");
  write("rooms/sub/bad.stl", "solid x\nfacet nothing\n");
  write("rooms/sub/bad.glb", "glTF but not really");
  write("rooms/sub/bad.ply", "ply\nformat none\n");
  write("rooms/sub/text.txt", "text");
  Environments rooms(policy);
  for (const std::string file :
       {"sub/bad.obj", "sub/bad.stl", "sub/bad.glb", "sub/bad.ply", "sub/text.txt"}) {
    const auto info = load(rooms, "house", {file});
    EXPECT_EQ(info.error().code, ErrorCode::kInput);
    EXPECT_EQ(info.error().message.find(file), 0U) << info.error().message;
    expect_discreet(info.error().message);
  }
  EXPECT_TRUE(contains(load(rooms, "house", {"sub/bad.obj"}).error().message, "sub/bad.obj:2: "));
}

TEST_F(Rooms, WhatAFileRefersToMustLieInTheFolderToo) {
  write("rooms/sub/inside.bin", gltf_buffer());
  fs::create_symlink("../../secret.bin", root() / "sub/link.bin");
  fs::create_symlink("../..", root() / "sub/up");
  Environments rooms(policy);
  write("rooms/sub/good.gltf", gltf("inside.bin"));
  const auto good = load(rooms, "good", {"sub/good.gltf"});
  ASSERT_TRUE(good.ok()) << good.error().message;
  EXPECT_EQ(good.files, std::vector<std::string>{"sub/good.gltf"});
  std::string problem;
  const auto room = rooms.find("good", problem);
  ASSERT_EQ(room->files.size(), 2U);
  EXPECT_EQ(room->files[1].shown, "sub/inside.bin");
  EXPECT_TRUE(room->files[1].referenced);
  for (const std::string uri :
       {"../../secret.bin", "%2e%2e/../secret.bin", "link.bin", "up/secret.bin",
        "../../rooms/../secret.bin", "../../nowhere.bin"}) {
    write("rooms/sub/bad.gltf", gltf(uri));
    const auto bad = load(rooms, "bad", {"sub/bad.gltf"});
    EXPECT_FALSE(bad.ok()) << uri;
    EXPECT_EQ(bad.error().code, ErrorCode::kUsage) << uri << ": " << bad.error().message;
    EXPECT_TRUE(contains(bad.error().message, "sub/bad.gltf: refers to ")) << bad.error().message;
    expect_discreet(bad.error().message);
  }
  // What is absolute assimp looks for beside the file.
  for (const std::string& uri :
       {(folder.path() / "secret.bin").string(), std::string("/dev/zero")}) {
    write("rooms/sub/bad.gltf", gltf(uri));
    EXPECT_FALSE(load(rooms, "bad", {"sub/bad.gltf"}).ok()) << uri;
  }
}

TEST_F(Rooms, InlinedScenesDoNotLeadOut) {
  write("rooms/inside.x3d", x3d(""));
  Environments rooms(policy);
  for (const std::string& url :
       {std::string("../secret.x3d"), (folder.path() / "secret.x3d").string()}) {
    write("rooms/bad.x3d", x3d(url));
    const auto bad = load(rooms, "bad", {"bad.x3d"});
    EXPECT_FALSE(bad.ok()) << url;
    EXPECT_TRUE(contains(bad.error().message, "bad.x3d: ")) << bad.error().message;
  }
  write("rooms/bad.x3d", x3d("../secret.x3d"));
  EXPECT_EQ(load(rooms, "bad", {"bad.x3d"}).error().code, ErrorCode::kUsage);
  write("rooms/good.x3d", x3d("inside.x3d"));
  const auto good = load(rooms, "good", {"good.x3d"});
  ASSERT_TRUE(good.ok()) << good.error().message;
  EXPECT_EQ(good.triangles, 2U);
  const auto whole = upload(rooms, "whole", "whole.x3d", x3d(""));
  EXPECT_TRUE(whole.ok()) << whole.error().message;
  const auto part = upload(rooms, "part", "part.x3d", x3d("inside.x3d"));
  EXPECT_FALSE(part.ok());
  expect_discreet(part.error().message);
}

TEST_F(Rooms, WithoutAFolderNoPathsAreTaken) {
  policy.folder.clear();
  Environments rooms(policy);
  const auto info = load(rooms, "house", {"door.obj"});
  EXPECT_EQ(info.error().code, ErrorCode::kUsage);
  EXPECT_TRUE(contains(info.error().message, "upload")) << info.error().message;
}

TEST_F(Rooms, AMissingFolderIsTheServersProblem) {
  policy.folder = folder.path() / "gone";
  Environments rooms(policy);
  const auto info = load(rooms, "house", {"door.obj"});
  EXPECT_EQ(info.error().code, ErrorCode::kResource);
  expect_discreet(info.error().message);
}

TEST_F(Rooms, NamesAreChecked) {
  Environments rooms(policy);
  for (const std::string& bad :
       {std::string(), std::string("."), std::string(".hidden"), std::string("a b"),
        std::string("a/b"), std::string("ä"), std::string(129, 'a'), std::string("a\n")}) {
    const auto info = load(rooms, bad, {"door.obj"});
    EXPECT_EQ(info.error().code, ErrorCode::kUsage) << bad;
    EXPECT_TRUE(contains(info.error().message, "a room's name")) << info.error().message;
  }
  EXPECT_TRUE(load(rooms, std::string(128, 'a'), {"door.obj"}).ok());
  EXPECT_TRUE(load(rooms, "A-z_0.9", {"door.obj"}).ok());
}

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
    EXPECT_EQ(info.revision, ++count);
    EXPECT_EQ(info.triangles, 1U);
    EXPECT_EQ(info.files, std::vector<std::string>{name});
    for (const std::string& warning : warnings) expect_discreet(warning);
  }
  // An object that is named by its file is named by the upload's.
  EXPECT_EQ(objects_of(rooms, "room2"), std::vector<std::string>{"r"});
  std::string problem;
  EXPECT_EQ(rooms.find("room0", problem)->files[0].sha256, kDoorHash);
  EXPECT_EQ(rooms.find("room0", problem)->files[0].stored, "");
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
  EXPECT_EQ(principal.environments, 0U);
  EXPECT_TRUE(rooms.list().empty());
}

TEST_F(Rooms, UploadsAreKeptWhereRecordsNeedThem) {
  policy.keep = folder.path() / "records/rooms";
  Environments rooms(policy);
  ASSERT_TRUE(upload(rooms, "house", "my house.obj", obj("door")).ok());
  const fs::path kept = policy.keep / std::string(kDoorHash).substr(0, 20) / "my house.obj";
  std::string problem;
  EXPECT_EQ(rooms.find("house", problem)->files[0].stored, kept);
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
  EXPECT_EQ(principal.environments, 0U);
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
  EXPECT_EQ(principal.environments, 2U);
}

TEST_F(Rooms, LimitsOfAPrincipal) {
  Environments rooms(policy);
  principal.limits.triangles = 1;
  const auto large = load(rooms, "large", {"door.obj", "sub/shelf.obj"});
  EXPECT_EQ(large.error().code, ErrorCode::kResource);
  EXPECT_TRUE(contains(large.error().message, "2 triangles")) << large.error().message;
  EXPECT_TRUE(load(rooms, "small", {"door.obj"}).ok());
  principal.limits.environments = 1;
  const auto more = load(rooms, "more", {"door.obj"});
  EXPECT_EQ(more.error().code, ErrorCode::kResource);
  EXPECT_TRUE(contains(more.error().message, "\"studio-a\" may have 1 rooms"))
      << more.error().message;
  other.limits.may_load = false;
  std::vector<std::string> none;
  const auto never =
      rooms.load_paths(other, "more", std::vector<std::string>{"door.obj"}, {}, none);
  EXPECT_EQ(never.error().code, ErrorCode::kUsage);
  EXPECT_TRUE(contains(never.error().message, "may not load")) << never.error().message;
}

TEST_F(Rooms, LimitOfTheServer) {
  policy.most_rooms = 2;
  Environments rooms(policy);
  const fs::path file = root() / "door.obj";
  ASSERT_TRUE(rooms.load("own", std::span(&file, 1), {}, warnings).ok());
  ASSERT_TRUE(load(rooms, "a", {"door.obj"}).ok());
  EXPECT_EQ(load(rooms, "b", {"door.obj"}).error().code, ErrorCode::kResource);
  EXPECT_TRUE(rooms.load("operator", std::span(&file, 1), {}, warnings).ok());
}

TEST_F(Rooms, UnloadedRoomsStayWithTheirSessions) {
  principal.limits.environments = 1;
  Environments rooms(policy);
  ASSERT_TRUE(load(rooms, "house", {"door.obj"}).ok());
  std::string problem;
  std::shared_ptr<const Room> session = rooms.find("house", problem);
  session->sessions = 3;
  EXPECT_EQ(rooms.list()[0].sessions, 3U);

  EXPECT_EQ(rooms.unload(other, "house").error().code, ErrorCode::kUsage);
  EXPECT_EQ(rooms.unload(principal, "cave").error().code, ErrorCode::kInput);
  const auto gone = rooms.unload(principal, "house");
  ASSERT_TRUE(gone.ok()) << gone.error().message;
  EXPECT_EQ(gone.sessions, 3U);
  EXPECT_EQ(principal.environments, 0U);
  EXPECT_EQ(rooms.find("house", problem), nullptr);
  EXPECT_EQ(session->environment.triangles().size(), 1U);

  // As long as somebody walks in it, it takes memory, and counts.
  EXPECT_EQ(load(rooms, "house", {"door.obj"}).error().code, ErrorCode::kResource);
  session.reset();
  const auto again = load(rooms, "house", {"door.obj"});
  ASSERT_TRUE(again.ok()) << again.error().message;
  EXPECT_EQ(again.revision, 2U);
}

TEST_F(Rooms, WhichRoomIsMeant) {
  Environments rooms(policy);
  std::string problem;
  EXPECT_EQ(rooms.find("", problem), nullptr);
  EXPECT_TRUE(contains(problem, "no room")) << problem;
  ASSERT_TRUE(load(rooms, "a", {"door.obj"}).ok());
  ASSERT_NE(rooms.find("", problem), nullptr);
  ASSERT_TRUE(load(rooms, "b", {"door.obj"}).ok());
  EXPECT_EQ(rooms.find("", problem), nullptr);
  EXPECT_TRUE(contains(problem, "a, b")) << problem;
  EXPECT_EQ(rooms.find("c\n", problem), nullptr);
  EXPECT_TRUE(contains(problem, "\"c\\n\"") && contains(problem, "a, b")) << problem;
  EXPECT_TRUE(rooms.is_taken("a"));
  EXPECT_FALSE(rooms.is_taken("c"));
  const auto taken = load(rooms, "a", {"door.obj"});
  EXPECT_EQ(taken.error().code, ErrorCode::kUsage);
  EXPECT_TRUE(contains(taken.error().message, "taken")) << taken.error().message;
}

TEST_F(Rooms, OfManyLoadsOfOneNameOneWins) {
  Environments rooms(policy);
  for (int round = 0; round < 20; ++round) {
    const std::string name = "room" + std::to_string(round);
    std::atomic<int> won{0};
    std::vector<std::thread> threads;
    for (Principal* who : {&principal, &other, &principal, &other}) {
      threads.emplace_back([&, who] {
        std::vector<std::string> none;
        const auto info =
            rooms.load_paths(*who, name, std::vector<std::string>{"door.obj"}, {}, none);
        won += info.ok() ? 1 : 0;
        EXPECT_TRUE(info.ok() || contains(info.error().message, "taken")) << info.error().message;
        (void)rooms.list();
      });
    }
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(won, 1);
    EXPECT_EQ(principal.environments + other.environments, 1U);
    EXPECT_NE(rooms.unload(principal, name).ok(), rooms.unload(other, name).ok());
  }
}

}  // namespace
}  // namespace tocsin::service
