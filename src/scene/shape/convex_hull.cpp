#include "scene/shape/convex_hull.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <optional>
#include <utility>

#include "core/vector/vec.h"
#include "scene/shape/orientation.h"

namespace tocsin::scene {

namespace {

/// Of the size: points so near to a triangle are left out.
constexpr double kNear = 0x1p-43;
/// Of the size: what is thinner is flat.
constexpr double kFlat = 0x1p-42;
/// Of the size: smaller coordinates are 0, so that no product of three underflows. It moves points
/// by far less than rounding does.
constexpr double kLeastCoordinate = 0x1p-200;

struct Face {
  std::array<std::uint32_t, 3> corners{};
  std::array<std::uint32_t, 3> beside{};  ///< the face across corner i to corner i + 1
  std::vector<std::uint32_t> outside;     ///< points above it that no other face has
  bool gone = false;
  bool visible = false;  ///< from the point that is being added
};

/// An edge between a face that goes and one that stays, as the first has it.
struct HorizonEdge {
  std::uint32_t from = 0;
  std::uint32_t to = 0;
  std::uint32_t beyond = 0;  ///< the face that stays
};

/// Points scaled by a power of two to a magnitude of about 1.
struct Scaled {
  std::vector<Vec3> points;
  double size = 0.0;   ///< longest edge of the box around them
  double reach = 0.0;  ///< greatest coordinate
};

Scaled scaled(std::span<const Vec3> points) {
  Vec3 lo = points.front();
  Vec3 hi = lo;
  for (const Vec3& p : points) {
    lo = {std::min(lo.x, p.x), std::min(lo.y, p.y), std::min(lo.z, p.z)};
    hi = {std::max(hi.x, p.x), std::max(hi.y, p.y), std::max(hi.z, p.z)};
  }
  Scaled out;
  for (const double x : {lo.x, lo.y, lo.z, hi.x, hi.y, hi.z}) {
    out.reach = std::max(out.reach, std::fabs(x));
  }
  out.points.assign(points.begin(), points.end());
  if (out.reach == 0.0) return out;
  const int exponent = -std::ilogb(out.reach);
  const auto small = [&](double x) {
    const double y = std::ldexp(x, exponent);
    return std::fabs(y) < kLeastCoordinate ? 0.0 : y;
  };
  for (Vec3& p : out.points) p = {small(p.x), small(p.y), small(p.z)};
  out.size = std::ldexp(std::max({hi.x - lo.x, hi.y - lo.y, hi.z - lo.z}), exponent);
  out.reach = std::ldexp(out.reach, exponent);
  return out;
}

/// The index at which a value is greatest, the first of equals.
template <class Value>
std::uint32_t index_of_greatest(std::size_t count, const Value& value) {
  std::uint32_t best = 0;
  double most = value(0);
  for (std::uint32_t i = 1; i < count; ++i) {
    const double here = value(i);
    if (here <= most) continue;
    most = here;
    best = i;
  }
  return best;
}

class Quickhull {
 public:
  explicit Quickhull(Scaled input)
      : points_(std::move(input.points)),
        near_(kNear * input.size),
        flat_(std::max(kFlat * input.size, 0x1p-49 * input.reach)),
        face_at_(points_.size(), 0) {}

  Result<std::vector<TriangleIndices>> run() {
    if (const auto fault = begin(); !fault.empty()) return Error{ErrorCode::kInput, fault};
    while (!pending_.empty()) {
      const std::uint32_t face = pending_.back();
      pending_.pop_back();
      if (!faces_[face].gone && !faces_[face].outside.empty()) add_farthest(face);
    }
    std::vector<TriangleIndices> out;
    for (const Face& face : faces_) {
      if (!face.gone) out.push_back(face.corners);
    }
    return out;
  }

 private:
  [[nodiscard]] Vec3 normal(const Face& face) const {
    const Vec3& a = points_[face.corners[0]];
    return core::cross(points_[face.corners[1]] - a, points_[face.corners[2]] - a);
  }

  [[nodiscard]] bool above(const Face& face, std::uint32_t point) const {
    const auto& [a, b, c] = face.corners;
    return orientation(points_[a], points_[b], points_[c], points_[point]) > 0;
  }

