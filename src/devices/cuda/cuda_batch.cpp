#include "devices/cuda/cuda_batch.h"

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "detect/step/step_problem.h"

namespace tocsin::devices {

namespace {

constexpr std::size_t kNoItem = std::numeric_limits<std::size_t>::max();

/// Steps that one thread finishes the reports of at a time: most cost next to nothing.
constexpr std::size_t kReportStretch = 64;

}  // namespace

CudaBatch::Memory& CudaBatch::Memory::of_thread() {
  thread_local Memory memory;
  return memory;
}

CudaBatch::CudaBatch(std::span<const detect::Question> questions,
                     const detect::QuestionOptions& how, std::span<StepReport> reports)
    : questions_(questions),
      how_(how),
      reports_(reports),
      memory_(std::exchange(Memory::of_thread(), {})) {}

CudaBatch::~CudaBatch() { Memory::of_thread() = std::move(memory_); }

template <class F>
void CudaBatch::for_all(std::size_t count, const std::stop_token& stop, const F& f) const {
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

void CudaBatch::prepare(const Environment& environment) {
  const std::size_t count = questions_.size();
  memory_.marks.assign(count, 0);  // as seen: a stop may leave some out
  memory_.items.resize(count);
  for_all(count, how_.stop, [&](std::size_t i) {
    const detect::Question& q = questions_[i];
    const Member& member = *q.member;
    std::optional<Error> problem = detect::problem_with(member, *q.step, environment);
    memory_.marks[i] = problem ? 0 : 1;
    memory_.items[i] = {&member.avatar, q.step, &member.active, &member.self,
                        static_cast<std::uint32_t>(q.instant)};
    reports_[i] = detect::report_of(*q.step, std::move(problem));
    reports_[i].avatar = q.avatar;
  });
  keep_sound();
  memory_.answers.resize(memory_.items.size());
  memory_.answered.assign(memory_.items.size(), 0);
}

void CudaBatch::find_left(std::vector<std::uint8_t>& left) const {
  for_all(memory_.items.size(), {}, [&](std::size_t k) {
    if (memory_.answered[k] != 0 && !memory_.answers[k].left) return;
    std::atomic_ref(left[memory_.items[k].group]).store(1, std::memory_order_relaxed);
  });
}

void CudaBatch::take_answers(const DetectorOptions& options,
                             const std::vector<std::uint8_t>& left) {
  std::vector<std::uint8_t>& meets = memory_.marks;
  meets.assign(memory_.items.size(), 0);
  for_all(meets.size(), {}, [&](std::size_t k) {
    if (left[memory_.items[k].group] == 0) meets[k] = take_answer(k, options.clearance) ? 1 : 0;
  });
  // What one that it meets is told stands in another's report: one after the other, and few.
  const auto next = [&](auto from) { return std::find(from, meets.end(), 1); };
  for (auto it = next(meets.begin()); it != meets.end(); it = next(it + 1)) {
    tell_others(static_cast<std::size_t>(it - meets.begin()), options.clearance);
  }
}

void CudaBatch::finish(const detect::ExactStep& exact, const std::vector<std::uint8_t>& left) {
  for_all(questions_.size(), how_.stop, [&](std::size_t i) {
    if (memory_.item_of[i] == kNoItem || left[questions_[i].instant] != 0) return;
    exact.finish_inside(questions_[i], reports_[i]);
    if (exact.options().clearance) exact.add_room_clearances(questions_[i], reports_[i]);
    if (exact.options().contacts == Contacts::kFirst) detect::keep_least(reports_[i].contacts);
  });
}

void CudaBatch::keep_sound() {
  memory_.item_of.assign(questions_.size(), kNoItem);
  memory_.question_of.clear();
  for (std::size_t i = 0; i < questions_.size(); ++i) {
    if (memory_.marks[i] == 0) continue;
    const std::size_t item = memory_.question_of.size();
    if (item != i) memory_.items[item] = memory_.items[i];
    memory_.item_of[i] = item;
    memory_.question_of.push_back(i);
  }
  memory_.items.resize(memory_.question_of.size());
}

bool CudaBatch::take_answer(std::size_t item, bool clearance) {
  StepReport& report = report_of_item(item);
  report.safe_until = 1.0;
  report.contacts = std::move(memory_.answers[item].contacts);
  report.counters = memory_.answers[item].counters;
  if (clearance) report.clearances.assign(memory_.items[item].avatar->links().size(), HUGE_VAL);
  bool meets = false;
  for (const Contact& c : report.contacts) {
    report.safe_until = std::min(report.safe_until, c.toc[0]);
    if (clearance) report.clearances[static_cast<std::size_t>(c.link)] = 0.0;
    meets = meets || c.other() != nullptr;
  }
  return meets;
}

void CudaBatch::tell_others(std::size_t item, bool clearance) {
  for (Contact& c : report_of_item(item).contacts) {
    OtherLink* const other = c.other();
    if (other == nullptr) continue;
    const std::size_t met = memory_.question_of[static_cast<std::size_t>(other->avatar)];
    StepReport& second = reports_[met];
    second.safe_until = std::min(second.safe_until, c.toc[0]);
    if (clearance) second.clearances[static_cast<std::size_t>(other->link)] = 0.0;
    other->avatar = questions_[met].avatar;
  }
}

}  // namespace tocsin::devices
