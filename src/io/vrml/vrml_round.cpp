// Why the solid K lies inside of the mesh, roundings included.
//
// 1. Let every vertex be at most d away from where it should be: rounding to float moves each
//    coordinate x by at most |x| 2^-24.
// 2. For each triangle of the mesh before rounding, with outward unit normal n and a corner p, the
//    program checks that n.p - h(n) >= 2 d, where h(n) is the greatest n.x over K (its support
//    function, a closed expression for each shape). So every point within 2 d of K lies on the
//    inner side of every triangle's plane. Seen from such a point, all triangles of the closed mesh
//    turn the same way; so it is not on the mesh, and their solid angles add up to a positive
//    multiple of 4 pi: it is inside.
// 3. Rounding moves every point of the mesh by at most d, along with its triangle's corners. On the
//    way the mesh stays d away from K, so the number of times it winds around each point of K
//    stays what it was, at least 1: K is inside of the rounded mesh too, and a body that touches K
//    from outside touches the mesh first.
// The other d covers the roundings of the check itself, which are in double: 2^-50 of the
// coordinates, while d is 2^-24 of them.
//
// The mesh is that of the unit shape with axes made longer by k d, where k = 1, 2, 4, ... is the
// first for which the check passes. That is 1 or 2 unless the map flattens the shape. What fails
// for every k (shapes flattened along a slant) becomes a box around it.
#include "io/vrml/vrml_round.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <optional>
#include <utility>

#include "core/vector/trig.h"
#include "io/import/affine.h"

namespace tocsin::io {
namespace {

using Shape = VrmlRound::Shape;

enum class Part : std::uint8_t { kSide, kTop, kBottom };

/// A mesh around the unit shape.
struct UnitMesh {
  std::vector<Vec3> points;
  std::vector<TriangleIndices> triangles;
  std::vector<Part> parts;  ///< of each triangle

