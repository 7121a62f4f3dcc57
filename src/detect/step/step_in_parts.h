// The check of a step in parts: it begins, and goes on. docs/exact.md, "A step in parts".
#pragma once

#include "detect/step/parts.h"

namespace tocsin::detect {

/// Who is asked about, and in what. All of it stays as it is until the step is done.
struct PartsQuestion {
  const Member& member;
  MovingLinks& links;
  Scratch& scratch;
  Coherence* coherence = nullptr;     ///< what a stream remembers
  const core::Box* others = nullptr;  ///< Known::others
};

/// Begins a step, and goes on for as long as the budget lasts (Stream::check_within).
StepReport check_in_parts(const ExactStep& exact, const PartsQuestion& question, const Step& step,
                          const StepBudget& budget, StepInParts& parts);
/// Goes on with it (Stream::go_on). Precondition: it has a rest.
StepReport go_on_in_parts(const ExactStep& exact, const PartsQuestion& question,
                          const StepBudget& budget, StepInParts& parts);

}  // namespace tocsin::detect
