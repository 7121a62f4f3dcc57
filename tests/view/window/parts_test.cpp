// Parts of a window that need neither OpenGL nor a screen: its layout, scripts, the study of a
// link's culling, a room that changes.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <set>

#include "cpu/tree/make_tree_culler.h"
#include "scene/swept/step_motion.h"
#include "scene/tree/candidates.h"
#include "support/contains.h"
#include "support/environment_variable.h"
#include "support/places.h"
#include "support/test_folder.h"
#include "view/colours.h"
#include "view/stage/cull_study.h"
#include "view/window/elide.h"
#include "view/window/film_pipe.h"
#include "view/window/layout.h"
#include "view/window/live_scene.h"
#include "view/window/pole_story.h"
#include "view/window/script.h"

namespace tocsin::view::parts_test {
namespace {

using test::contains;

TEST(WindowLayout, CoversTheWindowWithoutOverlap) {
  for (const double scale : {1.0, 1.25, 2.0}) {
    for (const auto& [width, height] : {std::pair{1280, 720}, {960, 600}, {3840, 2160}, {64, 64}}) {
      const Panes at = panes_of(width, height, scale);
      EXPECT_EQ(at.head.height + at.view.height + at.time.height, height);
      EXPECT_EQ(at.view.width + at.list.width, width);
      EXPECT_EQ(at.view.bottom(), at.time.top);
      EXPECT_EQ(at.view.right(), at.list.left);
      EXPECT_EQ(at.list.height, at.view.height);
      for (const Rect& part : {at.head, at.view, at.list, at.time}) {
        EXPECT_GE(part.width, 1);
        EXPECT_GE(part.height, 1);
      }
    }
  }
  const Panes usual = panes_of(1280, 720, 1.0);
  EXPECT_GE(usual.view.width, 800);
  EXPECT_GE(usual.view.height, 400);
}

TEST(WindowScript, IsReadLineByLine) {
  const auto script = parse_script(
      "# a comment\n\n  key space\nclick row 2\r\nscreenshot a b.png\nwait 0.5", "s.txt");
  ASSERT_TRUE(script.ok()) << script.error().message;
  ASSERT_EQ(script->size(), 4U);
  EXPECT_EQ((*script)[0].number, 3);
  EXPECT_EQ((*script)[1].rest, "row 2");
  EXPECT_EQ((*script)[2].rest, "a b.png");
  EXPECT_EQ(script_number((*script)[3], 0, "s.txt").value(), 0.5);
}

TEST(WindowScript, RefusesWhatItDoesNotKnow) {
  const auto message = [](const char* text) {
    const auto script = parse_script(text, "s.txt");
    return script.ok() ? std::string() : script.error().message;
  };
  EXPECT_TRUE(contains(message("\ndance"), "s.txt:2: there is no command \"dance\""));
  EXPECT_TRUE(contains(message("key"), "s.txt:1: expected key KEY"));
  EXPECT_TRUE(contains(message("move 1"), "s.txt:1: expected move X Y"));
  EXPECT_TRUE(contains(message("seek 1 2"), "expected seek SECONDS"));
  EXPECT_TRUE(contains(message("key home\nkey hmoe"), "s.txt:2: there is no key \"hmoe\""));
  EXPECT_TRUE(contains(message("drag 1 2 3 4 left"), "s.txt:1: expected right, found \"left\""));
  EXPECT_TRUE(contains(message("wheel 1 2"), "s.txt:1: expected wheel NOTCHES [X Y]"));
  EXPECT_TRUE(
      contains(message("screenshot a.jpg"), "s.txt:1: a screenshot is a .png, not \"a.jpg\""));
  EXPECT_TRUE(contains(message("screenshot .png"), "a screenshot is a .png"));
  EXPECT_TRUE(contains(message("film a.gif"), "s.txt:1: a film is an .mp4, .mkv or .mov"));
  EXPECT_TRUE(contains(message("await frames 1"), "s.txt:1: expected one of sessions, "));
  for (const char* text :
       {"key backspace", "key y", "key ctrl+a", "drag 1 2 3 4 right", "wheel 1", "wheel 1 2 3",
        "await steps 5", "await ended 1 2.5", "screenshot A.PNG", "film a b.mp4", "film end"}) {
    EXPECT_EQ(message(text), "") << text;
  }
  const auto script = parse_script("wait soon", "s.txt");
  ASSERT_TRUE(script.ok());
  const auto number = script_number(script->front(), 0, "s.txt");
  ASSERT_FALSE(number.ok());
  EXPECT_EQ(number.error().code, ErrorCode::kInput);
  EXPECT_TRUE(contains(number.error().message, "s.txt:1: expected a number, found \"soon\""));
}

// Takes of one shoot differ in their last letters.
TEST(LongNames, KeepBothTheirEnds) {
  const auto letters = [](std::string_view text) {  // each of one width, as bytes are not
    return static_cast<float>(std::count_if(text.begin(), text.end(), [](char c) {
      return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U;
    }));
  };
  EXPECT_EQ(elided_to("left_foot", 9.0F, letters), "left_foot");
  EXPECT_EQ(elided_to("left_foot of take_0042", 11.0F, letters), "left...0042");
  EXPECT_EQ(elided_to("left_foot of take_0042", 12.0F, letters), "left_...0042");
  EXPECT_EQ(elided_to("left_foot", 2.0F, letters), "...") << "there is no room at all";
  EXPECT_EQ(elided_to("\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4", 5.0F, letters), "\u00e4...\u00e4")
      << "no letter is cut";
}

/// Small boxes all about; some near the pole's way.
Environment crates(unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<float> place(-1.0F, 4.0F);
  std::vector<ObjectMesh> objects;
  for (int i = 0; i < 60; ++i) {
    const Vec3f lo{place(random), place(random) - 1.0F, place(random) - 1.5F};
    objects.push_back(
        test::box("c" + std::to_string(i), lo, {lo.x + 0.2F, lo.y + 0.3F, lo.z + 0.1F}));
  }
  return test::room_of(std::move(objects));
}

// The study must say what a check does: its candidates are the culler's, no more and no fewer.
TEST(CullStudies, HaveTheCandidatesOfTheCuller) {
  const StoryFigure figure = test::pole_figure();
  std::size_t kept = 0;
  std::size_t settled = 0;
  for (unsigned seed = 1; seed <= 12; ++seed) {
    const Environment room = crates(seed);
    const CullStudy study(room);
    const auto culler = cpu::make_tree_culler(room);
    for (const Step& step : figure.steps) {
      const CullAnswer answer = study.about(figure.avatar, step, 0.01, 0);
      scene::StepMotion motion;
      motion.set(figure.avatar, step, 0.01, culler->bounds());
      scene::Candidates candidates;
      scene::CullCounters counters;
      culler->cull(motion.link(0), candidates, counters);
      std::set<std::uint32_t> expected;
      for (std::size_t i = 0; i < candidates.size(); ++i) expected.insert(candidates.triangle(i));
      std::set<std::uint32_t> found;
      for (const StudiedTriangle& t : answer.triangles) {
        if (t.by == CulledBy::kNothing) found.insert(t.triangle);
      }
      EXPECT_EQ(found, expected) << "seed " << seed << ", step " << step.index();
      EXPECT_EQ(answer.triangles.size(), counters.primitive_tests);
      EXPECT_EQ(answer.never_reached + answer.triangles.size(), room.triangles().size());
      kept += found.size();
      settled += answer.count(CulledBy::kLeafBox) + answer.count(CulledBy::kDirections);
    }
  }
  EXPECT_GT(kept, 100U);
  EXPECT_GT(settled, 60U);
}

TEST(CullStudies, DrawWhatIsAskedFor) {
  const StoryFigure figure = test::pole_figure();
  const CullStudy study(test::pole_story()->rooms[0].room);
  const CullAnswer answer = study.about(figure.avatar, figure.steps[2], 0.0, 0);
  EXPECT_TRUE(study.mesh(answer, false, false, 100).triangles.empty());
  // Eight triangles for each of twelve edges.
  EXPECT_EQ(study.mesh(answer, true, false, 1).triangles.size(), 96U);
  EXPECT_FALSE(study.mesh(answer, false, true, 100).triangles.empty());
}

TEST(LiveScenes, PoseTheProvedMotionWithinAStep) {
  LiveScene live(test::pole_story());
  // Step 2 goes from x = 2 to 2.5.
  EXPECT_TRUE(live.set_time(0.24));
  EXPECT_FALSE(live.set_time(0.24)) << "as it was";
  const auto places = live.places(std::nullopt);
  ASSERT_EQ(places.size(), 1U);
  EXPECT_NEAR(places[0].rows[0][3], 2.2, 1e-6);
  EXPECT_NEAR(live.middle_of({0, 0})->x, 2.2, 1e-6);
  EXPECT_NEAR(live.middle_of({-1, 0})->x, 2.55, 1e-6) << "the wall's middle";
  EXPECT_FALSE(live.middle_of({0, 9}).has_value());
  EXPECT_FALSE(live.middle_of({-1, 9}).has_value());
}

TEST(LiveScenes, TintWhatTouchesAndWhatIsTouched) {
  LiveScene live(test::pole_story());
  const auto colour = [&live] {
    const LinkPlace place = live.places(std::nullopt)[0];
    return Colour{place.colour[0], place.colour[1], place.colour[2]};
  };
  live.set_time(0.1);
  const Colour own = colour();
  EXPECT_EQ(live.object_states({}, std::nullopt), (std::vector<std::uint32_t>{0, 0}));
  live.set_time(0.25);
  EXPECT_EQ(colour(), kind_colour(ContactStatus::kHit));
  EXPECT_NE(colour(), own);
  EXPECT_EQ(live.object_states({}, std::nullopt), (std::vector<std::uint32_t>{0, kIsTouched}));
  live.set_time(0.35);
  EXPECT_EQ(colour(), kind_colour(ContactStatus::kOverlap));
  const std::uint32_t opened = 1;
  EXPECT_EQ(live.object_states({&opened, 1}, Followed{-1, 0}),
            (std::vector<std::uint32_t>{kIsTouched | kIsMarked, kOpened}));
  EXPECT_EQ(live.thing_of(2), (Followed{-1, 1}));
  EXPECT_EQ(live.thing_of(kFirstLinkId), (Followed{0, 0}));
  EXPECT_FALSE(live.thing_of(0).has_value());
  EXPECT_FALSE(live.thing_of(kFirstLinkId + 1).has_value());
}

// A link's model, placed, is the link: every vertex lies its radius from the axis.
TEST(LiveScenes, PlaceModelsOnTheirLinks) {
  LiveScene live(test::pole_story());
  live.set_time(0.33);
  const Mesh model = live.link_models();
  const LinkPlace place = live.places(std::nullopt)[0];
  ASSERT_FALSE(model.vertices.empty());
  const double x = 2.5 + 0.3 * 0.05;
  for (const Vertex& v : model.vertices) {
    const auto along = [&](std::size_t row) {
      const auto& r = place.rows.at(row);
      return static_cast<double>(r[0] * v.position.x + r[1] * v.position.y + r[2] * v.position.z +
                                 r[3]);
    };
    const double y = std::clamp(along(1), 0.0, 1.7);
    EXPECT_NEAR(std::hypot(along(0) - x, along(1) - y, along(2)), 0.1, 1e-5);
  }
}

TEST(LiveScenes, SweepWhatMovesOnly) {
  const auto story = test::pole_story();
  LiveScene live(story);
  live.set_time(0.15);
  const std::uint64_t key = live.step_key();
  EXPECT_FALSE(live.swept().triangles.empty());
  live.set_time(0.16);
  EXPECT_EQ(live.step_key(), key) << "the same step";
  live.set_time(0.35);
  EXPECT_NE(live.step_key(), key);
  const auto held = test::pole_story();
  held->figures[0].held = true;
  LiveScene poses(held);
  poses.set_time(0.15);
  EXPECT_TRUE(poses.swept().triangles.empty()) << "nothing is said about the time between poses";
}

// Those of the pages, which tests/browser/colours.py proves apart to the colour-blind.
TEST(WindowColours, AreThoseOfThePages) {
  std::ifstream in(std::filesystem::path(test::source_dir()) / "src/view/report/page/page.css");
  const std::string css{std::istreambuf_iterator<char>(in), {}};
  const auto of_page = [&css](const std::string& name) {
    const std::size_t at = css.find("--" + name + ": #");
    EXPECT_NE(at, std::string::npos) << name;
    const auto rgb =
        static_cast<std::uint32_t>(std::stoul(css.substr(at + name.size() + 5, 6), nullptr, 16));
    return (rgb & 0xFFU) << 16U | (rgb & 0xFF00U) | rgb >> 16U;  // as packed() has it
  };
  const auto plain = [](const Colour& colour) { return packed(colour) & 0xFFFFFFU; };
  EXPECT_EQ(plain(kind_colour(ContactStatus::kHit)), of_page("hit"));
  EXPECT_EQ(plain(kind_colour(ContactStatus::kOverlap)), of_page("overlap"));
  EXPECT_EQ(plain(kind_colour(ContactStatus::kGraze)), of_page("graze"));
  EXPECT_EQ(plain(kClearanceColour), of_page("clearance"));
}

TEST(WindowRooms, AreThoseOfTheTime) {
  const auto story = test::pole_story();
  story->rooms.push_back({0.3, test::room_of({test::box("Wall", {9, 0, 0}, {9.5F, 1, 1})})});
  EXPECT_EQ(room_at(*story, 0.1), 0U);
  EXPECT_EQ(room_at(*story, 0.3), 1U);
  LiveScene live(story);
  live.set_time(0.5);
  EXPECT_NEAR(live.middle_of({-1, 0})->x, 9.25, 1e-6);
}

TEST(WindowFilms, SayWhatIsMissing) {
  const test::EnvironmentVariable path("PATH", "/nonexistent");
  const test::TestFolder folder;
  FilmPipe film;
  const Status opened = film.open((folder.path() / "a.mp4").string(), 64, 64);
  ASSERT_FALSE(opened.ok());
  EXPECT_EQ(opened.error().code, ErrorCode::kUnavailable);
  EXPECT_TRUE(contains(opened.error().message, "ffmpeg"));
  EXPECT_FALSE(film.is_open());
}

}  // namespace
}  // namespace tocsin::view::parts_test
