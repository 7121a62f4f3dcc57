// `tocsin verify`: confirms what is true, and finds every kind of change.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstdint>

#include "cli/scenes.h"
#include "support/contains.h"
#include "support/places.h"

namespace tocsin::test {
namespace {

/// A scene with the report of its check.
class Verify : public testing::Test {
 protected:
  void SetUp() override { make({}); }

  void make(const std::vector<std::string>& more) {
    std::vector<std::string> arguments = more;
    arguments.insert(arguments.end(), {"--out", "report.jsonl"});
    const CommandResult result = scene_.check(arguments);
    ASSERT_EQ(result.status, 0) << result.err;
    report_ = scene_.read("report.jsonl");
  }

  [[nodiscard]] CommandResult verify(const std::vector<std::string>& more = {}) const {
    std::vector<std::string> arguments{"verify", "report.jsonl"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run_tocsin(arguments, scene_.path());
  }

  /// Writes the report with the first `from` replaced, and verifies it.
  [[nodiscard]] CommandResult verify_changed(const std::string& from, const std::string& to) const {
    std::string text = report_;
    const std::size_t at = text.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    text.replace(at, from.size(), to);
    scene_.write("report.jsonl", text);
    return verify();
  }

  PoleScene scene_;
  std::string report_;
};

/// The report with its hash made to fit its contact lines, as somebody would who knows how.
std::string with_fitting_hash(const std::string& report) {
  const std::string key = "\"hash\":\"";
  std::string out = report;
  return out.replace(out.rfind(key) + key.size(), 16, hash_of_contacts(report));
}

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
  for (const std::string kind : {"near", "episode", "clearance"}) {
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

TEST_F(Verify, RefusesAnInputThatIsAnotherFile) {
  for (const std::string file : {"take.bvh", "room.obj", "pole.json"}) {
    const std::string original = scene_.read(file);
    scene_.write(file, original + " ");
    const CommandResult result = verify();
    EXPECT_EQ(result.status, 3) << result.out;
    EXPECT_TRUE(contains(result.err, file)) << result.err;
    EXPECT_TRUE(contains(result.err, "sha256")) << result.err;
    scene_.write(file, original);
  }
  EXPECT_EQ(verify().status, 0);
}

// A .gltf keeps its numbers in a file beside it: a room that is another one, though the .gltf is
// the same.
TEST_F(Verify, RefusesABufferThatIsAnotherFile) {
  std::string corners;
  for (const float x : {2.5F, -0.5F, -1.0F, 2.5F, 2.0F, -1.0F, 2.5F, 2.0F, 1.0F}) {
    corners.append(reinterpret_cast<const char*>(&x), sizeof x);
  }
  scene_.write("wall.bin", corners);
  scene_.write("wall.gltf", R"({"asset":{"version":"2.0"},"scene":0,"scenes":[{"nodes":[0]}],)"
                            R"("nodes":[{"name":"Wall","mesh":0}],"meshes":[{"primitives":[)"
                            R"({"attributes":{"POSITION":0}}]}],"accessors":[{"bufferView":0,)"
                            R"("componentType":5126,"count":3,"type":"VEC3","min":[2.5,-0.5,-1],)"
                            R"("max":[2.5,2,1]}],"bufferViews":[{"buffer":0,"byteLength":36}],)"
                            R"("buffers":[{"uri":"wall.bin","byteLength":36}]})");
  const CommandResult checked = run_tocsin(
      {"check", "take.bvh", "--env", "wall.gltf", "--avatar", "pole.json", "--out", "report.jsonl"},
      scene_.path());
  ASSERT_EQ(checked.status, 0) << checked.err;
  EXPECT_TRUE(contains(scene_.read("report.jsonl"), R"("role":"buffer","file":"wall.bin")"));
  EXPECT_EQ(verify().status, 0);
  corners[3] = 'A';  // another x of the first corner
  scene_.write("wall.bin", corners);
  const CommandResult result = verify();
  EXPECT_EQ(result.status, 3) << result.out << result.err;
  EXPECT_TRUE(contains(result.err, "wall.bin")) << result.err;
}

// Nothing uses it, so the reader leaves it alone; its hash would never be done.
TEST_F(Verify, ABufferThatIsAPipeIsRefused) {
  scene_.write("wall.gltf", R"({"asset":{"version":"2.0"},"scene":0,"scenes":[{"nodes":[0]}],)"
                            R"("nodes":[{"name":"Wall","mesh":0}],"meshes":[{"primitives":[)"
                            R"({"attributes":{"POSITION":0}}]}],"accessors":[{"bufferView":0,)"
                            R"("componentType":5126,"count":3,"type":"VEC3"}],)"
                            R"("bufferViews":[{"buffer":0,"byteLength":36}],)"
                            R"("buffers":[{"uri":"wall.bin","byteLength":36},)"
                            R"({"uri":"pipe.bin","byteLength":36}]})");
  scene_.write("wall.bin", std::string(36, '\1'));
  ASSERT_EQ(::mkfifo(scene_.full("pipe.bin").c_str(), 0600), 0);
  const CommandResult checked = run_tocsin(
      {"check", "take.bvh", "--env", "wall.gltf", "--avatar", "pole.json"}, scene_.path());
  EXPECT_EQ(checked.status, 3) << checked.out;
  EXPECT_TRUE(contains(checked.err, "wall.gltf: its buffer pipe.bin is not a regular file"))
      << checked.err;
}

TEST_F(Verify, RefusesAnInputThatIsGone) {
  std::filesystem::remove(scene_.full("room.obj"));
  const CommandResult result = verify();
  EXPECT_EQ(result.status, 3);
  EXPECT_TRUE(contains(result.err, "room.obj is not found")) << result.err;
}

TEST_F(Verify, LooksForInputsBesideTheReport) {
  const TemporaryFolder elsewhere;
  const CommandResult result =
      run_tocsin({"verify", scene_.full("report.jsonl")}, elsewhere.path());
  EXPECT_EQ(result.status, 0) << result.err;
}

TEST_F(Verify, RefusesWhatIsNoWholeReport) {
  const auto expect_refused = [&](const std::string& text, const std::string& part) {
    scene_.write("report.jsonl", text);
    const CommandResult result = verify();
    EXPECT_EQ(result.status, 3) << result.out;
    EXPECT_TRUE(contains(result.err, "report.jsonl")) << result.err;
    EXPECT_TRUE(contains(result.err, part)) << part << " in: " << result.err;
  };
  const auto lines = lines_of(report_);
  expect_refused("", "empty");
  expect_refused("\n", ":1: not valid JSON");
  expect_refused(report_.substr(0, report_.find("\"status\"")), ":2: not valid JSON");
  expect_refused(report_.substr(0, report_.rfind("{\"type\":\"summary\"")), "without a summary");
  expect_refused(report_ + lines[1] + "\n", "after the summary");
  expect_refused(report_.substr(report_.find('\n') + 1), ":1: the first line");
  expect_refused(lines[0] + "\n" + report_, ":2: the first line");
  expect_refused("[]\n", "not a JSON object");
  expect_refused(std::string(200'000, '['), "nested deeper");
  expect_refused("{\"type\":" + std::string(200'000, '['), "nested deeper");
  expect_refused(std::string("\x7f"
                             "ELF\0\0\0\xff\xfe",
                             9),
                 "JSON");
  std::string text = report_;
  expect_refused(text.replace(text.find("tocsin.report.v1"), 16, "tocsin.report.v9"),
                 "tocsin.report.v1");
  text = report_;
  expect_refused(text.replace(text.find("\"margin\":0"), 10, "\"margin\":\"\""), "\"margin\"");
  text = report_;
  expect_refused(text.replace(text.find("\"margin\":0"), 10, "\"margin\":-1"), "margin");
  text = report_;
  expect_refused(text.replace(text.find("\"env_scale\":1"), 13, "\"env_scale\":0"), "scale");
  text = report_;
  expect_refused(text.replace(text.find("\"frames\":[0,8,1]"), 16, "\"frames\":[0,8,0]"), "stride");
  text = report_;
  expect_refused(text.replace(text.find("\"frames\":[0,8,1]"), 16, "\"frames\":[0,99,1]"), "99");
  text = report_;
  expect_refused(text.replace(text.find("\"role\":\"motion\""), 15, "\"role\":\"picture\""),
                 "picture");
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

// Which of several reports needs a file that is another one now.
TEST_F(Verify, OfSeveralReportsTheRefusedOneIsNamed) {
  scene_.write("again.jsonl", report_);
  scene_.write("room.obj", scene_.read("room.obj") + " ");
  const CommandResult result = run_tocsin({"verify", "report.jsonl", "again.jsonl"}, scene_.path());
  EXPECT_EQ(result.status, 3) << result.out;
  ASSERT_EQ(lines_of(result.err).size(), 2U) << result.err;
  EXPECT_TRUE(contains(lines_of(result.err)[0], "report.jsonl")) << result.err;
  EXPECT_TRUE(contains(lines_of(result.err)[1], "again.jsonl")) << result.err;
}

TEST_F(Verify, AMissingReport) {
  const CommandResult result = run_tocsin({"verify", "nothing.jsonl"}, scene_.path());
  EXPECT_EQ(result.status, 3);
  EXPECT_TRUE(contains(result.err, "nothing.jsonl")) << result.err;
  EXPECT_EQ(run_tocsin({"verify", "."}, scene_.path()).status, 3);
}

}  // namespace
}  // namespace tocsin::test
