// `tocsin check` with several takes, and with --self.
#include <gtest/gtest.h>

#include <cstdlib>
#include <nlohmann/json.hpp>

#include "cli/check/meeting_scene.h"
#include "support/contains.h"

namespace tocsin::test::meeting_test {
namespace {

using Json = nlohmann::json;

/// What is expected of a contact line.
struct ExpectedMeeting {
  int step;
  int avatar;
  std::string link;
  std::string touched;  ///< an object, or a link
  int other;            ///< its avatar; -1: an object
  double toc;
  double seconds;
  std::string status;
};

void expect_meetings(const std::string& report, const std::vector<ExpectedMeeting>& expected) {
  const auto lines = lines_of_type(report, "contact");
  ASSERT_EQ(lines.size(), expected.size()) << report;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    SCOPED_TRACE(lines[i]);
    const Json line = Json::parse(lines[i]);
    const ExpectedMeeting& e = expected[i];
    EXPECT_EQ(line["step"], e.step);
    EXPECT_EQ(line["frames"], (Json{e.step, e.step + 1}));
    EXPECT_EQ(line["avatar"], e.avatar);
    EXPECT_EQ(line["link"], e.link);
    EXPECT_EQ(line["status"], e.status);
    // A room's corners are floats: x = 2.3 is 4.8e-8 m off, at 5 m/s and more and 0.05 s a step.
    const double off = e.other < 0 ? 2e-7 : 2e-9;
    for (const std::size_t end : {std::size_t{0}, std::size_t{1}}) {
      EXPECT_NEAR(line["toc"][end].get<double>(), e.toc, off);
      EXPECT_NEAR(line["seconds"][end].get<double>(), e.seconds, 0.1 * off);
    }
    EXPECT_EQ(line.contains("object"), e.other < 0);
    EXPECT_EQ(line.contains("triangle"), e.other < 0);
    if (e.other < 0) {
      EXPECT_EQ(line["object"], e.touched);
    } else {
      EXPECT_EQ(line["other"], (Json{{"avatar", e.other}, {"link", e.touched}}));
    }
  }
}

std::string report_of(const CommandResult& result) {
  EXPECT_EQ(result.status, 0) << result.err;
  return result.out;
}

TEST(Meeting, TakesOfDifferentRateMeetOnOneTimeLine) {
  const MeetingScene scene;
  const std::string report = report_of(scene.check({"--out", "-"}));
  expect_meetings(report, {{0, 1, "pole", "Wall", -1, 0.8, 0.08, "hit"},
                           {1, 1, "pole", "Wall", -1, 0.0, 0.1, "overlap"},
                           {1, 1, "pole", "Shelf", -1, 0.4, 0.12, "hit"},
                           {2, 0, "pole", "pole", 1, 11.0 / 15.0, 2.8 / 15.0, "hit"},
                           {2, 1, "pole", "Shelf", -1, 0.0, 0.15, "overlap"},
                           {3, 0, "pole", "Wall", -1, 0.4, 0.24, "hit"},
                           {3, 0, "pole", "Shelf", -1, 0.2, 0.22, "hit"},
                           {3, 0, "pole", "pole", 1, 0.0, 0.2, "overlap"}});
  // The meeting of step 2: on b's surface, on the side of a.
  const Json meeting = Json::parse(lines_of_type(report, "contact")[3]);
  EXPECT_NEAR(meeting["point"][0].get<double>(), 3.0 - 5.0 * 2.8 / 15.0 - 0.1, 1e-8);
  EXPECT_NEAR(meeting["normal"][0].get<double>(), -1.0, 1e-9);
  const Json summary = Json::parse(lines_of_type(report, "summary").at(0));
  EXPECT_EQ(summary["steps"], 8);
  EXPECT_EQ(summary["contacts"], 8);
  EXPECT_EQ(summary["hit"], 5);
  EXPECT_EQ(summary["overlap"], 3);
  EXPECT_EQ(summary["episodes"], 5);
  EXPECT_EQ(summary["first"], Json::parse(lines_of_type(report, "contact")[0]));
  EXPECT_EQ(summary["hash"], hash_of_contacts(report));
}

TEST(Meeting, TheRunLineNamesAllTakes) {
  const MeetingScene scene;
  const CommandResult result = scene.check({"--start", "0", "--start", "0.25", "--place", "0,0,0",
                                            "--place", "1,0,2,90", "--frames", ":2", "--out", "-"});
  const Json run = Json::parse(lines_of(report_of(result)).at(0));
  std::vector<std::string> inputs;
  for (const Json& input : run["inputs"]) {
    inputs.push_back(input["role"].get<std::string>() + " " + input["file"].get<std::string>());
  }
  EXPECT_EQ(inputs, (std::vector<std::string>{"motion a.bvh", "avatar pole.json", "motion b.bvh",
                                              "avatar pole.json", "environment room.obj"}));
  const Json& options = run["options"];
  EXPECT_EQ(options["start"], (Json{0, 0.25}));
  EXPECT_EQ(options["place"], (Json{{0, 0, 0, 0}, {1, 0, 2, 90}}));
  EXPECT_EQ(options["frames"], (Json{{0, 2, 1}, {0, 2, 1}}));
  EXPECT_EQ(options["absent"], "gone");
  EXPECT_FALSE(options.contains("self"));
  EXPECT_EQ(run["links"], Json{"pole"});
  EXPECT_EQ(run["frames"], 4);
  ASSERT_EQ(run["avatars"].size(), 2U);
  EXPECT_EQ(run["avatars"][1]["motion"], "b.bvh");
  EXPECT_EQ(run["avatars"][1]["name"], "pole");
  EXPECT_EQ(run["avatars"][1]["frames"], 3);
  EXPECT_EQ(run["avatars"][1]["frame_time"], 0.15);
  // 0, 0.1, 0.2 s and 0.25, 0.4, 0.55 s.
  EXPECT_EQ(run["time_line"]["instants"], 6);
  EXPECT_EQ(run["time_line"]["from"], 0);
  EXPECT_NEAR(run["time_line"]["to"].get<double>(), 0.55, 1e-15);
}

TEST(Meeting, OneTakeIsNoMeeting) {
  const PoleScene scene;
  const Json run = Json::parse(lines_of(scene.report()).at(0));
  for (const char* const field : {"avatars", "time_line"}) EXPECT_FALSE(run.contains(field));
  for (const char* const field : {"self", "start", "absent"}) {
    EXPECT_FALSE(run["options"].contains(field));
  }
}

// a ends at 0.3 s, at x = 3; b begins at 0.5 s, at x = 3, and leaves to 1.5.
TEST(Meeting, WhoIsAbsentIsGoneOrStays) {
  const MeetingScene scene;
  const std::vector<std::string> later{"--start", "0", "--start",  "0.5",
                                       "--out",   "-", "--ignore", "*:*"};
  const std::string gone = report_of(scene.check(later));
  expect_meetings(gone, {});
  EXPECT_EQ(Json::parse(lines_of_type(gone, "summary").at(0))["steps"], 3 + 2);
  std::vector<std::string> stays = later;
  stays.insert(stays.end(), {"--absent", "stays"});
  // Instants 0, 0.1, 0.2, 0.3, 0.5, 0.65, 0.8: b waits at x = 3 and a comes to 2.8 at 0.28 s; a
  // waits at x = 3, and b leaves it in the step that begins at 0.5 s.
  const std::string report = report_of(scene.check(stays));
  expect_meetings(report, {{2, 0, "pole", "pole", 1, 0.8, 0.28, "hit"},
                           {3, 0, "pole", "pole", 1, 0.0, 0.3, "overlap"},
                           {4, 0, "pole", "pole", 1, 0.0, 0.5, "overlap"}});
  EXPECT_EQ(Json::parse(lines_of_type(report, "summary").at(0))["steps"], 12);
}

TEST(Meeting, TheSameForEveryThreadCountAndBackend) {
  const MeetingScene scene;
  const std::string hash = hash_of_contacts(report_of(scene.check({"--out", "-"})));
  for (const std::string threads : {"1", "2", "8"}) {
    EXPECT_EQ(hash_of_contacts(report_of(scene.check({"--threads", threads, "--out", "-"}))), hash);
  }
  const CommandResult gl = scene.check({"--backend", "gl", "--out", "-"});
  if (gl.status == 2 && std::getenv("TOCSIN_NEEDS_GL") == nullptr) GTEST_SKIP() << gl.err;
  ASSERT_EQ(gl.status, 0) << gl.err;
  EXPECT_EQ(hash_of_contacts(report_of(gl)), hash);
}

TEST(Meeting, FirstIsTheEarliestOfEachAvatar) {
  const MeetingScene scene;
  const std::string report = report_of(scene.check({"--contacts", "first", "--out", "-"}));
  expect_meetings(report, {{0, 1, "pole", "Wall", -1, 0.8, 0.08, "hit"},
                           {1, 1, "pole", "Wall", -1, 0.0, 0.1, "overlap"},
                           {2, 0, "pole", "pole", 1, 11.0 / 15.0, 2.8 / 15.0, "hit"},
                           {2, 1, "pole", "Shelf", -1, 0.0, 0.15, "overlap"},
                           {3, 0, "pole", "pole", 1, 0.0, 0.2, "overlap"}});
}

TEST(Meeting, ClearancesKnowOfTheOthers) {
  const MeetingScene scene;
  const std::string report =
      report_of(scene.check({"--clearance", "--ignore", "*:*", "--out", "-"}));
  const auto lines = lines_of_type(report, "clearance");
  ASSERT_EQ(lines.size(), 8U);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const Json line = Json::parse(lines[i]);
    EXPECT_EQ(line["avatar"], i % 2);
    // The gap between the poles at the end of each step: 1.3, 0.55, then nothing.
    const std::vector<double> gaps{3 - 0.5 - 1 - 0.2, 2.25 - 1.5 - 0.2, 0, 0};
    EXPECT_LE(line["metres"].get<double>(), gaps[i / 2] + 1e-9) << lines[i];
    EXPECT_GE(line["metres"].get<double>(), gaps[i / 2] - 0.05) << lines[i];
  }
}

