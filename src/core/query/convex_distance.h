// How far two convex bodies are apart, and the features that are nearest: Gilbert, Johnson and
// Keerthi's method on corners that are found by walks from where earlier walks ended.
// docs/nearest.md; papers 000 and 002, section 3.
#pragma once

#include <cmath>
#include <cstdint>

#include "core/query/convex_climb.h"
#include "core/query/convex_simplex.h"
#include "core/vector/hd.h"
#include "core/vector/vec.h"

namespace tocsin::core {

/// A convex body in its frame.
struct ConvexBodyView {
  ConvexGraph graph;
  Vec3 centre;         ///< any point of it
  double reach = 0.0;  ///< greatest distance of a corner from the frame's origin, metres
};

/// Where the second body's frame is, as the first's sees it.
struct ConvexPlace {
  Mat3 turn;    ///< a rotation: second to first
  Mat3 back;    ///< its transpose
  Vec3 origin;  ///< metres
};

/// The corners at which walks ended, by the round that asked for them. No answer depends on it.
struct ConvexMemory {
  /// Rounds whose corners are kept. Most pairs need fewer; a later round starts where the last one
  /// that is kept did.
  static constexpr std::int32_t kRounds = 16;
  std::uint32_t first[kRounds]{};
  std::uint32_t second[kRounds]{};
  std::int32_t known = 0;  ///< rounds that are set
};

/// Rounds after which the answer is what is proved so far. Pairs of 20,000 faces need up to some
/// twenty. Larger: costs nothing as long as none gets there.
inline constexpr std::int32_t kMostRounds = 128;

/// What is known of two bodies, in the first one's frame, metres.
struct ConvexAnswer {
  DifferenceSimplex simplex;  ///< the nearest features' corners; where they meet, the last ones
  double upper = HUGE_VAL;    ///< two points of both are so far apart
  double lower = -HUGE_VAL;   ///< along `normal` they are so far apart; below 0: they may overlap
  Vec3 normal;                ///< of unit length, from the second to the first
  double error = 0.0;         ///< upper and lower are off by less, by rounding
  bool apart = false;         ///< upper > error: what is above is all. Else search their depth.
  std::int32_t rounds = 0;
  std::uint32_t steps = 0;  ///< of the walks
};

/// Two bodies while they are asked about.
class ConvexMeeting {
 public:
  /// What is referred to must outlive this.
  TOCSIN_HD ConvexMeeting(const ConvexBodyView& first, const ConvexBodyView& second,
                          const ConvexPlace& place, ConvexMemory& memory)
      : first_(first),
        second_(second),
        place_(place),
        memory_(memory),
        error_(0x1p-44 * ((first.reach + second.reach) + norm(place.origin))) {}

  /// What rounding may do to any distance, metres. docs/nearest.md, "Errors".
  [[nodiscard]] TOCSIN_HD double error() const { return error_; }
  [[nodiscard]] TOCSIN_HD std::uint32_t steps() const { return steps_; }

  /// The corner of the difference that is least along n.
  TOCSIN_HD DifferenceCorner least_along(const Vec3& n) {
    DifferenceCorner out;
    start_walks(n);
    out.first = climb(first_.graph, -n, at_first_, steps_);
    out.second = climb(second_.graph, place_.back * n, at_second_, steps_);
    at_first_ = out.first;
    at_second_ = out.second;
    out.a = first_.graph.corners[out.first];
    out.b = place_.turn * second_.graph.corners[out.second] + place_.origin;
    out.w = out.a - out.b;
    if (round_ < ConvexMemory::kRounds) {
      memory_.first[round_] = out.first;
      memory_.second[round_] = out.second;
      if (memory_.known <= round_) memory_.known = round_ + 1;
    }
    ++round_;
    return out;
  }

  TOCSIN_HD ConvexAnswer run() {
    ConvexAnswer out;
    out.error = error_;
    Vec3 n = first_.centre - (place_.turn * second_.centre + place_.origin);
    if (!(norm(n) > kLeastLength)) n = {1.0, 0.0, 0.0};
    while (round_ < kMostRounds && advance(n, out)) n = out.simplex.normal;
    if (out.apart && out.upper - out.lower > error_) prove(out, out.simplex.z);
    out.rounds = round_;
    out.steps = steps_;
    return out;
  }

 private:
  /// Where the walks for this round begin: where those of the same round ended before, or those of
  /// the last round, whichever is farther along.
  TOCSIN_HD void start_walks(const Vec3& n) {
    const std::int32_t kept = round_ < ConvexMemory::kRounds ? round_ : ConvexMemory::kRounds - 1;
    if (kept >= memory_.known) return;
    const std::uint32_t i = memory_.first[kept];
    const std::uint32_t j = memory_.second[kept];
    const Vec3* a = first_.graph.corners;
    const Vec3* b = second_.graph.corners;
    if (i < first_.graph.count && dot(n, a[i] - a[at_first_]) < 0.0) at_first_ = i;
    if (j < second_.graph.count && dot(place_.back * n, b[j] - b[at_second_]) > 0.0) {
      at_second_ = j;
    }
  }

  /// Keeps the best lower bound. False if n has no direction.
  TOCSIN_HD bool bound(const Vec3& n, const DifferenceCorner& least, ConvexAnswer& out) const {
    const double length = norm(n);
    if (!(length > kLeastLength)) return false;
    const Vec3 unit = (1.0 / length) * n;
    const double gap = dot(unit, least.w);
    if (gap > out.lower) {
      out.lower = gap;
      out.normal = unit;
    }
    return true;
  }

  TOCSIN_HD void prove(ConvexAnswer& out, const Vec3& n) {
    if (norm(n) > kLeastLength) bound(n, least_along(n), out);
  }

  /// One round. True if another may find more.
  TOCSIN_HD bool advance(const Vec3& n, ConvexAnswer& out) {
    if (!(norm(n) > kLeastLength)) return false;
    const DifferenceCorner p = least_along(n);
    bound(n, p, out);
    if (out.upper - out.lower <= 0.25 * error_ || has(out.simplex, p)) return false;
    const DifferenceSimplex next = with_corner(out.simplex, p);
    if (next.inside && !(out.lower > error_)) {
      out.simplex = next;
      out.upper = 0.0;
      out.apart = false;
      return false;
    }
    if (next.inside || (out.simplex.count > 0 && !(next.squared < out.simplex.squared))) {
      return false;
    }
    out.simplex = next;
    out.upper = std::sqrt(next.squared);
    out.apart = out.upper > error_;
    return out.apart;
  }

  TOCSIN_HD static bool has(const DifferenceSimplex& simplex, const DifferenceCorner& p) {
    for (std::int32_t i = 0; i < simplex.count; ++i) {
      if (simplex.corner[i].first == p.first && simplex.corner[i].second == p.second) return true;
    }
    return false;
  }

  const ConvexBodyView& first_;
  const ConvexBodyView& second_;
  const ConvexPlace& place_;
  ConvexMemory& memory_;
  double error_;
  std::int32_t round_ = 0;
  std::uint32_t steps_ = 0;
  std::uint32_t at_first_ = 0;
  std::uint32_t at_second_ = 0;
};

}  // namespace tocsin::core
