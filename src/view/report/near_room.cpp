#include "view/report/near_room.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include "core/vector/vec.h"

namespace tocsin::view {
namespace {

/// From a point to a triangle's box, metres.
double distance_to_box(const Vec3& p, const std::array<Vec3f, 3>& corners) {
  const auto outside = [&](float Vec3f::*axis, double x) {
    const auto [low, high] = std::minmax({corners[0].*axis, corners[1].*axis, corners[2].*axis});
    return std::max({0.0, static_cast<double>(low) - x, x - static_cast<double>(high)});
  };
  return core::norm(
      Vec3{outside(&Vec3f::x, p.x), outside(&Vec3f::y, p.y), outside(&Vec3f::z, p.z)});
}

double distance_to_places(const std::array<Vec3f, 3>& corners, std::span<const Vec3> places) {
  double out = std::numeric_limits<double>::infinity();
  for (const Vec3& place : places) out = std::min(out, distance_to_box(place, corners));
  return out;
}

/// Copies the chosen triangles of an object, and the vertices that they use.
ObjectMesh part_of(const Environment& room, const Object& object, const std::vector<bool>& keep) {
  ObjectMesh out;
  out.name = object.name;
  std::vector<std::uint32_t> numbers;  // of the object's vertices, from `first` on; 0: not copied
  std::uint32_t first = std::numeric_limits<std::uint32_t>::max();
  std::uint32_t last = 0;
  const auto triangles = room.triangles().subspan(object.first_triangle, object.triangle_count);
  for (const TriangleIndices& t : triangles) {
    for (const std::uint32_t v : t) {
      first = std::min(first, v);
      last = std::max(last, v);
    }
  }
  if (!triangles.empty()) numbers.assign(last - first + 1, 0);
  for (std::size_t i = 0; i < triangles.size(); ++i) {
    if (!keep[object.first_triangle + i]) continue;
    TriangleIndices own{};
    for (std::size_t c = 0; c < 3; ++c) {
      std::uint32_t& number = numbers[triangles[i][c] - first];
      if (number == 0) {
        out.vertices.push_back(room.vertices()[triangles[i][c]]);
        number = static_cast<std::uint32_t>(out.vertices.size());
      }
      own[c] = number - 1;
    }
    out.triangles.push_back(own);
  }
  return out;
}

}  // namespace

NearRoom near_room(const Environment& room, std::span<const Vec3> places,
                   std::span<const std::uint32_t> always, std::size_t most) {
  const std::size_t count = room.triangles().size();
  NearRoom out;
  out.within = std::numeric_limits<double>::infinity();
  std::vector<bool> keep(count, true);
  if (count > most) {
    std::vector<float> distances(count);
    for (std::size_t i = 0; i < count; ++i) {
      distances[i] = static_cast<float>(
          distance_to_places(room.corners(static_cast<std::uint32_t>(i)), places));
    }
    std::vector<float> sorted = distances;
    std::nth_element(sorted.begin(), sorted.begin() + static_cast<std::ptrdiff_t>(most),
                     sorted.end());
    const float limit = sorted[most];
    out.within = static_cast<double>(limit);
    for (std::size_t i = 0; i < count; ++i) keep[i] = distances[i] < limit;
    for (const std::uint32_t i : always) keep[i] = true;
  }
  for (const Object& object : room.objects()) {
    out.objects.push_back(part_of(room, object, keep));
    out.triangles += out.objects.back().triangles.size();
  }
  out.left_out = count - out.triangles;
  return out;
}

}  // namespace tocsin::view
