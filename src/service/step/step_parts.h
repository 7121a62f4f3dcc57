// The data of a step from its frame to its outcome.
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

/// The outcome of a step: a report, a part of one, a problem, or nothing (the first pose).
struct StepOutcome {
  std::optional<TrackReport> report = std::nullopt;
  std::optional<Problem> problem = std::nullopt;
  /// In place of a report: what is proved of the step so far. It goes on with the next check.
  std::optional<TrackReport> partial = std::nullopt;
  bool put_off = false;  ///< nothing to tell: it goes on with the next check (StepChecker::put_off)
  std::optional<Step> step = std::nullopt;              ///< of the report
  MemberCards others = {};                              ///< cards of the avatars in the contacts
  std::chrono::steady_clock::time_point received = {};  ///< the frame
};

inline StepOutcome ended_by(Problem problem) {
  StepOutcome out;
  out.problem = std::move(problem);
  return out;
}

/// A session's part of a batch. The member is moved out and comes back.
struct BatchedStep {
  Member member;
  Step step;
};

/// The answer of a batch to one of its steps.
struct BatchedAnswer {
  std::optional<StepReport> report = std::nullopt;  ///< none: the session must check the step
  double seconds = 0.0;                             ///< of the whole batch
  double share = 0.0;                               ///< the step's share of these
};

/// Where a session's next step is checked.
enum class BatchPart : std::uint8_t {
  kJoins,        ///< on the device, in a batch
  kAlone,        ///< by a worker, or there is no step
  kAloneSlowly,  ///< by a worker in the slow lane: it may take long
};

}  // namespace tocsin::service
