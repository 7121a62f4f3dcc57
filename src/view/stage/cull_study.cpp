#include "view/stage/cull_study.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

#include "core/bounds/near_test.h"
#include "core/vector/vec.h"
#include "scene/swept/step_motion.h"
#include "scene/tree/may_touch.h"

namespace tocsin::view {
namespace {

using scene::RoomTree;

core::Box child_box(const RoomTree::Node& node, std::size_t child) {
  core::Box out;
  out.lo = {node.lo[0][child], node.lo[1][child], node.lo[2][child]};
  out.hi = {node.hi[0][child], node.hi[1][child], node.hi[2][child]};
  return out;
}

/// True if a piece of the swept link's box meets it: the test of a walk (cpu/tree/tree_cull-inl.h).
bool meets(const core::Box& box, const scene::SweptLink& link) {
  if (!overlap(box, link.box)) return false;
  for (std::size_t i = 0; i < static_cast<std::size_t>(link.pieces); ++i) {
    if (overlap(box, link.piece.at(i))) return true;
  }
  return false;
}

/// A thin bar along an edge, with four sides.
void add_bar(Mesh& mesh, const Vec3& a, const Vec3& b, double radius, const Paint& paint) {
  const Vec3 along = b - a;
  const double length = core::norm(along);
  if (!(length > 0.0)) return;
  const Vec3 unit = (1.0 / length) * along;
  const Vec3 helper = std::fabs(unit.y) < 0.9 ? Vec3{0.0, 1.0, 0.0} : Vec3{1.0, 0.0, 0.0};
  const Vec3 side = core::cross(helper, unit);
  const Vec3 u = (radius / core::norm(side)) * side;
  const Vec3 v = core::cross(unit, u);
  const auto base = static_cast<std::uint32_t>(mesh.vertices.size());
  for (const Vec3& end : {a, b}) {
    for (const Vec3& corner : {u, v, -u, -v}) {
      mesh.vertices.push_back({core::detail::to_float(end + corner),
                               core::detail::to_float((1.0 / radius) * corner),
                               packed(paint.colour), paint.material, paint.id});
    }
  }
  for (std::uint32_t i = 0; i < 4; ++i) {
    const std::uint32_t j = (i + 1) % 4;
    mesh.triangles.push_back({base + i, base + j, base + 4 + j});
    mesh.triangles.push_back({base + i, base + 4 + j, base + 4 + i});
  }
}

void add_box(Mesh& mesh, const core::Box& box, double radius, const Paint& paint) {
  const auto corner = [&box](int i) {
    return Vec3{(i & 1) != 0 ? box.hi.x : box.lo.x, (i & 2) != 0 ? box.hi.y : box.lo.y,
                (i & 4) != 0 ? box.hi.z : box.lo.z};
  };
  for (int i = 0; i < 8; ++i) {
    for (const int axis : {1, 2, 4}) {
      if ((i & axis) == 0) add_bar(mesh, corner(i), corner(i | axis), radius, paint);
    }
  }
}

}  // namespace

Colour culled_colour(CulledBy by) {
  switch (by) {
    case CulledBy::kLeafBox:
      return {0.62F, 0.66F, 0.71F};
    case CulledBy::kDirections:
      return {0.0F, 0.353F, 0.549F};
    case CulledBy::kNothing:
      break;
  }
  return {0.941F, 0.894F, 0.259F};
}

std::size_t CullAnswer::count(CulledBy by) const {
  return static_cast<std::size_t>(std::count_if(
      triangles.begin(), triangles.end(), [by](const StudiedTriangle& t) { return t.by == by; }));
}

CullStudy::CullStudy(const Environment& room)
    : room_(room), tree_(room), farthest_(scene::farthest_coordinate(tree_.bounds())) {}

CullAnswer CullStudy::about(const scene::SweptLink& link) const {
  CullAnswer out;
  if (tree_.nodes().empty()) return out;
  std::vector<std::pair<std::uint32_t, int>> stack{{0, 0}};
  while (!stack.empty()) {
    const auto [at, depth] = stack.back();
    stack.pop_back();
    const RoomTree::Node& node = tree_.nodes()[at];
    for (std::size_t c = 0; c < std::size(node.child); ++c) {
      const std::uint32_t child = node.child[c];
      if (child == scene::kNone) break;
      const core::Box box = child_box(node, c);
      const bool entered = meets(box, link);
      out.volumes.push_back({box, depth, entered});
      if (!entered) continue;
      if ((child & scene::kLeafBit) == 0) {
        stack.emplace_back(child, depth + 1);
        continue;
      }
      for (const std::uint32_t triangle : tree_.blocks()[child & ~scene::kLeafBit].triangle) {
        if (triangle == scene::kNone) break;
        const auto corners = room_.corners(triangle);
        const bool apart = !meets(scene::box_of_corners(corners), link);
        const bool kept = !apart && scene::may_touch(link, corners, farthest_);
        out.triangles.push_back({triangle, apart  ? CulledBy::kLeafBox
                                           : kept ? CulledBy::kNothing
                                                  : CulledBy::kDirections});
      }
    }
  }
  out.never_reached = room_.triangles().size() - out.triangles.size();
  return out;
}

CullAnswer CullStudy::about(const Avatar& avatar, const Step& step, double margin,
                            std::size_t link) const {
  scene::StepMotion motion;
  motion.set(avatar, step, margin, tree_.bounds());
  return about(motion.link(link));
}

Mesh CullStudy::mesh(const CullAnswer& answer, bool volumes, bool triangles,
                     std::size_t most) const {
  Mesh out;
  if (volumes) {
    std::vector<StudiedVolume> drawn = answer.volumes;
    std::stable_sort(drawn.begin(), drawn.end(), [](const auto& p, const auto& q) {
      return std::pair(!p.entered, -p.depth) < std::pair(!q.entered, -q.depth);
    });
    if (drawn.size() > most) drawn.resize(most);
    for (const StudiedVolume& volume : drawn) {
      const Colour colour =
          volume.entered ? Colour{0.835F, 0.369F, 0.0F} : Colour{0.45F, 0.5F, 0.56F};
      add_box(out, volume.box, volume.entered ? 0.003 : 0.0015, {colour, kGlows, 0});
    }
  }
  if (!triangles) return out;
  // Edges alone: floors and walls are triangles of many metres, which filled would hide all else.
  for (const StudiedTriangle& t : answer.triangles) {
    const auto corners = room_.corners(t.triangle);
    const double radius = t.by == CulledBy::kNothing ? 0.005 : 0.0025;  // metres
    for (std::size_t i = 0; i < 3; ++i) {
      add_bar(out, core::to_double(corners.at(i)), core::to_double(corners.at((i + 1) % 3)), radius,
              {culled_colour(t.by), kGlows, 0});
    }
  }
  return out;
}

}  // namespace tocsin::view
