#include "detect/step/step_problem.h"

#include <string>

#include "scene/room/coordinate_limit.h"

namespace tocsin::detect {

std::optional<Error> problem_with(double margin, double tolerance) {
  // A margin reaches as far as a room may: beyond it boxes would overflow.
  if (!(margin >= 0.0 && margin <= scene::kMaxCoordinate)) {
    return Error{ErrorCode::kUsage, "the margin must be between 0 and 1e6 metres"};
  }
  if (!(tolerance > 0.0) || !(tolerance <= 1.0)) {
    return Error{ErrorCode::kUsage, "the tolerance must be above 0 and at most 1 step"};
  }
  return std::nullopt;
}

std::optional<Error> problem_with(const Avatar& avatar, const Step& step) {
  if (avatar.links().empty()) return Error{ErrorCode::kInput, "the avatar has no links"};
  const std::size_t joints = avatar.skeleton().joints().size();
  if (step.pose0().size() != joints || step.pose1().size() != joints) {
    return Error{ErrorCode::kInput, "the step's skeleton has " +
                                        std::to_string(step.pose0().size()) +
                                        " joints, the avatar's has " + std::to_string(joints)};
  }
  return std::nullopt;
}

std::optional<Error> problem_with(const Member& member, const Step& step,
                                  const Environment& environment) {
  const Avatar& avatar = member.avatar;
  if (auto problem = problem_with(avatar, step)) return problem;
  if (!member.active.fits(avatar.links().size(), environment)) {
    return Error{ErrorCode::kUsage,
                 "the active pairs were made for another avatar or environment: their links and "
                 "objects are not these"};
  }
  if (!member.self.fits(avatar.links().size())) {
    return Error{ErrorCode::kUsage,
                 "the pairs of links were made for another avatar: their number of links is not "
                 "this one's"};
  }
  return std::nullopt;
}

}  // namespace tocsin::detect
