// `tocsin render` of a report, of a chosen contact or episode, of a sheet, and of several takes.
#include <gtest/gtest.h>

#include <cstdlib>

#include "cli/scenes.h"

namespace tocsin::test::render_report_test {
namespace {

using Arguments = std::vector<std::string>;

/// A folder with the scene of scenes.h and its report; skips where there is no OpenGL.
class RenderReport : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_EQ(scene_.check({"--out", "report.jsonl"}).status, 0);
    static const CommandResult tried =
        render({"report.jsonl", "-o", "-", "--size", "16x16"});  // once for all tests
    if (tried.status == 0) return;
    if (std::getenv("TOCSIN_NEEDS_GL") != nullptr) FAIL() << tried.err;
    GTEST_SKIP() << tried.err;
  }

  [[nodiscard]] CommandResult render(const Arguments& more) const {
    Arguments all{"render"};
    all.insert(all.end(), more.begin(), more.end());
    return run_tocsin(all, scene_.path());
  }
  /// render MORE... -o out.png at a small size, which must succeed.
  [[nodiscard]] CommandResult drawn(Arguments more) const {
    more.insert(more.end(), {"-o", "out.png", "--size", "64x48"});
    const CommandResult result = render(more);
    EXPECT_EQ(result.status, 0) << result.err;
    return result;
  }
  [[nodiscard]] const PoleScene& scene() const { return scene_; }

 private:
  PoleScene scene_;
};

