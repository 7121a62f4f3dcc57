#include "oracle/hulls/prove_hulls.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace tocsin::oracle {
namespace {

// Most pairs of parts for one interval of time. Larger: parts are tried where halving the time is
// cheaper. Smaller: hulls that pivot cost more intervals.
constexpr int kMostParts = 8;

// Above the rounding of the length of a difference of units, 2^-63; the planes that it costs are
// none.
constexpr Real kTurnRoom = 0x1p-60L;

std::vector<RealVec> widened(std::span<const Vec3> corners) {
  std::vector<RealVec> out;
  for (const Vec3& corner : corners) out.push_back(widen<Real>(corner));
  return out;
}

Real slack_of(const HullPath& first, const HullPath& second) {
  const Real apart = length(widen<Real>(second.origin()) - widen<Real>(first.origin()));
  return rounding_slack(first.bounds(), apart) + rounding_slack(second.bounds(), apart);
}

}  // namespace

HullPath::HullPath(const MovingHull& hull)
    : HullPath(std::make_shared<const MovingFrame>(hull.chain, hull.kind), widened(hull.corners)) {}

HullPath::HullPath(std::shared_ptr<const MovingFrame> frame, std::span<const RealVec> corners)
    : frame_(std::move(frame)) {
  for (const RealVec& corner : corners) {
    const MotionBounds b = frame_->bounds().of(length(corner));
    acceleration_[corners_.count] = b.acceleration_a;
    if (corners_.count == 0 || b.reach > bounds_.reach) bounds_ = b;
    corners_.at[corners_.count++] = corner;
  }
}

Corners HullPath::at(Real t) const {
  const Frame<Real>& frame = frame_->at(t);
  Corners out;
  for (std::size_t i = 0; i < corners_.count; ++i) out.at[i] = frame(corners_.at[i]);
  out.count = corners_.count;
  return out;
}

HullProver::HullProver(const HullPath& first, const HullPath& second, Real radius)
    : IntervalProver(radius, slack_of(first, second), first.bounds().speed + second.bounds().speed,
                     Tests::kLipschitzAndPlanes),
      first_(first),
      second_(second),
      shift_(widen<Real>(second.origin()) - widen<Real>(first.origin())) {}

HullProver::Instant HullProver::at(Real t) const {
  Instant i;
  i.t = t;
  i.hulls = {first_.at(t), second_.at(t)};
  for (RealVec& corner : i.hulls[1].at) corner = corner + shift_;
  const HullSeparation seen = separation(i.hulls[0], i.hulls[1], slack());
  i.apart = seen.apart;
  i.planes = seen.planes;
  return i;
}

// A part of a hull at two times.
struct HullProver::Part {
  Corners left;
  Corners right;
  std::array<Real, 3> acceleration{};
};

struct HullProver::Parts {
  Part first;
  Part second;
};

namespace {

// The longest side of a part: from this corner to the next.
std::size_t longest_side(const Corners& c, Real& square) {
  std::size_t best = 0;
  square = 0.0L;
  for (std::size_t i = 0; i < (c.count == 3 ? 3U : c.count - 1); ++i) {
    const RealVec side = c.at[(i + 1) % c.count] - c.at[i];
    if (inner(side, side) <= square) continue;
    square = inner(side, side);
    best = i;
  }
  return best;
}

// One half of a part that is cut in the middle of a side.
template <class Part>
Part half_of(Part part, std::size_t side, bool second) {
  const std::size_t next = (side + 1) % part.left.count;
  const std::size_t moved = second ? side : next;
  for (Corners* c : {&part.left, &part.right}) {
    c->at[moved] = 0.5L * (c->at[side] + c->at[next]);
  }
  part.acceleration[moved] = 0.5L * (part.acceleration[side] + part.acceleration[next]);
  return part;
}

}  // namespace

Real rounding_slack(const MovingFrame& first, Real arm, const MovingFrame& second, Real other_arm) {
  const Real apart = length(widen<Real>(second.origin()) - widen<Real>(first.origin()));
  return rounding_slack(first.bounds().of(arm), apart) +
         rounding_slack(second.bounds().of(other_arm), apart);
}

bool stay_apart(Real m0, Real m1, Real bend, Real duration) {
  return m0 > 0.0L && m1 > 0.0L &&
         std::sqrt(m0) + std::sqrt(m1) > duration * std::sqrt(0.5L * bend);
}

