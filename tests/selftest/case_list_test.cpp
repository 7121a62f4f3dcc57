// The selftest's cases are what they say: they touch, and they are the same on every machine.
#include "selftest/compare/case_list.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace tocsin::selftest {
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

TEST(CaseList, OtherSeedsFollowTheKinds) {
  EXPECT_NE(make_case(kinds_of_cases()).value().name,
            make_case(kinds_of_cases() + 10).value().name);
}

}  // namespace
}  // namespace tocsin::selftest
