// The report's writer and the episodes, from steps and contacts made by hand.
#include "io/report/report.h"

#include <gtest/gtest.h>

#include <limits>

#include "io/report/episodes.h"
#include "io/report/option_names.h"
#include "tocsin/motion.h"

namespace tocsin::io::report_test {
namespace {

/// Steps of a motion of one joint that stands still; 0.25 s a frame, so that times are exact.
StepList steps_of(std::int64_t frames, const StepRange& range = {}) {
  const auto skeleton = Skeleton::create({Joint{"a", -1, {}}});
  const auto motion =
      Motion::create(*skeleton, 0.25, std::vector<Transform>(static_cast<std::size_t>(frames)));
  return motion->steps(range).value();
}

Contact contact(std::int32_t link, std::uint32_t object, double lo, double hi,
                ContactStatus status = ContactStatus::kHit) {
  Contact out;
  out.link = link;
  out.touched = RoomTriangle{object, 0};
  out.toc = {lo, hi};
  out.status = status;
  return out;
}

StepReport report_of(const Step& step, std::vector<Contact> contacts) {
  StepReport out;
  out.step = step.index();
  out.frames = step.frames();
  out.contacts = std::move(contacts);
  return out;
}

TEST(Fnv1a64, TheAuthorsTestVectors) {
  // Fowler, Noll and Vo's test suite (draft-eastlake-fnv).
  Fnv1a64 empty;
  EXPECT_EQ(empty.hex(), "cbf29ce484222325");
  Fnv1a64 a;
  a.update("a");
  EXPECT_EQ(a.hex(), "af63dc4c8601ec8c");
  Fnv1a64 foobar;
  foobar.update("foo");
  foobar.update("bar");
  EXPECT_EQ(foobar.hex(), "85944171f73967e8");
  EXPECT_EQ(foobar.value(), 0x85944171f73967e8U);
  Fnv1a64 high;  // a byte above 127, as in names that are not ASCII
  high.update(std::string_view("\xff\0\0\1", 4));
  EXPECT_EQ(high.hex(), "6961196491cc682d");
}

TEST(ContactLine, ToTheLetter) {
  const auto steps = steps_of(20, {12, 14, 1, InBetween::kScrew, false});
  Contact c = contact(0, 0, 0.25, 0.5);
  c.room()->triangle = 1234;
  c.point = {1.0, -0.5, 1e-7};
  c.normal = Vec3{0.0, 1.0, 0.0};
  EXPECT_EQ(
      contact_line(steps[0], c, 0, "left_forearm", "SofaC_01_001"),
      R"({"type":"contact","step":12,"frames":[12,13],"seconds":[3.0625,3.125],"toc":[0.25,0.5],)"
      R"("avatar":0,"link":"left_forearm","object":"SofaC_01_001","triangle":1234,"status":"hit",)"
      R"("point":[1,-0.5,1e-07],"normal":[0,1,0]})");
  c.touching = {0.375, 0.5};
  EXPECT_NE(contact_line(steps[0], c, 0, "l", "o")
                .find(R"("toc":[0.25,0.5],"touching":[0.375,0.5],"avatar":0,)"),
            std::string::npos);
  c.touching.reset();
  c.normal.reset();
  c.limited = true;
  c.status = ContactStatus::kGraze;
  const std::string line = contact_line(steps[0], c, 0, "l", "o");
  EXPECT_NE(line.find(R"("status":"graze")"), std::string::npos);
  EXPECT_TRUE(line.ends_with(R"("normal":null,"limited":true})")) << line;
}

TEST(ContactLine, OfTwoLinksToTheLetter) {
  const auto steps = steps_of(20, {12, 14, 1, InBetween::kScrew, false});
  Contact c = contact(0, 0, 0.25, 0.5);
  c.touched = OtherLink{3, 1};
  c.point = {1.0, -0.5, 0.0};
  EXPECT_EQ(
      contact_line(steps[0], c, 2, "left_hand", "right_forearm"),
      R"({"type":"contact","step":12,"frames":[12,13],"seconds":[3.0625,3.125],"toc":[0.25,0.5],)"
      R"("avatar":2,"link":"left_hand","other":{"avatar":3,"link":"right_forearm"},)"
      R"("status":"hit","point":[1,-0.5,0],"normal":null})");
}

TEST(ContactLine, OfShapesNamesTheirTriangles) {
  const auto steps = steps_of(20, {12, 14, 1, InBetween::kScrew, false});
  Contact c = contact(0, 0, 0.25, 0.5);
  c.link_feature = 7;
  EXPECT_NE(contact_line(steps[0], c, 0, "sword", "Wall")
                .find(R"("object":"Wall","triangle":0,"link_triangle":7,"status":"hit")"),
            std::string::npos);
  c.touched = OtherLink{3, 1};
  c.other_feature = 0;
  EXPECT_NE(
      contact_line(steps[0], c, 0, "sword", "shield")
          .find(
              R"("other":{"avatar":3,"link":"shield"},"link_triangle":7,"other_triangle":0,"status")"),
      std::string::npos);
}

/// The same, of one avatar of several; `other`: what it touches.
StepReport report_by(std::int32_t avatar, const Step& step, std::vector<Contact> contacts) {
  StepReport out = report_of(step, std::move(contacts));
  out.avatar = avatar;
  return out;
}

Contact meeting(std::int32_t link, OtherLink other, double lo, double hi) {
  Contact out = contact(link, 0, lo, hi);
  out.touched = other;
  return out;
}

TEST(ReportWriter, NamesTheAvatarsOfSeveralTakes) {
  const auto steps = steps_of(3);
  std::string text;
  ReportWriter writer({{{"a0"}, {"b0", "b1"}}, {"o0"}}, [&text](std::string_view line) {
    text += line;
    return true;
  });
  StepReport second = report_by(1, steps[0], {contact(1, 0, 0.25, 0.25)});
  second.clearances = {0.5, 0.0};
  writer.step(steps[0],
              report_by(0, steps[0], {contact(0, 0, 0.5, 0.5), meeting(0, {1, 1}, 0.5, 0.75)}));
  writer.step(steps[0], second);
  writer.step(steps[1], report_by(1, steps[1], {contact(0, 0, 0.0, 0.0)}));
  writer.summary({});
  EXPECT_EQ(writer.tally().steps, 3);
  EXPECT_EQ(writer.tally().contacts, 4);
  EXPECT_NE(text.find(R"("avatar":0,"link":"a0","other":{"avatar":1,"link":"b1"},"status")"),
            std::string::npos);
  EXPECT_NE(text.find(R"("avatar":1,"link":"b0","metres":0.5})"), std::string::npos);
  // The earliest of step 0 is the second avatar's.
  EXPECT_EQ(writer.first(), contact_line(steps[0], contact(1, 0, 0.25, 0.25), 1, "b1", "o0"));
}

TEST(Episodes, OfSeveralAvatarsAreOfEachPair) {
  const auto steps = steps_of(4);
  EpisodeTracker tracker;
  // Link 0 of avatar 0: an object in steps 0 and 1, link 0 of avatar 1 in 0 and 2, link 1 in 0;
  // link 0 of avatar 1: the same object in steps 1 and 2. Reports of two avatars take turns.
  tracker.add(steps[0], report_by(0, steps[0],
                                  {contact(0, 0, 0.5, 0.5), meeting(0, {1, 0}, 0.5, 0.5),
                                   meeting(0, {1, 1}, 0.25, 0.25)}));
  tracker.add(steps[0], report_by(1, steps[0], {}));
  tracker.add(steps[1], report_by(0, steps[1], {contact(0, 0, 0.0, 0.0)}));
  tracker.add(steps[1], report_by(1, steps[1], {contact(0, 0, 0.5, 0.5)}));
  tracker.add(steps[2], report_by(0, steps[2], {meeting(0, {1, 0}, 0.0, 0.0)}));
  tracker.add(steps[2], report_by(1, steps[2], {contact(0, 0, 0.0, 0.0)}));
  const auto episodes = tracker.sorted();
  ASSERT_EQ(episodes.size(), 5U);
  EXPECT_EQ(episodes[0].first.touched, Touched(OtherLink{1, 1}));  // the earliest
  EXPECT_FALSE(episodes[1].first.other());  // then the object before the link
  EXPECT_EQ(episodes[1].steps, 2);
  EXPECT_EQ(episodes[2].first.touched, Touched(OtherLink{1, 0}));
  EXPECT_EQ(episodes[2].steps, 1);
  EXPECT_EQ(episodes[3].avatar, 1);
  EXPECT_EQ(episodes[3].steps, 2);
  EXPECT_EQ(episodes[4].first.touched, Touched(OtherLink{1, 0}));
}

TEST(ClearanceLine, ToTheLetter) {
  const auto steps = steps_of(4);
  EXPECT_EQ(
      clearance_line(steps[2], 0.125, 0, "head"),
      R"({"type":"clearance","step":2,"frames":[2,3],"avatar":0,"link":"head","metres":0.125})");
}

TEST(EpisodeLine, ToTheLetter) {
  const auto steps = steps_of(20, {12, 15, 1, InBetween::kScrew, false});
  EpisodeTracker tracker;
  tracker.add(steps[0], report_of(steps[0], {contact(0, 0, 0.25, 0.5)}));
  tracker.add(steps[1], report_of(steps[1], {contact(0, 0, 0.0, 0.0, ContactStatus::kOverlap)}));
  const std::string first = contact_line(steps[0], contact(0, 0, 0.25, 0.5), 0, "hand", "Sofa");
  EXPECT_EQ(episode_line(tracker.sorted().at(0), "hand", "Sofa"),
            R"({"type":"episode","avatar":0,"link":"hand","object":"Sofa","frames":[12,14],)"
            R"("seconds":[3.125,3.5],"steps":2,"first":)" +
                first + "}");
  tracker.add(steps[2], report_by(1, steps[2], {meeting(2, {3, 1}, 0.5, 0.5)}));
  EXPECT_TRUE(episode_line(tracker.sorted().at(1), "hand", "head")
                  .starts_with(R"({"type":"episode","avatar":1,"link":"hand",)"
                               R"("other":{"avatar":3,"link":"head"},"frames":[14,15],)"));
}

TEST(EpisodeLine, TheDeepestMomentToTheLetter) {
  const auto steps = steps_of(20, {12, 15, 1, InBetween::kScrew, false});
  EpisodeTracker tracker;
  tracker.add(steps[0], report_of(steps[0], {contact(0, 0, 0.25, 0.5)}));
  Episode episode = tracker.sorted().at(0);
  const auto deepest = [&episode] {
    const std::string line = episode_line(episode, "hand", "Sofa");
    const std::size_t begin = line.find("\"deepest\"");
    return line.substr(begin, line.find(",\"first\"") - begin);
  };
  episode.deepest = Deepest{{12, 12}, 3.0, 0.25};
  EXPECT_EQ(deepest(), R"("deepest":{"frame":12,"seconds":3,"depth":0.25})");
  episode.deepest = Deepest{{12, 13}, 3.125, 0.5, true, true};
  EXPECT_EQ(deepest(), R"("deepest":{"frame":12,"seconds":3.125,"depth":0.5,"inside":true,)"
                       R"("through":true,"between":true})");
}

TEST(NearLine, ToTheLetter) {
  EXPECT_EQ(near_line({0, 2, RoomTriangle{3, 0}, {7, 7}, 1.75, 0.125}, "hand", "Sofa"),
            R"({"type":"near","avatar":0,"link":"hand","object":"Sofa","frame":7,"seconds":1.75,)"
            R"("metres":0.125})");
  EXPECT_EQ(near_line({0, 2, OtherLink{1, 4}, {7, 8}, 1.75, 0.125}, "hand", "head"),
            R"({"type":"near","avatar":0,"link":"hand","other":{"avatar":1,"link":"head"},)"
            R"("frame":7,"seconds":1.75,"metres":0.125,"between":true})");
}

TEST(NearestLine, ToTheLetter) {
  EXPECT_EQ(nearest_line({0, 2, 7, {7, 9}, 1.75, 0.125, RoomTriangle{3, 0}, 0.25}, "hand", "Sofa"),
            R"({"type":"nearest","avatar":0,"link":"hand","object":"Sofa","step":7,)"
            R"("frames":[7,9],"seconds":1.75,"clearance":0.125,"metres":0.25})");
  EXPECT_EQ(
      nearest_line({1, 2, 7, {7, 8}, 1.75, 0.0, OtherLink{0, 4}, std::nullopt}, "hand", "head"),
      R"({"type":"nearest","avatar":1,"link":"hand","other":{"avatar":0,"link":"head"},)"
      R"("step":7,"frames":[7,8],"seconds":1.75,"clearance":0})");
  const double none = std::numeric_limits<double>::infinity();
  EXPECT_EQ(nearest_line({0, 2, 0, {0, 1}, 0.0, none, std::nullopt, std::nullopt}, "hand", ""),
            R"({"type":"nearest","avatar":0,"link":"hand","step":0,"frames":[0,1],"seconds":0,)"
            R"("clearance":null})");
}

TEST(ReportWriter, EpisodesComeBeforeTheSummaryAndAreNotInTheHash) {
  const auto steps = steps_of(3);
  const auto lines = [&steps](EpisodeTracker::Keep keep, std::string& hash) {
    std::vector<std::string> out;
    ReportWriter writer(
        {"l0"}, {"o0", "o1"},
        [&out](std::string_view line) {
          out.emplace_back(line.substr(0, line.find(',')));
          return true;
        },
        keep);
    writer.step(steps[0], report_of(steps[0], {contact(0, 1, 0.5, 0.5)}));
    writer.step(steps[1], report_of(steps[1], {contact(0, 0, 0.25, 0.5)}));
    EXPECT_TRUE(writer.summary({}));
    hash = writer.hash();
    return out;
  };
  std::string with;
  std::string without;
  const std::string contact = R"({"type":"contact")";
  const std::string episode = R"({"type":"episode")";
  const std::string summary = R"({"type":"summary")";
  EXPECT_EQ(lines(EpisodeTracker::Keep::kAll, with),
            (std::vector{contact, contact, episode, episode, summary}));
  // A session may have no end: its record counts episodes and does not keep them.
  EXPECT_EQ(lines(EpisodeTracker::Keep::kCount, without), (std::vector{contact, contact, summary}));
  EXPECT_EQ(with, without);
}

TEST(RunLine, AFileNameOfAnyBytes) {
  RunRecord run;
  run.inputs = {{"motion", "a\xff.bvh", "00"}, {"environment", "b\xc3\xa9.obj", "00"}};
  const std::string line = run_line(run);
  EXPECT_NE(line.find("{\"role\":\"motion\",\"file\":\"a\xef\xbf\xbd.bvh\",\"sha256\":\"00\","
                      "\"file_bytes\":\"61ff2e627668\"}"),
            std::string::npos)
      << line;
  EXPECT_NE(line.find("\"file\":\"b\xc3\xa9.obj\",\"sha256\":\"00\"}"), std::string::npos) << line;
}

TEST(RunLine, AChoiceIsSaidAndAnythingElseIsAsBefore) {
  RunRecord run;
  run.backend = "cpu";
  const std::string named = run_line(run);
  EXPECT_NE(named.find(R"("backend":"cpu","device":"","certified":true,)"), std::string::npos);
  run.choice = "there is no \"GPU\"";
  std::string chosen = run_line(run);
  const std::string field = R"("choice":"there is no \"GPU\"",)";
  ASSERT_NE(chosen.find(field), std::string::npos) << chosen;
  EXPECT_EQ(chosen.erase(chosen.find(field), field.size()), named);
}

TEST(ReportWriter, CountsAndKeepsTheEarliest) {
  const auto steps = steps_of(4);
  std::string text;
  ReportWriter writer({"l0", "l1"}, {"o0", "o1"}, [&text](std::string_view line) {
    text += line;
    return true;
  });
  Contact limited = contact(1, 1, 0.5, 1.0, ContactStatus::kGraze);
  limited.limited = true;
  writer.step(steps[0], report_of(steps[0], {}));
  writer.step(steps[1], report_of(steps[1], {contact(0, 0, 0.2, 0.75), contact(0, 1, 0.2, 0.75),
                                             contact(1, 0, 0.25, 0.5), limited}));
  writer.step(steps[2], report_of(steps[2], {contact(0, 0, 0.0, 0.0, ContactStatus::kOverlap),
                                             contact(1, 0, 0.0, 0.0, ContactStatus::kOverlap)}));
  writer.summary({{"load", 1.5}});
  EXPECT_EQ(writer.tally().steps, 3);
  EXPECT_EQ(writer.tally().contacts, 6);
  EXPECT_EQ(writer.tally().hit, 3);
  EXPECT_EQ(writer.tally().graze, 1);
  EXPECT_EQ(writer.tally().overlap, 2);
  EXPECT_EQ(writer.tally().limited, 1);
  EXPECT_EQ(writer.episodes().count(), 4U);
  // The earliest by (lo, hi), of equals the first in order.
  EXPECT_EQ(writer.first(), contact_line(steps[1], contact(0, 0, 0.2, 0.75), 0, "l0", "o0"));
  EXPECT_NE(text.find("\"first\":" + writer.first() + ",\"hash\":\"" + writer.hash() +
                      "\",\"milliseconds\":{\"load\":1.5}}\n"),
            std::string::npos)
      << text;
}

TEST(ReportWriter, StopsWhereTheSinkFails) {
  const auto steps = steps_of(3);
  int lines = 0;
  ReportWriter writer({"l0"}, {"o0", "o1"}, [&lines](std::string_view) { return ++lines < 2; });
  EXPECT_FALSE(writer.step(
      steps[0], report_of(steps[0], {contact(0, 0, 0.1, 0.2), contact(0, 1, 0.1, 0.2)})));
  EXPECT_EQ(lines, 2);
  lines = 0;
  StepReport clearances = report_of(steps[0], {});
  clearances.clearances = {0.5, 0.5, 0.5};
  ReportWriter other({"l0", "l1", "l2"}, {}, [&lines](std::string_view) { return ++lines < 2; });
  EXPECT_FALSE(other.step(steps[0], clearances));
  EXPECT_EQ(lines, 2);
}

TEST(Episodes, AreRunsOfConsecutiveStepsOfOnePair) {
  const auto steps = steps_of(9);
  EpisodeTracker tracker;
  EpisodeTracker counter(EpisodeTracker::Keep::kCount);
  // Pair (0, 0) in steps 1, 2, 4; pair (0, 1) in 2; pair (1, 0) in 7.
  const std::vector<std::vector<Contact>> contacts{
      {},
      {contact(0, 0, 0.5, 0.5)},
      {contact(0, 0, 0, 0.5, ContactStatus::kGraze), contact(0, 1, 0.25, 0.5)},
      {},
      {contact(0, 0, 0.25, 1.0, ContactStatus::kGraze)},
      {},
      {},
      {contact(1, 0, 0, 0, ContactStatus::kOverlap)}};
  for (std::size_t i = 0; i < steps.size(); ++i) {
    tracker.add(steps[i], report_of(steps[i], contacts[i]));
    counter.add(steps[i], report_of(steps[i], contacts[i]));
  }
  EXPECT_EQ(counter.count(), 4U);
  EXPECT_TRUE(counter.sorted().empty());
  ASSERT_EQ(tracker.count(), 4U);
  const auto episodes = tracker.sorted();
  EXPECT_EQ(episodes[0].steps, 2);
  EXPECT_EQ(episodes[0].frames, (std::array<std::int64_t, 2>{1, 3}));
  EXPECT_EQ(episodes[0].first_touch, (std::array<double, 2>{0.375, 0.375}));
  EXPECT_EQ(episodes[0].until, 0.75);
  EXPECT_EQ(episodes[0].duration(), 0.375);
  EXPECT_EQ(episodes[0].first.status, ContactStatus::kHit);
  EXPECT_TRUE(episodes[0].proved);
  EXPECT_EQ(episodes[1].first.room()->object, 1U);
  EXPECT_EQ(episodes[1].first_touch, (std::array<double, 2>{0.5625, 0.625}));
  EXPECT_FALSE(episodes[2].proved);
  EXPECT_EQ(episodes[3].first.link, 1);
}

TEST(Episodes, ConsecutiveMeansOneStepAfterTheOtherWhateverTheStride) {
  const auto steps = steps_of(10, {0, -1, 4, InBetween::kScrew, false});  // 0-4, 4-8, 8-9
  ASSERT_EQ(steps.size(), 3U);
  EpisodeTracker tracker;
  for (const Step& step : steps) tracker.add(step, report_of(step, {contact(0, 0, 0.5, 0.5)}));
  ASSERT_EQ(tracker.count(), 1U);
  EXPECT_EQ(tracker.sorted()[0].steps, 3);
  EXPECT_EQ(tracker.sorted()[0].until, 9 * 0.25);
}

TEST(OptionNames, ReadBackWhatTheyWrite) {
  for (const auto value : {UpAxis::kY, UpAxis::kZ, UpAxis::kX}) {
    EXPECT_EQ(value_named<UpAxis>(name_of(value)), value);
  }
  for (const auto value : {InBetween::kScrew, InBetween::kTranslateRotate}) {
    EXPECT_EQ(value_named<InBetween>(name_of(value)), value);
  }
  for (const auto value : {Backend::kAuto, Backend::kCpu, Backend::kGl, Backend::kCuda}) {
    EXPECT_EQ(value_named<Backend>(name_of(value)), value);
  }
  for (const auto value : {Absence::kGone, Absence::kStays}) {
    EXPECT_EQ(value_named<Absence>(name_of(value)), value);
  }
  EXPECT_EQ(value_named<Contacts>("none"), std::nullopt);
  EXPECT_EQ(all_names<Contacts>(), "pairs, first");
  EXPECT_EQ(all_names<ContactStatus>(), "overlap, hit, graze");
}

}  // namespace
}  // namespace tocsin::io::report_test
