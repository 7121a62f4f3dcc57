// A tree of oriented boxes over the features of a shape, from the top down.
#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "scene/shape/shape_data.h"

namespace tocsin::scene {

namespace {

using core::OrientedBox;

/// Boxes are larger than their contents by this part of their reach: it pays for the rounding of
/// their axes and of projections on them, which is below 2^-49. More only makes boxes larger.
constexpr double kBoxRoom = 0x1p-44;

/// The sum over a symmetric matrix of second moments.
struct Moments {
  Vec3 sum;
  double xx = 0.0, yy = 0.0, zz = 0.0, xy = 0.0, xz = 0.0, yz = 0.0;
  double count = 0.0;

  void add(const Vec3& p) {
    sum = sum + p;
    xx += p.x * p.x;
    yy += p.y * p.y;
    zz += p.z * p.z;
    xy += p.x * p.y;
    xz += p.x * p.z;
    yz += p.y * p.z;
    count += 1.0;
  }
};

using Matrix = std::array<std::array<double, 3>, 3>;

Matrix covariance(const Moments& m) {
  const Vec3 c = (1.0 / m.count) * m.sum;
  const double xy = m.xy / m.count - c.x * c.y;
  const double xz = m.xz / m.count - c.x * c.z;
  const double yz = m.yz / m.count - c.y * c.z;
  return {{{m.xx / m.count - c.x * c.x, xy, xz},
           {xy, m.yy / m.count - c.y * c.y, yz},
           {xz, yz, m.zz / m.count - c.z * c.z}}};
}

/// Turns rows and columns p and q so that the entry between them vanishes (Jacobi's method).
void rotate_away(Matrix& m, std::array<Vec3, 3>& axes, std::size_t p, std::size_t q) {
  if (!(std::fabs(m[p][q]) > 0.0)) return;
  const double theta = (m[q][q] - m[p][p]) / (2.0 * m[p][q]);
  const double t = (theta < 0.0 ? -1.0 : 1.0) / (std::fabs(theta) + std::sqrt(theta * theta + 1.0));
  if (!std::isfinite(t)) return;
  const double c = 1.0 / std::sqrt(t * t + 1.0);
  const double s = t * c;
  for (std::size_t k = 0; k < 3; ++k) {
    const double mp = m[k][p];
    const double mq = m[k][q];
    m[k][p] = c * mp - s * mq;
    m[k][q] = s * mp + c * mq;
  }
  for (std::size_t k = 0; k < 3; ++k) {
    const double mp = m[p][k];
    const double mq = m[q][k];
    m[p][k] = c * mp - s * mq;
    m[q][k] = s * mp + c * mq;
  }
  const Vec3 ap = axes[p];
  const Vec3 aq = axes[q];
  axes[p] = c * ap - s * aq;
  axes[q] = s * ap + c * aq;
}

/// The directions in which the points spread. Any orthogonal ones would be right.
std::array<Vec3, 3> principal_axes(const Moments& moments) {
  std::array<Vec3, 3> axes{Vec3{1.0, 0.0, 0.0}, Vec3{0.0, 1.0, 0.0}, Vec3{0.0, 0.0, 1.0}};
  if (!(moments.count > 0.0)) return axes;
  Matrix m = covariance(moments);
  for (int sweep = 0; sweep < 8; ++sweep) {
    rotate_away(m, axes, 0, 1);
    rotate_away(m, axes, 0, 2);
    rotate_away(m, axes, 1, 2);
  }
  return axes;
}

/// Gram and Schmidt once more: Jacobi's rotations add up roundings. False if they are no axes.
bool make_orthogonal(std::array<Vec3, 3>& axes) {
  const double first = core::norm(axes[0]);
  if (!(first > 0.5 && first < 2.0)) return false;
  axes[0] = (1.0 / first) * axes[0];
  axes[1] = axes[1] - core::dot(axes[0], axes[1]) * axes[0];
  const double second = core::norm(axes[1]);
  if (!(second > 0.5 && second < 2.0)) return false;
  axes[1] = (1.0 / second) * axes[1];
  axes[2] = core::cross(axes[0], axes[1]);
  return true;
}

constexpr std::array<Vec3, 3> kFrameAxes{Vec3{1.0, 0.0, 0.0}, Vec3{0.0, 1.0, 0.0},
                                         Vec3{0.0, 0.0, 1.0}};

/// Least and greatest along some axes.
class Span {
 public:
  explicit Span(const std::array<Vec3, 3>& axes) : axes_(axes) {}
  void add(const Vec3& p) {
    for (std::size_t i = 0; i < 3; ++i) {
      const double at = core::dot(axes_[i], p);
      lo_[i] = std::min(lo_[i], at);
      hi_[i] = std::max(hi_[i], at);
    }
    reach_ = std::max(reach_, core::norm(p));
  }
  /// Half of the box's surface.
  [[nodiscard]] double size() const {
    const double x = hi_[0] - lo_[0];
    const double y = hi_[1] - lo_[1];
    const double z = hi_[2] - lo_[2];
    return x * y + y * z + z * x;
  }
  [[nodiscard]] OrientedBox box() const {
    OrientedBox out;
    const double room = kBoxRoom * reach_;
    double diagonal = 0.0;
    for (std::size_t i = 0; i < 3; ++i) {
      out.axis[i] = axes_[i];
      out.center = out.center + (0.5 * (lo_[i] + hi_[i])) * axes_[i];
      out.half[i] = 0.5 * (hi_[i] - lo_[i]) + room;
      diagonal += out.half[i] * out.half[i];
    }
    out.reach = (core::norm(out.center) + std::sqrt(diagonal)) * (1.0 + kBoxRoom);
    return out;
  }