  /// A tetrahedron of far points, and to each face what is above it. Empty, or why there is none.
  std::string begin() {
    const Vec3 first = points_.front();
    const std::uint32_t a = index_of_greatest(points_.size(), [&](std::uint32_t i) {
      return core::dot(points_[i] - first, points_[i] - first);
    });
    const Vec3 pa = points_[a];
    const std::uint32_t b = index_of_greatest(points_.size(), [&](std::uint32_t i) {
      return core::dot(points_[i] - pa, points_[i] - pa);
    });
    const double length = core::norm(points_[b] - pa);
    if (!(length > flat_)) return "all points are in one place";
    const Vec3 along = (1.0 / length) * (points_[b] - pa);
    const auto beside = [&](std::uint32_t i) {
      return core::norm(core::cross(along, points_[i] - pa));
    };
    const std::uint32_t c = index_of_greatest(points_.size(), beside);
    if (!(beside(c) > flat_)) return "all points are on one line";
    const Vec3 up = core::cross(points_[b] - pa, points_[c] - pa);
    const double area = core::norm(up);
    const auto off = [&](std::uint32_t i) {
      return std::fabs(core::dot(up, points_[i] - pa)) / area;
    };
    const std::uint32_t d = index_of_greatest(points_.size(), off);
    if (!(off(d) > flat_)) return "all points are in one plane";
    const int side = orientation(pa, points_[b], points_[c], points_[d]);
    if (side == 0) return "all points are in one plane";
    const auto [p, q] = side > 0 ? std::pair(c, b) : std::pair(b, c);  // d is below a, p, q
    faces_.resize(4);
    set(0, {a, p, q}, {1, 2, 3});
    set(1, {a, d, p}, {3, 2, 0});
    set(2, {p, d, q}, {1, 3, 0});
    set(3, {q, d, a}, {2, 1, 0});
    for (std::uint32_t i = 0; i < points_.size(); ++i) assign(i, 0);
    for (std::uint32_t i = 0; i < 4; ++i) pending_.push_back(i);
    return {};
  }

  void set(std::uint32_t face, const std::array<std::uint32_t, 3>& corners,
           const std::array<std::uint32_t, 3>& beside) {
    faces_[face].corners = corners;
    faces_[face].beside = beside;
  }

  /// How far a point is above a face's plane; less than 2^-50 of its distance times what the
  /// triangle is longer than high is rounding.
  [[nodiscard]] double height(const Face& face, std::uint32_t point) const {
    const Vec3 n = normal(face);
    return core::dot(n, points_[point] - points_[face.corners[0]]) / core::norm(n);
  }

  /// Gives a point to a face from `begin` on that it is above, if there is one: to one that it is
  /// clearly above rather than to one in whose plane it is but for rounding.
  void assign(std::uint32_t point, std::uint32_t begin) {
    std::optional<std::uint32_t> hardly;
    for (std::uint32_t i = begin; i < faces_.size(); ++i) {
      if ((hardly && !(height(faces_[i], point) > near_)) || !above(faces_[i], point)) continue;
      if (height(faces_[i], point) > near_) {
        faces_[i].outside.push_back(point);
        return;
      }
      hardly = i;
    }
    if (hardly) assign_beside(point, *hardly);
  }

  /// The point is in the plane of a face but for rounding. Walks to where it is in that plane: on a
  /// triangle it is left out, beyond the side it belongs to another side's face.
  void assign_beside(std::uint32_t point, std::uint32_t face) {
    constexpr int kMostSteps = 64;  // more: a corner in the middle of a side, which does no harm
    std::uint32_t here = face;
    for (int step = 0; step < kMostSteps; ++step) {
      const double up = height(faces_[here], point);
      if (up > near_ && above(faces_[here], point)) {
        faces_[here].outside.push_back(point);
        pending_.push_back(here);
        return;
      }
      if (!(std::fabs(up) <= near_)) break;
      const std::optional<std::size_t> edge = edge_before(faces_[here], point);
      if (!edge) {
        if (is_sure(faces_[here])) return;
        break;
      }
      here = faces_[here].beside[*edge];
    }
    faces_[face].outside.push_back(point);
    pending_.push_back(face);
  }

