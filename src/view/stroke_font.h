// A small font of our own, drawn with a round pen: legible at any size, and no file to find.
#pragma once

#include <string_view>

#include "view/image.h"

namespace tocsin::view {

/// How text is written.
struct Pen {
  double cap_height = 14.0;  ///< pixels, of a capital letter; lines are well 2.2 of them apart
  Colour colour;
};

/// Pixels that a text is wide. Printable ASCII has glyphs; a character beyond it is one box.
double text_width(std::string_view text, double cap_height);

/// Writes a text, its first letter's left end at x and its baseline at y (pixels from the top left
/// corner). What lies outside the picture is cut off.
void draw_text(Image& image, double x, double y, std::string_view text, const Pen& pen);

/// As much of the beginning of a text as is at most so many pixels wide.
std::string_view fitting_part(std::string_view text, double cap_height, double width);

/// Writes as much of a text as is at most so many pixels wide; "..." stands for the rest.
void draw_fitting(Image& image, double x, double y, std::string_view text, double width,
                  const Pen& pen);

/// Covers a pixel by a colour; outside the picture: nothing. `share`: 0 to 1.
void blend(Image& image, int x, int y, const Colour& colour, double share);

/// Fills a rectangle; right and bottom are not part of it.
void fill(Image& image, int left, int top, int right, int bottom, const Colour& colour,
          double share = 1.0);

}  // namespace tocsin::view
