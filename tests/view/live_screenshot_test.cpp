// A screenshot of a window whose story grows: its picture is of the step that its texts name.
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <memory>

#include "gpu/gl/gl_test.h"
#include "support/test_folder.h"
#include "view/png_reader.h"
#include "view/window/pole_story.h"
#include "view/window/window.h"

namespace tocsin::view::live_screenshot_test {
namespace {

/// The pole of test::pole_story() as a live session of which so many steps came.
std::shared_ptr<const Story> live_story(std::size_t steps) {
  auto story = test::pole_story();
  StoryFigure& figure = story->figures[0];
  figure.live = true;
  figure.stays = true;
  figure.steps =
      StepList(figure.steps.begin(), figure.steps.begin() + static_cast<std::ptrdiff_t>(steps));
  story->times = {0.0, 0.1 * static_cast<double>(steps)};
  story->complete = false;
  story->episodes.clear();
  story->contacts.clear();
  story->lanes.clear();
  return story;
}

/// More arrives at one call.
class Growing final : public StorySource {
 public:
  Growing(std::filesystem::path file, int grows_at) : file_(std::move(file)), at_(grows_at) {}
  std::shared_ptr<const Story> latest() override {
    ++calls_;
    if (!std::filesystem::exists(file_)) last_before_ = calls_;
    return calls_ >= at_ ? more_ : little_;
  }
  /// The last call before the file was there.
  [[nodiscard]] int last_before() const { return last_before_; }

 private:
  std::filesystem::path file_;
  int at_;
  int calls_ = 0;
  int last_before_ = 0;
  std::shared_ptr<const Story> little_ = live_story(1);
  std::shared_ptr<const Story> more_ = live_story(8);
};

/// Of the bytes of two pictures, how many differ by more than a little.
std::size_t differing(const Image& a, const Image& b) {
  EXPECT_EQ(a.rgb.size(), b.rgb.size());
  constexpr int kLittle = 4;
  std::size_t out = 0;
  for (std::size_t i = 0; i < std::min(a.rgb.size(), b.rgb.size()); ++i) {
    out += std::abs(int{a.rgb[i]} - int{b.rgb[i]}) > kLittle ? 1U : 0U;
  }
  return out;
}

class LiveScreenshot : public test::GlTest {
 protected:
  /// Two screenshots, the second one some frames later; source.last_before().
  int shoot(int grows_at, const std::string& first, const std::string& second) {
    const auto path = [this](const std::string& name) { return (folder_.path() / name).string(); };
    Growing source(path(first), grows_at);
    WindowWish wish;
    wish.width = 640;
    wish.height = 400;
    wish.offscreen = true;
    wish.scripted = true;
    // The room off and on: what was said of the first file goes.
    const auto script = parse_script("look 1 1 7 1 1 0\nscreenshot " + path(first) +
                                         "\nkey r\nkey r\nscreenshot " + path(second) + "\n",
                                     "s");
    EXPECT_TRUE(script.ok());
    wish.script = *script;
    const Status shown = show_window(source, wish);
    EXPECT_TRUE(shown.ok()) << shown.error().message;
    return source.last_before();
  }
  [[nodiscard]] Image picture(const std::string& name) const {
    return test::read_png((folder_.path() / name).string());
  }

 private:
  test::TestFolder folder_;
};

TEST_F(LiveScreenshot, ShowsTheStepThatItsTextsName) {
  if (!has_window()) GTEST_SKIP() << "built without Dear ImGui";
  constexpr int kNever = 1 << 20;
  const int last = shoot(kNever, "before.png", "still.png");
  ASSERT_GT(last, 2);
  EXPECT_EQ(differing(picture("before.png"), picture("still.png")), 0U);
  // More arrives in the very frame that is saved.
  shoot(last, "grown.png", "later.png");
  EXPECT_GT(differing(picture("before.png"), picture("grown.png")), 5000U) << "the pole has moved";
  EXPECT_EQ(differing(picture("grown.png"), picture("later.png")), 0U);
}

}  // namespace
}  // namespace tocsin::view::live_screenshot_test
