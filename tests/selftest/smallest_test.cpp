// From a case that differs to the smallest part of it that still does.
#include "selftest/compare/smallest.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "selftest/compare/case_list.h"

namespace tocsin::selftest::smallest_test {
namespace {

std::vector<std::size_t> up_to(std::size_t n) {
  std::vector<std::size_t> out(n);
  std::iota(out.begin(), out.end(), std::size_t{0});
  return out;
}

TEST(Fewest, FindsTheOnesThatMatter) {
  for (const std::vector<std::size_t>& needed :
       {std::vector<std::size_t>{0}, {99}, {3, 4}, {0, 99}, {7, 50, 51, 93}}) {
    const auto errs = [&](const std::vector<std::size_t>& kept) {
      return std::ranges::includes(kept, needed);
    };
    EXPECT_EQ(fewest(up_to(100), errs, 10'000), needed);
  }
}

TEST(Fewest, KeepsToItsTries) {
  std::size_t tries = 0;
  const auto errs = [&](const std::vector<std::size_t>& kept) {
    ++tries;
    return std::ranges::includes(kept, std::vector<std::size_t>{7, 50, 51, 93});
  };
  const auto left = fewest(up_to(100), errs, 10);
  EXPECT_EQ(tries, 10U);
  EXPECT_TRUE(errs(left));
}

TEST(Smallest, OneAvatarOneObjectFewTriangles) {
  const Case whole = make_case(2).value();
  const auto reports = ask(whole, {"cpu", {.backend = Backend::kCpu}}, {}).value();
  const auto touching =
      std::ranges::find_if(reports, [](const StepReport& r) { return r.contacts.size() > 1; });
  ASSERT_NE(touching, reports.end());
  // A backend that loses the contacts with this object.
  const std::string object =
      whole.rooms.front().objects()[touching->contacts.back().room()->object].name;
  const auto errs = [&](const Case& part) {
    const auto found = ask(part, {"cpu", {.backend = Backend::kCpu}}, {}).value();
    return std::ranges::any_of(found, [&](const StepReport& r) {
      return std::ranges::any_of(r.contacts, [&](const Contact& c) {
        return part.rooms.front().objects()[c.room()->object].name == object;
      });
    });
  };
  const Case small = smallest(whole, static_cast<std::size_t>(touching - reports.begin()), errs);
  EXPECT_EQ(small.instants.size(), 1U);
  EXPECT_EQ(small.members.size(), 1U);
  ASSERT_EQ(small.rooms.front().objects().size(), 1U);
  EXPECT_EQ(small.rooms.front().objects().front().name, object);
  EXPECT_LE(small.rooms.front().triangles().size(), 2U);
  EXPECT_TRUE(errs(small));
}

TEST(Smallest, WhatNeedsTwoKeepsTwo) {
  const Case whole = make_case(1).value();
  ASSERT_TRUE(whole.meet);
  const auto reports = ask(whole, {"cpu", {.backend = Backend::kCpu}}, {}).value();
  const auto meets = [](const StepReport& r) {
    return std::ranges::any_of(r.contacts, [&](const Contact& c) {
      return c.other() != nullptr && c.other()->avatar != r.avatar;
    });
  };
  const auto at = std::ranges::find_if(reports, meets);
  ASSERT_NE(at, reports.end());
  const auto errs = [&](const Case& part) {
    return std::ranges::any_of(ask(part, {"cpu", {.backend = Backend::kCpu}}, {}).value(), meets);
  };
  const Case small = smallest(whole, static_cast<std::size_t>(at - reports.begin()), errs);
  EXPECT_EQ(small.members.size(), 2U);
  EXPECT_TRUE(errs(small));
}

TEST(Smallest, WhatNoInstantShowsStaysWhole) {
  const Case whole = make_case(1).value();
  const auto errs = [&](const Case& part) { return part.instants.size() == whole.instants.size(); };
  EXPECT_EQ(smallest(whole, 0, errs).steps(), whole.steps());
}

}  // namespace
}  // namespace tocsin::selftest::smallest_test
