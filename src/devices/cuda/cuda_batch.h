// From questions to the items of a device's batch, and from its answers to reports.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "detect/step/exact_step.h"
#include "detect/step/question.h"
#include "gpu/cuda/stages/batch_checker.h"
#include "gpu/cuda/stages/batch_item.h"
#include "tocsin/detector.h"

namespace tocsin::devices {

/// One batch. In order: prepare(), the devices, find_left(), take_answers(), finish().
class CudaBatch {
 public:
  CudaBatch(std::span<const detect::Question> questions, const detect::QuestionOptions& how,
            std::span<StepReport> reports);
  CudaBatch(const CudaBatch&) = delete;
  CudaBatch& operator=(const CudaBatch&) = delete;
  ~CudaBatch();

  /// Begins the reports. Those of steps that cannot be checked are errors, and the device is not
  /// asked about them.
  void prepare(const Environment& environment);
  /// What devices are asked, the answers, and which of them they have given (1).
  [[nodiscard]] std::span<const cuda::BatchItem> items() const { return memory_.items; }
  [[nodiscard]] std::span<cuda::BatchAnswer> answers() { return memory_.answers; }
  [[nodiscard]] std::span<std::uint8_t> answered() { return memory_.answered; }
  /// Marks the instants that no device has answered wholly.
  void find_left(std::vector<std::uint8_t>& left) const;
  /// Puts answers into the reports of all instants but those left.
  void take_answers(const DetectorOptions& options, const std::vector<std::uint8_t>& left);
  /// What the CPU adds to all sound steps but those left.
  void finish(const detect::ExactStep& exact, const std::vector<std::uint8_t>& left);

 private:
  /// What a thread uses again from batch to batch: tens of megabytes that would be mapped anew.
  struct Memory {
    std::vector<std::size_t> item_of;      ///< per question; kNoItem: the device is not asked
    std::vector<std::size_t> question_of;  ///< per item
    std::vector<std::uint8_t> marks;       ///< per question or item
    std::vector<cuda::BatchItem> items;
    std::vector<cuda::BatchAnswer> answers;
    std::vector<std::uint8_t> answered;  ///< per item

    /// Taken while a batch is under way: where this thread waits it may take up another batch,
    /// which then begins with nothing.
    static Memory& of_thread();
  };

  /// Calls f(i) for all i below count, or some if the stop is asked for.
  template <class F>
  void for_all(std::size_t count, const std::stop_token& stop, const F& f) const;
  /// Leaves the items of sound questions only, and numbers them.
  void keep_sound();
  [[nodiscard]] StepReport& report_of_item(std::size_t item) {
    return reports_[memory_.question_of[item]];
  }
  /// Puts an item's answer into its report. True if it meets others.
  bool take_answer(std::size_t item, bool clearance);
  /// What an item's contacts mean for those that it meets.
  void tell_others(std::size_t item, bool clearance);

  std::span<const detect::Question> questions_;
  const detect::QuestionOptions& how_;
  std::span<StepReport> reports_;
  Memory memory_;
};

}  // namespace tocsin::devices
