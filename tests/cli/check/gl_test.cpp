// check and verify with the OpenGL backend, as a user runs them.
#include <gtest/gtest.h>

#include <cstdlib>
#include <nlohmann/json.hpp>
#include <string>

#include "cli/scenes.h"
#include "support/contains.h"

namespace tocsin::test::gl_test {
namespace {

using Json = nlohmann::json;

/// Skips where there is no OpenGL, unless TOCSIN_NEEDS_GL says that there must be.
class GlCommand : public testing::Test {
 protected:
  void SetUp() override {
    const CommandResult result = scene_.check({"--backend", "gl"});
    if (result.status == 2 && std::getenv("TOCSIN_NEEDS_GL") == nullptr) {
      GTEST_SKIP() << result.err;
    }
    ASSERT_EQ(result.status, 0) << result.err;
  }
  Json summary(const std::vector<std::string>& more) const {
    return Json::parse(lines_of(scene_.report(more)).back());
  }
  PoleScene scene_;
};

TEST_F(GlCommand, FindsTheSameContactsEveryWay) {
  const Json cpu = summary({"--backend", "cpu"});
  EXPECT_EQ(cpu["contacts"], 8);
  const std::vector<std::vector<std::string>> ways{
      {},
      {"--gl-method", "query"},
      {"--gl-size", "16x256"},
      {"--threads", "1"},
      {"--in-between", "translate_rotate"},
  };
  for (std::vector<std::string> way : ways) {
    way.insert(way.end(), {"--backend", "gl"});
    EXPECT_EQ(summary(way)["hash"], cpu["hash"]) << way.front();
  }
  const Json run = Json::parse(lines_of(scene_.report({"--backend", "gl"})).front());
  EXPECT_EQ(run["backend"], "gl");
  EXPECT_EQ(run["certified"], true);
  EXPECT_EQ(run["options"]["gl_size"], Json({64, 64}));
  EXPECT_EQ(run["options"]["gl_method"], "flags");
  EXPECT_TRUE(run["options"]["gl_device"].is_null());
}

TEST_F(GlCommand, ImageSpaceSaysThatItProvesHalf) {
  const std::string text = scene_.report({"--backend", "gl", "--no-certify"});
  const Json run = Json::parse(lines_of(text).front());
  EXPECT_EQ(run["certified"], false);
  EXPECT_EQ(run["options"]["certify"], false);
  const Json exact = Json::parse(lines_of(scene_.report({})).back());
  EXPECT_GE(lines_of_type(text, "contact").size(), exact["contacts"].get<std::size_t>());
  for (const std::string& line : lines_of_type(text, "contact")) {
    const Json contact = Json::parse(line);
    EXPECT_EQ(contact["status"], "graze");
    EXPECT_EQ(contact["toc"][1].get<double>() - contact["toc"][0].get<double>(), 1.0 / 512);
  }
  const CommandResult table = scene_.check({"--backend", "gl", "--no-certify"});
  EXPECT_TRUE(contains(table.out, "in image space")) << table.out;
  EXPECT_TRUE(contains(table.out, "estimate")) << table.out;
}

TEST_F(GlCommand, ReportsAreConfirmed) {
  scene_.write("exact.jsonl", scene_.report({"--backend", "gl"}));
  const CommandResult exact = run_tocsin({"verify", "exact.jsonl"}, scene_.path());
  EXPECT_EQ(exact.status, 0) << exact.out << exact.err;
  scene_.write("image.jsonl", scene_.report({"--backend", "gl", "--no-certify"}));
  const CommandResult image = run_tocsin({"verify", "image.jsonl"}, scene_.path());
  EXPECT_EQ(image.status, 0) << image.out << image.err;
  EXPECT_TRUE(contains(image.out, "only freedom before its times")) << image.out;
}

TEST_F(GlCommand, AnImageSpaceTimeThatIsTooLateIsRefuted) {
  // Moved past the touch, a first end would claim freedom that there is not.
  std::string text = scene_.report({"--backend", "gl", "--no-certify", "--frames", "2:3"});
  const std::size_t at = text.find("\"toc\":[");
  ASSERT_NE(at, std::string::npos);
  text.replace(at, text.find(']', at) - at + 1, "\"toc\":[0.9,0.901953125]");
  scene_.write("late.jsonl", text);
  EXPECT_EQ(run_tocsin({"verify", "late.jsonl"}, scene_.path()).status, 1);
}

TEST_F(GlCommand, AReportOfImageSpaceThatTheCpuMadeIsNone) {
  std::string text = scene_.report({"--backend", "gl", "--no-certify", "--frames", "2:3"});
  const std::string part = R"("backend":"gl")";
  text.replace(text.find(part), part.size(), R"("backend":"cpu")");
  scene_.write("impossible.jsonl", text);
  const CommandResult result = run_tocsin({"verify", "impossible.jsonl"}, scene_.path());
  EXPECT_EQ(result.status, 3);
  EXPECT_TRUE(contains(result.err, "image space")) << result.err;
}

TEST_F(GlCommand, OptionsOfViewsThatTheCpuDoesNotUseAreSaid) {
  EXPECT_TRUE(contains(scene_.check({"--gl-size", "32x32", "--backend", "cpu"}).err,
                       "the CPU checks here"));
  EXPECT_EQ(scene_.check({"--backend", "cpu"}).err, "");
}

TEST_F(GlCommand, AutoTakesANamedDeviceOrSaysWhyNot) {
  const Json run = Json::parse(lines_of(scene_.report({"--gl-device", "0"})).front());
  EXPECT_EQ(run["backend"], "gl");
  const CommandResult missing = scene_.check({"--gl-device", "900"});
  EXPECT_EQ(missing.status, 0) << missing.err;
  EXPECT_TRUE(contains(missing.err, "warning: the CPU checks")) << missing.err;
  EXPECT_TRUE(contains(missing.err, "900")) << missing.err;
  EXPECT_TRUE(contains(missing.out, "(cpu: ")) << missing.out;
}

TEST(GlCommandOptions, WhatMakesNoSenseIsRefused) {
  const PoleScene scene;
  const auto refused = [&scene](std::vector<std::string> arguments, const std::string& why) {
    const CommandResult result = scene.check(arguments);
    EXPECT_EQ(result.status, 2) << result.out;
    EXPECT_TRUE(contains(result.err, why)) << result.err;
    EXPECT_EQ(result.out, "");
  };
  refused({"--gl-size", "64"}, "WIDTHxHEIGHT");
  refused({"--gl-size", "7x64"}, "from 8 to 8192");
  refused({"--gl-size", "64x9000"}, "from 8 to 8192");
  refused({"--gl-size", "64xx64"}, "WIDTHxHEIGHT");
  refused({"--gl-size", ""}, "WIDTHxHEIGHT");
  refused({"--gl-method", "guess"}, "flags, query");
  refused({"--gl-device", "-1"}, "--gl-device");
  refused({"--gl-device", ""}, "--gl-device");
  refused({"--no-certify", "--backend", "cpu"}, "gl backend");
  refused({"--no-certify", "--backend", "gl", "--clearance"}, "--clearance");
}

}  // namespace
}  // namespace tocsin::test::gl_test
