// `tocsin report`: what a page holds. What a browser makes of it is tests/browser's.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <nlohmann/json.hpp>

#include "cli/check/meeting_scene.h"
#include "cli/scenes.h"
#include "support/contains.h"

namespace tocsin::test::pages_test {
namespace {

using Json = nlohmann::json;
using Texts = std::vector<std::string>;

constexpr const char* kHostile = "</script><script>alert(1)</script><!--\"&'";

CommandResult reported(const TemporaryFolder& folder, Texts arguments) {
  arguments.insert(arguments.begin(), "report");
  return run_tocsin(arguments, folder.path());
}

/// The JSON of a script element of a page: all up to the first end of an element, as a browser
/// reads it.
Json block(const std::string& page, const std::string& id) {
  const std::string begin = "<script type=\"application/json\" id=\"" + id + "\">";
  const std::size_t at = page.find(begin);
  EXPECT_NE(at, std::string::npos) << id;
  const std::size_t from = at + begin.size();
  return Json::parse(page.substr(from, page.find("</script", from) - from));
}

std::size_t times(const std::string& text, const std::string& part) {
  std::size_t out = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) {
    ++out;
  }
  return out;
}

/// The first number of a base64 text of doubles.
std::vector<double> doubles(const std::string& base64) {
  const std::string digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string bytes;
  unsigned bits = 0;
  int count = 0;
  for (const char c : base64) {
    const std::size_t value = digits.find(c);
    if (value == std::string::npos) break;
    bits = bits << 6U | static_cast<unsigned>(value);
    count += 6;
    if (count >= 8) {
      count -= 8;
      bytes += static_cast<char>(bits >> static_cast<unsigned>(count) & 0xFFU);
    }
  }
  std::vector<double> out(bytes.size() / 8);
  std::memcpy(out.data(), bytes.data(), 8 * out.size());
  return out;
}

TEST(Pages, ItsNumbersAreTheReports) {
  const PoleScene scene;
  ASSERT_EQ(scene.check({"--out", "report.jsonl", "--clearance", "--near", "5"}).status, 0);
  const CommandResult result = reported(scene, {"report.jsonl", "--html", "out.html"});
  ASSERT_EQ(result.status, 0) << result.err;
  EXPECT_TRUE(contains(result.out, "out.html: a page of one report")) << result.out;
  const Json data = block(scene.read("out.html"), "tocsin-data");
  const std::string report = scene.read("report.jsonl");
  const auto episodes = lines_of_type(report, "episode");
  ASSERT_EQ(data["episodes"].size(), episodes.size());
  for (std::size_t i = 0; i < episodes.size(); ++i) {
    const Json line = Json::parse(episodes[i]);
    const Json& told = data["episodes"][i];
    for (const char* const key : {"link", "object", "frames", "seconds", "steps", "deepest"}) {
      EXPECT_EQ(told[key], line[key]) << key;
    }
    EXPECT_EQ(told["status"], line["first"]["status"]);
    EXPECT_EQ(told["free_until"], line["first"]["seconds"][0]);
  }
  const auto contacts = lines_of_type(report, "contact");
  ASSERT_EQ(data["contacts"].size(), contacts.size());
  std::size_t found = 0;
  for (const std::string& text : contacts) {
    const Json line = Json::parse(text);
    for (const Json& told : data["contacts"]) {
      const Json& episode = data["episodes"][told["episode"].get<std::size_t>()];
      if (told["step"] != line["step"] || episode["object"] != line["object"]) continue;
      ++found;
      for (const char* const key :
           {"frames", "seconds", "toc", "status", "point", "normal", "triangle"}) {
        EXPECT_EQ(told[key], line[key]) << key;
      }
      EXPECT_NEAR(told["span"][0].get<double>(), 0.1 * line["frames"][0].get<double>(), 1e-12);
      EXPECT_NEAR(told["span"][1].get<double>(), 0.1 * line["frames"][1].get<double>(), 1e-12);
    }
  }
  EXPECT_EQ(found, contacts.size());
  const Json summary = Json::parse(lines_of_type(report, "summary").at(0));
  for (const char* const key : {"steps", "contacts", "hit", "graze", "overlap", "limited"}) {
    EXPECT_EQ(data["tally"][key], summary[key]) << key;
  }
  EXPECT_EQ(data["hash"], summary["hash"]);
  EXPECT_EQ(data["near"].size(), lines_of_type(report, "near").size());
  // Each part of the lane has the least clearance of a step that it meets.
  const auto clearances = lines_of_type(report, "clearance");
  ASSERT_EQ(data["clearance"].size(), 1U);
  const Json& lane = data["clearance"][0]["metres"];
  std::size_t above = 0;
  for (std::size_t i = 0; i < lane.size(); ++i) {
    const auto step = static_cast<std::size_t>(8.0 * (static_cast<double>(i) + 0.5) /
                                               static_cast<double>(lane.size()));
    const Json metres = Json::parse(clearances.at(step))["metres"];
    EXPECT_LE(lane[i], metres) << i;
    above += lane[i] == metres ? 1 : 0;
  }
  EXPECT_GT(above, lane.size() - 20);
}

TEST(Pages, ItsSceneIsSampledWithinStepsAndHasTheRoom) {
  const PoleScene scene;
  ASSERT_EQ(scene.check({"--out", "report.jsonl"}).status, 0);
  ASSERT_EQ(reported(scene, {"report.jsonl", "--html", "out.html"}).status, 0);
  const Json data = block(scene.read("out.html"), "tocsin-scene");
  if (data.is_null()) GTEST_SKIP() << "built without three.js";
  ASSERT_EQ(data["figures"].size(), 1U);
  const Json& figure = data["figures"][0];
  const std::vector<double> samples = doubles(figure["times"]);
  ASSERT_GE(samples.size(), 9U);
  for (std::size_t i = 1; i < samples.size(); ++i) EXPECT_LT(samples[i - 1], samples[i]);
  EXPECT_EQ(samples.front(), 0.0);
  EXPECT_NEAR(samples.back(), 0.8, 1e-12);
  EXPECT_EQ(figure["links"][0]["name"], "pole");
  ASSERT_EQ(data["room"].size(), 3U);
  EXPECT_EQ(data["cameras"].size(), 5U);
  // Overviews look at the pole where it is at their times.
  const std::array<double, 9> xs{0, 1, 2, 2.5, 2.55, 2.5, 2, 1, 3};
  ASSERT_EQ(data["overviews"].size(), 12U);
  for (std::size_t i = 0; i < 12; ++i) {
    const Json& seen = data["overviews"][i];
    const double seconds = 0.8 * (static_cast<double>(i) + 0.5) / 12.0;
    EXPECT_NEAR(seen["seconds"].get<double>(), seconds, 1e-9);
    const auto frame = static_cast<std::size_t>(10.0 * seconds);
    const double t = 10.0 * seconds - static_cast<double>(frame);
    const double x = xs.at(frame) + t * (xs.at(frame + 1) - xs.at(frame));
    EXPECT_NEAR(seen["target"][0].get<double>(), x, 0.2) << seconds;
    EXPECT_NEAR(seen["target"][1].get<double>(), 0.85, 0.2) << seconds;
  }
}

TEST(Pages, HostileNamesStayText) {
  const PoleScene scene;
  std::string room = scene.read("room.obj");
  room.replace(room.find("o Wall"), 6, std::string("o ") + kHostile);
  scene.write("room.obj", room);
  std::string take = scene.read("take.bvh");
  take.replace(take.find("ROOT Hips"), 9, "ROOT <script>Hips");
  scene.write("take.bvh", take);
  Json model = Json::parse(scene.read("pole.json"));
  model["links"][0]["joint"] = "<script>Hips";
  model["links"][0]["name"] = "</SCRIPT >pole";
  scene.write("pole.json", model.dump());
  scene.write("<b>&.bvh", take);
  ASSERT_EQ(run_tocsin({"check", "<b>&.bvh", "--env", "room.obj", "--avatar", "./pole.json",
                        "--out", "report.jsonl"},
                       scene.path())
                .status,
            0);
  ASSERT_EQ(reported(scene, {"report.jsonl", "--html", "out.html"}).status, 0);
  const std::string page = scene.read("out.html");
  const Json data = block(page, "tocsin-data");
  Texts objects;
  for (const Json& episode : data["episodes"]) objects.push_back(episode["object"]);
  EXPECT_TRUE(std::find(objects.begin(), objects.end(), kHostile) != objects.end());
  EXPECT_EQ(data["episodes"][0]["link"], "</SCRIPT >pole");
  // No more elements than the page's own, and the title is text.
  EXPECT_EQ(times(page, "<script"), 4U);
  EXPECT_EQ(times(page, "</script"), 4U);
  EXPECT_FALSE(contains(page, "alert(1)</script>"));
  EXPECT_TRUE(contains(page, "<title>&lt;b&gt;&amp; - Tocsin</title>"));
}

TEST(Pages, NothingComesFromElsewhere) {
  const PoleScene scene;
  ASSERT_EQ(scene.check({"--out", "report.jsonl"}).status, 0);
  ASSERT_EQ(reported(scene, {"report.jsonl", "--html", "out.html"}).status, 0);
  const std::string page = scene.read("out.html");
  EXPECT_TRUE(contains(page, "content=\"default-src 'none';"));
  for (const char* const from : {" src=\"", "url(", "@import", "<link", "<iframe"}) {
    EXPECT_FALSE(contains(page.substr(0, page.find("tocsin-data")), from)) << from;
  }
}

TEST(Pages, AShootHasAnIndexAndAPageForEachTake) {
  const PoleScene scene;
  ASSERT_EQ(scene.check({"--out", "a.jsonl"}).status, 0);
  ASSERT_EQ(scene.check({"--out", "clean.jsonl", "--ignore", "*:*"}).status, 0);
  std::filesystem::create_directory(scene.path() / "more");
  ASSERT_EQ(scene.check({"--out", "more/a.jsonl", "--margin", "0.05"}).status, 0);
  ASSERT_EQ(scene.check({"--out", "a-2.jsonl"}).status, 0);
  const CommandResult result = reported(
      scene, {"a.jsonl", "clean.jsonl", "more/a.jsonl", "a-2.jsonl", "--html", "index.html"});
  ASSERT_EQ(result.status, 0) << result.err;
  EXPECT_TRUE(contains(result.out, "index.html: an index of 4 reports")) << result.out;
  const Json data = block(scene.read("index.html"), "tocsin-data");
  ASSERT_EQ(data["takes"].size(), 4U);
  Texts pages;
  for (const Json& take : data["takes"]) pages.push_back(take["page"]);
  EXPECT_EQ(pages,
            (Texts{"index.a.html", "index.clean.html", "index.a-2.html", "index.a-2-2.html"}));
  for (std::size_t i = 0; i < 4; ++i) {
    const Json page = block(scene.read(pages[i]), "tocsin-data");
    EXPECT_EQ(page["index"], "index.html");
    EXPECT_EQ(page["report"], data["takes"][i]["report"]);
    EXPECT_EQ(page["episodes"], data["takes"][i]["episodes"]);
    EXPECT_EQ(page["tally"], data["takes"][i]["tally"]);
  }
  EXPECT_EQ(data["takes"][1]["tally"]["contacts"], 0);
}

TEST(Pages, SeveralTakesAndASmallPage) {
  const MeetingScene scene;
  ASSERT_EQ(scene.check({"--out", "report.jsonl"}).status, 0);
  const CommandResult result = reported(scene, {"report.jsonl", "--html", "out.html", "--no-3d"});
  ASSERT_EQ(result.status, 0) << result.err;
  EXPECT_TRUE(contains(result.err, "Without a 3D view")) << result.err;
  const std::string page = scene.read("out.html");
  EXPECT_LT(page.size(), 200'000U);
  EXPECT_TRUE(block(page, "tocsin-scene").is_null());
  const Json data = block(page, "tocsin-data");
  EXPECT_EQ(data["takes"].size(), 2U);
  std::size_t meetings = 0;
  for (const Json& episode : data["episodes"]) meetings += episode.contains("other_link") ? 1 : 0;
  EXPECT_EQ(meetings, 1U);
}

TEST(Pages, WhatIsWrongIsSaidAndNothingIsLeft) {
  const PoleScene scene;
  ASSERT_EQ(scene.check({"--out", "a.jsonl"}).status, 0);
  ASSERT_EQ(scene.check({"--out", "b.jsonl"}).status, 0);
  scene.write("b.jsonl", scene.read("b.jsonl").substr(0, 900));
  const Texts before = scene.files();
  const auto refused = [&scene](Texts arguments, int status, const std::string& why) {
    const CommandResult result = reported(scene, std::move(arguments));
    EXPECT_EQ(result.status, status) << result.err;
    EXPECT_TRUE(contains(result.err, why)) << result.err;
  };
  refused({"a.jsonl"}, 2, "--html");
  refused({"a.jsonl", "--html", "out.pdf"}, 2,
          "--html: a page is written to .html, not to out.pdf");
  refused({"a.jsonl", "--html", "missing/out.html"}, 4, "missing/out.html");
  refused({"b.jsonl", "--html", "out.html"}, 3, "b.jsonl");
  // The first page was ready: it is not left.
  refused({"a.jsonl", "b.jsonl", "--html", "index.html"}, 3, "b.jsonl");
  refused({"take.bvh", "--html", "out.html"}, 3, "take.bvh:1:");
  EXPECT_EQ(scene.files(), before);
  scene.write("room.obj", scene.read("room.obj") + "# changed\n");
  refused({"a.jsonl", "--html", "out.html"}, 3, "room.obj is not the file");
  EXPECT_EQ(scene.files(), before);
}

}  // namespace
}  // namespace tocsin::test::pages_test
