#include "tocsin/stream.h"

#include <optional>
#include <utility>

#include "detect/backends/detector_core.h"

namespace tocsin {

namespace detail {

/// At a fixed place, as Coherence refers to its neighbours.
struct StreamState {
  std::optional<Error> error;
  std::shared_ptr<const DetectorCore> core;
  Avatar avatar;
  ActivePairs active;
  LinkPairs self;
  detect::MovingLinks links;
  detect::Scratch scratch;
  std::optional<detect::Coherence> coherence;
};

}  // namespace detail

Stream::Stream(const Detector& detector, Avatar avatar, ActivePairs active, LinkPairs self)
    : state_(std::make_unique<detail::StreamState>()) {
  state_->error = detector.error_;
  state_->core = detector.core_;
  state_->avatar = std::move(avatar);
  state_->active = std::move(active);
  state_->self = std::move(self);
  if (state_->core) {
    state_->coherence.emplace(state_->core->exact().tree(), state_->core->exact().environment(),
                              state_->active, state_->avatar.links().size());
  }
}

Stream::Stream(Stream&&) noexcept = default;
Stream& Stream::operator=(Stream&&) noexcept = default;
Stream::~Stream() = default;

StepReport Stream::check(const Step& step, const std::stop_token& stop) {
  if (state_->error) return detect::report_of(step, state_->error);
  if (state_->core->asks_ahead()) {
    return state_->core->check_one(state_->avatar, step, {state_->active, state_->self});
  }
  return state_->core->exact().check(state_->avatar, step, {state_->active, state_->self},
                                     {state_->links, state_->scratch},
                                     {&*state_->coherence, nullptr, &stop});
}

}  // namespace tocsin
