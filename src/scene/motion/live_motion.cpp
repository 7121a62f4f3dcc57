#include "tocsin/live_motion.h"

#include <fmt/format.h>

#include <array>
#include <utility>

#include "scene/motion/motion_data.h"

namespace tocsin {

namespace detail {

struct LiveMotionState {
  std::shared_ptr<const Skeleton> skeleton;  ///< placed
  std::size_t joints = 0;                    ///< of it
  Placing place{Placement{}};
  double frame_time = 1.0;
  std::int64_t frames = 0;
  double origin = 0.0;                     ///< tick of frame 0
  double last_tick = 0.0;                  ///< as given
  std::shared_ptr<const SharedPose> last;  ///< the last pose taken
};

namespace {

struct Spare {
  std::vector<Transform> pose;
  ~Spare();
};
/// Static variables may have poses that outlive the thread's spare one.
thread_local bool spare_is_gone = false;
Spare::~Spare() { spare_is_gone = true; }

Spare& spare() {
  thread_local Spare out;
  return out;
}

}  // namespace

void PoseBin::put(std::vector<Transform>&& pose) noexcept {
  if (!spare_is_gone) spare().pose.swap(pose);
}

std::vector<Transform> PoseBin::take(std::size_t joints) noexcept {
  const bool suits = !spare_is_gone && spare().pose.capacity() <= kMostRoom * joints;
  return suits ? std::exchange(spare().pose, {}) : std::vector<Transform>();
}

}  // namespace detail

Result<LiveMotion> LiveMotion::create(Skeleton skeleton, const Placement& place,
                                      double frame_time) {
  if (skeleton.size() == 0) {
    return {ErrorCode::kInput, "a motion needs a skeleton with at least one joint"};
  }
  if (std::string problem = detail::frame_time_problem(frame_time); !problem.empty()) {
    return {ErrorCode::kInput, std::move(problem)};
  }
  auto placed = detail::placed_skeleton(skeleton, place);
  if (!placed) return placed.error();
  LiveMotion motion;
  motion.state_ = std::make_shared<detail::LiveMotionState>();
  motion.state_->skeleton = std::make_shared<const Skeleton>(std::move(placed).value());
  motion.state_->joints = motion.state_->skeleton->joints().size();
  motion.state_->place = detail::Placing(place);
  motion.state_->frame_time = frame_time;
  return motion;
}

const Skeleton& LiveMotion::skeleton() const {
  static const Skeleton kNone;
  return state_ ? *state_->skeleton : kNone;
}

std::size_t LiveMotion::joint_count() const { return state_ ? state_->joints : 0; }

std::int64_t LiveMotion::frame_count() const { return state_ ? state_->frames : 0; }

LiveMotion::Memory LiveMotion::memory() const {
  Memory out;
  if (!state_) return out;
  const detail::LiveMotionState& s = *state_;
  out[0] = std::as_bytes(std::span(&s, 1));
  out[1] = std::as_bytes(std::span(s.skeleton.get(), 1));
  if (!s.last) return out;
  out[2] = std::as_bytes(std::span(s.last.get(), 1));
  out[3] = std::as_bytes(std::span(s.last->pose));
  return out;
}

Status LiveMotion::take(std::vector<Transform>& pose) const {
  if (pose.size() != joint_count() || pose.empty()) {
    return {ErrorCode::kInput,
            fmt::format("the pose has {} joints, the skeleton {}", pose.size(), joint_count())};
  }
  std::size_t joint = 0;
  std::string problem = detail::take_pose(pose, joint);
  if (problem.empty() && state_->place.moves()) {
    const std::span<const Joint> joints = skeleton().joints();
    for (std::size_t i = 0; i < joints.size(); ++i) {
      if (joints[i].parent < 0) pose[i] = state_->place(pose[i]);
    }
    problem = detail::take_pose(pose, joint);  // it may have left the world
  }
  if (problem.empty()) return Nothing{};
  return {ErrorCode::kInput,
          fmt::format("joint \"{}\": {}", skeleton().joints()[joint].name, problem)};
}

Result<Step> LiveMotion::next(std::vector<Transform> taken, double tick, InBetween in_between) {
  return next_from(taken, tick, in_between);
}

Result<Step> LiveMotion::next_from(std::vector<Transform>& taken, double tick,
                                   InBetween in_between) {
  if (!state_ || taken.size() != state_->joints) {
    return {ErrorCode::kInput,
            fmt::format("the pose has {} joints, the skeleton {}", taken.size(), joint_count())};
  }
  detail::LiveMotionState& s = *state_;
  const bool is_first = s.frames == 0;
  const std::array<double, 2> ticks{is_first ? tick : s.last_tick, tick};
  std::string problem = detail::tick_problem(tick);
  // As they are stored, too: see detail::ticks_problem.
  const bool is_later = tick > s.last_tick && tick - s.origin > s.last_tick - s.origin;
  if (problem.empty() && !is_first && !is_later) {
    problem = fmt::format("tick {} is not after the one before, {}", tick, s.last_tick);
  }
  if (!problem.empty()) return {ErrorCode::kInput, std::move(problem)};

  // What needs memory comes first: then nothing has happened yet.
  const auto data = std::make_shared<detail::MotionData>();
  data->ticks.resize(2);
  auto pose = std::make_shared<detail::SharedPose>(std::vector<Transform>());
  pose->pose.swap(taken);
  const std::shared_ptr<const detail::SharedPose> shared = std::move(pose);
  if (is_first) s.origin = tick;
  data->skeleton = s.skeleton;
  data->joints = shared->pose.size();
  data->frame_time = s.frame_time;
  data->first_frame = is_first ? 0 : s.frames - 1;
  data->ticks = {ticks[0] - s.origin, tick - s.origin};
  data->ends = {is_first ? shared : s.last, shared};
  Step step;
  step.first_ = data->first_frame;
  step.last_ = s.frames;
  step.in_between_ = in_between;
  step.data_ = data;
  s.last = shared;
  taken = detail::PoseBin::take(s.joints);
  s.last_tick = tick;
  ++s.frames;
  return step;
}

}  // namespace tocsin
