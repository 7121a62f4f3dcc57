// The strip under a picture: there, legible, and nowhere else.
#include "view/legend.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "view/colours.h"
#include "view/stroke_font.h"

namespace tocsin::view::legend_test {
namespace {

Image grey(int width, int height) {
  return {width, height,
          std::vector<std::uint8_t>(3U * static_cast<unsigned>(width * height), 128)};
}

TEST(StrokeFont, EveryGlyphIsInkWithinItsPlace) {
  for (char c = '!'; c <= '~'; ++c) {
    Image image = grey(60, 60);
    draw_text(image, 20, 40, std::string(1, c), {20.0, {0, 0, 0}});
    int ink = 0;
    for (int y = 0; y < 60; ++y) {
      for (int x = 0; x < 60; ++x) {
        if (image.rgb[image.offset(x, y)] > 100) continue;
        ++ink;
        EXPECT_GE(x, 17) << c;
        EXPECT_LE(x, 20 + static_cast<int>(text_width(std::string(1, c), 20.0))) << c;
        EXPECT_GE(y, 40 - 26) << c;
        EXPECT_LE(y, 40 + 10) << c;
      }
    }
    EXPECT_GT(ink, 2) << c;
  }
}

TEST(StrokeFont, GlyphsDiffer) {
  std::vector<std::vector<std::uint8_t>> seen;
  for (char c = ' '; c <= '~'; ++c) {
    Image image = grey(60, 60);
    draw_text(image, 20, 40, std::string(1, c), {20.0, {0, 0, 0}});
    // I and l are the same stroke, as in most fonts without feet; | is longer.
    if (c == 'l') continue;
    EXPECT_EQ(std::count(seen.begin(), seen.end(), image.rgb), 0) << c;
    seen.push_back(image.rgb);
  }
}

TEST(StrokeFont, WhatItCannotWriteIsABoxEach) {
  EXPECT_EQ(text_width("\xC3\xA9", 10.0), text_width("\xE2\x82\xAC", 10.0));
  EXPECT_EQ(text_width("\xC3\xA9", 10.0), text_width("\x01", 10.0));
  EXPECT_EQ(fitting_part("ab\xC3\xA9", 10.0, 1e9), "ab\xC3\xA9");
  EXPECT_EQ(fitting_part("ab\xC3\xA9", 10.0, text_width("ab", 10.0) + 1.0), "ab");
}

TEST(StrokeFont, OutsideThePictureIsCutOff) {
  Image image = grey(10, 10);
  draw_text(image, -200, -200, "far away", {12.0, {0, 0, 0}});
  EXPECT_EQ(image.rgb, grey(10, 10).rgb);
  draw_text(image, -20, 8, "across the edge", {12.0, {0, 0, 0}});
  EXPECT_NE(image.rgb, grey(10, 10).rgb);
}

LegendText text() {
  return {"Frames 1 to 2", "free", {"0.1 s", "0.2 s"}, 0.5, {"a touches B", "c touches D"}};
}

TEST(Legend, TouchesItsOwnRowsOnly) {
  Image image = grey(800, 500);
  const int top = 500 - legend_height(800, 500, 2);
  ASSERT_GT(top, 400);
  draw_legend(image, text());
  const auto above = image.rgb.begin() + static_cast<std::ptrdiff_t>(image.offset(0, top));
  EXPECT_TRUE(std::all_of(image.rgb.begin(), above, [](std::uint8_t c) { return c == 128; }));
  EXPECT_FALSE(std::any_of(above, image.rgb.end(), [](std::uint8_t c) { return c == 128; }) &&
               std::all_of(above, image.rgb.end(), [](std::uint8_t c) { return c == 128; }));
}

TEST(Legend, HoldsTheScaleOfTimes) {
  Image image = grey(800, 500);
  draw_legend(image, text());
  // The first and the last of the scale's colours are somewhere in it, in that order.
  const auto column_of = [&image](const Colour& c) {
    const auto near = [](std::uint8_t a, float b) { return std::abs(a - b * 255.0F) < 6.0F; };
    for (int x = 0; x < 400; ++x) {
      for (int y = 400; y < 500; ++y) {
        const std::size_t at = image.offset(x, y);
        if (near(image.rgb[at], c.r) && near(image.rgb[at + 1], c.g) &&
            near(image.rgb[at + 2], c.b)) {
          return x;
        }
      }
    }
    return -1;
  };
  const int first = column_of(kTimeColours.front());
  const int last = column_of(kTimeColours.back());
  EXPECT_GE(first, 0);
  EXPECT_GT(last, first + 100);
  EXPECT_NEAR(column_of(kContactColour), 0.5 * (first + last), 12.0);
}

/// Rows in which `colour` begins in these columns: so many dots, one above the other.
int dots_in(const Image& image, int left, int right, int top) {
  int found = 0;
  bool before = false;
  for (int y = top; y < image.height; ++y) {
    bool here = false;
    for (int x = left; x < right; ++x) {
      const std::size_t at = image.offset(x, y);
      const auto near = [&image](std::size_t i, float c) {
        return std::abs(image.rgb[i] - c * 255.0F) < 6.0F;
      };
      here = here || (near(at, kContactColour.r) && near(at + 1, kContactColour.g) &&
                      near(at + 2, kContactColour.b));
    }
    found += here && !before ? 1 : 0;
    before = here;
  }
  return found;
}

TEST(Legend, HoldsEveryContactInTwoColumns) {
  for (const std::size_t count : {1U, 3U, 4U, 9U, 16U}) {
    Image image = grey(800, 500);
    LegendText many = text();
    many.mark.reset();
    many.contacts.assign(count, "a touches B");
    const int top = 500 - legend_height(800, 500, count);
    EXPECT_GE(top, 275);
    draw_legend(image, many);
    const int left = dots_in(image, 0, 40, top);
    const int right = dots_in(image, 400, 440, top);
    EXPECT_EQ(left + right, static_cast<int>(count));
    EXPECT_TRUE(count > 3 || left == 0);
    EXPECT_EQ(image.rgb[image.offset(400, top - 1)], 128) << "the strip begins where it says";
  }
}

TEST(Legend, WhatItDoesNotHoldIsCounted) {
  const int top = 500 - legend_height(800, 500, 1000);
  EXPECT_GE(top, 275);  // at most 45 % of the picture
  const auto dots = [top](std::size_t count) {
    Image image = grey(800, 500);
    LegendText many = text();
    many.mark.reset();
    many.contacts.assign(count, "a touches B");
    draw_legend(image, many);
    return dots_in(image, 0, 40, top) + dots_in(image, 400, 440, top);
  };
  int fit = 0;
  while (dots(static_cast<std::size_t>(fit + 1)) == fit + 1) ++fit;
  EXPECT_GE(fit, 15);
  // One more, and the last place says how many there are besides.
  EXPECT_EQ(dots(static_cast<std::size_t>(fit + 1)), fit - 1);
  EXPECT_EQ(dots(1000), fit - 1);
}

TEST(Legend, SmallPicturesHaveNone) {
  EXPECT_EQ(legend_height(200, 100, 2), 0);
  Image image = grey(200, 100);
  draw_legend(image, text());
  EXPECT_EQ(image.rgb, grey(200, 100).rgb);
}

TEST(TimeColours, GetLighterEvenly) {
  const auto luminance = [](const Colour& c) {
    const Colour l = to_linear(c);
    return 0.2126 * static_cast<double>(l.r) + 0.7152 * static_cast<double>(l.g) +
           0.0722 * static_cast<double>(l.b);
  };
  const auto lightness = [&](double t) {
    return 116.0 * std::cbrt(luminance(time_colour(t))) - 16.0;
  };
  for (int i = 1; i <= 50; ++i) {
    const double step = lightness(i / 50.0) - lightness((i - 1) / 50.0);
    EXPECT_GT(step, 0.5) << i;
    EXPECT_LT(step, 3.0) << i;
  }
  EXPECT_EQ(time_colour(-1.0), kTimeColours.front());
  EXPECT_EQ(time_colour(2.0), kTimeColours.back());
}

}  // namespace
}  // namespace tocsin::view::legend_test
