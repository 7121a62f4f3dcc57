// A step of a session on its way: begun, perhaps checked with others by a device, ended.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>

#include "service/frame_queue.h"
#include "service/problem.h"
#include "service/room_device.h"
#include "tocsin/detector.h"
#include "tocsin/motion.h"

namespace tocsin::service {

/// A frame that was taken out, and the step to it.
struct BegunStep {
  NextFrame next;
  double tick = 0.0;
  std::chrono::steady_clock::time_point start;
  std::optional<Step> step = std::nullopt;  ///< none: the first pose, or a problem
  std::optional<Problem> problem = std::nullopt;
};

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

/// What a session in a room with a device has besides. All but the group: whoever runs a step.
struct Batching {
  std::shared_ptr<BatchGroup> group;
  Member member;
  std::optional<BatchedAnswer> answer = std::nullopt;
  bool told = false;  ///< a report says that the device was given up
};

}  // namespace tocsin::service