TEST(Meeting, TheTableNamesWhoTouchesWhom) {
  const MeetingScene scene;
  const CommandResult result = scene.check();
  ASSERT_EQ(result.status, 0) << result.err;
  EXPECT_EQ(result.err, "");
  EXPECT_TRUE(matches(result.out, "0\\.1867 s .*pole of a  +pole of b  +hit")) << result.out;
  EXPECT_TRUE(matches(result.out, "0\\.0800 s .*pole of b  +Wall  +hit")) << result.out;
  EXPECT_TRUE(contains(result.out, "5 instants from 0.0000 s to 0.3000 s")) << result.out;
  EXPECT_TRUE(contains(result.out, "8 steps of 2 avatars")) << result.out;
  EXPECT_TRUE(contains(result.out, "2 links and 2 objects, 1 pair of links")) << result.out;
  const CommandResult same = run_tocsin({"check", "a.bvh", "a.bvh", "--env", "room.obj", "--avatar",
                                         "pole.json", "--motion-unit", "m"},
                                        scene.path());
  EXPECT_TRUE(matches(same.out, "pole of a  +pole of a@2  +overlap")) << same.out;
  const CommandResult free = scene.check({"--place", "0,0,9", "--place", "0,0,19"});
  EXPECT_TRUE(contains(free.out, "2 links of 2 avatars against 6 triangles and each other"))
      << free.out;
}

