#include "view/legend.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>

#include "view/colours.h"
#include "view/stroke_font.h"

namespace tocsin::view {
namespace {

constexpr int kRows = 3;

/// Where things are; pixels.
struct Layout {
  double cap = 0.0;  ///< height of a capital letter
  double pitch = 0.0;
  double margin = 0.0;
  double top = 0.0;
  double middle = 0.0;  ///< where the right column begins

  Layout(int width, int height) {
    cap = std::clamp(std::min(height / 66.0, width / 100.0), 6.0, 40.0);
    pitch = 2.1 * cap;
    margin = 1.5 * cap;
    top = height - (kRows * pitch + 1.2 * cap);
    middle = 0.52 * width;
  }
  [[nodiscard]] double baseline(int row) const { return top + 1.75 * cap + row * pitch; }
};

int whole(double pixels) { return static_cast<int>(std::floor(pixels + 0.5)); }

void draw_line(Image& image, const Layout& at, double x, int row, std::string_view text,
               double right) {
  const double room = right - x;
  const std::string_view part = fitting_part(text, at.cap, room);
  if (part.size() == text.size()) {
    draw_text(image, x, at.baseline(row), text, {at.cap, kInkColour});
    return;
  }
  constexpr std::string_view kMissing = "...";
  const std::string shorter =
      std::string(fitting_part(text, at.cap, room - text_width(kMissing, at.cap))) +
      std::string(kMissing);
  draw_text(image, x, at.baseline(row), shorter, {at.cap, kInkColour});
}

void draw_scale(Image& image, const Layout& at, const LegendText& text) {
  const double y = at.baseline(kRows - 1);
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

void draw_contacts(Image& image, const Layout& at, const std::vector<std::string>& contacts) {
  const double right = image.width - at.margin;
  const auto count = static_cast<int>(contacts.size());
  const int shown = count > kRows ? kRows - 1 : count;
  for (int row = 0; row < shown; ++row) {
    const double radius = 0.42 * at.cap;
    draw_dot(image, at.middle + radius, at.baseline(row) - 0.5 * at.cap, radius, kContactColour);
    draw_line(image, at, at.middle + 1.7 * at.cap, row, contacts[static_cast<std::size_t>(row)],
              right);
  }
  if (shown < count) {
    draw_line(image, at, at.middle + 1.7 * at.cap, shown, fmt::format("and {} more", count - shown),
              right);
  }
}

}  // namespace

int legend_height(int width, int height) {
  constexpr int kLeastHeight = 240;  // smaller, and its letters would take half of the picture
  constexpr int kLeastWidth = 480;
  if (width < kLeastWidth || height < kLeastHeight) return 0;
  return height - whole(Layout(width, height).top);
}

void draw_legend(Image& image, const LegendText& text) {
  const int rows = legend_height(image.width, image.height);
  if (rows == 0) return;
  const Layout at(image.width, image.height);
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
