#include "scene/motion/step_ahead.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/motion/motion_ahead.h"
#include "scene/motion/motion_data.h"

namespace tocsin {

namespace detail {

/// Makes a step that follows another.
class AheadMaker {
 public:
  static Step follow(const Step& step, double seconds, std::vector<Transform> pose) {
    const MotionData& before = *step.data_;
    const auto data = std::make_shared<MotionData>();
    data->skeleton = before.skeleton;
    data->joints = before.joints;
    data->frame_time = before.frame_time;
    data->first_frame = step.last_;
    const double tick = before.tick(step.last_);
    data->ticks = {tick, tick + seconds / before.frame_time};
    const std::span<const Transform> from = step.pose1();
    data->poses.reserve(2 * from.size());
    data->poses.assign(from.begin(), from.end());
    data->poses.insert(data->poses.end(), pose.begin(), pose.end());
    Step out;
    out.first_ = step.last_;
    out.last_ = step.last_ + 1;
    out.in_between_ = step.in_between_;
    out.data_ = data;
    return out;
  }
  /// Seconds. Not of seconds(1) - seconds(0), whose rounding would depend on where the motion
  /// begins: a session that another server goes on with begins later.
  static double lasted(const Step& step) {
    const MotionData& data = *step.data_;
    return (data.tick(step.last_) - data.tick(step.first_)) * data.frame_time;
  }
};

}  // namespace detail

namespace {

constexpr double kMostAhead = 1e6;  // seconds: as the frame time of a motion

Status check_ahead(const Step& step, double seconds) {
  if (step.pose1().empty()) return {ErrorCode::kUsage, "an empty step has nothing after it"};
  if (seconds > 0.0 && seconds <= kMostAhead) return Nothing{};
  return {ErrorCode::kUsage,
          fmt::format("{} s ahead; must be above 0 and at most {} s", seconds, kMostAhead)};
}

}  // namespace

Result<Step> scene::step_ahead_of(const Step& step, double seconds,
                                  std::span<const std::uint8_t> moves) {
  if (const Status fits = check_ahead(step, seconds); !fits) return fits.error();
  const std::span<const Transform> p0 = step.pose0();
  const std::span<const Transform> p1 = step.pose1();
  std::vector<Transform> pose(p1.begin(), p1.end());
  const double lasted = tocsin::detail::AheadMaker::lasted(step);
  if (lasted > 0.0) {
    const double k = seconds / lasted;
    for (std::size_t i = 0; i < pose.size(); ++i) {
      // Four sines and more a joint: of what rests, or is not looked at, none.
      if ((!moves.empty() && moves[i] == 0) || p0[i] == p1[i]) continue;
      pose[i] = core::motion_ahead(p0[i], p1[i], step.in_between(), k);
      std::size_t none = 0;
      if (!tocsin::detail::take_pose({&pose[i], 1}, none).empty()) pose[i] = p1[i];
    }
  }
  return tocsin::detail::AheadMaker::follow(step, seconds, std::move(pose));
}

Result<Step> step_ahead(const Step& step, double seconds) {
  return scene::step_ahead_of(step, seconds, {});
}

Result<Step> step_ahead(const Step& step, double seconds, std::vector<Transform> pose) {
  if (const Status fits = check_ahead(step, seconds); !fits) return fits.error();
  if (pose.size() != step.pose1().size()) {
    return {ErrorCode::kInput, fmt::format("the pose has {} joints, the skeleton {}", pose.size(),
                                           step.pose1().size())};
  }
  std::size_t joint = 0;
  if (const std::string problem = detail::take_pose(pose, joint); !problem.empty()) {
    return {ErrorCode::kInput,
            fmt::format("joint \"{}\": {}", step.skeleton().joints()[joint].name, problem)};
  }
  return detail::AheadMaker::follow(step, seconds, std::move(pose));
}

std::vector<Contact> contacts_ahead(std::span<const Contact> contacts) {
  std::vector<Contact> out;
  for (const Contact& contact : contacts) {
    const bool is_there = contact.status == ContactStatus::kOverlap ||
                          (contact.status == ContactStatus::kGraze && contact.toc[0] <= 0.0);
    if (!is_there) out.push_back(contact);
  }
  std::stable_sort(out.begin(), out.end(),
                   [](const Contact& a, const Contact& b) { return a.toc[0] < b.toc[0]; });
  return out;
}

}  // namespace tocsin