 private:
  std::array<Vec3, 3> axes_;
  std::array<double, 3> lo_{HUGE_VAL, HUGE_VAL, HUGE_VAL};
  std::array<double, 3> hi_{-HUGE_VAL, -HUGE_VAL, -HUGE_VAL};
  double reach_ = 0.0;
};

/// for_each(visit): visits every point.
template <class ForEach>
OrientedBox box_of(const ForEach& for_each) {
  Moments moments;
  for_each([&](const Vec3& p) { moments.add(p); });
  std::array<Vec3, 3> axes = principal_axes(moments);
  Span plain(kFrameAxes);
  for_each([&](const Vec3& p) { plain.add(p); });
  if (!make_orthogonal(axes)) return plain.box();
  Span turned(axes);
  for_each([&](const Vec3& p) { turned.add(p); });
  return turned.size() < plain.size() ? turned.box() : plain.box();
}

/// A triangle's own box: along its longest edge and its normal. It is flat.
OrientedBox box_of_feature(std::span<const Vec3> corners, const TriangleIndices& feature) {
  const std::array<Vec3, 3> p{corners[feature[0]], corners[feature[1]], corners[feature[2]]};
  Vec3 edge = p[1] - p[0];
  for (const Vec3& e : {p[2] - p[1], p[0] - p[2]}) {
    if (core::norm(e) > core::norm(edge)) edge = e;
  }
  const Vec3 normal = core::cross(p[1] - p[0], p[2] - p[0]);
  const double length = core::norm(edge);
  const double area = core::norm(normal);
  std::array<Vec3, 3> axes = kFrameAxes;
  if (length > core::kLeastLength) {
    axes[0] = (1.0 / length) * edge;
    Vec3 second = area > 0x1p-40 * length * length ? core::cross((1.0 / area) * normal, axes[0])
                                                   : core::cross(axes[0], kFrameAxes[0]);
    if (!(core::norm(second) > 0.1)) second = core::cross(axes[0], kFrameAxes[1]);
    axes[1] = (1.0 / core::norm(second)) * second;
    axes[2] = core::cross(axes[0], axes[1]);
    if (!make_orthogonal(axes)) axes = kFrameAxes;
  }
  Span span(axes);
  for (const Vec3& corner : p) span.add(corner);
  return span.box();
}

class TreeBuilder {
 public:
  TreeBuilder(std::span<const Vec3> corners, std::span<const TriangleIndices> features)
      : corners_(corners), features_(features), order_(features.size()) {
    std::iota(order_.begin(), order_.end(), std::uint32_t{0});
    middles_.reserve(features.size());
    for (const TriangleIndices& f : features) {
      middles_.push_back((1.0 / 3.0) * (corners[f[0]] + corners[f[1]] + corners[f[2]]));
    }
    nodes_.reserve(2 * features.size());
  }

