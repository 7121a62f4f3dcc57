// What a Sculptor turns about an axis or draws along a path.
#include <algorithm>
#include <cmath>
#include <cstddef>

#include "make/room/room_sculptor.h"

namespace tocsin::make {
namespace {

/// Metres: no turned shape comes nearer to its axis between its ends; a vertex there would collapse
/// a ring.
constexpr double kLeastRadius = 2e-4;

/// Metres, radius: what is turned has at least eight sides, or four if it is more slender. Always a
/// multiple of four, so that it touches its box at any grain.
constexpr double kSlender = 0.13;

/// Catmull and Rom's curve from b to c; a and d are the neighbours; t in [0, 1].
double spline(double a, double b, double c, double d, double t) {
  return b + 0.5 * t *
                 ((c - a) + t * ((2.0 * a - 5.0 * b + 4.0 * c - d) + t * (3.0 * (b - c) + d - a)));
}

double distance(const ProfilePoint& a, const ProfilePoint& b) {
  const double dr = a.radius - b.radius;
  const double dh = a.height - b.height;
  return std::sqrt(dr * dr + dh * dh);
}

/// A unit vector at right angles to the unit vector d.
Vec3 any_normal(const Vec3& d) {
  const Vec3 axis = std::fabs(d.y) < 0.9 ? Vec3{0.0, 1.0, 0.0} : Vec3{1.0, 0.0, 0.0};
  return unit_vector(core::cross(axis, d));
}

/// The profile with `per_span` segments between its points; the ends stay as they are.
std::vector<ProfilePoint> refined(const Turning& turning, int per_span) {
  const std::vector<ProfilePoint>& p = turning.profile;
  const int n = static_cast<int>(p.size());
  const int spans = turning.loop ? n : n - 1;
  const auto at = [&](int i) -> const ProfilePoint& {
    if (turning.loop) return p[static_cast<std::size_t>((i + n) % n)];
    return p[static_cast<std::size_t>(std::clamp(i, 0, n - 1))];
  };
  std::vector<ProfilePoint> out;
  out.reserve(static_cast<std::size_t>(spans * per_span) + 1);
  for (int s = 0; s < spans; ++s) {
    out.push_back(at(s));
    for (int k = 1; k < per_span; ++k) {
      const double t = static_cast<double>(k) / per_span;
      const double radius =
          spline(at(s - 1).radius, at(s).radius, at(s + 1).radius, at(s + 2).radius, t);
      const double height =
          spline(at(s - 1).height, at(s).height, at(s + 1).height, at(s + 2).height, t);
      out.push_back({std::max(radius, kLeastRadius), height});
    }
  }
  if (!turning.loop) out.push_back(p.back());
  return out;
}

}  // namespace

void Sculptor::turn(const Frame& at, const Turning& turning) {
  const std::vector<ProfilePoint>& p = turning.profile;
  double widest = 0.0;
  double length = 0.0;
  for (std::size_t i = 0; i < p.size(); ++i) {
    widest = std::max(widest, p[i].radius);
    if (i > 0) length += distance(p[i], p[i - 1]);
  }
  const int sides =
      4 * segments(0.5 * core::kPi * widest * turning.finer, widest < kSlender ? 1 : 2, 256);
  const int spans = static_cast<int>(p.size()) - (turning.loop ? 0 : 1);
  const int per_span = turning.smooth ? segments(length * turning.finer / spans, 1, 1000) : 1;
  const int points = spans * per_span + (turning.loop ? 0 : 1);
  // Two poles and the rings between them, or rings all the way round.
  const int rings = turning.loop ? points : points - 2;
  const auto cells = static_cast<std::uint64_t>(sides) *
                     static_cast<std::uint64_t>(turning.loop ? rings : rings - 1);
  const auto caps = static_cast<std::uint64_t>(turning.loop ? 0 : 2 * sides);
  triangles_ += 2 * cells + caps;
  if (mesh_ == nullptr) return;

  reserve(cells + static_cast<std::uint64_t>(2 * sides) + 2, 2 * cells + caps);
  const std::vector<ProfilePoint> fine = refined(turning, per_span);
  std::vector<core::SinCos> circle;
  circle.reserve(static_cast<std::size_t>(sides));
  for (int s = 0; s < sides; ++s) circle.push_back(core::sincos_degrees(360.0 * s / sides));
  const std::uint32_t first = next_vertex();
  const std::size_t begin = turning.loop ? 0 : 1;
  for (std::size_t i = begin; i < fine.size() - begin; ++i) {
    for (const core::SinCos& c : circle) {
      add_vertex(at, {fine[i].radius * c.cos, fine[i].height, fine[i].radius * c.sin});
    }
  }
  add_rings(sides, rings, turning.loop, first);
  if (turning.loop) return;
  const std::uint32_t bottom = next_vertex();
  add_vertex(at, {0.0, fine.front().height, 0.0});
  add_vertex(at, {0.0, fine.back().height, 0.0});
  const auto last = first + static_cast<std::uint32_t>((rings - 1) * sides);
  for (int s = 0; s < sides; ++s) {
    const auto a = static_cast<std::uint32_t>(s);
    const auto b = static_cast<std::uint32_t>((s + 1) % sides);
    add_triangle(bottom, first + a, first + b);
    add_triangle(bottom + 1, last + b, last + a);
  }
}

void Sculptor::tube(const Frame& at, const Tubing& tubing) {
  const std::vector<Vec3>& path = tubing.path;
  const int rings = static_cast<int>(path.size());
  const int sides =
      segments(2.0 * core::kPi * tubing.radius * tubing.finer, tubing.least_sides, 96);
  const auto cells = static_cast<std::uint64_t>(sides) *
                     static_cast<std::uint64_t>(tubing.loop ? rings : rings - 1);
  const auto caps = static_cast<std::uint64_t>(tubing.loop ? 0 : 2 * (sides - 2));
  triangles_ += 2 * cells + caps;
  if (mesh_ == nullptr) return;

  reserve(cells + static_cast<std::uint64_t>(2 * sides), 2 * cells + caps);
  const std::uint32_t first = next_vertex();
  const double end_radius = tubing.end_radius > 0.0 ? tubing.end_radius : tubing.radius;
  std::vector<core::SinCos> circle;
  circle.reserve(static_cast<std::size_t>(sides));
  for (int s = 0; s < sides; ++s) {
    // Half a step on: a tube of four sides stands flat on the floor, as a board does.
    circle.push_back(core::sincos_degrees(360.0 * (s + 0.5) / sides));
  }
  Vec3 normal{};
  for (int r = 0; r < rings; ++r) {
    const auto point = [&](int i) {
      return path[static_cast<std::size_t>(tubing.loop ? (i + rings) % rings
                                                       : std::clamp(i, 0, rings - 1))];
    };
    const Vec3 along = unit_vector(point(r + 1) - point(r - 1));
    // A loop's section points away from its centre, so that its ends meet; a path's is carried on.
    const Vec3 aim = tubing.loop ? point(r) - tubing.centre : normal;
    const Vec3 across = aim - core::dot(aim, along) * along;
    normal = !tubing.loop && r == 0 ? any_normal(along) : unit_vector(across);
    const Vec3 binormal = core::cross(normal, along);
    const double t = rings > 1 ? static_cast<double>(r) / (rings - 1) : 0.0;
    const double radius = tubing.radius + (end_radius - tubing.radius) * t;
    for (const core::SinCos& c : circle) {
      add_vertex(at, point(r) + radius * (c.cos * normal + c.sin * binormal));
    }
  }
  add_rings(sides, rings, tubing.loop, first);
  if (tubing.loop) return;
  const auto last = first + static_cast<std::uint32_t>((rings - 1) * sides);
  for (std::uint32_t s = 1; s + 1 < static_cast<std::uint32_t>(sides); ++s) {
    add_triangle(first, first + s, first + s + 1);
    add_triangle(last, last + s + 1, last + s);
  }
}

}  // namespace tocsin::make
