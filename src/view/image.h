// A picture in memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace tocsin::view {

/// A colour, sRGB, each channel 0 to 1.
struct Colour {
  float r = 0.0F;
  float g = 0.0F;
  float b = 0.0F;
  friend constexpr bool operator==(const Colour&, const Colour&) = default;
};

/// Pixels, sRGB, 8 bits a channel, row after row from the top.
struct Image {
  int width = 0;
  int height = 0;
  std::vector<std::uint8_t> rgb;  ///< 3 width height bytes

  [[nodiscard]] std::size_t offset(int x, int y) const {
    return 3 * (static_cast<std::size_t>(y) * static_cast<std::size_t>(width) +
                static_cast<std::size_t>(x));
  }
};

}  // namespace tocsin::view