// All points of both parts are convex combinations of the corners, with one direction for all at
// each time: if every two corners stay apart, so do they. The direction goes straight from n0 to
// n1; it is never longer than a unit, and where points move across it, their margin bends by that.
bool HullProver::clear_across(const RealVec& n0, const RealVec& n1, const Parts& parts,
                              Real duration) const {
  const Real needed = radius() + 2.0L * slack();
  const Real turn = (length(n1 - n0) + kTurnRoom) / duration;
  const Real turn_bend = 2.0L * turn * (first_.bounds().speed + second_.bounds().speed);
  const Part& f = parts.first;
  const Part& g = parts.second;
  for (std::size_t i = 0; i < f.left.count; ++i) {
    for (std::size_t j = 0; j < g.left.count; ++j) {
      const Real m0 = inner(n0, f.left.at[i] - g.left.at[j]) - needed;
      const Real m1 = inner(n1, f.right.at[i] - g.right.at[j]) - needed;
      const Real bend = f.acceleration[i] + g.acceleration[j] + turn_bend;
      if (!stay_apart(m0, m1, bend, duration)) return false;
    }
  }
  return true;
}

// Whether the nearest points alone would pass. If not, no cut of the parts helps.
bool HullProver::points_clear(const PartingPlanes& seen, const Parts& parts, Real duration) const {
  Real m0 = -(radius() + 2.0L * slack());
  Real m1 = m0;
  Real bend = 0.0L;
  for (std::size_t i = 0; i < parts.first.left.count; ++i) {
    m0 += seen.weight[i] * inner(seen.direction, parts.first.left.at[i]);
    m1 += seen.weight[i] * inner(seen.direction, parts.first.right.at[i]);
    bend += seen.weight[i] * parts.first.acceleration[i];
  }
  for (std::size_t i = 0; i < parts.second.left.count; ++i) {
    m0 -= seen.other_weight[i] * inner(seen.direction, parts.second.left.at[i]);
    m1 -= seen.other_weight[i] * inner(seen.direction, parts.second.right.at[i]);
    bend += seen.other_weight[i] * parts.second.acceleration[i];
  }
  return stay_apart(m0, m1, bend, duration);
}

std::array<PartingPlanes, 2> HullProver::planes_of(const Parts& parts) {
  return {parting_planes(parts.first.left, parts.second.left),
          parting_planes(parts.first.right, parts.second.right)};
}

// Covers the pair of hulls with parts. Each pair of parts is separated by a plane of its own.
bool HullProver::clear_between(const Instant& left, const Instant& right) const {
  const Real duration = (right.t - left.t) * (1.0L + 0x1p-40L);
  Parts whole{{left.hulls[0], right.hulls[0], {}}, {left.hulls[1], right.hulls[1], {}}};
  for (std::size_t i = 0; i < 3; ++i) {
    whole.first.acceleration[i] = first_.acceleration(i);
    whole.second.acceleration[i] = second_.acceleration(i);
  }
  std::vector<Parts> open = {whole};
  for (int tried = 0; !open.empty(); ++tried) {
    if (tried == kMostParts) return false;
    const Parts parts = open.back();
    open.pop_back();
    const std::array<PartingPlanes, 2> seen =
        tried == 0 ? std::array{left.planes, right.planes} : planes_of(parts);
    if (clear_across(seen[0].direction, seen[1].direction, parts, duration)) continue;
    bool clear = false;
    bool hope = false;
    for (const PartingPlanes& planes : seen) {
      if (!points_clear(planes, parts, duration)) continue;
      hope = true;
      clear = clear_across(planes.direction, planes.direction, parts, duration);
      if (clear) break;
    }
    if (clear) continue;
    if (!hope) return false;
    Real size_f = 0.0L;
    Real size_g = 0.0L;
    const std::size_t side_f = longest_side(parts.first.left, size_f);
    const std::size_t side_g = longest_side(parts.second.left, size_g);
    if (!(std::max(size_f, size_g) > 0.0L)) return false;
    for (const bool second : {false, true}) {
      Parts half = parts;
      if (size_f >= size_g) {
        half.first = half_of(parts.first, side_f, second);
      } else {
        half.second = half_of(parts.second, side_g, second);
      }
      open.push_back(half);
    }
  }
  return true;
}

}  // namespace tocsin::oracle
