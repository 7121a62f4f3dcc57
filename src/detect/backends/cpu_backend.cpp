#include "detect/backends/cpu_backend.h"

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <thread>

namespace tocsin::detect {

namespace {

/// Steps that one thread takes at a time: those that follow each other share a pose, and enough of
/// them make handing them out cheap; few enough to spread the dear ones over the cores.
constexpr std::size_t kCheckStretch = 16;

}  // namespace

std::string CpuBackend::device() const {
  return std::to_string(std::max(1U, std::thread::hardware_concurrency())) + " hardware threads";
}

Unanswered CpuBackend::check(std::span<const Question> questions, std::size_t /*instants*/,
                             const QuestionOptions& how, std::span<StepReport> reports) const {
  check_steps(*exact_, questions, {}, how, reports);
  return {};
}

void check_steps(const ExactStep& exact, std::span<const Question> questions,
                 std::span<const KeptClusters> kept, const QuestionOptions& how,
                 std::span<StepReport> reports) {
  const auto some = [&](std::size_t begin, std::size_t end) {
    thread_local OwnWorkspace own;
    for (std::size_t i = begin; i < end && !how.stop.stop_requested(); ++i) {
      const Question& q = questions[i];
      // Without coherence: a search for an empty box would have to serve more steps than a stretch
      // has.
      reports[i] = exact.check(*q.member, *q.step, {own.links, own.scratch},
                               {nullptr, kept.empty() ? nullptr : &kept[i]});
      set_avatar(reports[i], q.avatar);
    }
  };
  if (!how.parallel) {
    some(0, questions.size());
    return;
  }
  tbb::parallel_for(tbb::blocked_range<std::size_t>(0, questions.size(), kCheckStretch),
                    [&](const auto& range) { some(range.begin(), range.end()); });
}

}  // namespace tocsin::detect
