#include <utility>

#include "client/session_stream.h"
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

bool LiveSession::wait(std::chrono::milliseconds timeout) {
  return !stream_ || stream_->wait(timeout);
}

}  // namespace tocsin
