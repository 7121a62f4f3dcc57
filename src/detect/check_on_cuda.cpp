// Many steps checked by a device that finds their contacts by itself: from its answers to reports.
#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <new>
#include <optional>
#include <utility>
#include <vector>

#include "detect/cuda_stage.h"
#include "detect/detector_core.h"
#include "detect/step_problem.h"

namespace tocsin::detail {

namespace {

constexpr std::size_t kNoItem = std::numeric_limits<std::size_t>::max();

/// Steps that one thread finishes the reports of at a time: most cost next to nothing.
constexpr std::size_t kReportStretch = 64;

/// What a thread uses again from batch to batch: tens of megabytes that would be mapped anew.
struct Memory {
  std::vector<std::size_t> item_of;      ///< per question; kNoItem: the device is not asked
  std::vector<std::size_t> question_of;  ///< per item
  std::vector<std::uint8_t> marks;       ///< per question or item
  std::vector<cuda::BatchItem> items;
  std::vector<cuda::BatchAnswer> answers;

  /// Taken while a batch is under way: where this thread waits it may take up another batch, which
  /// then begins with nothing.
  static Memory& of_thread() {
    thread_local Memory memory;
    return memory;
  }
};

/// From questions to the items of a batch, and from its answers to reports.
class CudaBatch {
 public:
  CudaBatch(std::span<const Question> questions, const QuestionOptions& how,
            std::span<StepReport> reports)
      : questions_(questions),
        how_(how),
        reports_(reports),
        memory_(std::exchange(Memory::of_thread(), {})) {}
  CudaBatch(const CudaBatch&) = delete;
  CudaBatch& operator=(const CudaBatch&) = delete;
  ~CudaBatch() { Memory::of_thread() = std::move(memory_); }

  /// Begins the reports. Those of steps that cannot be checked are errors, and the device is not
  /// asked about them.
  void prepare(const Environment& environment) {
    const std::size_t count = questions_.size();
    sound_.assign(count, 0);  // as seen: a stop may leave some out
    items_.resize(count);
    for_all(count, how_.stop, [&](std::size_t i) {
      const Question& q = questions_[i];
      std::optional<Error> problem =
          detect::problem_with(*q.avatar, *q.step, environment, q.asked.active);
      if (!problem && !q.asked.self.fits(q.avatar->links().size())) {
        problem = detect::not_its_link_pairs();
      }
      sound_[i] = problem ? 0 : 1;
      items_[i] = {q.avatar, q.step, &q.asked.active, &q.asked.self,
                   static_cast<std::uint32_t>(q.instant)};
      reports_[i] = report_of(*q.step, std::move(problem));
      reports_[i].avatar = q.member;
    });
    keep_sound();
  }

  /// Errors of the device are the stage's to remember; what they have left is left().
  void ask(const detect::CudaStage& cuda) {
    answers_.resize(items_.size());
    static_cast<void>(cuda.check(items_, how_.meet, how_.stop, answers_, done_));
  }

  /// Marks the instants that the device has not answered wholly.
  void find_left(std::vector<std::uint8_t>& left) const {
    for_all(items_.size(), {}, [&](std::size_t k) {
      if (k < done_ && !answers_[k].too_large) return;
      std::atomic_ref(left[items_[k].group]).store(1, std::memory_order_relaxed);
    });
  }

  /// Puts answers into the reports of all instants but those left.
  void take_answers(const DetectorOptions& options, const std::vector<std::uint8_t>& left) {
    std::vector<std::uint8_t>& meets = memory_.marks;
    meets.assign(done_, 0);
    for_all(done_, {}, [&](std::size_t k) {
      if (left[items_[k].group] == 0) meets[k] = take_answer(k, options.clearance) ? 1 : 0;
    });
    // What one that it meets is told stands in another's report: one after the other, and few.
    const auto next = [&](auto from) { return std::find(from, meets.end(), 1); };
    for (auto it = next(meets.begin()); it != meets.end(); it = next(it + 1)) {
      tell_others(static_cast<std::size_t>(it - meets.begin()), options.clearance);
    }
  }

  /// Calls finish(question, report) for all sound steps but those left.
  template <class Finish>
  void finish(const std::vector<std::uint8_t>& left, const Finish& finish) {
    for_all(questions_.size(), how_.stop, [&](std::size_t i) {
      const bool answered = item_of_[i] != kNoItem && left[questions_[i].instant] == 0;
      if (answered) finish(questions_[i], reports_[i]);
    });
  }

 private:
  /// Calls f(i) for all i below count, or some if the stop is asked for.
  template <class F>
  void for_all(std::size_t count, const std::stop_token& stop, const F& f) const {
    const auto some = [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end && !stop.stop_requested(); ++i) f(i);
    };
    if (!how_.parallel) {
      some(0, count);
      return;
    }
    tbb::parallel_for(tbb::blocked_range<std::size_t>(0, count, kReportStretch),
                      [&](const auto& range) { some(range.begin(), range.end()); });
  }

