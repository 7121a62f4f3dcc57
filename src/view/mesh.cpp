#include "view/mesh.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numbers>

#include "core/bounds/near_test.h"
#include "core/vector/vec.h"

namespace tocsin::view {
namespace {

using core::cross;
using core::dot;
using core::norm;
using core::detail::to_float;

/// Parts of a circle, and of a quarter of one from a capsule's side to its pole. At 1,600 pixels
/// a link's outline shows no corners.
constexpr int kAround = 40;
constexpr int kRings = 10;

Vec3 unit_or(const Vec3& v, const Vec3& otherwise) {
  const double n = norm(v);
  return n > core::kLeastLength ? (1.0 / n) * v : otherwise;
}

/// Three unit vectors at right angles, the first given.
struct Frame {
  Vec3 along;
  Vec3 u;
  Vec3 v;
};

Frame frame_of(const Vec3& along) {
  const Vec3 helper = std::fabs(along.y) < 0.9 ? Vec3{0.0, 1.0, 0.0} : Vec3{1.0, 0.0, 0.0};
  const Vec3 u = unit_or(cross(helper, along), {1.0, 0.0, 0.0});
  return {along, u, cross(along, u)};
}

/// A surface of revolution: circles about an axis.
class Lathe {
 public:
  Lathe(Mesh& mesh, const Frame& frame, const Paint& paint)
      : mesh_(mesh), frame_(frame), paint_(paint), colour_(packed(paint.colour)) {}

  /// Adds a circle about `centre`, whose normals lean by `lean` (sine) along the axis, and joins
  /// it to the one before.
  void circle(const Vec3& centre, double radius, double lean, bool join) {
    const auto base = static_cast<std::uint32_t>(mesh_.vertices.size());
    const double side = std::sqrt(core::max_of(0.0, 1.0 - lean * lean));
    for (int i = 0; i < kAround; ++i) {
      const double angle = 2.0 * std::numbers::pi * i / kAround;
      const Vec3 out = std::cos(angle) * frame_.u + std::sin(angle) * frame_.v;
      mesh_.vertices.push_back({to_float(centre + radius * out),
                                to_float(side * out + lean * frame_.along), colour_,
                                paint_.material, paint_.id});
    }
    if (!join) return;
    for (std::uint32_t i = 0; i < kAround; ++i) {
      const std::uint32_t j = (i + 1) % kAround;
      const std::uint32_t below = base - kAround;
      mesh_.triangles.push_back({below + i, below + j, base + j});
      mesh_.triangles.push_back({below + i, base + j, base + i});
    }
  }

