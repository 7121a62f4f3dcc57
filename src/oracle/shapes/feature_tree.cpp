#include "oracle/shapes/feature_tree.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace tocsin::oracle {
namespace {

// Room for the rounding of a sphere's radius, relative to its coordinates: 2^10 times its need.
// Larger: a few more features need a proof.
constexpr Real kSphereRoom = 0x1p-50L;

std::vector<RealVec> corners_of(const Shape& shape) {
  std::vector<RealVec> out;
  out.reserve(shape.corners().size());
  for (const Vec3& corner : shape.corners()) out.push_back(widen<Real>(corner));
  return out;
}

Real along(const RealVec& v, int axis) { return axis == 0 ? v.x : axis == 1 ? v.y : v.z; }

// Least and greatest coordinates.
struct Extent {
  RealVec low;
  RealVec high;

  explicit Extent(const RealVec& p) : low(p), high(p) {}
  void add(const RealVec& p) {
    low = {std::min(low.x, p.x), std::min(low.y, p.y), std::min(low.z, p.z)};
    high = {std::max(high.x, p.x), std::max(high.y, p.y), std::max(high.z, p.z)};
  }
  [[nodiscard]] int longest() const {
    const RealVec d = high - low;
    return d.x >= d.y && d.x >= d.z ? 0 : d.y >= d.z ? 1 : 2;
  }
};

}  // namespace

FeatureTree::FeatureTree(std::vector<RealVec> corners, std::vector<TriangleIndices> features)
    : corners_(std::move(corners)), features_(std::move(features)) {
  build();
}

FeatureTree::FeatureTree(const Shape& shape)
    : FeatureTree(corners_of(shape), {shape.features().begin(), shape.features().end()}) {}

Corners FeatureTree::feature(std::size_t i) const {
  const TriangleIndices& f = features_[i];
  Corners out;
  for (std::size_t k = 0; k < 3; ++k) {
    const auto* const end = f.begin() + k;
    if (std::find(f.begin(), end, f[k]) != end) continue;
    out.at[out.count++] = corners_[f[k]];
  }
  return out;
}

SphereNode FeatureTree::sphere_around(std::span<const std::uint32_t> features) const {
  Extent extent(corners_[features_[features.front()][0]]);
  for (const std::uint32_t i : features) {
    for (const std::uint32_t corner : features_[i]) extent.add(corners_[corner]);
  }
  SphereNode out;
  out.centre = 0.5L * (extent.low + extent.high);
  out.arm = length(out.centre);
  Real farthest = 0.0L;
  for (const std::uint32_t i : features) {
    for (const std::uint32_t corner : features_[i]) {
      const RealVec off = corners_[corner] - out.centre;
      farthest = std::max(farthest, inner(off, off));
    }
  }
  const Real radius = std::sqrt(farthest);
  out.radius = radius + kSphereRoom * (radius + out.arm);
  return out;
}

// Halves the features of every node in the middle of its longest side.
void FeatureTree::build() {
  for (const RealVec& corner : corners_) reach_ = std::max(reach_, length(corner));
  std::vector<std::uint32_t> order(features_.size());
  std::iota(order.begin(), order.end(), std::uint32_t{0});
  std::vector<RealVec> middles;
  middles.reserve(features_.size());
  for (const auto& [i, j, k] : features_) {
    middles.push_back((1.0L / 3.0L) * (corners_[i] + corners_[j] + corners_[k]));
  }
  struct Job {
    std::size_t node;
    std::size_t begin;
    std::size_t end;
  };
  nodes_.emplace_back();
  std::vector<Job> jobs = {{0, 0, order.size()}};
  while (!jobs.empty()) {
    const Job job = jobs.back();
    jobs.pop_back();
    const std::span<std::uint32_t> own(order.data() + job.begin, job.end - job.begin);
    nodes_[job.node] = sphere_around(own);
    reach_ = std::max(reach_, nodes_[job.node].arm);
    if (own.size() == 1) {
      nodes_[job.node].feature = own.front();
      continue;
    }
    Extent extent(middles[own.front()]);
    for (const std::uint32_t i : own) extent.add(middles[i]);
    const int axis = extent.longest();
    const std::size_t half = own.size() / 2;
    std::nth_element(own.begin(), own.begin() + static_cast<std::ptrdiff_t>(half), own.end(),
                     [&](std::uint32_t p, std::uint32_t q) {
                       return along(middles[p], axis) < along(middles[q], axis);
                     });
    const std::size_t child = nodes_.size();
    nodes_[job.node].child = static_cast<std::int32_t>(child);
    nodes_.resize(child + 2);
    jobs.push_back({child, job.begin, job.begin + half});
    jobs.push_back({child + 1, job.begin + half, job.end});
  }
}

const std::vector<std::vector<std::uint32_t>>& FeatureTree::components() const {
  std::call_once(components_->once, [this] { components_->all = find_components(); });
  return components_->all;
}

std::vector<std::vector<std::uint32_t>> FeatureTree::find_components() const {
  std::vector<std::vector<std::uint32_t>> of_corner(corners_.size());
  for (std::uint32_t i = 0; i < features_.size(); ++i) {
    for (const std::uint32_t corner : features_[i]) of_corner[corner].push_back(i);
  }
  std::vector<bool> seen(features_.size(), false);
  std::vector<std::vector<std::uint32_t>> out;
  for (std::uint32_t first = 0; first < features_.size(); ++first) {
    if (seen[first]) continue;
    seen[first] = true;
    std::vector<std::uint32_t> own = {first};
    for (std::size_t next = 0; next < own.size(); ++next) {
      for (const std::uint32_t corner : features_[own[next]]) {
        for (const std::uint32_t mate : of_corner[corner]) {
          if (seen[mate]) continue;
          seen[mate] = true;
          own.push_back(mate);
        }
      }
    }
    std::sort(own.begin(), own.end());
    out.push_back(std::move(own));
  }
  return out;
}

}  // namespace tocsin::oracle
