// Contacts of links that have shapes: bodies of the shape stage. docs/cuda.md, "Shapes".
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/batch/certify.h"
#include "core/batch/layout.h"
#include "core/batch/segments.h"
#include "core/motion/frame_motion.h"
#include "core/query/hull_place.h"
#include "core/query/hull_walk.h"
#include "core/query/link_pair.h"
#include "core/query/room_for_certify.h"
#include "core/vector/atomic.h"

namespace tocsin::core::batch {

TOCSIN_HD inline bool has_shape(const View& v, std::uint32_t link) {
  return v.shapes != nullptr && model_link(v, link).shape != kNone;
}

/// The features of a link; `lone` is the memory of those of a line swept sphere.
TOCSIN_HD inline HullTree tree_of(const View& v, std::uint32_t link, LoneHull& lone) {
  const ModelLink& from = model_link(v, link);
  if (from.shape == kNone) {
    const Vec3 ends[2] = {from.a, from.b};
    lone = lone_hull(ends, 2);
    return lone.tree(from.radius + v.margin);
  }
  const BatchShape& shape = v.shapes[from.shape];
  return {v.shape_corners + shape.first_corner,
          v.shape_features + 3 * static_cast<std::size_t>(shape.first_feature),
          v.shape_nodes + shape.first_node,
          shape.radius + v.margin,
          shape.longest,
          shape.reach};
}

/// Sets View::extra of link i: room_for_certify of its shape and the room's triangles, none of
/// which is larger than all that is in sight. Precondition: View::extra is null meanwhile.
struct MakeExtra {
  View view;
  Box bounds;  ///< of the room
  double* extra = nullptr;

  TOCSIN_HD void operator()(std::size_t i) const {
    const auto link = static_cast<std::uint32_t>(i);
    extra[i] = 0.0;
    if (!has_shape(view, link)) return;
    const FrameMotion frame = frame_motion(link_motion(view, link));
    const double reach = view.shapes[model_link(view, link).shape].reach;
    const double around = surroundings_of(frame.ref, bounds).reach;
    const double speed = (frame.bounds.speed + frame.bounds.turn * reach) * kBoundGrowth;
    const double sight = frame.bounds.reach + reach + around;
    // Twice certify_hulls' own, and the room's corners twice.
    const double margin = 2.0 * margin_factor(frame.chain_length) * (sight + around + speed);
    extra[i] =
        room_for_certify({speed, acceleration_at(frame, reach), margin, 2.0 * sight, 2.0 * sight});
  }
};

/// flags[i]: near link i has a shape.
struct FlagShaped {
  View view;
  const std::uint32_t* near = nullptr;
  std::uint8_t* flags = nullptr;
  TOCSIN_HD void operator()(std::size_t i) const { flags[i] = has_shape(view, near[i]) ? 1 : 0; }
};

/// The same of pairs: one of both links has.
struct FlagShapedPairs {
  View view;
  const LinkPair* pairs = nullptr;
  std::uint8_t* flags = nullptr;
  TOCSIN_HD void operator()(std::size_t i) const {
    flags[i] = has_shape(view, pairs[i].first) || has_shape(view, pairs[i].second) ? 1 : 0;
  }
};

/// The others.
struct Opposite {
  std::uint8_t* flags = nullptr;
  TOCSIN_HD void operator()(std::size_t i) const { flags[i] = flags[i] != 0 ? 0 : 1; }
};

/// Early-out of the spheres that hold shapes, one candidate a thread. kept[i] is 1 if the shape may
/// touch the triangle.
struct ShapeEarlyOuts {
  NearRoom near_room;
  const Candidate* candidates = nullptr;
  std::uint8_t* kept = nullptr;

  TOCSIN_HD void operator()(std::size_t i) const {
    const auto [near, index] = candidates[i];
    kept[i] = 0;
    if (!near_room.active(near, index)) return;
    atomic_add(near_room.tallies[near_room.step_of(near)].evaluations, 1);
    const EarlyOut out = early_out(near_room.swept[near].motion, near_room.at0[near],
                                   near_room.triangle(near, index));
    kept[i] = out.kind == EarlyOut::Kind::kFree ? 0 : 1;
  }
};

/// Adds what a search has done to its step's counters.
TOCSIN_HD inline void add_walk(const WalkTally& walk, bool finished, StepTally& tally) {
  if (!finished) atomic_add(tally.given_up, 1);
  atomic_add(tally.volume_tests, walk.volume_tests);
  atomic_add(tally.candidates, walk.candidates);
  atomic_add(tally.evaluations, walk.evaluations);
}

/// A near link with a shape and an object: its triangles are keys begin ... end - 1.
struct ShapeSegment {
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
  HullWalk::Contact contact;
};

/// Writes where segments begin and end, as PlaceSegments.
struct PlaceShapeSegments {
  const std::uint64_t* ranks = nullptr;
  std::size_t count = 0;  ///< of keys
  ShapeSegment* segments = nullptr;
  TOCSIN_HD void operator()(std::size_t i) const {
    ShapeSegment& out = segments[ranks[i + 1] - 1];
    if (ranks[i] == ranks[i + 1] - 1) out.begin = static_cast<std::uint32_t>(i);
    if (i + 1 == count || ranks[i + 2] != ranks[i + 1]) out.end = static_cast<std::uint32_t>(i + 1);
  }
};

/// Searches a segment: the link's tree against each triangle in turn, one segment a thread.
/// touched[i]: there is a contact.
struct SearchRoom {
  NearRoom near_room;
  const std::uint64_t* keys = nullptr;
  ShapeSegment* segments = nullptr;
  std::uint8_t* touched = nullptr;

