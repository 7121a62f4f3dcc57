// FROZEN: see reference_step.h.
#include "step/reference_step.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace tocsin::bench::reference {

namespace {

Vec operator+(const Vec& a, const Vec& b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
Vec operator-(const Vec& a, const Vec& b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
Vec operator*(double s, const Vec& a) { return {s * a.x, s * a.y, s * a.z}; }
double dot(const Vec& a, const Vec& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
Vec cross(const Vec& a, const Vec& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
double norm(const Vec& a) { return std::sqrt(dot(a, a)); }
Vec least(const Vec& a, const Vec& b) {
  return {std::min(a.x, b.x), std::min(a.y, b.y), std::min(a.z, b.z)};
}
Vec greatest(const Vec& a, const Vec& b) {
  return {std::max(a.x, b.x), std::max(a.y, b.y), std::max(a.z, b.z)};
}

Vec rotate(const std::array<double, 4>& q, const Vec& p) {
  const Vec u{q[1], q[2], q[3]};
  const Vec c = cross(u, p);
  return p + 2.0 * (q[0] * c + cross(u, c));
}

/// How one joint moves: docs/exact.md, "Motion".
struct Moving {
  Pose start;
  Vec s;
  Vec u{1.0, 0.0, 0.0};
  double w = 0.0;
  Vec v;
  double h = 0.0;
};

Moving moving(const Pose& p0, const Pose& p1) {
  Moving m;
  m.start = p0;
  m.s = p1.t - p0.t;
  const auto& a = p1.q;
  const auto& b = p0.q;
  double w = a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
  Vec axis{-a[0] * b[1] + a[1] * b[0] - a[2] * b[3] + a[3] * b[2],
           -a[0] * b[2] + a[1] * b[3] + a[2] * b[0] - a[3] * b[1],
           -a[0] * b[3] - a[1] * b[2] + a[2] * b[1] + a[3] * b[0]};
  if (w < 0.0) {
    w = -w;
    axis = -1.0 * axis;
  }
  const double n = norm(axis);
  if (n > 0.0) {
    m.u = (1.0 / n) * axis;
    m.w = 2.0 * std::atan2(n, w);
  }
  m.h = dot(m.s, m.u);
  const Vec across = m.s - m.h * m.u;
  const double half = 0.5 * m.w;
  m.v = (m.w > 0.0 ? half / std::tan(half) : 1.0) * across - half * cross(m.u, across);
  return m;
}

/// A link's axis and its velocity.
struct Axis {
  Vec a;
  Vec b;
  Vec va;
  Vec vb;
};

/// Joints from the link's up to the root.
using Chain = std::vector<const Moving*>;

void carry(const Moving& m, double t, Vec& p, Vec& v) {
  const double sin = std::sin(m.w * t);
  const double cos = std::cos(m.w * t);
  const auto turned = [&](const Vec& y) {
    const Vec c = cross(m.u, y);
    return y + sin * c + (1.0 - cos) * cross(m.u, c);
  };
  const Vec y = turned(rotate(m.start.q, p));
  const double along = m.w > 0.0 ? sin / m.w : t;
  const double beside = m.w > 0.0 ? (1.0 - cos) / m.w : 0.0;
  const Vec uv = cross(m.u, m.v);
  v = turned(rotate(m.start.q, v)) + m.w * cross(m.u, y) + m.h * m.u + cos * m.v + sin * uv;
  p = y + m.start.t + (t * m.h) * m.u + along * m.v + beside * uv;
}

Axis axis_at(const Chain& chain, const Link& link, double t) {
  Axis x{link.a, link.b, {}, {}};
  for (const Moving* m : chain) {
    carry(*m, t, x.a, x.va);
    carry(*m, t, x.b, x.vb);
  }
  return x;
}

/// A with |p''| <= A for both end points: docs/exact.md, "Bounds that hold for the whole step".
double acceleration_bound(const Chain& chain, const Link& link) {
  double turn = 0.0;
  double sum = 0.0;
  for (auto m = chain.rbegin(); m != chain.rend(); ++m) {
    const double d = (*m)->w * norm((*m)->v);
    const double a = std::max(norm((*m)->start.t), norm((*m)->start.t + (*m)->s)) + d / 8.0;
    const double b = std::sqrt(dot((*m)->v, (*m)->v) + (*m)->h * (*m)->h);
    sum += turn * turn * a + 2.0 * turn * b + d;
    turn += (*m)->w;
  }
  return sum + turn * turn * std::max(norm(link.a), norm(link.b));
}

/// Closest points of a segment (y) and a triangle (x).
struct Closest {
  double squared = std::numeric_limits<double>::infinity();
  double s = 0.0;
  Vec y;
  Vec x;
};

void nearer(Closest& best, double s, const Vec& y, const Vec& x) {
  const double squared = dot(y - x, y - x);
  if (squared < best.squared) best = {squared, s, y, x};
}

Closest closest(const Vec& a, const Vec& b, const Triangle& tri) {
  Closest best;
  const Vec d = b - a;
  const double dd = dot(d, d);
  for (std::size_t i = 0; i < 3; ++i) {
    const Vec p = tri.v[i];
    const Vec e = tri.v[(i + 1) % 3] - p;
    const double ee = dot(e, e);
    const double de = dot(d, e);
    const Vec w = a - p;
    const double det = dd * ee - de * de;
    double s = det > 0.0 ? (de * dot(e, w) - ee * dot(d, w)) / det : 0.0;
    s = std::clamp(s, 0.0, 1.0);
    const double t = ee > 0.0 ? std::clamp((de * s + dot(e, w)) / ee, 0.0, 1.0) : 0.0;
    s = dd > 0.0 ? std::clamp((de * t - dot(d, w)) / dd, 0.0, 1.0) : 0.0;
    nearer(best, s, a + s * d, p + t * e);
  }
  const Vec e1 = tri.v[1] - tri.v[0];
  const Vec e2 = tri.v[2] - tri.v[0];
  const Vec n = cross(e1, e2);
  const double nn = dot(n, n);
  if (!(nn > 0.0)) return best;
  const auto face = [&](double s, const Vec& y) {
    const Vec w = y - tri.v[0];
    const double beta = dot(cross(w, e2), n) / nn;
    const double gamma = dot(cross(e1, w), n) / nn;
    if (beta < 0.0 || gamma < 0.0 || beta + gamma > 1.0) return;
    nearer(best, s, y, tri.v[0] + beta * e1 + gamma * e2);
  };
  face(0.0, a);
  face(1.0, b);
  const double ga = dot(a - tri.v[0], n);
  const double gb = dot(b - tri.v[0], n);
  if ((ga < 0.0) != (gb < 0.0)) face(ga / (ga - gb), a + (ga / (ga - gb)) * d);
  return best;
}

/// First time at which g + h v - A h^2 / 2 = 0; beyond 1 if it stays positive until then.
double first_root(double g, double v, double acceleration) {
  const double root = std::sqrt(v * v + 2.0 * acceleration * g);
  if (v < 0.0) return 2.0 * g / (root - v);
  return acceleration > 0.0 ? (v + root) / acceleration : 2.0;
}

/// The time at which the link touches the triangle; 2 if it does not, or not before `best`.
double advance(const Chain& chain, const Link& link, const Triangle& tri, double acceleration,
               double best, std::uint64_t& evaluations) {
  double t = 0.0;
  for (int i = 0; i < 100000; ++i) {
    const Axis x = axis_at(chain, link, t);
    ++evaluations;
    const Closest c = closest(x.a, x.b, tri);
    const double distance = std::sqrt(c.squared);
    if (distance <= link.radius + kTouch) return t;
    const Vec n = (1.0 / distance) * (c.y - c.x);
    const double support =
        std::max({dot(n, tri.v[0] - c.x), dot(n, tri.v[1] - c.x), dot(n, tri.v[2] - c.x)});
    const double offset = support + link.radius;
    const double ga = dot(n, x.a - c.x) - offset;
    const double gb = dot(n, x.b - c.x) - offset;
    if (!(ga > 0.0) || !(gb > 0.0)) return t;
    t += std::min(first_root(ga, dot(n, x.va), acceleration),
                  first_root(gb, dot(n, x.vb), acceleration));
    if (t > 1.0 || t > best) return 2.0;
  }
  return t;
}

}  // namespace

Scene::Scene(std::vector<int> parents, std::vector<Link> links, std::vector<Triangle> triangles)
    : parents_(std::move(parents)), links_(std::move(links)), triangles_(std::move(triangles)) {
  const auto count = static_cast<std::uint32_t>(triangles_.size());
  for (const Triangle& t : triangles_) {
    boxes_.push_back(
        {least(t.v[0], least(t.v[1], t.v[2])), greatest(t.v[0], greatest(t.v[1], t.v[2]))});
  }
  order_.resize(count);
  std::iota(order_.begin(), order_.end(), 0U);
  if (count > 0) build(0, count);
}

std::uint32_t Scene::build(std::uint32_t begin, std::uint32_t end) {
  const auto index = static_cast<std::uint32_t>(nodes_.size());
  nodes_.emplace_back();
  Node node;
  node.begin = begin;
  node.end = end;
  node.box = boxes_[order_[begin]];
  for (std::uint32_t i = begin; i < end; ++i) {
    node.box = {least(node.box.lo, boxes_[order_[i]].lo),
                greatest(node.box.hi, boxes_[order_[i]].hi)};
  }
  if (end - begin > 4) {
    const Vec size = node.box.hi - node.box.lo;
    const auto along = [&](std::uint32_t i) {
      const Vec c = boxes_[i].lo + boxes_[i].hi;
      return size.x >= size.y && size.x >= size.z ? c.x : size.y >= size.z ? c.y : c.z;
    };
    const std::uint32_t middle = begin + (end - begin) / 2;
    std::nth_element(order_.begin() + begin, order_.begin() + middle, order_.begin() + end,
                     [&](std::uint32_t p, std::uint32_t q) { return along(p) < along(q); });
    node.left = build(begin, middle);
    node.right = build(middle, end);
  }
  nodes_[index] = node;
  return index;
}

void Scene::collect(std::uint32_t index, const Box& box, std::vector<std::uint32_t>& out) const {
  const auto overlap = [&box](const Box& b) {
    return box.lo.x <= b.hi.x && b.lo.x <= box.hi.x && box.lo.y <= b.hi.y && b.lo.y <= box.hi.y &&
           box.lo.z <= b.hi.z && b.lo.z <= box.hi.z;
  };
  const Node& node = nodes_[index];
  if (!overlap(node.box)) return;
  if (node.right != 0) {
    collect(node.left, box, out);
    collect(node.right, box, out);
    return;
  }
  for (std::uint32_t i = node.begin; i < node.end; ++i) {
    if (overlap(boxes_[order_[i]])) out.push_back(order_[i]);
  }
}

Counters Scene::step(std::span<const Pose> pose0, std::span<const Pose> pose1,
                     std::vector<Touch>& touches) const {
  Counters counters;
  std::vector<Moving> joints;
  for (std::size_t j = 0; j < parents_.size(); ++j) joints.push_back(moving(pose0[j], pose1[j]));
  std::vector<std::uint32_t> candidates;
  for (std::size_t i = 0; i < links_.size(); ++i) {
    const Link& link = links_[i];
    Chain chain;
    for (int j = link.joint; j >= 0; j = parents_[static_cast<std::size_t>(j)]) {
      chain.push_back(&joints[static_cast<std::size_t>(j)]);
    }
    const double acceleration = acceleration_bound(chain, link);
    const Axis start = axis_at(chain, link, 0.0);
    const Axis end = axis_at(chain, link, 1.0);
    const double grown = link.radius + acceleration / 8.0 + kTouch;
    const Vec pad{grown, grown, grown};
    const Box box{least(least(start.a, start.b), least(end.a, end.b)) - pad,
                  greatest(greatest(start.a, start.b), greatest(end.a, end.b)) + pad};
    candidates.clear();
    if (!nodes_.empty()) collect(0, box, candidates);
    std::sort(candidates.begin(), candidates.end(), [&](std::uint32_t p, std::uint32_t q) {
      return triangles_[p].object != triangles_[q].object
                 ? triangles_[p].object < triangles_[q].object
                 : p < q;
    });
    for (std::size_t k = 0; k < candidates.size();) {
      const std::uint32_t object = triangles_[candidates[k]].object;
      double best = 1.0;
      bool touched = false;
      for (; k < candidates.size() && triangles_[candidates[k]].object == object; ++k) {
        ++counters.candidates;
        const double t = advance(chain, link, triangles_[candidates[k]], acceleration, best,
                                 counters.evaluations);
        if (t > best) continue;
        best = t;
        touched = true;
      }
      if (touched) touches.push_back({static_cast<int>(i), object, best});
    }
  }
  return counters;
}

}  // namespace tocsin::bench::reference
