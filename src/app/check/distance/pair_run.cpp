#include "app/check/distance/pair_run.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/motion/coarse_bounds.h"
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
  LinkPlacer(const Avatar& avatar, std::int32_t link, std::span<const std::int32_t> chain)
      : chain_(chain) {
    const Link& one = avatar.links()[static_cast<std::size_t>(link)];
    place_ = {one.joint, one.a, one.b};
    for (const Joint& joint : avatar.skeleton().joints()) parents_.push_back(joint.parent);
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
  std::span<const std::int32_t> chain_;
  std::vector<scene::JointFrame> frames_;
};

std::vector<std::int32_t> chain_to(const Avatar& avatar, std::int32_t link) {
  std::vector<std::int32_t> chain;
  const std::span<const Joint> joints = avatar.skeleton().joints();
  for (std::int32_t j = avatar.links()[static_cast<std::size_t>(link)].joint; j >= 0;
       j = joints[static_cast<std::size_t>(j)].parent) {
    chain.push_back(j);
  }
  std::reverse(chain.begin(), chain.end());
  return chain;
}

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

std::optional<LinkRun> other_run(const Job& job, const io::Episode& episode, double begin) {
  const OtherLink* const other = episode.first.other();
  if (other == nullptr) return std::nullopt;
  const JobTake& take = job.takes[static_cast<std::size_t>(other->avatar)];
  return LinkRun(take, other->link, steps_of(take, episode.begin.index(), episode.steps), begin);
}

double begin_of(const Contact& first) {
  return first.status == ContactStatus::kGraze ? first.toc[0] : first.toc[1];
}

}  // namespace

LinkRun::LinkRun(const JobTake& take, std::int32_t link, std::span<const Step> steps, double begin)
    : take_(&take),
      link_(link),
      steps_(steps),
      begin_(begin),
      chain_(chain_to(take.member.avatar, link)) {
  LinkPlacer placer(avatar(), link, chain_);
  at_frames_.reserve(steps.size() + 1);
  for (const Step& step : steps) at_frames_.push_back(placer.at(step.pose0()));
  at_frames_.push_back(placer.at(steps.back().pose1()));
  if (begin > 0.0) at_frames_.front() = at({0, begin});
}

core::AxisEnds LinkRun::at(const RunMoment& moment) const {
  const Step& step = steps_[moment.step];
  if (moment.time == 0.0 || moment.time == 1.0) {
    return LinkPlacer(avatar(), link_, chain_).at(moment.time == 0.0 ? step.pose0() : step.pose1());
  }
  std::vector<core::JointMotion> joints;
  std::vector<std::int32_t> order;
  for (const std::int32_t joint : chain_) {
    const auto j = static_cast<std::size_t>(joint);
    order.push_back(static_cast<std::int32_t>(joints.size()));
    joints.push_back(core::joint_motion(step.pose0()[j], step.pose1()[j], step.in_between()));
  }
  const Link& link = avatar().links()[static_cast<std::size_t>(link_)];
  core::LinkMotion motion;
  motion.joints = joints.data();
  motion.chain = order.data();
  motion.chain_length = static_cast<std::int32_t>(order.size());
  motion.kind = step.in_between();
  motion.a = link.a;
  motion.b = link.b;
  const core::AxisState state = core::evaluate(motion, moment.time);
  return {state.a, state.b};
}

double LinkRun::most_speed(std::size_t step, std::size_t skipped) const {
  const std::span<const Transform> from = steps_[step].pose0();
  const std::span<const Transform> to = steps_[step].pose1();
  core::ChainBounds bounds;
  for (const std::int32_t joint : std::span(chain_).subspan(skipped)) {
    const auto j = static_cast<std::size_t>(joint);
    bounds = core::extend_coarsely(bounds, from[j], to[j], Vec3{});
  }
  const Link& link = avatar().links()[static_cast<std::size_t>(link_)];
  const core::CoarsePoint end =
      core::coarse_point(bounds, std::max(core::norm(link.a), core::norm(link.b)));
  if (skipped > 0 || (step == 0 && begin_ > 0.0)) return end.speed;
  // No velocity differs from the mean by more than half of what acceleration adds in a step.
  return std::min(end.speed, most_moved(at_frames_, step, step + 1) + 0.5 * end.acceleration);
}

PairRun::PairRun(const Job& job, const Detector& detector, const detect::SolidObjects& solid,
                 const io::Episode& episode)
    : detector_(&detector),
      solid_(&solid),
      episode_(&episode),
      begin_(begin_of(episode.first)),
      own_(job.takes[static_cast<std::size_t>(episode.avatar)], episode.first.link,
           steps_of(job.takes[static_cast<std::size_t>(episode.avatar)], episode.begin.index(),
                    episode.steps),
           begin_),
      other_(other_run(job, episode, begin_)) {
  const double margin = detector.options().margin;
  reach_ = own_.radius() + margin;
  if (!other_) return;
  reach_ += other_->radius() + margin;
  if (episode.first.other()->avatar != episode.avatar) return;
  const auto own = own_.chain();
  const auto others = other_->chain();
  const auto ends = std::mismatch(own.begin(), own.end(), others.begin(), others.end());
  shared_ = static_cast<std::size_t>(ends.first - own.begin());
}

bool PairRun::solid() const { return !other_ && solid_->is_solid(episode_->first.room()->object); }

bool PairRun::may_be_inside(std::size_t i) const {
  return solid() && solid_->holds(episode_->first.room()->object, own_.at_frames()[i].a);
}

double PairRun::most_depth(std::size_t i) const { return may_be_inside(i) ? HUGE_VAL : reach_; }

double PairRun::most_change(std::size_t i, std::size_t j) const {
  const double own = most_moved(own_.at_frames(), i, j);
  return other_ ? own + most_moved(other_->at_frames(), i, j) : own;
}

double PairRun::most_speed(std::size_t step) const {
  // Joints of both chains move both links as one.
  const double own = own_.most_speed(step, shared_);
  return other_ ? own + other_->most_speed(step, shared_) : own;
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
