// The legend: a strip under a picture that explains it.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "view/image.h"

namespace tocsin::view {

/// Its text.
struct LegendText {
  std::string title;  ///< which frames
  std::string state;  ///< what is proved
  /// Beside the two ends of the scale of time colours; empty: no scale.
  std::array<std::string, 2> scale;
  std::optional<double> mark;         ///< on that scale, 0 to 1
  std::vector<std::string> contacts;  ///< a line each
};

/// Pixels of a picture's height that the strip takes with so many lines of contacts; 0 for pictures
/// too small to hold one. It grows with them up to 45 % of the height. What it does not hold then
/// is counted in its last line.
int legend_height(int width, int height, std::size_t contacts);

/// Draws it into the last legend_height() rows. Contacts fill the right column, then the left one
/// below the scale.
void draw_legend(Image& image, const LegendText& text);

}  // namespace tocsin::view
