#include <utility>

#include "client/crowd_stream.h"
#include "client/lasting_stream.h"
#include "client/opening.h"
#include "tocsin/client.h"

namespace tocsin {
namespace {

using SharedCrowd = std::shared_ptr<detail::LiveCrowdState>;

Error no_crowd() { return {ErrorCode::kUsage, "there is no crowd: Connection::crowd() makes one"}; }

Result<std::shared_ptr<detail::CrowdSession>> begin_in(const SharedCrowd& state,
                                                       const TrackOptions& options,
                                                       TrackHandler handler) {
  auto open = detail::opening(options);
  if (!open) return open.error();
  v1::SlotOpening first;
  *first.mutable_open() = std::move(open).value();
  return state->begin(options.skeleton, std::move(handler), first);
}

Result<std::shared_ptr<detail::CrowdSession>> begin_in(const SharedCrowd& state,
                                                       const std::string& id,
                                                       std::uint64_t received,
                                                       const Skeleton& skeleton,
                                                       TrackHandler handler) {
  auto resume = detail::resuming(id, received);
  if (!resume) return resume.error();
  v1::SlotOpening first;
  *first.mutable_resume() = std::move(resume).value();
  return state->begin(skeleton, std::move(handler), first);
}

}  // namespace

LiveCrowd::LiveCrowd() = default;

LiveCrowd::LiveCrowd(LiveCrowd&&) noexcept = default;

LiveCrowd& LiveCrowd::operator=(LiveCrowd&& other) noexcept {
  if (this == &other) return *this;
  if (state_) state_->end();
  state_ = std::move(other.state_);
  return *this;
}

LiveCrowd::~LiveCrowd() {
  if (state_) state_->end();
}

Result<LiveSession> LiveCrowd::track(const TrackOptions& options, TrackHandler handler) const {
  if (!state_) return no_crowd();
  return session_of(begin_in(state_, options, std::move(handler)));
}

Result<LiveSession> LiveCrowd::resume(const std::string& session_id, std::uint64_t received,
                                      const Skeleton& skeleton, TrackHandler handler) const {
  if (!state_) return no_crowd();
  return session_of(begin_in(state_, session_id, received, skeleton, std::move(handler)));
}

Result<LiveSession> LiveCrowd::session_of(Result<std::shared_ptr<detail::CrowdSession>> begun) {
  if (!begun) return begun.error();
  LiveSession out;
  out.stream_ = std::move(begun).value();
  return out;
}

Result<LastingSession> LiveCrowd::track_lasting(const TrackOptions& options, LastingHandler handler,
                                                const ReconnectOptions& reconnect) const {
  if (!state_) return no_crowd();
  if (auto fits = detail::opening(options); !fits) return fits.error();
  // Not the crowd itself: that may be moved.
  detail::StreamSource source;
  source.track = [state = state_](const TrackOptions& asked, TrackHandler told) {
    return session_of(begin_in(state, asked, std::move(told)));
  };
  source.resume = [state = state_](const std::string& id, std::uint64_t received,
                                   const Skeleton& skeleton, TrackHandler told) {
    return session_of(begin_in(state, id, received, skeleton, std::move(told)));
  };
  LastingSession out;
  out.stream_ = std::make_unique<detail::LastingStream>(std::move(source), options,
                                                        std::move(handler), reconnect);
  return out;
}

void LiveCrowd::collect() {
  if (state_) state_->collect();
}

void LiveCrowd::flush() {
  if (state_) state_->flush();
}

}  // namespace tocsin
