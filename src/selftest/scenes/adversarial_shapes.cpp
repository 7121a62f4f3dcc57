#include "selftest/scenes/adversarial_shapes.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "core/vector/vec.h"

namespace tocsin::selftest {

namespace {

using core::cross;
using core::dot;
using core::norm;
using Triple = std::array<Vec3, 3>;

constexpr int kTilePixels = 62;  // of 64, a border of one around them

Vec3f to_float(const Vec3& p) {
  return {static_cast<float>(p.x), static_cast<float>(p.y), static_cast<float>(p.z)};
}

Corners rounded(const Triple& t) { return {to_float(t[0]), to_float(t[1]), to_float(t[2])}; }

Vec3 unit_or(const Vec3& v, const Vec3& otherwise) {
  const double l = norm(v);
  return l > 1e-12 ? (1.0 / l) * v : otherwise;
}

double& coordinate(Vec3& p, int axis) { return axis == 0 ? p.x : axis == 1 ? p.y : p.z; }

Vec3 centre_of(const core::Box& box) {
  return 0.5 * (core::to_double(box.lo) + core::to_double(box.hi));
}
Vec3 half_of(const core::Box& box) {
  return 0.5 * (core::to_double(box.hi) - core::to_double(box.lo));
}

/// Outside the link, on the side that n points to: a triangle of that size whose nearest corner,
/// edge or face is, more or less, x.
Triple beside(const Spot& spot, double size, double height, Random& random) {
  const Vec3 e = any_across(random, spot.n);
  const Vec3 f = cross(spot.n, e);
  const auto part = [&] { return size * random.between(0.1, 1.0); };
  const double lean = random.between(0.0, 1.5);
  const Vec3 back = std::cos(lean) * spot.n + std::sin(lean) * f;
  switch (random.below(3)) {
    case 0:  // a face
      return {spot.x + part() * e, spot.x - part() * e + height * part() * f,
              spot.x - part() * e - height * part() * f};
    case 1:  // an edge
      return {spot.x - part() * e, spot.x + part() * e, spot.x + height * part() * back};
    default:  // a corner
      return {spot.x, spot.x + part() * back, spot.x + part() * back + height * part() * e};
  }
}

Triple sliver(const Spot& spot, Random& random) {
  const double size = random.magnitude(0.05, 3.0);
  Triple t = beside(spot, size, random.magnitude(1e-8, 1e-2), random);
  if (random.chance(0.3)) {  // along an axis of the world: thin in two views
    const int axis = random.below(3);
    Vec3 way;
    coordinate(way, axis) = size;
    const Vec3 thin = random.log_vector(1e-7, 1e-3);
    t = {spot.x - random.unit() * way, spot.x + random.unit() * way, spot.x + thin};
  }
  return t;
}

/// All corners in a plane through `axis`; where floats are fine enough, exactly: multiples of one
/// step, on a grid.
Triple edge_on(const Spot& spot, int axis, Random& random) {
  constexpr double kGrid = 0x1p-12;
  Vec3 step;
  const bool square = random.chance(0.4);
  coordinate(step, (axis + 1) % 3) = square ? 0.0 : random.below(15) - 7;
  coordinate(step, (axis + 2) % 3) = square ? random.below(9) + 1 : random.below(15) - 7;
  const double scale = std::exp2(-2 - random.below(8));
  const bool needle = random.chance(0.1);
  Triple t;
  for (Vec3& p : t) {
    p = {kGrid * std::round(spot.x.x / kGrid), kGrid * std::round(spot.x.y / kGrid),
         kGrid * std::round(spot.x.z / kGrid)};
    if (!needle) p = p + (scale * (random.below(9) - 4)) * step;
    coordinate(p, axis) += random.offset(1e-3, 1.0);
  }
  return t;
}

void sub_pixel(const Spot& spot, std::vector<Corners>& out, Random& random) {
  const int count = random.chance(0.5) ? 1 : 1 + random.below(16);
  for (int i = 0; i < count; ++i) {
    Spot here = spot;
    if (i > 0) here.x = here.x + random.vector(0.0, 3.0 * spot.pixel);
    const double size = spot.pixel * random.magnitude(1e-3, 0.7);
    out.push_back(rounded(beside(here, size, random.chance(0.3) ? 1e-3 : 1.0, random)));
  }
}

Triple coplanar(const Spot& spot, Random& random) {
  const Vec3 across = unit_or(cross(spot.along, spot.way), any_across(random, spot.along));
  const double size = random.magnitude(0.02, 3.0);
  const auto spread = [&] { return size * random.between(-1.0, 1.0); };
  const Vec3 f = cross(across, spot.along);
  Triple t;
  if (random.chance(0.6)) {  // the plane that the link slides along
    const Vec3 at = spot.y + spot.radius * across;
    for (Vec3& p : t) p = at + spread() * spot.along + spread() * f;
    return t;
  }
  // The plane that the axis stays in, beside it.
  const double side = random.chance(0.5) ? 1.0 : -1.0;
  const Vec3 at = spot.y + (side * spot.radius) * f;
  for (Vec3& p : t) p = at + spread() * spot.along + (side * std::fabs(spread())) * f;
  t[0] = at;
  return t;
}

Triple contained(const Spot& spot, Random& random) {
  const double size = spot.radius * random.magnitude(1e-3, 0.4);
  Triple t;
  for (Vec3& p : t) {
    p = spot.y + (0.4 * spot.radius * random.unit()) * random.direction() +
        size * random.direction();
  }
  return t;
}

/// One side of a box in 2 k^2 triangles.
void add_side(const Vec3& centre, const Vec3& half, int axis, double side, int k,
              std::vector<Corners>& out) {
  const auto at = [&](int i, int j) {
    Vec3 p = half;
    coordinate(p, axis) *= side;
    coordinate(p, (axis + 1) % 3) *= 2.0 * i / k - 1.0;
    coordinate(p, (axis + 2) % 3) *= 2.0 * j / k - 1.0;
    return centre + p;
  };
  for (int i = 0; i < k; ++i) {
    for (int j = 0; j < k; ++j) {
      out.push_back(rounded({at(i, j), at(i + 1, j), at(i + 1, j + 1)}));
      out.push_back(rounded({at(i, j), at(i + 1, j + 1), at(i, j + 1)}));
    }
  }
}

void containing(const Spot& spot, std::vector<Corners>& out, Random& random) {
  const Vec3 centre = centre_of(spot.whole);
  const Vec3 half = half_of(spot.whole);
  const double room = std::max(spot.pixel, 1e-6) * random.magnitude(0.05, 20.0);
  if (random.chance(0.6)) {
    const int k = random.chance(0.7) ? 1 : 1 + random.below(4);
    for (int side = 0; side < 6; ++side) {
      add_side(centre, half + Vec3{room, room, room}, side / 2, side % 2 == 0 ? 1.0 : -1.0, k, out);
    }
    return;
  }
  // A tetrahedron: the ball in it is a third as large as the one around it.
  const double around = 3.0 * (norm(half) + room);
  const Quat turned = core::normalized(random.rotation());
  const double q = around / std::sqrt(3.0);
  Vec3 p[4] = {{q, q, q}, {q, -q, -q}, {-q, q, -q}, {-q, -q, q}};
  for (Vec3& v : p) v = centre + core::rotate(turned, v);
  for (int i = 0; i < 4; ++i) {
    out.push_back(rounded({p[i], p[(i + 1) % 4], p[(i + 2) % 4]}));
  }
}

/// Through both sides of the box along an axis, beside the link.
Triple near_far(const Spot& spot, Random& random) {
  const int axis = random.below(3);
  Vec3 half = half_of(spot.box);
  const double reach = std::max(coordinate(half, axis), 1e-5) * random.magnitude(1.01, 30.0);
  Vec3 way = random.vector(0.0, random.chance(0.5) ? 0.02 * reach : reach);
  coordinate(way, axis) = 2.0 * reach;
  way = way - dot(way, spot.n) * spot.n;
  const double wide = reach * random.magnitude(1e-6, 3.0);
  return {spot.x - random.between(0.5, 1.0) * way, spot.x + random.between(0.5, 1.0) * way,
          spot.x + wide * spot.n + random.between(-1.0, 1.0) * way};
}

/// One end inside the box, the others beyond a corner of it, or beyond an edge.
Triple corner(const Spot& spot, Random& random) {
  Vec3 half = half_of(spot.box);
  Vec3 at;
  for (int axis = 0; axis < 3; ++axis) {
    coordinate(at, axis) = coordinate(half, axis) * (random.chance(0.5) ? 1.0 : -1.0);
  }
  if (random.chance(0.4)) coordinate(at, random.below(3)) *= random.between(-1.0, 1.0);
  const double size = random.magnitude(0.5, 60.0) * spot.pixel;
  const auto around = [&](double inward) {
    Vec3 p = at;
    for (int axis = 0; axis < 3; ++axis) {
      const double out = coordinate(at, axis) > 0.0 ? 1.0 : -1.0;
      coordinate(p, axis) += out * size * random.between(-inward, 1.0 - inward);
    }
    return centre_of(spot.box) + p;
  };
  return {around(1.0), around(0.5), around(0.2)};
}

Triple degenerate(const Spot& spot, Random& random) {
  Triple t = beside(spot, random.magnitude(1e-4, 2.0), 1.0, random);
  switch (random.below(3)) {
    case 0:
      t[1] = t[2] = t[0];
      break;
    case 1:
      t[2] = t[1];
      break;
    default:
      t[2] = 0.5 * (t[0] + t[1]);
  }
  return t;
}

Triple huge(const Spot& spot, Random& random) {
  const double most = random.chance(0.1) ? 5e3 : 200.0;
  return beside(spot, random.magnitude(5.0, most), random.chance(0.3) ? 1e-3 : 1.0, random);
}

}  // namespace

double pixel_of(const core::Box& box) {
  const Vec3 half = half_of(box);
  return 2.0 * std::max({half.x, half.y, half.z}) / kTilePixels;
}

Spot find_spot(const scene::SweptLink& link, Random& random) {
  const int piece = random.below(link.pieces);
  const double t = (piece + random.unit()) / link.pieces;
  const double s = random.chance(0.3) ? random.below(2) : random.unit();
  const core::AxisState axis = core::evaluate(link.motion, t);
  Spot spot;
  spot.radius = link.motion.radius;
  spot.y = link.motion.ref + axis.a + s * (axis.b - axis.a);
  spot.along = unit_or(axis.b - axis.a, random.direction());
  spot.n = any_across(random, spot.along);
  if (s == 0.0 || s == 1.0) {
    const double tilt = random.between(0.0, 1.0) * (s == 0.0 ? -1.0 : 1.0);
    spot.n = unit_or(spot.n + tilt * spot.along, spot.n);
  }
  spot.x = spot.y + spot.radius * spot.n;
  spot.way = unit_or(axis.va + s * (axis.vb - axis.va), random.direction());
  spot.box = link.piece[static_cast<std::size_t>(piece)];
  spot.whole = link.box;
  spot.pixel = pixel_of(spot.box);
  return spot;
}

std::vector<Corners> make_shape(Adversity kind, const Spot& spot, Random& random) {
  std::vector<Corners> out;
  const auto one = [&](const Triple& t) { out.push_back(rounded(t)); };
  switch (kind) {
    case Adversity::kSliver:
      one(sliver(spot, random));
      break;
    case Adversity::kEdgeOnX:
    case Adversity::kEdgeOnY:
    case Adversity::kEdgeOnZ:
      one(edge_on(spot, static_cast<int>(kind) - static_cast<int>(Adversity::kEdgeOnX), random));
      break;
    case Adversity::kSubPixel:
      sub_pixel(spot, out, random);
      break;
    case Adversity::kCoplanar:
      one(coplanar(spot, random));
      break;
    case Adversity::kContained:
      one(contained(spot, random));
      break;
    case Adversity::kContaining:
      containing(spot, out, random);
      break;
    case Adversity::kNearFar:
      one(near_far(spot, random));
      break;
    case Adversity::kCorner:
      one(corner(spot, random));
      break;
    case Adversity::kDegenerate:
      one(degenerate(spot, random));
      break;
    case Adversity::kHuge:
      one(huge(spot, random));
      break;
    default:  // the motion is what is hard
      one(beside(spot, random.magnitude(1e-3, 2.0), 1.0, random));
      if (random.chance(0.3)) one(beside(spot, random.magnitude(1e-3, 2.0), 1.0, random));
  }
  return out;
}

std::vector<Corners> make_clutter(const Spot& spot, Random& random) {
  std::vector<Corners> out;
  const int count = 1 + random.below(12);
  const Vec3 at = spot.x + random.vector(0.0, 0.6);
  for (int i = 0; i < count; ++i) {
    const Vec3 here = at + random.vector(0.0, 0.4);
    const double size = random.magnitude(0.01, 0.5);
    out.push_back(rounded({here + random.vector(0.0, size), here + random.vector(0.0, size),
                           here + random.vector(0.0, size)}));
  }
  return out;
}

std::vector<Corners> make_patch(const Spot& spot, Random& random) {
  const Vec3 e = any_across(random, spot.n);
  const Vec3 f = cross(spot.n, e);
  const Vec3 at = spot.x + (spot.pixel * random.between(-1.0, 6.0)) * spot.n;
  const int k = 4 + random.below(13);
  const double size = random.magnitude(0.1, 2.0);
  const double wave = random.magnitude(1e-4, 0.1) * size;
  const auto point = [&](int i, int j) {
    const double u = size * (2.0 * i / k - 1.0);
    const double v = size * (2.0 * j / k - 1.0);
    return at + u * e + v * f + (wave * std::sin(9.0 * u / size + 7.0 * v / size)) * spot.n;
  };
  std::vector<Corners> out;
  for (int i = 0; i < k; ++i) {
    for (int j = 0; j < k; ++j) {
      out.push_back(rounded({point(i, j), point(i + 1, j), point(i + 1, j + 1)}));
      out.push_back(rounded({point(i, j), point(i + 1, j + 1), point(i, j + 1)}));
    }
  }
  return out;
}

}  // namespace tocsin::selftest
