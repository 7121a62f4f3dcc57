// The whole way on recorded data: a take in the furnished house, checked and confirmed.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "cli/scenes.h"
#include "support/data.h"

namespace tocsin::test::house_test {
namespace {

using Json = nlohmann::json;

std::vector<std::string> house(const std::vector<std::string>& more) {
  std::vector<std::string> out{"check", data_path("motions/cmu_bvh/01_01.bvh").string(), "--env",
                               data_path("environments/small_house.obj").string()};
  out.insert(out.end(), more.begin(), more.end());
  return out;
}

class House : public testing::Test {
 protected:
  void SetUp() override {
    TOCSIN_NEEDS_DATA("motions/cmu_bvh/01_01.bvh");
    TOCSIN_NEEDS_DATA("environments/small_house.obj");
  }
};

TEST_F(House, ContactsAreFoundAndConfirmed) {
  const TemporaryFolder folder;
  const std::string report = folder.full("report.jsonl");
  const CommandResult checked =
      run_tocsin(house({"--frames", "1::12", "--place", "5.4,0.03,-4", "--out", report}));
  ASSERT_EQ(checked.status, 0) << checked.err;
  const Json summary = Json::parse(lines_of_type(folder.read("report.jsonl"), "summary").at(0));
  EXPECT_EQ(summary["steps"], 230);  // frames 1 to 2751 by 12: 229 whole steps and a shorter one
  EXPECT_GT(summary["contacts"], 100);
  EXPECT_EQ(summary["limited"], 0);
  const CommandResult verified = run_tocsin({"verify", report, "--fraction", "0.1"});
  EXPECT_EQ(verified.status, 0) << verified.out << verified.err;
  EXPECT_NE(verified.out.find("23 of 230 steps x 16 links x 156,080 triangles"), std::string::npos)
      << verified.out;
}

TEST_F(House, ClearOfEverythingButTheFloor) {
  const CommandResult result =
      run_tocsin(house({"--frames", "1:", "--place", "2.7,0,0,0", "--ignore", "*:Floor*",
                        "--ignore", "*:Carpet*", "--fail-on-contact"}));
  EXPECT_EQ(result.status, 0) << result.out << result.err;
  EXPECT_NE(result.out.find("No contact, proved for every moment"), std::string::npos)
      << result.out;
}

TEST_F(House, TheModelIsFoundByJointNames) {
  const CommandResult result = run_tocsin(house({"--frames", "1:5"}));
  EXPECT_NE(result.out.find("humanoid16, 16 links (auto"), std::string::npos) << result.out;
}

}  // namespace
}  // namespace tocsin::test::house_test
