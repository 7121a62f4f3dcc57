// `tocsin view` without a window: every control does what it says. What keys do to the player's
// state alone is tests/view/window's; here they go the way from a key, or a click, to the state.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <filesystem>

#include "cli/view/view_fixture.h"
#include "support/contains.h"

namespace tocsin::test::view_test {
namespace {

/// Distance of two points.
double apart(const Json& p, const Json& q) {
  double sum = 0.0;
  for (std::size_t i = 0; i < 3; ++i) {
    sum += std::pow(p[i].get<double>() - q[i].get<double>(), 2.0);
  }
  return std::sqrt(sum);
}

TEST_F(View, BeginsAtTheFirstContactAndJumps) {
  const auto told = this->told(
      "tell\nkey n\ntell\nclick next\ntell\nclick previous\ntell\nkey p\ntell\nclick row 4\ntell\n"
      "key home\ntell\nkey end\ntell\nseek 0.25\ntell\nclick lane 0 episode 3\ntell\n");
  ASSERT_EQ(told.size(), 10U);
  EXPECT_EQ(told[0]["verdict"], "CONTACT");
  EXPECT_EQ(told[0]["episodes"], 5);
  const std::array<double, 10> times{0.24, 0.28, 0.52, 0.28, 0.24, 0.77, 0.0, 0.8, 0.25, 0.76};
  for (std::size_t i = 0; i < times.size(); ++i) {
    EXPECT_NEAR(told[i]["now"].get<double>(), times.at(i), 1e-7) << i;
  }
  EXPECT_EQ(told[0]["touching"][0]["thing"], "Shelf");
  EXPECT_EQ(told[0]["touching"][0]["status"], "hit");
  EXPECT_EQ(told[5]["chosen"], 4);
}

TEST_F(View, PlaysInSlowMotionInsideAStep) {
  const auto told = this->told(
      "key home\nkey space\nwait 0.1\ntell\nclick play\ntell\nkey n\nkey [\nkey [\ntell\nclick "
      "play\n"
      "wait 0.2\ntell\nclick speed\nclick speed 4\nkey space\ntell\nkey l\ntell\nkey .\ntell\n"
      "click step-back\ntell\n");
  ASSERT_EQ(told.size(), 8U);
  EXPECT_TRUE(told[0]["playing"].get<bool>());
  EXPECT_NEAR(told[0]["now"].get<double>(), 0.1, 1e-9);
  EXPECT_FALSE(told[1]["playing"].get<bool>());
  EXPECT_EQ(told[2]["speed"], "1/20");
  const double from = told[2]["now"].get<double>();
  EXPECT_NEAR(told[3]["now"].get<double>(), from + 0.01, 1e-9) << "0.2 s at 1/20";
  EXPECT_EQ(told[3]["within"]["frames"], Json::parse("[2, 3]"));
  EXPECT_EQ(told[4]["speed"], "1/1000");
  EXPECT_FALSE(told[4]["playing"].get<bool>());
  EXPECT_NEAR(told[5]["within"]["t"].get<double>(), told[4]["within"]["t"].get<double>() + 0.01,
              1e-6);
  EXPECT_NEAR(told[6]["now"].get<double>(), 0.3, 1e-9) << "the next step";
  EXPECT_NEAR(told[7]["now"].get<double>(), 0.2, 1e-9);
}

// How fast pictures follow each other, for benches: of `live` alone, where time goes by as for a
// person.
TEST_F(View, TellsItsFrameRate) {
  const auto told = this->told(
      "key home\nwait 0.1\ntell\nkey [\nkey [\nkey space\nlive 0.4\ntell\nlive 0.2\ntell\n"
      "live 0.2\ntell\nlive 0.2\ntell\n");
  ASSERT_EQ(told.size(), 5U);
  EXPECT_EQ(told[0]["pace"]["frames"], 0);
  int anew = 0;  // `live`s that take less time than all so far: one may be longer, if machines stop
  for (std::size_t i = 1; i < told.size(); ++i) {
    const Json& pace = told[i]["pace"];
    const double least = i == 1 ? 0.4 : 0.2;
    const auto frames = pace["frames"].get<double>();
    const auto seconds = pace["seconds"].get<double>();
    EXPECT_GE(frames, 1.0);
    EXPECT_GE(seconds, least);
    anew += seconds < told[i - 1]["pace"]["seconds"].get<double>() + 0.2 ? 1 : 0;
    EXPECT_NEAR(pace["frames_a_second"].get<double>(), frames / seconds, 1e-9);
    EXPECT_LE(frames / seconds, 61.0) << "faster than a screen";
    const auto each = pace["milliseconds_a_frame"].get<double>();
    EXPECT_GT(each, 0.0);
    EXPECT_LE(each, pace["slowest_milliseconds"].get<double>());
    EXPECT_LE(frames * each, 1.001e3 * seconds);
    EXPECT_GE(pace["pictures"].get<double>(), 1.0) << "it plays: the view is drawn anew";
  }
  EXPECT_GT(anew, 0) << "each is counted by itself";
}

TEST_F(View, FiltersByLinkObjectAndKind) {
  const auto told = this->told(
      "click objects\nclick objects 1\ntell\nclick objects\nclick objects 0\nclick hit\ntell\n"
      "click hit\nkey i\nkey u\nkey u\ntell\nkey 0\ntell\nclick links\nclick links 1\ntell\n");
  ASSERT_EQ(told.size(), 5U);
  EXPECT_EQ(told[0]["listed"], Json::parse("[0, 2, 3]")) << "Shelf";
  EXPECT_EQ(told[1]["listed"], Json::parse("[]")) << "every episode begins with a hit";
  EXPECT_EQ(told[2]["listed"], Json::parse("[1, 4]")) << "Wall";
  EXPECT_EQ(told[3]["listed"].size(), 5U);
  EXPECT_EQ(told[4]["listed"].size(), 5U) << "there is one link";
}

TEST_F(View, TurnsMovesAndWalks) {
  const auto told = this->told(
      "tell\nkey left\ntell\nkey shift+up\ntell\nkey +\ntell\nkey c\ntell\nkey w\ntell\nclick "
      "camera\n"
      "tell\nkey o\ntell\nkey v\ntell\nclick overview\ntell\ndrag 200 200 260 230\ntell\n"
      "drag 200 200 260 230 right\ntell\nwheel 2 200 200\ntell\n");
  ASSERT_EQ(told.size(), 13U);
  const auto eye = [&told](std::size_t i) { return told[i]["eye"]; };
  const auto target = [&told](std::size_t i) { return told[i]["target"]; };
  const auto far = [&](std::size_t i) { return apart(eye(i), target(i)); };
  EXPECT_GT(apart(eye(1), eye(0)), 0.01);
  EXPECT_NEAR(far(1), far(0), 1e-9);
  EXPECT_GT(apart(target(2), target(1)), 0.01);
  EXPECT_NEAR(far(3), 0.85 * far(2), 1e-9);
  EXPECT_EQ(told[4]["camera"], "walk");
  EXPECT_NEAR(apart(eye(5), eye(4)), 0.25, 1e-9);
  EXPECT_EQ(told[6]["camera"], "orbit");
  EXPECT_GT(apart(eye(7), eye(6)), 0.1) << "the overview";
  EXPECT_NEAR(apart(eye(8), eye(0)), 0.0, 1e-9) << "the chosen contact's camera again";
  EXPECT_NEAR(apart(eye(9), eye(7)), 0.0, 1e-9);
  EXPECT_GT(apart(eye(10), eye(9)), 0.1);
  EXPECT_EQ(target(10), target(9));
  EXPECT_GT(apart(target(11), target(10)), 0.01) << "the right button moves";
  EXPECT_LT(far(12), 0.9 * far(11));
}

// The view of this size is 520 x 364 pixels from (0, 46) on.
TEST_F(View, PicksFollowsAndMeasures) {
  const auto told = this->told(
      "key home\nlook 0 0.85 4 0 0.85 0\nmove 260 228\nkey enter\ntell\nseek 0.05\ntell\n"
      "key escape\nkey escape\ntell\nlook -3 0.75 0 2.3 0.75 0\nclick 260 228\ntell\nkey f\n"
      "look -3 0.75 0 2.3 0.75 0\nkey m\nmove 310 228\nkey m\ntell\nkey escape\ntell\n");
  ASSERT_EQ(told.size(), 6U);
  EXPECT_EQ(told[0]["picked"], "pole");
  EXPECT_EQ(told[0]["followed"], "pole");
  EXPECT_NEAR(told[0]["target"][0].get<double>(), 0.0, 1e-6);
  EXPECT_NEAR(told[1]["target"][0].get<double>(), 0.5, 1e-6) << "it went along";
  EXPECT_TRUE(told[2]["followed"].is_null() && told[2]["picked"].is_null());
  // From x = -3 the pole (at 0.5) is seen first, in the middle.
  EXPECT_EQ(told[3]["picked"], "pole");
  ASSERT_EQ(told[4]["tape"].size(), 2U);
  // The first point is on the pole's side, the second beside it on the shelf.
  EXPECT_NEAR(told[4]["tape"][0][0].get<double>(), 0.4, 2e-3);
  EXPECT_NEAR(told[4]["tape"][1][0].get<double>(), 2.3, 5e-3);
  EXPECT_TRUE(told[5]["tape"].empty());
}

TEST_F(View, ShowsSweptSurfacesTreeAndCandidates) {
  const auto told = this->told(
      "tell\nclick sweep\nclick tree\nkey b\nscreenshot all.png\ntell\nclick room\ntell\nkey "
      "f1\ntell\n"
      "key escape\ntell\n");
  ASSERT_EQ(told.size(), 5U);
  EXPECT_FALSE(told[0]["sweep"].get<bool>() || told[0]["tree"].get<bool>() ||
               told[0]["candidates"].get<bool>());
  EXPECT_TRUE(told[1]["sweep"].get<bool>() && told[1]["tree"].get<bool>() &&
              told[1]["candidates"].get<bool>());
  // Six triangles: two of Shelf and two of Wall may be touched, the floor lies below.
  ASSERT_EQ(told[1]["study"].size(), 2U);
  EXPECT_TRUE(contains(told[1]["study"][1].get<std::string>(), "4 candidates"))
      << told[1]["study"][1];
  const auto has_key = [](const Json& state) {
    const Json& labels = state["labels"];
    return std::any_of(labels.begin(), labels.end(),
                       [](const Json& label) { return label == "swept: begin end of the step"; });
  };
  EXPECT_TRUE(has_key(told[1])) << "what the colours of swept surfaces are";
  EXPECT_FALSE(has_key(told[0]));
  EXPECT_FALSE(told[2]["room"].get<bool>());
  EXPECT_TRUE(told[3]["keys"].get<bool>());
  EXPECT_FALSE(told[4]["keys"].get<bool>());
}

TEST_F(View, ChecksAgainWhileItPlays) {
  const auto told = this->told(
      "key f3\ntext 0.05\nkey enter\nsettle\ntell\nclick ignore\ntext *:Wall\nkey "
      "enter\nsettle\ntell\n"
      "key f3\ntext nonsense\nkey enter\nsettle\ntell\nkey escape\nkey f5\nsettle\ntell\n"
      "click ignore\ntext Wall\nkey enter\nsettle\ntell\nclick ignore\ntext *:Sofa\nkey "
      "enter\nsettle\ntell\n");
  ASSERT_EQ(told.size(), 6U);
  // With 5 cm more the pole reaches the shelf at x = 2.15: t = 0.3 of step 2.
  EXPECT_EQ(told[0]["margin"], 0.05);
  EXPECT_EQ(told[0]["verdict"], "CONTACT");
  EXPECT_EQ(told[1]["ignore"], Json::parse(R"(["*:Wall"])"));
  EXPECT_EQ(told[1]["episodes"], 3) << "those of Shelf";
  EXPECT_EQ(told[2]["margin"], 0.05) << "what is no length changes nothing";
  EXPECT_EQ(told[2]["episodes"], 3);
  EXPECT_EQ(told[3]["in_between"], "translate_rotate");
  EXPECT_EQ(told[4]["episodes"], 3) << "a wrong pattern changes nothing";
  EXPECT_TRUE(contains(told[4]["check"].get<std::string>(), "--ignore")) << told[4]["check"];
  EXPECT_EQ(told[5]["episodes"], 5) << "what matches nothing is said";
  EXPECT_TRUE(contains(told[5]["check"].get<std::string>(), "matches no pair")) << told[5]["check"];
}

TEST_F(View, QuitsFromAFieldAndForgetsAnError) {
  const auto told = this->told(
      "key f3\ntext nonsense\nkey enter\ntell\nkey n\ntell\nkey f3\ntext y\nkey ctrl+q\ntell\n");
  ASSERT_EQ(told.size(), 2U) << "closed";
  EXPECT_TRUE(contains(told[0]["field_error"].get<std::string>(), "Margin: a length"));
  EXPECT_EQ(told[1]["field_error"], "") << "something else was done since";
}

TEST_F(View, ForgetsNothingThatIsAskedWhileItChecks) {
  const auto told = this->told("key f3\ntext 0.05\nkey enter\nkey f5\nsettle\ntell\n",
                               {"--ignore", "*:No Such Thing"});
  ASSERT_EQ(told.size(), 1U);
  EXPECT_EQ(told[0]["margin"], 0.05);
  EXPECT_EQ(told[0]["in_between"], "translate_rotate");
  EXPECT_EQ(told[0]["ignore"], Json::parse(R"(["*:No Such Thing"])")) << "a pattern with spaces";
}

TEST_F(View, HasNoTextOverAnother) {
  const auto told = this->told(
      "size 1280 720\ntell\nkey f1\ntell\nkey f1\nkey x\nkey t\nkey b\nkey f\nkey m\nscreenshot "
      "a.png\n"
      "tell\nscale 2\nsize 2560 1440\ntell\nsize 1920 1080\nscale 1.5\ntell\n",
      {"--clearance"});
  ASSERT_EQ(told.size(), 5U);
  for (const Json& state : told) EXPECT_EQ(state["overlapping_letters"], 0) << state["width"];
  EXPECT_EQ(told[3]["scale"], 2.0);
  EXPECT_EQ(told[3]["width"], 2560);
}

// Seven takes, which do not meet: more lanes and rows than are in sight.
TEST_F(View, CutsNoNameInHalfWhenItIsScrolled) {
  Texts inputs;
  Texts more{"--env", "room.obj", "--avatar", "./pole.json"};
  for (int i = 0; i < 7; ++i) {
    inputs.emplace_back("take.bvh");
    more.insert(more.end(), {"--place", "0,0," + std::to_string(0.25 * (i - 3))});
  }
  inputs.insert(inputs.end(), more.begin(), more.end());
  for (const Texts& size : {Texts{"--offscreen", "--size", "800x460"},
                            Texts{"--offscreen", "--size", "903x541", "--scale", "1.3"}}) {
    const CommandResult done = view(
        "tell\nwheel -1 120 430\ntell\nwheel -1 120 430\ntell\nwheel -50 120 430\ntell\n"
        "wheel -1 700 110\ntell\nwheel -2 700 110\ntell\nwheel -90 700 110\ntell\nkey p\nkey "
        "p\ntell\n",
        inputs, size);
    ASSERT_EQ(done.status, 0) << done.err;
    const auto lines = lines_of(done.out);
    ASSERT_EQ(lines.size(), 8U);
    for (const std::string& line : lines) {
      const Json state = Json::parse(line);
      EXPECT_EQ(state["cut_texts"], 0) << state["width"];
      EXPECT_EQ(state["overlapping_letters"], 0) << state["width"];
    }
  }
}

// Without a picture between: `tell` says what is so now.
TEST_F(View, TellsTheStudyOfTheStepThatItIsIn) {
  const auto told = this->told("key t\nkey n\ntell\nkey end\nkey home\ntell\n");
  ASSERT_EQ(told.size(), 2U);
  const auto first = [&told](std::size_t i) { return told[i]["study"][0].get<std::string>(); };
  EXPECT_TRUE(contains(first(0), "step 2:")) << first(0);
  EXPECT_TRUE(contains(first(1), "step 0:")) << first(1);
}

TEST_F(View, ShowsLongNamesWhole) {
  const std::string name(150, 'n');
  scene.write("long.obj", wall(name, 2.5, 1));
  const CommandResult done = view("tell\nkey home\nscreenshot a.png\ntell\n",
                                  {"take.bvh", "--env", "long.obj", "--avatar", "./pole.json"});
  ASSERT_EQ(done.status, 0) << done.err;
  for (const std::string& line : lines_of(done.out)) {
    const Json state = Json::parse(line);
    std::string shown;
    for (const Json& label : state["labels"]) shown += label.get<std::string>();
    EXPECT_TRUE(contains(shown, name)) << shown;
    EXPECT_EQ(state["overlapping_letters"], 0);
  }
}

TEST_F(View, OpensALostContextAgain) {
  const auto told =
      this->told("key n\nscreenshot before.png\nlose\nkey n\ntell\nscreenshot after.png\n");
  ASSERT_EQ(told.size(), 1U);
  EXPECT_EQ(told[0]["lost_contexts"], 1);
  EXPECT_EQ(told[0]["chosen"], 2) << "the player's state stays";
  EXPECT_EQ(scene.read("after.png").substr(1, 3), "PNG");
}

TEST_F(View, ShowsAReportAsItWasChecked) {
  ASSERT_EQ(scene.check({"--margin", "0.05", "--out", "r.jsonl"}).status, 0);
  const CommandResult done = view("tell\n", {"r.jsonl"});
  ASSERT_EQ(done.status, 0) << done.err;
  const Json state = Json::parse(done.out);
  EXPECT_EQ(state["margin"], 0.05);
  EXPECT_NEAR(state["now"].get<double>(), 0.23, 1e-7);
  EXPECT_EQ(view("tell\n", {"r.jsonl", "--margin", "0.1"}).status, 2);
}

TEST_F(View, RefusesWhatItCannotShow) {
  const auto refused = [this](const std::string& script, const Texts& inputs, const Texts& more,
                              int status, const std::string& why) {
    const CommandResult done = view(script, inputs, more);
    EXPECT_EQ(done.status, status) << done.err;
    EXPECT_TRUE(contains(done.err, why)) << done.err;
  };
  const Texts pole{"take.bvh", "--env", "room.obj", "--avatar", "./pole.json"};
  refused("", {"take.bvh"}, kSmall, 2, "--env is required");
  refused("dance\n", pole, kSmall, 3, "s.txt:1: there is no command \"dance\"");
  refused("click nothing\n", pole, kSmall, 3, "s.txt:1: there is no control \"nothing\" now");
  refused("key n\nkey y\n", pole, kSmall, 3, "s.txt:2: the key \"y\" does nothing here");
  refused("await steps 1\n", pole, kSmall, 3, "s.txt:1: nothing comes: it is no server's");
  refused("screenshot no/such/a.png\n", pole, kSmall, 4, "no/such/a.png");
  refused("key n\nscreenshot a.jpg\n", pole, kSmall, 3, "s.txt:2: a screenshot is a .png, not");
  EXPECT_FALSE(std::filesystem::exists(scene.full("a.jpg")));
  refused("", {"missing.jsonl"}, kSmall, 3, "missing.jsonl: there is no such file");
  refused("", {"missing.bvh"}, kSmall, 3, "missing.bvh: there is no such file");
  refused("film end\n", pole, kSmall, 3, "no film has begun");
  refused("", {"take.bvh", "--env", "room.obj", "--frames", "2:2"}, kSmall, 2, "single frame");
  refused("", pole, {"--size", "1x1"}, 2, "--size");
  const CommandResult alone =
      run_tocsin({"view", "take.bvh", "--env", "room.obj", "--offscreen"}, scene.path());
  EXPECT_EQ(alone.status, 2);
  EXPECT_TRUE(contains(alone.err, "--offscreen: needs --script")) << alone.err;
}

// Two takes on one time line, and a body that moves by itself.
TEST_F(View, ShowsCrowdsAndBodies) {
  scene.write("ball.obj",
              "o Ball\nv -0.1 0 -0.1\nv 0.1 0 -0.1\nv 0 0 0.1\nv 0 0.2 0\n"
              "f 1 2 3\nf 1 4 2\nf 2 4 3\nf 3 4 1\n");
  const auto told = this->told("key n\nclick sweep\nscreenshot all.png\ntell\n",
                               {"--place", "0,0,0", "--body", "ball=ball.obj"});
  ASSERT_EQ(told.size(), 1U);
  EXPECT_EQ(told[0]["verdict"], "CONTACT");
  EXPECT_TRUE(told[0]["sweep"].get<bool>());
  // The pole stands on the ball's place at time 0.
  const CommandResult two =
      view("tell\nkey f\ntell\n", {"take.bvh", "take.bvh", "--env", "room.obj", "--avatar",
                                   "./pole.json", "--place", "0,0,0", "--place", "0,0,0.5"});
  ASSERT_EQ(two.status, 0) << two.err;
  const auto lines = lines_of(two.out);
  ASSERT_EQ(lines.size(), 2U);
  EXPECT_EQ(Json::parse(lines[0])["episodes"], 10) << "each of the two as it is alone";
  EXPECT_TRUE(contains(Json::parse(lines[1])["followed"].get<std::string>(), "pole of take"));
}

TEST_F(View, ShowsNamesThatTryToBeMore) {
  const std::string hostile = "a##b%s%n[x]";
  scene.write("hostile.obj", wall(hostile, 2.5, 1));
  const CommandResult done = view("click objects\nclick objects 1\ntell\n",
                                  {"take.bvh", "--env", "hostile.obj", "--avatar", "./pole.json"});
  ASSERT_EQ(done.status, 0) << done.err;
  const Json state = Json::parse(done.out);
  EXPECT_EQ(state["listed"].size(), state["episodes"].get<std::size_t>());
  EXPECT_EQ(state["touching"][0]["thing"], hostile);
}

}  // namespace
}  // namespace tocsin::test::view_test
