#include "view/sheet.h"

#include <algorithm>

#include "view/colours.h"
#include "view/stroke_font.h"

namespace tocsin::view {
namespace {

constexpr int kGap = 4;               // pixels of paper around each picture
constexpr int kLeastCellWidth = 240;  // smaller, and captions hold no names
constexpr int kLeastCellHeight = 160;

/// Height of a capital letter, pixels: 45 letters fit under a picture of 320 pixels.
double sheet_cap(int width) { return std::clamp(width / 150.0, 8.0, 16.0); }

int line_height(int width) { return static_cast<int>(2.0 * sheet_cap(width) + 0.5); }

/// A grid of so many columns; pictures without height if it does not fit.
SheetLayout grid(int width, int height, int columns, std::size_t count) {
  SheetLayout out;
  const int line = line_height(width);
  out.columns = columns;
  out.rows = static_cast<int>((count + static_cast<std::size_t>(columns) - 1) /
                              static_cast<std::size_t>(columns));
  out.heading = line + kGap;
  out.caption = 2 * line + kGap;
  out.width = (width - kGap) / columns - kGap;
  out.height = std::max(0, (height - out.heading) / out.rows - out.caption - kGap);
  return out;
}

}  // namespace

std::size_t sheet_capacity(int width, int height) {
  const SheetLayout one = grid(width, height, 1, 1);
  const int columns = std::max(1, (width - kGap) / (kLeastCellWidth + kGap));
  const int rows = std::max(1, (height - one.heading) / (kLeastCellHeight + one.caption + kGap));
  return static_cast<std::size_t>(columns) * static_cast<std::size_t>(rows);
}

SheetLayout sheet_layout(int width, int height, std::size_t count) {
  constexpr double kShape = 4.0 / 3.0;  // a room and a body in it fill such a picture
  SheetLayout best = grid(width, height, 1, count);
  double largest = 0.0;
  for (int columns = 1; columns <= static_cast<int>(count); ++columns) {
    const SheetLayout one = grid(width, height, columns, count);
    const double size = std::min(static_cast<double>(one.width), kShape * one.height);
    if (one.width <= 0 || size <= largest) continue;
    largest = size;
    best = one;
  }
  return best;
}

Sheet::Sheet(int width, int height, const SheetLayout& layout, const std::string& heading)
    : layout_(layout), image_{width, height, {}} {
  image_.rgb.resize(image_.offset(0, height), 0xFF);
  fill(image_, 0, 0, width, height, kPaperColour);
  draw_fitting(image_, 2.0 * kGap, 1.5 * cap(), heading, width - 4.0 * kGap, {cap(), kInkColour});
}

double Sheet::cap() const { return sheet_cap(image_.width); }

void Sheet::add(const Image& picture, const Caption& caption) {
  const auto at = static_cast<int>(next_++);
  const int left = kGap + at % layout_.columns * (layout_.width + kGap);
  const int top =
      layout_.heading + at / layout_.columns * (layout_.height + layout_.caption + kGap);
  for (int y = 0; y < picture.height; ++y) {
    const auto from = picture.rgb.begin() + static_cast<std::ptrdiff_t>(picture.offset(0, y));
    std::copy(from, from + 3 * static_cast<std::ptrdiff_t>(picture.width),
              image_.rgb.begin() + static_cast<std::ptrdiff_t>(image_.offset(left, top + y)));
  }
  for (std::size_t i = 0; i < caption.size(); ++i) {
    const double y = top + layout_.height + (1.6 + 2.0 * static_cast<double>(i)) * cap();
    draw_fitting(image_, left + kGap, y, caption.at(i), layout_.width - 2.0 * kGap,
                 {cap(), kInkColour});
  }
}

}  // namespace tocsin::view
