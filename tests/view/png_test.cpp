// Pictures become PNG files that another reader reads back.
#include "view/png.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "support/test_folder.h"
#include "view/png_reader.h"

namespace tocsin::view::png_test {
namespace {

Image colourful(int width, int height) {
  Image out{width, height, {}};
  for (int i = 0; i < 3 * width * height; ++i) out.rgb.push_back(static_cast<std::uint8_t>(i * 7));
  return out;
}

TEST(Png, ComesBackAsItWas) {
  const test::TestFolder folder;
  for (const auto& [width, height] : {std::pair{1, 1}, {3, 2}, {257, 33}}) {
    const std::string file = (folder.path() / "out.png").string();
    const Image image = colourful(width, height);
    ASSERT_TRUE(save_png(image, file));
    const Image read = test::read_png(file);
    EXPECT_EQ(read.width, width);
    EXPECT_EQ(read.height, height);
    EXPECT_EQ(read.rgb, image.rgb);
  }
}

TEST(Png, EqualPicturesAreEqualBytes) {
  const auto once = encode_png(colourful(40, 30));
  const auto again = encode_png(colourful(40, 30));
  ASSERT_TRUE(once);
  EXPECT_EQ(once->bytes, again->bytes);
}

TEST(Png, WhatCannotBeWrittenSaysSoAndLeavesNothing) {
  const test::TestFolder folder;
  const Status lost = save_png(colourful(4, 4), (folder.path() / "no" / "out.png").string());
  EXPECT_EQ(lost.error().code, ErrorCode::kResource);
  EXPECT_NE(lost.error().message.find("out.png"), std::string::npos);
  const Status full = save_png(colourful(100, 100), "/dev/full");
  EXPECT_EQ(full.error().code, ErrorCode::kResource);
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

}  // namespace
}  // namespace tocsin::view::png_test