  std::vector<ShapeNode> build() {
    nodes_.emplace_back();
    struct Job {
      std::size_t node, begin, end;
    };
    std::vector<Job> jobs{{0, 0, features_.size()}};
    while (!jobs.empty()) {
      const Job job = jobs.back();
      jobs.pop_back();
      if (job.end - job.begin == 1) {
        nodes_[job.node] = leaf(order_[job.begin]);
        continue;
      }
      const OrientedBox box = box_of([&](const auto& visit) {
        for (std::size_t i = job.begin; i < job.end; ++i) {
          for (const std::uint32_t corner : features_[order_[i]]) visit(corners_[corner]);
        }
      });
      const std::size_t middle = split(box, job.begin, job.end);
      const std::size_t child = nodes_.size();
      nodes_[job.node] = {box, static_cast<std::int32_t>(child), 0};
      nodes_.resize(child + 2);
      jobs.push_back({child, job.begin, middle});
      jobs.push_back({child + 1, middle, job.end});
    }
    // Children stand behind their parents.
    for (std::size_t i = nodes_.size(); i-- > 0;) {
      ShapeNode& node = nodes_[i];
      if (node.child < 0) continue;
      const auto child = static_cast<std::size_t>(node.child);
      node.feature = std::min(nodes_[child].feature, nodes_[child + 1].feature);
    }
    return std::move(nodes_);
  }

 private:
  [[nodiscard]] ShapeNode leaf(std::uint32_t feature) const {
    return {box_of_feature(corners_, features_[feature]), -1, feature};
  }

  /// Halves them by their middles along the box's longest axis; equal ones by their index.
  std::size_t split(const OrientedBox& box, std::size_t begin, std::size_t end) {
    const auto longest = static_cast<std::size_t>(
        std::max_element(std::begin(box.half), std::end(box.half)) - std::begin(box.half));
    const Vec3 axis = box.axis[longest];
    const std::size_t middle = begin + (end - begin) / 2;
    const auto at = [&](std::size_t i) { return order_.begin() + static_cast<std::ptrdiff_t>(i); };
    std::nth_element(at(begin), at(middle), at(end), [&](std::uint32_t p, std::uint32_t q) {
      const double a = core::dot(axis, middles_[p]);
      const double b = core::dot(axis, middles_[q]);
      return a != b ? a < b : p < q;
    });
    return middle;
  }

  std::span<const Vec3> corners_;
  std::span<const TriangleIndices> features_;
  std::vector<std::uint32_t> order_;
  std::vector<Vec3> middles_;
  std::vector<ShapeNode> nodes_;
};

}  // namespace

core::OrientedBox box_around(std::span<const Vec3> corners) {
  if (corners.size() <= 3) {
    const auto last = static_cast<std::uint32_t>(corners.size() - 1);
    return box_of_feature(corners, {0, std::min(1U, last), last});
  }
  return box_of([&](const auto& visit) {
    for (const Vec3& corner : corners) visit(corner);
  });
}

std::vector<ShapeNode> shape_tree(std::span<const Vec3> corners,
                                  std::span<const TriangleIndices> features) {
  return TreeBuilder(corners, features).build();
}

}  // namespace tocsin::scene