  std::uint32_t add(const Vec3& p) {
    points.push_back(p);
    return static_cast<std::uint32_t>(points.size() - 1);
  }
  void add(std::uint32_t a, std::uint32_t b, std::uint32_t c, Part part) {
    triangles.push_back({a, b, c});
    parts.push_back(part);
  }
};

/// Metres. Below it (a shape within centimetres of the origin, scaled to nothing) roundings are no
/// measure any more; a nanometre makes a solid of it.
constexpr double kLeastRounding = 1e-9;

/// How far rounding to float moves a point with coordinates up to `reach`: sqrt(3) halves of the
/// last place.
double rounding(double reach) { return core::max_of(1.75 * 0x1p-24 * reach, kLeastRounding); }

double reach_of(const VrmlRound& round) {
  const auto one = [](const Vec3& row, double origin) {
    return std::fabs(origin) + 2.0 * (std::fabs(row.x) + std::fabs(row.y) + std::fabs(row.z));
  };
  const auto& row = round.axes.row;
  return core::max_of(one(row[0], round.centre.x),
                      core::max_of(one(row[1], round.centre.y), one(row[2], round.centre.z)));
}

Vec3 transposed_product(const core::Mat3& m, const Vec3& n) {
  return {core::dot(core::column(m, 0), n), core::dot(core::column(m, 1), n),
          core::dot(core::column(m, 2), n)};
}

/// The greatest n.(x - centre) over the solid.
double support(Shape shape, const core::Mat3& axes, const Vec3& n) {
  const Vec3 w = transposed_product(axes, n);
  if (shape == Shape::kSphere) return core::norm(w);
  const double ring = std::sqrt(w.x * w.x + w.z * w.z);
  if (shape == Shape::kCylinder) return ring + std::fabs(w.y);
  return core::max_of(w.y, ring - w.y);
}

/// cos(pi / n)
double inner_radius(int n) { return core::sincos_degrees(180.0 / n).cos; }

int segments(Shape shape, double radius) {
  const int most = shape == Shape::kSphere ? kMaxSphereSegments : kMaxRingSegments;
  int n = 8;
  for (; n < most; n += 4) {  // multiples of 4: symmetric in x and z
    const double inner = inner_radius(n);
    const double outer = shape == Shape::kSphere ? 1.0 / (inner * inner) : 1.0 / inner;
    if (radius * (outer - 1.0) <= kRoundTolerance) break;
  }
  return n;
}

/// Corners of a regular n-gon around the unit circle scaled by `radius`, from +x towards -z, so
/// that they run counterclockwise seen from +y.
std::vector<std::uint32_t> add_ring(UnitMesh& mesh, int n, double radius, double y) {
  std::vector<std::uint32_t> ring;
  for (int i = 0; i < n; ++i) {
    const core::SinCos turn = core::sincos_degrees(360.0 * i / n);
    ring.push_back(mesh.add({radius * turn.cos, y, -radius * turn.sin}));
  }
  return ring;
}

/// Between two rings, `low` below `high`.
void add_band(UnitMesh& mesh, const std::vector<std::uint32_t>& low,
              const std::vector<std::uint32_t>& high) {
  for (std::size_t i = 0; i < low.size(); ++i) {
    const std::size_t j = (i + 1) % low.size();
    mesh.add(low[i], low[j], high[j], Part::kSide);
    mesh.add(low[i], high[j], high[i], Part::kSide);
  }
}

/// Between a ring and a point above it, or, if `below`, below it.
void add_fan(UnitMesh& mesh, const std::vector<std::uint32_t>& ring, std::uint32_t tip, bool below,
             Part part) {
  for (std::size_t i = 0; i < ring.size(); ++i) {
    const std::size_t j = (i + 1) % ring.size();
    mesh.add(ring[below ? j : i], ring[below ? i : j], tip, part);
  }
}

/// Rings at equal angles on a sphere. Its facets are at least cos(pi/n) (for the segments) times
/// cos(pi/n) (for the n/2 bands) of its radius away from the centre.
UnitMesh unit_sphere(int n) {
  UnitMesh mesh;
  const double radius = 1.0 / (inner_radius(n) * inner_radius(n));
  std::vector<std::uint32_t> below;
  const std::uint32_t south = mesh.add({0.0, -radius, 0.0});
  for (int band = 1; band < n / 2; ++band) {
    const core::SinCos up = core::sincos_degrees(360.0 * band / n - 90.0);
    std::vector<std::uint32_t> ring = add_ring(mesh, n, radius * up.cos, radius * up.sin);
    if (band == 1) {
      add_fan(mesh, ring, south, true, Part::kSide);
    } else {
      add_band(mesh, below, ring);
    }
    below = std::move(ring);
  }
  add_fan(mesh, below, mesh.add({0.0, radius, 0.0}), false, Part::kSide);
  return mesh;
}

UnitMesh unit_cylinder(int n) {
  UnitMesh mesh;
  const std::vector<std::uint32_t> low = add_ring(mesh, n, 1.0 / inner_radius(n), -1.0);
  const std::vector<std::uint32_t> high = add_ring(mesh, n, 1.0 / inner_radius(n), 1.0);
  add_band(mesh, low, high);
  add_fan(mesh, high, mesh.add({0.0, 1.0, 0.0}), false, Part::kTop);
  add_fan(mesh, low, mesh.add({0.0, -1.0, 0.0}), true, Part::kBottom);
  return mesh;
}

UnitMesh unit_cone(int n) {
  UnitMesh mesh;
  const std::vector<std::uint32_t> low = add_ring(mesh, n, 1.0 / inner_radius(n), -1.0);
  add_fan(mesh, low, mesh.add({0.0, 1.0, 0.0}), false, Part::kSide);
  add_fan(mesh, low, mesh.add({0.0, -1.0, 0.0}), true, Part::kBottom);
  return mesh;
}

UnitMesh unit_mesh(Shape shape, int n) {
  return shape == Shape::kSphere     ? unit_sphere(n)
         : shape == Shape::kCylinder ? unit_cylinder(n)
                                     : unit_cone(n);
}

core::Mat3 from_columns(const Vec3& a, const Vec3& b, const Vec3& c) {
  return {{{a.x, b.x, c.x}, {a.y, b.y, c.y}, {a.z, b.z, c.z}}};
}

/// A unit vector at right angles to a.
Vec3 any_perpendicular(const Vec3& a) {
  const Vec3 across = std::fabs(a.x) <= std::fabs(a.y) && std::fabs(a.x) <= std::fabs(a.z)
                          ? Vec3{0.0, a.z, -a.y}
                          : Vec3{a.y, -a.x, 0.0};
  const double length = core::norm(across);
  return length > core::kLeastLength ? (1.0 / length) * across : Vec3{1.0, 0.0, 0.0};
}

/// Of an axis; if it has no length, at right angles to the other two.
Vec3 direction(const Vec3& axis, const Vec3& next, const Vec3& last) {
  const double length = core::norm(axis);
  if (length > core::kLeastLength) return (1.0 / length) * axis;
  const Vec3 normal = core::cross(next, last);
  const double size = core::norm(normal);
  if (size > core::kLeastLength) return (1.0 / size) * normal;
  return any_perpendicular(core::norm(next) > core::norm(last) ? next : last);
}

/// Axes longer by `by`. A cone's base gets wider by more: it also moves down, and without that its
/// side would move inwards where the base was, if it is flatter than 1 in 2.
core::Mat3 lengthened(Shape shape, const core::Mat3& axes, double by) {
  constexpr double kMostWider = 100.0;  // what that does not help becomes a cylinder
  const Vec3 x = core::column(axes, 0);
  const Vec3 y = core::column(axes, 1);
  const Vec3 z = core::column(axes, 2);
  double wider = by;
  if (shape == Shape::kCone) {
    const double height = core::norm(y) + by;
    wider *= 1.0 + core::min_of(core::max_of(core::norm(x), core::norm(z)) / height, kMostWider);
  }
  const Vec3 longer_x = x + wider * direction(x, y, z);
  const Vec3 longer_y = y + by * direction(y, z, longer_x);
  return from_columns(longer_x, longer_y, z + wider * direction(z, longer_x, longer_y));
}

/// The unit mesh, mapped to the solid's surroundings; turned over if the map mirrors.
struct Mapped {
  std::vector<Vec3> points;  ///< without the centre
  std::vector<TriangleIndices> triangles;
};

Mapped mapped(const UnitMesh& unit, const core::Mat3& axes) {
  Mapped out{{}, unit.triangles};
  out.points.reserve(unit.points.size());
  for (const Vec3& p : unit.points) out.points.push_back(axes * p);
  if (mirrors(axes)) {
    for (TriangleIndices& t : out.triangles) std::swap(t[1], t[2]);
  }
  return out;
}

/// The check of step 2.
bool contains(const Mapped& mesh, const VrmlRound& round, double gap) {
  return std::all_of(mesh.triangles.begin(), mesh.triangles.end(), [&](const TriangleIndices& t) {
    const Vec3& a = mesh.points[t[0]];
    const Vec3& b = mesh.points[t[1]];
    const Vec3& c = mesh.points[t[2]];
    const Vec3 normal = core::cross(b - a, c - a);
    const double length = core::norm(normal);
    if (!(length > core::kLeastLength)) return false;
    const Vec3 n = (1.0 / length) * normal;
    const double plane =
        core::min_of(core::dot(n, a), core::min_of(core::dot(n, b), core::dot(n, c)));
    return plane - support(round.shape, round.axes, n) >= gap;
  });
}

/// Points of the unit shape of which one is close to a point u outside.
std::array<Vec3, 2> close_by(Shape shape, const Vec3& u) {
  if (shape == Shape::kSphere) {
    const Vec3 on = (1.0 / core::norm(u)) * u;
    return {on, on};
  }
  const double ring = std::sqrt(u.x * u.x + u.z * u.z);
  const double shrink = ring > 1.0 ? 1.0 / ring : 1.0;
  const Vec3 at{shrink * u.x, core::clamp_to(u.y, -1.0, 1.0), shrink * u.z};
  if (shape == Shape::kCylinder) return {at, at};
  return {Vec3{at.x, -1.0, at.z}, Vec3{0.0, 1.0, 0.0}};
}

VrmlRoundMesh finish(const UnitMesh& unit, Mapped mesh, const VrmlRound& round, double tolerance) {
  VrmlRoundMesh out;
  out.tolerance = tolerance;
  for (std::size_t i = 0; i < mesh.triangles.size(); ++i) {
    const Part part = unit.parts[i];
    const bool wanted = part == Part::kSide  ? round.side
                        : part == Part::kTop ? round.top
                                             : round.bottom;
    if (wanted) out.triangles.push_back(mesh.triangles[i]);
  }
  out.points = std::move(mesh.points);
  for (Vec3& p : out.points) p = p + round.centre;
  return out;
}

/// A mesh of `shape`'s kind around the solid, if one passes the check. Adds to `tried`.
std::optional<VrmlRoundMesh> around(const VrmlRound& round, Shape shape, double d,
                                    std::uint64_t& tried) {
  constexpr int kMostLengthening = 4096;  // of d: a millimetre, where d is a quarter micron
  const double radius = core::max_of(
      core::norm(core::column(round.axes, 0)),
      core::max_of(core::norm(core::column(round.axes, 2)),
                   shape == Shape::kSphere ? core::norm(core::column(round.axes, 1)) : 0.0));
  const UnitMesh unit = unit_mesh(shape, segments(shape, radius));
  for (int k = 1; k <= kMostLengthening; k *= 2) {
    tried += unit.triangles.size();
    Mapped mesh = mapped(unit, lengthened(shape, round.axes, k * d));
    if (!contains(mesh, round, 2.0 * d)) continue;
    double out = 0.0;
    for (std::size_t i = 0; i < unit.points.size(); ++i) {
      const auto near = close_by(round.shape, unit.points[i]);
      out = core::max_of(out, core::min_of(core::norm(mesh.points[i] - round.axes * near[0]),
                                           core::norm(mesh.points[i] - round.axes * near[1])));
    }
    return finish(unit, std::move(mesh), round, out + 2.0 * d);
  }
  return std::nullopt;
}

/// A box along the solid's longest extents. It contains the cylinder of the same axes, and so what
/// lies in that.
VrmlRoundMesh box_around(const VrmlRound& round, double d) {
  std::array<Vec3, 3> axis{core::column(round.axes, 0), core::column(round.axes, 1),
                           core::column(round.axes, 2)};
  std::sort(axis.begin(), axis.end(),
            [](const Vec3& a, const Vec3& b) { return core::norm(a) > core::norm(b); });
  const Vec3 e0 = direction(axis[0], {}, {});
  const auto across = [&](const Vec3& a) { return a - core::dot(a, e0) * e0; };
  const Vec3 p = across(axis[1]);
  const Vec3 q = across(axis[2]);
  const Vec3& wider = core::norm(p) >= core::norm(q) ? p : q;
  // Any frame will do, but its axes must be at right angles: what is left of a vector along e0 is
  // noise, and one that is a millionth of it is not at right angles until that is done once more.
  const bool noise = !(core::norm(wider) > 1e-6 * core::norm(axis[0]));
  const Vec3 e1 = noise ? any_perpendicular(e0) : (1.0 / core::norm(wider)) * wider;
  const Vec3 across_e1 = across(e1);
  const Vec3 f1 = (1.0 / core::norm(across_e1)) * across_e1;
  const Vec3 e2 = core::cross(e0, f1);
  const auto half = [&](const Vec3& e) {
    return (support(Shape::kCylinder, round.axes, e) + 2.0 * d) * e;
  };
  VrmlRoundMesh out;
  add_box({1.0, 1.0, 1.0}, out);
  const core::Mat3 box = from_columns(half(e0), half(f1), half(e2));
  if (mirrors(box)) turn_over(out);
  for (Vec3& corner : out.points) {
    corner = box * corner;
    out.tolerance = core::max_of(out.tolerance, core::norm(corner) + 2.0 * d);
    corner = corner + round.centre;
  }
  return out;
}

}  // namespace

VrmlRoundMesh contain_round(const VrmlRound& round) {
  const double d = rounding(reach_of(round));
  std::uint64_t tried = 0;
  std::optional<VrmlRoundMesh> best = around(round, round.shape, d, tried);
  // A cone that is flat like a coin lies in a cylinder that is hardly larger.
  if (round.shape == Shape::kCone && (!best || best->tolerance > 2.0 * kRoundTolerance)) {
    std::optional<VrmlRoundMesh> other = around(round, Shape::kCylinder, d, tried);
    if (!best || (other && other->tolerance < best->tolerance)) best = std::move(other);
  }
  VrmlRoundMesh out = best ? *std::move(best) : box_around(round, d);
  out.tried = tried;
  return out;
}

std::int64_t round_triangles_bound(Shape shape) {
  constexpr std::int64_t kSphere = std::int64_t{kMaxSphereSegments} * (kMaxSphereSegments - 2);
  return shape == Shape::kSphere ? kSphere : std::int64_t{4} * kMaxRingSegments;
}

}  // namespace tocsin::io
