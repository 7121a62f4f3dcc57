#include "detect/shapes/shape_contacts.h"

#include <algorithm>
#include <array>

#include "core/query/link_pair.h"
#include "detect/shapes/hull_place.h"
#include "detect/step/contact_at.h"

namespace tocsin::detect {

namespace {

core::FrameMotion frame_of(const core::LinkMotion& m) {
  return core::frame_motion(m.joints, m.chain, m.chain_length, m.kind, m.ref);
}

/// What stands still, relative to ref.
core::FrameMotion still(const core::LinkMotion& m) {
  return core::frame_motion(nullptr, nullptr, 0, m.kind, m.ref);
}

/// The contact but for what is touched.
Contact contact_from(const FeatureContact& pair, const WorldFrames& frames,
                     const core::FramePair& seen, const Features& first, const Features& second) {
  Contact out;
  pair.set(out);
  const core::Hull f = first.hull(first_of(pair.triangle()));
  const core::Hull g = second.hull(second_of(pair.triangle()));
  core::ContactPoint at = place_of(frames, seen, f, g, pair.place_time());
  at.point = at.point + g.radius * at.normal;
  set_place(out, at);
  return out;
}

std::optional<std::uint32_t> feature_of(const MovingLinks& links, std::size_t link,
                                        std::uint32_t feature) {
  if (links.shape(link).empty()) return std::nullopt;
  return feature;
}

}  // namespace

Features ShapeContacts::features_of(const MovingLinks& links, std::size_t link, OfLink& own) {
  const Shape& shape = links.shape(link);
  if (!shape.empty()) {
    const tocsin::detail::ShapeData& data = scene::data_of(shape);
    return {data.corners, data.features, data.nodes, 1, data.radius + links.margin(),
            data.longest, data.reach};
  }
  const Link& capsule = links.source(link);
  own.corners = {capsule.a, capsule.b};
  own.features = {{0, 1, 1}};
  own.nodes = {{core::OrientedBox{}, -1, 0}};
  own.nodes.front().box = scene::box_around(own.corners);
  return {own.corners,
          own.features,
          own.nodes,
          1,
          capsule.radius + links.margin(),
          core::norm(capsule.b - capsule.a),
          std::max(core::norm(capsule.a), core::norm(capsule.b))};
}

Features ShapeContacts::features_of(const RoomTriangles& triangles, const Vec3& ref) {
  OfLink& own = second_;
  own.corners.clear();
  own.features.clear();
  own.nodes.clear();
  Features out;
  for (const std::uint32_t triangle : triangles.triangles) {
    const core::Triangle corners = triangle_of(triangles.environment, triangle, ref);
    const auto first = static_cast<std::uint32_t>(own.corners.size());
    own.corners.insert(own.corners.end(), std::begin(corners.v), std::end(corners.v));
    const auto index = static_cast<std::uint32_t>(own.features.size());
    own.features.push_back({first, first + 1, first + 2});
    own.nodes.push_back({scene::box_around({std::end(own.corners) - 3, 3}), -1, index});
    for (std::size_t i = 0; i < 3; ++i) {
      out.longest = std::max(out.longest, core::norm(corners.v[(i + 1) % 3] - corners.v[i]));
      out.reach = std::max(out.reach, core::norm(corners.v[i]));
    }
  }
  out.corners = own.corners;
  out.features = own.features;
  out.nodes = own.nodes;
  out.roots = own.nodes.size();
  return out;
}

std::optional<Contact> ShapeContacts::with_room(MovingLinks& links, std::size_t link,
                                                const RoomTriangles& triangles,
                                                const SearchLimits& limits,
                                                StepCounters& counters) {
  const core::LinkMotion& motion = links.motion(link);
  const core::FrameMotion moving = frame_of(motion);
  const core::FrameMotion room = still(motion);
  const core::FramePair frames = core::frame_pair(moving, room);
  const Features first = features_of(links, link, first_);
  const Features second = features_of(triangles, motion.ref);
  const FeatureContact pair = search_.run(frames, first, second, limits, counters);
  if (!pair.any()) return std::nullopt;
  Contact out = contact_from(pair, {moving, room}, frames, first, second);
  out.link = static_cast<std::int32_t>(link);
  const Object& object = triangles.environment.objects()[triangles.object];
  out.touched = RoomTriangle{
      triangles.object, triangles.triangles[second_of(pair.triangle())] - object.first_triangle};
  out.link_feature = first_of(pair.triangle());
  return out;
}

std::optional<Contact> ShapeContacts::with_link(MovingLinks& a, MovingLinks& b,
                                                const NearLinks& pair, const OtherLink& other,
                                                const SearchLimits& limits,
                                                StepCounters& counters) {
  const core::LinkMotion& m = a.motion(pair.link);
  const core::LinkMotion& n = b.motion(pair.other);
  const core::FrameMotion one = frame_of(m);
  const core::FrameMotion two = frame_of(n);
  const core::FramePair frames = core::frame_pair(one, two);
  const Features first = features_of(a, pair.link, first_);
  const Features second = features_of(b, pair.other, second_);
  const FeatureContact found = search_.run(frames, first, second, limits, counters);
  // What no touch was proved of, and volumes around both motions prove free, depends on no
  // broadphase.
  if (!found.any()) return std::nullopt;
  if (found.touch() == core::Touch::kGraze && !core::may_graze(m, n)) return std::nullopt;
  Contact out = contact_from(found, {one, two}, frames, first, second);
  out.link = static_cast<std::int32_t>(pair.link);
  out.touched = other;
  out.link_feature = feature_of(a, pair.link, first_of(found.triangle()));
  out.other_feature = feature_of(b, pair.other, second_of(found.triangle()));
  return out;
}

}  // namespace tocsin::detect
