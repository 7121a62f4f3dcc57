#include "scene/room/mesh_statistics.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <tuple>
#include <utility>

namespace tocsin::scene {
namespace {

/// Two doubles whose exact sum is meant; `low` is at most half an ulp of `high`.
struct Pair {
  double high = 0.0;
  double low = 0.0;
};

/// a + b without error (Knuth's two-sum).
Pair exact_sum(double a, double b) {
  const double sum = a + b;
  const double b_part = sum - a;
  const double a_part = sum - b_part;
  return {sum, (a - a_part) + (b - b_part)};
}

/// a * b without error. fma is correctly rounded everywhere, so this is not a question of
/// contraction.
Pair exact_product(double a, double b) {
  const double product = a * b;
  return {product, std::fma(a, b, -product)};
}

/// A sum of doubles, kept without error as parts that do not overlap (Shewchuk's grow-expansion).
class Expansion {
 public:
  void add(double value) {
    for (std::size_t i = 0; i < size_; ++i) {
      const Pair sum = exact_sum(value, parts_[i]);
      parts_[i] = sum.low;
      value = sum.high;
    }
    parts_[size_++] = value;
  }
  void add(const Pair& value) {
    add(value.low);
    add(value.high);
  }
  /// Parts that do not overlap cancel only if each is zero.
  [[nodiscard]] bool is_zero() const {
    return std::all_of(parts_.begin(), parts_.begin() + static_cast<std::ptrdiff_t>(size_),
                       [](double part) { return part == 0.0; });
  }

 private:
  std::array<double, 16> parts_{};
  std::size_t size_ = 0;
};

/// a * b + sign * c * d for differences of floats: no product comes near the end of a double's
/// range (2^-149 squared), so each step is exact.
bool determinant_is_zero(const Pair& a, const Pair& b, const Pair& c, const Pair& d) {
  const double first = a.high * b.high;
  const double second = c.high * d.high;
  // Each factor and each operation is off by at most one part in 2^53: eight of these in all.
  const double error = 0x1p-49 * (std::fabs(first) + std::fabs(second));
  if (std::fabs(first - second) > error) return false;
  Expansion sum;
  for (const double x : {a.high, a.low}) {
    for (const double y : {b.high, b.low}) sum.add(exact_product(x, y));
  }
  for (const double x : {c.high, c.low}) {
    for (const double y : {d.high, d.low}) sum.add(exact_product(-x, y));
  }
  return sum.is_zero();
}

std::array<Pair, 3> exact_difference(const Vec3f& a, const Vec3f& b) {
  return {exact_sum(a.x, -static_cast<double>(b.x)), exact_sum(a.y, -static_cast<double>(b.y)),
          exact_sum(a.z, -static_cast<double>(b.z))};
}

auto key_of(const Vec3f& v) { return std::tie(v.x, v.y, v.z); }

/// Numbers the distinct positions of an object's corners; -0 and 0 are one position.
class Positions {
 public:
  Positions(const Environment& environment, const Object& object) {
    sorted_.reserve(std::size_t{3} * object.triangle_count);
    for (std::uint32_t i = 0; i < object.triangle_count; ++i) {
      for (const Vec3f& v : environment.corners(object.first_triangle + i)) sorted_.push_back(v);
    }
    std::sort(sorted_.begin(), sorted_.end(), less);
    sorted_.erase(std::unique(sorted_.begin(), sorted_.end()), sorted_.end());
  }
  [[nodiscard]] std::uint32_t index(const Vec3f& v) const {
    return static_cast<std::uint32_t>(std::lower_bound(sorted_.begin(), sorted_.end(), v, less) -
                                      sorted_.begin());
  }

 private:
  static bool less(const Vec3f& a, const Vec3f& b) { return key_of(a) < key_of(b); }
  std::vector<Vec3f> sorted_;
};

void count_edges(const Environment& environment, const Object& object, MeshStatistics& out) {
  const Positions positions(environment, object);
  using Edge = std::pair<std::uint32_t, std::uint32_t>;
  std::vector<Edge> edges;
  edges.reserve(std::size_t{3} * object.triangle_count);
  for (std::uint32_t i = 0; i < object.triangle_count; ++i) {
    const std::array<Vec3f, 3> corners = environment.corners(object.first_triangle + i);
    std::array<std::uint32_t, 3> p{};
    for (std::size_t c = 0; c < 3; ++c) p[c] = positions.index(corners[c]);
    if (p[0] == p[1] || p[1] == p[2] || p[2] == p[0]) continue;
    for (std::size_t c = 0; c < 3; ++c) edges.push_back(std::minmax({p[c], p[(c + 1) % 3]}));
  }
  std::sort(edges.begin(), edges.end());
  for (auto first = edges.begin(); first != edges.end();) {
    const auto last = std::find_if(first, edges.end(), [&](const Edge& e) { return e != *first; });
    ++out.edges;
    if (last - first == 1) ++out.boundary_edges;
    if (last - first > 2) ++out.nonmanifold_edges;
    first = last;
  }
}

std::uint64_t count_vertices(const Environment& environment, const Object& object) {
  const auto triangles =
      environment.triangles().subspan(object.first_triangle, object.triangle_count);
  std::vector<std::uint32_t> used;
  used.reserve(triangles.size() * 3);
  for (const TriangleIndices& t : triangles) used.insert(used.end(), t.begin(), t.end());
  std::sort(used.begin(), used.end());
  return static_cast<std::uint64_t>(std::unique(used.begin(), used.end()) - used.begin());
}

MeshStatistics statistics_of(const Environment& environment, const Object& object) {
  MeshStatistics out;
  out.triangles = object.triangle_count;
  out.vertices = count_vertices(environment, object);
  for (std::uint32_t i = 0; i < object.triangle_count; ++i) {
    const std::array<Vec3f, 3> corners = environment.corners(object.first_triangle + i);
    if (has_zero_area(corners)) ++out.degenerate;
    if (i == 0) out.bounds = {corners[0], corners[0]};
    for (const Vec3f& v : corners) {
      auto& [low, high] = out.bounds;
      low = {std::min(low.x, v.x), std::min(low.y, v.y), std::min(low.z, v.z)};
      high = {std::max(high.x, v.x), std::max(high.y, v.y), std::max(high.z, v.z)};
    }
  }
  count_edges(environment, object, out);
  return out;
}

}  // namespace

bool has_zero_area(const std::array<Vec3f, 3>& corners) {
  const std::array<Pair, 3> e = exact_difference(corners[1], corners[0]);
  const std::array<Pair, 3> f = exact_difference(corners[2], corners[0]);
  return determinant_is_zero(e[0], f[1], e[1], f[0]) &&
         determinant_is_zero(e[1], f[2], e[2], f[1]) && determinant_is_zero(e[2], f[0], e[0], f[2]);
}

EnvironmentStatistics mesh_statistics(const Environment& environment) {
  EnvironmentStatistics out;
  out.total.bounds = environment.bounds();
  for (const Object& object : environment.objects()) {
    const MeshStatistics one = statistics_of(environment, object);
    out.total.vertices += one.vertices;
    out.total.triangles += one.triangles;
    out.total.degenerate += one.degenerate;
    out.total.edges += one.edges;
    out.total.boundary_edges += one.boundary_edges;
    out.total.nonmanifold_edges += one.nonmanifold_edges;
    out.objects.push_back(one);
  }
  return out;
}

}  // namespace tocsin::scene
