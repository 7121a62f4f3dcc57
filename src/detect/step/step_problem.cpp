#include "detect/step/step_problem.h"

#include <string>

namespace tocsin::detect {

std::optional<Error> problem_with(const Avatar& avatar, const Step& step,
                                  const Environment& environment, const ActivePairs& active) {
  if (avatar.links().empty()) return Error{ErrorCode::kInput, "the avatar has no links"};
  const std::size_t joints = avatar.skeleton().joints().size();
  if (step.pose0().size() != joints || step.pose1().size() != joints) {
    return Error{ErrorCode::kInput, "the step's skeleton has " +
                                        std::to_string(step.pose0().size()) +
                                        " joints, the avatar's has " + std::to_string(joints)};
  }
  if (!active.fits(avatar.links().size(), environment.objects().size())) {
    return Error{ErrorCode::kUsage,
                 "the active pairs were made for another avatar or environment: their numbers of "
                 "links and objects are not these"};
  }
  return std::nullopt;
}

Error not_its_link_pairs() {
  return {ErrorCode::kUsage,
          "the pairs of links were made for another avatar: their number of links is not this "
          "one's"};
}

}  // namespace tocsin::detect
