#include "tocsin/stream.h"

#include <optional>
#include <utility>

#include "detect/backends/detector_core.h"

namespace tocsin {

namespace detail {

/// At a fixed place, as Coherence refers to its neighbours.
struct StreamState {
  std::shared_ptr<const DetectorCore> core;
  Member member;
  detect::MovingLinks links;
  detect::Scratch scratch;
  std::optional<detect::Coherence> coherence;
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
  if (state_->core->asks_ahead(1)) return state_->core->check_one(state_->member, step);
  return state_->core->exact().check(state_->member, step, {state_->links, state_->scratch},
                                     {&*state_->coherence, nullptr, &stop});
}

}  // namespace tocsin
