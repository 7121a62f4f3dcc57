// check, verify and validate with the CUDA backend, as a user runs them: emulated, so everywhere.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "cli/check/meeting_scene.h"
#include "cli/scenes.h"
#include "support/data.h"
#include "support/environment_variable.h"

namespace tocsin::test::cuda_test {
namespace {

using Json = nlohmann::json;

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

std::vector<std::string> emulated(std::vector<std::string> more = {}) {
  more.insert(more.end(), {"--backend", "cuda", "--emulate"});
  return more;
}

Json summary_of(const CommandResult& result) {
  EXPECT_EQ(result.status, 0) << result.err;
  return Json::parse(lines_of(result.out).back(), nullptr, false);
}

TEST(CudaCommand, FindsTheSameContactsEveryWay) {
  const PoleScene scene;
  const std::vector<std::vector<std::string>> ways{
      {},
      {"--threads", "1"},
      {"--threads", "8"},
      {"--in-between", "translate_rotate"},
      {"--contacts", "first"},
      {"--clearance", "--margin", "0.05"},
      {"--ignore", "*:Shelf"},
      {"--sampled"},
      {"--frames", "2:3"},
      {"--place", "0.05,0,0,30"},
      {"--tolerance", "1e-3"},
  };
  for (const std::vector<std::string>& way : ways) {
    SCOPED_TRACE(testing::PrintToString(way));
    const std::string want = scene.report(way);
    const std::string got = scene.report(emulated(way));
    EXPECT_EQ(lines_of_type(got, "contact"), lines_of_type(want, "contact"));
    EXPECT_EQ(lines_of_type(got, "clearance"), lines_of_type(want, "clearance"));
    EXPECT_EQ(Json::parse(lines_of(got).back())["hash"], hash_of_contacts(want));
    EXPECT_FALSE(Json::parse(lines_of(got).back()).contains("fallback"));
  }
  const std::string report = scene.report(emulated());
  EXPECT_EQ(lines_of_type(report, "contact").size(), 8U);
  const Json run = Json::parse(lines_of(report).front());
  EXPECT_EQ(run["backend"], "cuda");
  EXPECT_TRUE(matches(run["device"], "^emulated on [0-9]+ threads?$")) << run["device"];
  EXPECT_EQ(run["certified"], true);
  EXPECT_EQ(run["options"]["backend"], "cuda");
  EXPECT_EQ(run["options"]["emulate"], true);
  EXPECT_FALSE(run["options"].contains("cuda_device"));
  const Json usual = Json::parse(lines_of(scene.report()).front());
  EXPECT_FALSE(usual["options"].contains("emulate"));
  EXPECT_EQ(usual["backend"], "cpu");  // auto
  EXPECT_TRUE(contains(scene.check(emulated()).out, "(cuda: emulated on ")) << report;
}

TEST(CudaCommand, EmulatesOnTheThreadsAskedFor) {
  const PoleScene scene;
  for (const char* const threads : {"1", "2", "3"}) {
    const Json run = Json::parse(lines_of(scene.report(emulated({"--threads", threads}))).front());
    EXPECT_EQ(run["device"], std::string("emulated on ") + threads +
                                 (std::string(threads) == "1" ? " thread" : " threads"));
  }
}

TEST(CudaCommand, SeveralDevicesShareTheSteps) {
  const PoleScene scene;
  const std::string want = scene.report();
  const std::vector<std::string> both = emulated({"--cuda-device", "0,1", "--threads", "2"});
  const std::string devices = "0: emulated on 1 thread; 1: emulated on 1 thread";
  const std::string got = scene.report(both);
  EXPECT_EQ(lines_of_type(got, "contact"), lines_of_type(want, "contact"));
  EXPECT_EQ(Json::parse(lines_of(got).back())["hash"], hash_of_contacts(want));
  EXPECT_FALSE(Json::parse(lines_of(got).back()).contains("fallback"));
  const Json run = Json::parse(lines_of(got).front());
  EXPECT_EQ(run["device"], devices);
  EXPECT_EQ(run["options"]["cuda_devices"], Json::parse("[0,1]"));
  EXPECT_FALSE(run["options"].contains("cuda_device"));
  EXPECT_TRUE(contains(scene.check(both).out, "(cuda: " + devices + ")"));
  const Json one = Json::parse(lines_of(scene.report(emulated({"--cuda-device", "3"}))).front());
  EXPECT_EQ(one["options"]["cuda_device"], 3);
  const MeetingScene meeting;
  EXPECT_EQ(summary_of(meeting.check(emulated({"--cuda-device", "0,1", "--out", "-"})))["hash"],
            summary_of(meeting.check({"--out", "-"}))["hash"]);
}

TEST(CudaCommand, OfSeveralDevicesOneMayFail) {
  const PoleScene scene;
  const std::string want = scene.report();
  int failed = 0;
  for (const char* const at : {"1:1", "1:20", "1:40", "1:60", "1:100000"}) {
    SCOPED_TRACE(at);
    const EnvironmentVariable fail_at("TOCSIN_CUDA_FAIL_AT", at);
    const CommandResult got = scene.check(emulated({"--cuda-device", "0,1", "--out", "-"}));
    EXPECT_EQ(got.status, 0) << got.err;
    const Json summary = Json::parse(lines_of(got.out).back());
    EXPECT_EQ(summary["hash"], hash_of_contacts(want));
    if (got.err.empty()) continue;
    ++failed;
    EXPECT_TRUE(contains(got.err, "CUDA device 1 failed: ")) << got.err;
    EXPECT_TRUE(contains(got.err, "; CUDA device 0 took over")) << got.err;
    EXPECT_TRUE(contains(summary["fallback"], "; CUDA device 0 took over"));
  }
  EXPECT_GE(failed, 2);
  EXPECT_LE(failed, 4);
}

TEST(CudaCommand, AvatarsThatMeet) {
  const MeetingScene scene;
  for (const std::vector<std::string>& way : std::vector<std::vector<std::string>>{
           {"--out", "-"}, {"--out", "-", "--clearance"}, {"--out", "-", "--contacts", "first"}}) {
    const CommandResult want = scene.check(way);
    const CommandResult got = scene.check(emulated(way));
    ASSERT_EQ(got.status, 0) << got.err;
    EXPECT_EQ(lines_of_type(got.out, "contact"), lines_of_type(want.out, "contact"));
    EXPECT_EQ(lines_of_type(got.out, "clearance"), lines_of_type(want.out, "clearance"));
  }
  EXPECT_EQ(summary_of(scene.check(emulated({"--out", "-"})))["contacts"], 8);
  const Json self = summary_of(scene.check_self(emulated({"--out", "-"})));
  EXPECT_EQ(self["hash"], summary_of(scene.check_self({"--out", "-"}))["hash"]);
  EXPECT_GT(self["contacts"], 0);
}

TEST(CudaCommand, RecordedTakesInTheHouse) {
  TOCSIN_NEEDS_DATA("motions/cmu/02_01.amc");
  TOCSIN_NEEDS_DATA("motions/cmu_bvh/01_01.bvh");
  TOCSIN_NEEDS_DATA("environments/small_house.obj");
  const std::string house = data_path("environments/small_house.obj").string();
  const std::string first = data_path("motions/cmu/02_01.amc").string();
  const std::string second = data_path("motions/cmu/03_01.amc").string();
  const std::string bvh = data_path("motions/cmu_bvh/01_01.bvh").string();
  const auto hash = [&](std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "check");
    arguments.insert(arguments.end(), {"--env", house, "--place", "5.4,0.03,-4", "--out", "-"});
    return summary_of(run_tocsin(arguments))["hash"];
  };
  const std::vector<std::vector<std::string>> questions{
      {bvh, "--frames", "1::12"},
      {first, "--frames", "1::4", "--self"},
      {first, second, "--start", "0", "--start", "0.003", "--self", "--frames", ":40"}};
  for (const std::vector<std::string>& question : questions) {
    EXPECT_EQ(hash(emulated(question)), hash(question)) << testing::PrintToString(question);
  }
}

TEST(CudaCommand, ADeviceThatFailsHandsTheRestToTheCpuAndSaysSo) {
  const PoleScene scene;
  const std::string want = scene.report();
  int failed = 0;
  for (const char* const at : {"1", "5", "20", "40", "60", "100000"}) {
    SCOPED_TRACE(at);
    const EnvironmentVariable fail_at("TOCSIN_CUDA_FAIL_AT", at);
    const CommandResult got = scene.check(emulated({"--out", "-"}));
    EXPECT_EQ(got.status, 0) << got.err;
    EXPECT_EQ(lines_of_type(got.out, "contact"), lines_of_type(want, "contact"));
    const Json summary = Json::parse(lines_of(got.out).back());
    EXPECT_EQ(summary["hash"], hash_of_contacts(want));
    EXPECT_EQ(Json::parse(lines_of(got.out).front())["backend"], "cuda");
    EXPECT_EQ(summary.contains("fallback"), !got.err.empty()) << got.err;
    if (got.err.empty()) continue;
    ++failed;
    EXPECT_TRUE(contains(got.err, "; the CPU took over")) << got.err;
    EXPECT_TRUE(contains(got.err, "warning: a device did not check everything")) << got.err;
    EXPECT_EQ(lines_of(got.err).size(), 1U) << got.err;
    EXPECT_FALSE(contains(got.out + got.err, ".cpp")) << got.out << got.err;
    // The status stays that of the answer.
    EXPECT_EQ(scene.check(emulated({"--fail-on-contact"})).status, 1);
    scene.write("failed.jsonl", got.out);
    EXPECT_EQ(run_tocsin({"verify", "failed.jsonl"}, scene.path()).status, 0);
  }
  EXPECT_GE(failed, 3);
  EXPECT_LE(failed, 5);
}

TEST(CudaCommand, ReportsAreConfirmed) {
  const PoleScene scene;
  scene.write("cuda.jsonl", scene.report(emulated()));
  const CommandResult result = run_tocsin({"verify", "cuda.jsonl"}, scene.path());
  EXPECT_EQ(result.status, 0) << result.out << result.err;
  EXPECT_TRUE(contains(result.out, "with cuda")) << result.out;
}

TEST(CudaCommand, WithoutADeviceItIsAnErrorThatNamesTheEmulation) {
  const EnvironmentVariable hidden("CUDA_VISIBLE_DEVICES", "");
  const PoleScene scene;
  const CommandResult result = scene.check({"--backend", "cuda"});
  EXPECT_EQ(result.status, 2);
  EXPECT_TRUE(contains(result.err, "--emulate")) << result.err;
  EXPECT_EQ(lines_of(result.err).size(), 1U) << result.err;
  EXPECT_EQ(result.out, "");
  // Nothing is read for it.
  EXPECT_EQ(run_tocsin({"check", "none", "--env", "none", "--backend", "cuda"}).status, 2);
  EXPECT_EQ(scene.check({"--backend", "cuda", "--cuda-device", "0"}).status, 2);
}

TEST(CudaCommand, WhatMakesNoSenseIsRefused) {
  const PoleScene scene;
  const std::vector<std::pair<std::vector<std::string>, std::string>> cases{
      {{"--emulate"}, "--backend cuda"},
      {{"--emulate", "--backend", "cpu"}, "--backend cuda"},
      {{"--emulate", "--backend", "gl"}, "--backend cuda"},
      {{"--emulate", "--backend", "auto"}, "--backend cuda"},
      {{"--cuda-device", "0"}, "--backend cuda"},
      {{"--cuda-device", "0", "--backend", "gl"}, "--backend cuda"},
      {{"--cuda-device", "-1", "--backend", "cuda"}, "whole number"},
      {{"--cuda-device", "fast", "--backend", "cuda"}, "whole number"},
      {{"--cuda-device", "", "--backend", "cuda"}, "empty"},
      {{"--cuda-device", "0,1,0", "--backend", "cuda", "--emulate"}, "twice in \"0,1,0\""},
      {{"--cuda-device", "0,,1", "--backend", "cuda", "--emulate"}, "found \"\""},
      {{"--cuda-device", "0,x", "--backend", "cuda", "--emulate"}, "found \"x\""},
      {{"--cuda-device", "1001", "--backend", "cuda", "--emulate"}, "found \"1001\""},
      {{"--no-certify", "--backend", "cuda", "--emulate"}, "gl backend"},
  };
  for (const auto& [arguments, part] : cases) {
    const CommandResult result = scene.check(arguments);
    EXPECT_EQ(result.status, 2) << testing::PrintToString(arguments) << result.err;
    EXPECT_TRUE(contains(result.err, arguments[0])) << result.err;
    EXPECT_TRUE(contains(result.err, part)) << part << " in: " << result.err;
    EXPECT_EQ(lines_of(result.err).size(), 1U) << result.err;
    EXPECT_EQ(result.out, "");
  }
  for (const char* const text : {"0", "soon", "-3", "1:", "1:0", "2,x"}) {
    const EnvironmentVariable fail_at("TOCSIN_CUDA_FAIL_AT", text);
    const CommandResult result = scene.check(emulated());
    EXPECT_EQ(result.status, 2) << text << result.err;
    EXPECT_TRUE(contains(result.err, "TOCSIN_CUDA_FAIL_AT")) << result.err;
  }
  const EnvironmentVariable device("TOCSIN_CUDA_DEVICE", "the fast one");
  const CommandResult result = scene.check({"--backend", "cuda"});
  EXPECT_EQ(result.status, 2);
  EXPECT_TRUE(contains(result.err, "TOCSIN_CUDA_DEVICE")) << result.err;
  EXPECT_EQ(scene.check({}).status, 0);  // nobody asks for CUDA
}

TEST(CudaCommand, OptionsOfViewsAreNotForIt) {
  EXPECT_TRUE(contains(PoleScene().check(emulated({"--gl-size", "32x32"})).err,
                       "--gl-size and --gl-method are for --backend gl; CUDA checks here"));
}

TEST(CudaCommand, HelpHasAnExample) {
  const std::string help = run_tocsin({"check", "--help"}).out;
  for (const std::string part : {"--backend cuda --emulate", "--cuda-device"}) {
    EXPECT_TRUE(contains(help, part)) << part;
  }
}

class ValidateCuda : public testing::Test {
 protected:
  [[nodiscard]] CommandResult validate(std::vector<std::string> more) const {
    more.insert(more.begin(),
                {"validate", "take.bvh", "--env", "room.obj", "--avatar", "pole.json"});
    return run_tocsin(more, scene_.path());
  }
  PoleScene scene_;
};

TEST_F(ValidateCuda, EqualsTheCpu) {
  for (const std::vector<std::string>& way : std::vector<std::vector<std::string>>{
           {}, {"--clearance"}, {"--contacts", "first"}, {"--in-between", "translate_rotate"}}) {
    std::vector<std::string> arguments{"--backends", "cpu,cuda", "--emulate", "--out", "-"};
    arguments.insert(arguments.end(), way.begin(), way.end());
    const CommandResult result = validate(arguments);
    ASSERT_EQ(result.status, 0) << result.err;
    const Json found = Json::parse(result.out);
    EXPECT_EQ(found["holds"], true);
    ASSERT_EQ(found["backends"].size(), 2U);
    const Json& cuda = found["backends"][1];
    EXPECT_EQ(cuda["backend"], "cuda");
    EXPECT_TRUE(contains(cuda["device"], "emulated on ")) << cuda;
    EXPECT_EQ(cuda["equal"], true);
    EXPECT_EQ(cuda["hash"], found["backends"][0]["hash"]);
    EXPECT_TRUE(cuda["left"]["box_pairs"].is_null());
    EXPECT_GE(cuda["left"]["candidates"], 8);
  }
  // --emulate names it.
  const CommandResult table = validate({"--emulate"});
  EXPECT_EQ(table.status, 0) << table.err;
  EXPECT_TRUE(contains(table.out, "cuda and cpu agree bit for bit: 8 contacts in 8 steps."))
      << table.out;
  EXPECT_EQ(validate({"--emulate", "--backends", "cpu,gl"}).status, 2);
  EXPECT_EQ(validate({"--emulate", "--backends", "cpu"}).status, 2);
}

TEST_F(ValidateCuda, TakesThatMeet) {
  const MeetingScene scene;
  for (const std::vector<std::string>& way : std::vector<std::vector<std::string>>{
           {}, {"--clearance"}, {"--contacts", "first"}, {"--absent", "stays"}}) {
    std::vector<std::string> arguments{"--backends", "cuda", "--emulate"};
    arguments.insert(arguments.end(), way.begin(), way.end());
    const CommandResult result = scene.validate(arguments);
    ASSERT_EQ(result.status, 0) << result.err << result.out;
    const Json found = Json::parse(result.out);
    std::vector<std::string> check{"--out", "-"};
    check.insert(check.end(), way.begin(), way.end());
    const Json summary = summary_of(scene.check(check));
    EXPECT_EQ(found["holds"], true);
    EXPECT_EQ(found["steps"], summary["steps"]);
    EXPECT_EQ(found["image_space"].size(), 0U);
    for (const Json& backend : found["backends"]) {
      EXPECT_EQ(backend["hash"], summary["hash"]);
      EXPECT_EQ(backend["contacts"], summary["contacts"]);
      EXPECT_GT(backend["left"]["link_pairs"], 0);
    }
  }
}

TEST_F(ValidateCuda, OneThatMeetsItself) {
  const MeetingScene scene;
  const CommandResult result = scene.validate_self({"--backends", "cuda", "--emulate"});
  ASSERT_EQ(result.status, 0) << result.err << result.out;
  const Json found = Json::parse(result.out);
  EXPECT_EQ(found["run"]["options"]["self"], true);
  for (const Json& backend : found["backends"]) {
    EXPECT_EQ(backend["contacts"], 2);  // meeting_scene.h
    EXPECT_EQ(backend["hash"], summary_of(scene.check_self({"--out", "-"}))["hash"]);
    EXPECT_GT(backend["left"]["link_pairs"], 0);
  }
}

TEST_F(ValidateCuda, WhatTheCpuHasToCheckIsNoComparison) {
  const EnvironmentVariable fail_at("TOCSIN_CUDA_FAIL_AT", "40");
  const CommandResult result = validate({"--backends", "cuda", "--emulate"});
  EXPECT_EQ(result.status, 4) << result.out;
  EXPECT_TRUE(contains(result.err, "cuda: ")) << result.err;
  EXPECT_EQ(result.out, "");
}

}  // namespace
}  // namespace tocsin::test::cuda_test