TEST(Meeting, OptionsOfATakeComeOnceOrOncePerTake) {
  const MeetingScene scene;
  const auto place_of = [&](const std::vector<std::string>& more) {
    std::vector<std::string> arguments = more;
    arguments.insert(arguments.end(), {"--out", "-"});
    return Json::parse(lines_of(report_of(scene.check(arguments))).at(0))["options"]["place"];
  };
  EXPECT_EQ(place_of({"--place", "1,2,3"}), (Json{{1, 2, 3, 0}, {1, 2, 3, 0}}));
  EXPECT_EQ(place_of({"--place", "1,2,3", "--place", "-4,5,6,7"}),
            (Json{{1, 2, 3, 0}, {-4, 5, 6, 7}}));
  struct Bad {
    std::vector<std::string> arguments;
    std::string part;
  };
  for (const Bad& bad : std::vector<Bad>{
           {{"--place", "0,0,0", "--place", "0,0,0", "--place", "0,0,0"},
            "--place: given 3 times, but there are 2 takes: give it once, for all of them, or 2"},
           {{"--frames", ":", "--frames", ":", "--frames", ":"}, "--frames: given 3 times"},
           {{"--avatar", "x"}, "--avatar: given 2 times, but there"},
           {{"--start", "-1"}, "--start: expected a number from 0 to 1e6"},
           {{"--start", "2e6"}, "--start: expected a number from 0 to 1e6"},
           {{"--absent", "away"}, "--absent: expected one of gone, stays"},
           {{"--frames", ":1", "--frames", "1:7"}, "--frames: b.bvh: frames 1 to 7"},
           {{"--place", "0,0,0", "--place", "1e9,0,0"}, "--place: b.bvh: "},
           {{"--sampled"}, "--sampled: looks at the frames of one take"},
           {{"--backend", "gl", "--no-certify"}, "--no-certify: image space knows no pairs"}}) {
    // --avatar is there once already.
    const CommandResult result = bad.arguments[0] == "--avatar"
                                     ? run_tocsin({"check", "a.bvh", "b.bvh", "a.bvh", "--env",
                                                   "room.obj", "--avatar", "x", "--avatar", "y"},
                                                  scene.path())
                                     : scene.check(bad.arguments);
    EXPECT_EQ(result.status, 2) << bad.part;
    EXPECT_TRUE(contains(result.err, bad.part)) << bad.part << " in: " << result.err;
    EXPECT_EQ(lines_of(result.err).size(), 1U) << result.err;
    EXPECT_EQ(result.out, "");
  }
  const PoleScene one;
  EXPECT_TRUE(contains(one.check({"--place", "0,0,0", "--place", "0,0,0"}).err,
                       "--place: given 2 times, but there is one take"));
  for (const std::string option : {"--start", "--absent"}) {
    const CommandResult result = one.check({option, option == "--start" ? "1" : "gone"});
    EXPECT_EQ(result.status, 2);
    EXPECT_TRUE(contains(result.err, option + ": is for several takes; there is one"));
  }
}

