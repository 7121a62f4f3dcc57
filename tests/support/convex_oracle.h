// What is true of two convex bodies at given places, in long double and by looking at everything:
// no walk, no simplex. For the tests of tocsin/nearest.h.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "tocsin/nearest.h"
#include "tocsin/types.h"

namespace tocsin::test {

using Long = long double;

struct Wide {
  Long x = 0;
  Long y = 0;
  Long z = 0;
};
inline Wide operator+(const Wide& a, const Wide& b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
inline Wide operator-(const Wide& a, const Wide& b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
inline Wide operator*(Long s, const Wide& a) { return {s * a.x, s * a.y, s * a.z}; }
inline Long dot(const Wide& a, const Wide& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
inline Wide cross(const Wide& a, const Wide& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
inline Long length(const Wide& a) { return std::sqrt(dot(a, a)); }
inline Wide widened(const Vec3& a) { return {a.x, a.y, a.z}; }

/// A body's corners relative to an origin in the world, and its edges and faces.
struct PlacedBody {
  std::vector<Wide> corners;
  std::span<const TriangleIndices> faces;
  std::vector<std::array<std::uint32_t, 2>> edges;
  Long radius = 0;
};

inline Wide carried(const Transform& at, const Vec3& p, const Vec3& origin) {
  const Long n =
      std::sqrt(Long{at.rotation.w} * at.rotation.w + Long{at.rotation.x} * at.rotation.x +
                Long{at.rotation.y} * at.rotation.y + Long{at.rotation.z} * at.rotation.z);
  const Long w = at.rotation.w / n;
  const Wide v{at.rotation.x / n, at.rotation.y / n, at.rotation.z / n};
  const Wide l = widened(p);
  // v l v^-1 = l + 2 v x (v x l + w l)
  return l + 2.0L * cross(v, cross(v, l) + w * l) + (widened(at.translation) - widened(origin));
}

inline PlacedBody placed_body(const ConvexBody& body, const Transform& at, const Vec3& origin) {
  PlacedBody out;
  for (const Vec3& corner : body.corners()) out.corners.push_back(carried(at, corner, origin));
  out.faces = body.faces();
  for (const TriangleIndices& f : out.faces) {
    for (std::size_t i = 0; i < 3; ++i) {
      const std::uint32_t a = f[i];
      const std::uint32_t b = f[(i + 1) % 3];
      if (a < b || out.faces.size() == 1) out.edges.push_back({a, b});
    }
  }
  if (out.faces.empty() && out.corners.size() == 2) out.edges.push_back({0, 1});
  out.radius = body.radius();
  return out;
}

inline Long distance_to_segment(const Wide& p, const Wide& a, const Wide& b) {
  const Wide d = b - a;
  const Long dd = dot(d, d);
  const Long s = dd > 0 ? std::clamp<Long>(dot(p - a, d) / dd, 0, 1) : 0;
  return length(a + s * d - p);
}

inline Long distance_to_face(const Wide& p, const Wide& a, const Wide& b, const Wide& c) {
  const Wide n = cross(b - a, c - a);
  const Long nn = dot(n, n);
  const auto inside = [&](const Wide& u, const Wide& v) {
    return dot(cross(v - u, p - u), n) >= 0;
  };
  if (nn > 0 && inside(a, b) && inside(b, c) && inside(c, a)) {
    return std::abs(dot(p - a, n)) / std::sqrt(nn);
  }
  return std::min(
      {distance_to_segment(p, a, b), distance_to_segment(p, b, c), distance_to_segment(p, c, a)});
}

inline Long distance_of_segments(const Wide& a, const Wide& b, const Wide& c, const Wide& d) {
  Long least = std::min({distance_to_segment(a, c, d), distance_to_segment(b, c, d),
                         distance_to_segment(c, a, b), distance_to_segment(d, a, b)});
  const Wide u = b - a;
  const Wide v = d - c;
  const Wide n = cross(u, v);
  const Long nn = dot(n, n);
  if (!(nn > 0)) return least;
  const Wide w = c - a;
  // Rounding of one is made good by going to the nearest point of the other, there and back.
  const Long s = std::clamp<Long>(dot(cross(w, v), n) / nn, 0, 1);
  const Long t = std::clamp<Long>(dot(a + s * u - c, v) / dot(v, v), 0, 1);
  return std::min(least, distance_to_segment(c + t * v, a, b));
}

/// Of all pairs of features the least distance: that of bodies that do not overlap.
inline Long least_of_features(const PlacedBody& f, const PlacedBody& g) {
  Long least = std::numeric_limits<Long>::infinity();
  const auto corners_and_faces = [&least](const PlacedBody& p, const PlacedBody& q) {
    for (const Wide& corner : p.corners) {
      for (const auto& [i, j, k] : q.faces) {
        least = std::min(least, distance_to_face(corner, q.corners[i], q.corners[j], q.corners[k]));
      }
      for (const auto& [i, j] : q.edges) {
        least = std::min(least, distance_to_segment(corner, q.corners[i], q.corners[j]));
      }
    }
  };
  corners_and_faces(f, g);
  corners_and_faces(g, f);
  for (const auto& [i, j] : f.edges) {
    for (const auto& [k, l] : g.edges) {
      least = std::min(
          least, distance_of_segments(f.corners[i], f.corners[j], g.corners[k], g.corners[l]));
    }
  }
  if (f.corners.size() == 1 && g.corners.size() == 1) {
    least = std::min(least, length(f.corners[0] - g.corners[0]));
  }
  return least;
}

/// How far f is beyond g along n, a unit vector; below 0: they overlap by so much along it.
inline Long gap_along(const PlacedBody& f, const PlacedBody& g, const Wide& n) {
  Long low = std::numeric_limits<Long>::infinity();
  Long high = -low;
  for (const Wide& p : f.corners) low = std::min(low, dot(n, p - g.corners[0]));
  for (const Wide& p : g.corners) high = std::max(high, dot(n, p - g.corners[0]));
  return low - high;
}

/// The greatest gap along any direction in which a side of the bodies' difference may look: normals
/// of faces, and of pairs of edges. Of bodies that overlap: minus the depth.
inline Long greatest_gap(const PlacedBody& f, const PlacedBody& g) {
  Long best = -std::numeric_limits<Long>::infinity();
  const auto look = [&](const Wide& n) {
    const Long size = length(n);
    if (!(size > 0)) return;
    best = std::max({best, gap_along(f, g, (1 / size) * n), gap_along(f, g, (-1 / size) * n)});
  };
  for (const PlacedBody* p : {&f, &g}) {
    for (const auto& [i, j, k] : p->faces) {
      look(cross(p->corners[j] - p->corners[i], p->corners[k] - p->corners[i]));
    }
  }
  for (const auto& [i, j] : f.edges) {
    for (const auto& [k, l] : g.edges) {
      look(cross(f.corners[j] - f.corners[i], g.corners[l] - g.corners[k]));
    }
  }
  return best;
}

/// How far a point is from a feature of a body, rounded by the body's radius.
inline Long distance_to_feature(const PlacedBody& body, const BodyFeature& feature, const Wide& p) {
  const auto corner = [&](std::size_t i) { return body.corners[feature.corner[i]]; };
  const Long core = feature.corners == 1   ? length(p - corner(0))
                    : feature.corners == 2 ? distance_to_segment(p, corner(0), corner(1))
                                           : distance_to_face(p, corner(0), corner(1), corner(2));
  return std::abs(core - body.radius);
}

/// Whether it is a vertex, an edge or a face of the body.
inline bool is_feature(const PlacedBody& body, const BodyFeature& feature) {
  if (feature.corners == 1) return feature.corner[0] < body.corners.size();
  if (feature.corners == 2) {
    const auto is_it = [&](const std::array<std::uint32_t, 2>& e) {
      return std::min(e[0], e[1]) == feature.corner[0] && std::max(e[0], e[1]) == feature.corner[1];
    };
    return std::any_of(body.edges.begin(), body.edges.end(), is_it);
  }
  return std::any_of(body.faces.begin(), body.faces.end(), [&](TriangleIndices face) {
    std::sort(face.begin(), face.end());
    return face == feature.corner;
  });
}

}  // namespace tocsin::test
