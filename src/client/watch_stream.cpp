#include "client/watch_stream.h"

#include <fmt/format.h>

#include <new>
#include <utility>

#include "client/status.h"
#include "wire/closing.h"
#include "wire/watching.h"

namespace tocsin {

Watch::Watch() = default;

Watch::Watch(Watch&&) noexcept = default;

Watch& Watch::operator=(Watch&& other) noexcept {
  if (this == &other) return *this;
  if (stream_) stream_->end();
  stream_ = std::move(other.stream_);
  return *this;
}

Watch::~Watch() {
  if (stream_) stream_->end();
}

void Watch::stop() {
  if (stream_) stream_->cancel();
}

bool Watch::wait(std::chrono::milliseconds timeout) { return !stream_ || stream_->wait(timeout); }

Result<Watch> Connection::watch(const WatchOptions& options, WatchHandler handler) const {
  if (!state_) {
    return {ErrorCode::kUsage, "there is no connection: Connection::open() makes one"};
  }
  Watch out;
  out.stream_ = detail::WatchStream::start(state_, options, std::move(handler));
  return out;
}

namespace detail {

WatchStream::WatchStream(std::shared_ptr<ConnectionState> connection, WatchHandler handler)
    : connection_(std::move(connection)), handler_(std::move(handler)) {}

std::shared_ptr<WatchStream> WatchStream::start(std::shared_ptr<ConnectionState> connection,
                                                const WatchOptions& options, WatchHandler handler) {
  std::shared_ptr<WatchStream> out(new WatchStream(std::move(connection), std::move(handler)));
  WatchStream& stream = *out;
  wire::to_wire(options, stream.request_);
  stream.connection_->prepare(stream.context_);
  stream.self_ = out;
  stream.connection_->stub().async()->Watch(&stream.context_, &stream.request_, &stream);
  stream.StartRead(&stream.response_);
  stream.StartCall();
  return out;
}

void WatchStream::OnReadDone(bool ok) {
  if (!ok) return;
  calling_ = std::this_thread::get_id();
  try {
    if (!std::exchange(begun_, true) && handler_.begun) handler_.begun();
    for (const v1::WatchEvent& event : response_.events()) {
      if (problem_.empty()) take(event);
    }
  } catch (const std::bad_alloc&) {
    refuse("out of memory while reading what is watched");
  }
  calling_ = std::thread::id();
  StartRead(&response_);
}

void WatchStream::take(const v1::WatchEvent& event) {
  switch (event.what_case()) {
    case v1::WatchEvent::kSession:
      return take_session(event.session());
    case v1::WatchEvent::kStep:
      return take_step(event.step());
    case v1::WatchEvent::kStream:
      if (handler_.stream) handler_.stream({event.stream().session(), event.stream().attached()});
      return;
    case v1::WatchEvent::kEnded:
      known_.erase(event.ended().session());
      if (handler_.ended) handler_.ended(wire::from_wire(event.ended()));
      return;
    case v1::WatchEvent::kSkipped:
      if (handler_.skipped) handler_.skipped(event.skipped().events());
      return;
    case v1::WatchEvent::WHAT_NOT_SET:
      return;  // of a later version
  }
}

void WatchStream::take_session(const v1::WatchedSession& session) {
  const auto read = wire::from_wire(session);
  if (!read) return refuse(read.error().message);
  known_.insert_or_assign(read->session, Known(read->avatar.skeleton()));
  if (handler_.session) handler_.session(*read);
}

void WatchStream::take_step(const v1::WatchedStep& step) {
  const auto found = known_.find(step.session());
  if (found == known_.end()) return refuse("a step of a session that was not told");
  Known& known = found->second;
  auto read = wire::from_wire(step, known.poses);
  if (!read) return refuse(read.error().message);
  const std::int64_t number = read->report.result.step;
  if (step.has_to_pose()) {
    if (!step.has_from_pose()) {
      if (known.pose.empty() || known.next_step != number) {
        return refuse(fmt::format("session {}: step {} begins nowhere", step.session(), number));
      }
      read->from_pose = std::move(known.pose);
    }
    known.pose = read->to_pose;
    known.next_step = number + 1;
  }
  if (handler_.step) handler_.step(std::move(read).value());
}

void WatchStream::refuse(std::string message) {
  problem_ = std::move(message);
  context_.TryCancel();
}

void WatchStream::OnDone(const grpc::Status& status) {
  calling_ = std::this_thread::get_id();
  StreamEnd end = end_of(status, false, false);
  Error error = status.ok() ? Error{ErrorCode::kResource, "the server ended the stream"}
                            : error_of(status, connection_->target());
  if (!problem_.empty()) {
    end = StreamEnd::kRefused;
    error = {ErrorCode::kInput, problem_};
  } else if (end == StreamEnd::kClosing) {
    error = {ErrorCode::kResource, std::string(wire::kClosingReason)};
  }
  if (handler_.over) handler_.over(end, error);
  calling_ = std::thread::id();
  const std::shared_ptr<Over> gone = gone_;
  std::shared_ptr<WatchStream> last = std::move(self_);
  last.reset();  // may have been the last owner of this
  const std::lock_guard lock(gone->mutex);
  gone->over = true;
  gone->changed.notify_all();
}

bool WatchStream::wait(std::chrono::milliseconds timeout) {
  std::unique_lock lock(gone_->mutex);
  return gone_->changed.wait_for(lock, timeout, [this] { return gone_->over; });
}

void WatchStream::end() {
  context_.TryCancel();
  if (calling_ == std::this_thread::get_id()) return;
  std::unique_lock lock(gone_->mutex);
  gone_->changed.wait(lock, [this] { return gone_->over; });
}

}  // namespace detail
}  // namespace tocsin
