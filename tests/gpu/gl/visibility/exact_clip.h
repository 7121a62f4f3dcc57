// What a triangle does in the pixels of a tile, by clipping it against each pixel's column on the
// CPU in long double: the oracle of conservative rasterisation. Shares no line with the shaders.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <vector>

#include "gpu/gl/visibility/visibility_records.h"
#include "tocsin/types.h"

namespace tocsin::test {

using Exact = long double;

/// In pixels from the tile's centre, across and up; depth in metres from the slab's origin.
struct ExactPoint {
  Exact x = 0;
  Exact y = 0;
  Exact z = 0;
};
using ExactPolygon = std::vector<ExactPoint>;

/// A corner in a view. Differences of floats and their products with a scale fit 64 bits of
/// mantissa, but for what lies 2^40 times closer to 0 than the origin does: that errs by 2^-64.
inline ExactPoint exact_point(const Vec3f& p, const gl::SlabRecord& slab, bool relative,
                              std::size_t view) {
  const std::array<float, 3> world{p.x, p.y, p.z};
  std::array<Exact, 3> at{};
  for (std::size_t axis = 0; axis < 3; ++axis) {
    at[axis] =
        static_cast<Exact>(world[axis]) - (relative ? 0.0L : static_cast<Exact>(slab.origin[axis]));
  }
  const std::size_t across = (view + 1) % 3;
  const std::size_t up = (view + 2) % 3;
  return {at[across] * static_cast<Exact>(slab.across[across]),
          at[up] * static_cast<Exact>(slab.up[up]), at[view]};
}

/// The part of a polygon where sign * (x or y) <= limit; what lies on the limit stays.
inline void clip(ExactPolygon& polygon, Exact ExactPoint::*coordinate, Exact sign, Exact limit) {
  ExactPolygon out;
  for (std::size_t i = 0; i < polygon.size(); ++i) {
    const ExactPoint& p = polygon[i];
    const ExactPoint& q = polygon[(i + 1) % polygon.size()];
    const Exact from = limit - sign * p.*coordinate;
    const Exact to = limit - sign * q.*coordinate;
    if (from >= 0) out.push_back(p);
    if ((from > 0 && to < 0) || (from < 0 && to > 0)) {
      const Exact t = from / (from - to);
      ExactPoint cut{p.x + t * (q.x - p.x), p.y + t * (q.y - p.y), p.z + t * (q.z - p.z)};
      cut.*coordinate = sign * limit;
      out.push_back(cut);
    }
  }
  polygon = std::move(out);
}

/// A triangle's part of a pixel.
struct ExactPixel {
  bool touched = false;
  bool covered = false;  ///< all of it
  Exact least = 0;       ///< depth
  Exact greatest = 0;
};

/// Every pixel of a tile, row after row from the lower left; its centre has columns `left` to the
/// left of it and rows `below` below. Pixels are closed squares, `grow` larger on every side.
inline std::vector<ExactPixel> exact_pixels(const std::array<ExactPoint, 3>& triangle, int width,
                                            int height, Exact grow) {
  const int left = width / 2;
  const int below = height / 2;
  std::vector<ExactPixel> out(static_cast<std::size_t>(width) * static_cast<std::size_t>(height));
  const auto range = [grow](const ExactPolygon& polygon, Exact ExactPoint::*coordinate, int low,
                            int high) {
    Exact least = polygon[0].*coordinate;
    Exact most = least;
    for (const ExactPoint& p : polygon) {
      least = std::min(least, p.*coordinate);
      most = std::max(most, p.*coordinate);
    }
    // One more on each side; which of them are touched is decided by clipping.
    const auto within = [&](Exact x) {
      return static_cast<int>(
          std::clamp(x, static_cast<Exact>(low) - 1, static_cast<Exact>(high) + 1));
    };
    return std::array<int, 2>{std::max(low, within(std::floor(least - grow) - 1)),
                              std::min(high, within(std::floor(most + grow) + 2))};
  };
  const ExactPolygon whole(triangle.begin(), triangle.end());
  const auto [first_row, end_row] = range(whole, &ExactPoint::y, -below, height - below);
  for (int y = first_row; y < end_row; ++y) {
    ExactPolygon strip = whole;
    clip(strip, &ExactPoint::y, 1, static_cast<Exact>(y + 1) + grow);
    clip(strip, &ExactPoint::y, -1, -static_cast<Exact>(y) + grow);
    if (strip.empty()) continue;
    const auto [first, end] = range(strip, &ExactPoint::x, -left, width - left);
    for (int x = first; x < end; ++x) {
      ExactPolygon part = strip;
      clip(part, &ExactPoint::x, 1, static_cast<Exact>(x + 1) + grow);
      clip(part, &ExactPoint::x, -1, -static_cast<Exact>(x) + grow);
      if (part.empty()) continue;
      ExactPixel& pixel =
          out[static_cast<std::size_t>(y + below) * static_cast<std::size_t>(width) +
              static_cast<std::size_t>(x + left)];
      pixel = {.touched = true, .least = part[0].z, .greatest = part[0].z};
      Exact twice_area = 0;
      for (std::size_t i = 0; i < part.size(); ++i) {
        const ExactPoint& p = part[i];
        const ExactPoint& q = part[(i + 1) % part.size()];
        pixel.least = std::min(pixel.least, p.z);
        pixel.greatest = std::max(pixel.greatest, p.z);
        twice_area += (p.x - part[0].x) * (q.y - part[0].y) - (p.y - part[0].y) * (q.x - part[0].x);
      }
      const Exact side = 1 + 2 * grow;
      pixel.covered = std::fabs(twice_area) > 2 * side * side * (1 - 1e-9L);
    }
  }
  return out;
}

}  // namespace tocsin::test
