#include "detect/scene/deforming_pair.h"

#include "core/motion/surroundings.h"
#include "core/query/hull_walk.h"
#include "detect/shapes/feature_search.h"
#include "detect/step/contact_at.h"
#include "detect/step/stopped.h"

namespace tocsin::detect {
namespace {

/// Relative to all coordinates: far above what they were rounded by, far below what culls less.
constexpr double kBoxRoom = 0x1p-20;

core::DeformingTriangle relative_to(const MovingTriangle& triangle, const Vec3& ref) {
  core::DeformingTriangle out;
  for (std::size_t i = 0; i < 3; ++i) {
    out.corner[i] = core::to_double(triangle.from[i]) - ref;
    out.change[i] = core::to_double(triangle.to[i]) - core::to_double(triangle.from[i]);
  }
  return out;
}

}  // namespace

core::Box box_of(const MovingTriangle& triangle) {
  core::Box out;
  for (const Vec3f& p : triangle.from) out = core::join(out, core::box_of(p));
  for (const Vec3f& p : triangle.to) out = core::join(out, core::box_of(p));
  return out;
}

std::optional<Contact> DeformingPair::contact(std::span<const MovingTriangle> first,
                                              std::span<const MovingTriangle> second,
                                              std::uint32_t object, const DeformingLimits& limits,
                                              StepCounters& counters) {
  if (first.empty() || second.empty()) return std::nullopt;
  boxes_.clear();
  for (const auto& triangles : {first, second}) {
    for (const MovingTriangle& triangle : triangles) {
      const core::Box box = box_of(triangle);
      const double more =
          0.5 * limits.margin * (1.0 + kBoxRoom) + kBoxRoom * core::farthest_corner({}, box);
      boxes_.push_back(core::grown_box(core::to_double(box.lo), core::to_double(box.hi), more));
    }
  }
  // Near what is asked about: coordinates relative to it lose little.
  const Vec3 ref = core::to_double(first.front().from[0]);
  PairContactOf<FeaturePair> pair;
  const auto count = static_cast<std::uint32_t>(first.size());
  std::uint32_t asked = 0;
  for (const cpu::BodyPair& near : sweep_.pairs(boxes_)) {  // in order
    const auto i = static_cast<std::uint32_t>(near.first);
    const auto j = static_cast<std::uint32_t>(near.second);
    if (i >= count || j < count) continue;
    if (++asked % kStopEvery == 0) go_on(limits.stop);
    const core::Certificate c =
        core::certify_deforming(relative_to(first[i], ref), relative_to(second[j - count], ref),
                                limits.margin, limits.tolerance, pair.stop_after());
    ++counters.candidates;
    counters.evaluations += static_cast<std::uint64_t>(c.evaluations);
    pair.add(feature_pair(i, j - count), c);
  }
  if (!pair.any()) return std::nullopt;
  const MovingTriangle& f = first[first_of(pair.triangle())];
  const MovingTriangle& g = second[second_of(pair.triangle())];
  Contact out;
  pair.set(out);
  core::ContactPoint at =
      core::place_of(relative_to(f, ref), relative_to(g, ref), pair.place_time());
  at.point = ref + at.point;
  set_place(out, at);
  out.touched = RoomTriangle{object, g.triangle};
  out.link_feature = f.triangle;
  return out;
}

}  // namespace tocsin::detect
