#include "app/check/distance/pair_run.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/query/axis_pair.h"
#include "core/vector/vec.h"
#include "scene/motion/pose_kernels.h"
#include "scene/motion/world_pose.h"

namespace tocsin::app {
namespace {

/// An axis this near to a surface meets it, metres: rounding of a room a thousand kilometres wide.
constexpr double kMeets = 1e-8;

/// The ends of one link at successive poses of its skeleton.
class LinkPlacer {
 public:
  LinkPlacer(const Avatar& avatar, std::int32_t link) {
    const Link& one = avatar.links()[static_cast<std::size_t>(link)];
    place_ = {one.joint, one.a, one.b};
    for (const Joint& joint : avatar.skeleton().joints()) parents_.push_back(joint.parent);
    for (std::int32_t j = one.joint; j >= 0; j = parents_[static_cast<std::size_t>(j)]) {
      chain_.push_back(j);
    }
    std::reverse(chain_.begin(), chain_.end());
    frames_.resize(parents_.size());
  }

  core::AxisEnds at(std::span<const Transform> pose) {
    scene::place_joints(chain_, parents_, pose, frames_);
    std::array<scene::LinkEnds, 1> ends;
    scene::place_links({&place_, 1}, frames_, ends);
    return scene::to_axis(ends[0]);
  }

 private:
  scene::LinkPlace place_;
  std::vector<std::int32_t> parents_;
  std::vector<std::int32_t> chain_;
  std::vector<scene::JointFrame> frames_;
};

double most_moved(std::span<const core::AxisEnds> at, std::size_t i, std::size_t j) {
  const Vec3 a = at[i].a - at[j].a;
  const Vec3 b = at[i].b - at[j].b;
  return std::sqrt(std::max(core::dot(a, a), core::dot(b, b)));
}

core::AxisState still_axis(const core::AxisEnds& ends, const Vec3& from) {
  return {ends.a - from, ends.b - from, {}, {}};
}

std::span<const Step> steps_of(const JobTake& take, std::int64_t index, std::int64_t count) {
  return std::span(take.steps)
      .subspan(position_of(take.steps, index), static_cast<std::size_t>(count));
}

std::optional<LinkRun> other_run(const Job& job, const io::Episode& episode) {
  const OtherLink* const other = episode.first.other();
  if (other == nullptr) return std::nullopt;
  const JobTake& take = job.takes[static_cast<std::size_t>(other->avatar)];
  return LinkRun(take, other->link, steps_of(take, episode.begin.index(), episode.steps));
}

}  // namespace

LinkRun::LinkRun(const JobTake& take, std::int32_t link, std::span<const Step> steps)
    : take_(&take), link_(link), steps_(steps) {
  LinkPlacer placer(avatar(), link);
  at_frames_.reserve(steps.size() + 1);
  for (const Step& step : steps) at_frames_.push_back(placer.at(step.pose0()));
  at_frames_.push_back(placer.at(steps.back().pose1()));
}

core::AxisEnds LinkRun::at(const RunMoment& moment) const {
  if (moment.time == 0.0) return at_frames_[moment.step];
  const Step& step = steps_[moment.step];
  return LinkPlacer(avatar(), link_)
      .at(moment.time == 1.0
              ? step.pose1()
              : pose_between(step.pose0(), step.pose1(), step.in_between(), moment.time));
}

PairRun::PairRun(const Job& job, const Detector& detector, const detect::SolidObjects& solid,
                 const io::Episode& episode)
    : detector_(&detector),
      solid_(&solid),
      episode_(&episode),
      own_(job.takes[static_cast<std::size_t>(episode.avatar)], episode.first.link,
           steps_of(job.takes[static_cast<std::size_t>(episode.avatar)], episode.begin.index(),
                    episode.steps)),
      other_(other_run(job, episode)) {
  const double margin = detector.options().margin;
  reach_ = own_.radius() + margin;
  if (other_) reach_ += other_->radius() + margin;
}

double PairRun::most_depth(std::size_t i) const {
  if (other_) return reach_;
  const Vec3& start = own_.at_frames()[i].a;
  return solid_->holds(episode_->first.room()->object, start) ? HUGE_VAL : reach_;
}

double PairRun::most_change(std::size_t i, std::size_t j) const {
  const double own = most_moved(own_.at_frames(), i, j);
  return other_ ? own + most_moved(other_->at_frames(), i, j) : own;
}

Result<PairDepth> PairRun::depth(const RunMoment& moment) const {
  if (!other_) {
    const auto found = detector_->depth(own_.avatar(), steps()[moment.step], moment.time,
                                        own_.link(), episode_->first.room()->object);
    if (!found) return found.error();
    return PairDepth{found->depth, found->inside, found->distance < kMeets};
  }
  const core::AxisEnds own = own_.at(moment);
  const core::ClosestPair nearest =
      core::closest_points(still_axis(own, own.a), still_axis(other_->at(moment), own.a));
  return PairDepth{reach_ - std::sqrt(nearest.squared), false, nearest.squared < kMeets * kMeets};
}

}  // namespace tocsin::app
