// `check --each`: a folder of takes, each alone.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "cli/scenes.h"
#include "support/contains.h"

namespace tocsin::test::each_test {
namespace {

/// take.bvh, which touches; free.bvh, which does not; bad.bvh, which cannot be read.
class Each : public testing::Test {
 protected:
  Each() {
    scene_.write("free.bvh", pole_take({0.0, 1.0, 1.5}));
    scene_.write("bad.bvh", pole_take() + "1 2 oops\n");
  }
  [[nodiscard]] CommandResult check(std::vector<std::string> takes,
                                    const std::vector<std::string>& more = {}) const {
    std::vector<std::string> arguments{"check", "--each"};
    arguments.insert(arguments.end(), takes.begin(), takes.end());
    arguments.insert(arguments.end(), {"--env", "room.obj", "--avatar", "pole.json"});
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run_tocsin(arguments, scene_.path());
  }
  PoleScene scene_;
};

/// The report without what differs from run to run: its options' `out` and its times.
std::string lasting(const std::string& report) {
  std::string out;
  for (const std::string& line : lines_of(report)) {
    auto json = nlohmann::ordered_json::parse(line);
    if (json["type"] == "run") json["options"].erase("out");
    if (json["type"] == "summary") json.erase("milliseconds");
    out += json.dump() + '\n';
  }
  return out;
}

TEST_F(Each, OneTableAndAReportEach) {
  const CommandResult result = check({"take.bvh", "free.bvh"}, {"--out", "reports"});
  ASSERT_EQ(result.status, 0) << result.err;
  EXPECT_EQ(result.err, "");
  EXPECT_TRUE(matches(result.out,
                      "take.bvh +8 +5 +0\\.400 s +>= 0\\.100 m +2-3 +0\\.2400 s +pole +Shelf\n"))
      << result.out;
  EXPECT_TRUE(matches(result.out, "free.bvh +2 +none\n")) << result.out;
  EXPECT_TRUE(contains(result.out, "2 takes, 10 steps: 1 in contact, 1 without, proved"))
      << result.out;
  // Each is what it is alone, to the letter.
  for (const std::string name : {"take", "free"}) {
    const CommandResult alone = run_tocsin(
        {"check", name + ".bvh", "--env", "room.obj", "--avatar", "pole.json", "--out", "-"},
        scene_.path());
    ASSERT_EQ(alone.status, 0) << alone.err;
    EXPECT_EQ(lasting(scene_.read("reports/" + name + ".jsonl")), lasting(alone.out));
    EXPECT_EQ(run_tocsin({"verify", "reports/" + name + ".jsonl"}, scene_.path()).status, 0);
  }
}

TEST_F(Each, ABadTakeIsToldAndCountedAndStopsNoOther) {
  const CommandResult result =
      check({"bad.bvh", "take.bvh", "none.bvh"}, {"--out", "reports", "--fail-on-contact"});
  EXPECT_EQ(result.status, 3);
  EXPECT_TRUE(contains(result.err, "bad.bvh was not checked: bad.bvh:")) << result.err;
  EXPECT_TRUE(contains(result.err, "none.bvh was not checked: ")) << result.err;
  EXPECT_TRUE(matches(result.out, "bad.bvh +refused\n")) << result.out;
  EXPECT_TRUE(contains(result.out, "3 takes, 8 steps: 1 in contact, 0 without")) << result.out;
  EXPECT_TRUE(contains(result.out, "2 refused")) << result.out;
  EXPECT_EQ(lines_of_type(scene_.read("reports/take.jsonl"), "summary").size(), 1U);
  EXPECT_FALSE(std::filesystem::exists(scene_.full("reports/bad.jsonl")));
}

TEST_F(Each, TheStatusSaysWhatIsThere) {
  EXPECT_EQ(check({"free.bvh", "take.bvh"}, {"--fail-on-contact"}).status, 1);
  EXPECT_EQ(check({"free.bvh", "free.bvh"}, {"--fail-on-contact"}).status, 0);
  // Frames that a take does not have are that take's fault.
  const CommandResult frames = check({"free.bvh", "take.bvh"}, {"--frames", "4:8"});
  EXPECT_EQ(frames.status, 2) << frames.err;
  EXPECT_TRUE(contains(frames.err, "free.bvh was not checked: --frames")) << frames.err;
  EXPECT_TRUE(contains(frames.out, "1 in contact")) << frames.out;
}

TEST_F(Each, TakesHaveOptionsOfTheirOwnAndDistinctReports) {
  std::filesystem::create_directory(scene_.full("b"));
  scene_.write("b/take.bvh", pole_take());
  const CommandResult result = check({"take.bvh", "b/take.bvh"},
                                     {"--place", "0,0,0", "--place", "-9,0,0", "--out", "reports"});
  ASSERT_EQ(result.status, 0) << result.err;
  EXPECT_TRUE(matches(result.out, "b/take.bvh +8 +none\n")) << result.out;
  EXPECT_EQ(lines_of_type(scene_.read("reports/take.jsonl"), "contact").size(), 8U);
  EXPECT_EQ(lines_of_type(scene_.read("reports/take@2.jsonl"), "contact").size(), 0U);
}

TEST_F(Each, IsRefusedWhereItMakesNoSense) {
  for (const std::vector<std::string>& more : {std::vector<std::string>{"--out", "-"},
                                               {"--group", "link"},
                                               {"--start", "1"},
                                               {"--out", "room.obj"}}) {
    const CommandResult result = check({"take.bvh", "free.bvh"}, more);
    EXPECT_EQ(result.status, 2) << result.err;
    EXPECT_TRUE(contains(result.err, more[0])) << result.err;
  }
  // What several takes that meet may not have, each alone may.
  EXPECT_EQ(check({"take.bvh", "free.bvh"}, {"--sampled"}).status, 0);
}

TEST_F(Each, EpisodesOfAllForASpreadsheet) {
  const CommandResult result = check({"take.bvh", "free.bvh"}, {"--csv", "-"});
  ASSERT_EQ(result.status, 0) << result.err;
  const auto lines = lines_of(result.out);
  ASSERT_EQ(lines.size(), 6U) << result.out;
  EXPECT_TRUE(matches(lines[2], "^take.bvh,pole,Wall,,,hit,2,6,4,")) << lines[2];
}

}  // namespace
}  // namespace tocsin::test::each_test
