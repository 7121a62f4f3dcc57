#include "scene/solid/ray_table.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace tocsin::scene {

namespace {

/// Cells per triangle at most: more find no fewer triangles.
constexpr double kCellsPerTriangle = 0.5;
/// Places in cells per triangle at most: it bounds the table's memory whatever the triangles'
/// shape.
constexpr std::uint64_t kMostPlaces = 8;
/// Cells along one axis at most. Larger: 2^26 cells of an object of 10^8 triangles.
constexpr std::uint32_t kMostCellsAlong = 4096;

}  // namespace

template <class F>
void RayTable::for_each_row(const std::array<Vec3f, 3>& corners, const F& f) const {
  const auto [low_y, high_y] = std::minmax({corners[0].y, corners[1].y, corners[2].y});
  const auto [low_z, high_z] = std::minmax({corners[0].z, corners[1].z, corners[2].z});
  const std::uint32_t from = y_.of(double{low_y});
  const std::uint32_t to = y_.of(double{high_y});
  for (std::uint32_t z = z_.of(double{low_z}); z <= z_.of(double{high_z}); ++z) {
    f(std::size_t{z} * y_.count() + from, std::size_t{z} * y_.count() + to);
  }
}

std::uint64_t RayTable::entries(const Environment& environment,
                                std::span<const std::uint32_t> triangles) const {
  std::uint64_t out = 0;
  for (const std::uint32_t t : triangles) {
    for_each_row(environment.corners(t),
                 [&](std::size_t first, std::size_t last) { out += last - first + 1; });
  }
  return out;
}

RayTable::RayTable(const Environment& environment, std::span<const std::uint32_t> triangles,
                   const core::Box& box) {
  const double high = double{box.hi.y} - double{box.lo.y};
  const double wide = double{box.hi.z} - double{box.lo.z};
  const auto count = static_cast<double>(triangles.size());
  for (double cell = std::sqrt(high * wide / (kCellsPerTriangle * count));; cell *= 2.0) {
    y_ = Cut(double{box.lo.y}, double{box.hi.y}, cell, kMostCellsAlong);
    z_ = Cut(double{box.lo.z}, double{box.hi.z}, cell, kMostCellsAlong);
    if (y_.count() * z_.count() == 1) break;
    if (entries(environment, triangles) <= kMostPlaces * triangles.size()) break;
  }
  begin_.assign(std::size_t{y_.count()} * z_.count() + 1, 0);
  for (const std::uint32_t t : triangles) {
    for_each_row(environment.corners(t), [&](std::size_t first, std::size_t last) {
      for (std::size_t cell = first; cell <= last; ++cell) ++begin_[cell + 1];
    });
  }
  for (std::size_t cell = 1; cell < begin_.size(); ++cell) begin_[cell] += begin_[cell - 1];
  triangles_.resize(begin_.back());
  std::vector<std::uint32_t> next(begin_.begin(), begin_.end() - 1);
  for (const std::uint32_t t : triangles) {
    for_each_row(environment.corners(t), [&](std::size_t first, std::size_t last) {
      for (std::size_t cell = first; cell <= last; ++cell) triangles_[next[cell]++] = t;
    });
  }
}

}  // namespace tocsin::scene
