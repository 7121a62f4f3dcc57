#include "scene/shape/convex_graph.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "core/query/distance.h"
#include "core/vector/vec.h"
#include "scene/shape/convex_hull.h"

namespace tocsin::scene {

namespace {

/// Lists by corner: where each begins, and their entries.
struct Lists {
  std::vector<std::uint32_t> first;
  std::vector<std::uint32_t> entries;
};

Lists lists_of(std::size_t corners, const std::vector<std::array<std::uint32_t, 2>>& pairs) {
  Lists out;
  out.first.assign(corners + 1, 0);
  for (const auto& [corner, entry] : pairs) ++out.first[corner + 1];
  for (std::size_t i = 0; i < corners; ++i) out.first[i + 1] += out.first[i];
  out.entries.resize(pairs.size());
  std::vector<std::uint32_t> next(out.first.begin(), out.first.end() - 1);
  for (const auto& [corner, entry] : pairs) out.entries[next[corner]++] = entry;
  return out;
}

/// Each edge of a closed surface is in two faces, once in either direction.
std::vector<std::array<std::uint32_t, 2>> edges_of(const ConvexGraph& graph) {
  std::vector<std::array<std::uint32_t, 2>> out;
  for (const auto& [i, j, k] : graph.faces) {
    out.insert(out.end(), {{i, j}, {j, k}, {k, i}});
  }
  return out;
}

std::vector<std::array<std::uint32_t, 2>> all_pairs(std::uint32_t corners) {
  std::vector<std::array<std::uint32_t, 2>> out;
  for (std::uint32_t i = 0; i < corners; ++i) {
    for (std::uint32_t j = 0; j < corners; ++j) {
      if (i != j) out.push_back({i, j});
    }
  }
  return out;
}

void keep_corners_of_faces(ConvexGraph& graph, std::span<const Vec3> points) {
  std::vector<std::uint32_t> place(points.size(), 0);
  for (const TriangleIndices& face : graph.faces) {
    for (const std::uint32_t corner : face) place[corner] = 1;
  }
  for (std::uint32_t i = 0; i < points.size(); ++i) {
    if (place[i] == 0) continue;
    place[i] = static_cast<std::uint32_t>(graph.corners.size());
    graph.corners.push_back(points[i]);
    graph.source.push_back(i);
  }
  for (TriangleIndices& face : graph.faces) {
    for (std::uint32_t& corner : face) corner = place[corner];
  }
}

void link(ConvexGraph& graph, bool closed) {
  const auto count = static_cast<std::uint32_t>(graph.corners.size());
  std::vector<std::array<std::uint32_t, 2>> around;
  for (std::uint32_t i = 0; i < graph.faces.size(); ++i) {
    for (const std::uint32_t corner : graph.faces[i]) around.push_back({corner, i});
  }
  Lists edges = lists_of(count, closed ? edges_of(graph) : all_pairs(count));
  Lists faces = lists_of(count, around);
  graph.first = std::move(edges.first);
  graph.beside = std::move(edges.entries);
  graph.first_face = std::move(faces.first);
  graph.around = std::move(faces.entries);
  Vec3 lo = graph.corners.front();
  Vec3 hi = lo;
  for (const Vec3& p : graph.corners) {
    lo = {std::min(lo.x, p.x), std::min(lo.y, p.y), std::min(lo.z, p.z)};
    hi = {std::max(hi.x, p.x), std::max(hi.y, p.y), std::max(hi.z, p.z)};
    graph.reach = std::max(graph.reach, core::norm(p));
  }
  graph.centre = 0.5 * (lo + hi);
}

bool are_beside(const ConvexGraph& graph, std::uint32_t i, std::uint32_t j) {
  const auto begin = graph.beside.begin();
  const auto end = begin + graph.first[i + 1];
  return std::find(begin + graph.first[i], end, j) != end;
}

bool is_face(const ConvexGraph& graph, const std::array<std::uint32_t, 3>& sorted) {
  for (std::uint32_t k = graph.first_face[sorted[0]]; k < graph.first_face[sorted[0] + 1]; ++k) {
    TriangleIndices face = graph.faces[graph.around[k]];
    std::sort(face.begin(), face.end());
    if (face == sorted) return true;
  }
  return false;
}

double distance_from(const ConvexGraph& graph, std::uint32_t face, const Vec3& p) {
  const auto& [i, j, k] = graph.faces[face];
  const core::Triangle triangle{{graph.corners[i], graph.corners[j], graph.corners[k]}};
  return std::sqrt(core::closest_points(p, p, triangle).squared);
}

void put_in_order(ConvexFeature& f) {
  for (int i = 1; i < f.corners; ++i) {
    for (auto k = static_cast<std::size_t>(i); k > 0 && f.corner[k] < f.corner[k - 1]; --k) {
      std::swap(f.corner[k], f.corner[k - 1]);
    }
  }
}

/// Of the faces around some corners the nearest to a point.
std::pair<double, std::uint32_t> nearest_around(const ConvexGraph& graph,
                                                std::span<const std::uint32_t> corners,
                                                const Vec3& p) {
  std::pair<double, std::uint32_t> best(HUGE_VAL, 0);
  for (const std::uint32_t corner : corners) {
    for (std::uint32_t k = graph.first_face[corner]; k < graph.first_face[corner + 1]; ++k) {
      best = std::min(best, {distance_from(graph, graph.around[k], p), graph.around[k]});
    }
  }
  return best;
}

}  // namespace

Result<ConvexGraph> convex_graph(std::span<const Vec3> points) {
  ConvexGraph out;
  if (points.empty()) return {ErrorCode::kInput, "a convex hull of no points"};
  if (points.size() > 3) {
    auto faces = convex_hull(points);
    if (!faces) return faces.error();
    out.faces = std::move(faces).value();
    keep_corners_of_faces(out, points);
    link(out, true);
    return out;
  }
  out.corners.assign(points.begin(), points.end());
  for (std::uint32_t i = 0; i < points.size(); ++i) out.source.push_back(i);
  if (points.size() == 3) out.faces.push_back({0, 1, 2});
  link(out, false);
  return out;
}

ConvexFeature feature_at(const ConvexGraph& graph, const ConvexFeature& of, const Vec3& point,
                         double enough) {
  ConvexFeature out = of;
  put_in_order(out);
  const bool known = out.corners < 2 ||
                     (out.corners == 2 && are_beside(graph, out.corner[0], out.corner[1])) ||
                     (out.corners == 3 && is_face(graph, out.corner));
  if (known || graph.faces.empty()) return out;
  // Across the flat side from face to face, as long as that comes nearer.
  std::pair<double, std::uint32_t> best =
      nearest_around(graph, {out.corner.data(), static_cast<std::size_t>(out.corners)}, point);
  for (;;) {
    const auto next = nearest_around(graph, graph.faces[best.second], point);
    if (!(next.first < best.first)) break;
    best = next;
  }
  for (std::uint32_t i = 0; best.first > enough && i < graph.faces.size(); ++i) {
    best = std::min(best, {distance_from(graph, i, point), i});  // slivers can hold a walk up
  }
  out = {graph.faces[best.second], 3};
  put_in_order(out);
  return out;
}

}  // namespace tocsin::scene