 private:
  Mesh& mesh_;
  Frame frame_;
  Paint paint_;
  std::uint32_t colour_;
};

/// Doubled area times the normal of every triangle.
std::vector<Vec3f> face_normals(const Environment& room) {
  std::vector<Vec3f> out;
  out.reserve(room.triangles().size());
  const auto vertices = room.vertices();
  for (const TriangleIndices& t : room.triangles()) {
    const Vec3 v0 = core::to_double(vertices[t[0]]);
    const Vec3 e1 = core::to_double(vertices[t[1]]) - v0;
    const Vec3 e2 = core::to_double(vertices[t[2]]) - v0;
    out.push_back(to_float(cross(e1, e2)));
  }
  return out;
}

/// The triangles at every vertex, one list after another.
struct Fans {
  std::vector<std::uint32_t> begin;
  std::vector<std::uint32_t> triangle;
};

Fans fans_of(const Environment& room) {
  Fans out;
  out.begin.assign(room.vertices().size() + 1, 0);
  for (const TriangleIndices& t : room.triangles()) {
    for (const std::uint32_t v : t) ++out.begin[v + 1];
  }
  for (std::size_t v = 1; v < out.begin.size(); ++v) out.begin[v] += out.begin[v - 1];
  out.triangle.resize(out.begin.back());
  std::vector<std::uint32_t> next(out.begin.begin(), out.begin.end() - 1);
  const auto triangles = room.triangles();
  for (std::uint32_t i = 0; i < triangles.size(); ++i) {
    for (const std::uint32_t v : triangles[i]) out.triangle[next[v]++] = i;
  }
  return out;
}

/// The normal of a corner: of its own face and of those about the vertex that lie nearly as it.
Vec3f corner_normal(const std::vector<Vec3f>& faces, std::span<const std::uint32_t> fan,
                    std::uint32_t own) {
  constexpr double kCrease = 0.766;  // cosine of 40 degrees: smaller angles are shaded as round
  constexpr std::size_t kMost =
      256;  // of a fan that are looked at; a cone's tip looks as well flat
  const Vec3 up{0.0, 1.0, 0.0};
  const Vec3 mine = unit_or(core::to_double(faces[own]), up);
  Vec3 sum = core::to_double(faces[own]);
  if (fan.size() <= kMost) {
    for (const std::uint32_t other : fan) {
      const Vec3 n = core::to_double(faces[other]);
      if (other != own && dot(n, mine) > kCrease * norm(n)) sum = sum + n;
    }
  }
  return to_float(unit_or(sum, mine));
}

bool same_normal(const Vec3f& a, const Vec3f& b) {
  constexpr float kSame = 1e-4F;  // sums of the same faces in another order
  return std::fabs(a.x - b.x) + std::fabs(a.y - b.y) + std::fabs(a.z - b.z) < kSame;
}

}  // namespace

std::uint32_t packed(const Colour& colour) {
  const auto channel = [](float c) {
    return static_cast<std::uint32_t>(std::floor(core::clamp_to(c, 0.0, 1.0) * 255.0 + 0.5));
  };
  return channel(colour.r) | channel(colour.g) << 8U | channel(colour.b) << 16U;
}

void add_capsule(Mesh& mesh, const Vec3& a, const Vec3& b, double radius, const Paint& paint) {
  const Vec3 along = unit_or(b - a, {0.0, 1.0, 0.0});
  Lathe lathe(mesh, frame_of(along), paint);
  for (int i = 0; i <= 2 * kRings + 1; ++i) {  // two quarters, the side between them
    const bool upper = i > kRings;
    const int ring = upper ? i - kRings - 1 : i - kRings;
    const double angle = 0.5 * std::numbers::pi * ring / kRings;
    const double lean = std::sin(angle);
    lathe.circle((upper ? b : a) + (radius * lean) * along, radius * std::cos(angle), lean, i > 0);
  }
}

void add_arrow(Mesh& mesh, const Vec3& tail, const Vec3& tip, double radius, const Paint& paint) {
  const Vec3 along = unit_or(tip - tail, {0.0, 1.0, 0.0});
  const Vec3 neck = tip - (7.0 * radius) * along;
  Lathe lathe(mesh, frame_of(along), paint);
  lathe.circle(tail, 0.0, -1.0, false);
  lathe.circle(tail, radius, 0.0, true);
  lathe.circle(neck, radius, 0.0, true);
  lathe.circle(neck, 3.0 * radius, -1.0, true);
  lathe.circle(neck, 3.0 * radius, 0.4, false);
  lathe.circle(tip, 0.0, 0.4, true);
}

void add_polygon(Mesh& mesh, std::span<const Vec3> corners, const Vec3& normal, double lift,
                 const Paint& paint) {
  for (const double side : {lift, -lift}) {
    const auto base = static_cast<std::uint32_t>(mesh.vertices.size());
    for (const Vec3& corner : corners) {
      mesh.vertices.push_back({to_float(corner + side * normal), to_float(normal),
                               packed(paint.colour), paint.material, paint.id});
    }
    for (std::uint32_t i = 2; i < corners.size(); ++i) {
      mesh.triangles.push_back({base, base + i - 1, base + i});
    }
  }
}

Mesh room_mesh(const Environment& room, std::span<const Paint> paints) {
  const auto triangles = room.triangles();
  const auto vertices = room.vertices();
  const std::vector<Vec3f> faces = face_normals(room);
  const Fans fans = fans_of(room);
  constexpr std::size_t kRecent = 64;  // normals that are compared; a star of thousands has its own
  Mesh out;
  out.triangles.resize(triangles.size());
  for (std::uint32_t v = 0; v < vertices.size(); ++v) {
    const std::span<const std::uint32_t> fan(fans.triangle.data() + fans.begin[v],
                                             fans.begin[v + 1] - fans.begin[v]);
    const std::size_t first = out.vertices.size();
    for (const std::uint32_t triangle : fan) {
      const Paint& paint = paints[room.object_of(triangle)];
      const Vertex corner{vertices[v], corner_normal(faces, fan, triangle), packed(paint.colour),
                          paint.material, paint.id};
      std::size_t same =
          std::max(first, out.vertices.size() - std::min(out.vertices.size(), kRecent));
      while (same < out.vertices.size() &&
             !(out.vertices[same].id == corner.id &&
               same_normal(out.vertices[same].normal, corner.normal))) {
        ++same;
      }
      if (same == out.vertices.size()) out.vertices.push_back(corner);
      for (std::size_t i = 0; i < 3; ++i) {
        if (triangles[triangle][i] == v)
          out.triangles[triangle][i] = static_cast<std::uint32_t>(same);
      }
    }
  }
  return out;
}

std::vector<bool> wide_objects(const Environment& room) {
  constexpr double kMuch = 0.06;  // of the whole surface; furniture is less, floors and walls more
  const std::vector<Vec3f> faces = face_normals(room);
  double whole = 0.0;
  std::vector<double> area;
  for (const Object& object : room.objects()) {
    double sum = 0.0;
    for (std::uint32_t i = 0; i < object.triangle_count; ++i) {
      sum += norm(core::to_double(faces[object.first_triangle + i]));
    }
    area.push_back(sum);
    whole += sum;
  }
  std::vector<bool> out;
  out.reserve(area.size());
  for (const double a : area) out.push_back(room.objects().size() > 3 && a > kMuch * whole);
  return out;
}

}  // namespace tocsin::view
