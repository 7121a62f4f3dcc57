// The demo's second story: no frame of the swing comes near the wire, and between frames 30 and 31
// the tool cuts it. brute_force_swing.py says the same by sampling, with code of its own.
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "demo/command.h"
#include "support/places.h"

namespace tocsin::test::swing_story_test {
namespace {

using Json = nlohmann::json;

class DemoSwing : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::path(binary_dir()) / "tests-demo" / "swing";
    std::filesystem::create_directories(folder_);
    const auto made =
        run_command(tocsin() + "make-motion '" + file("swing.bvh") +
                    "' --kind swing --seconds 2 --rate 30 --mesh '" + file("tool.obj") + "'");
    ASSERT_EQ(made.status, 0) << made.out;
  }

  [[nodiscard]] static std::string tocsin() { return "'" + binary_dir() + "/bin/tocsin' "; }
  [[nodiscard]] std::string file(const std::string& name) const {
    return (folder_ / name).string();
  }

  /// The contact lines of a check.
  [[nodiscard]] std::vector<Json> contacts(const std::string& options) const {
    const std::string report = file("report.jsonl");
    const auto run =
        run_command(tocsin() + "check '" + file("swing.bvh") + "' --env '" + source_dir() +
                    "/environments/wire.obj' --hold 'RightHand=" + file("tool.obj") + "' --out '" +
                    report + "' " + options);
    EXPECT_EQ(run.status, 0) << run.out;
    std::vector<Json> found;
    std::istringstream lines(file_bytes(report));
    for (std::string line; std::getline(lines, line);) {
      Json json = Json::parse(line);
      if (json["type"] == "contact") found.push_back(std::move(json));
    }
    return found;
  }

 private:
  std::filesystem::path folder_;
};

TEST_F(DemoSwing, NoFrameComesNearTheWire) {
  EXPECT_TRUE(contacts("--sampled").empty());
  EXPECT_TRUE(contacts("--sampled --margin 0.09").empty());
}

TEST_F(DemoSwing, TheToolCutsTheWireBetweenTwoFramesWhenSamplingSays) {
  const auto found = contacts("");
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0]["link"], "tool");
  EXPECT_EQ(found[0]["object"], "Wire");
  EXPECT_EQ(found[0]["status"], "hit");
  EXPECT_EQ(found[0]["step"], 30);
  if (!have_python()) GTEST_SKIP() << "python3 is not here; the story was not checked by sampling";
  const auto run = run_command("python3 '" + source_dir() + "/tests/demo/brute_force_swing.py' '" +
                               file("swing.bvh") + "' '" + file("tool.obj") + "'");
  ASSERT_EQ(run.status, 0) << run.out;
  const Json sampled = Json::parse(run.out);
  EXPECT_EQ(sampled["step"], 30);
  EXPECT_LE(sampled["toc"][0].get<double>(), found[0]["toc"][1].get<double>());
  EXPECT_GE(sampled["toc"][1].get<double>(), found[0]["toc"][0].get<double>());
}

}  // namespace
}  // namespace tocsin::test::swing_story_test
