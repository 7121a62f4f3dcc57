// `tocsin serve`'s options from its command line, its environment and a file.
#include <gtest/gtest.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "cli/scenes.h"
#include "soak/serve_process.h"
#include "support/environment_variable.h"

namespace tocsin::test::settings_test {
namespace {

using Settings = nlohmann::json;

CommandResult serve(std::vector<std::string> arguments, const std::filesystem::path& folder) {
  arguments.insert(arguments.begin(), "serve");
  return run_tocsin(arguments, folder);
}

/// What `serve --print-config` prints.
Settings printed(std::vector<std::string> arguments, const std::filesystem::path& folder) {
  arguments.emplace_back("--print-config");
  const CommandResult result = serve(std::move(arguments), folder);
  EXPECT_EQ(result.status, 0) << result.err;
  return Settings::parse(result.out, nullptr, false);
}

TEST(Settings, WhatIsPrintedIsReadBack) {
  const TemporaryFolder folder;
  const Settings usual = printed({}, folder.path());
  EXPECT_EQ(usual.at("format"), "tocsin.serve.v1");
  EXPECT_EQ(usual.at("listen"), "127.0.0.1:50051");
  EXPECT_EQ(usual.at("max-sessions"), 10000);
  EXPECT_EQ(usual.at("env"), Settings::array());
  EXPECT_EQ(usual.at("quiet"), false);
  EXPECT_EQ(usual.at("tokens"), nullptr);
  EXPECT_FALSE(usual.contains("config"));
  EXPECT_FALSE(usual.contains("print-config"));

  const Settings changed =
      printed({"--env", "a=x \"y\".obj", "--env", "b.obj", "--quiet", "--batch-delay", "0.5",
               "--record", "\xc3\xa9", "--meet-rate", "1e2"},
              folder.path());
  EXPECT_EQ(changed.at("env"), Settings({"a=x \"y\".obj", "b.obj"}));
  EXPECT_EQ(changed.at("quiet"), true);
  EXPECT_EQ(changed.at("batch-delay"), 0.5);
  folder.write("serve.json", changed.dump());
  EXPECT_EQ(printed({"--config", "serve.json"}, folder.path()), changed);
}

/// Before it listens.
TEST(Settings, SourcesOfMotionCaptureAreRefusedWithTheCause) {
  const TemporaryFolder folder;
  folder.write("room.obj", "o Floor\nv 0 0 0\nv 0 0 1\nv 1 0 0\nf 1 2 3\n");
  folder.write("arm.bvh",
               "HIERARCHY\nROOT Arm\n{\nOFFSET 0 0 0\nCHANNELS 3 Zrotation Xrotation Yrotation\n"
               "End Site\n{\nOFFSET 0 1 0\n}\n}\nMOTION\nFrames: 1\nFrame Time: 0.1\n0 0 0\n");
  struct Case {
    std::string option;
    std::string value;
    int status;
    std::string words;
  };
  for (const Case& c : std::vector<Case>{
           {"--vmc", "0.0.0.0:0=room", 2, "--vmc: other machines reach this address: say who may"},
           {"--vmc", "0.0.0.0:0=room,from=10.0.0.0/33", 2,
            "--vmc, from: \"10.0.0.0/33\" is neither"},
           {"--vmc", "localhost:0=room", 2, "\"localhost\" is no IPv4 address"},
           {"--xsens", "70000=room", 2, "--xsens, PORT: expected a whole number from 0 to 65535"},
           {"--xsens", "9763", 2, "--xsens: expected PORT=ROOM, found \"9763\""},
           {"--xsens", "0=hall", 2, "--xsens: no --env is called \"hall\""},
           {"--xsens", "0=room,skeleton=arm.bvh", 2, "place, unit, up"},
           {"--vmc", "0=room,up=y", 2, "there is no key \"up\"; keys are avatar, from, idle"},
           {"--vmc", "0=room,place=1:2", 2, "expected X:Y:Z or X:Y:Z:YAW"},
           {"--vmc", "0=room,lookahead=1.5", 2, "--vmc, lookahead: expected a number above 0"},
           {"--vmc", "0=room,margin=-1", 2, "--vmc, margin: expected a number from 0 to 10"},
           {"--vmc", "0=room,meet=maybe", 2, "--vmc, meet: expected yes or no"},
           {"--udp", "0=room", 2, "--udp: the frames do not say what the joints are"},
           {"--udp", "0=room,skeleton=none.bvh", 3, "--udp: none.bvh: cannot be opened"},
           {"--vmc", "0=room,skeleton=arm.bvh", 3,
            "--vmc: arm.bvh: the skeleton has no joint Hips"},
           {"--vmc", "0=room,avatar=nobody", 3, "--vmc: there is no avatar model \"nobody\""},
           {"--osc-out", "9000", 2, "--osc-out: \"9000\": expected HOST:PORT"}}) {
    const CommandResult result =
        serve({"--listen", "127.0.0.1:0", "--env", "room.obj", c.option, c.value}, folder.path());
    EXPECT_EQ(result.status, c.status) << c.value << ": " << result.err;
    EXPECT_NE(result.err.find(c.words), std::string::npos) << c.value << ": " << result.err;
    EXPECT_EQ(result.out, "");
  }
}

TEST(Settings, TheCommandLineComesFirstThenTheEnvironmentThenTheFile) {
  const TemporaryFolder folder;
  folder.write("serve.json", R"({"format": "tocsin.serve.v1", "max-sessions": 1, "max-pending": "2",
      "grace": 3, "env": ["file.obj"], "quiet": true, "emulate": null})");
  const EnvironmentVariable sessions("TOCSIN_SERVE_MAX_SESSIONS", "11");
  const EnvironmentVariable pending("TOCSIN_SERVE_MAX_PENDING", "12");
  const EnvironmentVariable rooms("TOCSIN_SERVE_ENV", "one.obj;two=2.obj");
  const EnvironmentVariable quiet("TOCSIN_SERVE_QUIET", "false");
  const EnvironmentVariable config("TOCSIN_SERVE_CONFIG", "serve.json");
  const Settings all = printed({"--max-sessions", "21"}, folder.path());
  EXPECT_EQ(all.at("max-sessions"), 21);
  EXPECT_EQ(all.at("max-pending"), 12);
  EXPECT_EQ(all.at("grace"), 3);
  EXPECT_EQ(all.at("env"), Settings({"one.obj", "two=2.obj"}));
  EXPECT_EQ(all.at("quiet"), false);
  EXPECT_EQ(all.at("emulate"), false);
}

TEST(Settings, AServerRunsByThem) {
  const PoleScene scene;
  const Settings file = {{"format", "tocsin.serve.v1"},
                         {"env", {"pole=" + scene.full("room.obj")}}};
  std::ofstream(scene.full("serve.json")) << file;
  ServeProcess server({"--config", scene.full("serve.json")}, scene.full("log"));
  EXPECT_TRUE(server.said().find("1 room (pole: 6 triangles)") != std::string::npos)
      << server.said() << server.log();
  server.send(SIGTERM);
  EXPECT_EQ(server.wait(60.0), 0) << server.log();
}

struct Wrong {
  const char* file;
  const char* cause;
};

TEST(Settings, WhatIsWrongInAFileIsSaid) {
  const TemporaryFolder folder;
  const Wrong wrong[] = {
      {R"({"format": "tocsin.serve.v1", "max-sesions": 3})",
       "serve.json: there is no option \"max-sesions\"; did you mean \"max-sessions\"?"},
      {R"({"format": "tocsin.serve.v1", "config": "other.json"})", "there is no option \"config\""},
      {R"({"format": "tocsin.serve.v1", "print-config": true})", "there is no option"},
      {R"({"format": "tocsin.serve.v2"})", "serve.json: format: must be \"tocsin.serve.v1\""},
      {R"({"max-sessions": 3})", "serve.json: format: must be \"tocsin.serve.v1\""},
      {R"([])", "serve.json: must be an object"},
      {R"({"format": "tocsin.serve.v1", "quiet": "yes"})",
       "serve.json: quiet: must be true or false, is a string"},
      {R"({"format": "tocsin.serve.v1", "grace": true})",
       "serve.json: grace: must be a text or a number, is a boolean"},
      {R"({"format": "tocsin.serve.v1", "grace": [3]})",
       "serve.json: grace: must be a text or a number, is an array"},
      {R"({"format": "tocsin.serve.v1", "env": ["a.obj", {}]})",
       "serve.json: env[1]: must be a text or a number, is an object"},
      {"{\"format\": \"tocsin.serve.v1\",\n \"grace\": }", "serve.json:2:"},
      {R"({"format": "tocsin.serve.v1", "grace": 1, "grace": 2})", "grace"},
  };
  for (const Wrong& w : wrong) {
    folder.write("serve.json", w.file);
    const CommandResult result = serve({"--config", "serve.json", "--print-config"}, folder.path());
    EXPECT_EQ(result.status, 3) << w.file;
    EXPECT_TRUE(result.err.starts_with("tocsin serve: ")) << result.err;
    EXPECT_TRUE(result.err.find(w.cause) != std::string::npos) << result.err;
    EXPECT_TRUE(result.out.empty()) << result.out;
  }
  const CommandResult missing = serve({"--config", "none.json"}, folder.path());
  EXPECT_EQ(missing.status, 3) << missing.err;
  EXPECT_TRUE(missing.err.find("none.json: ") != std::string::npos) << missing.err;
  // What a value says is the option's own matter, wherever it comes from.
  folder.write("serve.json", R"({"format": "tocsin.serve.v1", "grace": -1})");
  const CommandResult value = serve({"--config", "serve.json"}, folder.path());
  EXPECT_EQ(value.status, 2) << value.err;
  EXPECT_TRUE(value.err.find("--grace: expected a whole number") != std::string::npos) << value.err;
}

TEST(Settings, WhatIsWrongInTheEnvironmentIsSaid) {
  const TemporaryFolder folder;
  {
    const EnvironmentVariable wrong("TOCSIN_SERVE_MAX_SESSION", "3");
    const CommandResult result = serve({"--print-config"}, folder.path());
    EXPECT_EQ(result.status, 2);
    EXPECT_TRUE(result.err.find("there is no option TOCSIN_SERVE_MAX_SESSION; did you mean "
                                "TOCSIN_SERVE_MAX_SESSIONS?") != std::string::npos)
        << result.err;
  }
  const EnvironmentVariable wrong("TOCSIN_SERVE_QUIET", "maybe");
  const CommandResult result = serve({"--print-config"}, folder.path());
  EXPECT_EQ(result.status, 2);
  EXPECT_TRUE(result.err.find("TOCSIN_SERVE_QUIET: expected true or false, found \"maybe\"") !=
              std::string::npos)
      << result.err;
}

}  // namespace
}  // namespace tocsin::test::settings_test
