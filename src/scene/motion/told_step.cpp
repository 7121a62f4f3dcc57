#include "scene/motion/told_step.h"

#include <fmt/format.h>

#include <string>
#include <utility>
#include <vector>

#include "scene/motion/motion_data.h"

namespace tocsin {

namespace detail {

class ToldStepMaker {
 public:
  static Step make(MotionData data, InBetween in_between) {
    Step out;
    out.first_ = data.first_frame;
    out.last_ = data.first_frame + 1;
    out.in_between_ = in_between;
    out.data_ = std::make_shared<const MotionData>(std::move(data));
    return out;
  }
};

}  // namespace detail

namespace scene {

Result<Step> told_step(const std::shared_ptr<const Skeleton>& skeleton,
                       std::span<const Transform> from, std::span<const Transform> to,
                       const ToldStep& told) {
  const auto joints = static_cast<std::size_t>(skeleton->size());
  if (joints == 0 || from.size() != joints || to.size() != joints) {
    return {ErrorCode::kInput, fmt::format("poses of {} and {} joints, of a skeleton of {}",
                                           from.size(), to.size(), joints)};
  }
  std::string problem = tocsin::detail::tick_problem(told.seconds[0]);
  if (problem.empty()) problem = tocsin::detail::tick_problem(told.seconds[1]);
  if (problem.empty() && told.seconds[1] < told.seconds[0]) problem = "it ends before it begins";
  if (!problem.empty()) return {ErrorCode::kInput, std::move(problem)};
  tocsin::detail::MotionData data{skeleton, joints, 1.0, {}};
  data.poses.reserve(2 * joints);
  data.poses.assign(from.begin(), from.end());
  data.poses.insert(data.poses.end(), to.begin(), to.end());
  std::vector<Transform> taken = data.poses;  // normalised anew, which may change a last bit
  std::size_t joint = 0;
  for (const std::size_t begin : {std::size_t{0}, joints}) {
    problem = tocsin::detail::take_pose(std::span(taken).subspan(begin, joints), joint);
    if (problem.empty()) continue;
    return {ErrorCode::kInput,
            fmt::format("joint \"{}\": {}", skeleton->joints()[joint].name, problem)};
  }
  data.ticks.assign(told.seconds.begin(), told.seconds.end());
  data.first_frame = told.frame;
  return tocsin::detail::ToldStepMaker::make(std::move(data), told.in_between);
}

}  // namespace scene
}  // namespace tocsin
