#include "io/vrml/vrml_polygon.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/vector/vec.h"

namespace tocsin::io {
namespace {

struct Point2 {
  double x = 0.0;
  double y = 0.0;
  friend bool operator==(const Point2&, const Point2&) = default;
};

/// Twice the signed area of a triangle.
double area(const Point2& a, const Point2& b, const Point2& c) {
  return (b.x - a.x) * (c.y - a.y) - (c.x - a.x) * (b.y - a.y);
}

/// The polygon in the coordinate plane in which it is largest, turned so that it runs
/// counterclockwise.
std::vector<Point2> flattened(std::span<const Vec3> points,
                              std::span<const std::uint32_t> corners) {
  Vec3 normal;  // Newell's: robust where corners lie on a line
  const Vec3 origin = points[corners[0]];
  for (std::size_t i = 0; i < corners.size(); ++i) {
    const Vec3 a = points[corners[i]] - origin;
    const Vec3 b = points[corners[(i + 1) % corners.size()]] - origin;
    normal = normal + core::cross(a, b);
  }
  const double x = std::fabs(normal.x);
  const double y = std::fabs(normal.y);
  const double z = std::fabs(normal.z);
  std::vector<Point2> flat;
  flat.reserve(corners.size());
  for (const std::uint32_t corner : corners) {
    const Vec3& p = points[corner];
    const bool along_x = x >= y && x >= z;
    const bool along_y = !along_x && y >= z;
    Point2 q = along_x ? Point2{p.y, p.z} : along_y ? Point2{p.z, p.x} : Point2{p.x, p.y};
    if ((along_x ? normal.x : along_y ? normal.y : normal.z) < 0.0) q.x = -q.x;
    flat.push_back(q);
  }
  return flat;
}

/// No corner turns right, and the whole turns once: twice round, the outline would go left and
/// right again more than once each.
bool is_convex(std::vector<Point2> p) {
  // A corner that is repeated would hide that the outline turns there.
  p.erase(std::unique(p.begin(), p.end()), p.end());
  const std::size_t n = p.size();
  int turns = 0;  // how often the outline's x changes direction
  double last = 0.0;
  double first = 0.0;
  for (std::size_t i = 0; i < n; ++i) {
    const Point2& a = p[i];
    const Point2& b = p[(i + 1) % n];
    if (area(a, b, p[(i + 2) % n]) < 0.0) return false;
    const double dx = b.x - a.x;
    if (dx == 0.0) continue;
    if (first == 0.0) first = dx;
    if (last != 0.0 && (last < 0.0) != (dx < 0.0)) ++turns;
    last = dx;
  }
  if (first != 0.0 && (last < 0.0) != (first < 0.0)) ++turns;
  return turns <= 2;
}

class EarClipper {
 public:
  explicit EarClipper(std::vector<Point2> points) : p_(std::move(points)), corners_(p_.size()) {
    const std::size_t n = p_.size();
    for (std::size_t i = 0; i < n; ++i) {
      corners_[i].before = (i + n - 1) % n;
      corners_[i].after = (i + 1) % n;
    }
    for (std::size_t i = 0; i < n; ++i) update_turn(i);
    for (std::size_t i = 0; i < n; ++i) corners_[i].ear = is_ear(i);
  }

  /// Calls `emit` with the corners of each triangle, from 0. False if it had to cut across.
  template <class Emit>
  bool clip(const Emit& emit) {
    bool clean = true;
    std::size_t left = p_.size();
    std::size_t at = 0;
    while (left > 3) {
      const std::size_t ear = next_ear(at, left);
      const bool found = ear != kNone;
      clean = clean && found;
      const std::size_t i = found ? ear : at;
      const Corner corner = corners_[i];
      emit(corner.before, i, corner.after);
      corners_[corner.before].after = corner.after;
      corners_[corner.after].before = corner.before;
      --left;
      update_turn(corner.before);
      update_turn(corner.after);
      corners_[corner.before].ear = is_ear(corner.before);
      corners_[corner.after].ear = is_ear(corner.after);
      // Going on behind the ear instead of beside it makes fewer slivers.
      at = corners_[corner.after].after;
    }
    emit(corners_[at].before, at, corners_[at].after);
    return clean && corners_[at].turn >= 0.0;
  }

 private:
  static constexpr std::size_t kNone = ~std::size_t{0};

  struct Corner {
    std::size_t before = 0;
    std::size_t after = 0;
    double turn = 0.0;  ///< twice the area of the triangle with its neighbours; < 0: reflex
    bool ear = false;
  };

  void update_turn(std::size_t i) {
    corners_[i].turn = area(p_[corners_[i].before], p_[i], p_[corners_[i].after]);
  }

  [[nodiscard]] std::size_t next_ear(std::size_t at, std::size_t left) const {
    for (std::size_t k = 0; k < left; ++k, at = corners_[at].after) {
      if (corners_[at].ear) return at;
    }
    return kNone;
  }

  /// A corner on a straight line always is one; a convex corner is one if no corner that is not
  /// convex lies in its triangle, rim included. Corners at the same place as one of the triangle's
  /// are the other side of a bridge: they do not count unless the outline enters the triangle
  /// there.
  [[nodiscard]] bool is_ear(std::size_t i) const {
    const Corner& corner = corners_[i];
    if (corner.turn < 0.0) return false;
    const Point2& a = p_[corner.before];
    const Point2& b = p_[i];
    const Point2& c = p_[corner.after];
    if (corner.turn == 0.0) return !is_spike(a, b, c) || a == c || a == b || b == c;
    for (std::size_t k = corners_[corner.after].after; k != corner.before; k = corners_[k].after) {
      if (corners_[k].turn > 0.0) continue;
      const Point2& q = p_[k];
      if (area(a, b, q) < 0.0 || area(b, c, q) < 0.0 || area(c, a, q) < 0.0) continue;
      if (q == a || q == b || q == c) {
        if (!enters(k, a, b, c)) continue;
      }
      return false;
    }
    return true;
  }

  /// b lies on the line through a and c, but not between them.
  static bool is_spike(const Point2& a, const Point2& b, const Point2& c) {
    return (b.x - a.x) * (c.x - b.x) + (b.y - a.y) * (c.y - b.y) < 0.0;
  }

  /// Does one of the edges at k, which lies at a corner of the triangle, run into its inside?
  [[nodiscard]] bool enters(std::size_t k, const Point2& a, const Point2& b,
                            const Point2& c) const {
    const Point2& q = p_[k];
    // The triangle's corner at q, between its neighbours in order.
    const Point2& from = q == a ? c : q == b ? a : b;
    const Point2& to = q == a ? b : q == b ? c : a;
    const auto inside = [&](const Point2& r) {
      return area(from, q, r) > 0.0 && area(q, to, r) > 0.0;
    };
    return inside(p_[corners_[k].before]) || inside(p_[corners_[k].after]);
  }

  std::vector<Point2> p_;
  std::vector<Corner> corners_;
};

}  // namespace

bool cut_polygon(std::span<const Vec3> points, std::span<const std::uint32_t> corners,
                 std::vector<TriangleIndices>& out) {
  std::vector<Point2> flat = flattened(points, corners);
  if (corners.size() == 3 || is_convex(flat)) {
    for (std::size_t i = 2; i < corners.size(); ++i) {
      out.push_back({corners[0], corners[i - 1], corners[i]});
    }
    return true;
  }
  return EarClipper(std::move(flat)).clip([&](std::size_t a, std::size_t b, std::size_t c) {
    out.push_back({corners[a], corners[b], corners[c]});
  });
}

}  // namespace tocsin::io
