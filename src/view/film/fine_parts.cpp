#include "view/film/fine_parts.h"

#include <algorithm>

#include "core/vector/vec.h"
#include "scene/motion/joint_places.h"

namespace tocsin::view {
namespace {

using core::operator*;

/// Half the way of a turn, the shorter one.
Quat half_way(const Quat& a, const Quat& b) {
  const double cosine = (a.w * b.w + a.x * b.x) + (a.y * b.y + a.z * b.z);
  const double s = cosine < 0.0 ? -1.0 : 1.0;
  return core::normalized({a.w + s * b.w, a.x + s * b.x, a.y + s * b.y, a.z + s * b.z});
}

/// The greatest distance of links' ends between a place halfway between two and the true one.
double halfway_error(const Avatar& avatar, const std::vector<Transform>& from,
                     const std::vector<Transform>& to, const std::vector<Transform>& truly) {
  double out = 0.0;
  for (const Link& link : avatar.links()) {
    const auto j = static_cast<std::size_t>(link.joint);
    const Quat turn = half_way(from[j].rotation, to[j].rotation);
    const Vec3 place = 0.5 * (from[j].translation + to[j].translation);
    for (const Vec3& end : {link.a, link.b}) {
      const Vec3 drawn = core::rotate(turn, end) + place;
      const Vec3 at = core::rotate(truly[j].rotation, end) + truly[j].translation;
      out = std::max(out, core::norm(drawn - at));
    }
  }
  return out;
}

}  // namespace

FineParts parts_within(const Avatar& avatar, const Step& step, double tolerance, std::int64_t least,
                       std::int64_t most) {
  if (step.frames()[0] == step.frames()[1]) return {};
  const auto at = [&](double t) {
    return scene::joint_places(step.skeleton(),
                               pose_between(step.pose0(), step.pose1(), step.in_between(), t));
  };
  for (std::int64_t n = std::max<std::int64_t>(1, least);; n *= 2) {
    double deviation = 0.0;
    std::vector<Transform> from = at(0.0);
    for (std::int64_t k = 0; k < n; ++k) {
      const double width = 1.0 / static_cast<double>(n);
      std::vector<Transform> to = at(width * static_cast<double>(k + 1));
      const auto middle = at(width * (static_cast<double>(k) + 0.5));
      deviation = std::max(deviation, halfway_error(avatar, from, to, middle));
      if (deviation > tolerance && 2 * n <= most) break;
      from = std::move(to);
    }
    if (deviation <= tolerance || 2 * n > most) return {n, deviation};
  }
}

}  // namespace tocsin::view