TEST(Meeting, ABadTakeIsNamedAndNothingIsWritten) {
  const MeetingScene scene;
  scene.write("cut.bvh", pole_take({0, 1}).substr(0, 80));
  const auto files = scene.files();
  for (const std::string bad : {"cut.bvh", "nothing.bvh", "room.obj"}) {
    const CommandResult result = run_tocsin({"check", "a.bvh", bad, "--env", "room.obj", "--avatar",
                                             "pole.json", "--out", "report.jsonl"},
                                            scene.path());
    EXPECT_EQ(result.status, 3) << bad << result.err;
    EXPECT_TRUE(contains(result.err, bad)) << result.err;
    EXPECT_EQ(result.out, "");
    EXPECT_EQ(scene.files(), files);
  }
  // A model that fits one take and not the other.
  const CommandResult unfit =
      run_tocsin({"check", "a.bvh", "arms.bvh", "--env", "room.obj", "--avatar", "pole.json",
                  "--avatar", "humanoid16", "--motion-unit", "m", "--out", "report.jsonl"},
                 scene.path());
  EXPECT_EQ(unfit.status, 3) << unfit.err;
  EXPECT_TRUE(contains(unfit.err, "arms.bvh: ")) << unfit.err;
  // A report that would overwrite the second take.
  const CommandResult over = scene.check({"--out", "b.bvh"});
  EXPECT_EQ(over.status, 2) << over.err;
  EXPECT_EQ(scene.read("b.bvh"), pole_take({3, 2.25, 1.5}, 0.15));
  EXPECT_EQ(scene.files(), files);
}

TEST(Meeting, ATakeOfOneFrameIsNowhereUnlessItStays) {
  const MeetingScene scene;
  scene.write("b.bvh", pole_take({2.0}));
  const CommandResult gone = scene.check({"--ignore", "*:*", "--out", "-"});
  expect_meetings(report_of(gone), {});
  EXPECT_TRUE(contains(gone.err, "b.bvh: a single frame holds no step")) << gone.err;
  const CommandResult stays = scene.check({"--ignore", "*:*", "--absent", "stays", "--out", "-"});
  // a at x = 1.8, t = 0.18 s; and still there at 0.2 s.
  expect_meetings(report_of(stays), {{1, 0, "pole", "pole", 1, 0.8, 0.18, "hit"},
                                     {2, 0, "pole", "pole", 1, 0.0, 0.2, "overlap"}});
  EXPECT_EQ(stays.err, "");
}

