#include "tocsin/stream.h"

#include <optional>
#include <utility>

#include "detect/backends/detector_core.h"
#include "detect/step/step_in_parts.h"

namespace tocsin {

namespace detail {

/// At a fixed place, as Coherence refers to its neighbours.
struct StreamState {
  std::shared_ptr<const DetectorCore> core;
  Member member;
  detect::MovingLinks links;
  detect::Scratch scratch;
  std::optional<detect::Coherence> coherence;
  detect::StepInParts parts;

  detect::PartsQuestion question() { return {member, links, scratch, &*coherence}; }
};

}  // namespace detail

Stream::Stream(const Detector& detector, Member member)
    : state_(std::make_unique<detail::StreamState>()) {
  state_->core = detector.core_;
  state_->member = std::move(member);
  state_->coherence.emplace(state_->core->exact().tree(), state_->core->exact().environment(),
                            state_->member.active, state_->member.avatar.links().size());
}

Stream::Stream(Stream&&) noexcept = default;
Stream& Stream::operator=(Stream&&) noexcept = default;
Stream::~Stream() = default;

StepReport Stream::check(const Step& step, const std::stop_token& stop) {
  state_->parts.stage = detect::StepInParts::Stage::kDone;
  if (state_->core->asks_ahead(1)) return state_->core->check_one(state_->member, step);
  return state_->core->exact().check(state_->member, step, {state_->links, state_->scratch},
                                     {&*state_->coherence, nullptr, &stop});
}

StepReport Stream::check_within(const Step& step, const StepBudget& budget) {
  if (state_->core->asks_ahead(1)) return check(step);
  return detect::check_in_parts(state_->core->exact(), state_->question(), step, budget,
                                state_->parts);
}

StepReport Stream::go_on(const StepBudget& budget) {
  return detect::go_on_in_parts(state_->core->exact(), state_->question(), budget, state_->parts);
}

bool Stream::has_rest() const { return state_->parts.has_rest(); }

}  // namespace tocsin
