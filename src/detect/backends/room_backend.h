// The one interface of CPU, OpenGL and CUDA: questions about steps in one room.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "detect/crowd/batch_size.h"
#include "detect/step/question.h"
#include "tocsin/detector.h"
#include "tocsin/result.h"

namespace tocsin::detect {

class ExactStep;

/// What a backend has not answered.
struct Unanswered {
  std::vector<std::uint8_t> instants;  ///< per instant: 1: not answered, 0: answered
  std::optional<Error> why;            ///< their error if the CPU may not answer

  [[nodiscard]] bool any() const {
    return std::find(instants.begin(), instants.end(), 1) != instants.end();
  }
};

/// A room on a backend. Immutable but for what it remembers of a failure; safe to share between
/// threads.
class RoomBackend {
 public:
  RoomBackend() = default;
  RoomBackend(const RoomBackend&) = delete;
  RoomBackend& operator=(const RoomBackend&) = delete;
  virtual ~RoomBackend() = default;

  /// Answers the questions that it can: reports[i] becomes the report of questions[i]. Contacts are
  /// the same on every backend. `instants`: their number; they count from 0. After a stop request
  /// (`how.stop`) some reports may be unset. A device error does not fail the call: the instants
  /// that were not answered are returned. Throws only std::bad_alloc, before it sets any report.
  [[nodiscard]] virtual Unanswered check(std::span<const Question> questions, std::size_t instants,
                                         const QuestionOptions& how,
                                         std::span<StepReport> reports) const = 0;

  /// "cpu", "gl" or "cuda", and what it runs on.
  [[nodiscard]] virtual std::string name() const = 0;
  [[nodiscard]] virtual std::string device() const = 0;
  /// How many questions it is asked at once.
  [[nodiscard]] virtual Pace pace() const = 0;
};

/// A backend that may leave questions to the CPU.
class DeviceBackend : public RoomBackend {
 public:
  /// The same device for another version of its room, or for its room with other margin and
  /// tolerance. Errors: the device's. Throws std::bad_alloc.
  using Made = Result<std::shared_ptr<const DeviceBackend>>;
  [[nodiscard]] virtual Made with_environment(std::shared_ptr<const ExactStep> exact) const = 0;
  [[nodiscard]] virtual Made with_options(std::shared_ptr<const ExactStep> exact) const = 0;

  /// True if its reports include contacts between the avatars of one instant (`meet`). They never
  /// include clearances between avatars.
  [[nodiscard]] virtual bool answers_meetings() const = 0;
  /// Why the device is asked no more; none while it is.
  [[nodiscard]] virtual std::optional<Error> failure() const = 0;
  /// Why the CPU has answered in place of the device: always since a failure, or for single steps.
  /// Empty: it has not.
  [[nodiscard]] virtual std::string fallback() const = 0;
};

}  // namespace tocsin::detect
