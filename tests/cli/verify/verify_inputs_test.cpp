// `tocsin verify`: refuses reports that are none, and inputs that are others.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>

#include "cli/verify/verify_scene.h"
#include "support/contains.h"

namespace tocsin::test::verify_inputs_test {
namespace {

TEST_F(Verify, RefusesAnInputThatIsAnotherFile) {
  for (const std::string file : {"take.bvh", "room.obj", "pole.json"}) {
    const std::string original = scene_.read(file);
    scene_.write(file, original + " ");
    const CommandResult result = verify();
    EXPECT_EQ(result.status, 3) << result.out;
    EXPECT_TRUE(contains(result.err, file)) << result.err;
    EXPECT_TRUE(contains(result.err, "sha256")) << result.err;
    scene_.write(file, original);
  }
  EXPECT_EQ(verify().status, 0);
}

// A .gltf keeps its numbers in a file beside it: a room that is another one, though the .gltf is
// the same.
TEST_F(Verify, RefusesABufferThatIsAnotherFile) {
  std::string corners;
  for (const float x : {2.5F, -0.5F, -1.0F, 2.5F, 2.0F, -1.0F, 2.5F, 2.0F, 1.0F}) {
    corners.append(reinterpret_cast<const char*>(&x), sizeof x);
  }
  scene_.write("wall.bin", corners);
  scene_.write("wall.gltf", R"({"asset":{"version":"2.0"},"scene":0,"scenes":[{"nodes":[0]}],)"
                            R"("nodes":[{"name":"Wall","mesh":0}],"meshes":[{"primitives":[)"
                            R"({"attributes":{"POSITION":0}}]}],"accessors":[{"bufferView":0,)"
                            R"("componentType":5126,"count":3,"type":"VEC3","min":[2.5,-0.5,-1],)"
                            R"("max":[2.5,2,1]}],"bufferViews":[{"buffer":0,"byteLength":36}],)"
                            R"("buffers":[{"uri":"wall.bin","byteLength":36}]})");
  const CommandResult checked = run_tocsin(
      {"check", "take.bvh", "--env", "wall.gltf", "--avatar", "pole.json", "--out", "report.jsonl"},
      scene_.path());
  ASSERT_EQ(checked.status, 0) << checked.err;
  EXPECT_TRUE(contains(scene_.read("report.jsonl"), R"("role":"buffer","file":"wall.bin")"));
  EXPECT_EQ(verify().status, 0);
  corners[3] = 'A';  // another x of the first corner
  scene_.write("wall.bin", corners);
  const CommandResult result = verify();
  EXPECT_EQ(result.status, 3) << result.out << result.err;
  EXPECT_TRUE(contains(result.err, "wall.bin")) << result.err;
}

// Nothing uses it, so the reader leaves it alone; its hash would never be done.
TEST_F(Verify, ABufferThatIsAPipeIsRefused) {
  scene_.write("wall.gltf", R"({"asset":{"version":"2.0"},"scene":0,"scenes":[{"nodes":[0]}],)"
                            R"("nodes":[{"name":"Wall","mesh":0}],"meshes":[{"primitives":[)"
                            R"({"attributes":{"POSITION":0}}]}],"accessors":[{"bufferView":0,)"
                            R"("componentType":5126,"count":3,"type":"VEC3"}],)"
                            R"("bufferViews":[{"buffer":0,"byteLength":36}],)"
                            R"("buffers":[{"uri":"wall.bin","byteLength":36},)"
                            R"({"uri":"pipe.bin","byteLength":36}]})");
  scene_.write("wall.bin", std::string(36, '\1'));
  ASSERT_EQ(::mkfifo(scene_.full("pipe.bin").c_str(), 0600), 0);
  const CommandResult checked = run_tocsin(
      {"check", "take.bvh", "--env", "wall.gltf", "--avatar", "pole.json"}, scene_.path());
  EXPECT_EQ(checked.status, 3) << checked.out;
  EXPECT_TRUE(contains(checked.err, "wall.gltf: its buffer pipe.bin is not a regular file"))
      << checked.err;
}

TEST_F(Verify, RefusesAnInputThatIsGone) {
  std::filesystem::remove(scene_.full("room.obj"));
  const CommandResult result = verify();
  EXPECT_EQ(result.status, 3);
  EXPECT_TRUE(contains(result.err, "room.obj is not found")) << result.err;
}

TEST_F(Verify, LooksForInputsBesideTheReport) {
  const TemporaryFolder elsewhere;
  const CommandResult result =
      run_tocsin({"verify", scene_.full("report.jsonl")}, elsewhere.path());
  EXPECT_EQ(result.status, 0) << result.err;
}

TEST_F(Verify, RefusesWhatIsNoWholeReport) {
  const auto expect_refused = [&](const std::string& text, const std::string& part) {
    scene_.write("report.jsonl", text);
    const CommandResult result = verify();
    EXPECT_EQ(result.status, 3) << result.out;
    EXPECT_TRUE(contains(result.err, "report.jsonl")) << result.err;
    EXPECT_TRUE(contains(result.err, part)) << part << " in: " << result.err;
  };
  const auto lines = lines_of(report_);
  expect_refused("", "empty");
  expect_refused("\n", ":1: not valid JSON");
  expect_refused(report_.substr(0, report_.find("\"status\"")), ":2: not valid JSON");
  expect_refused(report_.substr(0, report_.rfind("{\"type\":\"summary\"")), "without a summary");
  expect_refused(report_ + lines[1] + "\n", "after the summary");
  expect_refused(report_.substr(report_.find('\n') + 1), ":1: the first line");
  expect_refused(lines[0] + "\n" + report_, ":2: the first line");
  expect_refused("[]\n", "not a JSON object");
  expect_refused(std::string(200'000, '['), "nested deeper");
  expect_refused("{\"type\":" + std::string(200'000, '['), "nested deeper");
  expect_refused(std::string("\x7f"
                             "ELF\0\0\0\xff\xfe",
                             9),
                 "JSON");
  std::string text = report_;
  expect_refused(text.replace(text.find("tocsin.report.v1"), 16, "tocsin.report.v9"),
                 "tocsin.report.v1");
  text = report_;
  expect_refused(text.replace(text.find("\"margin\":0"), 10, "\"margin\":\"\""), "\"margin\"");
  text = report_;
  expect_refused(text.replace(text.find("\"margin\":0"), 10, "\"margin\":-1"), "margin");
  text = report_;
  expect_refused(text.replace(text.find("\"env_scale\":1"), 13, "\"env_scale\":0"), "scale");
  text = report_;
  expect_refused(text.replace(text.find("\"frames\":[0,8,1]"), 16, "\"frames\":[0,8,0]"), "stride");
  text = report_;
  expect_refused(text.replace(text.find("\"frames\":[0,8,1]"), 16, "\"frames\":[0,99,1]"), "99");
  text = report_;
  expect_refused(text.replace(text.find("\"role\":\"motion\""), 15, "\"role\":\"picture\""),
                 "picture");
}

// Which of several reports needs a file that is another one now.
TEST_F(Verify, OfSeveralReportsTheRefusedOneIsNamed) {
  scene_.write("again.jsonl", report_);
  scene_.write("room.obj", scene_.read("room.obj") + " ");
  const CommandResult result = run_tocsin({"verify", "report.jsonl", "again.jsonl"}, scene_.path());
  EXPECT_EQ(result.status, 3) << result.out;
  ASSERT_EQ(lines_of(result.err).size(), 2U) << result.err;
  EXPECT_TRUE(contains(lines_of(result.err)[0], "report.jsonl")) << result.err;
  EXPECT_TRUE(contains(lines_of(result.err)[1], "again.jsonl")) << result.err;
}

TEST_F(Verify, AMissingReport) {
  const CommandResult result = run_tocsin({"verify", "nothing.jsonl"}, scene_.path());
  EXPECT_EQ(result.status, 3);
  EXPECT_TRUE(contains(result.err, "nothing.jsonl")) << result.err;
  EXPECT_EQ(run_tocsin({"verify", "."}, scene_.path()).status, 3);
}

}  // namespace
}  // namespace tocsin::test::verify_inputs_test
