// From the candidates of a batch to the survivors of each (near link, object): bodies of the first
// half of the certify stage. docs/cuda.md, "Stages".
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

#include "core/batch/layout.h"
#include "core/motion/swept_link.h"
#include "core/query/contact_point.h"
#include "core/query/early_out.h"
#include "core/query/pair_contact.h"
#include "core/vector/atomic.h"

namespace tocsin::core::batch {

/// The input of certify: a batch, its room, and the links that are near the room.
struct NearRoom {
  View view;
  RoomView room;
  const std::uint32_t* links = nullptr;  ///< of the batch, per near link
  const SweptLink* swept = nullptr;      ///< per near link
  const AxisState* at0 = nullptr;        ///< per near link
  double tolerance = 0.0;                ///< step time
  StepTally* tallies = nullptr;          ///< per step

  [[nodiscard]] TOCSIN_HD std::uint32_t step_of(std::uint32_t near) const {
    return view.step_of_link[links[near]];
  }
  /// The triangle relative to the near link's ref.
  [[nodiscard]] TOCSIN_HD Triangle triangle(std::uint32_t near, std::uint32_t index) const {
    const Corners c = corners_of(room, index);
    return triangle_seen_from(swept[near].motion.ref, c.a, c.b, c.c);
  }
  [[nodiscard]] TOCSIN_HD bool active(std::uint32_t near, std::uint32_t index) const {
    const BatchStep& step = view.steps[step_of(near)];
    if (step.mask == kNone) return true;
    const std::size_t link = links[near] - step.first_link;
    return view.masks[step.mask + link * room.object_count + room.object_of[index]] == 0;
  }
};

/// Means "overlaps at t = 0" in place of the time until which a candidate is free.
inline constexpr double kOverlaps = -1.0;

/// Early-out, one candidate a thread. kept[i] is 1 if the candidate needs certify, or if it
/// overlaps; then free_until[i] is set.
struct EarlyOuts {
  NearRoom near_room;
  const Candidate* candidates = nullptr;
  std::uint8_t* kept = nullptr;
  double* free_until = nullptr;

  TOCSIN_HD void operator()(std::size_t i) const {
    const auto [near, index] = candidates[i];
    kept[i] = 0;
    if (!near_room.active(near, index)) return;
    StepTally& tally = near_room.tallies[near_room.step_of(near)];
    atomic_add(tally.candidates, 1);
    atomic_add(tally.evaluations, 1);
    const EarlyOut out = early_out(near_room.swept[near].motion, near_room.at0[near],
                                   near_room.triangle(near, index));
    if (out.kind == EarlyOut::Kind::kFree) return;
    kept[i] = 1;
    free_until[i] = out.kind == EarlyOut::Kind::kOverlap ? kOverlaps : out.free_until;
  }
};

/// Keys in the order of which survivors are taken: by near link, then triangle, so by object.
TOCSIN_HD constexpr std::uint64_t key_of(const Candidate& c) {
  return std::uint64_t{c.near} << 32 | c.triangle;
}
TOCSIN_HD constexpr Candidate candidate_of(std::uint64_t key) {
  return {static_cast<std::uint32_t>(key >> 32), static_cast<std::uint32_t>(key)};
}

struct MakeKeys {
  const Candidate* candidates = nullptr;
  const std::uint32_t* chosen = nullptr;
  std::uint64_t* keys = nullptr;
  TOCSIN_HD void operator()(std::size_t i) const { keys[i] = key_of(candidates[chosen[i]]); }
};

/// A near link and an object that it may touch: survivors begin ... end - 1.
struct Segment {
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
  std::uint32_t urgency = kNone;  ///< the least of all survivors
  /// The first survivor of that urgency: it decides (an overlap), or is certified before all
  /// others.
  std::uint32_t first = kNone;
  PairContact pair;
};

/// Lower is sooner; 0 only for an overlap. Times that are equal as floats are equal: the order of
/// certification changes no answer. free_until: in [0, 1], or kOverlaps.
TOCSIN_HD inline std::uint32_t urgency_of(double free_until) {
  return free_until < 0.0 ? 0 : 1 + std::bit_cast<std::uint32_t>(static_cast<float>(free_until));
}

/// heads[i] is 1 where survivor i is its segment's first. Sorted keys.
struct MarkHeads {
  RoomView room;
  const std::uint64_t* keys = nullptr;
  std::uint32_t* heads = nullptr;
  TOCSIN_HD void operator()(std::size_t i) const { heads[i] = i == 0 || differs(i) ? 1 : 0; }

 private:
  [[nodiscard]] TOCSIN_HD bool differs(std::size_t i) const {
    const Candidate a = candidate_of(keys[i - 1]);
    const Candidate b = candidate_of(keys[i]);
    return a.near != b.near || room.object_of[a.triangle] != room.object_of[b.triangle];
  }
};

/// Writes where segments begin and end. ranks: exclusive sum of heads, count + 1 of them; survivor
/// i is of segment ranks[i + 1] - 1.
struct PlaceSegments {
  const std::uint64_t* ranks = nullptr;
  std::size_t count = 0;  ///< of survivors
  Segment* segments = nullptr;
  TOCSIN_HD void operator()(std::size_t i) const {
    const std::uint64_t segment = ranks[i + 1] - 1;
    Segment& out = segments[segment];
    if (ranks[i] == segment) {
      out.begin = static_cast<std::uint32_t>(i);
      out.urgency = out.first = kNone;
      out.pair = PairContact();
    }
    if (i + 1 == count || ranks[i + 2] != ranks[i + 1]) {
      out.end = static_cast<std::uint32_t>(i + 1);
    }
  }
};

/// The survivors' free times, and their segments.
struct Survivors {
  const double* free_until = nullptr;     ///< per candidate
  const std::uint32_t* chosen = nullptr;  ///< per survivor, the candidate
  const std::uint64_t* ranks = nullptr;
  [[nodiscard]] TOCSIN_HD double until(std::size_t i) const { return free_until[chosen[i]]; }
  [[nodiscard]] TOCSIN_HD std::size_t segment(std::size_t i) const { return ranks[i + 1] - 1; }
};

/// Finds the urgency of every segment, one survivor a thread.
struct FindUrgency {
  Survivors survivors;
  Segment* segments = nullptr;
  TOCSIN_HD void operator()(std::size_t i) const {
    atomic_least(segments[survivors.segment(i)].urgency, urgency_of(survivors.until(i)));
  }
};

/// Finds the first of every segment, one survivor a thread. Survivors of a segment are in order of
/// triangles: of overlaps it is the one with the least.
struct FindFirst {
  Survivors survivors;
  Segment* segments = nullptr;
  TOCSIN_HD void operator()(std::size_t i) const {
    Segment& segment = segments[survivors.segment(i)];
    if (urgency_of(survivors.until(i)) == segment.urgency) {
      atomic_least(segment.first, static_cast<std::uint32_t>(i));
    }
  }
};

/// Decides the segments with an overlap, one segment a thread. open: 1 for all others.
struct OpenSegments {
  RoomView room;
  const std::uint64_t* keys = nullptr;
  Segment* segments = nullptr;
  std::uint8_t* open = nullptr;
  TOCSIN_HD void operator()(std::size_t i) const {
    Segment& segment = segments[i];
    open[i] = segment.urgency != 0 ? 1 : 0;
    if (open[i] != 0) return;
    const std::uint32_t triangle = candidate_of(keys[segment.first]).triangle;
    segment.pair.add(triangle - room.first_triangle[room.object_of[triangle]],
                     {Outcome::kOverlap, 0.0, 0.0, false, 0});
  }
};

}  // namespace tocsin::core::batch
