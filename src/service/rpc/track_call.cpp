#include "service/rpc/track_call.h"

#include <algorithm>
#include <chrono>
#include <cstdint>
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
constexpr std::size_t kInteractiveBytes = 64U << 10U;
constexpr int kInteractivePatterns = 8;

/// Bytes that a session takes at first, without its messages: skeleton, avatar, queues.
constexpr std::uint64_t kSessionMemory = 256U << 10U;
/// A message that takes less is not worth a look at the process's memory.
constexpr std::uint64_t kSmallMessage = 256U << 10U;

WorkerPool::Lane lane_of(const v1::Open& open, std::size_t bytes) {
  return bytes > kInteractiveBytes || open.ignore_size() > kInteractivePatterns
             ? WorkerPool::Lane::kSlow
             : WorkerPool::Lane::kInteractive;
}

std::chrono::system_clock::time_point after(std::chrono::milliseconds timeout) {
  return std::chrono::system_clock::now() + timeout;
}

}  // namespace

// ---- Beginning ----

TrackCall::TrackCall(Switchboard& board, grpc::CallbackServerContext* context)
    : board_(board), context_(context), peer_(caller_of(context->peer()).shown) {}

TrackCall::Reactor* TrackCall::start(Switchboard& board, grpc::CallbackServerContext* context) {
  const std::shared_ptr<TrackCall> call(new TrackCall(board, context));
  call->self_ = call;
  grpc::Status refusal;
  call->principal_ = admit(*context, board, refusal);
  if (call->principal_ && call->enter(refusal)) {
    call->begin();
  } else {
    call->owns_write_ = true;  // no other thread has this call yet
    note_refusal(board, *context, refusal, call->principal_.get());
    call->Finish(refusal);
  }
  return call.get();
}

/// False: this principal, or all, have too many streams that have not opened a session.
bool TrackCall::enter(grpc::Status& refusal) {
  const std::size_t most = board_.engine->most_sessions();
  const std::size_t own = std::max<std::size_t>(principal_->limits.sessions, 1);
  unopened_ = board_.unopened.enter(principal_.get(), most, own);
  if (unopened_) return true;
  refusal = {grpc::StatusCode::RESOURCE_EXHAUSTED,
             "there are as many streams without a session as there may be sessions (sessions)"};
  return false;
}

void TrackCall::count_as_opened() {
  {
    const std::scoped_lock lock(mutex_);
    if (!std::exchange(unopened_, false)) return;
  }
  board_.unopened.leave(principal_.get());
}

