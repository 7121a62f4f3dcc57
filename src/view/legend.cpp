#include "view/legend.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>

#include "view/colours.h"
#include "view/stroke_font.h"

namespace tocsin::view {
namespace {

/// Rows that title, state and scale take on the left.
constexpr int kHeadRows = 3;

/// Where things are; pixels.
struct Layout {
  double cap = 0.0;  ///< height of a capital letter
  double pitch = 0.0;
  double margin = 0.0;
  double top = 0.0;
  double middle = 0.0;  ///< where the right column begins
  int rows = kHeadRows;

  Layout(int width, int height, std::size_t contacts) {
    constexpr double kMost = 0.45;  // of the picture: more, and it is no picture any more
    cap = std::clamp(std::min(height / 66.0, width / 100.0), 6.0, 40.0);
    pitch = 2.1 * cap;
    margin = 1.5 * cap;
    // The right column has all rows for contacts, the left one those below the head.
    const double fit =
        std::max<double>(kHeadRows, std::floor((kMost * height - 1.2 * cap) / pitch));
    const double wanted = std::ceil((static_cast<double>(contacts) + kHeadRows) / 2.0);
    rows = static_cast<int>(std::clamp(wanted, double{kHeadRows}, fit));
    top = height - (rows * pitch + 1.2 * cap);
    middle = 0.52 * width;
  }
  [[nodiscard]] double baseline(int row) const { return top + 1.75 * cap + row * pitch; }
};

int whole(double pixels) { return static_cast<int>(std::floor(pixels + 0.5)); }

void draw_line(Image& image, const Layout& at, double x, int row, std::string_view text,
               double right) {
  draw_fitting(image, x, at.baseline(row), text, right - x, {at.cap, kInkColour});
}

void draw_scale(Image& image, const Layout& at, const LegendText& text) {
  const double y = at.baseline(kHeadRows - 1);
  const double gap = at.cap;
  draw_text(image, at.margin, y, text.scale[0], {at.cap, kInkColour});
  const double left = at.margin + text_width(text.scale[0], at.cap) + gap;
  const double right = at.middle - at.margin - text_width(text.scale[1], at.cap) - gap;
  draw_text(image, right + gap, y, text.scale[1], {at.cap, kInkColour});
  const int top = whole(y - at.cap);
  const int bottom = whole(y);
  const double width = std::max(1.0, right - left);
  for (int x = whole(left); x < whole(right); ++x) {
    fill(image, x, top, x + 1, bottom, time_colour((x + 0.5 - left) / width));
  }
  if (!text.mark) return;
  const double x = left + std::clamp(*text.mark, 0.0, 1.0) * width;
  const double half = std::max(1.0, 0.11 * at.cap);
  const int reach = whole(0.3 * at.cap);
  fill(image, whole(x - 2.0 * half), top - reach, whole(x + 2.0 * half), bottom + reach,
       {1.0F, 1.0F, 1.0F});
  fill(image, whole(x - half), top - reach, whole(x + half), bottom + reach, kContactColour);
}

void draw_dot(Image& image, double x, double y, double radius, const Colour& colour) {
  for (int py = whole(y - radius) - 1; py <= whole(y + radius) + 1; ++py) {
    for (int px = whole(x - radius) - 1; px <= whole(x + radius) + 1; ++px) {
      const double dx = px + 0.5 - x;
      const double dy = py + 0.5 - y;
      blend(image, px, py, colour,
            std::clamp(radius + 0.5 - std::sqrt(dx * dx + dy * dy), 0.0, 1.0));
    }
  }
}

void draw_contact(Image& image, const Layout& at, int place, std::string_view text, bool dotted) {
  const bool on_right = place < at.rows;
  const int row = on_right ? place : kHeadRows + place - at.rows;
  const double x = on_right ? at.middle : at.margin;
  const double right = on_right ? image.width - at.margin : at.middle - at.margin;
  const double radius = 0.42 * at.cap;
  if (dotted) draw_dot(image, x + radius, at.baseline(row) - 0.5 * at.cap, radius, kContactColour);
  draw_line(image, at, x + 1.7 * at.cap, row, text, right);
}

void draw_contacts(Image& image, const Layout& at, const std::vector<std::string>& contacts) {
  const int places = 2 * at.rows - kHeadRows;
  const auto count = static_cast<int>(contacts.size());
  const int shown = count > places ? places - 1 : count;
  for (int i = 0; i < shown; ++i) {
    draw_contact(image, at, i, contacts[static_cast<std::size_t>(i)], true);
  }
  if (shown < count) {
    draw_contact(image, at, shown, fmt::format("and {} more", count - shown), false);
  }
}

}  // namespace

int legend_height(int width, int height, std::size_t contacts) {
  constexpr int kLeastHeight = 240;  // smaller, and its letters would take half of the picture
  constexpr int kLeastWidth = 480;
  if (width < kLeastWidth || height < kLeastHeight) return 0;
  return height - whole(Layout(width, height, contacts).top);
}

void draw_legend(Image& image, const LegendText& text) {
  const int rows = legend_height(image.width, image.height, text.contacts.size());
  if (rows == 0) return;
  const Layout at(image.width, image.height, text.contacts.size());
  const int top = image.height - rows;
  fill(image, 0, top, image.width, image.height, kPaperColour);
  fill(image, 0, top, image.width, top + std::max(1, whole(0.08 * at.cap)), kInkColour, 0.35);
  const double right = at.middle - at.margin;
  draw_line(image, at, at.margin, 0, text.title, right);
  draw_line(image, at, at.margin, 1, text.state, right);
  if (!text.scale[0].empty() || !text.scale[1].empty()) draw_scale(image, at, text);
  draw_contacts(image, at, text.contacts);
}

}  // namespace tocsin::view
