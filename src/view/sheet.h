// A contact sheet: small pictures in a grid, a caption under each.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <vector>

#include "view/image.h"

namespace tocsin::view {

/// The grid. All cells are equal; they fill the sheet below its heading, row after row.
struct SheetLayout {
  int columns = 1;
  int rows = 1;
  int width = 0;    ///< of a cell's picture, pixels
  int height = 0;   ///< the same, without the caption
  int heading = 0;  ///< rows of pixels above the grid
  int caption = 0;  ///< rows of pixels under each picture

  [[nodiscard]] std::size_t capacity() const {
    return static_cast<std::size_t>(columns) * static_cast<std::size_t>(rows);
  }
};

/// The most pictures that a sheet of so many pixels holds, each at least 240 x 160; at least one.
std::size_t sheet_capacity(int width, int height);

/// The grid in which `count` pictures are largest. Precondition: 1 <= count <= sheet_capacity(),
/// and a sheet of at least kLeastSheet pixels each way.
SheetLayout sheet_layout(int width, int height, std::size_t count);
inline constexpr int kLeastSheet = 240;

/// The lines under a picture.
using Caption = std::array<std::string, 2>;

/// A sheet that is being put together.
class Sheet {
 public:
  /// Blank, but for its heading. Lines that are too long end in "...".
  Sheet(int width, int height, const SheetLayout& layout, const std::string& heading);

  /// Puts a picture of the layout's size, and its caption, into the next cell. Precondition: there
  /// is one left.
  void add(const Image& picture, const Caption& caption);
  [[nodiscard]] const Image& image() const { return image_; }

 private:
  [[nodiscard]] double cap() const;

  SheetLayout layout_;
  Image image_;
  std::size_t next_ = 0;
};

}  // namespace tocsin::view