void TrackCall::begin() {
  {
    const std::scoped_lock lock(mutex_);
    opening_alarm_.Set(after(board_.opening_timeout), [weak = weak_from_this()](bool late) {
      const std::shared_ptr<TrackCall> call = late ? weak.lock() : nullptr;
      if (!call) return;
      call->note([&](StreamEvents& events) {
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
  if (!principal_->used->opens.take(1, principal_->limits.opens_per_second, Clock::now())) {
    return refuse({Refusal::kOverloaded, "you open sessions too fast (opens_per_second)"});
  }
  const bool here = request.has_resume() && board_.engine->has(request.resume().session_id());
  if (here) return open_now(TakeOver::kNever);
  // A session that another server left is checked again, which may take seconds.
  const WorkerPool::Lane lane = request.has_resume()
                                    ? WorkerPool::Lane::kSlow
                                    : lane_of(request.open(), request.ByteSizeLong());
  board_.admission.add(principal_.get(), lane,
                       [self = shared_from_this()] { self->open_now(TakeOver::kMay); });
}

/// A refused opening uses up a part of what its principal may have refused, unless it is none of
/// the client's doing: another server has the session still, or this one failed.
grpc::Status TrackCall::try_to_open(TakeOver take_over, TrackOpened& opened) {
  const double rate = principal_->limits.failures_per_second;
  if (!principal_->used->failures.take(1, rate, Clock::now())) {
    return {grpc::StatusCode::RESOURCE_EXHAUSTED,
            "too many of your openings are refused (failures_per_second)"};
  }
  grpc::Status status = open_session(board_, principal_, request_.get(), take_over,
                                     shared_from_this(), session_, opened);
  const bool blameless = status.ok() || status.error_code() == grpc::StatusCode::UNAVAILABLE ||
                         status.error_code() == grpc::StatusCode::INTERNAL;
  if (blameless) principal_->used->failures.give_back(rate);
  return status;
}

void TrackCall::open_now(TakeOver take_over) {
  {
    const std::scoped_lock lock(mutex_);
    if (owns_write_) return;  // it is ending, or has ended
    owns_write_ = true;
    opening_ = true;
    opening_alarm_.Cancel();
  }
  // This thread has write ownership, and nothing is read meanwhile.
  TrackOpened opened;
  const bool resumes = request_.get().has_resume();
  grpc::Status status = out_of_memory_status();
  try {
    status = try_to_open(take_over, opened);
  } catch (const std::bad_alloc&) {
  }
  forget_message();
  if (!status.ok()) {
    leave(session_, this);
    session_ = {};
    {
      const std::scoped_lock lock(mutex_);
      events_.end = std::move(status);
    }
    return write_on();
  }
  count_as_opened();
  log_event(board_, *context_, resumes ? "session_resumed" : "session_opened", principal_.get(),
            session_.session.get());
  read_on();
  try {
    send(responses_.opened(opened), false);
  } catch (const std::bad_alloc&) {
    end(out_of_memory_status());
  }
}

// ---- Reading ----

void TrackCall::OnReadDone(bool ok) {
  const Clock::time_point received = Clock::now();
  if (!ok) return note([](StreamEvents& events) { events.input_over = true; });
  {
    const std::scoped_lock lock(mutex_);  // see "Threads"
  }
  try {
    take_message(received);
  } catch (const std::bad_alloc&) {
    refuse(out_of_memory());
  }
}

void TrackCall::take_message(Clock::time_point received) {
  v1::TrackRequest& request = request_.fresh();
  std::uint64_t memory = 0;
  const grpc::Status parsed = parse(incoming_, request, memory);
  if (!parsed.ok()) return refuse_with(parsed);
  if (memory > kSmallMessage || !session_.session) {
    auto hold = board_.memory.take(memory + (session_.session ? 0 : kSessionMemory));
    if (!hold) return refuse_with(no_memory_status());
    hold_ = std::move(*hold);
  }
  if (session_.session) {
    if (request.has_frames()) return take_frames(request.frames(), received);
    return refuse({Refusal::kInvalid, "the session is open: only frames can follow"});
  }
  if (request.has_open() || request.has_resume()) return open_soon();
  refuse({Refusal::kInvalid, "the first message must open or resume a session"});
}

/// Nothing of the message is kept once it was handled.
void TrackCall::forget_message() {
  request_.clear();
  hold_ = {};
}

void TrackCall::take_frames(const v1::Frames& frames, Clock::time_point received) {
  const std::optional<Problem> problem = offer(frames, received);
  forget_message();
  if (problem) return refuse(*problem);
  read_on();
}

std::optional<Problem> TrackCall::offer(const v1::Frames& frames, Clock::time_point received) {
  for (const v1::Frame& frame : frames.frames()) {
    TrackFrame taken;
    const Status status = session_.codec->from_wire(frame, taken);
    if (!status) return Problem{Refusal::kInvalid, status.error().message};
    if (auto problem = session_.session->offer(this, std::move(taken), received)) return problem;
  }
  return std::nullopt;
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
    if (owns_write_) return;
    owns_write_ = true;
  }
  write_on();
}

void TrackCall::ready() {
  note([](StreamEvents& /*events*/) {});
}

void TrackCall::refuse(const Problem& problem) { refuse_with(to_status(problem)); }

void TrackCall::refuse_with(const grpc::Status& status) {
  note([&](StreamEvents& events) {
    start_draining();
    if (!events.end) events.end = status;
  });
}

void TrackCall::tell_closing() {
  note([](StreamEvents& events) { events.closing = true; });
}

void TrackCall::OnCancel() {
  note([](StreamEvents& events) { events.broken = true; });
}

void TrackCall::OnWriteDone(bool ok) {
  {
    const std::scoped_lock lock(mutex_);
    if (!ok) events_.broken = true;
    if (ok && asking_) responses_.client_is_alive();
  }
  if (ok) session_.id_sent = true;
  outgoing_.Clear();
  write_on();
}

void TrackCall::OnDone() {
  std::shared_ptr<TrackCall> self;
  {
    const std::scoped_lock lock(mutex_);
    done_ = true;
    opening_alarm_.Cancel();
    draining_alarm_.Cancel();
    self = std::move(self_);
  }
  forget_message();
  count_as_opened();
  board_.streams.remove(this);
  if (!session_.session) return;
  try {
    // The session may be the last user of a large room. The network's threads must not free that.
    board_.chores.submit(WorkerPool::Lane::kInteractive,
                         [session = std::move(session_.session)] {});
  } catch (const std::bad_alloc&) {  // then this thread frees it
  }
}

/// Call under the mutex. From now on the client has a limited time to read its last messages.
void TrackCall::start_draining() {
  if (draining_ || done_) return;
  draining_ = true;
  std::chrono::milliseconds timeout = board_.draining_timeout;
  if (board_.closing) {
    const auto rest = board_.closing_until.load() - Clock::now();
    timeout = std::max(timeout, std::chrono::ceil<std::chrono::milliseconds>(rest));
  }
  try {
    draining_alarm_.Set(after(timeout), [weak = weak_from_this()](bool late) {
      const std::shared_ptr<TrackCall> call = late ? weak.lock() : nullptr;
      if (!call) return;
      const std::scoped_lock lock(call->mutex_);
      if (!call->done_) call->context_->TryCancel();
    });
  } catch (const std::bad_alloc&) {
    context_->TryCancel();
  }
}

// ---- Writing: all of this with write ownership ----

void TrackCall::write_on() {
  while (true) {
    try {
      StreamEvents now;
      {
        const std::scoped_lock lock(mutex_);
        more_ = false;
        now = events_;
      }
      if (send(responses_.next(now, session_, this), now.input_over)) return;
    } catch (const std::bad_alloc&) {
      end(out_of_memory_status());
      return;
    }
    const std::scoped_lock lock(mutex_);
    if (!more_) {
      owns_write_ = false;
      return;
    }
  }
}

/// Starts a write, or ends the stream. False: nothing is due. If a message cannot be serialized,
/// its reports are sent again when the session is resumed.
bool TrackCall::send(const NextResponse& next, bool input_over) {
  using Kind = NextResponse::Kind;
  if (next.kind == Kind::kNothing) return false;
  if (next.kind == Kind::kEnd) return end(next.status);
  const bool serialized = serialize(*next.message, outgoing_);
  responses_.clear();
  if (!serialized) return end(not_serialized_status());
  const bool last = next.kind == Kind::kLast;
  if (last) session_.session->detach(this);
  {
    const std::scoped_lock lock(mutex_);
    asking_ = input_over;
    if (last) start_draining();
  }
  if (last) {
    log_event(board_, *context_, "session_ended", principal_.get(), session_.session.get());
    StartWriteAndFinish(&outgoing_, grpc::WriteOptions(), grpc::Status::OK);
  } else {
    StartWrite(&outgoing_);
  }
  return true;
}

/// Write ownership is not released after this. Once gRPC has the end, the call must not be used.
bool TrackCall::end(const grpc::Status& status) {
  leave(session_, this);
  note_refusal(board_, *context_, status, principal_.get(), session_.session.get());
  count_as_opened();  // before the client can know, and open its next
  {
    const std::scoped_lock lock(mutex_);
    start_draining();
  }
  Finish(status);
  return true;
}

}  // namespace tocsin::service
