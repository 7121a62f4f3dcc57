// `check --csv` and the report's episode lines: two records of one thing.
#include <gtest/gtest.h>

#include <map>
#include <nlohmann/json.hpp>

#include "cli/check/meeting_scene.h"
#include "support/contains.h"

namespace tocsin::test::csv_test {
namespace {

using Json = nlohmann::ordered_json;

/// The cells of a line (RFC 4180).
std::vector<std::string> cells_of(const std::string& line) {
  std::vector<std::string> out(1);
  bool quoted = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (c == '"' && quoted && i + 1 < line.size() && line[i + 1] == '"') {
      out.back() += line[++i];
    } else if (c == '"') {
      quoted = !quoted;
    } else if (c == ',' && !quoted) {
      out.emplace_back();
    } else {
      out.back() += c;
    }
  }
  return out;
}

/// Line by line, each cell by the name of its column.
std::vector<std::map<std::string, std::string>> rows_of(const std::string& csv) {
  const auto lines = lines_of(csv);
  const auto names = cells_of(lines.at(0));
  std::vector<std::map<std::string, std::string>> out;
  for (std::size_t i = 1; i < lines.size(); ++i) {
    const auto cells = cells_of(lines[i]);
    EXPECT_EQ(cells.size(), names.size()) << lines[i];
    std::map<std::string, std::string> row;
    for (std::size_t k = 0; k < cells.size(); ++k) row[names[k]] = cells[k];
    out.push_back(row);
  }
  return out;
}

/// Runs of steps without a break, of each pair, worked out from the contact lines.
struct Run {
  std::int64_t begin = 0;
  std::int64_t end = 0;
  std::int64_t steps = 0;
  Json first;
};
std::vector<Run> runs_of(const std::string& report) {
  std::map<std::string, std::vector<Run>> by_pair;
  for (const std::string& line : lines_of_type(report, "contact")) {
    const Json contact = Json::parse(line);
    const std::string touched =
        contact.contains("object") ? contact["object"].dump() : contact["other"].dump();
    auto& runs = by_pair[contact["avatar"].dump() + contact["link"].dump() + touched];
    const std::int64_t begin = contact["frames"][0];
    const std::int64_t end = contact["frames"][1];
    if (runs.empty() || runs.back().end != begin) runs.push_back({begin, end, 0, contact});
    runs.back().end = end;
    runs.back().steps += 1;
  }
  std::vector<Run> out;
  for (auto& [pair, runs] : by_pair) out.insert(out.end(), runs.begin(), runs.end());
  return out;
}

void expect_episodes_of_contacts(const std::string& report) {
  const auto runs = runs_of(report);
  const auto lines = lines_of_type(report, "episode");
  ASSERT_EQ(lines.size(), runs.size());
  double last = 0.0;
  for (const std::string& line : lines) {
    const Json episode = Json::parse(line);
    const auto run = std::find_if(runs.begin(), runs.end(),
                                  [&](const Run& one) { return one.first == episode["first"]; });
    ASSERT_NE(run, runs.end()) << line;
    EXPECT_EQ(episode["frames"], Json({run->begin, run->end})) << line;
    EXPECT_EQ(episode["steps"], run->steps) << line;
    EXPECT_EQ(episode["link"], run->first["link"]) << line;
    EXPECT_EQ(episode["seconds"][0], run->first["seconds"][1]) << line;
    EXPECT_EQ(episode.contains("object"), run->first.contains("object")) << line;
    const double touch = run->first["seconds"][0];
    EXPECT_GE(touch, last) << line;
    last = touch;
  }
}

TEST(EpisodeLines, AreTheRunsOfTheContactLines) {
  const PoleScene scene;
  const std::string report = scene.report({"--clearance"});
  EXPECT_EQ(lines_of_type(report, "episode").size(), 5U);
  expect_episodes_of_contacts(report);
  const std::string meeting = MeetingScene().check({"--out", "-"}).out;
  EXPECT_GT(lines_of_type(meeting, "episode").size(), 2U);
  expect_episodes_of_contacts(meeting);
}

TEST(EpisodeLines, ComeAfterTheContactsAndBeforeTheSummary) {
  std::string kinds;
  for (const std::string& line : lines_of(PoleScene().report())) {
    const std::string type = Json::parse(line)["type"];
    if (kinds.empty() || kinds.back() != type[0]) kinds += type[0];
  }
  EXPECT_EQ(kinds, "rces");
}

TEST(EpisodeLines, FieldsAndTheirOrder) {
  std::vector<std::string> keys;
  const Json episode = Json::parse(lines_of_type(PoleScene().report(), "episode").at(1));
  for (const auto& [key, value] : episode.items()) keys.push_back(key);
  EXPECT_EQ(keys, (std::vector<std::string>{"type", "avatar", "link", "object", "frames", "seconds",
                                            "steps", "deepest", "first"}));
  EXPECT_EQ(episode["object"], "Wall");
  EXPECT_EQ(episode["frames"], Json({2, 6}));
  EXPECT_EQ(episode["steps"], 4);
}

TEST(EpisodeLines, AReportWithoutThemIsStillConfirmedAndAChangedOneIsNot) {
  const PoleScene scene;
  const std::string report = scene.report();
  std::string older;
  for (const std::string& line : lines_of(report)) {
    if (!line.starts_with("{\"type\":\"episode\"")) older += line + '\n';
  }
  ASSERT_LT(older.size(), report.size());
  scene.write("report.jsonl", older);
  EXPECT_EQ(run_tocsin({"verify", "report.jsonl"}, scene.path()).status, 1) << "they are missing";
  const std::string tells = ",\"tells\":[\"episodes\"]";
  ASSERT_NE(older.find(tells), std::string::npos);
  older.erase(older.find(tells), tells.size());
  scene.write("report.jsonl", older);
  EXPECT_EQ(run_tocsin({"verify", "report.jsonl"}, scene.path()).status, 0);
  std::string changed = report;
  changed.replace(changed.find("\"steps\":4"), 9, "\"steps\":5");
  scene.write("report.jsonl", changed);
  const CommandResult result = run_tocsin({"verify", "report.jsonl"}, scene.path());
  EXPECT_EQ(result.status, 1);
  EXPECT_TRUE(contains(result.out, "this episode is not found again")) << result.out;
}

TEST(Csv, SaysWhatTheEpisodeLinesSay) {
  const PoleScene scene;
  const CommandResult result = scene.check({"--out", "report.jsonl", "--csv", "episodes.csv"});
  ASSERT_EQ(result.status, 0) << result.err;
  EXPECT_EQ(result.out, "");
  const auto rows = rows_of(scene.read("episodes.csv"));
  const auto lines = lines_of_type(scene.read("report.jsonl"), "episode");
  ASSERT_EQ(rows.size(), 5U);
  ASSERT_EQ(lines.size(), rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    auto row = rows[i];
    const Json episode = Json::parse(lines[i]);
    const Json& first = episode["first"];
    EXPECT_EQ(row["take"], "take.bvh");
    EXPECT_EQ(row["link"], episode["link"]);
    EXPECT_EQ(row["object"], episode["object"]);
    EXPECT_EQ(row["status"], first["status"]);
    EXPECT_EQ(row["other_take"] + row["other_link"], "");
    EXPECT_EQ(row["first_frame"], episode["frames"][0].dump());
    EXPECT_EQ(row["last_frame"], episode["frames"][1].dump());
    EXPECT_EQ(row["steps"], episode["steps"].dump());
    EXPECT_EQ(std::stod(row["free_until_s"]), first["seconds"][0].get<double>());
    EXPECT_EQ(std::stod(row["touch_s"]), first["seconds"][1].get<double>());
    EXPECT_EQ(std::stod(row["end_s"]), episode["seconds"][1].get<double>());
    EXPECT_EQ(std::stod(row["x_m"]), first["point"][0].get<double>());
    EXPECT_EQ(std::stod(row["z_m"]), first["point"][2].get<double>());
    const Json& deepest = episode["deepest"];
    EXPECT_EQ(row["deepest_frame"], deepest["frame"].dump());
    EXPECT_EQ(std::stod(row["deepest_s"]), deepest["seconds"].get<double>());
    EXPECT_EQ(std::stod(row["depth_m"]), deepest["depth"].get<double>());
  }
}

TEST(Csv, NamesOfAnyKindStayInTheirCell) {
  const PoleScene scene;
  const std::string name = "a,\"b\" c";
  scene.write("room.obj", wall(name, 2.5, 1));
  const CommandResult result = scene.check({"--csv", "-"});
  ASSERT_EQ(result.status, 0) << result.err;
  auto rows = rows_of(result.out);
  ASSERT_EQ(rows.size(), 2U) << result.out;
  EXPECT_EQ(rows[0]["object"], name);
}

TEST(Csv, LinksOfAnotherTake) {
  const CommandResult result = MeetingScene().check({"--csv", "-"});
  ASSERT_EQ(result.status, 0) << result.err;
  bool met = false;
  for (auto& row : rows_of(result.out)) {
    EXPECT_NE(row["object"].empty(), row["other_link"].empty());
    met = met || row["other_take"] == "b.bvh";
  }
  EXPECT_TRUE(met) << result.out;
}

TEST(Csv, IsNoInputAndNoReport) {
  const PoleScene scene;
  EXPECT_EQ(scene.check({"--csv", "room.obj"}).status, 2);
  EXPECT_EQ(scene.check({"--csv", "x", "--out", "x"}).status, 2);
  EXPECT_EQ(scene.check({"--csv", "-", "--out", "-"}).status, 2);
  EXPECT_EQ(scene.check({"--csv", "/dev/full"}).status, 4);
  EXPECT_EQ(scene.files().size(), 3U);
  // With a file the table is there as well.
  const CommandResult both = scene.check({"--csv", "x"});
  EXPECT_EQ(both.status, 0);
  EXPECT_TRUE(contains(both.out, "5 episodes of contact")) << both.out;
}

}  // namespace
}  // namespace tocsin::test::csv_test
