#include "core/query/certify_hulls.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <list>
#include <utility>
#include <vector>

#include "core/motion/surroundings.h"
#include "core/query/hull_place.h"
#include "detect/step/pair_contact.h"
#include "detect/step/step_problem.h"
#include "scene/room/coordinate_limit.h"
#include "tocsin/certify.h"

namespace tocsin {

namespace {

/// The joints of a step that lie above some joints, and their motions.
class Chains {
 public:
  explicit Chains(const Step& step) : step_(&step), joints_(step.pose0().size()) {}

  /// The frame of a joint. It points into this object.
  core::FrameMotion frame(std::int32_t joint) {
    std::vector<std::int32_t>& chain = chains_.emplace_back();
    const auto& parents = step_->skeleton().joints();
    for (std::int32_t j = joint; j >= 0; j = parents[static_cast<std::size_t>(j)].parent) {
      const auto at = static_cast<std::size_t>(j);
      joints_[at] = core::joint_motion(step_->pose0()[at], step_->pose1()[at], step_->in_between());
      chain.push_back(j);
    }
    std::reverse(chain.begin(), chain.end());
    const Vec3& root = joints_[static_cast<std::size_t>(chain.front())].c;
    return core::frame_motion(joints_.data(), chain.data(), static_cast<std::int32_t>(chain.size()),
                              step_->in_between(), core::reference_point(root));
  }

 private:
  const Step* step_;
  std::vector<core::JointMotion> joints_;
  std::list<std::vector<std::int32_t>> chains_;  ///< which stay where they are
};

bool same_step(const Step& a, const Step& b) {
  return a.pose0().data() == b.pose0().data() && a.pose1().data() == b.pose1().data() &&
         a.in_between() == b.in_between();
}

std::optional<Error> problem_with(const MovingHull& hull) {
  const std::size_t joints = hull.step.pose0().size();
  if (joints == 0 || hull.step.pose1().size() != joints) {
    return Error{ErrorCode::kInput, "the step has no joints"};
  }
  if (hull.joint < 0 || static_cast<std::size_t>(hull.joint) >= joints) {
    return Error{ErrorCode::kUsage, fmt::format("the step's skeleton has {} joints: there is no "
                                                "joint {}",
                                                joints, hull.joint)};
  }
  if (hull.corners.empty() || hull.corners.size() > core::kMostCorners) {
    return Error{ErrorCode::kUsage,
                 fmt::format("a hull has one to three corners, not {}", hull.corners.size())};
  }
  if (!std::all_of(hull.corners.begin(), hull.corners.end(), scene::within_reach<Vec3>)) {
    return Error{ErrorCode::kUsage, "a hull's coordinates must be finite and at most 1e6 metres"};
  }
  if (!(hull.radius >= 0.0 && hull.radius <= scene::kMaxCoordinate)) {
    return Error{ErrorCode::kUsage, "a hull's radius must be between 0 and 1e6 metres"};
  }
  return std::nullopt;
}

core::Hull hull_of(const MovingHull& moving, double margin) {
  core::Hull out;
  out.corners = 0;
  for (const Vec3& corner : moving.corners) out.corner[out.corners++] = corner;
  out.radius = moving.radius + margin;
  return out;
}

}  // namespace

Result<std::optional<HullContact>> certify(const MovingHull& moving, const MovingHull& other,
                                           const CertifyOptions& options) {
  if (auto problem = detect::problem_with(options.margin, options.tolerance)) {
    return *std::move(problem);
  }
  for (const MovingHull* hull : {&moving, &other}) {
    if (auto problem = problem_with(*hull)) return *std::move(problem);
  }
  Chains chains(moving.step);
  Chains others(other.step);
  const bool same = same_step(moving.step, other.step);
  const core::FrameMotion first = chains.frame(moving.joint);
  const core::FrameMotion second = (same ? chains : others).frame(other.joint);
  const core::FramePair frames = core::frame_pair(first, second);
  const core::Hull f = hull_of(moving, options.margin);
  const core::Hull g = hull_of(other, options.margin);
  detect::PairContact pair;
  pair.add(
      0, core::certify_hulls(frames, f, core::evaluate(frames.first, 0.0), g,
                             core::evaluate(frames.second, 0.0), options.tolerance, core::kToEnd));
  if (!pair.any()) return std::optional<HullContact>();
  HullContact out{pair.status(), {pair.lo(), pair.hi()}, {}, {}, {}, pair.limited()};
  const double t = pair.place_time();
  if (t > pair.lo()) out.touching = {t, pair.hi()};
  const core::ContactPoint at = core::place_of({first, second}, frames, f, g, t);
  out.point = at.point;
  if (at.has_normal) out.normal = at.normal;
  return std::optional(out);
}

}  // namespace tocsin
