// Random avatars that move through each other, for tests of pairs of links. Fixed seeds only.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "core/query/link_pair.h"
#include "scene/swept/step_motion.h"
#include "support/scenes/random_scene.h"
#include "tocsin/detector.h"

namespace tocsin::test {

/// Some avatars, and one step of each.
struct RandomCrowd {
  std::vector<Member> members;
  std::vector<Motion> motions;
  std::vector<StepList> steps;  ///< of every motion

  /// The step of every member at one instant.
  [[nodiscard]] std::vector<Step> at(std::size_t instant) const {
    std::vector<Step> out;
    for (const StepList& list : steps) out.push_back(list[instant]);
    return out;
  }
};

/// `count` avatars of 3 to 8 links within `size` metres, in every direction; with all pairs of
/// their own links but neighbours if `self`.
inline RandomCrowd random_crowd(RandomLinks& random, int count, int frames, double size,
                                bool self) {
  RandomCrowd out;
  for (int i = 0; i < count; ++i) {
    const int joints = 4 + static_cast<int>(random.uniform(0, 5.99));
    const RandomTake take = random_take(random, joints, frames, i % 3 == 0 ? 0.6 : 0.1, 0.15);
    const Placement placement{random.vector(0, size), random.uniform(-180, 180)};
    const Motion motion = *take.motion.placed(placement);
    StepRange range;
    if (i % 2 == 1) range.in_between = InBetween::kTranslateRotate;
    out.steps.push_back(motion.steps(range).value());
    out.motions.push_back(motion);
    out.members.push_back({take.avatar, {}, self ? LinkPairs::of(take.avatar) : LinkPairs{}});
  }
  return out;
}

/// One avatar's exact motions over a step.
class Motions {
 public:
  Motions(const Avatar& avatar, const Step& step, double margin = 0.0) {
    motion_.set_motions(avatar, step, margin);
  }
  [[nodiscard]] std::size_t size() const { return motion_.links().size(); }
  [[nodiscard]] const core::LinkMotion& operator[](std::size_t i) const {
    return motion_.links()[i].motion;
  }

 private:
  scene::StepMotion motion_;
};

/// The contact of two links as certify_pair tells it, by nothing else; without point and normal.
inline std::optional<Contact> contact_of(const Motions& a, std::size_t i, const Motions& b,
                                         std::size_t j, std::int32_t other, double tolerance) {
  const core::Certificate c = core::certify_pair(a[i], core::evaluate(a[i], 0.0), b[j],
                                                 core::evaluate(b[j], 0.0), tolerance, 2.0);
  if (c.outcome == core::Outcome::kFree) return std::nullopt;
  if (c.outcome == core::Outcome::kGraze && !core::may_graze(a[i], b[j])) return std::nullopt;
  Contact out;
  out.link = static_cast<std::int32_t>(i);
  out.status = c.outcome == core::Outcome::kOverlap ? ContactStatus::kOverlap
               : c.outcome == core::Outcome::kHit   ? ContactStatus::kHit
                                                    : ContactStatus::kGraze;
  out.toc = {c.lo, c.hi};
  out.limited = c.limited;
  out.touched = OtherLink{other, static_cast<std::int32_t>(j)};
  return out;
}

/// The distance between two axes at a time, by sampling both; metres, at least the true one.
inline double sampled_distance(const core::AxisState& a, const core::AxisState& b,
                               const Vec3& shift, int samples) {
  double least = 1e300;
  for (int i = 0; i <= samples; ++i) {
    const double s = static_cast<double>(i) / samples;
    const Vec3 p = a.a + s * (a.b - a.a);
    const Vec3 d = b.b - b.a;
    const Vec3 w = p - (b.a + shift);
    const double dd = core::dot(d, d);
    const double q = dd > 0.0 ? core::clamp_to(core::dot(w, d) / dd, 0.0, 1.0) : 0.0;
    least = core::min_of(least, core::norm(w - q * d));
  }
  return least;
}

}  // namespace tocsin::test
