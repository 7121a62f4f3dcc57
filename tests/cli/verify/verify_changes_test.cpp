// `tocsin verify`: finds every kind of change of a report.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "cli/verify/verify_scene.h"
#include "support/contains.h"
#include "support/places.h"

namespace tocsin::test::verify_changes_test {
namespace {

/// The report with its hash made to fit its contact lines, as somebody would who knows how.
std::string with_fitting_hash(const std::string& report) {
  const std::string key = "\"hash\":\"";
  std::string out = report;
  return out.replace(out.rfind(key) + key.size(), 16, hash_of_contacts(report));
}

TEST_F(Verify, FindsAChangedTime) {
  const CommandResult result = verify_changed("\"toc\":[0.7", "\"toc\":[0.6");
  EXPECT_EQ(result.status, 1) << result.err;
  EXPECT_TRUE(contains(result.out, "not found again")) << result.out;
  EXPECT_TRUE(contains(result.out, "the report lacks")) << result.out;
  EXPECT_TRUE(contains(result.out, "changed after it was written")) << result.out;
  EXPECT_TRUE(contains(result.out, "Not confirmed.")) << result.out;
}

TEST_F(Verify, FindsARemovedContact) {
  const std::string line = lines_of_type(report_, "contact")[2] + "\n";
  const CommandResult result = verify_changed(line, "");
  EXPECT_EQ(result.status, 1) << result.err;
  EXPECT_TRUE(contains(result.out, "the report lacks this contact")) << result.out;
}

TEST_F(Verify, FindsAnAddedContact) {
  const std::string line = lines_of_type(report_, "contact")[2] + "\n";
  EXPECT_EQ(verify_changed(line, line + line).status, 1);
}

TEST_F(Verify, FindsExchangedLines) {
  const auto contacts = lines_of_type(report_, "contact");
  const CommandResult result = verify_changed(contacts[0] + "\n" + contacts[1] + "\n",
                                              contacts[1] + "\n" + contacts[0] + "\n");
  EXPECT_EQ(result.status, 1);
  EXPECT_TRUE(contains(result.out, "another order")) << result.out;
}

TEST_F(Verify, FindsAChangeUnderAFittingHash) {
  std::string text = report_;
  const std::string line = lines_of_type(report_, "contact")[2] + "\n";
  text.erase(text.find(line), line.size());
  scene_.write("report.jsonl", with_fitting_hash(text));
  const CommandResult result = verify();
  EXPECT_EQ(result.status, 1) << result.err;
  EXPECT_FALSE(contains(result.out, "changed after it was written")) << result.out;
  EXPECT_TRUE(contains(result.out, "the report lacks this contact")) << result.out;
}

TEST_F(Verify, FindsAWrongHashAndWrongCounts) {
  const std::string key = "\"hash\":\"";
  EXPECT_EQ(verify_changed(report_.substr(report_.rfind(key), 24), key + "0123456789abcdef").status,
            1);
  const std::size_t summary = report_.rfind("{\"type\":\"summary\"");
  for (const std::string field :
       {"steps", "contacts", "hit", "overlap", "graze", "limited", "episodes"}) {
    std::string text = report_;
    const std::string name = "\"" + field + "\":";
    text.insert(text.find(name, summary) + name.size(), 1, '1');  // 8 becomes 18
    scene_.write("report.jsonl", text);
    const CommandResult result = verify();
    EXPECT_EQ(result.status, 1) << field << result.out << result.err;
    EXPECT_TRUE(contains(result.out, "  " + field + ": the report says 1")) << result.out;
  }
}

TEST_F(Verify, FindsAChangedFirst) {
  const std::size_t first = report_.rfind("\"first\":{");
  std::string text = report_;
  const std::size_t at = text.find("\"object\":\"Shelf\"", first);
  ASSERT_NE(at, std::string::npos);
  text.replace(at, 16, "\"object\":\"Wall\"");
  scene_.write("report.jsonl", text);
  EXPECT_EQ(verify().status, 1);
}

TEST_F(Verify, FindsAChangedRunLine) {
  EXPECT_EQ(verify_changed("\"links\":[\"pole\"]", "\"links\":[\"stick\"]").status, 1);
  EXPECT_EQ(verify_changed("\"triangles\":6", "\"triangles\":7").status, 1);
  EXPECT_EQ(verify_changed("\"certified\":true", "\"certified\":false").status, 1);
  EXPECT_EQ(verify_changed("\"margin\":0", "\"margin\":0.01").status, 1);
}

TEST_F(Verify, FindsAChangedClearance) {
  make({"--clearance"});
  const CommandResult result = verify_changed("\"metres\":", "\"metres\":1");
  EXPECT_EQ(result.status, 1);
  EXPECT_TRUE(contains(result.out, "this clearance is not found again")) << result.out;
}

/// The line's number, `metres` in it raised by so much.
struct RaisedLine {
  std::size_t number = 0;
  std::string text;
};
std::vector<RaisedLine> raised_clearances(const std::string& report, double by) {
  std::vector<RaisedLine> out;
  const auto lines = lines_of(report);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (!lines[i].starts_with(R"({"type":"clearance")")) continue;
    auto json = nlohmann::ordered_json::parse(lines[i]);
    json["metres"] = json["metres"].get<double>() + by;
    out.push_back({i + 1, json.dump()});
  }
  return out;
}

TEST_F(Verify, NamesTheLineWhoseClearanceWasRaised) {
  make({"--clearance"});
  for (const double by : {1e-9, 0.01, 5.0}) {
    const auto raised = raised_clearances(report_, by);
    ASSERT_EQ(raised.size(), 8U);  // one a step
    for (const auto& [number, text] : raised) {
      auto lines = lines_of(report_);
      lines[number - 1] = text;
      std::string changed;
      for (const std::string& line : lines) changed += line + '\n';
      scene_.write("report.jsonl", changed);
      const CommandResult result = verify();
      EXPECT_EQ(result.status, 1) << result.out << result.err;
      EXPECT_TRUE(contains(result.out, "line " + std::to_string(number) + ", step ")) << result.out;
      EXPECT_TRUE(contains(result.out, "this clearance is not found again: " + text)) << result.out;
    }
  }
}

// Reports of before had clearance lines and none of what is nearest.
TEST_F(Verify, ConfirmsClearancesWithoutNearestLines) {
  make({"--clearance"});
  std::string text = report_;
  const std::string word = ",\"nearest\"]";
  ASSERT_NE(text.find(word), std::string::npos);
  text.replace(text.find(word), word.size(), "]");
  for (const std::string& line : lines_of_type(text, "nearest")) {
    text.erase(text.find(line), line.size() + 1);
  }
  scene_.write("report.jsonl", text);
  const CommandResult result = verify();
  EXPECT_EQ(result.status, 0) << result.out << result.err;
  // But not where the report says that it tells them.
  scene_.write("report.jsonl",
               text.replace(text.find("\"episodes\"]"), 11, "\"episodes\",\"nearest\"]"));
  EXPECT_TRUE(contains(verify().out, "the report lacks this nearest thing")) << verify().out;
}

std::string without(const std::string& text, const std::string& piece) {
  std::string out = text;
  const std::size_t at = out.find(piece);
  EXPECT_NE(at, std::string::npos) << piece;
  return out.erase(at, piece.size());
}

TEST_F(Verify, FindsWhatWasRemovedOrAlteredOfEveryKind) {
  const std::string source = source_dir();
  const CommandResult made =
      run_tocsin({"check", source + "/motions/walk_and_reach.bvh", "--env",
                  source + "/environments/music_room.obj", "--frames", "90:129", "--margin", "0.03",
                  "--near", "0.1", "--clearance", "--out", scene_.full("report.jsonl")});
  ASSERT_EQ(made.status, 0) << made.err;
  const std::string whole = scene_.read("report.jsonl");
  const auto status = [&](const std::string& text) {
    scene_.write("report.jsonl", text);
    return verify({"--fraction", "0.05"}).status;
  };
  EXPECT_EQ(status(whole), 0);
  for (const std::string kind : {"near", "nearest", "episode", "clearance"}) {
    SCOPED_TRACE(kind);
    const auto lines = lines_of_type(whole, kind);
    ASSERT_GE(lines.size(), 2U);
    EXPECT_EQ(status(without(whole, lines[0] + "\n")), 1);
    EXPECT_EQ(status(without(whole, lines.back() + "\n")), 1);
    std::string none = whole;
    for (const std::string& line : lines) none = without(none, line + "\n");
    EXPECT_EQ(status(none), 1);
    std::string twice = whole;
    twice.insert(twice.find(lines[1]), lines[1] + "\n");
    EXPECT_EQ(status(twice), 1);
    // Every number and name of a line counts.
    const std::string& line = lines[1];
    for (std::size_t i = 0; i < line.size(); ++i) {
      const bool digit = line[i] >= '1' && line[i] <= '8' && line[i - 1] != '_';
      if (!digit || i % 5 != 0) continue;
      std::string changed = line;
      ++changed[i];
      std::string text = whole;
      text.replace(text.find(line), line.size(), changed);
      EXPECT_NE(status(text), 0) << changed;
    }
  }
}

TEST_F(Verify, FindsThatAllEpisodesWereRemoved) {
  std::string text = report_;
  for (const std::string& line : lines_of_type(text, "episode")) text = without(text, line + "\n");
  scene_.write("report.jsonl", text);
  const CommandResult result = verify();
  EXPECT_EQ(result.status, 1);
  EXPECT_TRUE(contains(result.out, "the report lacks this episode")) << result.out;
}

}  // namespace
}  // namespace tocsin::test::verify_changes_test
