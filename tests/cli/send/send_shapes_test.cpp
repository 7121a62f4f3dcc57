// `tocsin send` with meshes: contacts, hashes and records are those of `tocsin check`.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "cli/send/ball.h"
#include "cli/send/sent.h"

namespace tocsin::test {
namespace {

namespace fs = std::filesystem;

// Meshes in the hand, and models with shapes: small ones come with the session, large ones before.
TEST(Send, WithMeshesTheHashIsThatOfACheck) {
  const TemporaryFolder folder;
  const std::string small = folder.write("small.obj", ball_text(12));
  const std::string large = folder.write("large.obj", ball_text(100));
  ASSERT_EQ(std::system(("cp " + kSource + "/avatar_models/humanoid16.json " +  // NOLINT
                         folder.full("model.json"))
                            .c_str()),
            0);
  Json model = Json::parse(folder.read("model.json"));
  model["links"].push_back({{"name", "ball"},
                            {"joint", "RightHand"},
                            {"shape", {{"mesh", "large.obj"}, {"scale", 0.9}, {"radius", 0.01}}}});
  model["links"].push_back({{"name", "box"},
                            {"joint", "LeftHand"},
                            {"shape", {{"box", {0.1, 0.4, 0.1}}, {"translation", {0, 0.1, 0}}}}});
  const std::string shaped = folder.write("model.json", model.dump());
  const ServeProcess server(
      {"--env", kRoom, "--max-pending", "200", "--record", folder.full("records")},
      folder.full("log"));
  ASSERT_FALSE(server.address().empty()) << server.log();
  const std::vector<std::vector<std::string>> cases{
      {"--hold", "RightHand=" + small},
      {"--hold", "RightHand=" + small + "@0.1,-0.2,0.05,0.8,0.6,0,0", "--margin", "0.02"},
      {"--hold", "RightHand=" + large, "--hold", "lefthand=" + small, "--avatar", "humanoid16"},
      {"--avatar", shaped, "--contacts", "first"},
      {"--avatar", shaped, "--in-between", "translate_rotate"},
  };
  std::vector<std::string> hashes;
  for (const std::vector<std::string>& question : cases) {
    std::vector<std::string> check{"check", kTake, "--env", kRoom, "--out", "-"};
    check.insert(check.end(), question.begin(), question.end());
    const CommandResult checked = run_tocsin(check);
    const Json expected = summary_of(checked);
    EXPECT_NE(checked.out.find("\"link_triangle\""), std::string::npos);
    std::vector<std::string> more = question;
    more.insert(more.end(), {"--rate", "max"});
    const Json object = sent(server, kTake, more);
    expect_no_gap(object);
    EXPECT_EQ(object["found"]["hash"], expected["hash"]);
    EXPECT_EQ(object["found"]["contacts"], expected["contacts"]);
    hashes.push_back(expected["hash"]);
  }
  // The records say the same, with what was uploaded. (The oracle takes minutes for large meshes.)
  std::vector<std::string> recorded;
  std::string first;
  for (const auto& entry : fs::directory_iterator(folder.full("records"))) {
    if (entry.path().extension() != ".jsonl") continue;
    const std::string report = entry.path().string();
    if (first.empty() || report < first) first = report;
    const CommandResult again =
        run_tocsin({"check", "--like", fs::path(entry.path()).replace_extension(".poses").string(),
                    "--out", "-"});
    recorded.push_back(summary_of(again)["hash"]);
  }
  const CommandResult verified = run_tocsin({"verify", first});
  EXPECT_EQ(verified.status, 0) << verified.out << verified.err;
  std::sort(recorded.begin(), recorded.end());
  std::sort(hashes.begin(), hashes.end());
  EXPECT_EQ(recorded, hashes);
}

TEST(Send, MeshesThatAreRefused) {
  const TemporaryFolder folder;
  const std::string large = folder.write("large.obj", ball_text(100));
  folder.write("tokens.json",
               R"({"format":"tocsin.tokens.v1","tokens":[)"
               R"({"name":"a","token":"0123456789abcdef","limits":{"may_load":false}},)"
               R"({"name":"b","token":"0123456789abcdeg","limits":{"shape_triangles":100}}]})");
  fs::permissions(folder.full("tokens.json"), fs::perms::owner_read);
  const ServeProcess server({"--env", kRoom, "--tokens", folder.full("tokens.json")},
                            folder.full("log"));
  ASSERT_FALSE(server.address().empty()) << server.log();
  struct Case {
    std::string token;
    std::string says;
  };
  for (const Case& c : {Case{"0123456789abcdef", "the shape of link \"large\": "},
                        Case{"0123456789abcdeg", "may have 100 of one avatar (shape_triangles)"}}) {
    folder.write("token", c.token + "\n");
    const CommandResult result =
        run_tocsin({"send", kTake, "--to", server.address(), "--token-file", folder.full("token"),
                    "--hold", "RightHand=" + large});
    EXPECT_EQ(result.status, 3) << result.err;
    EXPECT_NE(result.err.find(c.says), std::string::npos) << result.err;
  }
}

}  // namespace
}  // namespace tocsin::test
