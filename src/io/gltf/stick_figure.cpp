#include "io/gltf/stick_figure.h"

#include <cmath>

#include "core/vector/vec.h"
#include "io/to_float.h"

namespace tocsin::io {
namespace {

/// Metres. What is closer to its parent is at it; and the size of the only one.
constexpr double kLeastBone = 1e-4;
constexpr double kLoneBone = 0.1;

/// A unit vector across another one.
Vec3 across(const Vec3& along) {
  // The axis that it is least along makes the longest cross product.
  const double x = std::fabs(along.x);
  const double y = std::fabs(along.y);
  const double z = std::fabs(along.z);
  const Vec3 axis = x <= y && x <= z ? Vec3{1, 0, 0} : y <= z ? Vec3{0, 1, 0} : Vec3{0, 0, 1};
  const Vec3 side = core::cross(along, axis);
  return (1.0 / core::norm(side)) * side;
}

void add_bone(const Vec3& from, const Vec3& to, std::uint16_t joint, StickFigure& figure) {
  const Vec3 bone = to - from;
  const double length = core::norm(bone);
  const Vec3 along = (1.0 / length) * bone;
  const Vec3 u = across(along);
  const Vec3 v = core::cross(along, u);
  // Widest near the parent, so that one sees which end is which.
  const Vec3 middle = from + 0.2 * bone;
  const double radius = 0.1 * length;
  const auto first = static_cast<std::uint32_t>(figure.vertices.size());
  for (const Vec3& corner : {from, to, middle + radius * u, middle + radius * v,
                             middle + (-radius) * u, middle + (-radius) * v}) {
    figure.vertices.push_back(to_float(corner));
    figure.joints.push_back(joint);
  }
  for (std::uint32_t i = 0; i < 4; ++i) {
    const std::uint32_t a = first + 2 + i;
    const std::uint32_t b = first + 2 + (i + 1) % 4;
    figure.triangles.push_back({first, b, a});
    figure.triangles.push_back({first + 1, a, b});
  }
}

}  // namespace

StickFigure stick_figure(const Skeleton& skeleton, std::span<const Transform> world) {
  StickFigure figure;
  for (std::size_t i = 0; i < world.size(); ++i) {
    const int parent = skeleton.joints()[i].parent;
    if (parent < 0) continue;
    const Vec3& from = world[static_cast<std::size_t>(parent)].translation;
    const Vec3& to = world[i].translation;
    if (core::norm(to - from) < kLeastBone) continue;
    add_bone(from, to, static_cast<std::uint16_t>(parent), figure);
  }
  if (figure.vertices.empty() && !world.empty()) {
    const Vec3& at = world.front().translation;
    add_bone(at, at + Vec3{0.0, kLoneBone, 0.0}, 0, figure);
  }
  return figure;
}

}  // namespace tocsin::io
