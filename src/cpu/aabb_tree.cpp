#include "cpu/aabb_tree.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <thread>
#include <utility>

#include "core/separation.h"

namespace tocsin::cpu {

namespace {

using core::Box;

/// Triangles in a leaf. Certify costs a hundred box tests, so leaves are small; 1 doubles the
/// memory.
constexpr std::uint32_t kLeafSize = 4;
/// Depth of a median tree over 2^32 triangles, plus the pushed siblings.
constexpr std::size_t kStackSize = 64;

Box triangle_box(const Environment& environment, std::uint32_t triangle) {
  const std::array<Vec3f, 3> v = environment.corners(triangle);
  return join(core::box_of(v[0]), join(core::box_of(v[1]), core::box_of(v[2])));
}

std::array<float, 3> centre(const Box& b) {
  return {0.5F * b.lo.x + 0.5F * b.hi.x, 0.5F * b.lo.y + 0.5F * b.hi.y,
          0.5F * b.lo.z + 0.5F * b.hi.z};
}

bool touches_a_piece(const scene::SweptLink& link, const Box& box) {
  if (!overlap(link.box, box)) return false;
  for (std::int32_t i = 0; link.pieces > 1; ++i) {
    if (i == link.pieces) return false;
    if (overlap(link.piece[static_cast<std::size_t>(i)], box)) break;
  }
  return true;
}

/// Distance between a box and the box of a segment: a lower bound for what lies inside both.
double box_distance(const Vec3& lo, const Vec3& hi, const Box& b) {
  const auto gap = [](double l0, double h0, float l1, float h1) {
    return std::max({0.0, static_cast<double>(l1) - h0, l0 - static_cast<double>(h1)});
  };
  return core::norm(Vec3{gap(lo.x, hi.x, b.lo.x, b.hi.x), gap(lo.y, hi.y, b.lo.y, b.hi.y),
                         gap(lo.z, hi.z, b.lo.z, b.hi.z)});
}

}  // namespace

AabbTree::AabbTree(Environment environment) : environment_(std::move(environment)) { build(); }

std::string AabbTree::device() const {
  return std::to_string(std::max(1U, std::thread::hardware_concurrency())) + " hardware threads";
}

core::Box AabbTree::bounds() const { return nodes_.empty() ? Box{} : nodes_.front().box; }

void AabbTree::build() {
  const auto count = static_cast<std::uint32_t>(environment_.triangles().size());
  if (count == 0) return;
  std::vector<Box> box(count);
  std::vector<std::array<float, 3>> mid(count);
  for (std::uint32_t i = 0; i < count; ++i) {
    box[i] = triangle_box(environment_, i);
    mid[i] = centre(box[i]);
  }
  order_.resize(count);
  std::iota(order_.begin(), order_.end(), 0U);
  nodes_.reserve(2 * (static_cast<std::size_t>(count) / kLeafSize + 1));

  struct Task {
    std::uint32_t begin, end, parent;  // parent: node whose right child this is, or kNone
  };
  constexpr std::uint32_t kNone = 0xFFFFFFFF;
  std::vector<Task> tasks{{0, count, kNone}};
  while (!tasks.empty()) {
    const Task task = tasks.back();
    tasks.pop_back();
    const auto index = static_cast<std::uint32_t>(nodes_.size());
    if (task.parent != kNone) nodes_[task.parent].first = index;
    Node node;
    std::array<float, 3> low{HUGE_VALF, HUGE_VALF, HUGE_VALF};
    std::array<float, 3> high{-HUGE_VALF, -HUGE_VALF, -HUGE_VALF};
    for (std::uint32_t i = task.begin; i < task.end; ++i) {
      node.box = join(node.box, box[order_[i]]);
      for (std::size_t axis = 0; axis < 3; ++axis) {
        low[axis] = std::min(low[axis], mid[order_[i]][axis]);
        high[axis] = std::max(high[axis], mid[order_[i]][axis]);
      }
    }
    if (task.end - task.begin <= kLeafSize) {
      node.first = task.begin;
      node.count = task.end - task.begin;
      nodes_.push_back(node);
      continue;
    }
    nodes_.push_back(node);
    std::size_t widest = 0;
    for (std::size_t axis = 1; axis < 3; ++axis) {
      if (high[axis] - low[axis] > high[widest] - low[widest]) widest = axis;
    }
    const std::uint32_t middle = task.begin + (task.end - task.begin) / 2;
    const auto at = [&](std::uint32_t i) {
      return order_.begin() + static_cast<std::ptrdiff_t>(i);
    };
    // Ties by index: the tree does not depend on the standard library's nth_element.
    std::nth_element(at(task.begin), at(middle), at(task.end),
                     [&](std::uint32_t p, std::uint32_t q) {
                       return std::pair(mid[p][widest], p) < std::pair(mid[q][widest], q);
                     });
    tasks.push_back({middle, task.end, index});
    tasks.push_back({task.begin, middle, kNone});
  }
  boxes_.reserve(count);
  for (const std::uint32_t i : order_) boxes_.push_back(box[i]);
}

template <class Touches, class Visit>
void AabbTree::visit(const Touches& touches, const Visit& take) const {
  if (nodes_.empty()) return;
  std::array<std::uint32_t, kStackSize> stack;
  std::size_t top = 0;
  stack[top++] = 0;
  while (top > 0) {
    const std::uint32_t index = stack[--top];
    const Node& node = nodes_[index];
    if (!touches(node.box)) continue;
    if (node.count == 0) {
      stack[top++] = node.first;
      stack[top++] = index + 1;
      continue;
    }
    for (std::uint32_t i = node.first; i < node.first + node.count; ++i) {
      if (touches(boxes_[i]) && !take(order_[i])) return;
    }
  }
}

bool AabbTree::clear_of(const Box& box) const {
  bool clear = true;
  visit([&](const Box& b) { return overlap(box, b); },
        [&](std::uint32_t) { return clear = false; });
  return clear;
}

void AabbTree::cull(const scene::SweptLink& link, std::vector<std::uint32_t>& candidates) const {
  visit([&](const Box& b) { return touches_a_piece(link, b); },
        [&](std::uint32_t triangle) {
          candidates.push_back(triangle);
          return true;
        });
}

double AabbTree::nearest(const Vec3& a, const Vec3& b, double limit,
                         const std::function<bool(std::uint32_t)>& wanted) const {
  if (nodes_.empty()) return limit;
  const Vec3 lo{std::min(a.x, b.x), std::min(a.y, b.y), std::min(a.z, b.z)};
  const Vec3 hi{std::max(a.x, b.x), std::max(a.y, b.y), std::max(a.z, b.z)};
  struct Entry {
    std::uint32_t node;
    double bound;
  };
  std::array<Entry, kStackSize> stack;
  std::size_t top = 0;
  stack[top++] = {0, box_distance(lo, hi, nodes_.front().box)};
  double best = limit;
  while (top > 0) {
    const Entry entry = stack[--top];
    if (!(entry.bound < best)) continue;
    const Node& node = nodes_[entry.node];
    if (node.count == 0) {
      Entry near{entry.node + 1, box_distance(lo, hi, nodes_[entry.node + 1].box)};
      Entry far{node.first, box_distance(lo, hi, nodes_[node.first].box)};
      if (far.bound < near.bound) std::swap(near, far);
      stack[top++] = far;
      stack[top++] = near;
      continue;
    }
    for (std::uint32_t i = node.first; i < node.first + node.count; ++i) {
      if (!(box_distance(lo, hi, boxes_[i]) < best) || !wanted(order_[i])) continue;
      const std::array<Vec3f, 3> v = environment_.corners(order_[i]);
      const core::Triangle t{
          {core::to_double(v[0]) - a, core::to_double(v[1]) - a, core::to_double(v[2]) - a}};
      best = std::min(best, core::separation(Vec3{}, b - a, t));
    }
  }
  return best;
}

}  // namespace tocsin::cpu
