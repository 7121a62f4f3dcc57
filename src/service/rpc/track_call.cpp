#include "service/rpc/track_call.h"

#include <chrono>
#include <cstdint>
#include <mutex>
#include <new>
#include <optional>
#include <utility>

#include "service/rpc/call_support.h"
#include "service/rpc/reused_message.h"

namespace tocsin::service {
namespace {

using Clock = std::chrono::steady_clock;

}  // namespace

TrackCall::Reactor* TrackCall::start(Switchboard& board, grpc::CallbackServerContext* context) {
  return launch(std::shared_ptr<TrackCall>(new TrackCall(board, context)));
}

// ---- Opening ----

void TrackCall::open_soon() {
  const v1::TrackRequest& request = *opening_request_;
  if (!principal_->used->opens.take(1, principal_->limits.opens_per_second, Clock::now())) {
    return refuse({Refusal::kOverloaded, "you open sessions too fast (opens_per_second)"});
  }
  if (is_here(board_, request)) return open_now(TakeOver::kNever);
  board_.admission.add(principal_.get(), lane_of(request, request.ByteSizeLong()),
                       [self = std::static_pointer_cast<TrackCall>(shared_from_this())] {
                         self->open_now(TakeOver::kMay);
                       });
}

void TrackCall::open_now(TakeOver take_over) {
  {
    const std::scoped_lock lock(mutex_);
    if (owns_write_) return;  // it is ending, or has ended
    owns_write_ = true;
    is_opening();
  }
  // This thread has write ownership, and nothing is read meanwhile.
  TrackOpened opened;
  const bool resumes = opening_request_->has_resume();
  grpc::Status status = open_within_limits(board_, principal_, *opening_request_, take_over,
                                           outlet(), session_, opened);
  forget_opening();
  if (!status.ok()) {
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

v1::TrackRequest& TrackCall::fresh_request() {
  if (session_.session) return StreamMemory::of_thread().request.fresh();
  // It waits for its turn, and another thread reads it.
  opening_request_ = std::make_unique<v1::TrackRequest>();
  return *opening_request_;
}

void TrackCall::take_message(Time received) {
  Session::prefetch_it(session_.session.get());
  v1::TrackRequest& request = fresh_request();
  std::uint64_t memory = 0;
  const grpc::Status parsed = parse(incoming_, request, memory);
  if (!parsed.ok()) return refuse_message(parsed);
  if (memory > kSmallMessage || !session_.session) {
    auto hold = board_.memory.take(memory + (session_.session ? 0 : kSessionMemory));
    if (!hold) return refuse_message(no_memory_status());
    hold_ = std::move(*hold);
  }
  if (session_.session) {
    if (request.has_frames()) return take_frames(request.frames(), received);
    if (request.has_frames_f()) return take_frames(request.frames_f(), received);
    return refuse_message(
        to_status({Refusal::kInvalid, "the session is open: only frames can follow"}));
  }
  if (request.has_open() || request.has_resume()) return open_soon();
  refuse_message(to_status({Refusal::kInvalid, "the first message must open or resume a session"}));
}

void TrackCall::forget_opening() {
  opening_request_.reset();
  hold_ = {};
}

/// Nothing of the message is kept once it was handled. By the thread that has read it.
void TrackCall::forget_message() {
  StreamMemory::of_thread().request.clear();
  forget_opening();
}

void TrackCall::refuse_message(const grpc::Status& status) {
  forget_message();
  refuse_with(status);
}

template <class Frames>
void TrackCall::take_frames(const Frames& frames, Time received) {
  const std::optional<Problem> problem = offer(frames, received);
  forget_message();
  if (problem) return refuse(*problem);
  read_on();
}

template <class Frames>
std::optional<Problem> TrackCall::offer(const Frames& frames, Time received) {
  // What has been asked for before the message was parsed has come by now.
  session_.session->prefetch_behind();
  TrackFrame& taken = StreamMemory::of_thread().frame;
  int after = frames.frames_size();
  for (const auto& frame : frames.frames()) {
    --after;
    const Status status = session_.codec->from_wire(frame, taken);
    if (!status) return Problem{Refusal::kInvalid, status.error().message};
    bool due = false;
    auto problem = session_.session->offer(this, std::move(taken), received, due);
    // Not here while more of the message is to be taken: until it is, it is not known to have
    // arrived.
    const bool may = after == 0;
    if (due && !(may && board_.engine->run_here(*session_.session, pace_.waited(), &taken.pose))) {
      session_.session->schedule();
    }
    if (problem) return problem;
  }
  return std::nullopt;
}

// ---- Events ----

void TrackCall::ready() {
  note([](StreamEvents& /*events*/) {});
}

void TrackCall::refuse(const Problem& problem) { refuse_with(to_status(problem)); }

void TrackCall::over() {
  forget_opening();
  free_later(board_, std::move(session_.session));
}

// ---- Writing: all of this with write ownership ----

void TrackCall::written(bool input_over) {
  if (input_over) responses_.client_is_alive();
  session_.id_sent = true;
  outgoing_.Clear();
}

bool TrackCall::write_next(const StreamEvents& events) {
  return send(responses_.next(events, session_, this), events.input_over);
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
  if (last) {
    session_.session->detach(this);
    log_event(board_, *context_, "session_ended", principal_.get(), session_.session.get());
  }
  return send_bytes(outgoing_, input_over, last);
}

void TrackCall::leave_all(const grpc::Status& status) {
  leave(session_, this);
  note_refusal(board_, *context_, status, principal_.get(), session_.session.get());
}

}  // namespace tocsin::service
