#include "app/check/distance/pair_run.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/motion/coarse_bounds.h"
#include "core/query/axis_pair.h"
#include "core/vector/vec.h"
#include "detect/shapes/shape_depth.h"
#include "scene/motion/pose_kernels.h"
#include "scene/motion/world_pose.h"
#include "scene/shape/shape_data.h"

namespace tocsin::app {
namespace {

/// An axis this near to a surface meets it, metres: rounding of a room a thousand kilometres wide.
constexpr double kMeets = 1e-8;

/// What is fixed to one joint, at successive poses of its skeleton.
class Placer {
 public:
  Placer(const Avatar& avatar, std::int32_t joint, std::span<const core::AxisEnds> ends,
         std::span<const std::int32_t> chain)
      : chain_(chain), placed_(ends.size()) {
    for (const core::AxisEnds& one : ends) places_.push_back({joint, one.a, one.b});
    for (const Joint& other : avatar.skeleton().joints()) parents_.push_back(other.parent);
    frames_.resize(parents_.size());
  }

  /// Appends where they are.
  void add(std::span<const Transform> pose, std::vector<core::AxisEnds>& out) {
    scene::place_joints(chain_, parents_, pose, frames_);
    scene::place_links(places_, frames_, placed_);
    for (const scene::LinkEnds& one : placed_) out.push_back(scene::to_axis(one));
  }

 private:
  std::vector<scene::LinkPlace> places_;
  std::vector<std::int32_t> parents_;
  std::span<const std::int32_t> chain_;
  std::vector<scene::JointFrame> frames_;
  std::vector<scene::LinkEnds> placed_;
};

/// The axis of a link; of a shape, four edges of a box that holds it. Joint frame, metres.
std::vector<core::AxisEnds> ends_of(const Link& link) {
  if (link.shape.empty()) return {{link.a, link.b}};
  const core::OrientedBox& box = scene::data_of(link.shape).nodes.front().box;
  std::vector<core::AxisEnds> out;
  for (const double y : {-box.half[1], box.half[1]}) {
    for (const double z : {-box.half[2], box.half[2]}) {
      const Vec3 middle = box.center + (y * box.axis[1] + z * box.axis[2]);
      const Vec3 half = box.half[0] * box.axis[0];
      out.push_back({middle - half, middle + half});
    }
  }
  return out;
}

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
      chain_(chain_to(take.member.avatar, link)),
      ends_(ends_of(source())) {
  Placer placer(avatar(), source().joint, ends_, chain_);
  at_frames_.reserve(frames() * ends_.size());
  for (const Step& step : steps) placer.add(step.pose0(), at_frames_);
  placer.add(steps.back().pose1(), at_frames_);
  if (begin > 0.0) {
    const std::vector<core::AxisEnds> first = at({0, begin});
    std::copy(first.begin(), first.end(), at_frames_.begin());
  }
}

std::vector<core::AxisEnds> LinkRun::at(const RunMoment& moment) const {
  return placed(ends_, moment);
}

std::vector<core::AxisEnds> LinkRun::placed(std::span<const core::AxisEnds> ends,
                                            const RunMoment& moment) const {
  const Step& step = steps_[moment.step];
  std::vector<core::AxisEnds> out;
  if (moment.time == 0.0 || moment.time == 1.0) {
    Placer(avatar(), source().joint, ends, chain_)
        .add(moment.time == 0.0 ? step.pose0() : step.pose1(), out);
    return out;
  }
  std::vector<core::JointMotion> joints;
  std::vector<std::int32_t> order;
  for (const std::int32_t joint : chain_) {
    const auto j = static_cast<std::size_t>(joint);
    order.push_back(static_cast<std::int32_t>(joints.size()));
    joints.push_back(core::joint_motion(step.pose0()[j], step.pose1()[j], step.in_between()));
  }
  core::LinkMotion motion;
  motion.joints = joints.data();
  motion.chain = order.data();
  motion.chain_length = static_cast<std::int32_t>(order.size());
  motion.kind = step.in_between();
  for (const core::AxisEnds& one : ends) {
    motion.a = one.a;
    motion.b = one.b;
    const core::AxisState state = core::evaluate(motion, moment.time);
    out.push_back({state.a, state.b});
  }
  return out;
}

double LinkRun::most_moved(std::size_t i, std::size_t j) const {
  double most = 0.0;
  for (std::size_t k = 0; k < ends_.size(); ++k) {
    const Vec3 a = at_frame(i)[k].a - at_frame(j)[k].a;
    const Vec3 b = at_frame(i)[k].b - at_frame(j)[k].b;
    most = std::max({most, core::dot(a, a), core::dot(b, b)});
  }
  return std::sqrt(most);
}

bool LinkRun::any_start(std::size_t frame, const std::function<bool(const Vec3&)>& visit) const {
  if (!shaped()) return visit(at_frame(frame).front().a);
  std::vector<core::AxisEnds> corners;
  for (const Vec3& one : scene::data_of(source().shape).components) corners.push_back({one, one});
  const std::vector<core::AxisEnds> at = placed(corners, this->frame(frame));
  return std::any_of(at.begin(), at.end(), [&](const auto& one) { return visit(one.a); });
}

double LinkRun::most_speed(std::size_t step, std::size_t skipped) const {
  const std::span<const Transform> from = steps_[step].pose0();
  const std::span<const Transform> to = steps_[step].pose1();
  core::ChainBounds bounds;
  for (const std::int32_t joint : std::span(chain_).subspan(skipped)) {
    const auto j = static_cast<std::size_t>(joint);
    bounds = core::extend_coarsely(bounds, from[j], to[j], Vec3{});
  }
  double reach = 0.0;
  for (const core::AxisEnds& one : ends_) {
    reach = std::max({reach, core::norm(one.a), core::norm(one.b)});
  }
  const core::CoarsePoint end = core::coarse_point(bounds, reach);
  if (skipped > 0 || (step == 0 && begin_ > 0.0)) return end.speed;
  // No velocity differs from the mean by more than half of what acceleration adds in a step.
  return std::min(end.speed, most_moved(step, step + 1) + 0.5 * end.acceleration);
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
  if (!solid()) return false;
  const std::uint32_t object = episode_->first.room()->object;
  return own_.any_start(i, [&](const Vec3& at) { return solid_->holds(object, at); });
}

double PairRun::most_depth(std::size_t i) const { return may_be_inside(i) ? HUGE_VAL : reach_; }

double PairRun::most_change(std::size_t i, std::size_t j) const {
  const double own = own_.most_moved(i, j);
  return other_ ? own + other_->most_moved(i, j) : own;
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
  if (own_.shaped() || other_->shaped()) {
    const double apart = detect::distance_of_links(
        {own_.avatar(), own_.steps()[moment.step], own_.link(), moment.time},
        {other_->avatar(), other_->steps()[moment.step], other_->link(), moment.time});
    return PairDepth{reach_ - apart, false, apart < kMeets};
  }
  const core::AxisEnds own = own_.at(moment).front();
  const core::AxisEnds other = other_->at(moment).front();
  const core::ClosestPair nearest =
      core::closest_points(still_axis(own, own.a), still_axis(other, own.a));
  return PairDepth{reach_ - std::sqrt(nearest.squared), false, nearest.squared < kMeets * kMeets};
}

}  // namespace tocsin::app
