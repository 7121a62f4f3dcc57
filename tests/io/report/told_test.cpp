// Reports' lines as values: what is read, and what is refused.
#include "io/report/told.h"

#include <gtest/gtest.h>

namespace tocsin::io::told_test {
namespace {

const std::string kContact =
    R"({"type":"contact","step":3,"frames":[3,4],"seconds":[0.31,0.32],"toc":[0.1,0.2],"avatar":0,)"
    R"("link":"arm","object":"Wall","triangle":7,"status":"hit","point":[1,2,3],"normal":[0,0,1]})";

std::string changed(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

std::string episode_of(const std::string& contact) {
  return R"({"type":"episode","avatar":0,"link":"arm","object":"Wall","frames":[3,5],)"
         R"("seconds":[0.32,0.5],"steps":2,"deepest":{"frame":4,"seconds":0.4,"depth":0.05,)"
         R"("through":true},"first":)" +
         contact + "}";
}

ReadReport report_of(const std::vector<std::string>& contacts,
                     const std::vector<std::string>& episodes,
                     const std::vector<std::string>& clearances = {}) {
  ReadReport out;
  out.run.links = {"arm", "leg"};
  std::int64_t number = 2;
  for (const auto& [texts, lines] :
       {std::pair(&contacts, &out.contacts), std::pair(&episodes, &out.episode_lines),
        std::pair(&clearances, &out.clearances)}) {
    for (const std::string& text : *texts) lines->push_back({number++, 0, text});
  }
  return out;
}

TEST(Told, EveryFieldIsRead) {
  const auto told = read_told(
      report_of(
          {kContact}, {episode_of(kContact)},
          {R"({"type":"clearance","step":3,"frames":[3,4],"avatar":0,"link":"leg","metres":0.5})",
           R"({"type":"clearance","step":3,"frames":[3,4],"avatar":0,"link":"arm","metres":null})"}),
      "r.jsonl");
  ASSERT_TRUE(told.ok()) << told.error().message;
  ASSERT_EQ(told->contacts.size(), 1U);
  const ToldContact& c = told->contacts[0];
  EXPECT_EQ(c.pair.link, "arm");
  EXPECT_EQ(c.pair.object, "Wall");
  EXPECT_FALSE(c.pair.of_links());
  EXPECT_EQ(c.step, 3);
  EXPECT_EQ(c.frames, (std::array<std::int64_t, 2>{3, 4}));
  EXPECT_EQ(c.seconds, (std::array<double, 2>{0.31, 0.32}));
  EXPECT_EQ(c.toc, (std::array<double, 2>{0.1, 0.2}));
  EXPECT_EQ(c.status, ContactStatus::kHit);
  EXPECT_EQ(c.triangle, 7);
  EXPECT_EQ(c.point, (Vec3{1, 2, 3}));
  EXPECT_EQ(c.normal, (Vec3{0, 0, 1}));
  ASSERT_EQ(told->episodes.size(), 1U);
  const ToldEpisode& e = told->episodes[0];
  EXPECT_EQ(e.seconds, (std::array<double, 2>{0.32, 0.5}));
  EXPECT_EQ(e.steps, 2);
  EXPECT_EQ(e.contacts, (std::vector<std::size_t>{0}));
  ASSERT_TRUE(e.deepest);
  EXPECT_EQ(e.deepest->depth, 0.05);
  EXPECT_TRUE(e.deepest->through);
  EXPECT_FALSE(e.deepest->inside);
  ASSERT_EQ(told->clearances.size(), 2U);
  EXPECT_EQ(told->clearances[0].metres, 0.5);
  EXPECT_FALSE(told->clearances[1].metres);
  EXPECT_FALSE(told->lacks_episodes);
}

TEST(Told, WhatIsWrongIsNamedWithItsLine) {
  const auto refused = [](const ReadReport& report, const std::string& why) {
    const auto told = read_told(report, "r.jsonl");
    ASSERT_FALSE(told.ok()) << why;
    EXPECT_EQ(told.error().code, ErrorCode::kInput);
    EXPECT_EQ(told.error().message, "r.jsonl:" + why);
  };
  refused(report_of({changed(kContact, "\"arm\"", "\"wing\"")}, {}),
          "2: avatar 0 has no link \"wing\"");
  refused(report_of({changed(kContact, "\"avatar\":0", "\"avatar\":1")}, {}),
          "2: there is no avatar 1");
  refused(report_of({changed(kContact, "\"toc\":[0.1,0.2],", "")}, {}),
          "2: field \"toc\" is missing");
  refused(report_of({changed(kContact, "[1,2,3]", "[1,2]")}, {}),
          "2: field \"point\" is not an array of 3");
  refused(report_of({changed(kContact, "\"hit\"", "\"miss\"")}, {}),
          "2: field \"status\" is not one of overlap, hit, graze");
  refused(report_of({kContact, changed(kContact, "\"triangle\":7,", "")}, {}),
          "3: field \"triangle\" is missing");
  refused(report_of({kContact}, {changed(episode_of(kContact), "\"Wall\"", "\"Door\"")}),
          "3: field \"first\" is of another pair");
  refused(report_of({kContact}, {changed(episode_of(kContact), "[3,5]", "[7,9]")}),
          "3: an episode without a contact line");
  refused(report_of({changed(kContact, R"("object":"Wall","triangle":7)",
                             R"("other":{"avatar":0,"link":"wing"})")},
                    {}),
          "2: avatar 0 has no link \"wing\"");
}

TEST(Told, EpisodesArePutTogetherFromSteps) {
  const std::string next =
      changed(changed(kContact, "\"step\":3,\"frames\":[3,4]", "\"step\":4,\"frames\":[4,5]"),
              "\"hit\"", "\"overlap\"");
  const std::string later =
      changed(changed(kContact, "\"step\":3,\"frames\":[3,4]", "\"step\":7,\"frames\":[7,8]"),
              "[0.31,0.32]", "[0.71,0.72]");
  const std::string leg = changed(kContact, "\"arm\"", "\"leg\"");
  auto told = read_told(report_of({kContact, leg, next, later}, {}), "r.jsonl");
  ASSERT_TRUE(told.ok());
  EXPECT_TRUE(told->lacks_episodes);
  derive_episodes(*told, [](std::int32_t, std::int64_t step) {
    return StepPlace{static_cast<std::size_t>(step), 0.1 * static_cast<double>(step + 1)};
  });
  ASSERT_EQ(told->episodes.size(), 3U);
  EXPECT_EQ(told->episodes[0].pair().link, "arm");
  EXPECT_EQ(told->episodes[0].steps, 2);
  EXPECT_EQ(told->episodes[0].frames, (std::array<std::int64_t, 2>{3, 5}));
  EXPECT_EQ(told->episodes[0].seconds, (std::array<double, 2>{0.32, 0.5}));
  EXPECT_EQ(told->episodes[0].contacts, (std::vector<std::size_t>{0, 2}));
  EXPECT_EQ(told->episodes[1].pair().link, "leg");
  EXPECT_EQ(told->episodes[2].frames, (std::array<std::int64_t, 2>{7, 8}));
  EXPECT_EQ(told->episodes[2].contacts, (std::vector<std::size_t>{3}));
}

}  // namespace
}  // namespace tocsin::io::told_test
