#include "client/session_stream.h"

#include <fmt/format.h>

#include <new>
#include <utility>

#include "client/opening.h"
#include "client/status.h"
#include "wire/closing.h"

namespace tocsin::detail {
namespace {

// Pending calls of send(). This is a second of a very fast stream, and three quarters of a minute
// at 90 frames a second. A client that is so far behind gets an error. client.h names the number.
constexpr std::size_t kMostPending = 4096;

// Pending frames, and frames of one call, are merged into messages of up to this size (one frame
// may be larger). That is far below the 4 MiB that the service accepts, and large enough that the
// cost of a message does not matter.
constexpr std::size_t kMergedBytes = 128U << 10U;

// A joint's rotation and translation on the wire.
constexpr std::size_t kJointBytes = 56;

// The rest of a frame.
constexpr std::size_t kFrameBytes = 32;

// Messages kept for reuse.
constexpr std::size_t kMostSpare = 4;

}  // namespace

SessionStream::SessionStream(std::shared_ptr<ConnectionState> connection, const Skeleton& skeleton,
                             TrackHandler handler)
    : connection_(std::move(connection)),
      poses_(skeleton),
      joints_(static_cast<std::size_t>(skeleton.size())),
      handler_(std::move(handler)) {}

std::shared_ptr<SessionStream> SessionStream::start(std::shared_ptr<ConnectionState> connection,
                                                    const Skeleton& skeleton, TrackHandler handler,
                                                    v1::TrackRequest first) {
  std::shared_ptr<SessionStream> out(
      new SessionStream(std::move(connection), skeleton, std::move(handler)));
  SessionStream& stream = *out;
  stream.connection_->prepare(stream.context_);
  stream.self_ = out;
  stream.connection_->stub().async()->Track(&stream.context_, &stream);
  stream.writing_ = std::make_unique<Outgoing>();
  stream.writing_->request = std::move(first);
  stream.StartWrite(&stream.writing_->request);
  stream.StartRead(&stream.response_);
  stream.StartCall();
  return out;
}

// ---- Out ----

Status SessionStream::check_open(std::size_t calls) const {
  if (finishing_) return Error{ErrorCode::kUsage, "the session was finished"};
  if (closed_ || over_) return Error{ErrorCode::kResource, "the stream is over"};
  if (pending_calls_ + calls <= kMostPending) return Nothing{};
  return Error{
      ErrorCode::kResource,
      fmt::format("{} messages wait to be sent: the connection is too slow", pending_calls_)};
}

SessionStream::Outgoing& SessionStream::message_for(std::size_t bytes, bool floats) {
  if (!queue_.empty() && queue_.back()->floats == floats &&
      queue_.back()->bytes + bytes <= kMergedBytes) {
    return *queue_.back();
  }
  std::unique_ptr<Outgoing> message;
  if (spare_.empty()) {
    message = std::make_unique<Outgoing>();
  } else {
    message = std::move(spare_.back());
    spare_.pop_back();
  }
  // Frames of an earlier use stay and are overwritten. Clearing them would free their memory.
  message->floats = floats;
  message->frames = 0;
  message->calls = 0;
  message->bytes = 0;
  queue_.push_back(std::move(message));
  return *queue_.back();
}

Status SessionStream::pack(std::span<const TrackFrame> frames) {
  for (const TrackFrame& frame : frames) {
    if (Status fits = check_joints(frame, joints_); !fits) return fits;
  }
  const std::size_t queued = queue_.size();
  const int held = queue_.empty() ? 0 : queue_.back()->frames;
  const std::size_t bytes = queue_.empty() ? 0 : queue_.back()->bytes;
  try {
    pack_all(frames);
  } catch (const std::bad_alloc&) {  // all, or none
    queue_.resize(queued);
    if (!queue_.empty()) {
      queue_.back()->frames = held;
      queue_.back()->bytes = bytes;
    }
    return Error{ErrorCode::kResource, "out of memory while packing frames"};
  }
  queue_.back()->calls +=
      1;  // counted with the call's last message: the call is pending as long as that is
  pending_calls_ += 1;
  return Nothing{};
}

/// Frame by frame, because the frames of one call may be too many for one message.
void SessionStream::pack_all(std::span<const TrackFrame> frames) {
  for (const TrackFrame& frame : frames) {
    const std::size_t poses = frame.ahead.empty() ? 1 : 2;
    const std::size_t bytes = poses * joints_ * kJointBytes + kFrameBytes;
    Outgoing& message = message_for(bytes, frame.floats);
    const auto pack_into = [&](auto& packed) {
      const int at = message.frames;
      poses_.to_wire(frame, at < packed.size() ? *packed.Mutable(at) : *packed.Add());
    };
    if (frame.floats) {
      pack_into(*message.request.mutable_frames_f()->mutable_frames());
    } else {
      pack_into(*message.request.mutable_frames()->mutable_frames());
    }
    message.frames += 1;
    message.bytes += bytes;
  }
}

Status SessionStream::send(std::span<const TrackFrame> frames) {
  std::unique_lock lock(mutex_);
  if (auto open = check_open(1); !open) return open;
  if (frames.empty()) return Nothing{};
  if (auto packed = pack(frames); !packed) return packed;
  if (!writing_) write_next(lock);
  return Nothing{};
}

Status SessionStream::finish() {
  std::unique_lock lock(mutex_);
  if (finishing_) return Nothing{};
  if (closed_ || over_) return Error{ErrorCode::kResource, "the stream is over"};
  finishing_ = true;
  if (!writing_) write_next(lock);
  return Nothing{};
}

/// Starts the next write, without the lock. Precondition: none is under way, and the stream is not
/// closed.
void SessionStream::write_next(std::unique_lock<std::mutex>& lock) {
  // Until the stream is closed a read is under way, which keeps gRPC's part of it alive. From here
  // until the write has started a hold does.
  if (queue_.empty()) {
    if (!finishing_) return;
    closed_ = true;
    AddHold();
    lock.unlock();
    StartWritesDone();
    RemoveHold();
    return;
  }
  writing_ = std::move(queue_.front());
  queue_.pop_front();
  pending_calls_ -= writing_->calls;
  const auto drop_spare = [&](auto& frames) {
    while (frames.size() > writing_->frames) frames.RemoveLast();
  };
  if (writing_->floats) {
    drop_spare(*writing_->request.mutable_frames_f()->mutable_frames());
  } else {
    drop_spare(*writing_->request.mutable_frames()->mutable_frames());
  }
  const v1::TrackRequest& request = writing_->request;
  AddHold();
  lock.unlock();
  StartWrite(&request);
  RemoveHold();
}

void SessionStream::OnWriteDone(bool ok) {
  std::unique_lock lock(mutex_);
  const bool has_frames = writing_->request.has_frames() || writing_->request.has_frames_f();
  if (spare_.size() < kMostSpare && has_frames) {
    spare_.push_back(std::move(writing_));
  }
  writing_.reset();
  if (!ok) closed_ = true;
  if (!closed_) write_next(lock);
}

// ---- In ----

void SessionStream::OnReadDone(bool ok) {
  if (!ok) {
    const std::lock_guard lock(mutex_);
    closed_ = true;
    return;
  }
  calling_ = std::this_thread::get_id();
  try {
    if (problem_.empty()) take(response_);
  } catch (const std::bad_alloc&) {
    refuse("out of memory while reading reports");
  }
  calling_ = std::thread::id();
  StartRead(&response_);
}

void SessionStream::take(const v1::TrackResponse& response) {
  switch (response.message_case()) {
    case v1::TrackResponse::kOpened:
      return take_opened(response.opened());
    case v1::TrackResponse::kReports:
      return take_reports(response.reports());
    case v1::TrackResponse::kPartial:
      return take_partial(response.partial());
    case v1::TrackResponse::kEnded:
      ended_ = wire::from_wire(response.ended());
      return;
    case v1::TrackResponse::kClosing:
      closing_ = response.closing().reason();
      if (response.closing().has_covered() && handler_.closing) {
        handler_.closing(wire::from_wire(response.closing().covered()));
      }
      return;
    case v1::TrackResponse::MESSAGE_NOT_SET:
      return;  // a message of a later version
  }
}

void SessionStream::take_opened(const v1::Opened& opened) {
  const TrackOpened read = wire::from_wire(opened);
  {
    const std::lock_guard lock(mutex_);
    poses_.set_linked(read.joints);
  }
  if (handler_.opened) handler_.opened(read);
}

void SessionStream::take_reports(const v1::Reports& reports) {
  for (const v1::StepReport& report : reports.reports()) {
    auto read = wire::from_wire(report, poses_);
    if (!read) return refuse(read.error().message);
    if (handler_.report) handler_.report(std::move(read).value());
  }
}

void SessionStream::take_partial(const v1::StepReport& report) {
  auto read = wire::from_wire(report, poses_);
  if (!read) return refuse(read.error().message);
  if (handler_.partial) handler_.partial(std::move(read).value());
}

void SessionStream::refuse(std::string message) {
  problem_ = std::move(message);
  context_.TryCancel();
}

void SessionStream::OnDone(const grpc::Status& status) {
  calling_ = std::this_thread::get_id();
  StreamEnd end = end_of(status, ended_.has_value(), closing_.has_value());
  Error error;
  if (!problem_.empty()) {
    end = StreamEnd::kRefused;
    error = {ErrorCode::kInput, problem_};
  } else if (end == StreamEnd::kClosing) {
    const std::string why = closing_.value_or(std::string());
    error = {ErrorCode::kResource, why.empty() ? std::string(wire::kClosingReason) : why};
  } else if (end != StreamEnd::kEnded) {
    error = status.ok() ? Error{ErrorCode::kResource, "the server ended the stream too early"}
                        : error_of(status, connection_->target());
  }
  if (handler_.over) handler_.over(end, ended_.value_or(TrackEnded{}), error);
  calling_ = std::thread::id();
  {
    const std::lock_guard lock(mutex_);
    closed_ = true;
    over_ = true;
  }
  const std::shared_ptr<Over> gone = gone_;
  std::shared_ptr<SessionStream> last = std::move(self_);
  last.reset();  // may have been the last owner of this
  const std::lock_guard lock(gone->mutex);
  gone->over = true;
  gone->changed.notify_all();
}

bool SessionStream::is_closed() {
  const std::scoped_lock lock(mutex_);
  return closed_ || over_;
}

bool SessionStream::wait(std::chrono::milliseconds timeout) {
  std::unique_lock lock(gone_->mutex);
  return gone_->changed.wait_for(lock, timeout, [this] { return gone_->over; });
}

void SessionStream::end() {
  context_.TryCancel();
  if (calling_ == std::this_thread::get_id()) return;
  std::unique_lock lock(gone_->mutex);
  gone_->changed.wait(lock, [this] { return gone_->over; });
}

}  // namespace tocsin::detail
