// Several avatars checked together.
#include <algorithm>
#include <new>
#include <optional>
#include <utility>
#include <vector>

#include "detect/backends/detector_core.h"
#include "detect/crowd/crowd_check.h"
#include "detect/step/threads.h"
#include "tocsin/crowd.h"

namespace tocsin {

namespace detect {

std::vector<StepReport> all_failed(std::size_t count, std::span<const Step> steps,
                                   const Error& error) {
  std::vector<StepReport> out(count);
  for (std::size_t i = 0; i < count; ++i) {
    if (i < steps.size()) {
      out[i] = report_of(steps[i], error);
    } else {
      out[i].error = error;
    }
    out[i].avatar = static_cast<std::int32_t>(i);
  }
  return out;
}

void add_questions(std::span<const Member> members, std::span<const Presence> present,
                   std::size_t instant, std::vector<Question>& questions) {
  for (const Presence& p : present) {
    questions.push_back({&members[p.member], p.step, instant, static_cast<std::int32_t>(p.member)});
  }
}

void CrowdCheck::check_everybody(std::span<const Step> steps, const RunOptions& options,
                                 std::span<StepReport> reports) {
  everybody_.clear();
  for (std::size_t i = 0; i < members_.size(); ++i) everybody_.push_back({i, &steps[i]});
  CrowdOptions how;
  how.meet = options.meet;
  how.parallel = options.threads != 1;
  how.stop = options.stop;
  StepBudget budget = options.budget.value_or(StepBudget());
  budget.stop = options.stop;
  how.budget = options.budget ? &budget : nullptr;
  if (core_.asks_ahead(everybody_.size())) ask_ahead(how, reports);
  check(everybody_, how, reports);
}

void CrowdCheck::ask_ahead(CrowdOptions& how, std::span<StepReport> reports) {
  std::vector<Question> questions;
  add_questions(members_, everybody_, 0, questions);
  if (questions.empty()) return;
  const std::vector<std::uint8_t> left =
      core_.ask_ahead(questions, 1, {how.meet, how.parallel, how.stop}, reports);
  how.room_is_known = left.front() == 0;
  how.contacts_are_known = how.room_is_known && core_.answers_meetings();
}

std::vector<StepReport> CrowdCheck::check_batch(std::span<const Step> steps,
                                                const RunOptions& options) {
  const std::size_t count = std::max(members_.size(), steps.size());
  if (members_.size() != steps.size()) {
    return all_failed(count, steps, {ErrorCode::kUsage, "there must be one step for every avatar"});
  }
  if (options.meet && !core_.options().experiments.certify) {
    return all_failed(count, steps, pairs_need_certify());
  }
  try {
    std::vector<StepReport> reports(count);
    if (options.threads > 1) {
      Threads(options.threads).execute([&] { check_everybody(steps, options, reports); });
    } else {
      check_everybody(steps, options, reports);
    }
    if (!options.stop.stop_requested()) return reports;
  } catch (const std::bad_alloc&) {
    return all_failed(count, steps,
                      {ErrorCode::kResource, "out of memory while several avatars were checked"});
  }
  return all_failed(count, steps, {ErrorCode::kCancelled, "stopped before the last avatar"});
}

}  // namespace detect

namespace detail {

/// At a fixed place, as CrowdCheck refers to its neighbours.
struct CrowdState {
  std::shared_ptr<const DetectorCore> core;
  std::vector<Member> members;
  std::optional<detect::CrowdCheck> check;
};

}  // namespace detail

std::vector<StepReport> Detector::check_batch(std::span<const Member> members,
                                              std::span<const Step> steps,
                                              const RunOptions& options) const {
  try {
    return detect::CrowdCheck(*core_, members).check_batch(steps, options);
  } catch (const std::bad_alloc&) {
    return detect::all_failed(
        std::max(members.size(), steps.size()), steps,
        {ErrorCode::kResource, "out of memory while several avatars were checked"});
  }
}

Crowd::Crowd(const Detector& detector, std::vector<Member> members)
    : state_(std::make_unique<detail::CrowdState>()) {
  state_->core = detector.core_;
  state_->members = std::move(members);
  state_->check.emplace(*state_->core, state_->members, true);
}

Crowd::Crowd(Crowd&&) noexcept = default;
Crowd& Crowd::operator=(Crowd&&) noexcept = default;
Crowd::~Crowd() = default;

std::span<const Member> Crowd::members() const { return state_->members; }

std::vector<StepReport> Crowd::check(std::span<const Step> steps, const RunOptions& options) {
  return state_->check->check_batch(steps, options);
}

}  // namespace tocsin
