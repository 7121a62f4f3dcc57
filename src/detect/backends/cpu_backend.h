// The backend that answers every question: the exact step, on all threads.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>

#include "detect/backends/room_backend.h"
#include "detect/step/exact_step.h"
#include "detect/step/kept_clusters.h"

namespace tocsin::detect {

class CpuBackend final : public RoomBackend {
 public:
  explicit CpuBackend(std::shared_ptr<const ExactStep> exact) : exact_(std::move(exact)) {}

  [[nodiscard]] Unanswered check(std::span<const Question> questions, std::size_t instants,
                                 const QuestionOptions& how,
                                 std::span<StepReport> reports) const override;
  [[nodiscard]] std::string name() const override { return "cpu"; }
  [[nodiscard]] std::string device() const override;
  [[nodiscard]] Pace pace() const override { return Pace::kCpu; }

 private:
  std::shared_ptr<const ExactStep> exact_;
};

/// The exact step of every question. `kept`: what a device has left of the room, one a question;
/// empty: the tree is asked.
void check_steps(const ExactStep& exact, std::span<const Question> questions,
                 std::span<const KeptClusters> kept, const QuestionOptions& how,
                 std::span<StepReport> reports);

}  // namespace tocsin::detect
