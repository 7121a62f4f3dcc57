#include "detect/shapes/shape_depth.h"

#include <array>
#include <cmath>
#include <functional>

#include "detect/nearest/nearest_triangle.h"
#include "detect/shapes/feature_distance.h"
#include "detect/shapes/link_features.h"
#include "detect/shapes/near_room.h"
#include "detect/shapes/nearest_feature.h"
#include "detect/step/depth.h"
#include "scene/shape/shape_data.h"

namespace tocsin::detect {

namespace {

/// Of an object's triangles, the nearest to a shape: kept in `nearest`.
void find_nearest(const SolidRoom& room, std::uint32_t object, NearestFeature& nearest) {
  const Object& o = room.environment.objects()[object];
  const std::function<bool(std::uint32_t)> wanted = [&o](std::uint32_t t) {
    return t >= o.first_triangle && t - o.first_triangle < o.triangle_count;
  };
  look_at_nearest(room.tree, nearest.capsule(), wanted, [&](std::uint32_t triangle) {
    nearest.look_at(room.environment, triangle);
    return nearest.distance();
  });
}

}  // namespace

std::optional<CornerInside> deepest_corner(const SolidRoom& room, std::uint32_t object,
                                           MovingLinks& links, std::size_t link, double time) {
  std::optional<CornerInside> out;
  if (!room.solid.is_solid(object)) return out;
  const tocsin::detail::ShapeData& shape = scene::data_of(links.shape(link));
  core::LinkMotion corner = links.motion(link);
  corner.radius = shape.radius + links.margin();
  for (const Vec3& at : shape.components) {
    corner.a = at;
    corner.b = at;
    const core::AxisState state = core::evaluate(corner, time);
    if (!room.solid.holds(object, corner.ref + state.a)) continue;
    const Depth inside = depth_in(room.tree, room.environment, object, corner, state, true);
    if (!out || inside.depth > out->depth.depth) out = CornerInside{inside, state.a};
  }
  return out;
}

Depth shape_depth(const SolidRoom& room, std::uint32_t object, MovingLinks& links, std::size_t link,
                  double time) {
  thread_local NearestFeature nearest;
  nearest.begin(links, link, time, room.tree.bounds(), HUGE_VAL);
  find_nearest(room, object, nearest);
  const NearestFeatures found = nearest.answer(room.environment);
  Depth out;
  out.distance = found.distance;
  out.triangle = nearest.triangle() - room.environment.objects()[object].first_triangle;
  out.point = nearest.ref() + found.point;
  out.depth = nearest.radius() - out.distance;
  if (const auto corner = deepest_corner(room, object, links, link, time)) {
    out.depth = corner->depth.depth;
    out.triangle = corner->depth.triangle;
    out.point = corner->depth.point;
    out.inside = true;
  }
  return out;
}

double distance_of_links(const LinkAt& a, const LinkAt& b) {
  thread_local std::array<MovingLinks, 2> links;
  thread_local std::array<FeatureStore, 2> stores;
  thread_local FeatureDistance measure;
  links[0].begin(a.avatar, a.step, 0.0, {});
  links[1].begin(b.avatar, b.step, 0.0, {});
  const auto i = static_cast<std::size_t>(a.link);
  const auto j = static_cast<std::size_t>(b.link);
  const core::FrameMotion one = core::frame_motion(links[0].motion(i));
  const core::FrameMotion two = core::frame_motion(links[1].motion(j));
  const core::FrameState first = core::evaluate(one, a.time);
  const core::FrameState second = core::evaluate(two, b.time);
  const Features f = stores[0].of_link(links[0], i);
  const Features g = stores[1].of_link(links[1], j);
  const Vec3 shift = two.ref - one.ref;
  const double slack = kNearSlack * (core::norm(shift) + core::norm(first.origin) + f.reach +
                                     core::norm(second.origin) + g.reach);
  NearestFeatures best;
  measure.nearest({first, second, shift}, f, g, slack, best);
  return best.distance;
}

}  // namespace tocsin::detect
