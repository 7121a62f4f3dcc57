#include <utility>

#include "client/lasting_stream.h"
#include "client/live_stream.h"
#include "tocsin/client.h"

namespace tocsin {
namespace {

Error none() { return {ErrorCode::kUsage, "there is no session"}; }

}  // namespace

LiveSession::LiveSession(LiveSession&&) noexcept = default;

LiveSession& LiveSession::operator=(LiveSession&& other) noexcept {
  if (this == &other) return *this;
  if (stream_) stream_->end();
  stream_ = std::move(other.stream_);
  return *this;
}

LiveSession::~LiveSession() {
  if (stream_) stream_->end();
}

Status LiveSession::send(std::span<const TrackFrame> frames) {
  return stream_ ? stream_->send(frames) : none();
}

Status LiveSession::finish() { return stream_ ? stream_->finish() : none(); }

void LiveSession::abandon() {
  if (stream_) stream_->cancel();
}

bool LiveSession::is_closed() const { return !stream_ || stream_->is_closed(); }

bool LiveSession::wait(std::chrono::milliseconds timeout) {
  return !stream_ || stream_->wait(timeout);
}

LastingSession::LastingSession() = default;

LastingSession::LastingSession(LastingSession&&) noexcept = default;

LastingSession& LastingSession::operator=(LastingSession&&) noexcept = default;

LastingSession::~LastingSession() = default;

Status LastingSession::send(std::span<const TrackFrame> frames) {
  return stream_ ? stream_->send(frames) : none();
}

Status LastingSession::finish() { return stream_ ? stream_->finish() : none(); }

bool LastingSession::wait(std::chrono::milliseconds timeout) {
  return !stream_ || stream_->wait(timeout);
}

Result<LastingSession> Connection::track_lasting(const TrackOptions& options,
                                                 LastingHandler handler,
                                                 const ReconnectOptions& reconnect) const {
  if (!state_) {
    return {ErrorCode::kUsage, "there is no connection: Connection::open() makes one"};
  }
  if (options.skeleton.size() == 0) {
    return {ErrorCode::kUsage, "a session needs a skeleton with at least one joint"};
  }
  detail::StreamSource source;
  source.track = [connection = *this](const TrackOptions& asked, TrackHandler told) {
    return connection.track(asked, std::move(told));
  };
  source.resume = [connection = *this](const std::string& id, std::uint64_t received,
                                       const Skeleton& skeleton, TrackHandler told) {
    return connection.resume(id, received, skeleton, std::move(told));
  };
  LastingSession out;
  out.stream_ = std::make_unique<detail::LastingStream>(std::move(source), options,
                                                        std::move(handler), reconnect);
  return out;
}

}  // namespace tocsin