TEST(OtherCommands, KnowOneTake) {
  const MeetingScene scene;
  for (const std::string command : {"validate", "render", "info", "convert", "send"}) {
    const CommandResult result =
        run_tocsin({command, "a.bvh", "b.bvh", "arms.bvh", "room.obj"}, scene.path());
    EXPECT_EQ(result.status, 2) << command << result.out;
    EXPECT_EQ(lines_of(result.err).size(), 1U) << result.err;
  }
}

TEST(Self, LinksOfOneAvatarMeet) {
  const MeetingScene scene;
  const std::string report = report_of(scene.check_self({"--out", "-"}));
  expect_meetings(report, {{1, 0, "left", "right", 0, 0.6, 0.16, "hit"},
                           {2, 0, "left", "right", 0, 0.0, 0.2, "overlap"}});
  const Json run = Json::parse(lines_of(report).at(0));
  EXPECT_EQ(run["options"]["self"], true);
  EXPECT_EQ(run["options"]["place"], (Json{0, 0, 0, 0}));
  EXPECT_FALSE(run.contains("avatars"));
  EXPECT_TRUE(matches(scene.check_self().out, "left  +its own right  +hit"))
      << scene.check_self().out;
  EXPECT_TRUE(contains(scene.check_self().out, "Self       1 pair of its own links"));
}

TEST(Self, IgnoredPairsAreLeftOut) {
  const MeetingScene scene;
  for (const std::string pattern : {"left:right", "right:left", "*:r*t"}) {
    const CommandResult result = scene.check_self({"--ignore", pattern, "--out", "-"});
    expect_meetings(report_of(result), {});
    EXPECT_EQ(result.err, "") << pattern;
  }
  const CommandResult unused = scene.check_self({"--ignore", "head:*", "--out", "-"});
  EXPECT_TRUE(contains(unused.err, "'head:*' matches no pair of a link and an object, and none of"))
      << unused.err;
  // An object matches as ever.
  EXPECT_EQ(scene.check_self({"--ignore", "*:Far", "--out", "-"}).err, "");
}

TEST(Self, RestingOverlapsAreNoted) {
  const MeetingScene scene;
  EXPECT_EQ(scene.check_self({"--out", "-"}).err, "");
  // At rest, L is 0.05 m beside R then.
  std::string take = scene.read("arms.bvh");
  scene.write("arms.bvh", take.replace(take.find("OFFSET -0.5"), 11, "OFFSET 0.45"));
  const CommandResult result = scene.check_self({"--out", "-"});
  EXPECT_EQ(result.status, 0);
  EXPECT_TRUE(contains(result.err, "left and right overlap already in the rest pose, by 0.15 m"))
      << result.err;
  EXPECT_TRUE(contains(result.err, "--ignore-rest or --ignore 'left:right'")) << result.err;
  // Of one take given twice, far from itself: once.
  const CommandResult twice =
      run_tocsin({"check", "arms.bvh", "arms.bvh", "--env", "hall.obj", "--avatar", "arms.json",
                  "--motion-unit", "m", "--place", "0,0,0", "--place", "0,0,9", "--self"},
                 scene.path());
  EXPECT_EQ(lines_of(twice.err).size(), 1U) << twice.err;
}

