// `tocsin validate`, as a user runs it, on the scene that was worked out by hand (scenes.h).
#include <gtest/gtest.h>

#include <csignal>
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "cli/check/meeting_scene.h"
#include "cli/scenes.h"
#include "support/data.h"
#include "support/environment_variable.h"
#include "support/places.h"

namespace tocsin::test::validate_test {
namespace {

using Json = nlohmann::json;

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

/// Commands that are started meanwhile find no EGL library.
class WithoutGl : TemporaryFolder {
 public:
  WithoutGl() { write("libEGL.so.1", ""); }

 private:
  EnvironmentVariable libraries_{"LD_LIBRARY_PATH", path().string()};
};

class Validate : public testing::Test {
 protected:
  [[nodiscard]] CommandResult validate(const std::vector<std::string>& more = {}) const {
    std::vector<std::string> arguments{"validate", "take.bvh", "--env",
                                       "room.obj", "--avatar", "pole.json"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run_tocsin(arguments, scene_.path());
  }
  [[nodiscard]] Json json(std::vector<std::string> more, int status = 0) const {
    more.insert(more.end(), {"--out", "-"});
    const CommandResult result = validate(more);
    EXPECT_EQ(result.status, status) << result.err;
    EXPECT_EQ(lines_of(result.out).size(), 1U) << result.out;
    return Json::parse(result.out, nullptr, false);
  }
  PoleScene scene_;

 private:
  const EnvironmentVariable no_cuda_{"CUDA_VISIBLE_DEVICES", ""};
};

TEST_F(Validate, Help) {
  const CommandResult result = run_tocsin({"validate", "--help"});
  EXPECT_EQ(result.status, 0);
  for (const std::string part :
       {"--backends", "--gl-sizes", "--surface", "--gl-size", "--env", "--frames", "--out",
        "--self", "--start", "Examples:", "tocsin validate take.bvh"}) {
    EXPECT_TRUE(contains(result.out, part)) << part;
  }
  for (const std::string part : {"--backend ", "--no-certify", "--fail-on-contact"}) {
    EXPECT_FALSE(contains(result.out, part)) << part;
  }
  for (const std::string& line : lines_of(result.out)) EXPECT_LE(line.size(), 110U) << line;
}

TEST_F(Validate, BadArgumentsAreRefusedByName) {
  const std::vector<std::pair<std::vector<std::string>, std::string>> cases{
      {{"--backends", ""}, "empty"},
      {{"--backends", ","}, "cpu"},
      {{"--backends", "cpu,"}, "found \"\""},
      {{"--backends", "cpu, gl"}, "\" gl\""},
      {{"--backends", "cpu,cpu"}, "twice"},
      {{"--backends", "vulkan"}, "\"vulkan\""},
      {{"--backends", "auto"}, "\"auto\""},
      {{"--backends", "CPU"}, "\"CPU\""},
      {{"--backends"}, "required"},
      {{"--gl-sizes", ""}, "empty"},
      {{"--gl-sizes", "64"}, "WIDTHxHEIGHT"},
      {{"--gl-sizes", "64x"}, "WIDTHxHEIGHT"},
      {{"--gl-sizes", "64x64x64"}, "WIDTHxHEIGHT"},
      {{"--gl-sizes", "64x64,,32x32"}, "WIDTHxHEIGHT"},
      {{"--gl-sizes", "64x64,"}, "WIDTHxHEIGHT"},
      {{"--gl-sizes", "7x64"}, "8 to 8192"},
      {{"--gl-sizes", "64x8193"}, "8 to 8192"},
      {{"--gl-sizes", "64x-64"}, "8 to 8192"},
      {{"--gl-sizes", "99999999999x64"}, "8 to 8192"},
      {{"--gl-sizes", "64x64,32x32,64x64"}, "twice"},
      {{"--gl-sizes", "32x32", "--backends", "cpu"}, "--backends"},
      {{"--surface", ""}, "skin, paper"},
      {{"--surface", "glass"}, "skin, paper"},
      {{"--surface", "paper", "--backends", "cpu"}, "--backends"},
      {{"--gl-device", "0", "--backends", "cpu,cuda"}, "--backends"},
      {{"--gl-device", "-1"}, "whole number"},
      {{"--backend", "cpu"}, "--backend"},
      {{"--no-certify"}, "--no-certify"},
      {{"--gl-sizes", "32x32", "--self"}, "no pairs of links (--self)"},
      {{"--surface", "paper", "--self"}, "no pairs of links (--self)"},
      {{"--gl-sizes", "32x32", "take.bvh"}, "no pairs of links (several takes)"},
      {{"--start", "1"}, "is for several takes"},
      {{"--ignore-rest"}, "--self"},
      {{"--fail-on-contact"}, "--fail-on-contact"},
      {{"--out", ""}, "empty"},
      {{"--out", "room.obj"}, "room.obj"},
      {{"--margin", "-1"}, "0 or more"},
      {{"--frames", "0:99"}, "9 frames"}};
  for (const auto& [arguments, part] : cases) {
    const CommandResult result = validate(arguments);
    EXPECT_EQ(result.status, 2) << testing::PrintToString(arguments) << result.err;
    EXPECT_TRUE(contains(result.err, arguments[0])) << result.err;
    EXPECT_TRUE(contains(result.err, part)) << part << " in: " << result.err;
    EXPECT_EQ(result.out, "");
    EXPECT_EQ(lines_of(result.err).size(), 1U) << result.err;
  }
  std::string sizes = "8x8";
  for (int i = 9; i < 25; ++i) sizes += "," + std::to_string(i) + "x8";
  EXPECT_TRUE(contains(validate({"--gl-sizes", sizes}).err, "at most 16"));
  EXPECT_EQ(scene_.files(), (std::vector<std::string>{"pole.json", "room.obj", "take.bvh"}));
}

TEST_F(Validate, InputsAreRefusedAsByCheck) {
  const CommandResult result =
      run_tocsin({"validate", "none.bvh", "--env", "room.obj", "--backends", "cpu"}, scene_.path());
  EXPECT_EQ(result.status, 3);
  EXPECT_TRUE(contains(result.err, "none.bvh")) << result.err;
}

TEST_F(Validate, TheCpuAloneComparesNothingAndSaysSo) {
  const CommandResult table = validate({"--backends", "cpu"});
  EXPECT_EQ(table.status, 0) << table.err;
  EXPECT_TRUE(contains(table.out, "Nothing was compared")) << table.out;
  const Json found = json({"--backends", "cpu"});
  EXPECT_EQ(found["format"], "tocsin.validation.v1");
  EXPECT_EQ(found["steps"], 8);
  EXPECT_EQ(found["holds"], true);
  ASSERT_EQ(found["backends"].size(), 1U);
  const Json& cpu = found["backends"][0];
  EXPECT_EQ(cpu["backend"], "cpu");
  EXPECT_EQ(cpu["reference"], true);
  EXPECT_EQ(cpu["contacts"], 8);
  EXPECT_EQ(cpu["hash"], hash_of_contacts(scene_.report()));
  EXPECT_GE(cpu["left"]["near_links"], 5);  // steps 2 to 5 and 7 touch something
  EXPECT_LE(cpu["left"]["near_links"], 8);
  EXPECT_EQ(found["image_space"].size(), 0U);
  // The run line is the one of a report.
  EXPECT_EQ(found["run"]["type"], "run");
  EXPECT_EQ(found["run"]["backend"], "cpu");
  EXPECT_EQ(found["run"]["options"]["out"], "-");
}

TEST_F(Validate, CudaIsNotAvailable) {
  const CommandResult named = validate({"--backends", "cpu,cuda"});
  EXPECT_EQ(named.status, 2);
  EXPECT_TRUE(contains(named.err, "cuda")) << named.err;
  EXPECT_TRUE(contains(named.err, "--emulate")) << named.err;
  EXPECT_EQ(named.out, "");
  // Nothing is read for it.
  EXPECT_EQ(run_tocsin({"validate", "none", "--env", "none", "--backends", "cuda"}).status, 2);
}

TEST_F(Validate, WithoutGlItSaysWhyNot) {
  const WithoutGl without;
  const Json found = json({});
  EXPECT_EQ(found["holds"], true);
  EXPECT_EQ(found["backends"].size(), 1U);
  ASSERT_EQ(found["absent"].size(), 2U);
  EXPECT_EQ(found["absent"][0]["backend"], "gl");
  EXPECT_TRUE(contains(found["absent"][0]["reason"], "EGL")) << found["absent"];
  EXPECT_EQ(found["absent"][1]["backend"], "cuda");
  EXPECT_TRUE(contains(validate().out, "not run: ")) << validate().out;
  // A device that was named for the whole process is no better.
  {
    const EnvironmentVariable device("TOCSIN_GL_DEVICE", "the fast one");
    EXPECT_EQ(validate().status, 0);
  }
  // Who asks for it, by name or by what only it can do, is told.
  for (const std::vector<std::string>& arguments :
       std::vector<std::vector<std::string>>{{"--backends", "gl"},
                                             {"--gl-sizes", "32x32"},
                                             {"--surface", "paper"},
                                             {"--gl-device", "0"}}) {
    const CommandResult result = validate(arguments);
    EXPECT_EQ(result.status, 2) << result.out;
    EXPECT_TRUE(contains(result.err, "gl: ")) << result.err;
    EXPECT_EQ(result.out, "");
  }
}

TEST_F(Validate, AnOlderFileStaysWhenNothingComesOut) {
  scene_.write("v.json", "older");
  scene_.write("take.bvh", "no take");
  EXPECT_EQ(validate({"--backends", "cpu", "--out", "v.json"}).status, 3);
  EXPECT_EQ(scene_.read("v.json"), "older");
  EXPECT_EQ(scene_.files().size(), 4U);
}

TEST(ValidateInterrupt, CtrlCStopsCleanly) {
  const LongScene scene;
  RunningCommand command({"validate", "take.bvh", "--env", "room.obj", "--avatar", "pole.json",
                          "--backends", "cpu", "--clearance", "--out", "v.json"},
                         scene.path());
  ASSERT_TRUE(command.wait_for("checking with cpu", 120.0)) << command.terminal();
  EXPECT_EQ(scene.files().size(), 4U);  // something is being written
  command.send(SIGINT);
  EXPECT_EQ(command.finish(), 4);
  EXPECT_TRUE(contains(command.terminal(), "tocsin validate: interrupted; no result was written"))
      << command.terminal();
  EXPECT_EQ(scene.files(), (std::vector<std::string>{"pole.json", "room.obj", "take.bvh"}));
}

/// Skips where there is no OpenGL, unless TOCSIN_NEEDS_GL says that there must be.
class ValidateGl : public Validate {
 protected:
  void SetUp() override {
    const CommandResult result = validate({"--backends", "gl", "--frames", ":1"});
    if (result.status == 2 && std::getenv("TOCSIN_NEEDS_GL") == nullptr) {
      GTEST_SKIP() << result.err;
    }
    ASSERT_EQ(result.status, 0) << result.err << result.out;
  }
};

TEST_F(ValidateGl, EqualsTheCpuInEveryWay) {
  const std::string hash = hash_of_contacts(scene_.report());
  for (const std::vector<std::string>& way : std::vector<std::vector<std::string>>{
           {}, {"--gl-method", "query"}, {"--clearance"}, {"--in-between", "translate_rotate"}}) {
    const Json found = json(way);
    EXPECT_EQ(found["holds"], true) << found;
    ASSERT_EQ(found["backends"].size(), 2U) << found;
    const Json& gl = found["backends"][1];
    EXPECT_EQ(gl["backend"], "gl");
    EXPECT_EQ(gl["reference"], false);
    EXPECT_EQ(gl["equal"], true);
    EXPECT_EQ(gl["hash"], hash);
    EXPECT_EQ(gl["contacts"], 8);
    EXPECT_EQ(gl["missed"].get<int>() + gl["extra"].get<int>() + gl["different"].get<int>(), 0);
    EXPECT_GE(gl["left"]["box_pairs"], gl["left"]["seen_pairs"]);
    EXPECT_GE(gl["left"]["seen_pairs"], 8);
    ASSERT_EQ(found["image_space"].size(), 1U);
    EXPECT_EQ(found["image_space"][0]["size"], Json({64, 64}));
  }
}

TEST_F(ValidateGl, TakesThatMeet) {
  const MeetingScene scene;
  const Json found = Json::parse(scene.validate({"--backends", "cpu,gl"}).out);
  EXPECT_EQ(found["holds"], true) << found;
  EXPECT_EQ(found["backends"][1]["contacts"], 8);
  EXPECT_EQ(found["backends"][1]["hash"], hash_of_contacts(scene.check({"--out", "-"}).out));
  EXPECT_EQ(found["image_space"], Json::array());  // which knows no pairs of links
}

TEST_F(ValidateGl, OneThatMeetsItself) {
  const MeetingScene scene;
  const Json found = Json::parse(scene.validate_self({"--backends", "cpu,gl"}).out);
  EXPECT_EQ(found["holds"], true) << found;
  EXPECT_EQ(found["backends"][1]["contacts"], 2);  // meeting_scene.h
  EXPECT_EQ(found["backends"][1]["hash"], hash_of_contacts(scene.check_self({"--out", "-"}).out));
  EXPECT_EQ(found["image_space"], Json::array());
}

TEST_F(ValidateGl, ImageSpaceBySize) {
  const Json found = json({"--gl-sizes", "16x16,64x32", "--gl-size", "32x32"});
  EXPECT_EQ(found["run"]["options"]["gl_size"], Json({32, 32}));
  ASSERT_EQ(found["image_space"].size(), 2U);
  EXPECT_EQ(found["image_space"][0]["size"], Json({16, 16}));
  EXPECT_EQ(found["image_space"][1]["size"], Json({64, 32}));
  for (const Json& row : found["image_space"]) {
    EXPECT_EQ(row["missed"], 0);
    EXPECT_EQ(row["late"], 0);
    EXPECT_EQ(row["wrong"], false);
    EXPECT_EQ(row["contacts"], 8 + row["false"].get<int>());
    EXPECT_GT(row["bracket_width"]["median"], 0.0);
    EXPECT_LE(row["bracket_width"]["max"], 1.0);
    EXPECT_GE(row["early"]["median"], 0.0);
  }
}

TEST_F(ValidateGl, FirstContactsAndSampledPoses) {
  for (const std::vector<std::string>& way : std::vector<std::vector<std::string>>{
           {"--contacts", "first"}, {"--sampled"}, {"--frames", "2:2"}, {"--ignore", "*:*"}}) {
    const Json found = json(way);
    EXPECT_EQ(found["holds"], true) << found;
    EXPECT_EQ(found["image_space"][0]["missed"], 0) << found;
  }
  EXPECT_TRUE(contains(validate({"--frames", "2:2"}).out, "Nothing was checked"));
}

TEST_F(ValidateGl, ThePapersSurfaceIsMeasuredNotJudged) {
  const CommandResult table = validate({"--surface", "paper"});
  EXPECT_EQ(table.status, 0) << table.out << table.err;
  const Json found = json({"--surface", "paper"});
  EXPECT_EQ(found["surface"], "paper");
  EXPECT_EQ(found["backends"][1]["equal"], true);  // exact backends never use it
  const Json& row = found["image_space"][0];
  EXPECT_EQ(row["wrong"], false);
  EXPECT_EQ(row["contacts"].get<int>() - row["false"].get<int>() + row["missed"].get<int>(), 8);
}

TEST_F(ValidateGl, TheTablesFitATerminal) {
  const CommandResult result = validate({"--gl-sizes", "16x16,32x32"});
  EXPECT_EQ(result.status, 0);
  for (const std::string part :
       {"Backend", "cpu", "Candidate triangles", "Hash", "gl image space", "16x16", "32x32",
        "gl and cpu agree bit for bit: 8 contacts in 8 steps."}) {
    EXPECT_TRUE(contains(result.out, part)) << part << " in\n" << result.out;
  }
  for (const std::string& line : lines_of(result.out)) EXPECT_LE(line.size(), 100U) << line;
}

TEST_F(ValidateGl, ADeviceThatIsNotThere) {
  const CommandResult result = validate({"--gl-device", "900"});
  EXPECT_EQ(result.status, 2);
  EXPECT_TRUE(contains(result.err, "900")) << result.err;
  const EnvironmentVariable device("TOCSIN_GL_DEVICE", "900");
  const Json found = json({});
  EXPECT_EQ(found["backends"].size(), 1U);
  EXPECT_TRUE(contains(found["absent"][0]["reason"], "900")) << found["absent"];
}

/// A pyramid that the pole holds, 0.3 m ahead of it.
void write_spike(const PoleScene& scene) {
  scene.write("spike.obj",
              "o Spike\nv 0 0.9 -0.1\nv 0 0.9 0.1\nv 0 1.1 0.1\nv 0 1.1 -0.1\nv 0.3 1 0\n"
              "f 1 2 5\nf 2 3 5\nf 3 4 5\nf 4 1 5\nf 4 3 2 1\n");
}

TEST_F(Validate, MeshesAreCompared) {
  write_spike(scene_);
  const std::vector<std::string> held{"--hold", "Hips=spike.obj", "--backends", "cpu,cuda",
                                      "--emulate"};
  const Json found = json(held);
  EXPECT_EQ(found["holds"], true) << found;
  EXPECT_GT(found["backends"][0]["contacts"], 8);
  EXPECT_EQ(found["backends"][1]["hash"], found["backends"][0]["hash"]);
  EXPECT_EQ(found["image_space"], Json::array());
  EXPECT_EQ(found["run"]["options"]["hold"][0]["mesh"], "spike.obj");
  EXPECT_TRUE(contains(validate(held).out, "cuda and cpu agree bit for bit")) << validate(held).out;
  // A body by itself meets the pole.
  scene_.write("spike.csv", "time,x,y,z,qw,qx,qy,qz\n0,0,0,0,1,0,0,0\n0.8,5,0,0,1,0,0,0\n");
  const Json body =
      json({"--body", "dart=spike.obj:spike.csv", "--backends", "cpu,cuda", "--emulate"});
  EXPECT_EQ(body["holds"], true) << body;
  EXPECT_EQ(body["backends"][1]["hash"], body["backends"][0]["hash"]);
  for (const std::string image : {"--gl-sizes=16x16", "--surface=paper"}) {
    const CommandResult result = validate({"--hold", "Hips=spike.obj", image});
    EXPECT_EQ(result.status, 2) << image;
    EXPECT_TRUE(contains(result.err, "knows no meshes that move")) << result.err;
  }
}

TEST_F(ValidateGl, MeshesAreThoseOfTheCpu) {
  write_spike(scene_);
  const Json found = json({"--hold", "Hips=spike.obj", "--backends", "cpu,gl"});
  EXPECT_EQ(found["holds"], true) << found;
  EXPECT_EQ(found["backends"][1]["hash"], found["backends"][0]["hash"]);
  EXPECT_EQ(found["image_space"], Json::array());
  EXPECT_TRUE(contains(validate({"--hold", "Hips=spike.obj", "--backends", "cpu,gl"}).out,
                       "gl in image space is left out"));
}

/// docs/validate.schema.json, by python3-jsonschema; starting python takes a second.
TEST_F(Validate, TheSchemaHoldsWhatComesOut) {
  if (std::system("python3 -c 'import jsonschema' 2> /dev/null") !=  // NOLINT
      0) {
    GTEST_SKIP() << "needs python3 and its jsonschema: apt install python3-jsonschema";
  }
  std::string good = validate({"--out", "-"}).out;
  scene_.write("all.json", good);
  scene_.write("cpu.json", validate({"--backends", "cpu", "--out", "-"}).out);
  scene_.write("empty.json", validate({"--frames", "3:3", "--out", "-"}).out);
  write_spike(scene_);
  scene_.write("mesh.json", validate({"--hold", "Hips=spike.obj", "--backends", "cpu,cuda",
                                      "--emulate", "--out", "-"})
                                .out);
  // No backend gives faults: made up.
  Json meeting = Json::parse(MeetingScene().validate({"--backends", "cpu"}).out);
  Json& findings = meeting["backends"][0]["findings"];
  findings.push_back({{"fault", "missed"},
                      {"step", 3},
                      {"avatar", 1},
                      {"link", "pole"},
                      {"object", nullptr},
                      {"other", {{"avatar", 0}, {"link", "pole"}}},
                      {"reference", {0.25, 0.5}},
                      {"found", nullptr}});
  scene_.write("meeting.json", meeting.dump());
  findings[0]["other"].erase("link");
  scene_.write("bad_meeting.json", meeting.dump());
  good.replace(good.find("\"holds\":true"), 12, "\"holds\":1");
  scene_.write("bad.json", good);
  const std::string source = source_dir();
  const std::string line =
      "cd '" + scene_.path().string() + "' && python3 '" + source +
      "/tests/support/validate_json.py' '" + source +
      "/docs/validate.schema.json' all.json cpu.json empty.json mesh.json meeting.json "
      "bad.json bad_meeting.json";
  ASSERT_EQ(std::system((line + " > verdicts").c_str()), 0);  // NOLINT(concurrency-mt-unsafe)
  const auto verdicts = lines_of(scene_.read("verdicts"));
  ASSERT_EQ(verdicts.size(), 7U);
  for (std::size_t i = 0; i < 7; ++i) EXPECT_EQ(verdicts[i] == "valid", i < 5) << i;
}

TEST_F(ValidateGl, ARealTakeInTheHouse) {
  TOCSIN_NEEDS_DATA("motions/cmu_bvh/01_01.bvh");
  TOCSIN_NEEDS_DATA("environments/small_house.obj");
  const CommandResult result =
      run_tocsin({"validate", data_path("motions/cmu_bvh/01_01.bvh").string(), "--env",
                  data_path("environments/small_house.obj").string(), "--frames", "1:2750:100",
                  "--place", "5.4,0.03,-4", "--gl-size", "32x32", "--out", "-"});
  EXPECT_EQ(result.status, 0) << result.err;
  const Json found = Json::parse(result.out);
  EXPECT_GT(found["backends"][0]["contacts"], 10);
  EXPECT_LT(found["backends"][1]["left"]["seen_pairs"], found["backends"][1]["left"]["box_pairs"]);
  EXPECT_EQ(found["image_space"][0]["late"], 0);
  EXPECT_EQ(found["image_space"][0]["missed"], 0);
}

}  // namespace
}  // namespace tocsin::test::validate_test
