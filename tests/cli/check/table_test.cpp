// The table for people: its structure, not its numbers.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "cli/scenes.h"
#include "support/contains.h"

namespace tocsin::test::table_test {
namespace {

/// The table's rows: the heading first, up to the first empty line.
std::vector<std::string> rows_of(const std::string& out) {
  std::vector<std::string> rows;
  for (const std::string& line : lines_of(out)) {
    if (rows.empty() && !contains(line, "First touch")) continue;
    if (line.empty() || line.starts_with(">=: ")) break;
    rows.push_back(line);
  }
  return rows;
}

TEST(Table, SaysWhatWasChecked) {
  const CommandResult result = PoleScene().check({"--place", "0,0,0.25"});
  ASSERT_EQ(result.status, 0) << result.err;
  EXPECT_EQ(result.err, "");
  EXPECT_TRUE(matches(result.out, "Take +take.bvh: 9 frames at 10 Hz"));
  EXPECT_TRUE(matches(result.out, "Unit +one unit is 1 m \\(1.7 m long in m"));
  EXPECT_TRUE(matches(result.out, "Avatar +pole.json, 1 link\n"));
  EXPECT_TRUE(matches(result.out, "Placed +moved by \\(0, 0, 0.25\\) m\n"));
  EXPECT_TRUE(matches(result.out, "Room +room.obj: 3 objects, 6 triangles\n"));
  EXPECT_TRUE(matches(result.out, "Checked +frames 0 to 8: 8 steps"));
}

TEST(Table, OneRowPerEpisodeInOrderOfTime) {
  const auto rows = rows_of(PoleScene().check().out);
  ASSERT_EQ(rows.size(), 6U);
  // Worked out in scenes.h; the wall's first episode lasts from 0.28 s to the end of step 5 at 0.6
  // s.
  const std::vector<std::string> expected{
      "^ *2-3 +0\\.2400 s +0\\.060 s +(>= )?0\\.100 m +2-3 +pole +Shelf +hit +2\\.30 ",
      "^ *2-6 +0\\.2800 s +0\\.320 s +>= 0\\.100 m +3 +pole +Wall +hit +2\\.50 ",
      "^ *5-6 +0\\.5200 s +0\\.080 s +(>= )?0\\.100 m +5-6 +pole +Shelf +hit +2\\.30 ",
      "^ *7-8 +0\\.7600 s +0\\.040 s +(>= )?0\\.100 m +7-8 +pole +Shelf +hit +2\\.30 ",
      "^ *7-8 +0\\.7700 s +0\\.030 s +(>= )?0\\.100 m +7-8 +pole +Wall +hit +2\\.50 "};
  for (std::size_t i = 0; i < expected.size(); ++i) {
    EXPECT_TRUE(matches(rows[i + 1], expected[i])) << rows[i + 1];
  }
}

TEST(Table, ColumnsLineUp) {
  const auto rows = rows_of(PoleScene().check().out);
  const std::size_t link = rows[0].find("Link");
  const std::size_t object = rows[0].find("Object");
  const std::size_t status = rows[0].find("Status");
  ASSERT_NE(status, std::string::npos);
  for (std::size_t i = 1; i < rows.size(); ++i) {
    EXPECT_EQ(rows[i].substr(link, 4), "pole") << rows[i];
    EXPECT_NE(rows[i][object], ' ') << rows[i];
    EXPECT_EQ(rows[i][object - 1], ' ') << rows[i];
    EXPECT_EQ(rows[i].substr(status, 3), "hit") << rows[i];
    EXPECT_NE(rows[i].back(), ' ');
  }
}

TEST(Table, EndsWithASentence) {
  const PoleScene scene;
  EXPECT_TRUE(
      contains(scene.check().out,
               "5 episodes of contact in 8 steps: 1 link and 2 objects. First: pole and Shelf at "
               "0.2400 s.\n"));
  EXPECT_TRUE(
      contains(scene.check({"--frames", ":2"}).out,
               "No contact, proved for every moment from 0.0000 s to 0.2000 s: 1 link against 6 "
               "triangles.\n"));
}

TEST(Table, SampledSaysThatNothingBetweenWasLookedAt) {
  const PoleScene scene;
  const std::string some = scene.check({"--sampled"}).out;
  EXPECT_TRUE(contains(some, "nothing between the poses was looked at")) << some;
  EXPECT_TRUE(contains(some, "1 episode of contact in 9 single poses")) << some;
  const std::string none = scene.check({"--sampled", "--frames", ":2"}).out;
  EXPECT_TRUE(contains(none, "No contact at the 3 sampled poses. This proves nothing")) << none;
  EXPECT_FALSE(contains(none, "proved for every moment")) << none;
}

TEST(Table, ExplainsAnOverlapAtTheStart) {
  const std::string out = PoleScene().check({"--frames", "3:4"}).out;
  EXPECT_TRUE(contains(out, "overlap: already touching when the step began.")) << out;
  EXPECT_FALSE(contains(PoleScene().check().out, "already touching")) << out;
}

TEST(Table, ManyEpisodesAreCut) {
  const PoleScene scene;
  std::string room;
  for (int i = 0; i < 50; ++i) {
    room += wall(fmt::format("Wall{:02}", i), 2.2 + 0.001 * i, 4 * i + 1);
  }
  scene.write("room.obj", room);
  const std::string out = scene.check({"--frames", "2:3"}).out;
  const auto rows = rows_of(out);
  ASSERT_EQ(rows.size(), 42U);  // heading, 40 rows, the line about the rest
  EXPECT_EQ(rows.back(), "... and 10 more (--all shows them)");
  EXPECT_TRUE(contains(out, "50 episodes of contact"));
  const auto all = rows_of(scene.check({"--frames", "2:3", "--all"}).out);
  ASSERT_EQ(all.size(), 51U);  // heading and rows
  EXPECT_TRUE(contains(all.back(), "Wall49")) << all.back();
}

TEST(Table, LongestFirst) {
  const auto rows = rows_of(PoleScene().check({"--sort", "length"}).out);
  ASSERT_EQ(rows.size(), 6U);
  const std::vector<std::string> frames{"2-6", "5-6", "2-3", "7-8", "7-8"};
  const std::vector<std::string> lasts{"0.320", "0.080", "0.060", "0.040", "0.030"};
  for (std::size_t i = 0; i < frames.size(); ++i) {
    EXPECT_TRUE(matches(rows[i + 1], "^ *" + frames[i] + " .* " + lasts[i] + " s ")) << rows[i + 1];
  }
  // The sentence is about time, whatever the order of rows.
  EXPECT_TRUE(
      contains(PoleScene().check({"--sort", "length"}).out, "First: pole and Shelf at 0.2400 s."));
}

TEST(Table, OneRowAnObjectOrALink) {
  const auto table = [](const std::vector<std::string>& more) {
    std::vector<std::string> rows;
    for (const std::string& line : lines_of(PoleScene().check(more).out)) {
      if (rows.empty() && !contains(line, "In contact")) continue;
      if (line.empty() || line.starts_with(">=: ")) break;
      rows.push_back(line);
    }
    return rows;
  };
  const auto objects = table({"--group", "object"});
  ASSERT_EQ(objects.size(), 3U);
  // Shelf: 0.06 + 0.08 + 0.04 s. Wall: 0.32 + 0.03 s.
  EXPECT_TRUE(matches(objects[1],
                      "^Shelf +3 +2-8 +0\\.2400 s +0\\.180 s +(>= )?0\\.100 m +[2-8]-[2-8] +pole$"))
      << objects[1];
  EXPECT_TRUE(matches(objects[2], "^Wall +2 +2-8 +0\\.2800 s +0\\.350 s +>= 0\\.100 m +3 +pole$"))
      << objects[2];
  const auto longest = table({"--group", "object", "--sort", "length"});
  ASSERT_EQ(longest.size(), 3U);
  EXPECT_TRUE(matches(longest[1], "^Wall ")) << longest[1];
  // The pole touches the wall or the shelf, or both, from 0.24 to 0.60 s and from 0.76 to 0.80 s.
  const auto links = table({"--group", "link"});
  ASSERT_EQ(links.size(), 2U);
  EXPECT_TRUE(matches(links[1], "^pole +5 +2-8 +0\\.2400 s +0\\.400 s +>= 0\\.100 m +3 +2$"))
      << links[1];
}

TEST(Table, WhatDrownsTheRestCanBeLeftOut) {
  const PoleScene scene;
  // Forty steps on a floor at the pole's foot; one of them touches the wall, too.
  std::vector<double> x(41, 0.0);
  x[20] = 2.5;
  scene.write("take.bvh", pole_take(x));
  scene.write("room.obj",
              wall("Wall", 2.5, 1) + "o Flo*r\nv -9 0 -9\nv 9 0 -9\nv 9 0 9\nf 5 6 7\n");
  const std::string out = scene.check().out;
  EXPECT_TRUE(contains(out,
                       "40 of 42 contacts are of pole and Flo*r. To leave these out:\n"
                       "    --ignore 'pole:Flo\\*r'\n"))
      << out;
  // That line does it, and then nothing drowns anything.
  const std::string left = scene.check({"--ignore", "pole:Flo\\*r"}).out;
  EXPECT_TRUE(contains(left, "1 episode of contact")) << left;
  EXPECT_FALSE(contains(left, "--ignore '")) << left;
}

TEST(Table, WideNamesAreCutInTheirMiddle) {
  const PoleScene scene;
  scene.write("room.obj", wall("Begin" + std::string(200, 'x') + "End", 2.5, 1));
  const auto rows = rows_of(scene.check().out);
  EXPECT_TRUE(matches(rows[1], "Beginx+…x+End  hit")) << rows[1];
  EXPECT_LT(rows[1].size(), 120U);
}

TEST(Table, Clearance) {
  const std::string out =
      PoleScene().check({"--clearance", "--frames", ":2", "--ignore", "*:F*"}).out;
  EXPECT_TRUE(matches(out,
                      "Link +Clearance of at least +Least at +Frames +Distance +Nearest\n"
                      "pole +0\\.(1[89]|20)[0-9]* m +0\\.1000 s +1-2 +0\\.2000 m +Shelf\n"))
      << out;
}

TEST(Table, ASingleFrameHoldsNoStep) {
  const CommandResult result = PoleScene().check({"--frames", "3:3"});
  EXPECT_EQ(result.status, 0);
  EXPECT_TRUE(contains(result.err, "holds no step")) << result.err;
  EXPECT_TRUE(contains(result.out, "Nothing was checked.")) << result.out;
}

TEST(Table, NoProgressWhereThereIsNoTerminal) { EXPECT_EQ(PoleScene().check().err, ""); }

}  // namespace
}  // namespace tocsin::test::table_test
