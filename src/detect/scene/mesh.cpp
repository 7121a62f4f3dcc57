#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <new>
#include <utility>

#include "core/vector/vec.h"
#include "scene/avatar/avatar_limits.h"
#include "scene/instance/mesh_data.h"
#include "scene/room/coordinate_limit.h"
#include "tocsin/scene.h"

namespace tocsin {
namespace {

Error no_mesh_memory() { return {ErrorCode::kResource, "out of memory while building a mesh"}; }

/// make(), or an error where memory runs out.
template <class Make>
Result<Mesh> guarded_mesh(const Make& make) {
  try {
    return make();
  } catch (const std::bad_alloc&) {
    return no_mesh_memory();
  }
}

std::vector<Vec3f> to_floats(std::span<const Vec3> points) {
  std::vector<Vec3f> out;
  out.reserve(points.size());
  for (const Vec3& p : points) {
    out.push_back({static_cast<float>(p.x), static_cast<float>(p.y), static_cast<float>(p.z)});
  }
  return out;
}

/// An edge of the octahedron may be cut into so many: two million triangles.
constexpr std::uint32_t kMostCuts = 512;
/// A ball is larger by this part: corners that are rounded to floats may not let the sphere stand
/// out. That moves a face by 2^-23 of the size at its corners, and by less than 8 times as much at
/// its point that is nearest to the middle, the centre of a circle through the corners.
constexpr double kBallRoom = 0x1p-20;

struct Ball {
  std::vector<Vec3> corners;
  std::vector<TriangleIndices> triangles;
};

/// An octahedron whose faces are cut into triangles, its corners moved to the unit sphere.
Ball unit_ball(std::uint32_t cuts) {
  Ball out;
  const auto n = static_cast<std::int32_t>(cuts);
  std::map<std::array<std::int32_t, 3>, std::uint32_t> known;
  const auto corner = [&](const std::array<std::int32_t, 3>& at) {
    const auto [found, is_new] = known.emplace(at, static_cast<std::uint32_t>(out.corners.size()));
    if (is_new) {
      const Vec3 p{static_cast<double>(at[0]), static_cast<double>(at[1]),
                   static_cast<double>(at[2])};
      out.corners.push_back((1.0 / core::norm(p)) * p);
    }
    return found->second;
  };
  for (int octant = 0; octant < 8; ++octant) {
    const std::array<std::int32_t, 3> sign = {
        (octant & 1) != 0 ? -1 : 1, (octant & 2) != 0 ? -1 : 1, (octant & 4) != 0 ? -1 : 1};
    const bool mirrored = sign[0] * sign[1] * sign[2] < 0;
    const auto at = [&](std::int32_t x, std::int32_t y) {
      return corner({sign[0] * x, sign[1] * y, sign[2] * (n - x - y)});
    };
    const auto add = [&](std::uint32_t i, std::uint32_t j, std::uint32_t k) {
      out.triangles.push_back(mirrored ? TriangleIndices{i, k, j} : TriangleIndices{i, j, k});
    };
    for (std::int32_t x = 0; x < n; ++x) {
      for (std::int32_t y = 0; x + y < n; ++y) {
        add(at(x, y), at(x + 1, y), at(x, y + 1));
        if (x + y + 1 < n) add(at(x + 1, y), at(x + 1, y + 1), at(x, y + 1));
      }
    }
  }
  return out;
}

/// The least distance of a face's plane from the origin.
double nearest_face(const Ball& ball) {
  double least = 1.0;
  for (const auto& [i, j, k] : ball.triangles) {
    const Vec3& a = ball.corners[i];
    const Vec3 n = core::cross(ball.corners[j] - a, ball.corners[k] - a);
    least = core::min_of(least, core::dot(n, a) / core::norm(n));
  }
  return least;
}

}  // namespace

Result<Mesh> Mesh::create(std::vector<Vec3f> vertices, std::vector<TriangleIndices> triangles) {
  if (triangles.empty()) return {ErrorCode::kInput, "a mesh needs at least one triangle"};
  return guarded_mesh([&]() -> Result<Mesh> {
    std::vector<ObjectMesh> alone(1);
    alone.front() = {"mesh", std::move(vertices), std::move(triangles)};
    auto room = Environment::create(std::move(alone));
    if (!room) return room.error();
    Mesh out;
    out.data_ = scene::make_mesh(std::move(room).value());
    return out;
  });
}

Result<Mesh> Mesh::of(const Shape& shape) {
  if (shape.empty()) return {ErrorCode::kInput, "there is no shape"};
  if (shape.radius() > 0.0) {
    return {ErrorCode::kInput,
            "a mesh of a scene has no rounding: give the shape a radius of 0, make it a link, or "
            "take Mesh::sphere"};
  }
  return guarded_mesh([&] {
    const auto features = shape.features();
    return create(to_floats(shape.corners()), {features.begin(), features.end()});
  });
}

Result<Mesh> Mesh::sphere(double radius, double tolerance) {
  const auto sound = [](double x) {
    return x >= scene::kMinLinkRadius && x <= scene::kMaxCoordinate;
  };
  if (!sound(radius) || !(tolerance > 0.0)) {
    return {ErrorCode::kInput,
            fmt::format("a sphere's radius must be between 1e-6 and 1e6 m, and its tolerance above "
                        "0; they are {} and {}",
                        radius, tolerance)};
  }
  return guarded_mesh([&]() -> Result<Mesh> {
    const auto size_of = [&](const Ball& ball) {
      return radius * (1.0 + kBallRoom) / nearest_face(ball);
    };
    // What a ball of few triangles reaches beyond the sphere falls with the square of the cuts.
    constexpr std::uint32_t kFew = 8;
    const double few = kFew * std::sqrt((size_of(unit_ball(kFew)) - radius) / tolerance);
    const auto first = few <= kFew ? 1U : static_cast<std::uint32_t>(std::min(0.9 * few, 1e4));
    for (std::uint32_t cuts = first; cuts <= kMostCuts; cuts += 1 + cuts / 16) {
      Ball ball = unit_ball(cuts);
      const double size = size_of(ball);
      if (size - radius > tolerance) continue;
      for (Vec3& p : ball.corners) p = size * p;
      return create(to_floats(ball.corners), std::move(ball.triangles));
    }
    return {ErrorCode::kInput,
            fmt::format("a sphere of radius {} needs more than {} triangles for a tolerance of {}",
                        radius, 8 * kMostCuts * kMostCuts, tolerance)};
  });
}

Result<Mesh> Mesh::of(const Environment& room, std::uint32_t object) {
  if (object >= room.objects().size()) return {ErrorCode::kUsage, "there is no such object"};
  return guarded_mesh([&]() -> Result<Mesh> {
    const Object& o = room.objects()[object];
    const auto all = room.triangles().subspan(o.first_triangle, o.triangle_count);
    if (all.empty()) return {ErrorCode::kInput, "the object has no triangles"};
    // Its vertices are a run of the room's.
    std::uint32_t first = all.front().front();
    std::uint32_t last = first;
    for (const TriangleIndices& t : all) {
      for (const std::uint32_t i : t) {
        first = std::min(first, i);
        last = std::max(last, i);
      }
    }
    const auto own = room.vertices().subspan(first, std::size_t{last} - first + 1);
    std::vector<TriangleIndices> triangles(all.begin(), all.end());
    for (TriangleIndices& t : triangles) {
      for (std::uint32_t& i : t) i -= first;
    }
    return create({own.begin(), own.end()}, std::move(triangles));
  });
}

std::uint32_t Mesh::triangle_count() const { return data_ ? data_->triangle_count() : 0; }

bool Mesh::closed() const { return data_ && !data_->shells.empty(); }

}  // namespace tocsin
