#include "view/sight.h"

#include <cstddef>
#include <iterator>
#include <vector>

#include "core/vector/vec.h"
#include "scene/tree/topology.h"

namespace tocsin::view {
namespace {

using core::cross;
using core::dot;

struct Ray {
  Vec3 from;
  Vec3 along;
};

/// The part of a ray, clipped by [lo, hi] along one axis.
struct Part {
  double enter = 0.0;
  double leave = 1.0;
  void clip(double from, double along, double lo, double hi) {
    if (along == 0.0) {
      if (from < lo || from > hi) leave = -1.0;
      return;
    }
    const double first = (lo - from) / along;
    const double second = (hi - from) / along;
    enter = core::max_of(enter, core::min_of(first, second));
    leave = core::min_of(leave, core::max_of(first, second));
  }
};

/// Möller and Trumbore 1997; where along the ray, or none.
std::optional<double> meet(const Ray& ray, const Vec3& v0, const Vec3& v1, const Vec3& v2) {
  const Vec3 e1 = v1 - v0;
  const Vec3 e2 = v2 - v0;
  const Vec3 p = cross(ray.along, e2);
  const double det = dot(e1, p);
  if (det == 0.0) return std::nullopt;
  const Vec3 s = ray.from - v0;
  const double u = dot(s, p) / det;
  const Vec3 q = cross(s, e1);
  const double v = dot(ray.along, q) / det;
  const double t = dot(e2, q) / det;
  if (!(u >= 0.0 && v >= 0.0 && u + v <= 1.0 && t >= 0.0 && t <= 1.0)) return std::nullopt;
  return t;
}

void try_block(const scene::TriangleBlock& block, const Ray& ray, std::optional<Hit>& best) {
  for (int lane = 0; lane < scene::kBlockSize; ++lane) {
    if (block.triangle[lane] == scene::kNone) return;
    Vec3 v[3];
    for (int corner = 0; corner < 3; ++corner) {
      v[corner] = {block.v[corner][0][lane], block.v[corner][1][lane], block.v[corner][2][lane]};
    }
    const auto at = meet(ray, v[0], v[1], v[2]);
    if (at && (!best || *at < best->at)) best = Hit{block.triangle[lane], *at};
  }
}

}  // namespace

Sight::Sight(const Environment& room) : tree_(room) {}

std::optional<Hit> Sight::first_hit(const Vec3& from, const Vec3& to) const {
  std::optional<Hit> best;
  if (tree_.nodes().empty()) return best;
  const Ray ray{from, to - from};
  std::vector<std::uint32_t> open{0};
  while (!open.empty()) {
    const auto& node = tree_.nodes()[open.back()];
    open.pop_back();
    for (std::size_t i = 0; i < std::size(node.child) && node.child[i] != scene::kNone; ++i) {
      Part part;
      part.clip(ray.from.x, ray.along.x, node.lo[0][i], node.hi[0][i]);
      part.clip(ray.from.y, ray.along.y, node.lo[1][i], node.hi[1][i]);
      part.clip(ray.from.z, ray.along.z, node.lo[2][i], node.hi[2][i]);
      if (part.enter > part.leave || (best && part.enter > best->at)) continue;
      const std::uint32_t child = node.child[i];
      if ((child & scene::kLeafBit) == 0) {
        open.push_back(child);
      } else {
        try_block(tree_.blocks()[child & ~scene::kLeafBit], ray, best);
      }
    }
  }
  return best;
}

}  // namespace tocsin::view
