// `tocsin selftest` as a user runs it, and with a backend that errs.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

#include "app/selftest/selftest.h"
#include "cli/command.h"
#include "selftest/compare/case_list.h"
#include "support/places.h"

namespace tocsin::test {
namespace {

using Json = nlohmann::json;
using selftest::Case;
using selftest::Way;

/// The exit status of a shell command.
int status_of(const std::string& command) {
  const int status = std::system(command.c_str());  // NOLINT(cert-env33-c,concurrency-mt-unsafe)
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/// A CUDA backend that loses the contacts with one object.
class Loses {
 public:
  explicit Loses(std::string object) : object_(std::move(object)) {}
  Result<std::vector<StepReport>> operator()(const Case& c, const Way& way,
                                             const std::stop_token& stop,
                                             std::string* fallback) const {
    auto out = selftest::ask(c, way, stop, fallback);
    if (!out || way.options.backend != Backend::kCuda) return out;
    for (std::size_t i = 0; i < out->size(); ++i) {
      const Environment& room = c.room(i / c.members.size());
      std::erase_if((*out)[i].contacts, [&](const Contact& contact) {
        return contact.room() != nullptr && room.objects()[contact.room()->object].name == object_;
      });
    }
    return out;
  }

 private:
  std::string object_;
};

/// The object that the case's avatars touch most often.
std::string most_touched(const Case& question) {
  const auto reports = selftest::ask(question, {"cpu", {.backend = Backend::kCpu}}, {}).value();
  std::vector<std::size_t> counts(question.rooms.front().objects().size(), 0);
  for (const StepReport& r : reports) {
    for (const Contact& c : r.contacts) ++counts[c.room()->object];
  }
  const auto most = std::ranges::max_element(counts) - counts.begin();
  return question.rooms.front().objects()[static_cast<std::size_t>(most)].name;
}

TEST(SelftestCommand, ADifferenceIsStatus1AndTheSmallestCaseRunsAlone) {
  const TemporaryFolder folder;
  app::SelftestOptions options;
  options.backend = Backend::kCuda;
  options.emulate = true;
  options.only = 2;
  options.json = folder.full("found.json");
  options.failed = folder.full("failed");
  const std::string object = most_touched(selftest::make_case(2).value());
  testing::internal::CaptureStdout();
  EXPECT_EQ(app::run_selftest(options, {}, Loses(object)), app::kFound);
  const std::string text = testing::internal::GetCapturedStdout();
  EXPECT_NE(text.find("SOMETHING DIFFERS"), std::string::npos) << text;
  EXPECT_NE(text.find("sh " + folder.full("failed/1") + "/run.sh"), std::string::npos) << text;

  const Json found = Json::parse(folder.read("found.json"));
  EXPECT_TRUE(found.at("differs").get<bool>());
  EXPECT_FALSE(found.at("holds").get<bool>());
  EXPECT_EQ(found.at("written").at(0).at("avatars"), 1);
  EXPECT_LE(found.at("written").at(0).at("triangles").get<int>(), 2);
  EXPECT_EQ(found.at("cases").at(0).at("answers").at(0).at("verdict"), "differs");

  // Alone it is asked of the real backends, which agree, and the contact is there.
  const std::string bin = (std::filesystem::path(binary_dir()) / "bin").string();
  const std::string run = fmt::format("PATH='{}':\"$PATH\" sh '{}' > '{}' 2>&1", bin,
                                      folder.full("failed/1/run.sh"), folder.full("alone.txt"));
  EXPECT_EQ(status_of(run), 0) << folder.read("alone.txt");
  EXPECT_NE(folder.read("alone.txt").find("agree bit for bit"), std::string::npos)
      << folder.read("alone.txt");
  const CommandResult check = run_tocsin(
      {"check", "take-0.poses", "--env", "room.ply", "--avatar", "avatar-0.json", "--out", "-"},
      folder.full("failed/1"));
  EXPECT_EQ(check.status, 0) << check.err;
  EXPECT_NE(check.out.find(object), std::string::npos) << check.out;
}

TEST(SelftestCommand, JsonKeepsToItsSchema) {
  const TemporaryFolder folder;
  const CommandResult result = run_tocsin({"selftest", "--backend", "cuda", "--emulate",
                                           "--seconds", "2", "--json", folder.full("found.json")});
  EXPECT_EQ(result.status, 0) << result.out << result.err;
  EXPECT_NE(result.out.find("Everything is as it must be"), std::string::npos) << result.out;
  const Json found = Json::parse(folder.read("found.json"));
  EXPECT_GT(found.at("cases").size(), 0U);
  EXPECT_TRUE(found.at("cuda").at("emulated").get<bool>());
  EXPECT_GT(found.at("cuda").at("rows").size(), 0U);
  if (status_of("python3 -c 'import jsonschema' 2> /dev/null") != 0) {
    GTEST_SKIP() << "needs python3 and its jsonschema: apt install python3-jsonschema";
  }
  EXPECT_EQ(status_of(fmt::format("python3 '{0}/tests/support/validate_json.py' "
                                  "'{0}/docs/selftest.schema.json' '{1}'",
                                  source_dir(), folder.full("found.json"))),
            0);
}

TEST(SelftestCommand, ABackendThatWasNamedMustWork) {
  const CommandResult result = run_tocsin({"selftest", "--backend", "cuda", "--seconds", "1"});
  if (result.status == 0) GTEST_SKIP() << "this machine has a CUDA device";
  EXPECT_EQ(result.status, 2);
  EXPECT_NE(result.err.find("--emulate"), std::string::npos) << result.err;
  EXPECT_TRUE(result.out.empty());
}

TEST(SelftestCommand, OneCaseAndNothingElse) {
  const CommandResult result = run_tocsin({"selftest", "--backend", "cpu", "--case", "4"});
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_NE(result.out.find("1 case with"), std::string::npos) << result.out;
  EXPECT_EQ(result.out.find("steps/s"), std::string::npos) << result.out;
}

TEST(SelftestCommand, WrongUsage) {
  for (const std::vector<std::string>& options : {std::vector<std::string>{"--backend", "auto"},
                                                  {"--seconds", "0"},
                                                  {"--seconds", "nan"},
                                                  {"--seconds", "100000"},
                                                  {"--case", "-1"},
                                                  {"--case", "x"},
                                                  {"--json", ""},
                                                  {"--backend", "cpu", "--emulate"}}) {
    std::vector<std::string> arguments{"selftest"};
    arguments.insert(arguments.end(), options.begin(), options.end());
    const CommandResult result = run_tocsin(arguments);
    EXPECT_EQ(result.status, 2) << options.front() << ": " << result.out;
    EXPECT_TRUE(result.out.empty());
  }
  const CommandResult result = run_tocsin(
      {"selftest", "--backend", "cpu", "--case", "0", "--json", "/nonexistent/found.json"});
  EXPECT_EQ(result.status, 4) << result.err;
  EXPECT_NE(result.err.find("/nonexistent"), std::string::npos) << result.err;
}

}  // namespace
}  // namespace tocsin::test