  /// Leaves the items of sound questions only, and numbers them.
  void keep_sound() {
    item_of_.assign(questions_.size(), kNoItem);
    question_of_.clear();
    for (std::size_t i = 0; i < questions_.size(); ++i) {
      if (sound_[i] == 0) continue;
      const std::size_t item = question_of_.size();
      if (item != i) items_[item] = items_[i];
      item_of_[i] = item;
      question_of_.push_back(i);
    }
    items_.resize(question_of_.size());
  }

  [[nodiscard]] StepReport& report_of_item(std::size_t item) {
    return reports_[question_of_[item]];
  }

  /// Puts an item's answer into its report. True if it meets others.
  bool take_answer(std::size_t item, bool clearance) {
    StepReport& report = report_of_item(item);
    report.safe_until = 1.0;
    report.contacts = std::move(answers_[item].contacts);
    report.counters = answers_[item].counters;
    if (clearance) report.clearances.assign(items_[item].avatar->links().size(), HUGE_VAL);
    bool meets = false;
    for (const Contact& c : report.contacts) {
      report.safe_until = std::min(report.safe_until, c.toc[0]);
      if (clearance) report.clearances[static_cast<std::size_t>(c.link)] = 0.0;
      meets = meets || c.other.has_value();
    }
    return meets;
  }

  /// What an item's contacts mean for those that it meets.
  void tell_others(std::size_t item, bool clearance) {
    for (Contact& c : report_of_item(item).contacts) {
      if (!c.other) continue;
      const std::size_t met = question_of_[static_cast<std::size_t>(c.other->avatar)];
      StepReport& second = reports_[met];
      second.safe_until = std::min(second.safe_until, c.toc[0]);
      if (clearance) second.clearances[static_cast<std::size_t>(c.other->link)] = 0.0;
      c.other->avatar = questions_[met].member;
    }
  }

  std::span<const Question> questions_;
  const QuestionOptions& how_;
  std::span<StepReport> reports_;
  Memory memory_;
  std::vector<std::size_t>& item_of_ = memory_.item_of;
  std::vector<std::size_t>& question_of_ = memory_.question_of;
  std::vector<std::uint8_t>& sound_ = memory_.marks;
  std::vector<cuda::BatchItem>& items_ = memory_.items;
  std::vector<cuda::BatchAnswer>& answers_ = memory_.answers;
  std::size_t done_ = 0;
};

}  // namespace

std::vector<std::uint8_t> DetectorCore::check_on_cuda(std::span<const Question> questions,
                                                      std::size_t instants,
                                                      const QuestionOptions& how,
                                                      std::span<StepReport> reports) const {
  std::vector<std::uint8_t> left(instants, 0);
  try {
    CudaBatch batch(questions, how, reports);
    batch.prepare(environment_);
    batch.ask(*cuda_);
    batch.find_left(left);
    batch.take_answers(options_, left);
    batch.finish(left, [this](const Question& question, StepReport& report) {
      if (options_.clearance) add_room_clearances(question, report);
      if (options_.contacts == Contacts::kFirst) keep_least(report.contacts);
    });
  } catch (const std::bad_alloc&) {  // the CPU asks for less at once
    left.assign(instants, 1);
  }
  return left;
}

void DetectorCore::add_room_clearances(const Question& question, StepReport& report) const {
  thread_local OwnWorkspace own;
  own.links.begin(*question.avatar, *question.step, options_.margin, tree_->bounds());
  lower_clearances(question.asked, {own.links, own.scratch}, {}, report);
}

void DetectorCore::check_all_on_cuda(const Avatar& avatar, std::span<const Step> steps,
                                     const Asked& asked, const std::stop_token& stop,
                                     std::span<StepReport> reports) const {
  std::vector<std::uint8_t> left;
  try {
    std::vector<Question> questions;
    questions.reserve(steps.size());
    for (std::size_t i = 0; i < steps.size(); ++i) {
      questions.push_back({&avatar, &steps[i], asked, i, 0});
    }
    left = check_on_cuda(questions, steps.size(), {false, true, stop}, reports);
  } catch (const std::bad_alloc&) {
    check_on_cpu(avatar, steps, asked, stop, {}, reports);
    return;
  }
  const auto next = [&](std::size_t from, std::uint8_t wanted) {
    return static_cast<std::size_t>(
        std::find(left.begin() + static_cast<std::ptrdiff_t>(from), left.end(), wanted) -
        left.begin());
  };
  for (std::size_t i = next(0, 1); i < left.size();) {
    const std::size_t end = next(i, 0);
    check_on_cpu(avatar, steps.subspan(i, end - i), asked, stop, {}, reports.subspan(i, end - i));
    i = next(end, 1);
  }
}

}  // namespace tocsin::detail