  /// An edge beyond which a point is, seen along the normal; none: it is on the triangle.
  [[nodiscard]] std::optional<std::size_t> edge_before(const Face& face,
                                                       std::uint32_t point) const {
    const Vec3 n = normal(face);
    for (std::size_t i = 0; i < 3; ++i) {
      const Vec3& begin = points_[face.corners[i]];
      const Vec3 edge = points_[face.corners[(i + 1) % 3]] - begin;
      if (!(core::dot(core::cross(n, edge), points_[point] - begin) >= 0.0)) return i;
    }
    return std::nullopt;
  }

  /// The height of a point over the triangle is right to near_: the triangle is no sliver.
  [[nodiscard]] bool is_sure(const Face& face) const {
    double longest = 0.0;
    for (std::size_t i = 0; i < 3; ++i) {
      const Vec3 edge = points_[face.corners[(i + 1) % 3]] - points_[face.corners[i]];
      longest = std::max(longest, core::norm(edge));
    }
    return 0x1p-50 * longest * longest * longest <= near_ * core::norm(normal(face));
  }

  void add_farthest(std::uint32_t face) {
    const Vec3 n = normal(faces_[face]);
    const std::vector<std::uint32_t>& outside = faces_[face].outside;
    const std::uint32_t point = outside[index_of_greatest(
        outside.size(), [&](std::uint32_t i) { return core::dot(n, points_[outside[i]]); })];
    find_visible(face, point);
    const auto first = static_cast<std::uint32_t>(faces_.size());
    for (const HorizonEdge& edge : horizon_) {
      const auto here = static_cast<std::uint32_t>(faces_.size());
      faces_.emplace_back();
      set(here, {edge.from, edge.to, point}, {edge.beyond, 0, 0});
      face_at_[edge.from] = here;
      Face& beyond = faces_[edge.beyond];
      for (std::size_t i = 0; i < 3; ++i) {
        if (beyond.corners[i] == edge.to && beyond.corners[(i + 1) % 3] == edge.from) {
          beyond.beside[i] = here;
        }
      }
    }
    for (std::uint32_t i = first; i < faces_.size(); ++i) {
      const std::uint32_t next = face_at_[faces_[i].corners[1]];
      faces_[i].beside[1] = next;
      faces_[next].beside[2] = i;
      pending_.push_back(i);
    }
    for (const std::uint32_t i : visible_) {
      const std::vector<std::uint32_t> left = std::exchange(faces_[i].outside, {});
      for (const std::uint32_t one : left) {
        if (one != point) assign(one, first);
      }
    }
  }

  /// The faces that a point is above, and the edges around them. They are one piece without holes:
  /// signs are exact.
  void find_visible(std::uint32_t face, std::uint32_t point) {
    visible_.assign(1, face);
    horizon_.clear();
    faces_[face].visible = true;
    for (std::size_t k = 0; k < visible_.size(); ++k) {
      for (const std::uint32_t next : faces_[visible_[k]].beside) {
        if (faces_[next].visible || !above(faces_[next], point)) continue;
        faces_[next].visible = true;
        visible_.push_back(next);
      }
    }
    for (const std::uint32_t i : visible_) {
      const Face& seen = faces_[i];
      for (std::size_t k = 0; k < 3; ++k) {
        if (faces_[seen.beside[k]].visible) continue;
        horizon_.push_back({seen.corners[k], seen.corners[(k + 1) % 3], seen.beside[k]});
      }
    }
    for (const std::uint32_t i : visible_) {
      faces_[i].visible = false;
      faces_[i].gone = true;
    }
  }

  std::vector<Vec3> points_;
  double near_;  ///< kNear and kFlat of the points' size
  double flat_;
  std::vector<Face> faces_;
  std::vector<std::uint32_t> pending_;  ///< faces that may have points outside
  std::vector<std::uint32_t> visible_;
  std::vector<HorizonEdge> horizon_;
  std::vector<std::uint32_t> face_at_;  ///< of a horizon's corner: the new face that begins there
};

}  // namespace

Result<std::vector<TriangleIndices>> convex_hull(std::span<const Vec3> points) {
  if (points.size() < 4) {
    return {ErrorCode::kInput,
            fmt::format("a convex hull needs four points that are not in one plane, has {}",
                        points.size())};
  }
  auto out = Quickhull(scaled(points)).run();
  if (out.ok()) return out;
  return {out.error().code,
          "a convex hull needs four points that are not in one plane: " + out.error().message};
}

}  // namespace tocsin::scene
