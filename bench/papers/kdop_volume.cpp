#include "papers/kdop_volume.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

#include "core/vector/vec.h"

namespace tocsin::papers {
namespace {

using core::Kdop;
using core::KdopDirection;
using core::kKdopDirections;

/// Corners of a face. Four to begin with, and each of 24 half-planes adds at most one: the rest is
/// for slivers, which rounding bends so that a line cuts them more than twice.
constexpr std::size_t kMostCorners = 48;

/// A convex polygon in a plane, in two coordinates.
class Polygon {
 public:
  Polygon(double x_low, double x_high, double y_low, double y_high) {
    add(x_low, y_low, 0.0);
    add(x_high, y_low, 0.0);
    add(x_high, y_high, 0.0);
    add(x_low, y_high, 0.0);
  }
  Polygon(const Polygon&) = delete;
  Polygon& operator=(const Polygon&) = delete;

  [[nodiscard]] bool empty() const { return size_ == 0; }

  /// Keeps what lies in low <= a x + b y <= high.
  void clip_slab(double a, double b, double low, double high) {
    double least = HUGE_VAL;
    double greatest = -HUGE_VAL;
    for (std::size_t i = 0; i < size_; ++i) {
      const double along = a * corner_[i].x + b * corner_[i].y;
      corner_[i].along = along;
      least = core::min_of(least, along);
      greatest = core::max_of(greatest, along);
    }
    if (least > high || greatest < low) {
      size_ = 0;
      return;
    }
    if (least < low) clip([low](double along) { return along - low; });
    if (greatest > high) clip([high](double along) { return high - along; });
  }

  [[nodiscard]] double area() const {
    double twice = 0.0;
    const Corner& o = corner_[0];
    for (std::size_t i = 2; i < size_; ++i) {
      const Corner& p = corner_[i - 1];
      const Corner& q = corner_[i];
      twice += (p.x - o.x) * (q.y - o.y) - (q.x - o.x) * (p.y - o.y);
    }
    return 0.5 * std::fabs(twice);
  }

 private:
  struct Corner {
    double x, y;
    double along;  ///< of the slab that is clipped with
  };

  /// Sutherland and Hodgman: keeps what lies where depth(along) >= 0.
  template <class Depth>
  void clip(const Depth& depth) {
    const Corner* const whole = corner_;
    const std::size_t size = size_;
    corner_ = corner_ == store_[0].data() ? store_[1].data() : store_[0].data();
    size_ = 0;
    const Corner* from = whole + (size - 1);
    double from_depth = depth(from->along);
    for (const Corner* to = whole; to != whole + size; ++to) {
      const double to_depth = depth(to->along);
      if ((from_depth < 0.0) != (to_depth < 0.0)) {
        const double t = from_depth / (from_depth - to_depth);
        add(from->x + t * (to->x - from->x), from->y + t * (to->y - from->y),
            from->along + t * (to->along - from->along));
      }
      if (!(to_depth < 0.0)) add(to->x, to->y, to->along);
      from = to;
      from_depth = to_depth;
    }
  }
  void add(double x, double y, double along) {
    if (size_ < kMostCorners) corner_[size_++] = {x, y, along};
  }

  std::size_t size_ = 0;
  std::array<std::array<Corner, kMostCorners>, 2> store_;
  Corner* corner_ = store_[0].data();
};

/// Coordinates of a direction in the order in which a face is described: `solved` is the axis whose
/// coordinate follows from the other two, and is 1 for the face's own direction.
struct Turned {
  double solved, x, y;
};

Turned turned(const KdopDirection& d, int axis) {
  const std::array<int, 3> c{d.x, d.y, d.z};
  const auto at = [&](int i) { return static_cast<double>(c[static_cast<std::size_t>(i % 3)]); };
  return {at(axis), at(axis + 1), at(axis + 2)};
}

/// Intervals relative to the box's lowest corner, so that a k-DOP far from the origin keeps its
/// digits.
template <int K>
struct Slabs {
  std::array<double, K / 2> low;
  std::array<double, K / 2> high;
};

template <int K>
Slabs<K> slabs_of(const Kdop<K>& kdop) {
  Slabs<K> out;
  for (std::size_t i = 0; i < K / 2; ++i) {
    const KdopDirection d = kKdopDirections<K>[i];
    const double corner = d.x * static_cast<double>(kdop.lo[0]) +
                          d.y * static_cast<double>(kdop.lo[1]) +
                          d.z * static_cast<double>(kdop.lo[2]);
    out.low[i] = static_cast<double>(kdop.lo[i]) - corner;
    out.high[i] = static_cast<double>(kdop.hi[i]) - corner;
  }
  return out;
}

/// The area of the face in the plane D_i.p = at, as its shadow along the axis that is solved for:
/// the area itself divided by |D_i|.
template <int K>
double face_shadow(const Slabs<K>& slabs, std::size_t i, double at) {
  const KdopDirection d = kKdopDirections<K>[i];
  const int axis = d.x != 0 ? 0 : d.y != 0 ? 1 : 2;
  const Turned own = turned(d, axis);
  const auto x = static_cast<std::size_t>((axis + 1) % 3);
  const auto y = static_cast<std::size_t>((axis + 2) % 3);
  Polygon face(slabs.low[x], slabs.high[x], slabs.low[y], slabs.high[y]);
  for (std::size_t j = 0; j < K / 2 && !face.empty(); ++j) {
    if (j == i || j == x || j == y) continue;
    // In the plane: the solved coordinate is at - own.x x - own.y y.
    const Turned other = turned(kKdopDirections<K>[j], axis);
    const double shift = other.solved * at;
    face.clip_slab(other.x - other.solved * own.x, other.y - other.solved * own.y,
                   slabs.low[j] - shift, slabs.high[j] - shift);
  }
  return face.area();
}

}  // namespace

template <int K>
KdopMeasure measure(const Kdop<K>& kdop) {
  bool flat = false;
  for (std::size_t i = 0; i < K / 2; ++i) {
    if (!(kdop.lo[i] <= kdop.hi[i])) return {};
    flat = flat || kdop.lo[i] == kdop.hi[i];
  }
  // Pyramids with a common tip, the box's lowest corner, over every face. Height times area is
  // (D.p / |D|) (shadow |D|).
  const Slabs<K> slabs = slabs_of(kdop);
  double thrice = 0.0;
  double surface = 0.0;
  for (std::size_t i = 0; i < K / 2; ++i) {
    const KdopDirection d = kKdopDirections<K>[i];
    const double length = std::sqrt(static_cast<double>(d.x * d.x + d.y * d.y + d.z * d.z));
    const double below = face_shadow(slabs, i, slabs.low[i]);
    const double above = face_shadow(slabs, i, slabs.high[i]);
    thrice += slabs.high[i] * above - slabs.low[i] * below;
    surface += length * (above + below);
  }
  return {flat ? 0.0 : std::max(0.0, thrice / 3.0), surface};
}

template KdopMeasure measure<6>(const Kdop<6>&);
template KdopMeasure measure<14>(const Kdop<14>&);
template KdopMeasure measure<18>(const Kdop<18>&);
template KdopMeasure measure<26>(const Kdop<26>&);

}  // namespace tocsin::papers
