// What comes on a stream that many sessions share: the stream's thread.
#include <fmt/format.h>

#include <limits>
#include <new>
#include <utility>

#include "client/crowd_stream.h"
#include "client/status.h"

namespace tocsin::detail {

void CrowdStream::OnReadDone(bool ok) {
  if (!ok) {
    const std::scoped_lock lock(mutex_);
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

void CrowdStream::refuse(std::string message) {
  if (problem_.empty()) problem_ = std::move(message);
  context_.TryCancel();
}

std::shared_ptr<CrowdSession> CrowdStream::session_in(std::uint32_t slot) {
  const std::scoped_lock lock(mutex_);
  return slot < slots_.size() ? slots_[slot] : nullptr;
}

void CrowdStream::take(const v1::TrackManyResponse& message) {
  closing_ = closing_ || !message.closing().empty();
  for (const v1::SlotOpened& one : message.opened()) take_opened(one);
  take_steps(message);
  for (const v1::SlotReport& one : message.partials()) {
    const auto session = session_in(one.slot());
    if (!session || !problem_.empty()) continue;
    auto read = wire::from_wire(one.report(), *session->poses_);
    if (!read) return refuse(read.error().message);
    if (session->handler_.partial) session->handler_.partial(std::move(read).value());
  }
  for (const v1::SlotEnd& end : message.ends()) {
    if (problem_.empty()) take_end(end);
  }
}

void CrowdStream::take_opened(const v1::SlotOpened& opened) {
  const auto session = session_in(opened.slot());
  if (!session) return refuse(fmt::format("slot {} was opened, but not by us", opened.slot()));
  const TrackOpened read = wire::from_wire(opened.opened());
  if (session->handler_.opened) session->handler_.opened(read);
  auto poses = std::make_shared<wire::PoseCodec>(*session->poses_);
  poses->set_linked(read.joints);
  if (!newest_poses_ || !newest_poses_->is_like(*poses)) newest_poses_ = std::move(poses);
  std::unique_lock lock(mutex_);
  session->poses_ = newest_poses_;
  session->open_ = true;
  for (const TrackFrame& frame : session->early_) pack(*session, frame);
  session->early_ = {};
  if (session->finishing_) message_for(0).request.add_ends(session->slot_);
  if (!queue_.empty()) write_on(lock, true);
}

/// Reports and free steps: of one slot, in order.
void CrowdStream::take_steps(const v1::TrackManyResponse& message) {
  const v1::FreeSteps& free = message.free();
  if (!wire::is_even(free)) return refuse("free steps with columns of different lengths");
  // The rows of one slot follow each other.
  for (int row = free.slots_size() - 1; row >= 0; --row) {
    if (const auto session = session_in(free.slots(row))) session->row_ = row;
  }
  for (const v1::SlotReport& one : message.reports()) {
    const auto session = session_in(one.slot());
    if (!session) return refuse(fmt::format("a report for slot {}", one.slot()));
    take_free(free, *session, one.report().step());
    auto read = wire::from_wire(one.report(), *session->poses_);
    if (!read) return refuse(read.error().message);
    session->told_.tell(*read);
    if (session->handler_.report) session->handler_.report(std::move(read).value());
  }
  for (int row = 0; row < free.slots_size() && problem_.empty(); ++row) {
    const auto session = session_in(free.slots(row));
    if (!session) return refuse(fmt::format("a free step of slot {}", free.slots(row)));
    if (session->row_ == row) {
      take_free(free, *session, std::numeric_limits<std::uint64_t>::max());
    }
  }
}

/// The session's free steps before that step.
void CrowdStream::take_free(const v1::FreeSteps& free, CrowdSession& session,
                            std::uint64_t before) {
  while (session.row_ < free.slots_size() && free.slots(session.row_) == session.slot_ &&
         free.steps(session.row_) < before) {
    auto report = wire::free_report(free, session.row_++, session.told_);
    if (!report) return refuse(report.error().message);
    if (session.handler_.report) session.handler_.report(std::move(report).value());
  }
}

void CrowdStream::take_end(const v1::SlotEnd& end) {
  const auto session = session_in(end.slot());
  if (!session) return refuse(fmt::format("an end of slot {}", end.slot()));
  if (end.has_ended()) {
    return tell_over(session, StreamEnd::kEnded, wire::from_wire(end.ended()), {});
  }
  const v1::SlotRefusal& refused = end.refused();
  const grpc::Status status(static_cast<grpc::StatusCode>(refused.code()), refused.message());
  if (refused.has_covered() && session->handler_.closing) {
    session->handler_.closing(wire::from_wire(refused.covered()));
  }
  const StreamEnd how = end_of(status, false, closing_ && refused.has_covered());
  tell_over(session, how, {},
            how == StreamEnd::kClosing ? Error{ErrorCode::kResource, refused.message()}
                                       : error_of(status, connection_->target()));
}

/// The session's last call. Its slot is free.
void CrowdStream::tell_over(const std::shared_ptr<CrowdSession>& session, StreamEnd end,
                            const TrackEnded& ended, const Error& error) {
  {
    const std::scoped_lock lock(mutex_);
    session->left_ = true;  // nothing more is sent for it
  }
  if (session->handler_.over) session->handler_.over(end, ended, error);
  {
    const std::scoped_lock lock(mutex_);
    session->over_ = true;
    slots_[session->slot_].reset();
    free_slots_.push_back(session->slot_);
  }
  changed_.notify_all();
}

void CrowdStream::OnDone(const grpc::Status& status) {
  calling_ = std::this_thread::get_id();
  std::vector<std::shared_ptr<CrowdSession>> left;
  {
    const std::scoped_lock lock(mutex_);
    closed_ = true;
    left = slots_;
  }
  StreamEnd end = end_of(status, false, false);
  Error error = status.ok() ? Error{ErrorCode::kResource, "the server ended the stream too early"}
                            : error_of(status, connection_->target());
  if (!problem_.empty()) {
    end = StreamEnd::kRefused;
    error = {ErrorCode::kInput, problem_};
  }
  for (const auto& session : left) {
    if (session) tell_over(session, end, {}, error);
  }
  left.clear();
  calling_ = std::thread::id();
  const std::shared_ptr<Over> gone = gone_;
  std::shared_ptr<CrowdStream> last = std::move(self_);
  last.reset();  // may have been the last owner of this
  const std::scoped_lock lock(gone->mutex);
  gone->over = true;
  gone->changed.notify_all();
}

bool CrowdStream::is_closed() {
  const std::scoped_lock lock(mutex_);
  return closed_;
}

bool CrowdStream::is_closed(const CrowdSession& session) {
  const std::scoped_lock lock(mutex_);
  return closed_ || session.over_ || session.left_;
}

bool CrowdStream::is_over() {
  const std::scoped_lock lock(gone_->mutex);
  return gone_->over;
}

void CrowdStream::end() {
  context_.TryCancel();
  if (calling_ == std::this_thread::get_id()) return;
  std::unique_lock lock(gone_->mutex);
  gone_->changed.wait(lock, [this] { return gone_->over; });
}

}  // namespace tocsin::detail
