// `tocsin render` as a user runs it, on the scene of scenes.h: what it draws, says and refuses.
// That pictures show what they should is tested in tests/view.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

#include "cli/scenes.h"

namespace tocsin::test::render_test {
namespace {

using Arguments = std::vector<std::string>;

/// A folder with the scene; skips the test where there is no OpenGL (TOCSIN_NEEDS_GL=1: fails it).
class Render : public testing::Test {
 protected:
  void SetUp() override {
    const CommandResult tried = render({"--frame", "0", "-o", "-", "--size", "16x16"});
    if (tried.status == 0) return;
    if (std::getenv("TOCSIN_NEEDS_GL") != nullptr) FAIL() << tried.err;
    GTEST_SKIP() << tried.err;
  }

  /// render take.bvh --env room.obj --avatar ./pole.json MORE...
  [[nodiscard]] CommandResult render(const Arguments& more) const {
    Arguments all{"render", "take.bvh", "--env", "room.obj", "--avatar", "./pole.json"};
    all.insert(all.end(), more.begin(), more.end());
    return run_tocsin(all, scene_.path());
  }
  [[nodiscard]] const PoleScene& scene() const { return scene_; }

 private:
  PoleScene scene_;
};

/// Width and height that a PNG file says it has, as "WxH"; empty if it is none.
std::string size_of(const std::string& png) {
  if (png.size() < 24 || png.compare(0, 8, "\x89PNG\r\n\x1a\n") != 0) return {};
  const auto number = [&png](std::size_t at) {
    int value = 0;
    for (std::size_t i = 0; i < 4; ++i)
      value = value * 256 + static_cast<unsigned char>(png[at + i]);
    return std::to_string(value);
  };
  return number(16) + "x" + number(20);
}

TEST_F(Render, TheFirstStepWithAContactIsDrawn) {
  const CommandResult result = render({"-o", "out.png", "--size", "120x90"});
  ASSERT_EQ(result.status, 0) << result.err;
  EXPECT_TRUE(
      matches(result.out, "^out.png: 120 x 90 pixels, frames 2 to 3; --camera .* --look-at"))
      << result.out;
  // Worked out in scenes.h: Shelf at t = 0.4, Wall at 0.8 of the step from 0.2 s to 0.3 s.
  EXPECT_TRUE(matches(result.err, "frames 2 to 3: pole touches Shelf at 0\\.2400 s")) << result.err;
  EXPECT_TRUE(matches(result.err, "frames 2 to 3: pole touches Wall at 0\\.2800 s")) << result.err;
  EXPECT_EQ(size_of(scene().read("out.png")), "120x90");
}

// A closed box from x = -0.8 to 0.8 around the pole's first place, x = 0; its radius is 0.1.
TEST_F(Render, HowDeepALinkIsInsideASolidIsSaid) {
  scene().write(
      "room.obj",
      "o Box\nv -0.8 -1 -1\nv 0.8 -1 -1\nv 0.8 3 -1\nv -0.8 3 -1\nv -0.8 -1 1\nv 0.8 -1 "
      "1\nv 0.8 3 1\nv -0.8 3 1\nf 1 4 3 2\nf 5 6 7 8\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf "
      "4 1 5 8\n");
  const CommandResult result = render({"--frame", "0", "-o", "-", "--size", "40x30"});
  ASSERT_EQ(result.status, 0) << result.err;
  EXPECT_NE(result.err.find("pole is inside Box from the start, 0.900 m deep"), std::string::npos)
      << result.err;
}

TEST_F(Render, TheStepThatIsAskedForIsDrawn) {
  const CommandResult still = render({"--frame", "0", "-o", "out.png", "--size", "64x48"});
  ASSERT_EQ(still.status, 0) << still.err;
  EXPECT_NE(still.err.find("frames 0 to 1: nothing is touched"), std::string::npos) << still.err;
  const CommandResult wide =
      render({"--frame", "1", "--stride", "3", "-o", "out.png", "--size", "64x48"});
  EXPECT_NE(wide.err.find("frames 1 to 4: pole touches Shelf"), std::string::npos) << wide.err;
  EXPECT_EQ(render({"--show", "", "-o", "out.png"}).status, 2);
  const CommandResult back = render({"--trail", "5:1", "-o", "out.png"});
  EXPECT_EQ(back.status, 2);
  EXPECT_NE(back.err.find("frame 5 comes after frame 1"), std::string::npos) << back.err;
  // The last step may be shorter.
  const CommandResult last =
      render({"--frame", "7", "--stride", "3", "-o", "out.png", "--size", "64x48"});
  EXPECT_NE(last.out.find("frames 7 to 8"), std::string::npos) << last.out;
  EXPECT_NE(last.err.find("frames 7 to 8: 1 frame long, not 3, as the motion ends there"),
            std::string::npos)
      << last.err;
  EXPECT_EQ(wide.err.find("long, not"), std::string::npos) << wide.err;
  const CommandResult ranged =
      render({"--frames", "4:", "--ignore", "*:Wall", "-o", "out.png", "--size", "64x48"});
  EXPECT_NE(ranged.err.find("frames 5 to 6: pole touches Shelf"), std::string::npos) << ranged.err;
}

TEST_F(Render, NothingTouchedAnywhereIsSaid) {
  const CommandResult result = render({"--ignore", "*:*", "-o", "out.png", "--size", "64x48"});
  ASSERT_EQ(result.status, 0) << result.err;
  EXPECT_NE(result.err.find("frames 0 to 8: nothing is touched, without ignored pairs"),
            std::string::npos)
      << result.err;
}

TEST_F(Render, StandardOutputTakesThePictureAndNothingElse) {
  const CommandResult result = render({"--frame", "2", "-o", "-", "--size", "40x30"});
  ASSERT_EQ(result.status, 0) << result.err;
  EXPECT_EQ(size_of(result.out), "40x30");
  EXPECT_EQ(result.out.substr(result.out.size() - 8, 4), "IEND");
}

TEST_F(Render, TheSameCommandWritesTheSameBytes) {
  const Arguments command{"--frame", "2", "-o", "-", "--size", "480x300"};
  EXPECT_EQ(render(command).out, render(command).out);
}

TEST_F(Render, EveryPartCanBeShownAlone) {
  std::vector<std::string> seen;
  for (const std::string show : {"none", "poses", "sweep", "stop", "contacts", "stop,contacts"}) {
    const CommandResult result =
        render({"--frame", "2", "--show", show, "-o", "-", "--size", "100x75"});
    ASSERT_EQ(result.status, 0) << show << result.err;
    for (const std::string& other : seen) EXPECT_NE(result.out, other) << show;
    seen.push_back(result.out);
  }
  const CommandResult trail =
      render({"--frame", "2", "--trail", "0:2", "-o", "-", "--size", "100x75"});
  EXPECT_EQ(trail.status, 0) << trail.err;
}

TEST_F(Render, TheCameraThatItNamesCanBeGiven) {
  const Arguments at{"--camera", "0,1,5", "--look-at", "2,1,0", "--fov", "50"};
  Arguments all{"--frame", "2", "-o", "out.png", "--size", "64x48"};
  all.insert(all.end(), at.begin(), at.end());
  const CommandResult result = render(all);
  ASSERT_EQ(result.status, 0) << result.err;
  EXPECT_NE(result.out.find("--camera 0.00,1.00,5.00 --look-at 2.00,1.00,0.00 --fov 50"),
            std::string::npos)
      << result.out;
}

TEST_F(Render, AnOlderPictureSurvivesAnError) {
  scene().write("out.png", "older");
  EXPECT_EQ(render({"--frame", "99", "-o", "out.png"}).status, 2);
  EXPECT_EQ(scene().read("out.png"), "older");
  EXPECT_EQ(render({"--frame", "0", "-o", "no/such/folder/out.png", "--size", "16x16"}).status, 4);
  EXPECT_EQ(scene().files().size(), 4U);
}

struct Refusal {
  Arguments arguments;
  std::string says;
};

TEST(RenderArguments, BadOnesAreRefusedByName) {
  const PoleScene scene;
  std::filesystem::create_symlink("room.obj", scene.full("alias.png"));
  const std::vector<Refusal> table{
      {{}, "--out is required"},
      {{"-o", ""}, "--out"},
      {{"-o", "out.jpg"}, "--out: .*png"},
      {{"-o", "alias.png"}, "--out: room.obj is an input"},
      {{"-o", "o.png", "--frame", "8"}, "--frame: .* 0 to 7, not at 8"},
      {{"-o", "o.png", "--frame", "x"}, "--frame"},
      {{"-o", "o.png", "--frame", "-1"}, "--frame"},
      {{"-o", "o.png", "--frame", "1", "--frames", "1:2"}, "--frame and --frames"},
      {{"-o", "o.png", "--stride", "0"}, "--stride"},
      {{"-o", "o.png", "--frames", "3:99"}, "--frames"},
      {{"-o", "o.png", "--trail", "3:99"}, "--trail: .* 0 to 8"},
      {{"-o", "o.png", "--trail", "5:2"}, "--trail"},
      {{"-o", "o.png", "--trail", "5"}, "--trail"},
      {{"-o", "o.png", "--show", "poses,x"}, "--show: .*\"x\""},
      {{"-o", "o.png", "--show", "poses,"}, "--show"},
      {{"-o", "o.png", "--show", "stop,poses,stop"}, "--show: stop is there twice"},
      {{"-o", "o.png", "--trail", "9:"}, "--trail: .* 0 to 8"},
      {{"-o", "o.png", "--size", "15x100"}, "--size"},
      {{"-o", "o.png", "--size", "100"}, "--size"},
      {{"-o", "o.png", "--size", "5000x100"}, "--size"},
      {{"-o", "o.png", "--camera", "1,2"}, "--camera"},
      {{"-o", "o.png", "--camera", "1,2,inf"}, "--camera"},
      {{"-o", "o.png", "--camera", "1,2,nan"}, "--camera"},
      {{"-o", "o.png", "--look-at", "1,2,3,4"}, "--look-at"},
      {{"-o", "o.png", "--camera", "1,2,3", "--look-at", "1,2,3"}, "--camera.*where it stands"},
      {{"-o", "o.png", "--camera", "1e7,0,0", "--look-at", "1,2,3"}, "1e6 m"},
      {{"-o", "o.png", "--camera", "1,2,3", "--zoom", "2"}, "--zoom and --camera"},
      {{"-o", "o.png", "--fov", "0"}, "--fov"},
      {{"-o", "o.png", "--fov", "180"}, "--fov"},
      {{"-o", "o.png", "--zoom", "0"}, "--zoom"},
      {{"-o", "o.png", "--sampled"}, "--sampled"},
      {{"-o", "o.png", "--gl-device", "999"}, "no OpenGL device 999|[Oo]pen|EGL"},
  };
  for (const Refusal& refusal : table) {
    Arguments all{"render", "take.bvh", "--env", "room.obj", "--avatar", "./pole.json"};
    all.insert(all.end(), refusal.arguments.begin(), refusal.arguments.end());
    const CommandResult result = run_tocsin(all, scene.path());
    EXPECT_EQ(result.status, 2) << refusal.says << result.err;
    EXPECT_TRUE(matches(result.err, refusal.says)) << refusal.says << "\n" << result.err;
    EXPECT_EQ(result.out, "");
  }
  EXPECT_EQ(scene.files().size(), 4U);
}

TEST(RenderArguments, ARefusedInputIsStatus3) {
  const PoleScene scene;
  scene.write("room.obj", "f 1 2 3\n");
  const CommandResult result =
      run_tocsin({"render", "take.bvh", "--env", "room.obj", "-o", "out.png"}, scene.path());
  EXPECT_EQ(result.status, 3) << result.err;
}

TEST(RenderArguments, ASingleFrameHoldsNoStep) {
  const PoleScene scene;
  scene.write("take.bvh", pole_take({0.5}));
  const CommandResult result = run_tocsin(
      {"render", "take.bvh", "--env", "room.obj", "--avatar", "./pole.json", "-o", "out.png"},
      scene.path());
  EXPECT_EQ(result.status, 2) << result.err;
  EXPECT_NE(result.err.find("single frame"), std::string::npos) << result.err;
}

}  // namespace
}  // namespace tocsin::test::render_test
