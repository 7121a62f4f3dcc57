// `tocsin verify`: confirms what is true.
#include <gtest/gtest.h>

#include <cstdint>

#include "cli/verify/verify_scene.h"
#include "support/contains.h"
#include "support/places.h"

namespace tocsin::test::verify_test {
namespace {

TEST_F(Verify, ConfirmsWhatIsTrue) {
  const CommandResult result = verify();
  EXPECT_EQ(result.status, 0) << result.out << result.err;
  EXPECT_TRUE(contains(result.out, "Confirmed.")) << result.out;
  // 8 steps of 1 link and 3 objects: 24 pairs, of which 8 are in contact.
  EXPECT_TRUE(
      contains(result.out, "8 of 8 steps x 1 link x 6 triangles: 8 contacts and 16 free pairs"))
      << result.out;
}

TEST_F(Verify, ConfirmsEveryKindOfCheck) {
  const std::vector<std::vector<std::string>> variants{
      {"--sampled"},
      {"--clearance"},
      {"--contacts", "first"},
      {"--in-between", "translate_rotate", "--margin", "0.05"},
      {"--frames", "1::2", "--ignore", "*:Shelf"},
      {"--place", "0.3,0,0.1,12", "--tolerance", "1e-3"},
      {"--frames", ":2"},
      {"--frames", "3:3"}};
  for (const auto& variant : variants) {
    make(variant);
    const CommandResult result = verify();
    EXPECT_EQ(result.status, 0) << testing::PrintToString(variant) << result.out << result.err;
    EXPECT_TRUE(contains(result.out, "Confirmed.")) << result.out;
  }
}

TEST_F(Verify, ConfirmsBoneLinks) {
  const CommandResult made = run_tocsin(
      {"check", "take.bvh", "--env", "room.obj", "--out", "report.jsonl"}, scene_.path());
  ASSERT_EQ(made.status, 0) << made.err;
  EXPECT_EQ(verify().status, 0);
}

TEST_F(Verify, ConfirmsAShippedModel) {
  const std::string source = source_dir();
  const CommandResult made = run_tocsin({"check", source + "/motions/walk_and_reach.bvh", "--env",
                                         source + "/environments/music_room.obj", "--frames",
                                         "100:110", "--out", scene_.full("report.jsonl")});
  ASSERT_EQ(made.status, 0) << made.err;
  EXPECT_TRUE(contains(scene_.read("report.jsonl"), "\"file\":\"humanoid16\""));
  EXPECT_EQ(verify().status, 0);
}

TEST_F(Verify, FractionSamplesTheSameStepsForTheSameSeed) {
  const CommandResult a = verify({"--fraction", "0.3", "--seed", "5"});
  EXPECT_EQ(a.status, 0) << a.out << a.err;
  EXPECT_TRUE(contains(a.out, "3 of 8 steps")) << a.out;
  EXPECT_EQ(a.out, verify({"--fraction", "0.3", "--seed", "5", "--threads", "1"}).out);
}

TEST_F(Verify, AsksTheOracleAboutClearances) {
  make({"--clearance"});
  EXPECT_TRUE(
      contains(verify().out, "8 contacts, 16 free pairs and 8 clearances looked at, 0 undecided\n"))
      << verify().out;
  const CommandResult some = verify({"--fraction", "0.3"});
  EXPECT_TRUE(contains(some.out, " and 3 clearances looked at")) << some.out;
}

TEST_F(Verify, AsksTheOracleWhatIsNear) {
  // Grown by 1 m, the pole is 0.1 m in the floor in each of 8 steps, and touches wall and shelf in
  // all but the first, which ends at x = 1.
  make({"--near", "1"});
  EXPECT_TRUE(contains(verify().out,
                       "Near       1 pair within 1 m; of links grown by so much 22 contacts and 2 "
                       "free pairs looked at, 0 undecided\n"))
      << verify().out;
  make({"--near", "0.8"});
  EXPECT_TRUE(contains(verify().out, "Near       0 pairs within 0.8 m")) << verify().out;
  EXPECT_FALSE(contains(verify().out, " 0 free pairs")) << verify().out;
  EXPECT_EQ(verify().status, 0);
}

TEST_F(Verify, WarnsAboutRecordsThatItDoesNotKnow) {
  const std::string line = lines_of_type(report_, "contact")[0] + "\n";
  const CommandResult result = verify_changed(line, "{\"type\":\"remark\"}\n" + line);
  EXPECT_EQ(result.status, 0) << result.out << result.err;
  EXPECT_TRUE(contains(result.err, "line 2")) << result.err;
  EXPECT_TRUE(contains(result.err, "remark")) << result.err;
}

TEST_F(Verify, SeveralReportsAreVerifiedOneAfterTheOther) {
  scene_.write("again.jsonl", report_);
  std::string changed = report_;
  changed.replace(changed.find("\"toc\":[0.7"), 10, "\"toc\":[0.6");
  scene_.write("changed.jsonl", changed);
  scene_.write("cut.jsonl", report_.substr(0, report_.size() / 2));
  const auto count = [](const std::string& text, const std::string& part) {
    std::size_t out = 0;
    for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++out;
    return out;
  };
  struct Case {
    std::vector<std::string> reports;
    int status;
    std::size_t confirmed;
    std::size_t differing;
    std::vector<std::string> refused;
  };
  const std::vector<Case> cases{
      {{"report.jsonl", "again.jsonl"}, 0, 2, 0, {}},
      {{"changed.jsonl", "report.jsonl", "again.jsonl"}, 1, 2, 1, {}},
      {{"report.jsonl", "nothing.jsonl", "changed.jsonl"}, 3, 1, 1, {"nothing.jsonl"}},
      {{"cut.jsonl", "nothing.jsonl", "report.jsonl"}, 3, 1, 0, {"cut.jsonl", "nothing.jsonl"}},
  };
  for (const Case& c : cases) {
    std::vector<std::string> arguments{"verify"};
    arguments.insert(arguments.end(), c.reports.begin(), c.reports.end());
    arguments.insert(arguments.end(), {"--threads", "1"});
    const CommandResult result = run_tocsin(arguments, scene_.path());
    EXPECT_EQ(result.status, c.status) << result.out << result.err;
    EXPECT_EQ(count(result.out, "\nConfirmed."), c.confirmed) << result.out;
    EXPECT_EQ(count(result.out, "\nNot confirmed."), c.differing) << result.out;
    EXPECT_EQ(lines_of(result.err).size(), c.refused.size()) << result.err;
    for (const std::string& file : c.refused) EXPECT_TRUE(contains(result.err, file)) << result.err;
  }
}

}  // namespace
}  // namespace tocsin::test::verify_test
