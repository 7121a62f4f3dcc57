// What makes a step one that cannot be checked.
#pragma once

#include <optional>

#include "tocsin/active_pairs.h"
#include "tocsin/avatar.h"
#include "tocsin/motion.h"

namespace tocsin::detect {

/// kInput: an avatar without links or of another skeleton; kUsage: pairs of another avatar or
/// environment.
std::optional<Error> problem_with(const Avatar& avatar, const Step& step,
                                  const Environment& environment, const ActivePairs& active);
/// kUsage: pairs of another avatar's links.
Error not_its_link_pairs();

}  // namespace tocsin::detect