  TOCSIN_HD void operator()(std::size_t i) const {
    ShapeSegment& segment = segments[i];
    const std::uint32_t near = candidate_of(keys[segment.begin]).near;
    const LinkMotion& motion = near_room.swept[near].motion;
    const FramePair frames = frame_pair(frame_motion(motion), still_frame(motion));
    LoneHull none;
    const HullTree first = tree_of(near_room.view, near_room.links[near], none);
    HullWalk walk(frames, first, near_room.tolerance);
    HullWalk::Contact contact;
    WalkTally tally;
    bool finished = true;
    for (std::uint32_t k = segment.begin; finished && k < segment.end; ++k) {
      const std::uint32_t triangle = candidate_of(keys[k]).triangle;
      const LoneHull second = lone_hull(near_room.triangle(near, triangle).v, 3);
      finished = walk.add(second.tree(0.0), triangle, contact, tally);
    }
    add_walk(tally, finished, near_room.tallies[near_room.step_of(near)]);
    segment.contact = contact;
    touched[i] = contact.any() ? 1 : 0;
  }
};

/// The record's fields that all contacts of shapes have.
TOCSIN_HD inline ContactRecord shape_record(const HullWalk::Contact& contact,
                                            const WorldFrames& world, const FramePair& frames,
                                            const Hull& f, const Hull& g) {
  ContactPoint at = place_of(world, frames, f, g, contact.place_time());
  at.point = at.point + g.radius * at.normal;
  ContactRecord out = record_of(contact, at);
  out.link_feature = first_of(contact.triangle());
  return out;
}

/// Writes the contact of every segment that has one.
struct RecordShapeContacts {
  NearRoom near_room;
  const std::uint64_t* keys = nullptr;
  const ShapeSegment* segments = nullptr;
  const std::uint32_t* touched = nullptr;
  ContactRecord* records = nullptr;

  TOCSIN_HD void operator()(std::size_t i) const {
    const ShapeSegment& segment = segments[touched[i]];
    const std::uint32_t near = candidate_of(keys[segment.begin]).near;
    const LinkMotion& motion = near_room.swept[near].motion;
    const FrameMotion moving = frame_motion(motion);
    const FrameMotion room = still_frame(motion);
    const std::uint32_t triangle = second_of(segment.contact.triangle());
    LoneHull none;
    const HullTree first = tree_of(near_room.view, near_room.links[near], none);
    const LoneHull second = lone_hull(near_room.triangle(near, triangle).v, 3);
    ContactRecord record =
        shape_record(segment.contact, {moving, room}, frame_pair(moving, room),
                     first.hull(first_of(segment.contact.triangle())), second.tree(0.0).hull(0));
    record.link = near_room.links[near];
    record.object = near_room.room.object_of[triangle];
    record.triangle = triangle - near_room.room.first_triangle[record.object];
    records[i] = record;
  }
};

/// The motion of a link with its own radius: what may_graze asks, so that no answer depends on how
/// much larger a sphere around a shape is made.
TOCSIN_HD inline LinkMotion plain_motion(const View& v, std::uint32_t link) {
  LinkMotion m = link_motion(v, link);
  m.radius = model_link(v, link).radius + v.margin;
  return m;
}

/// Searches pairs of links of which one has a shape, one pair a thread.
struct SearchPairs {
  View view;
  const LinkPair* pairs = nullptr;
  double tolerance = 0.0;  ///< step time
  StepTally* tallies = nullptr;
  HullWalk::Contact* contacts = nullptr;
  std::uint8_t* touched = nullptr;

  TOCSIN_HD void operator()(std::size_t i) const {
    const LinkPair& pair = pairs[i];
    const LinkMotion m = plain_motion(view, pair.first);
    const LinkMotion n = plain_motion(view, pair.second);
    const FramePair frames = frame_pair(frame_motion(m), frame_motion(n));
    LoneHull one;
    LoneHull two;
    const HullTree first = tree_of(view, pair.first, one);
    const HullTree second = tree_of(view, pair.second, two);
    HullWalk walk(frames, first, tolerance);
    HullWalk::Contact contact;
    WalkTally tally;
    const bool finished = walk.add(second, 0, contact, tally);
    add_walk(tally, finished, tallies[view.step_of_link[pair.first]]);
    contacts[i] = contact;
    const bool grazes = contact.any() && contact.touch() == Touch::kGraze;
    touched[i] = contact.any() && !(grazes && !may_graze(m, n)) ? 1 : 0;
  }
};

/// Writes the contact of every pair that has one.
struct RecordShapePairs {
  View view;
  const LinkPair* pairs = nullptr;
  const HullWalk::Contact* contacts = nullptr;
  const std::uint32_t* touched = nullptr;
  ContactRecord* records = nullptr;

  TOCSIN_HD void operator()(std::size_t i) const {
    const LinkPair& pair = pairs[touched[i]];
    const HullWalk::Contact& contact = contacts[touched[i]];
    const FrameMotion a = frame_motion(link_motion(view, pair.first));
    const FrameMotion b = frame_motion(link_motion(view, pair.second));
    LoneHull one;
    LoneHull two;
    const HullTree first = tree_of(view, pair.first, one);
    const HullTree second = tree_of(view, pair.second, two);
    ContactRecord record =
        shape_record(contact, {a, b}, frame_pair(a, b), first.hull(first_of(contact.triangle())),
                     second.hull(second_of(contact.triangle())));
    if (!has_shape(view, pair.first)) record.link_feature = kNone;
    if (has_shape(view, pair.second)) record.other_feature = second_of(contact.triangle());
    record.link = pair.first;
    record.other = pair.second;
    records[i] = record;
  }
};

}  // namespace tocsin::core::batch
