// `tocsin verify` on reports of several takes, and of --self.
#include <gtest/gtest.h>

#include "cli/check/meeting_scene.h"
#include "support/contains.h"

namespace tocsin::test::meeting_verify_test {
namespace {

class VerifyMeeting : public testing::Test {
 protected:
  [[nodiscard]] CommandResult verify(const std::vector<std::string>& more = {}) const {
    std::vector<std::string> arguments{"verify", "report.jsonl"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run_tocsin(arguments, scene_.path());
  }
  void expect_confirmed(const CommandResult& made) const {
    ASSERT_EQ(made.status, 0) << made.err;
    const CommandResult result = verify();
    EXPECT_EQ(result.status, 0) << result.out << result.err;
    EXPECT_TRUE(contains(result.out, "Confirmed.")) << result.out;
  }
  /// Verifies the report with its first `from`, behind the first `behind`, replaced, and with a
  /// hash that fits, as somebody would who knows how.
  [[nodiscard]] CommandResult verify_changed(const std::string& behind, const std::string& from,
                                             const std::string& to) const {
    std::string text = scene_.read("report.jsonl");
    const std::string original = text;
    const std::size_t at = text.find(from, text.find(behind));
    EXPECT_NE(at, std::string::npos) << from;
    text.replace(at, from.size(), to);
    const std::string key = "\"hash\":\"";
    text.replace(text.rfind(key) + key.size(), 16, hash_of_contacts(text));
    scene_.write("report.jsonl", text);
    const CommandResult result = verify();
    scene_.write("report.jsonl", original);
    return result;
  }
  MeetingScene scene_;
};

TEST_F(VerifyMeeting, ConfirmsWhatIsTrue) {
  const std::vector<std::vector<std::string>> variants{
      {},
      {"--clearance"},
      {"--contacts", "first"},
      {"--self"},
      {"--in-between", "translate_rotate", "--margin", "0.05"},
      {"--frames", ":", "--frames", "1:", "--ignore", "*:Shelf"},
      {"--frames", "::2", "--tolerance", "1e-3"},
      {"--place", "0.3,0,0.1,12", "--place", "0,0,0.1", "--start", "0.05", "--start", "0"},
      {"--start", "0", "--start", "1", "--absent", "stays"},
      {"--frames", "1:1", "--frames", ":"}};
  for (std::vector<std::string> variant : variants) {
    SCOPED_TRACE(testing::PrintToString(variant));
    variant.insert(variant.end(), {"--out", "report.jsonl"});
    expect_confirmed(scene_.check(variant));
  }
  expect_confirmed(scene_.check_self({"--out", "report.jsonl"}));
  expect_confirmed(
      scene_.check_self({"--margin", "0.1", "--ignore", "*:Far", "--out", "report.jsonl"}));
}

TEST_F(VerifyMeeting, CountsPairsOfLinks) {
  ASSERT_EQ(scene_.check({"--out", "report.jsonl"}).status, 0);
  // 4 steps of 2 links and 3 objects and of one pair of links: 28 pairs, of which 8 touch.
  EXPECT_TRUE(
      contains(verify().out,
               "4 of 4 steps of the time line x 2 links x 6 triangles: 8 contacts and 20 free "
               "pairs looked at, 0 undecided"))
      << verify().out;
  EXPECT_TRUE(contains(verify({"--fraction", "0.3", "--seed", "5"}).out, "2 of 4 steps"));
  ASSERT_EQ(scene_.check_self({"--out", "report.jsonl"}).status, 0);
  EXPECT_TRUE(contains(verify().out, "3 of 3 steps x 2 links x 2 triangles: 2 contacts and 7 free"))
      << verify().out;
}

TEST_F(VerifyMeeting, FindsEveryChangeOfAContactOfLinks) {
  ASSERT_EQ(scene_.check({"--out", "report.jsonl"}).status, 0);
  const std::string report = scene_.read("report.jsonl");
  const std::string met = lines_of_type(report, "contact")[3];
  ASSERT_TRUE(contains(met, "\"other\":{\"avatar\":1,\"link\":\"pole\"}")) << met;
  struct Change {
    std::string from;
    std::string to;
  };
  for (const auto& [from, to] : std::vector<Change>{
           {met + "\n", ""},                                         // taken out
           {"\"toc\":[0.73333", "\"toc\":[0.72333"},                 // another bracket
           {"\"seconds\":[0.186", "\"seconds\":[0.185"},             // another time
           {"\"status\":\"hit\"", "\"status\":\"graze\""},           // another outcome
           {"\"link\":\"pole\"}", "\"link\":\"arm\"}"},              // another link
           {"\"other\":{\"avatar\":1", "\"other\":{\"avatar\":7"},   // nobody
           {"\"other\":{\"avatar\":1", "\"other\":{\"avatar\":0"},   // itself
           {"\"other\":{\"avatar\":1", "\"other\":{\"avatar\":-1"},  // nonsense
           {"\"avatar\":0,\"link\":\"pole\"", "\"avatar\":1,\"link\":\"pole\""},
           {"\"avatar\":0,\"link\":\"pole\"", "\"avatar\":9,\"link\":\"pole\""},
           {"\"other\":{\"avatar\":1,\"link\":\"pole\"}", "\"object\":\"Wall\",\"triangle\":0"},
           {met + "\n", met + "\n" + met + "\n"}}) {  // told twice
    const CommandResult result = verify_changed(met, from, to);
    EXPECT_EQ(result.status, 1) << from << " to " << to << "\n" << result.out << result.err;
    EXPECT_TRUE(contains(result.out, "Not confirmed.")) << result.out;
  }
  EXPECT_EQ(verify().status, 0);
}

TEST_F(VerifyMeeting, FindsAChangedRunLine) {
  ASSERT_EQ(scene_.check({"--start", "0", "--start", "0.05", "--out", "report.jsonl"}).status, 0);
  struct Change {
    std::string from;
    std::string to;
    int status;
  };
  for (const auto& [from, to, status] : std::vector<Change>{
           {"\"start\":[0,0.05]", "\"start\":[0,0.06]", 1},
           {"\"start\":[0,0.05]", "\"start\":[0]", 3},
           {"\"start\":[0,0.05]", "\"start\":[0,null]", 3},
           {"\"start\":[0,0.05]", "\"start\":[0,1e300]", 3},
           {"\"absent\":\"gone\"", "\"absent\":\"stays\"", 1},
           {"\"absent\":\"gone\"", "\"absent\":\"away\"", 3},
           {"\"instants\":6", "\"instants\":7", 1},
           {"\"from\":0", "\"from\":0.1", 1},
           {"{\"motion\":\"b.bvh\",\"name\":\"pole\"", "{\"motion\":\"b.bvh\",\"name\":\"stick\"",
            1},
           {"{\"motion\":\"b.bvh\",\"name\"", "{\"motion\":\"a.bvh\",\"name\"", 1},
           {"\"avatars\":[{", "\"avatars\":[7,{", 3},
           {"\"avatars\":", "\"bodies\":", 3},
           {"\"time_line\":", "\"line\":", 3},
           {"\"avatar\":[\"pole.json\",\"pole.json\"]", "\"avatar\":[\"pole.json\"]", 3},
           {"\"avatar\":[\"pole.json\",\"pole.json\"]", "\"avatar\":[]", 3},
           {"\"avatar\":[\"pole.json\",\"pole.json\"]", "\"avatar\":\"pole.json\"", 3},
           {"\"frames\":[[0,3,1],[0,2,1]]", "\"frames\":[[0,3,1],[0,1,1]]", 1},
           {"\"frames\":[[0,3,1],[0,2,1]]", "\"frames\":[[0,3,1],[0,9,1]]", 3},
           {"\"role\":\"motion\",\"file\":\"b.bvh\"", "\"role\":\"buffer\",\"file\":\"b.bvh\"", 3},
           {"\"fail_on_contact\":false,", "\"fail_on_contact\":false,\"self\":1,", 3}}) {
    const CommandResult result = verify_changed("", from, to);
    EXPECT_EQ(result.status, status) << from << " to " << to << "\n" << result.out << result.err;
    EXPECT_EQ(lines_of(result.err).size(), status == 3 ? 1U : 0U) << result.err;
  }
  EXPECT_EQ(verify().status, 0);
}

TEST_F(VerifyMeeting, FindsAChangedReportOfOneThatMeetsItself) {
  ASSERT_EQ(scene_.check_self({"--out", "report.jsonl"}).status, 0);
  const std::string met = lines_of_type(scene_.read("report.jsonl"), "contact")[0];
  EXPECT_EQ(verify_changed(met, met + "\n", "").status, 1);
  EXPECT_EQ(verify_changed(met, "\"link\":\"right\"}", "\"link\":\"left\"}").status, 1);
  EXPECT_EQ(verify_changed("", "\"self\":true", "\"self\":false").status, 1);
  EXPECT_EQ(verify_changed("", "\"ignore\":[]", "\"ignore\":[\"left:right\"]").status, 1);
}

TEST_F(VerifyMeeting, RefusesATakeThatIsAnotherFile) {
  ASSERT_EQ(scene_.check({"--out", "report.jsonl"}).status, 0);
  scene_.write("b.bvh", scene_.read("b.bvh") + " ");
  const CommandResult result = verify();
  EXPECT_EQ(result.status, 3) << result.out;
  EXPECT_TRUE(contains(result.err, "b.bvh")) << result.err;
  EXPECT_TRUE(contains(result.err, "sha256")) << result.err;
}

}  // namespace
}  // namespace tocsin::test::meeting_verify_test
