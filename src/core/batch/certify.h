// From segments to contacts: bodies of the second half of the certify stage. docs/cuda.md,
// "Stages".
//
// Why the answer is the CPU's although other triangles are left out. certify is a pure function of
// (motion, triangle, tolerance): stop_after only turns answers with lo > stop_after into kPruned
// (docs/exact.md). PairContact folds certificates in any order to the same. What is left out here:
//   - in a segment with an overlap all others: the fold's answer is [0, 0] with the least
//     overlapping triangle whatever the others answer;
//   - elsewhere, triangles with free_until or lo beyond hi, the first one's proved touch. Such a
//     triangle certifies as free, or with a lo above hi. The fold's lo is at most the first's, so
//     at most hi: this lo is not the least. Its hi, no less than its lo, is not the least either.
//     So it gives neither the key nor the bracket. It has no other effect: the pair is a hit
//     already, hits are never `limited`, and a graze changes only the lo of a hit.
// The CPU leaves out others, by the same argument, and both are the fold of all.
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/batch/layout.h"
#include "core/batch/segments.h"
#include "core/bounds/may_touch.h"
#include "core/query/certify.h"
#include "core/query/contact_point.h"
#include "core/query/pair_contact.h"
#include "core/vector/atomic.h"
#include "core/vector/read_again.h"

namespace tocsin::core::batch {

/// An overlap decides for all of its segment.
TOCSIN_HD inline bool decided(const Segment& segment) { return segment.urgency == 0; }

/// The encounter of a survivor, made anew from the room each time: certify has no registers to keep
/// a triangle in while it evaluates the link's motion (docs/cuda.md, "Registers").
struct SurvivorEncounter {
  const NearRoom& near_room;
  const SweptLink& swept;
  Candidate candidate;
  double eta;
  TOCSIN_HD Encounter operator()() const {
    const NearRoom& room = *read_again(&near_room);
    return {room.triangle(candidate.near, candidate.triangle), swept.motion.radius, eta};
  }
};

/// certify for survivors of a batch.
struct Certifier {
  NearRoom near_room;
  const std::uint64_t* keys = nullptr;
  Certificate* answers = nullptr;  ///< per survivor

  TOCSIN_HD void certify_survivor(std::uint32_t survivor, double stop_after) const {
    const Candidate c = candidate_of(keys[survivor]);
    const SweptLink& swept = near_room.swept[c.near];
    const double eta = detail::margin_of(swept.motion, near_room.triangle(c.near, c.triangle));
    Certificate answer = detail::certify_from<evaluate>(swept.motion, near_room.at0[c.near],
                                                        SurvivorEncounter{near_room, swept, c, eta},
                                                        eta, near_room.tolerance, stop_after);
    atomic_add(near_room.tallies[near_room.step_of(c.near)].evaluations,
               static_cast<std::uint64_t>(answer.evaluations));
    // A graze that a volume of the link proves free counts as free, so that no answer depends on
    // the tree.
    if (answer.outcome == Outcome::kGraze) {
      const Corners v = corners_of(near_room.room, c.triangle);
      if (!may_graze(swept, v.a, v.b, v.c, near_room.room.farthest))
        answer.outcome = Outcome::kFree;
    }
    answers[survivor] = answer;
  }
  TOCSIN_HD void add(Segment& segment, std::uint32_t survivor) const {
    const std::uint32_t triangle = candidate_of(keys[survivor]).triangle;
    segment.pair.add(triangle - near_room.room.first_triangle[near_room.room.object_of[triangle]],
                     answers[survivor]);
  }
};

/// Certifies the first of every open segment, one segment a thread.
struct CertifyFirsts {
  Certifier certifier;
  const std::uint32_t* open = nullptr;
  Segment* segments = nullptr;
  TOCSIN_HD void operator()(std::size_t i) const {
    Segment& segment = segments[open[i]];
    certifier.certify_survivor(segment.first, kToEnd);
    certifier.add(segment, segment.first);
  }
};

/// wanted[i] is 1 if survivor i is still to be certified.
struct WantOthers {
  Survivors survivors;
  const Segment* segments = nullptr;
  std::uint8_t* wanted = nullptr;
  TOCSIN_HD void operator()(std::size_t i) const {
    const Segment& segment = segments[survivors.segment(i)];
    const bool beyond = survivors.until(i) > segment.pair.stop_after();
    wanted[i] = !decided(segment) && !beyond && i != segment.first ? 1 : 0;
  }
};

/// Certifies the wanted survivors, one a thread.
struct CertifyOthers {
  Certifier certifier;
  Survivors survivors;
  const std::uint32_t* wanted = nullptr;
  const Segment* segments = nullptr;
  TOCSIN_HD void operator()(std::size_t i) const {
    const std::uint32_t survivor = wanted[i];
    certifier.certify_survivor(survivor, segments[survivors.segment(survivor)].pair.stop_after());
  }
};

/// Folds the certificates into their segments, one segment a thread. touched[i]: there is a
/// contact.
struct FoldSegments {
  Certifier certifier;
  const std::uint8_t* wanted = nullptr;  ///< per survivor
  Segment* segments = nullptr;
  std::uint8_t* touched = nullptr;
  TOCSIN_HD void operator()(std::size_t i) const {
    Segment& segment = segments[i];
    touched[i] = 1;
    if (decided(segment)) return;
    for (std::uint32_t k = segment.begin; k < segment.end; ++k) {
      if (wanted[k] != 0) certifier.add(segment, k);
    }
    touched[i] = segment.pair.any() ? 1 : 0;
  }
};

/// The record's fields that all kinds of contacts have. place: at pair.place_time().
template <class Index>
TOCSIN_HD inline ContactRecord record_of(const PairContactOf<Index>& pair,
                                         const ContactPoint& place) {
  ContactRecord out;
  out.triangle = static_cast<std::uint32_t>(pair.triangle());
  out.status = static_cast<std::uint8_t>(pair.touch());
  out.limited = pair.limited() ? 1 : 0;
  out.lo = pair.lo();
  out.hi = pair.hi();
  out.place_time = pair.place_time();
  out.point = place.point;
  out.normal = place.normal;
  out.has_normal = place.has_normal ? 1 : 0;
  return out;
}

/// Writes the contact of every segment that has one.
struct RecordContacts {
  NearRoom near_room;
  const std::uint64_t* keys = nullptr;
  const Segment* segments = nullptr;
  const std::uint32_t* touched = nullptr;
  ContactRecord* records = nullptr;

  TOCSIN_HD void operator()(std::size_t i) const {
    const Segment& segment = segments[touched[i]];
    const Candidate any = candidate_of(keys[segment.begin]);
    const std::uint32_t object = near_room.room.object_of[any.triangle];
    const LinkMotion& motion = near_room.swept[any.near].motion;
    const double t = segment.pair.place_time();
    const AxisState axis = t > 0.0 ? evaluate(motion, t) : near_room.at0[any.near];
    const std::uint32_t triangle = near_room.room.first_triangle[object] + segment.pair.triangle();
    ContactRecord record = record_of(
        segment.pair, contact_point(motion, axis, near_room.triangle(any.near, triangle)));
    record.link = near_room.links[any.near];
    record.object = object;
    records[i] = record;
  }
};

}  // namespace tocsin::core::batch
