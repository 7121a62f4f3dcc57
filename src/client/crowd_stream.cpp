#include "client/crowd_stream.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <new>
#include <utility>

#include "client/opening.h"
#include "client/status.h"

namespace tocsin::detail {
namespace {

/// Slots of a stream: collision.proto, SlotOpening.
constexpr std::size_t kMostCrowdSlots = 16'384;

/// Frames are merged into messages of up to this size: below the 4 MiB that the service accepts,
/// and so many that the cost of a message does not matter. Larger: the server waits longer for the
/// first of them.
constexpr std::size_t kCrowdMessageBytes = 256U << 10U;

/// Of frames that wait to be sent: three seconds of 300 avatars at 90 Hz. A client that is so far
/// behind gets an error.
constexpr std::size_t kMostPendingBytes = std::size_t{64} << 20U;

/// A joint's rotation and translation on the wire, at most; the rest of a frame.
constexpr std::size_t kCrowdJointBytes = 56;
constexpr std::size_t kCrowdFrameBytes = 24;

/// Frames of a session that wait for its opening: as many as LiveSession takes.
constexpr std::size_t kMostEarly = 4096;

constexpr std::size_t kSpareCrowdMessages = 4;  ///< messages kept for reuse

/// For the server to answer that a session was left. A server that does not is lost.
constexpr std::chrono::seconds kLeaving{10};

Error crowd_is_over() { return {ErrorCode::kResource, "the stream is over"}; }

}  // namespace

std::shared_ptr<CrowdStream> CrowdStream::create(std::shared_ptr<ConnectionState> connection,
                                                 bool collects) {
  std::shared_ptr<CrowdStream> out(new CrowdStream(std::move(connection)));
  CrowdStream& stream = *out;
  stream.collects_ = collects;
  stream.connection_->prepare(stream.context_);
  stream.self_ = out;
  stream.connection_->stub().async()->TrackMany(&stream.context_, &stream);
  stream.StartRead(&stream.response_);
  return out;
}

// ---- Sessions ----

CrowdSession::CrowdSession(std::shared_ptr<CrowdStream> stream, const Skeleton& skeleton,
                           TrackHandler handler)
    : stream_(std::move(stream)),
      joints_(skeleton.joints().size()),
      poses_(std::make_shared<const wire::PoseCodec>(skeleton)),
      handler_(std::move(handler)) {}

Status CrowdSession::send(std::span<const TrackFrame> frames) {
  return stream_->send(*this, frames);
}
Status CrowdSession::finish() { return stream_->finish(*this); }
void CrowdSession::cancel() { stream_->leave(*this); }
bool CrowdSession::is_closed() { return stream_->is_closed(*this); }
bool CrowdSession::wait(std::chrono::milliseconds timeout) { return stream_->wait(*this, timeout); }
void CrowdSession::end() { stream_->end(*this); }

Result<std::shared_ptr<CrowdSession>> CrowdStream::begin(const Skeleton& skeleton,
                                                         TrackHandler handler,
                                                         v1::SlotOpening opening) {
  auto session = std::make_shared<CrowdSession>(shared_from_this(), skeleton, std::move(handler));
  std::unique_lock lock(mutex_);
  if (closed_) return crowd_is_over();
  if (free_slots_.empty()) {
    if (slots_.size() >= kMostCrowdSlots) {
      return {
          ErrorCode::kResource,
          fmt::format("{} sessions share the stream, as many as there may be", kMostCrowdSlots)};
    }
    free_slots_.push_back(static_cast<std::uint32_t>(slots_.size()));
    slots_.emplace_back();
  }
  session->slot_ = free_slots_.back();
  free_slots_.pop_back();
  slots_[session->slot_] = session;
  opening.set_slot(session->slot_);
  *message_for_opening(opening.ByteSizeLong()).request.add_openings() = std::move(opening);
  write_on(lock, true);
  return session;
}

Status CrowdStream::send(CrowdSession& session, std::span<const TrackFrame> frames) {
  const std::size_t joints = session.joints_;
  for (const TrackFrame& frame : frames) {
    if (Status fits = check_joints(frame, joints); !fits) return fits;
  }
  std::unique_lock lock(mutex_);
  if (session.finishing_) return Error{ErrorCode::kUsage, "the session was finished"};
  if (closed_ || session.over_ || session.left_) return crowd_is_over();
  if (pending_bytes_ > kMostPendingBytes) {
    return Error{ErrorCode::kResource, fmt::format("{} bytes of frames wait to be sent: the "
                                                   "connection is too slow",
                                                   pending_bytes_)};
  }
  if (!session.open_) {
    if (session.early_.size() + frames.size() > kMostEarly) {
      return Error{ErrorCode::kResource,
                   fmt::format("{} frames wait for the session to be opened", kMostEarly)};
    }
    session.early_.insert(session.early_.end(), frames.begin(), frames.end());
    return Nothing{};
  }
  for (const TrackFrame& frame : frames) pack(session, frame);
  write_on(lock, false);
  return Nothing{};
}

Status CrowdStream::finish(CrowdSession& session) {
  std::unique_lock lock(mutex_);
  if (session.finishing_) return Nothing{};
  if (closed_ || session.over_) return crowd_is_over();
  session.finishing_ = true;
  if (!session.open_) return Nothing{};  // after the frames that wait
  message_for(0).request.add_ends(session.slot_);
  write_on(lock, true);
  return Nothing{};
}

void CrowdStream::leave(CrowdSession& session) {
  std::unique_lock lock(mutex_);
  if (closed_ || session.over_ || std::exchange(session.left_, true)) return;
  message_for(0).request.add_leaves(session.slot_);
  write_on(lock, true);
}

bool CrowdStream::wait(CrowdSession& session, std::chrono::milliseconds timeout) {
  std::unique_lock lock(mutex_);
  return changed_.wait_for(lock, timeout, [&] { return session.over_; });
}

void CrowdStream::end(CrowdSession& session) {
  leave(session);
  if (calling_ == std::this_thread::get_id()) return;
  if (wait(session, kLeaving)) return;
  context_.TryCancel();
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return session.over_; });
}

