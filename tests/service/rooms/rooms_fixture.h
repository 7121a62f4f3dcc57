// A server's folder of rooms, and files of the formats that rooms come in.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "io/room_files.h"
#include "service/rooms/environments.h"

namespace tocsin::service {

namespace fs = std::filesystem;

/// One triangle, an object called `name`.
inline std::string obj(const std::string& name) {
  return "o " + name + "\nv 0 0 0\nv 1 0 0\nv 0 2 0\nf 1 2 3\n";
}
// printf 'o door\nv 0 0 0\nv 1 0 0\nv 0 2 0\nf 1 2 3\n' | sha256sum
inline constexpr const char* kDoorHash =
    "e72b5bf5f72c25c9e47a05904e0e02b9d739ff6bf75a9c8141cbb26429e33a37";

/// A triangle whose buffer lies in another file.
inline std::string gltf(const std::string& uri) {
  return R"({"asset":{"version":"2.0"},"scene":0,"scenes":[{"nodes":[0]}],"nodes":[{"name":"N","mesh":0}],
    "meshes":[{"primitives":[{"attributes":{"POSITION":0}}]}],
    "buffers":[{"byteLength":36,"uri":")" +
         uri + R"("}],"bufferViews":[{"buffer":0,"byteLength":36}],
    "accessors":[{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3","min":[0,0,0],"max":[1,1,0]}]})";
}
inline std::string gltf_buffer() { return test::f32({0, 0, 0, 1, 0, 0, 0, 1, 0}); }

/// A triangle of its own and whatever is in another file.
inline std::string x3d(const std::string& url) {
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
  Result<EnvironmentInfo> load(Environments& rooms, const RoomRequest& name,
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

  /// Of the principal's room.
  [[nodiscard]] std::vector<std::string> objects_of(const Environments& rooms,
                                                    const std::string& name) const {
    std::string problem;
    const auto room = rooms.find(principal, name, problem);
    EXPECT_NE(room, nullptr) << problem;
    std::vector<std::string> out;
    if (!room) return out;
    for (const Object& object : room->environment.objects()) out.push_back(object.name);
    return out;
  }

  test::RoomFolder folder;
  RoomPolicy policy;
  Principal principal;
  Principal other;
  std::vector<std::string> warnings;
};

}  // namespace tocsin::service