TEST(Self, RestingOverlapsAreLeftOut) {
  const MeetingScene scene;
  const CommandResult apart = scene.check_self({"--ignore-rest", "--out", "-"});
  expect_meetings(report_of(apart), {{1, 0, "left", "right", 0, 0.6, 0.16, "hit"},
                                     {2, 0, "left", "right", 0, 0.0, 0.2, "overlap"}});
  EXPECT_TRUE(contains(apart.err, "no links overlap in the rest pose")) << apart.err;
  // At rest, L is 1 m from R: in a margin of 0.45 m they overlap.
  const CommandResult wide =
      scene.check_self({"--ignore-rest", "--margin", "0.45", "--out", "report.jsonl"});
  EXPECT_EQ(wide.status, 0);
  EXPECT_TRUE(contains(wide.err,
                       "--ignore-rest: arms.bvh: 1 pair of links left out that overlap "
                       "in the rest pose: left:right\n"))
      << wide.err;
  const std::string report = scene.read("report.jsonl");
  expect_meetings(report, {});
  EXPECT_EQ(Json::parse(lines_of(report).at(0))["options"]["ignore"], (Json{"left:right"}));
  const CommandResult verified = run_tocsin({"verify", "report.jsonl"}, scene.path());
  EXPECT_EQ(verified.status, 0) << verified.out << verified.err;
  // Names that are globs; and an object of a link's name, which is still looked at.
  std::string model = scene.read("arms.json");
  model.replace(model.find("\"left\""), 6, R"("l[e]*\\")");
  scene.write("arms.json", model);
  scene.write("hall.obj", wall("right", 0.5, 1));
  const CommandResult globs =
      scene.check_self({"--ignore-rest", "--margin", "0.45", "--out", "report.jsonl"});
  const Json options = Json::parse(lines_of(scene.read("report.jsonl")).at(0))["options"];
  EXPECT_EQ(options["ignore"], (Json{R"(right:l\[e\]\*\\)"})) << globs.err;
  EXPECT_TRUE(contains(scene.read("report.jsonl"), R"("object":"right")"));
  EXPECT_EQ(run_tocsin({"verify", "report.jsonl"}, scene.path()).status, 0);
  // Objects of both names: the pair stays.
  scene.write("hall.obj", wall("right", 50, 1) + wall("l[e]*\\", 51, 5));
  const CommandResult stays = scene.check_self({"--ignore-rest", "--margin", "0.45", "--out", "-"});
  EXPECT_EQ(Json::parse(lines_of(stays.out).at(0))["options"]["ignore"], Json::array());
  EXPECT_TRUE(contains(stays.err, "(not left out: objects of the room have the same names)"))
      << stays.err;
}

TEST(Self, IsHintedAtWherePairsOfLinksAreNamed) {
  const MeetingScene scene;
  const std::vector<std::string> check{"check",    "arms.bvh",  "--env",         "hall.obj",
                                       "--avatar", "arms.json", "--motion-unit", "m"};
  auto ignoring = check;
  ignoring.insert(ignoring.end(), {"--ignore", "left:right", "--out", "-"});
  const CommandResult hint = run_tocsin(ignoring, scene.path());
  EXPECT_TRUE(contains(hint.err, "pairs of links are looked at with --self only")) << hint.err;
  auto rest = check;
  rest.emplace_back("--ignore-rest");
  const CommandResult wrong = run_tocsin(rest, scene.path());
  EXPECT_EQ(wrong.status, 2);
  EXPECT_TRUE(contains(wrong.err, "--ignore-rest: ")) << wrong.err;
}

TEST(Meeting, TakesThatNeverShareAnInstantAreWarnedAbout) {
  const MeetingScene scene;
  const CommandResult apart = scene.check({"--start", "0", "--start", "0.5", "--out", "-"});
  EXPECT_EQ(apart.status, 0);
  EXPECT_TRUE(contains(apart.err, "a.bvh and b.bvh are never there at the same time")) << apart.err;
  EXPECT_EQ(scene.check({"--start", "0", "--start", "0.25", "--out", "-"}).err, "");
  EXPECT_EQ(scene.check({"--start", "0", "--start", "0.5", "--absent", "stays", "--out", "-"}).err,
            "");
}

TEST(Self, SeveralTakesMeetThemselvesToo) {
  const MeetingScene scene;
  const CommandResult result =
      run_tocsin({"check", "arms.bvh", "a.bvh", "--env", "hall.obj", "--avatar", "arms.json",
                  "--avatar", "pole.json", "--motion-unit", "m", "--place", "0,0,0", "--place",
                  "-1,0,0", "--self", "--out", "-"},
                 scene.path());
  // a moves along x = 10 t - 1; L along 5 t - 0.5: they touch at 5 t = 0.3, and stay so until a is
  // through; L is back at 0 at 0.3 s. R, at 0.5: a at x = 0.3, t = 0.13 s, until x = 0.7, 0.17 s.
  expect_meetings(report_of(result), {{0, 0, "left", "pole", 1, 0.6, 0.06, "hit"},
                                      {1, 0, "left", "right", 0, 0.6, 0.16, "hit"},
                                      {1, 0, "left", "pole", 1, 0.0, 0.1, "overlap"},
                                      {1, 0, "right", "pole", 1, 0.3, 0.13, "hit"},
                                      {2, 0, "left", "right", 0, 0.0, 0.2, "overlap"}});
}

}  // namespace
}  // namespace tocsin::test::meeting_test
