// `tocsin selftest` as a user runs it, and with a backend that errs.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

#include "app/selftest/selftest.h"
#include "app/selftest/selftest_text.h"
#include "cli/command.h"
#include "selftest/compare/case_list.h"
#include "selftest/faults.h"
#include "selftest/measure/carry.h"
#include "selftest/scenes/standing_crowd.h"
#include "support/places.h"

namespace tocsin::test::selftest_command_test {
namespace {

using Json = nlohmann::json;
using selftest::Case;
using selftest::Way;

/// A CUDA backend that loses the contacts with one object.
class Loses {
 public:
  explicit Loses(std::string object) : object_(std::move(object)) {}
  Result<std::vector<StepReport>> operator()(const Case& c, const Way& way,
                                             const std::stop_token& stop,
                                             std::string* fallback) const {
    auto out = selftest::ask(c, way, stop, fallback);
    if (!out || way.options.backend != Backend::kCuda) return out;
    lose(c, object_, *out);
    return out;
  }

 private:
  std::string object_;
};

TEST(SelftestCommand, ADifferenceIsStatus1AndTheSmallestCaseRunsAlone) {
  const TemporaryFolder folder;
  app::SelftestOptions options;
  options.backend = Backend::kCuda;
  options.emulate = true;
  options.cuda_devices = {0, 1};
  options.only = 2;
  options.json = folder.full("found.json");
  options.failed = folder.full("failed");
  const std::string object = most_touched(selftest::make_case(2).value());
  testing::internal::CaptureStdout();
  EXPECT_EQ(app::run_selftest(options, {}, {.askers = {.way = Loses(object)}}), app::kFound);
  const std::string text = testing::internal::GetCapturedStdout();
  EXPECT_NE(text.find("SOMETHING DIFFERS"), std::string::npos) << text;
  EXPECT_NE(text.find("sh " + folder.full("failed/1") + "/run.sh"), std::string::npos) << text;

  const Json found = Json::parse(folder.read("found.json"));
  EXPECT_TRUE(found.at("differs").get<bool>());
  EXPECT_FALSE(found.at("holds").get<bool>());
  EXPECT_EQ(found.at("written").at(0).at("avatars"), 1);
  EXPECT_LE(found.at("written").at(0).at("triangles").get<int>(), 2);
  EXPECT_EQ(found.at("cases").at(0).at("answers").at(0).at("verdict"), "differs");

  EXPECT_NE(folder.read("failed/1/run.sh").find("--emulate --cuda-device 0,1"), std::string::npos)
      << folder.read("failed/1/run.sh");

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

TEST(SelftestCommand, AWayOfTheCpuThatDiffersIsAskedAgainByTheSelftest) {
  const TemporaryFolder folder;
  app::SelftestOptions options;
  options.backend = Backend::kCpu;
  options.only = 2;
  options.failed = folder.full("failed");
  const auto loses = [](const Case& c, const Way& way, const std::stop_token& stop,
                        std::string* fallback) {
    auto out = selftest::ask(c, way, stop, fallback);
    for (StepReport& report : *out) report.contacts.clear();
    return out;
  };
  testing::internal::CaptureStdout();
  EXPECT_EQ(app::run_selftest(options, {}, {.askers = {.way = loses}}), app::kFound);
  const std::string text = testing::internal::GetCapturedStdout();
  EXPECT_NE(text.find("failed/1/run.sh"), std::string::npos) << text;
  EXPECT_EQ(status_of_run_sh(folder, "failed/1"), 0) << folder.read("said");
  EXPECT_NE(folder.read("said").find("Everything is as it must be"), std::string::npos)
      << folder.read("said");
}

TEST(SelftestCommand, WhatDiffersWhileItIsMeasuredIsWrittenToo) {
  const TemporaryFolder folder;
  app::SelftestOptions options;
  options.backend = Backend::kCuda;
  options.emulate = true;
  options.seconds = 1.0;
  options.failed = folder.full("failed");
  bool measured = false;
  const auto wrong_row = [&](const std::shared_ptr<cuda::Device>& device, double,
                             const std::stop_token& stop, const selftest::CudaRowDone&) {
    auto out = selftest::carry_on_cuda(device, 0.0, stop);  // one row
    out->rows.front().equal = false;
    measured = true;
    return out;
  };
  // Wrong from then on: that makes the avatar's case small.
  const auto wrong = [&](const Case& c, const Way& way, const std::stop_token& stop,
                         std::string* fallback) {
    auto out = selftest::ask(c, way, stop, fallback);
    if (out && measured) {
      for (StepReport& report : *out) report.safe_until = -1.0;
    }
    return out;
  };
  testing::internal::CaptureStdout();
  EXPECT_EQ(app::run_selftest(options, {}, {.askers = {.way = wrong}, .cuda = wrong_row}),
            app::kFound);
  const std::string text = testing::internal::GetCapturedStdout();
  EXPECT_NE(text.find("DIFFER"), std::string::npos) << text;
  EXPECT_NE(text.find("avatar 0 of 1 at once"), std::string::npos) << text;
  EXPECT_EQ(status_of_run_sh(folder, "failed/1"), 0) << folder.read("said");
  EXPECT_NE(folder.read("said").find("agree bit for bit"), std::string::npos)
      << folder.read("said");
}

TEST(SelftestCommand, WhatADeviceThatFailsWhileItIsMeasuredHasSaidIsKept) {
  const TemporaryFolder folder;
  app::SelftestOptions options;
  options.backend = Backend::kCuda;
  options.emulate = true;
  options.seconds = 1.0;
  options.json = folder.full("found.json");
  Json on_the_way;
  const auto fails = [&](const std::shared_ptr<cuda::Device>& device, double,
                         const std::stop_token& stop, const selftest::CudaRowDone& row) {
    auto out = selftest::carry_on_cuda(device, 0.0, stop, [&](const auto& so_far) {  // one row
      row(so_far);
      on_the_way = Json::parse(folder.read("found.json"));
    });
    out->ended = Error{ErrorCode::kResource, "the device is lost"};
    return out;
  };
  testing::internal::CaptureStdout();
  EXPECT_EQ(app::run_selftest(options, {}, {.askers = {}, .cuda = fails}), app::kUnfinished);
  const std::string text = testing::internal::GetCapturedStdout();
  EXPECT_NE(text.find("not measured: cuda, after 1 row: the device is lost"), std::string::npos)
      << text;
  EXPECT_NE(text.find("SOMETHING FAILED"), std::string::npos) << text;
  // One that hangs after that leaves as much.
  EXPECT_EQ(on_the_way.at("cuda").at("rows").size(), 1U);
  EXPECT_FALSE(on_the_way.at("finished").get<bool>());
  const Json found = Json::parse(folder.read("found.json"));
  EXPECT_EQ(found.at("cuda").at("rows").size(), 1U);
  EXPECT_EQ(found.at("problems").size(), 1U);
  EXPECT_FALSE(found.at("holds").get<bool>());
}

TEST(Carry, TheAvatarThatDiffersIsTheOneThatIsWritten) {
  const auto device = cuda::Device::open({.emulate = true}).value();
  const auto crowd = selftest::StandingCrowd::make(10'000).value();
  const auto room = selftest::make_cuda_room("small", crowd.environment(), device, {}).value();
  // The CPU is asked in an empty room: whoever touches something differs.
  selftest::CudaRoom wrong = room;
  wrong.cpu = std::make_shared<const Detector>(
      Detector::make(Environment{}, {.backend = Backend::kCpu}).value());
  constexpr std::size_t kAvatars = 40;
  selftest::CudaBatches batches;
  batches.members.assign(kAvatars, Member(crowd.avatar()));
  for (std::size_t b = 0; b < 2; ++b) batches.steps.push_back(crowd.frame(kAvatars, b));
  const selftest::CudaRow row = selftest::run_cuda(wrong, batches, 1).value();
  EXPECT_FALSE(row.equal);
  std::size_t first = 0;
  while (room.cpu->check(batches.members[first], batches.steps[0][first]).contacts.empty()) ++first;
  EXPECT_EQ(row.differing_batch, 0U);
  EXPECT_EQ(row.differing_avatar, first);
  EXPECT_TRUE(selftest::run_cuda(room, batches, 1)->equal);

  const Case written = selftest::carried_case(row).value();
  EXPECT_EQ(written.steps(), 1U);
  EXPECT_GT(written.rooms.front().triangles().size(), 150'000U);
}

TEST(SelftestCommand, WhatIsThereIsKeptWhenItIsInterrupted) {
  const TemporaryFolder folder;
  app::SelftestOptions options;
  options.backend = Backend::kCuda;
  options.emulate = true;
  options.json = folder.full("found.json");
  std::stop_source interrupt;
  std::size_t asked = 0;
  Json on_the_way;
  const auto stops = [&](const Case& c, const Way& way, const std::stop_token& stop,
                         std::string* fallback) {
    if (++asked == 2) {
      on_the_way = Json::parse(folder.read("found.json"));
      interrupt.request_stop();
    }
    return selftest::ask(c, way, stop, fallback);
  };
  testing::internal::CaptureStdout();
  testing::internal::CaptureStderr();
  EXPECT_EQ(app::run_selftest(options, interrupt.get_token(), {.askers = {.way = stops}}),
            app::kUnfinished);
  const std::string text = testing::internal::GetCapturedStdout();
  EXPECT_NE(text.find("INTERRUPTED"), std::string::npos);
  EXPECT_NE(text.find("8 kinds of cases not reached, more --seconds: "), std::string::npos) << text;
  EXPECT_NE(text.find("room of 2,000,000"), std::string::npos) << text;
  EXPECT_NE(testing::internal::GetCapturedStderr().find("interrupted"), std::string::npos);
  // A device that hangs at the second case leaves the first.
  EXPECT_EQ(on_the_way.at("cases").size(), 1U);
  EXPECT_EQ(on_the_way.at("cases").at(0).at("answers").at(0).at("verdict"), "same");
  EXPECT_FALSE(on_the_way.at("finished").get<bool>());
  EXPECT_FALSE(on_the_way.at("holds").get<bool>());
  const Json found = Json::parse(folder.read("found.json"));
  ASSERT_EQ(found.at("cases").size(), 2U);
  EXPECT_EQ(found.at("cases").at(1).at("answers").at(0).at("verdict"), "no_time");
  EXPECT_FALSE(found.at("finished").get<bool>());
}

TEST(SelftestCommand, JsonKeepsToItsSchema) {
  const TemporaryFolder folder;
  const CommandResult result = run_tocsin({"selftest", "--backend", "cuda", "--emulate",
                                           "--seconds", "2", "--json", folder.full("found.json")});
  EXPECT_EQ(result.status, 0) << result.out << result.err;
  EXPECT_NE(result.out.find("Everything is as it must be"), std::string::npos) << result.out;
  const Json found = Json::parse(folder.read("found.json"));
  EXPECT_GT(found.at("cases").size(), 0U);
  EXPECT_TRUE(found.at("finished").get<bool>());
  EXPECT_TRUE(found.at("cuda").at("emulated").get<bool>());
  EXPECT_GT(found.at("cuda").at("rows").size(), 0U);
  // Of an emulation: its caches are faster than the ceiling of its memory.
  EXPECT_TRUE(found.at("cuda").at("share_of_ceiling").empty());
  EXPECT_EQ(result.out.find(" %"), std::string::npos) << result.out;
  EXPECT_NE(result.out.find("ceilings of the emulation"), std::string::npos) << result.out;
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

TEST(SelftestCommand, DevicesAreNamed) {
  const CommandResult two = run_tocsin(
      {"selftest", "--backend", "cuda", "--emulate", "--cuda-device", "3,1", "--case", "0"});
  EXPECT_EQ(two.status, 0) << two.err;
  EXPECT_NE(two.out.find("cuda: 3: emulated"), std::string::npos) << two.out;
  EXPECT_NE(two.out.find("1: emulated"), std::string::npos) << two.out;
}

TEST(SelftestCommand, OneCaseAndNothingElse) {
  const CommandResult result = run_tocsin({"selftest", "--backend", "cpu", "--case", "4"});
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_NE(result.out.find("1 case with"), std::string::npos) << result.out;
  EXPECT_EQ(result.out.find("steps/s"), std::string::npos) << result.out;
}

TEST(SelftestCommand, ARowForAKindAndWithVerboseForACase) {
  app::SelftestReport report;
  report.ways = {"gl", "gl query", "cuda"};
  constexpr std::size_t kCases = 500;
  for (std::size_t i = 0; i < kCases; ++i) {
    selftest::CaseResult c;
    c.number = i;
    c.kind = i % 2 == 0 ? "even" : "odd";
    c.name = fmt::format("case called {}", i);
    c.steps = 10;
    c.contacts = 3;
    for (const std::string& way : report.ways) {
      const bool differs = way == "cuda" && i % 2 == 1;
      c.answers.push_back({way, differs ? selftest::Verdict::kDiffers : selftest::Verdict::kSame,
                           "", "0123456789abcdef", 0.0, 10, differs ? 2U : 0U, 0});
    }
    report.cases.push_back(std::move(c));
  }
  // One way of two was stopped on the way.
  report.cases[0].answers[1].verdict = selftest::Verdict::kNoTime;
  report.cases[0].answers[1].answered = 4;
  const auto lines = [](const std::string& text) { return std::ranges::count(text, '\n'); };
  const std::string text = app::selftest_text(report, false);
  EXPECT_LT(lines(text), 24) << text;
  EXPECT_NE(text.find("even            250  2,500       750     0.00  same: 2,494 of 2,500  same"),
            std::string::npos)
      << text;
  EXPECT_NE(
      text.find("odd             250  2,500       750     0.00  same                  500 DIFFER"),
      std::string::npos)
      << text;
  EXPECT_NE(text.find("240 more of these: --verbose"), std::string::npos) << text;
  const std::string all = app::selftest_text(report, true);
  EXPECT_GT(lines(all), static_cast<std::ptrdiff_t>(kCases + 250));
  EXPECT_NE(all.find("499  case called 499"), std::string::npos);
  EXPECT_EQ(all.find("more of these"), std::string::npos);
}

TEST(SelftestCommand, WrongUsage) {
  for (const std::vector<std::string>& options : {std::vector<std::string>{"--backend", "auto"},
                                                  {"--seconds", "0"},
                                                  {"--seconds", "nan"},
                                                  {"--seconds", "100000"},
                                                  {"--case", "-1"},
                                                  {"--case", "x"},
                                                  {"--json", ""},
                                                  {"--backend", "cpu", "--emulate"},
                                                  {"--backend", "gl", "--cuda-device", "0"},
                                                  {"--emulate", "--cuda-device", "0,0"},
                                                  {"--emulate", "--cuda-device", "x"}}) {
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
}  // namespace tocsin::test::selftest_command_test
