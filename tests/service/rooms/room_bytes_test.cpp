#include "service/rooms/room_bytes.h"

#include "service/rooms/rooms_fixture.h"

namespace tocsin::service::room_bytes_test {
namespace {

class RoomBytes : public Rooms {
 protected:
  [[nodiscard]] std::uint64_t bytes(const std::string& name) const {
    return room_bytes(fs::canonical(root()), root() / name);
  }
  [[nodiscard]] std::uint64_t size(const std::string& name) const {
    return fs::file_size(root() / name);
  }
};

TEST_F(RoomBytes, AFileAloneIsItsSize) {
  EXPECT_EQ(bytes("door.obj"), obj("door").size());
  EXPECT_EQ(bytes("nowhere.obj"), 0U);
  EXPECT_EQ(bytes("../secret.obj"), 0U);
  write("rooms/a.gltf", gltf("a.bin"));
  EXPECT_EQ(bytes("a.gltf"), size("a.gltf") + 36);
}

TEST_F(RoomBytes, AnX3dFileInlinesOthers) {
  write("rooms/sub/leaf.x3d", x3d(""));
  write("rooms/sub/twice.x3d", x3d("leaf.x3d") + x3d("\"leaf.x3d\" \"other.x3d\""));
  write("rooms/top.x3d", x3d("&quot;sub/twice.x3d&quot;") + x3d("../secret.x3d") + x3d("gone.x3d"));
  const std::uint64_t twice = size("sub/twice.x3d") + 2 * size("sub/leaf.x3d");
  EXPECT_EQ(bytes("sub/twice.x3d"), twice);
  EXPECT_EQ(bytes("top.x3d"), size("top.x3d") + twice);
  fs::create_symlink(folder.path() / "secret.x3d", root() / "link.x3d");
  write("rooms/leads.x3d", x3d("link.x3d"));
  EXPECT_EQ(bytes("leads.x3d"), size("leads.x3d"));
}

/// Files that inline each other have an end here; what they would become has none.
TEST_F(RoomBytes, NestingIsCountedWithoutBeingFollowedEachTime) {
  write("rooms/own.x3d", x3d("own.x3d"));
  EXPECT_EQ(bytes("own.x3d"), size("own.x3d"));
  constexpr int kLevels = 20;
  for (int level = 0; level < kLevels; ++level) {
    std::string text;
    for (int i = 0; i < 10; ++i) text += x3d("level" + std::to_string(level + 1) + ".x3d");
    write("rooms/level" + std::to_string(level) + ".x3d", text);
  }
  write("rooms/level20.x3d", x3d(""));
  EXPECT_EQ(bytes("level19.x3d"), size("level19.x3d") + 10 * size("level20.x3d"));
  EXPECT_EQ(bytes("level18.x3d"), size("level18.x3d") + 10 * bytes("level19.x3d"));
  EXPECT_EQ(bytes("level0.x3d"), std::uint64_t{1} << 50U)
      << "10^20 files are as many as can be said";
}

}  // namespace
}  // namespace tocsin::service::room_bytes_test
