#include "detect/shapes/shape_contacts.h"

#include "core/query/hull_place.h"
#include "core/query/link_pair.h"
#include "detect/step/contact_at.h"

namespace tocsin::detect {

namespace {

/// The contact but for what is touched.
Contact contact_from(const FeatureContact& pair, const core::WorldFrames& frames,
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

/// With its own radius, not that of the sphere which is made larger for the broadphase: no answer
/// depends on how much.
core::LinkMotion plain_motion(const MovingLinks& links, std::size_t link,
                              const core::LinkMotion& motion) {
  core::LinkMotion out = motion;
  out.radius = links.source(link).radius + links.margin();
  return out;
}

std::optional<std::uint32_t> feature_of(const MovingLinks& links, std::size_t link,
                                        std::uint32_t feature) {
  if (links.shape(link).empty()) return std::nullopt;
  return feature;
}

}  // namespace

std::optional<Contact> ShapeContacts::with_room(MovingLinks& links, std::size_t link,
                                                const RoomTriangles& triangles,
                                                const SearchLimits& limits,
                                                StepCounters& counters) {
  const core::LinkMotion& motion = links.motion(link);
  const core::FrameMotion moving = core::frame_motion(motion);
  const core::FrameMotion room = core::still_frame(motion);
  const core::FramePair frames = core::frame_pair(moving, room);
  const Features first = first_.of_link(links, link);
  const Features second =
      second_.of_triangles(triangles.environment, triangles.triangles, motion.ref);
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

std::optional<Contact> ShapeContacts::with_deforming(MovingLinks& links, std::size_t link,
                                                     std::uint32_t object,
                                                     std::span<const MovingTriangle> triangles,
                                                     const SearchLimits& limits,
                                                     StepCounters& counters) {
  const core::LinkMotion& motion = links.motion(link);
  const core::FrameMotion moving = core::frame_motion(motion);
  const core::FramePair frames = core::frame_pair(moving, core::still_frame(motion));
  const Features first = first_.of_link(links, link);
  const Features second = second_.of_triangles(triangles, motion.ref);
  const FeatureContact pair = search_.run(frames, first, second, limits, counters);
  if (!pair.any()) return std::nullopt;
  Contact out;
  pair.set(out);
  const std::uint32_t touched = second_of(pair.triangle());
  set_place(out, core::place_of(frames, first.hull(first_of(pair.triangle())),
                                second.deforming(touched), pair.place_time()));
  out.link = static_cast<std::int32_t>(link);
  out.touched = RoomTriangle{object, triangles[touched].triangle};
  out.link_feature = feature_of(links, link, first_of(pair.triangle()));
  return out;
}

std::optional<Contact> ShapeContacts::with_link(MovingLinks& a, MovingLinks& b,
                                                const NearLinks& pair, const OtherLink& other,
                                                const SearchLimits& limits,
                                                StepCounters& counters) {
  const core::LinkMotion& m = a.motion(pair.link);
  const core::LinkMotion& n = b.motion(pair.other);
  const core::FrameMotion one = core::frame_motion(m);
  const core::FrameMotion two = core::frame_motion(n);
  const core::FramePair frames = core::frame_pair(one, two);
  const Features first = first_.of_link(a, pair.link);
  const Features second = second_.of_link(b, pair.other);
  SearchLimits whole = limits;
  whole.stop_after = core::kToEnd;
  const FeatureContact found = search_.run(frames, first, second, whole, counters);
  // What no touch was proved of, and volumes around both motions prove free, depends on no
  // broadphase.
  if (!found.any()) return std::nullopt;
  if (found.touch() == core::Touch::kGraze &&
      !core::may_graze(plain_motion(a, pair.link, m), plain_motion(b, pair.other, n))) {
    return std::nullopt;
  }
  Contact out = contact_from(found, {one, two}, frames, first, second);
  out.link = static_cast<std::int32_t>(pair.link);
  out.touched = other;
  out.link_feature = feature_of(a, pair.link, first_of(found.triangle()));
  out.other_feature = feature_of(b, pair.other, second_of(found.triangle()));
  return out;
}

}  // namespace tocsin::detect
