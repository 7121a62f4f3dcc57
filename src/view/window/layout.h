// Where a window's parts are.
#pragma once

namespace tocsin::view {

/// Pixels from the upper left corner.
struct Rect {
  int left = 0;
  int top = 0;
  int width = 0;
  int height = 0;
  [[nodiscard]] int right() const { return left + width; }
  [[nodiscard]] int bottom() const { return top + height; }
  [[nodiscard]] bool has(double x, double y) const {
    return x >= left && y >= top && x < right() && y < bottom();
  }
};

struct Panes {
  Rect head;  ///< what is shown, and its verdict
  Rect view;  ///< the avatars in their room
  Rect list;  ///< episodes, filters, what is checked again
  Rect time;  ///< play, sliders, lanes
};

/// The least window in which every text has its place, points.
inline constexpr int kLeastWidth = 960;
inline constexpr int kLeastHeight = 600;

/// The parts cover the window and do not overlap. scale: pixels a point. In a window smaller than
/// the least one the view shrinks first.
Panes panes_of(int width, int height, double scale);

}  // namespace tocsin::view