// ---- Out ----

/// The message that is being filled.
CrowdStream::Outgoing& CrowdStream::message_for(std::size_t bytes) {
  if (queue_.empty() || queue_.back()->bytes + bytes > kCrowdMessageBytes)
    return new_message(bytes);
  queue_.back()->bytes += bytes;
  pending_bytes_ += bytes;
  return *queue_.back();
}

/// Openings are taken before the frames of their message, which may be an earlier session's of the
/// same slot.
CrowdStream::Outgoing& CrowdStream::message_for_opening(std::size_t bytes) {
  if (queue_.empty()) return new_message(bytes);
  const v1::TrackManyRequest& last = queue_.back()->request;
  const bool only_openings =
      last.frames_size() + last.frames_f_size() + last.ends_size() + last.leaves_size() == 0;
  return only_openings ? message_for(bytes) : new_message(bytes);
}

CrowdStream::Outgoing& CrowdStream::new_message(std::size_t bytes) {
  std::unique_ptr<Outgoing> message;
  if (spare_.empty()) {
    message = std::make_unique<Outgoing>();
  } else {
    message = std::move(spare_.back());
    spare_.pop_back();
    message->request.Clear();  // keeps the memory of its columns
  }
  message->bytes = bytes;
  pending_bytes_ += bytes;
  queue_.push_back(std::move(message));
  return *queue_.back();
}

void CrowdStream::pack(const CrowdSession& session, const TrackFrame& frame) {
  const std::size_t poses = frame.ahead.empty() ? 1 : 2;
  Outgoing& message = message_for_frame(
      poses * session.joints_ * kCrowdJointBytes + kCrowdFrameBytes, frame.floats);
  const wire::PoseForm form = session.poses_->form_of(frame);
  const auto add = [&](auto& all) {
    // Columns have poses of one form, and poses ahead of all frames or of none. A slot's frames
    // stay in order.
    const bool fits = !all.empty() && message.form == form && message.poses == poses;
    auto& columns = fits ? *all.Mutable(all.size() - 1) : *all.Add();
    columns.add_slots(session.slot_);
    columns.add_ids(frame.id);
    columns.add_capture_times(frame.capture_time);
    session.poses_->append(frame, form, columns);
  };
  if (frame.floats) {
    add(*message.request.mutable_frames_f());
  } else {
    add(*message.request.mutable_frames());
  }
  message.form = form;
  message.poses = poses;
}

/// The message that is being filled, or the next: both kinds in one would mix up a slot's order.
CrowdStream::Outgoing& CrowdStream::message_for_frame(std::size_t bytes, bool floats) {
  const bool other =
      !queue_.empty() && queue_.back()->floats != floats &&
      queue_.back()->request.frames_size() + queue_.back()->request.frames_f_size() > 0;
  Outgoing& out = other ? new_message(bytes) : message_for(bytes);
  out.floats = floats;
  return out;
}

/// Starts the next write, without the lock, if one is due and none is under way. `now`: what is
/// queued does not wait for flush().
void CrowdStream::write_on(std::unique_lock<std::mutex>& lock, bool now) {
  due_ = due_ || now || !collects_;
  if (writing_ || closed_ || queue_.empty()) return;
  if (!due_ && queue_.size() < 2) return;  // a message that is full does not wait
  writing_ = std::move(queue_.front());
  queue_.pop_front();
  pending_bytes_ -= writing_->bytes;
  if (queue_.empty()) due_ = false;
  const v1::TrackManyRequest& request = writing_->request;
  // Until the stream is closed a read is under way, which keeps gRPC's part of it alive. From here
  // until the write has started a hold does.
  AddHold();
  lock.unlock();
  StartWrite(&request);
  RemoveHold();
}

void CrowdStream::OnWriteDone(bool ok) {
  std::unique_lock lock(mutex_);
  if (spare_.size() < kSpareCrowdMessages) spare_.push_back(std::move(writing_));
  writing_.reset();
  if (!ok) closed_ = true;
  if (!queue_.empty()) write_on(lock, due_);
}

void CrowdStream::collect() {
  const std::scoped_lock lock(mutex_);
  collects_ = true;
}

void CrowdStream::flush() {
  std::unique_lock lock(mutex_);
  if (!queue_.empty()) write_on(lock, true);
}

}  // namespace tocsin::detail
