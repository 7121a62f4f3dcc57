#include "io/vrml/vrml_faces.h"

#include <fmt/format.h>

#include <cmath>
#include <cstddef>
#include <limits>

#include "io/vrml/vrml_polygon.h"

namespace tocsin::io {
namespace {

constexpr std::uint32_t kUnusedPoint = std::numeric_limits<std::uint32_t>::max();

}  // namespace

std::string VrmlFaceReader::read(const VrmlFaceSet& faces, VrmlMesh& mesh, VrmlFaceCounts& counts) {
  const std::size_t points = faces.points.size() / 3;
  if (vertex_of_.size() < points) vertex_of_.resize(points, kUnusedPoint);
  const std::size_t first = mesh.triangles.size();
  std::string fault;
  corners_.clear();
  for (std::size_t i = 0; i < faces.index.size() && fault.empty(); ++i) {
    const double index = faces.index[i];
    if (index == -1.0) {
      fault = read_face(faces, mesh, counts);
      corners_.clear();
    } else if (!(index >= 0.0 && index < static_cast<double>(points)) ||
               index != std::floor(index)) {
      fault = fmt::format("coordIndex, number {}: {} is not the index of one of the {} points",
                          i + 1, index, points);
    } else {
      corners_.push_back(vertex(faces, static_cast<std::size_t>(index), mesh));
    }
  }
  if (fault.empty() && !corners_.empty()) fault = read_face(faces, mesh, counts);
  if (!faces.ccw) turn_over(mesh, first);
  for (const std::size_t point : used_) vertex_of_[point] = kUnusedPoint;
  used_.clear();
  return fault;
}

std::uint32_t VrmlFaceReader::vertex(const VrmlFaceSet& faces, std::size_t point, VrmlMesh& mesh) {
  if (vertex_of_[point] == kUnusedPoint) {
    vertex_of_[point] = static_cast<std::uint32_t>(mesh.points.size());
    used_.push_back(point);
    mesh.points.push_back(
        {faces.points[3 * point], faces.points[3 * point + 1], faces.points[3 * point + 2]});
  }
  return vertex_of_[point];
}

std::string VrmlFaceReader::read_face(const VrmlFaceSet& faces, VrmlMesh& mesh,
                                      VrmlFaceCounts& counts) {
  const std::size_t n = corners_.size();
  if (n < 3) {
    ++counts.short_faces;
  } else if (faces.convex || n == 3) {
    for (std::size_t i = 2; i < n; ++i) {
      mesh.triangles.push_back({corners_[0], corners_[i - 1], corners_[i]});
    }
  } else if (n > kMaxConcaveCorners) {
    return fmt::format("a face of {} corners with convex FALSE: at most {} are possible", n,
                       kMaxConcaveCorners);
  } else if (n * n > concave_work_) {
    return "its faces and those before, with convex FALSE, have too many corners to cut them up";
  } else if (concave_work_ -= n * n; !cut_polygon(mesh.points, corners_, mesh.triangles)) {
    ++counts.crossing_faces;
  }
  return {};
}

std::string read_vrml_grid(const VrmlGrid& grid, VrmlMesh& mesh) {
  const auto whole = [](double n) { return n >= 0.0 && n < 0x1p31 && n == std::floor(n); };
  if (!whole(grid.x_dimension) || !whole(grid.z_dimension)) {
    return fmt::format("xDimension {} and zDimension {} must be whole numbers", grid.x_dimension,
                       grid.z_dimension);
  }
  const auto nx = static_cast<std::size_t>(grid.x_dimension);
  const auto nz = static_cast<std::size_t>(grid.z_dimension);
  if (nx * nz != grid.height.size()) {
    return fmt::format("xDimension {} times zDimension {} is not the number of heights, {}", nx, nz,
                       grid.height.size());
  }
  if (nx < 2 || nz < 2) return {};
  const std::size_t first = mesh.triangles.size();
  const auto vertex = [&, start = mesh.points.size()](std::size_t i, std::size_t j) {
    return static_cast<std::uint32_t>(start + j * nx + i);
  };
  mesh.points.reserve(mesh.points.size() + nx * nz);
  for (std::size_t j = 0; j < nz; ++j) {
    for (std::size_t i = 0; i < nx; ++i) {
      mesh.points.push_back({grid.x_spacing * static_cast<double>(i), grid.height[j * nx + i],
                             grid.z_spacing * static_cast<double>(j)});
    }
  }
  for (std::size_t j = 0; j + 1 < nz; ++j) {
    for (std::size_t i = 0; i + 1 < nx; ++i) {
      mesh.triangles.push_back({vertex(i, j), vertex(i, j + 1), vertex(i + 1, j + 1)});
      mesh.triangles.push_back({vertex(i, j), vertex(i + 1, j + 1), vertex(i + 1, j)});
    }
  }
  if (!grid.ccw) turn_over(mesh, first);
  return {};
}

}  // namespace tocsin::io
