// What makes a step one that cannot be checked.
#pragma once

#include <optional>

#include "tocsin/avatar.h"
#include "tocsin/detector.h"
#include "tocsin/motion.h"

namespace tocsin::detect {

/// kInput: an avatar without links or of another skeleton; kUsage: active pairs of another avatar
/// or environment.
std::optional<Error> problem_with(const Avatar& avatar, const Step& step,
                                  const Environment& environment, const ActivePairs& active);

}  // namespace tocsin::detect
