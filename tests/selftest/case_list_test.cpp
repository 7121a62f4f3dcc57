// The selftest's cases are what they say: they touch, and they are the same on every machine.
#include "selftest/compare/case_list.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace tocsin::selftest::case_list_test {
namespace {

/// The case with the large room is left out: making it takes seconds.
std::vector<std::size_t> quick_cases() {
  std::vector<std::size_t> out;
  for (std::size_t i = 0; i + 1 < kinds_of_cases(); ++i) out.push_back(i);
  out.push_back(kinds_of_cases());
  return out;
}

std::size_t contacts_of(const std::vector<StepReport>& reports) {
  std::size_t out = 0;
  for (const StepReport& r : reports) out += r.contacts.size();
  return out;
}

TEST(CaseList, EveryCaseTouchesAndHasAName) {
  std::set<std::string> names;
  std::size_t of_links = 0;
  std::size_t failing = 0;
  for (const std::size_t number : quick_cases()) {
    const Case question = make_case(number).value();
    ASSERT_FALSE(question.members.empty());
    for (const auto& steps : question.instants) ASSERT_EQ(steps.size(), question.members.size());
    EXPECT_TRUE(names.insert(question.name).second) << question.name << " is there twice";
    const auto reports = ask(question, {"cpu", {.backend = Backend::kCpu}}, {}).value();
    ASSERT_EQ(reports.size(), question.steps());
    const auto touching = static_cast<std::size_t>(
        std::ranges::count_if(reports, [](const StepReport& r) { return !r.contacts.empty(); }));
    fmt::print("{}: {} of {} steps touch, {} contacts\n", question.name, touching, reports.size(),
               contacts_of(reports));
    EXPECT_GT(10 * touching, reports.size()) << question.name;
    for (const StepReport& r : reports) {
      of_links += static_cast<std::size_t>(
          std::ranges::count_if(r.contacts, [](const Contact& c) { return c.other() != nullptr; }));
    }
    failing += question.fails ? 1 : 0;
  }
  EXPECT_GT(of_links, 500U);
  EXPECT_EQ(failing, 1U);
}

TEST(CaseList, VersionsOfADeformingRoomDiffer) {
  for (const std::size_t number : quick_cases()) {
    const Case question = make_case(number).value();
    if (question.rooms.size() == 1) continue;
    for (std::size_t i = 1; i < question.rooms.size(); ++i) {
      EXPECT_EQ(question.rooms[i].triangles().size(), question.rooms[0].triangles().size());
      EXPECT_FALSE(
          std::ranges::equal(question.rooms[i].vertices(), question.rooms[i - 1].vertices()));
    }
    return;
  }
  FAIL() << "no case has a room that deforms";
}

TEST(CaseList, TheSameCaseTwice) {
  for (const std::size_t number : {std::size_t{0}, std::size_t{1}, kinds_of_cases() + 3}) {
    const Way cpu{"cpu", {.backend = Backend::kCpu}};
    const auto once = ask(make_case(number).value(), cpu, {}).value();
    const auto again = ask(make_case(number).value(), cpu, {}).value();
    EXPECT_TRUE(std::equal(once.begin(), once.end(), again.begin(), again.end(), same));
  }
}

TEST(CaseList, EveryKindIsNamedAndHasItsShare) {
  const std::vector<std::string> kinds = case_kinds();
  EXPECT_EQ(std::set<std::string>(kinds.begin(), kinds.end()).size(), kinds.size());
  std::vector<std::string> found;
  for (const std::size_t number : quick_cases()) {
    const std::string kind = make_case(number)->kind;
    if (std::ranges::find(found, kind) == found.end()) found.push_back(kind);
  }
  found.emplace_back("room of 2,000,000");
  EXPECT_EQ(found, kinds);
  double left = 1.0;
  for (std::size_t i = 0; i + 1 < kinds_of_cases(); ++i) {
    EXPECT_GT(share_of_case(i), 0.0);
    EXPECT_LT(share_of_case(i), 0.5);
    left -= left * share_of_case(i);
  }
  EXPECT_GT(left, 0.1) << "the largest room has its turn";
  EXPECT_EQ(share_of_case(kinds_of_cases() - 1), 1.0);
  EXPECT_EQ(share_of_case(kinds_of_cases() + 7), 1.0);
}

TEST(CaseList, PiecesOfACaseAreTheWholeOfIt) {
  // Links of an avatar meet each other, and each avatar is alone.
  Case question = make_case(1).value();
  question.meet = false;
  const std::size_t once = question.members.size();
  for (std::size_t i = 0; i < 10 * once; ++i) {
    question.members.push_back(question.members[i]);
    for (auto& steps : question.instants) steps.push_back(steps[i]);
  }
  const auto want = Detector::make(question.room(1), {.backend = Backend::kCpu})
                        ->check_batch(question.members, question.instants[1]);
  std::size_t own = 0;
  for (const Backend backend : {Backend::kCpu, Backend::kCuda}) {
    const Way way{"some", {.backend = backend, .experiments = {.emulate = true}}};
    const auto got = ask(question, way, {}).value();
    ASSERT_EQ(got.size(), question.steps());
    for (std::size_t i = 0; i < want.size(); ++i) {
      const StepReport& report = got[question.members.size() + i];
      EXPECT_TRUE(same(report, want[i]));
      EXPECT_EQ(report.avatar, want[i].avatar);
      for (const Contact& c : report.contacts) own += c.other() != nullptr ? 1U : 0U;
    }
  }
  EXPECT_GT(own, 1000U);
}

TEST(CaseList, OtherSeedsFollowTheKinds) {
  EXPECT_NE(make_case(kinds_of_cases()).value().name,
            make_case(kinds_of_cases() + 10).value().name);
}

}  // namespace
}  // namespace tocsin::selftest::case_list_test
