// What `tocsin view` draws: pictures as they were, colours, a film.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <utility>

#include "cli/view/view_fixture.h"
#include "support/places.h"
#include "view/colours.h"
#include "view/png_reader.h"

namespace tocsin::test::view_picture_test {
namespace {

using view_test::Json;
using view_test::View;

/// The mean of a block of pixels, channel by channel: what one driver draws a little differently
/// from another is hardly seen in it.
std::array<double, 3> block_mean(const view::Image& image, int left, int top, int size) {
  std::array<double, 3> sum{};
  for (int y = top; y < top + size; ++y) {
    for (int x = left; x < left + size; ++x) {
      for (std::size_t c = 0; c < 3; ++c) sum.at(c) += image.rgb[image.offset(x, y) + c];
    }
  }
  for (double& c : sum) c /= size * size;
  return sum;
}

/// The greatest difference of two pictures' blocks, of 255.
double difference(const view::Image& a, const view::Image& b) {
  constexpr int kBlock = 10;
  double out = 0.0;
  for (int y = 0; y + kBlock <= a.height; y += kBlock) {
    for (int x = 0; x + kBlock <= a.width; x += kBlock) {
      const auto p = block_mean(a, x, y, kBlock);
      const auto q = block_mean(b, x, y, kBlock);
      for (std::size_t c = 0; c < 3; ++c) out = std::max(out, std::fabs(p.at(c) - q.at(c)));
    }
  }
  return out;
}

// Looked at when they were kept. TOCSIN_KEEP_GOLDEN=1 keeps what is drawn now: look at it again.
TEST_F(View, LooksAsItDid) {
  constexpr double kMost = 24.0;  // of 255; a letter that is missing is 60 and more
  const auto told = this->told(
      "key n\nkey x\nscreenshot sweep.png\nkey x\nkey t\nkey b\nscreenshot tree.png\nkey f1\n"
      "screenshot keys.png\n");
  EXPECT_TRUE(told.empty());
  const std::filesystem::path kept = std::filesystem::path(source_dir()) / "tests/cli/view/golden";
  for (const char* const name : {"sweep.png", "tree.png", "keys.png"}) {
    if (std::getenv("TOCSIN_KEEP_GOLDEN") != nullptr) {
      std::filesystem::create_directories(kept);
      std::filesystem::copy_file(scene.full(name), kept / name,
                                 std::filesystem::copy_options::overwrite_existing);
    }
    const view::Image is = read_png(scene.full(name));
    const view::Image was = read_png((kept / name).string());
    ASSERT_EQ(is.width, was.width);
    ASSERT_EQ(is.height, was.height);
    ASSERT_GT(is.width, 0);
    EXPECT_LT(difference(is, was), kMost) << name;
  }
  const view::Image sweep = read_png(scene.full("sweep.png"));
  const view::Image tree = read_png(scene.full("tree.png"));
  EXPECT_GT(difference(sweep, tree), kMost) << "pictures that differ are told apart";
}

/// The colour of a pixel without its light: parts of its sum.
std::array<double, 3> hue_of(const view::Colour& linear) {
  const double sum = linear.r + linear.g + linear.b;
  return {linear.r / sum, linear.g / sum, linear.b / sum};
}

// What the link of the pole is painted with, seen from beside the room: in light or in shade, its
// hue is that of the kind; and beside the time of a contact its own.
TEST_F(View, PaintsLinksInTheColourOfTheirContact) {
  const auto told = this->told(
      "key r\nclick row 0\nlook 2.2 0.85 -5 2.2 0.85 0\nscreenshot hit.png\ntell\nseek 0.35\n"
      "look 2.525 0.85 -5 2.525 0.85 0\nscreenshot overlap.png\ntell\nkey home\n"
      "look 0 0.85 -5 0 0.85 0\nscreenshot free.png\ntell\n");
  ASSERT_EQ(told.size(), 3U);
  ASSERT_EQ(told[0]["touching"][0]["status"], "hit");
  ASSERT_EQ(told[1]["touching"][0]["status"], "overlap");
  ASSERT_TRUE(told[2]["touching"].empty());
  const std::array<std::pair<const char*, view::Colour>, 3> painted{
      {{"hit.png", view::kind_colour(ContactStatus::kHit)},
       {"overlap.png", view::kind_colour(ContactStatus::kOverlap)},
       {"free.png", view::avatar_colour(0)}}};
  for (const auto& [name, colour] : painted) {
    const view::Image picture = read_png(scene.full(name));
    // Above the middle of the view, which is 520 x 364 pixels from (0, 46) on: no mark is there.
    const auto mean = block_mean(picture, 257, 160, 6);
    const auto part = [&mean](std::size_t c) { return static_cast<float>(mean.at(c) / 255.0); };
    const auto is = hue_of(view::to_linear(view::Colour{part(0), part(1), part(2)}));
    const auto was = hue_of(view::to_linear(colour));
    for (std::size_t c = 0; c < 3; ++c) {
      EXPECT_NEAR(is.at(c), was.at(c), 0.06) << name << ", channel " << c;
    }
  }
}

TEST_F(View, FilmsWithFfmpeg) {
  const CommandResult done = view("film a.mp4\nwait 0.1\nfilm end\ntell\n",
                                  {"take.bvh", "--env", "room.obj", "--avatar", "./pole.json"},
                                  {"--offscreen", "--size", "321x201"});
  if (done.status == 2) {  // what this machine has not
    ASSERT_TRUE(contains(done.err, "apt install ffmpeg")) << done.err;
    for (const std::string& file : scene.files()) EXPECT_FALSE(contains(file, ".mp4")) << file;
    GTEST_SKIP() << done.err;
  }
  ASSERT_EQ(done.status, 0) << done.err;
  const Json state = Json::parse(done.out);
  EXPECT_EQ(state["message"], "saved a.mp4");
  EXPECT_FALSE(state["filming"].get<bool>());
  EXPECT_EQ(scene.read("a.mp4").substr(4, 4), "ftyp");
  for (const std::string& file : scene.files()) {
    EXPECT_FALSE(contains(file, ".part")) << "nothing half-written is left";
  }
}

}  // namespace
}  // namespace tocsin::test::view_picture_test
