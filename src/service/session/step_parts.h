// A step of a session on its way: begun, perhaps checked with others by a device, ended.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <utility>

#include "service/meeting/member_card.h"
#include "service/session/frame_queue.h"
#include "service/session/problem.h"
#include "tocsin/detector.h"
#include "tocsin/motion.h"
#include "tocsin/track.h"

namespace tocsin::service {

/// A frame that was taken out, and the step to it.
struct BegunStep {
  NextFrame next;
  double tick = 0.0;
  std::chrono::steady_clock::time_point start;
  std::optional<Step> step = std::nullopt;  ///< none: the first pose, or a problem
  std::optional<Problem> problem = std::nullopt;
};

/// What became of a step: a report, or none (the first pose), or a problem.
struct StepOutcome {
  std::optional<TrackReport> report = std::nullopt;
  std::optional<Problem> problem = std::nullopt;
  MemberCards met = {};                                 ///< whom the report's contacts are with
  std::chrono::steady_clock::time_point received = {};  ///< the frame
};

inline StepOutcome ended_by(Problem problem) {
  StepOutcome out;
  out.problem = std::move(problem);
  return out;
}

/// What a session puts into a batch. The member is lent, and comes back.
struct BatchedStep {
  Member member;
  Step step;
};

/// What comes back of it.
struct BatchedAnswer {
  std::optional<StepReport> report = std::nullopt;  ///< none: the CPU has to be asked
  double seconds = 0.0;                             ///< that the batch took
  double share = 0.0;                               ///< of these, the step's
};

/// Who checks a session's next step.
enum class BatchPart : std::uint8_t {
  kJoins,        ///< the device, with others
  kAlone,        ///< a worker, or there is none
  kAloneSlowly,  ///< a worker, in the slow lane: it may take long
};

}  // namespace tocsin::service
