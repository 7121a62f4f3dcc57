// The report's format, to the letter: docs/command-line.md. Expected values are worked out here, by
// code that shares nothing with the writer.
#include <gtest/gtest.h>

#include <charconv>
#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>

#include "cli/scenes.h"
#include "tocsin/version.h"

namespace tocsin::test::report_test {
namespace {

using OrderedJson = nlohmann::ordered_json;

std::vector<std::string> keys_of(const OrderedJson& json) {
  std::vector<std::string> out;
  for (const auto& [key, value] : json.items()) out.push_back(key);
  return out;
}

OrderedJson summary_of(const std::string& report) {
  return OrderedJson::parse(lines_of_type(report, "summary").at(0));
}

TEST(Report, FieldsAndTheirOrder) {
  const PoleScene scene;
  const auto lines = lines_of(scene.report({"--clearance"}));
  const OrderedJson run = OrderedJson::parse(lines.front());
  EXPECT_EQ(keys_of(run),
            (std::vector<std::string>{"type", "format", "version", "backend", "device", "choice",
                                      "certified", "inputs", "options", "frames", "frame_time",
                                      "unit_metres", "links", "objects", "triangles", "tells"}));
  const OrderedJson contact = OrderedJson::parse(lines.at(3));
  EXPECT_EQ(keys_of(contact),
            (std::vector<std::string>{"type", "step", "frames", "seconds", "toc", "avatar", "link",
                                      "object", "triangle", "status", "point", "normal"}));
  const OrderedJson clearance = OrderedJson::parse(lines.at(1));
  EXPECT_EQ(keys_of(clearance),
            (std::vector<std::string>{"type", "step", "frames", "avatar", "link", "metres"}));
  const OrderedJson summary = OrderedJson::parse(lines.back());
  EXPECT_EQ(keys_of(summary),
            (std::vector<std::string>{"type", "steps", "contacts", "hit", "graze", "overlap",
                                      "limited", "episodes", "first", "hash", "milliseconds"}));
  EXPECT_EQ(keys_of(summary["milliseconds"]),
            (std::vector<std::string>{"load", "build", "check", "depth", "write"}));
}

TEST(Report, SaysWhyTheBackendWasChosen) {
  const PoleScene scene;
  const OrderedJson chosen =
      OrderedJson::parse(lines_of(scene.report({"--backend", "auto"})).front());
  ASSERT_TRUE(chosen.contains("choice"));
  EXPECT_FALSE(chosen["choice"].get<std::string>().empty());
  // Who names a backend gets the line of before.
  OrderedJson named = OrderedJson::parse(lines_of(scene.report({"--backend", "cpu"})).front());
  EXPECT_FALSE(named.contains("choice"));
  EXPECT_EQ(keys_of(named)[5], "certified");
}

TEST(Report, RunLine) {
  const PoleScene scene;
  const OrderedJson run =
      OrderedJson::parse(lines_of(scene.report({"--ignore", "a:b", "--frames", "1:"})).front());
  EXPECT_EQ(run["type"], "run");
  EXPECT_EQ(run["format"], "tocsin.report.v1");
  EXPECT_EQ(run["version"], kVersion);
  EXPECT_EQ(run["backend"], "cpu");
  EXPECT_EQ(run["certified"], true);
  EXPECT_EQ(run["frames"], 9);
  EXPECT_EQ(run["frame_time"], 0.1);
  EXPECT_EQ(run["unit_metres"], 1.0);
  EXPECT_EQ(run["links"], OrderedJson({"pole"}));
  EXPECT_EQ(run["objects"], 3);
  EXPECT_EQ(run["triangles"], 6);
  const OrderedJson& options = run["options"];
  EXPECT_EQ(keys_of(options),
            (std::vector<std::string>{
                "avatar",     "motion_unit", "skeleton",        "rate",      "clip",
                "skin",       "scale_radii", "motion_up",       "env_up",    "env_scale",
                "place",      "frames",      "in_between",      "margin",    "ignore",
                "contacts",   "clearance",   "sampled",         "tolerance", "backend",
                "threads",    "certify",     "gl_device",       "gl_size",   "gl_method",
                "tree_cache", "out",         "fail_on_contact", "surface"}));
  EXPECT_EQ(options["avatar"], "pole.json");
  EXPECT_EQ(options["motion_unit"], 1.0);  // resolved: a rest height of 1.7 is metres
  EXPECT_EQ(options["frames"], OrderedJson({1, 8, 1}));
  EXPECT_EQ(options["place"], OrderedJson({0, 0, 0, 0}));
  EXPECT_EQ(options["ignore"], OrderedJson({"a:b"}));
  EXPECT_EQ(options["tolerance"], 1e-9);
  EXPECT_GE(options["threads"], 1);
  EXPECT_TRUE(options["tree_cache"].is_null());
}

TEST(Report, InputsCarryTheirSha256) {
  const TemporaryFolder folder;
  // FIPS 180-2's first example is the hash of "abc"; a file that is read needs more: made with
  // sha256sum.
  const PoleScene scene;
  const OrderedJson run = OrderedJson::parse(lines_of(scene.report()).front());
  const OrderedJson& inputs = run["inputs"];
  ASSERT_EQ(inputs.size(), 3U);
  const std::vector<std::pair<std::string, std::string>> expected{
      {"motion", "take.bvh"}, {"avatar", "pole.json"}, {"environment", "room.obj"}};
  for (std::size_t i = 0; i < expected.size(); ++i) {
    EXPECT_EQ(keys_of(inputs[i]), (std::vector<std::string>{"role", "file", "sha256"}));
    EXPECT_EQ(inputs[i]["role"], expected[i].first);
    EXPECT_EQ(inputs[i]["file"], expected[i].second);
    std::FILE* const pipe = popen(("sha256sum " + scene.full(expected[i].second)).c_str(), "r");
    ASSERT_NE(pipe, nullptr);
    std::array<char, 65> hash{};
    EXPECT_EQ(std::fread(hash.data(), 1, 64, pipe), 64U);
    pclose(pipe);
    EXPECT_EQ(inputs[i]["sha256"], hash.data());
  }
}

TEST(Report, SummaryCountsTheLines) {
  const PoleScene scene;
  const std::string report = scene.report();
  const OrderedJson summary = summary_of(report);
  EXPECT_EQ(summary["steps"], 8);
  EXPECT_EQ(summary["contacts"], 8);
  EXPECT_EQ(summary["hit"], 5);
  EXPECT_EQ(summary["overlap"], 3);
  EXPECT_EQ(summary["graze"], 0);
  EXPECT_EQ(summary["limited"], 0);
  EXPECT_EQ(summary["episodes"], 5);
  EXPECT_EQ(summary["hash"], hash_of_contacts(report));
  for (const auto& [stage, milliseconds] : summary["milliseconds"].items()) {
    EXPECT_GE(milliseconds.get<double>(), 0.0) << stage;
  }
}

TEST(Report, FirstIsTheEarliestContactLine) {
  const PoleScene scene;
  const std::string report = scene.report();
  // In step 2 the wall comes first in the order of objects, the shelf first in time.
  EXPECT_NE(lines_of_type(report, "summary")[0].find(
                "\"first\":" + lines_of_type(report, "contact")[1] + ",\"hash\""),
            std::string::npos);
  const std::string nothing = scene.report({"--frames", ":2"});
  EXPECT_TRUE(summary_of(nothing)["first"].is_null());
  EXPECT_EQ(summary_of(nothing)["hash"], "cbf29ce484222325");  // FNV's offset basis: no bytes
}

TEST(Report, LinesAreInOrder) {
  const PoleScene scene;
  std::int64_t last = -1;
  for (const std::string& line : lines_of_type(scene.report(), "contact")) {
    const OrderedJson contact = OrderedJson::parse(line);
    const std::int64_t order =
        contact["step"].get<std::int64_t>() * 10 +
        std::map<std::string, int>{{"Wall", 0}, {"Shelf", 1}, {"Floor", 2}}.at(
            contact["object"].get<std::string>());
    EXPECT_GT(order, last);
    last = order;
  }
}

/// Every number in the text is written as the shortest decimal that reads back as itself.
TEST(Report, NumbersAreTheShortestThatReadBack) {
  const PoleScene scene;
  const std::string report = scene.report({"--clearance", "--place", "0.1,0.2,0.3,0.7"});
  int numbers = 0;
  bool in_string = false;
  for (std::size_t i = 0; i < report.size(); ++i) {
    if (report[i] == '"') in_string = !in_string;
    if (in_string || (report[i] != '-' && (report[i] < '0' || report[i] > '9'))) continue;
    const std::size_t end = report.find_first_not_of("0123456789+-.eE", i);
    const std::string text = report.substr(i, end - i);
    double value = 0.0;
    const auto parsed = std::from_chars(text.data(), text.data() + text.size(), value);
    EXPECT_EQ(parsed.ptr, text.data() + text.size()) << text;
    bool shorter = false;
    for (int digits = 1; digits < 17; ++digits) {
      std::array<char, 40> tried{};
      (void)std::snprintf(tried.data(), tried.size(), "%.*e", digits - 1, value);
      if (std::strtod(tried.data(), nullptr) != value) continue;
      // The least number of digits that reads back: the text has no more.
      std::string significant;
      for (const char c : text.substr(0, text.find_first_of("eE"))) {
        if (c >= '0' && c <= '9') significant += c;
      }
      significant.erase(0, std::min(significant.find_first_not_of('0'), significant.size()));
      const bool has_point = text.find('.') != std::string::npos;
      while (!has_point && significant.size() > 1 && significant.back() == '0')
        significant.pop_back();
      shorter = significant.size() > static_cast<std::size_t>(digits);
      break;
    }
    EXPECT_FALSE(shorter) << text;
    ++numbers;
    i = end;
  }
  EXPECT_GT(numbers, 100);
}

TEST(Report, StrangeNamesStayValidJson) {
  const PoleScene scene;
  const std::string name = "W\"a\\l/l\xe5\xa3\x81";
  scene.write("room.obj", wall(name, 2.5, 1) + wall("\x01\x1b[2J", 2.3, 5));
  const std::string report = scene.report();
  ASSERT_FALSE(lines_of_type(report, "contact").empty());
  for (const std::string& line : lines_of(report)) EXPECT_TRUE(OrderedJson::accept(line)) << line;
  EXPECT_EQ(OrderedJson::parse(lines_of_type(report, "contact")[0])["object"], name);
  // Nothing of it reaches a terminal as a control character.
  const std::string table = scene.check().out;
  EXPECT_EQ(table.find_first_of("\x01\x1b"), std::string::npos);
}

TEST(Report, TheSameTwice) {
  const PoleScene scene;
  const auto without_times = [](std::string report) {
    return report.substr(0, report.find("\"milliseconds\""));
  };
  EXPECT_EQ(without_times(scene.report()), without_times(scene.report()));
}

}  // namespace
}  // namespace tocsin::test::report_test
