#include "app/check/distance/nearest_things.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "app/check/contact_words.h"
#include "app/check/distance/episode_depths.h"
#include "app/check/distance/pair_run.h"
#include "core/bounds/box.h"
#include "detect/step/clearance.h"
#include "detect/step/solid_objects.h"

namespace tocsin::app {
namespace {

constexpr int kLooks = 8;  // the step is cut in so many parts

/// The boxes of all objects.
std::vector<core::Box> boxes_of(const Environment& room) {
  std::vector<core::Box> out;
  for (const Object& object : room.objects()) {
    core::Box box;
    for (std::uint32_t t = 0; t < object.triangle_count; ++t) {
      for (const Vec3f& corner : room.corners(object.first_triangle + t)) {
        box = core::join(box, core::box_of(corner));
      }
    }
    out.push_back(box);
  }
  return out;
}

/// The search for all links of a check.
class NearestFinder {
 public:
  NearestFinder(const Job& job, const Detector& detector)
      : job_(job),
        detector_(detector),
        solid_(job.environment, detector.options().surfaces),
        boxes_(boxes_of(job.environment)) {}

  Result<NearestThing> find(std::int32_t avatar, std::int32_t link, std::int64_t index) const {
    const JobTake& take = job_.takes[static_cast<std::size_t>(avatar)];
    io::Episode pair;
    pair.avatar = avatar;
    pair.begin = take.steps[position_of(take.steps, index)];
    pair.steps = 1;
    pair.first.link = link;
    NearestThing best;
    for (const auto& [bound, object] : objects_near(take, pair)) {
      if (best.metres && bound >= *best.metres) break;
      pair.first.touched = RoomTriangle{object, 0};
      if (auto looked = look(pair, best); !looked) return looked.error();
    }
    for (const OtherLink& other : links_near(avatar, link, index)) {
      pair.first.touched = other;
      if (auto looked = look(pair, best); !looked) return looked.error();
    }
    return best;
  }

 private:
  using Bounded = std::pair<double, std::uint32_t>;

  /// Active objects, by how near their boxes are to the link's.
  [[nodiscard]] std::vector<Bounded> objects_near(const JobTake& take,
                                                  const io::Episode& pair) const {
    const std::int32_t link = pair.first.link;
    const LinkRun run(take, link, std::span(&pair.begin, 1));
    core::Box box;
    for (int i = 0; i <= kLooks; ++i) {
      for (const core::AxisEnds& at : run.at({0, static_cast<double>(i) / kLooks})) {
        box = core::join(box, core::grown_box(at.a, at.b, 0.0));
      }
    }
    const double radius = run.radius() + detector_.options().margin;
    std::vector<Bounded> out;
    for (std::uint32_t i = 0; i < boxes_.size(); ++i) {
      if (job_.environment.objects()[i].triangle_count == 0) continue;
      if (!take.member.active.active(link, i)) continue;
      out.emplace_back(detect::distance_between(box, boxes_[i]) - radius, i);
    }
    std::sort(out.begin(), out.end());
    return out;
  }

  /// Active links that are there in the step.
  [[nodiscard]] std::vector<OtherLink> links_near(std::int32_t avatar, std::int32_t link,
                                                  std::int64_t index) const {
    std::vector<OtherLink> out;
    for (std::size_t i = 0; i < job_.takes.size(); ++i) {
      const JobTake& take = job_.takes[i];
      const auto whose = static_cast<std::int32_t>(i);
      const std::size_t at = position_of(take.steps, index);
      if (at == take.steps.size() || take.steps[at].index() != index) continue;
      const auto links = static_cast<std::int32_t>(take.member.avatar.links().size());
      for (std::int32_t j = 0; j < links; ++j) {
        if (whose != avatar || take.member.self.active(link, j)) out.push_back({whose, j});
      }
    }
    return out;
  }

  Status look(const io::Episode& pair, NearestThing& best) const {
    const PairRun run(job_, detector_, solid_, pair);
    for (int i = 0; i <= kLooks; ++i) {
      const auto depth = run.depth({0, static_cast<double>(i) / kLooks});
      if (!depth) return depth.error();
      if (best.metres && -depth->depth >= *best.metres) continue;
      best.metres = -depth->depth;
      best.name = touched_text(job_, pair.avatar, pair.first);
      best.thing = pair.first.party();
    }
    return Nothing{};
  }

  const Job& job_;
  const Detector& detector_;
  detect::SolidObjects solid_;
  std::vector<core::Box> boxes_;
};

/// What a link is deepest in; no name if it has no episode.
NearestThing deepest_thing(const Job& job, std::span<const io::Episode> episodes,
                           std::int32_t avatar, std::int32_t link) {
  NearestThing out;
  double depth = -HUGE_VAL;
  for (const io::Episode& one : episodes) {
    const OtherLink* const other = one.first.other();
    const bool first = one.avatar == avatar && one.first.link == link;
    const bool second = other != nullptr && *other == OtherLink{avatar, link};
    if ((!first && !second) || depth_of(one) <= depth) continue;
    depth = depth_of(one);
    Contact seen = one.first;
    if (!first) seen.touched = OtherLink{one.avatar, one.first.link};
    out.name = touched_text(job, avatar, seen);
    out.thing = seen.party();
  }
  return out;
}

}  // namespace

Result<std::vector<std::vector<NearestThing>>> nearest_things(
    const Job& job, const Detector& detector,
    std::span<const std::vector<LeastClearance>> clearances, std::span<const io::Episode> episodes,
    const std::stop_token& stop) {
  std::vector<std::vector<NearestThing>> out(clearances.size());
  if (!job.options.spec.clearance) return out;
  const NearestFinder finder(job, detector);
  for (std::size_t i = 0; i < clearances.size(); ++i) {
    for (std::size_t j = 0; j < clearances[i].size(); ++j) {
      if (stop.stop_requested()) {
        return Error{ErrorCode::kCancelled, "stopped before the last link"};
      }
      const auto avatar = static_cast<std::int32_t>(i);
      const auto link = static_cast<std::int32_t>(j);
      out[i].push_back(deepest_thing(job, episodes, avatar, link));
      const LeastClearance& least = clearances[i][j];
      if (!out[i][j].name.empty() || !std::isfinite(least.metres)) continue;
      auto found = finder.find(avatar, link, least.step);
      if (!found) return found.error();
      out[i][j] = std::move(found).value();
    }
  }
  return out;
}

std::vector<io::NearestToLink> told_nearest(std::span<const std::vector<LeastClearance>> clearances,
                                            std::span<const std::vector<NearestThing>> nearest) {
  std::vector<io::NearestToLink> out;
  for (std::size_t i = 0; i < nearest.size(); ++i) {
    for (std::size_t j = 0; j < nearest[i].size(); ++j) {
      const LeastClearance& least = clearances[i][j];
      const NearestThing& thing = nearest[i][j];
      out.push_back({static_cast<int>(i), static_cast<std::int32_t>(j), least.step, least.frames,
                     least.seconds, least.metres, thing.thing,
                     least.metres > 0.0 ? thing.metres : std::nullopt});
    }
  }
  return out;
}

}  // namespace tocsin::app
