// The reasons why a step cannot be checked.
#pragma once

#include <optional>

#include "tocsin/member.h"
#include "tocsin/motion.h"

namespace tocsin::detect {

/// kUsage: a margin or tolerance out of range (DetectorOptions).
std::optional<Error> problem_with(double margin, double tolerance);
/// kInput: an avatar without links, or of another skeleton than the step's.
std::optional<Error> problem_with(const Avatar& avatar, const Step& step);
/// The same; kUsage: pairs (active, self) of another avatar or environment.
std::optional<Error> problem_with(const Member& member, const Step& step,
                                  const Environment& environment);
}  // namespace tocsin::detect
