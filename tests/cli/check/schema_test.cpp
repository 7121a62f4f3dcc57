// Real reports against docs/report.schema.json, by python3-jsonschema (Debian's package of that
// name).
#include <gtest/gtest.h>

#include <cstdlib>

#include "cli/check/meeting_scene.h"
#include "support/data.h"
#include "support/places.h"

namespace tocsin::test::schema_test {
namespace {

/// What the validator says of each file: "valid", or why not. Empty: it could not be run.
std::vector<std::string> validate(const TemporaryFolder& folder,
                                  const std::vector<std::string>& files) {
  const std::string source = source_dir();
  std::string line = "cd '" + folder.path().string() + "' && python3 '" + source +
                     "/tests/support/validate_json.py' --lines '" + source +
                     "/docs/report.schema.json'";
  for (const std::string& file : files) line += " " + file;
  const int status = std::system((line + " > verdicts").c_str());  // NOLINT(concurrency-mt-unsafe)
  return status == 0 ? lines_of(folder.read("verdicts")) : std::vector<std::string>{};
}

/// Starting python takes a second, so that each test has many reports validated at once.
class Schema : public testing::Test {
 protected:
  void SetUp() override {
    if (std::system("python3 -c 'import jsonschema' 2> /dev/null") !=
        0) {  // NOLINT(concurrency-mt-unsafe)
      GTEST_SKIP() << "needs python3 and its jsonschema: apt install python3-jsonschema";
    }
  }
  void add(const std::string& report) {
    files_.push_back("report" + std::to_string(files_.size()) + ".jsonl");
    scene_.write(files_.back(), report);
  }
  PoleScene scene_;
  std::vector<std::string> files_;
};

TEST_F(Schema, RealReportsAreValid) {
  scene_.write("post.obj", "v 2.2 -9 0\nv 2.2 9 0.1\nv 2.2 9 -0.1\nf 1 2 3\n");
  scene_.write("post.csv", "time,x,y,z,qw,qx,qy,qz\n0,0,0,0,1,0,0,0\n0.5,0,0,1,1,0,0,0\n");
  const std::vector<std::vector<std::string>> variants{
      {},
      {"--hold", "Hips=post.obj@0,0,0,0.6,0.8,0,0"},
      {"--body", "post=post.obj", "--body", "moving=post.obj:post.csv"},
      {"--clearance"},
      {"--near", "1"},
      {"--nearest", "0.5", "--hold", "Hips=post.obj@0,0,0,0.6,0.8,0,0"},
      {"--clearance", "--ignore", "*:*"},
      {"--sampled"},
      {"--contacts", "first", "--in-between", "translate_rotate"},
      {"--frames", ":2"},
      {"--frames", "3:3"},
      {"--gl-size", "32x64", "--gl-method", "query"},
      {"--backend", "cuda", "--emulate"},
      {"--place", "-1e-7,0.5,0,123.456", "--margin", "0.02", "--ignore", "*:S*",
       "--fail-on-contact"}};
  for (const auto& variant : variants) {
    std::vector<std::string> arguments = variant;
    arguments.insert(arguments.end(), {"--out", "-"});
    add(scene_.check(arguments).out);
  }
  EXPECT_EQ(validate(scene_, files_), std::vector<std::string>(variants.size(), "valid"));
}

TEST_F(Schema, ReportsOfMeetingsAreValid) {
  const MeetingScene meeting;
  const std::vector<CommandResult> made{
      meeting.check({"--out", "-"}),
      meeting.check({"--clearance", "--self", "--start", "0", "--start", "0.5", "--absent", "stays",
                     "--place", "0,0,0", "--place", "1,0,0,45", "--out", "-"}),
      meeting.check({"--frames", ":", "--frames", "1:1", "--contacts", "first", "--out", "-"}),
      meeting.check_self({"--out", "-"})};
  for (const CommandResult& result : made) add(result.out);
  // And what is none.
  const std::vector<std::pair<std::string, std::string>> changes{
      {"\"deepest\":{\"frame\":", "\"deepest\":{\"frames\":"},
      {"\"other\":{\"avatar\":1,", "\"other\":{"},
      {"\"other\":{\"avatar\":1,", "\"object\":\"Wall\",\"other\":{\"avatar\":1,"},
      {"\"other\":{\"avatar\":1,", "\"other\":{\"avatar\":-1,"},
      {"\"absent\":\"gone\"", "\"absent\":\"away\""},
      {"\"start\":[0,0]", "\"start\":[0]"},
      {"\"instants\":5", "\"instants\":0"},
      {"\"time_line\":", "\"line\":"},
      {"\"place\":[[0,0,0,0],[0,0,0,0]]", "\"place\":[[0,0,0,0]]"}};
  for (const auto& [from, to] : changes) {
    std::string text = made[0].out;
    const std::size_t at = text.find(from);
    ASSERT_NE(at, std::string::npos) << from;
    add(text.replace(at, from.size(), to));
  }
  const auto verdicts = validate(scene_, files_);
  ASSERT_EQ(verdicts.size(), made.size() + changes.size());
  for (std::size_t i = 0; i < verdicts.size(); ++i) {
    EXPECT_EQ(verdicts[i] == "valid", i < made.size()) << i << ": " << verdicts[i];
  }
}

TEST_F(Schema, RefusesWhatIsNoReport) {
  const std::string report = scene_.report({"--clearance"});
  const std::vector<std::pair<std::string, std::string>> changes{
      {"\"status\":\"hit\"", "\"status\":\"free\""},
      {"\"status\":\"hit\",", ""},
      {"\"type\":\"contact\"", "\"type\":\"touch\""},
      {"\"tolerance\":1e-09", "\"tolerance\":0"},
      {"\"hash\":\"", "\"hash\":\"x"},
      {"\"role\":\"motion\"", "\"role\":\"film\""},
      {"\"certified\":true", "\"certified\":1"},
      {"\"avatar\":0,\"link\":\"pole\",\"metres\":", "\"avatar\":0,\"metres\":"},
      {"\"object\":\"Wall\",", ""},
      {"\"clearance\":0}", "\"clearances\":0}"}};
  for (const auto& [from, to] : changes) {
    std::string text = report;
    const std::size_t at = text.find(from);
    ASSERT_NE(at, std::string::npos) << from;
    add(text.replace(at, from.size(), to));
  }
  add(report);
  const auto verdicts = validate(scene_, files_);
  ASSERT_EQ(verdicts.size(), changes.size() + 1);
  for (std::size_t i = 0; i < changes.size(); ++i) {
    EXPECT_NE(verdicts[i], "valid") << changes[i].first << " -> " << changes[i].second;
  }
  EXPECT_EQ(verdicts.back(), "valid");
}

TEST_F(Schema, ARealTakeInTheHouse) {
  TOCSIN_NEEDS_DATA("motions/cmu_bvh/01_01.bvh");
  TOCSIN_NEEDS_DATA("environments/small_house.obj");
  const CommandResult result =
      run_tocsin({"check", data_path("motions/cmu_bvh/01_01.bvh").string(), "--env",
                  data_path("environments/small_house.obj").string(), "--frames", "1::12",
                  "--place", "5.4,0.03,-4", "--out", scene_.full("report.jsonl")});
  ASSERT_EQ(result.status, 0) << result.err;
  EXPECT_EQ(validate(scene_, {"report.jsonl"}), std::vector<std::string>{"valid"});
}

}  // namespace
}  // namespace tocsin::test::schema_test
