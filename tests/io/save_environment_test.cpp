// Writing a room: what is refused, and that nothing is left half-written.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "base/output_file.h"
#include "io/room_files.h"
#include "support/file_size_limit.h"
#include "tocsin/io.h"

namespace tocsin::save_environment_test {
namespace {

using test::RoomFolder;

/// Large enough that every writer writes before it is done.
Environment plane() {
  ObjectMesh mesh;
  mesh.name = "plane";
  for (std::uint32_t i = 0; i < 40'000; ++i) {
    mesh.vertices.push_back({static_cast<float>(i % 200), 0, static_cast<float>(i / 200)});
    if (i >= 200 && i % 200 > 0) mesh.triangles.push_back({i - 200, i - 1, i});
  }
  return *Environment::create({std::move(mesh)});
}

std::size_t files_in(const std::filesystem::path& folder) {
  std::size_t count = 0;
  for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator(folder)) ++count;
  return count;
}

TEST(SaveEnvironment, AnotherExtensionIsAWrongCall) {
  const RoomFolder folder;
  for (const char* name : {"room.stl", "room", "room.obj.bak", ".ply"}) {
    const auto file = folder.write(name, "older");
    const Status saved = save_environment(plane(), file);
    EXPECT_EQ(saved.error().code, ErrorCode::kUsage) << name;
    EXPECT_TRUE(saved.error().message.starts_with(file.string() + ": no room can be written"));
  }
  const auto upper = folder.write("room.PLY", "older");
  EXPECT_TRUE(save_environment(plane(), upper).ok());
  EXPECT_TRUE(load_environment(upper).ok());
}

TEST(SaveEnvironment, ARoomWithoutTrianglesIsRefused) {
  const RoomFolder folder;
  const Environment empty = *Environment::create({{"nothing", {{0, 0, 0}}, {}}});
  for (const char* name : {"r.obj", "r.ply", "r.glb"}) {
    const auto file = folder.write(name, "older");
    EXPECT_EQ(save_environment(empty, file).error().message,
              file.string() + ": a room without triangles is not written");
    EXPECT_EQ(std::filesystem::file_size(file), 5U);
  }
}

TEST(SaveEnvironment, AFullDiskIsToldAndNothingIsLeft) {
  const RoomFolder folder;
  const Environment room = plane();
  for (const char* name : {"r.obj", "r.ply", "r.glb"}) {
    const std::filesystem::path file = folder.path() / name;
    const auto save = [&] {
      const test::FileSizeLimit full(std::size_t{1} << 17U);
      return save_environment(room, file);
    };
    const auto expect_told = [&](const Status& saved) {
      EXPECT_EQ(saved.error().code, ErrorCode::kResource) << name;
      EXPECT_EQ(saved.error().message, "cannot write " + file.string() + ": File too large");
    };
    expect_told(save());
    EXPECT_EQ(files_in(folder.path()), 0U) << name;
    // An older file is unharmed.
    ASSERT_EQ(folder.write(name, "older"), file);
    expect_told(save());
    EXPECT_EQ(files_in(folder.path()), 1U) << name;
    EXPECT_EQ(std::filesystem::file_size(file), 5U) << name;
    // With room on the disk it can be written, and is larger than what was there to write to.
    ASSERT_TRUE(save_environment(room, file).ok());
    EXPECT_GT(std::filesystem::file_size(file), std::size_t{1} << 17U);
    std::filesystem::remove(file);
  }
}

TEST(SaveEnvironment, ADeviceWithoutSpaceIsTold) {
  if (!std::filesystem::exists("/dev/full")) GTEST_SKIP() << "needs /dev/full";
  const RoomFolder folder;
  for (const char* name : {"r.obj", "r.ply", "r.glb"}) {
    // What is no regular file is written to directly.
    std::filesystem::create_symlink("/dev/full", folder.path() / name);
    const Status saved = save_environment(plane(), folder.path() / name);
    EXPECT_EQ(saved.error().code, ErrorCode::kResource) << name;
    EXPECT_NE(saved.error().message.find("No space left"), std::string::npos)
        << saved.error().message;
  }
  EXPECT_EQ(files_in(folder.path()), 3U);
}

TEST(SaveEnvironment, AFolderThatIsNotThereIsTold) {
  const RoomFolder folder;
  const std::filesystem::path within = folder.write("keep", "").parent_path();
  for (const char* name : {"r.obj", "r.ply", "r.glb"}) {
    const Status saved = save_environment(plane(), within / "none" / name);
    EXPECT_EQ(saved.error().code, ErrorCode::kResource) << name;
  }
  EXPECT_EQ(files_in(within), 1U);
}

TEST(OutputFile, SeveralAtOnceAlsoToOneName) {
  const RoomFolder folder;
  const std::filesystem::path a = folder.write("a", "older");
  const std::filesystem::path within = a.parent_path();
  {
    base::OutputFile first;
    base::OutputFile second;
    base::OutputFile third;
    ASSERT_TRUE(first.open(a.string()).ok());
    ASSERT_TRUE(second.open(a.string()).ok());
    ASSERT_TRUE(third.open((within / "b").string()).ok());
    EXPECT_EQ(files_in(within), 4U);
    EXPECT_TRUE(first.write("first"));
    EXPECT_TRUE(second.write(std::string(1'000'000, '2')));
    EXPECT_TRUE(second.write("!"));
    EXPECT_TRUE(third.write("third"));
    EXPECT_TRUE(second.finish().ok());
    EXPECT_EQ(std::filesystem::file_size(a), 1'000'001U);
    EXPECT_TRUE(first.finish().ok());
    EXPECT_EQ(std::filesystem::file_size(a), 5U);
  }
  // The third was given up.
  EXPECT_EQ(files_in(within), 1U);
  {
    base::OutputFile first;
    base::OutputFile second;
    ASSERT_TRUE(first.open(a.string()).ok());
    ASSERT_TRUE(second.open((within / "b").string()).ok());
    base::discard_open_output();
    EXPECT_EQ(files_in(within), 1U);
  }
  EXPECT_EQ(files_in(within), 1U);
}

}  // namespace
}  // namespace tocsin::save_environment_test
