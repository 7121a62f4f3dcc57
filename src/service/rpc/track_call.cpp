#include "service/rpc/track_call.h"

#include <grpcpp/impl/codegen/proto_utils.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <mutex>
#include <new>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "service/rpc/call_support.h"
#include "wire/values.h"

namespace tocsin::service {
namespace {

using Clock = std::chrono::steady_clock;

/// Beyond any of these the opening of a session counts as slow: bytes of the message, and number of
/// patterns. Each pattern is compared with every pair of a link and an object. Larger: a few large
/// openings may delay small ones. Smaller: usual openings wait for each other.
constexpr std::size_t kQuickBytes = 64U << 10U;
constexpr int kQuickPatterns = 8;

WorkerPool::Lane lane_of(const v1::Open& open, std::size_t bytes) {
  return bytes > kQuickBytes || open.ignore_size() > kQuickPatterns ? WorkerPool::Lane::kSlow
                                                                    : WorkerPool::Lane::kQuick;
}

std::chrono::system_clock::time_point after(std::chrono::milliseconds patience) {
  return std::chrono::system_clock::now() + patience;
}

}  // namespace

// ---- Beginning ----

TrackCall::Reactor* TrackCall::start(Switchboard& board, grpc::CallbackServerContext* context) {
  const std::shared_ptr<TrackCall> call(new TrackCall(board, context));
  call->self_ = call;
  grpc::Status refusal;
  call->principal_ = admit(*context, board, refusal);
  if (call->principal_) {
    call->begin();
  } else {
    call->pen_ = true;  // no other thread has this call yet
    call->Finish(refusal);
  }
  return call.get();
}

void TrackCall::begin() {
  {
    const std::scoped_lock lock(mutex_);
    opening_alarm_.Set(after(board_.opening_patience), [weak = weak_from_this()](bool late) {
      const std::shared_ptr<TrackCall> call = late ? weak.lock() : nullptr;
      if (!call) return;
      call->note([&](Events& events) {
        if (call->opening_ || events.end) return;
        events.end = {grpc::StatusCode::DEADLINE_EXCEEDED, "no session was opened in time"};
      });
    });
  }
  StartRead(&incoming_);
  // Who closes sees either this call on the list, or that it was too early for it.
  board_.streams.add(shared_from_this());
  if (board_.closing) tell_closing();
}

void TrackCall::open_soon() {
  const v1::TrackRequest& request = request_.get();
  if (request.has_resume()) return open_now();
  board_.openings.add(principal_.get(), lane_of(request.open(), request.ByteSizeLong()),
                      [self = shared_from_this()] { self->open_now(); });
}

void TrackCall::open_now() {
  {
    const std::scoped_lock lock(mutex_);
    if (pen_) return;  // it is ending, or has ended
    pen_ = true;
    opening_ = true;
    opening_alarm_.Cancel();
  }
  open();
}

/// Has write ownership, and nothing is read meanwhile.
void TrackCall::open() {
  TrackOpened opened;
  grpc::Status status = out_of_memory_status();
  try {
    status = open_session(board_, principal_, request_.get(), shared_from_this(), session_, opened);
  } catch (const std::bad_alloc&) {
  }
  if (!status.ok()) {
    leave(session_, this);
    session_ = {};
    {
      const std::scoped_lock lock(mutex_);
      events_.end = std::move(status);
    }
    return write_on();
  }
  read_on();
  try {
    v1::TrackResponse& message = response_.fresh();
    wire::to_wire(opened, *message.mutable_opened());
    write(message, false);
  } catch (const std::bad_alloc&) {
    end(out_of_memory_status());
  }
}

// ---- Reading ----

void TrackCall::OnReadDone(bool ok) {
  const Clock::time_point received = Clock::now();
  if (!ok) return note([](Events& events) { events.input_over = true; });
  {
    const std::scoped_lock lock(mutex_);  // see "Threads"
  }
  try {
    take_message(received);
  } catch (const std::bad_alloc&) {
    refuse_with(out_of_memory_status());
  }
}

void TrackCall::take_message(Clock::time_point received) {
  v1::TrackRequest& request = request_.fresh();
  const grpc::Status parsed =
      grpc::SerializationTraits<v1::TrackRequest>::Deserialize(&incoming_, &request);
  incoming_.Clear();
  if (!parsed.ok()) return refuse({Refusal::kInvalid, "a message that is no TrackRequest"});
  if (session_.session) {
    if (request.has_frames()) return take_frames(request.frames(), received);
    return refuse({Refusal::kInvalid, "the session is open: only frames can follow"});
  }
  if (request.has_open() || request.has_resume()) return open_soon();
  refuse({Refusal::kInvalid, "the first message must open or resume a session"});
}

void TrackCall::take_frames(const v1::Frames& frames, Clock::time_point received) {
  for (const v1::Frame& frame : frames.frames()) {
    TrackFrame taken;
    const Status status = session_.codec->from_wire(frame, taken);
    if (!status) return refuse({Refusal::kInvalid, status.error().message});
    if (const auto problem = session_.session->offer(this, std::move(taken), received)) {
      return refuse(*problem);
    }
  }
  read_on();
}

/// Called by the handler of a read, before whose return gRPC keeps the call, or by the write owner,
/// so that the call cannot end meanwhile.
void TrackCall::read_on() {
  {
    const std::scoped_lock lock(mutex_);
    if (events_.end) return;
  }
  StartRead(&incoming_);
}

// ---- Events ----

template <class Event>
void TrackCall::note(const Event& event) {
  {
    const std::scoped_lock lock(mutex_);
    try {
      event(events_);
    } catch (const std::bad_alloc&) {
      if (!events_.end) events_.end = out_of_memory_status();
    }
    more_ = true;
    if (pen_) return;
    pen_ = true;
  }
  write_on();
}

void TrackCall::ready() {
  note([](Events& /*events*/) {});
}

void TrackCall::refuse(const Problem& problem) { refuse_with(to_status(problem)); }

void TrackCall::refuse_with(const grpc::Status& status) {
  note([&](Events& events) {
    start_parting();
    if (!events.end) events.end = status;
  });
}

void TrackCall::tell_closing() {
  note([](Events& events) { events.closing = true; });
}

void TrackCall::OnCancel() {
  note([](Events& events) { events.broken = true; });
}

void TrackCall::OnWriteDone(bool ok) {
  {
    const std::scoped_lock lock(mutex_);
    if (!ok) events_.broken = true;
    alive_ = alive_ || (ok && asking_);
  }
  if (ok) session_.told_id = true;
  outgoing_.Clear();
  write_on();
}

void TrackCall::OnDone() {
  std::shared_ptr<TrackCall> self;
  {
    const std::scoped_lock lock(mutex_);
    done_ = true;
    opening_alarm_.Cancel();
    parting_alarm_.Cancel();
    self = std::move(self_);
  }
  board_.streams.remove(this);
  if (!session_.session) return;
  try {
    // The session may be the last user of a large room. The network's threads must not free that.
    board_.chores.submit(WorkerPool::Lane::kQuick, [session = std::move(session_.session)] {});
  } catch (const std::bad_alloc&) {  // then this thread frees it
  }
}

/// Call under the mutex. From now on the client has a limited time to read its last messages.
void TrackCall::start_parting() {
  if (parting_ || done_) return;
  parting_ = true;
  std::chrono::milliseconds patience = board_.parting_patience;
  if (board_.closing) {
    const auto rest = board_.closing_until.load() - Clock::now();
    patience = std::max(patience, std::chrono::ceil<std::chrono::milliseconds>(rest));
  }
  try {
    parting_alarm_.Set(after(patience), [weak = weak_from_this()](bool late) {
      if (const std::shared_ptr<TrackCall> call = late ? weak.lock() : nullptr) call->cut_off();
    });
  } catch (const std::bad_alloc&) {
    context_->TryCancel();
  }
}

void TrackCall::cut_off() {
  const std::scoped_lock lock(mutex_);
  if (!done_) context_->TryCancel();
}

// ---- Writing: all of this with write ownership ----

void TrackCall::write_on() {
  while (true) {
    try {
      Events now;
      {
        const std::scoped_lock lock(mutex_);
        more_ = false;
        now = events_;
      }
      if (write_next(now)) return;
    } catch (const std::bad_alloc&) {
      end(out_of_memory_status());
      return;
    }
    const std::scoped_lock lock(mutex_);
    if (!more_) {
      pen_ = false;
      return;
    }
  }
}

/// Writes or ends, whatever is due; false if nothing is.
bool TrackCall::write_next(const Events& now) {
  if (now.broken) return end(grpc::Status::CANCELLED);
  if (!session_.session) {
    if (now.end) return end(*now.end);
    if (now.closing) return end(closing_status());
    if (!now.input_over) return false;
    return end({grpc::StatusCode::INVALID_ARGUMENT, "the stream ended before it opened a session"});
  }
  if (now.closing && !told_closing_) {
    told_closing_ = true;
    v1::TrackResponse& message = response_.fresh();
    message.mutable_closing()->set_reason(closing_status().error_message());
    return write(message, now.input_over);
  }
  const std::vector<TrackReport> reports = session_.session->pull(this, kMostReports);
  if (reports.empty()) return write_last(now);
  v1::TrackResponse& message = response_.fresh();
  v1::Reports& list = *message.mutable_reports();
  const wire::PoseCodec& codec = *session_.codec;
  for (const TrackReport& report : reports) wire::to_wire(report, codec, *list.add_reports());
  return write(message, now.input_over);
}

/// If there are no reports: sends the end, if it is due.
bool TrackCall::write_last(const Events& now) {
  if (now.end) return end(*now.end);
  if (!now.input_over) return false;
  if (!alive_) {
    // gRPC has the same event for a lost connection and for a client that has closed its side. Only
    // after a lost connection can the session be resumed. A message that the client accepts tells
    // them apart.
    v1::TrackResponse& message = response_.fresh();
    message.mutable_reports();
    return write(message, true);
  }
  if (!finishing_) {
    finishing_ = true;
    session_.session->finish(this);
  }
  const std::optional<TrackEnded> ended = session_.session->ended(this);
  return ended ? write_ended(*ended) : false;
}

/// Starts a write, or ends the stream. Then the reports are sent again when the session is resumed.
bool TrackCall::write(const v1::TrackResponse& message, bool input_over) {
  if (!serialize(message, outgoing_)) return end(not_serialized_status());
  {
    const std::scoped_lock lock(mutex_);
    asking_ = input_over;
  }
  StartWrite(&outgoing_);
  return true;
}

bool TrackCall::write_ended(const TrackEnded& ended) {
  v1::TrackResponse& message = response_.fresh();
  wire::to_wire(ended, *message.mutable_ended());
  if (!serialize(message, outgoing_)) return end(not_serialized_status());
  session_.session->detach(this);
  {
    const std::scoped_lock lock(mutex_);
    start_parting();
  }
  StartWriteAndFinish(&outgoing_, grpc::WriteOptions(), grpc::Status::OK);
  return true;
}

/// Write ownership is not released after this. Once gRPC has the end, the call must not be used.
bool TrackCall::end(const grpc::Status& status) {
  leave(session_, this);
  {
    const std::scoped_lock lock(mutex_);
    start_parting();
  }
  Finish(status);
  return true;
}

}  // namespace tocsin::service
