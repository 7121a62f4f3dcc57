// What is checked in is what the generators write: the demo's room, its take and its picture.
#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "demo/command.h"
#include "support/places.h"

namespace tocsin::test::generators_test {
namespace {

constexpr const char* kNoPython = "python3 is not here; the checked-in file was not regenerated";

std::string scratch(const std::string& name) {
  const auto folder = std::filesystem::path(binary_dir()) / "tests-demo";
  std::filesystem::create_directories(folder);
  return (folder / name).string();
}

std::string source(const std::string& name) { return source_dir() + "/" + name; }

void expect_regenerated(const std::string& script, const std::string& arguments,
                        const std::string& checked_in) {
  const std::string fresh = scratch(std::filesystem::path(checked_in).filename().string());
  const auto run =
      run_command("python3 '" + source(script) + "' " + arguments + " '" + fresh + "'");
  ASSERT_EQ(run.status, 0) << run.out;
  EXPECT_TRUE(file_bytes(source(checked_in)) == file_bytes(fresh))
      << checked_in << " is not what " << script << " writes; that is in " << fresh;
}

TEST(DemoGenerators, RoomIsReproduced) {
  if (!have_python()) GTEST_SKIP() << kNoPython;
  expect_regenerated("environments/make_music_room.py", "", "environments/music_room.obj");
}

TEST(DemoGenerators, WireIsReproduced) {
  if (!have_python()) GTEST_SKIP() << kNoPython;
  expect_regenerated("environments/make_wire.py", "", "environments/wire.obj");
}

TEST(DemoGenerators, TakeIsReproduced) {
  if (!have_python()) GTEST_SKIP() << kNoPython;
  expect_regenerated("motions/make_walk_and_reach.py", "", "motions/walk_and_reach.bvh");
}

TEST(DemoGenerators, PictureIsReproducedFromAReport) {
  if (!have_python()) GTEST_SKIP() << kNoPython;
  const std::string report = scratch("report.jsonl");
  const auto check = run_command(
      "'" + binary_dir() + "/bin/tocsin' check '" + source("motions/walk_and_reach.bvh") +
      "' --env '" + source("environments/music_room.obj") + "' --out '" + report + "'");
  ASSERT_EQ(check.status, 0) << check.out;
  expect_regenerated("docs/img/make_demo_picture.py", "'" + report + "'", "docs/img/demo.svg");
}

}  // namespace
}  // namespace tocsin::test::generators_test
