#include "detect/shapes/shape_depth.h"

#include <array>
#include <cmath>
#include <functional>

#include "core/bounds/box.h"
#include "detect/shapes/feature_distance.h"
#include "detect/shapes/link_features.h"
#include "detect/shapes/near_room.h"
#include "detect/step/depth.h"
#include "scene/shape/shape_data.h"

namespace tocsin::detect {

namespace {

/// What boxes' distances and those of features may differ by, in parts of the coordinates: some
/// hundred roundings. Larger: a few more features are looked at.
constexpr double kBoxSlack = 0x1p-40;

struct NearestInRoom {
  NearestFeatures features;
  std::uint32_t triangle = 0;  ///< of the environment
};

/// The triangle of an object that is nearest to a shape; of several the first, of those the
/// shape's first feature.
NearestInRoom nearest_in_room(const SolidRoom& room, std::uint32_t object, MovingLinks& links,
                              std::size_t link, double time) {
  thread_local FeatureStore store;
  thread_local FeatureStore of_triangle;
  thread_local FeatureDistance measure;
  const Features shape = store.of_link(links, link);
  const core::LinkMotion& motion = links.motion(link);
  const core::FrameState state = core::evaluate(core::frame_motion(motion), time);
  const core::FrameState still = still_state();
  const core::AxisState axis = core::evaluate(motion, time);
  const HoldingCapsule capsule{{motion.ref + axis.a, motion.ref + axis.b},
                               links.source(link).radius};
  const Object& o = room.environment.objects()[object];
  const double slack =
      kBoxSlack * (core::norm(motion.ref) + core::norm(state.origin) + shape.reach +
                   core::farthest_corner(motion.ref, room.tree.bounds()));
  NearestInRoom out;
  const std::function<bool(std::uint32_t)> wanted = [&o](std::uint32_t t) {
    return t >= o.first_triangle && t - o.first_triangle < o.triangle_count;
  };
  look_at_nearest(room.tree, capsule, wanted, [&](std::uint32_t triangle) {
    const std::array<std::uint32_t, 1> one{triangle};
    const Features feature = of_triangle.of_triangles(room.environment, one, motion.ref);
    // Where both are as near the first triangle counts, whatever its features.
    NearestFeatures best = out.features;
    best.pair = triangle < out.triangle ? ~FeaturePair{0} : FeaturePair{0};
    if (best.distance > slack && measure.nearest({state, still, {}}, shape, feature, slack, best)) {
      out = {best, triangle};
    }
    return out.features.distance;
  });
  return out;
}

}  // namespace

Depth shape_depth(const SolidRoom& room, std::uint32_t object, MovingLinks& links, std::size_t link,
                  double time) {
  const tocsin::detail::ShapeData& shape = scene::data_of(links.shape(link));
  const NearestInRoom nearest = nearest_in_room(room, object, links, link, time);
  core::LinkMotion corner = links.motion(link);
  corner.radius = shape.radius + links.margin();
  Depth out;
  out.distance = nearest.features.distance;
  out.triangle = nearest.triangle - room.environment.objects()[object].first_triangle;
  out.point = corner.ref + nearest.features.point;
  out.depth = corner.radius - out.distance;
  if (!room.solid.is_solid(object)) return out;
  for (const Vec3& at : shape.components) {
    corner.a = at;
    corner.b = at;
    const core::AxisState state = core::evaluate(corner, time);
    if (!room.solid.holds(object, corner.ref + state.a)) continue;
    const Depth inside = depth_in(room.tree, room.environment, object, corner, state, true);
    if (out.inside && inside.depth <= out.depth) continue;
    out.depth = inside.depth;
    out.triangle = inside.triangle;
    out.point = inside.point;
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
  const double slack = kBoxSlack * (core::norm(shift) + core::norm(first.origin) + f.reach +
                                    core::norm(second.origin) + g.reach);
  NearestFeatures best;
  measure.nearest({first, second, shift}, f, g, slack, best);
  return best.distance;
}

}  // namespace tocsin::detect
