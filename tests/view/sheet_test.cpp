// The grid of a contact sheet: cells within it, apart, and as large as can be.
#include "view/sheet.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "view/colours.h"

namespace tocsin::view::sheet_test {
namespace {

struct Size {
  int width = 0;
  int height = 0;
};
constexpr std::array<Size, 5> kSizes{
    {{240, 240}, {480, 360}, {1000, 1600}, {1600, 1000}, {4096, 4096}}};

TEST(SheetLayout, EveryCellIsWithinTheSheet) {
  for (const auto& [width, height] : kSizes) {
    const std::size_t most = sheet_capacity(width, height);
    ASSERT_GE(most, 1U);
    for (std::size_t count = 1; count <= most; count = std::max(count + 1, count * 3 / 2)) {
      const SheetLayout at = sheet_layout(width, height, count);
      EXPECT_GE(at.capacity(), count);
      EXPECT_GE(at.width, 100);
      EXPECT_GE(at.height, 80) << width << 'x' << height << ": " << count;
      EXPECT_LE(at.columns * at.width, width);
      EXPECT_LE(at.heading + at.rows * (at.height + at.caption), height);
    }
  }
}

TEST(SheetLayout, FewPicturesAreLarger) {
  const SheetLayout one = sheet_layout(1600, 1000, 1);
  const SheetLayout four = sheet_layout(1600, 1000, 4);
  const SheetLayout many = sheet_layout(1600, 1000, sheet_capacity(1600, 1000));
  EXPECT_EQ(one.columns, 1);
  EXPECT_EQ(four.columns, 2);
  EXPECT_GT(one.width, 2 * four.width - 20);
  EXPECT_GT(four.width, many.width);
  EXPECT_GE(sheet_capacity(1600, 1000), 12U);
}

TEST(Sheet, PicturesStandInOrderWithInkUnderEach) {
  const SheetLayout at = sheet_layout(600, 500, 3);
  Sheet sheet(600, 500, at, "Episodes 1 to 3 of 3");
  for (int i = 0; i < 3; ++i) {
    const auto level = static_cast<std::uint8_t>(60 * (i + 1));
    Image cell{at.width, at.height, {}};
    cell.rgb.assign(cell.offset(0, at.height), level);
    sheet.add(cell, {"first line", "second line that is so long that it ends in dots, as it must"});
  }
  // Whole pictures of each level, in order, and dark ink below the last row of each.
  const Image& image = sheet.image();
  for (int i = 0; i < 3; ++i) {
    const auto level = static_cast<std::uint8_t>(60 * (i + 1));
    int pixels = 0;
    Size low{};
    for (int y = 0; y < image.height; ++y) {
      for (int x = 0; x < image.width; ++x) {
        const std::size_t p = image.offset(x, y);
        if (image.rgb[p] != level || image.rgb[p + 1] != level || image.rgb[p + 2] != level)
          continue;
        ++pixels;
        low = {x, y};
      }
    }
    EXPECT_GE(pixels, at.width * at.height);
    EXPECT_LE(pixels, at.width * at.height + 40);  // edges of letters
    int ink = 0;
    for (int y = low.height + 1; y < std::min(image.height, low.height + at.caption); ++y) {
      for (int x = low.width + 1 - at.width; x <= low.width; ++x) {
        ink += image.rgb[image.offset(x, y)] < 100 ? 1 : 0;
      }
    }
    EXPECT_GT(ink, 50) << i;
  }
}

}  // namespace
}  // namespace tocsin::view::sheet_test