bool holds(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST_F(RenderReport, ItIsDrawnAsItsTakeIs) {
  const Arguments take{"take.bvh", "--env", "room.obj", "--avatar", "./pole.json"};
  EXPECT_TRUE(holds(drawn({"report.jsonl"}).out, "out.png: 64 x 48 pixels, frames 2 to 3;"));
  const std::string of_report = scene().read("out.png");
  EXPECT_TRUE(holds(drawn(take).out, "frames 2 to 3;"));
  EXPECT_EQ(scene().read("out.png"), of_report);
}

TEST_F(RenderReport, AContactAndAnEpisodeCanBeChosen) {
  // scenes.h: the lines are Wall and Shelf (in the room's order) of step 2, Wall of 3, of 4, Wall
  // and Shelf of 5, then of 7. The episodes by first touch: Shelf in 2, Wall from 2, Shelf in 5,
  // Shelf in 7, Wall in 7.
  EXPECT_TRUE(holds(drawn({"report.jsonl", "--contact", "3"}).out, "frames 3 to 4;"));
  EXPECT_TRUE(holds(drawn({"report.jsonl", "--contact", "8"}).out, "frames 7 to 8;"));
  EXPECT_TRUE(holds(drawn({"report.jsonl", "--episode", "3"}).out, "frames 5 to 6;"));
  const Arguments take{"take.bvh",    "--env",     "room.obj", "--avatar",
                       "./pole.json", "--episode", "3"};
  EXPECT_TRUE(holds(drawn(take).out, "frames 5 to 6;"));
  const CommandResult many = render({"report.jsonl", "--episode", "6", "-o", "out.png"});
  EXPECT_EQ(many.status, 2);
  EXPECT_TRUE(holds(many.err, "--episode: there are 5 episodes, not 6")) << many.err;
  const CommandResult more = render({"report.jsonl", "--contact", "9", "-o", "out.png"});
  EXPECT_EQ(more.status, 2);
  EXPECT_TRUE(holds(more.err, "--contact: there are 8 contacts, not 9")) << more.err;
}

TEST_F(RenderReport, TwoEpisodesOfOneStepArePicturesOfTheirOwn) {
  (void)drawn({"report.jsonl", "--episode", "1"});
  const std::string shelf = scene().read("out.png");
  (void)drawn({"report.jsonl", "--episode", "2"});
  EXPECT_NE(scene().read("out.png"), shelf);
}

TEST_F(RenderReport, AnInputThatChangedIsRefused) {
  scene().write("room.obj", scene().read("room.obj") + "# changed\n");
  const CommandResult result = render({"report.jsonl", "-o", "out.png"});
  EXPECT_EQ(result.status, 3);
  EXPECT_TRUE(holds(result.err, "room.obj is not the file that this report was made from"))
      << result.err;
  scene().write("cut.jsonl", scene().read("report.jsonl").substr(0, 900));
  EXPECT_EQ(render({"cut.jsonl", "-o", "out.png"}).status, 3);
}

TEST_F(RenderReport, AReportThatWasChangedIsSaid) {
  std::string report = scene().read("report.jsonl");
  const std::size_t at = report.find("\"hash\":\"");
  ASSERT_NE(at, std::string::npos);
  report.replace(at + 8, 4, "0000");
  scene().write("report.jsonl", report);
  const CommandResult result = drawn({"report.jsonl"});
  EXPECT_TRUE(holds(result.err, "report.jsonl: the hash of its contacts is 0000")) << result.err;
}

TEST_F(RenderReport, ASheetHasAllEpisodes) {
  const CommandResult all =
      render({"report.jsonl", "--sheet", "-o", "sheet.png", "--size", "480x400"});
  ASSERT_EQ(all.status, 0) << all.err;
  EXPECT_TRUE(holds(all.out, "sheet.png: 480 x 400 pixels, episodes 1 to")) << all.out;
  // At this size a page holds two.
  const CommandResult first =
      render({"report.jsonl", "--sheet", "-o", "a.png", "--size", "500x240"});
  EXPECT_TRUE(holds(first.out, "episodes 1 to 2 of 5; --page 2 of 3 has the next")) << first.out;
  const CommandResult last =
      render({"report.jsonl", "--sheet", "-o", "b.png", "--size", "500x240", "--page", "3"});
  EXPECT_TRUE(holds(last.out, "episodes 5 to 5 of 5\n")) << last.out;
  EXPECT_NE(scene().read("a.png"), scene().read("b.png"));
  const CommandResult beyond =
      render({"report.jsonl", "--sheet", "-o", "c.png", "--size", "500x240", "--page", "4"});
  EXPECT_EQ(beyond.status, 2);
  EXPECT_TRUE(holds(beyond.err, "--page: there are 3 pages of 5 episodes")) << beyond.err;
}

TEST_F(RenderReport, ASheetOfNothingSaysSo) {
  const CommandResult result =
      render({"take.bvh", "--env", "room.obj", "--avatar", "./pole.json", "--ignore", "*:*",
              "--sheet", "-o", "sheet.png", "--size", "240x240"});
  ASSERT_EQ(result.status, 0) << result.err;
  EXPECT_TRUE(holds(result.out, "nothing is touched")) << result.out;
}

TEST_F(RenderReport, SeveralTakesAreDrawnWhereTheyMeet) {
  // The second pole stands at x = 1.5, away from wall and shelf. The first comes from x = 1 to 2
  // in step 1: their skins meet at 1.3.
  scene().write("still.bvh", pole_take(std::vector<double>(9, 1.5)));
  const Arguments two{"take.bvh", "still.bvh", "--env", "room.obj", "--avatar", "./pole.json"};
  const CommandResult met = drawn(two);
  EXPECT_TRUE(holds(met.out, "instants 1 to 2;")) << met.out;
  EXPECT_TRUE(holds(met.err, "pole of take touches pole of still at 0.1300 s")) << met.err;
  Arguments checked{"check"};
  checked.insert(checked.end(), two.begin(), two.end());
  checked.insert(checked.end(), {"--out", "two.jsonl"});
  ASSERT_EQ(run_tocsin(checked, scene().path()).status, 0);
  EXPECT_TRUE(holds(drawn({"two.jsonl"}).err, "pole of take touches pole of still at 0.1300 s"));
  Arguments framed = two;
  framed.insert(framed.end(), {"--frame", "0", "--trail", "0:8:4"});
  EXPECT_TRUE(holds(drawn(framed).err, "instants 0 to 1: nothing is touched"));
}

TEST_F(RenderReport, ATakeThatIsOverIsNotDrawn) {
  // The second take ends after frame 4; in step 7 only the first is there.
  scene().write("short.bvh", pole_take(std::vector<double>(5, -2.0)));
  const CommandResult result = drawn(
      {"take.bvh", "short.bvh", "--env", "room.obj", "--avatar", "./pole.json", "--frame", "7"});
  EXPECT_TRUE(holds(result.err, "instants 7 to 8: pole of take touches Shelf")) << result.err;
}

TEST_F(RenderReport, WrongUsageIsSaid) {
  struct Wrong {
    Arguments arguments;
    std::string says;
  };
  const std::vector<Wrong> table{
      {{"take.bvh", "-o", "o.png"}, "--env is required"},
      {{"report.jsonl", "--env", "room.obj", "-o", "o.png"}, "--env: goes with takes"},
      {{"report.jsonl", "--margin", "1", "-o", "o.png"}, "--margin: goes with takes"},
      {{"report.jsonl", "--tolerance", "1", "-o", "o.png"}, "--tolerance: goes with takes"},
      {{"report.jsonl", "take.bvh", "-o", "o.png"}, "a report goes alone"},
      {{"report.jsonl", "--stride", "2", "-o", "o.png"}, "--stride: a report has its own"},
      {{"report.jsonl", "--episode", "0", "-o", "o.png"}, "--episode"},
      {{"report.jsonl", "--episode", "1", "--contact", "1", "-o", "o.png"}, "one of them"},
      {{"report.jsonl", "--page", "2", "-o", "o.png"}, "--page: needs --sheet"},
      {{"report.jsonl", "--sheet", "--camera", "1,2,3", "-o", "o.png"}, "--camera and --sheet"},
      {{"report.jsonl", "--sheet", "--size", "100x100", "-o", "o.png"}, "at least 240 x 240"},
      {{"report.jsonl", "--sheet", "--show", "legend", "-o", "o.png"}, "no legend"},
      {{"take.bvh", "take.bvh", "--env", "room.obj", "--stride", "2", "-o", "o.png"},
       "--stride: of several takes"},
  };
  for (const Wrong& refusal : table) {
    const CommandResult result = render(refusal.arguments);
    EXPECT_EQ(result.status, 2) << refusal.says << result.err;
    EXPECT_TRUE(holds(result.err, refusal.says)) << refusal.says << "\n" << result.err;
  }
}

}  // namespace
}  // namespace tocsin::test::render_report_test
