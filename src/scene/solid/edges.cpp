#include "scene/solid/edges.h"

#include <tbb/blocked_range.h>
#include <tbb/parallel_reduce.h>
#include <tbb/parallel_sort.h>

#include <algorithm>
#include <bit>
#include <functional>
#include <numeric>
#include <span>
#include <tuple>
#include <utility>

namespace tocsin::scene {
namespace {

std::span<const TriangleIndices> triangles_of(const Environment& environment,
                                              const Object& object) {
  return environment.triangles().subspan(object.first_triangle, object.triangle_count);
}

/// Numbers the distinct positions of an object's vertices.
class PositionNumbers {
 public:
  PositionNumbers(const Environment& environment, const Object& object) {
    const std::span<const TriangleIndices> triangles = triangles_of(environment, object);
    std::uint32_t last = 0;
    first_ = UINT32_MAX;
    for (const TriangleIndices& t : triangles) {
      first_ = std::min({first_, t[0], t[1], t[2]});
      last = std::max({last, t[0], t[1], t[2]});
    }
    if (triangles.empty()) return;
    std::vector<std::uint32_t> order(std::size_t{last} - first_ + 1);
    std::iota(order.begin(), order.end(), first_);
    const std::span<const Vec3f> v = environment.vertices();
    const auto less = [v](std::uint32_t p, std::uint32_t q) {
      return std::tie(v[p].x, v[p].y, v[p].z) < std::tie(v[q].x, v[q].y, v[q].z);
    };
    tbb::parallel_sort(order.begin(), order.end(), less);
    number_.resize(order.size());
    std::uint32_t number = 0;
    for (std::size_t i = 0; i < order.size(); ++i) {
      if (i > 0 && less(order[i - 1], order[i])) ++number;
      number_[order[i] - first_] = number;
    }
  }
  [[nodiscard]] std::uint32_t of(std::uint32_t vertex) const { return number_[vertex - first_]; }

 private:
  std::uint32_t first_ = 0;
  std::vector<std::uint32_t> number_;  ///< per vertex from the object's first on
};

/// One side of a triangle.
struct Side {
  std::uint64_t edge = 0;  ///< both positions' numbers, the lower one first
  std::uint32_t triangle = 0;
  bool forward = false;  ///< it runs from the lower number to the higher one
};

std::vector<Side> sides_of(const Environment& environment, const Object& object) {
  const PositionNumbers positions(environment, object);
  const std::span<const TriangleIndices> triangles = triangles_of(environment, object);
  std::vector<Side> out;
  out.reserve(3 * triangles.size());
  for (std::uint32_t i = 0; i < triangles.size(); ++i) {
    const TriangleIndices& t = triangles[i];
    const std::array<std::uint32_t, 3> p = {positions.of(t[0]), positions.of(t[1]),
                                            positions.of(t[2])};
    if (p[0] == p[1] || p[1] == p[2] || p[2] == p[0]) continue;
    for (std::size_t c = 0; c < 3; ++c) {
      const auto [low, high] = std::minmax({p[c], p[(c + 1) % 3]});
      out.push_back({std::uint64_t{low} << 32U | high, i, p[c] == low});
    }
  }
  tbb::parallel_sort(out.begin(), out.end(),
                     [](const Side& p, const Side& q) { return p.edge < q.edge; });
  return out;
}

/// Calls f with the sides of every edge.
template <class F>
void for_each_edge(std::span<const Side> sides, const F& f) {
  for (std::size_t first = 0; first < sides.size();) {
    std::size_t last = first;
    while (last < sides.size() && sides[last].edge == sides[first].edge) ++last;
    f(sides.subspan(first, last - first));
    first = last;
  }
}

/// The root of a triangle in a forest of union-find; paths are halved on the way.
std::uint32_t root_of(std::vector<std::uint32_t>& parent, std::uint32_t i) {
  while (parent[i] != i) i = parent[i] = parent[parent[i]];
  return i;
}

void find_shells(std::span<const Side> sides, std::uint32_t triangles,
                 std::vector<std::uint32_t>& shells) {
  shells.resize(triangles);
  std::iota(shells.begin(), shells.end(), 0U);
  for_each_edge(sides, [&](std::span<const Side> edge) {
    const std::uint32_t p = root_of(shells, edge.front().triangle);
    const std::uint32_t q = root_of(shells, edge.back().triangle);
    shells[std::max(p, q)] = std::min(p, q);
  });
  for (std::uint32_t i = 0; i < triangles; ++i) shells[i] = root_of(shells, i);
}

/// SplitMix64's finisher: every bit of the input moves about half of the output's.
std::uint64_t mixed(std::uint64_t x) {
  x = (x ^ (x >> 30U)) * 0xbf58476d1ce4e5b9U;
  x = (x ^ (x >> 27U)) * 0x94d049bb133111ebU;
  return x ^ (x >> 31U);
}

std::uint64_t hash_of(const Vec3f& v) {
  const auto bits = [](float x) { return std::uint64_t{std::bit_cast<std::uint32_t>(x + 0.0F)}; };
  return mixed(mixed(bits(v.x) << 32U | bits(v.y)) + 0x9e3779b97f4a7c15U + bits(v.z));
}

/// Adds up to zero over both directions of an edge.
std::uint64_t turn_of(std::uint64_t from, std::uint64_t to) {
  return mixed(from + 3 * to) - mixed(to + 3 * from);
}

}  // namespace

EdgeCounts count_edges(const Environment& environment, const Object& object,
                       std::vector<std::uint32_t>* shells) {
  const std::vector<Side> sides = sides_of(environment, object);
  EdgeCounts out;
  for_each_edge(sides, [&](std::span<const Side> edge) {
    ++out.edges;
    if (edge.size() == 1) ++out.boundary;
    if (edge.size() > 2) ++out.nonmanifold;
    if (edge.size() == 2 && edge[0].forward == edge[1].forward) ++out.twisted;
  });
  if (shells != nullptr && out.closed()) find_shells(sides, object.triangle_count, *shells);
  return out;
}

bool may_be_closed(const Environment& environment, const Object& object) {
  const std::span<const Vec3f> v = environment.vertices();
  const std::span<const TriangleIndices> triangles = triangles_of(environment, object);
  // Sums of integers wrap, so their order does not matter.
  const std::uint64_t sum = tbb::parallel_reduce(
      tbb::blocked_range<std::size_t>(0, triangles.size(), 4096), std::uint64_t{0},
      [&](const auto& range, std::uint64_t part) {
        for (std::size_t i = range.begin(); i < range.end(); ++i) {
          const TriangleIndices& t = triangles[i];
          const std::array<std::uint64_t, 3> h = {hash_of(v[t[0]]), hash_of(v[t[1]]),
                                                  hash_of(v[t[2]])};
          part += turn_of(h[0], h[1]) + turn_of(h[1], h[2]) + turn_of(h[2], h[0]);
        }
        return part;
      },
      std::plus<>());
  return sum == 0 && !triangles.empty();
}

}  // namespace tocsin::scene
