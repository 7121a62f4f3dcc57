#include "service/rpc/stream_call.h"

#include <algorithm>
#include <utility>

namespace tocsin::service {
namespace {

using Clock = std::chrono::steady_clock;

std::chrono::system_clock::time_point after(std::chrono::milliseconds timeout) {
  return std::chrono::system_clock::now() + timeout;
}

}  // namespace

// ---- Beginning ----

StreamCall::StreamCall(Switchboard& board, grpc::CallbackServerContext* context)
    : board_(board), context_(context), peer_(caller_of(context->peer()).shown) {}

StreamCall::Reactor* StreamCall::launch(const std::shared_ptr<StreamCall>& call) {
  call->self_ = call;
  grpc::Status refusal;
  call->principal_ = admit(*call->context_, call->board_, refusal);
  if (call->principal_ && call->enter(refusal) && call->count_as_unopened(refusal)) {
    call->begin();
  } else {
    call->owns_write_ = true;  // no other thread has this call yet
    note_refusal(call->board_, *call->context_, refusal, call->principal_.get());
    call->Finish(refusal);
  }
  return call.get();
}

/// False: this principal, or all, have too many streams that have not opened a session.
bool StreamCall::count_as_unopened(grpc::Status& refusal) {
  const std::size_t most = board_.engine->most_sessions();
  const std::size_t own = std::max<std::size_t>(principal_->limits.sessions, 1);
  unopened_ = board_.unopened.enter(principal_.get(), most, own);
  if (unopened_) return true;
  refusal = {grpc::StatusCode::RESOURCE_EXHAUSTED,
             "there are as many streams without a session as there may be sessions (sessions)"};
  return false;
}

void StreamCall::count_as_opened() {
  {
    const std::scoped_lock lock(mutex_);
    if (!std::exchange(unopened_, false)) return;
  }
  board_.unopened.leave(principal_.get());
}

void StreamCall::begin() {
  {
    const std::scoped_lock lock(mutex_);
    opening_alarm_.Set(after(board_.opening_timeout), [weak = weak_from_this()](bool late) {
      const std::shared_ptr<StreamCall> call = late ? weak.lock() : nullptr;
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

// ---- Reading ----

void StreamCall::OnReadDone(bool ok) {
  const Time received = Clock::now();
  if (!ok) return note([](StreamEvents& events) { events.input_over = true; });
  {
    const std::scoped_lock lock(mutex_);  // see "Threads"
  }
  pace_.received(received);
  try {
    take_message(received);
  } catch (const std::bad_alloc&) {
    refuse_with(to_status(out_of_memory()));
  }
}

/// Called by the handler of a read, before whose return gRPC keeps the call, or by the write owner,
/// so that the call cannot end meanwhile.
void StreamCall::read_on() {
  {
    const std::scoped_lock lock(mutex_);
    if (events_.end) return;
    pace_.asked(Clock::now());
  }
  StartRead(&incoming_);
}

// ---- Events ----

void StreamCall::refuse_with(const grpc::Status& status) {
  note([&](StreamEvents& events) {
    start_draining();
    if (!events.end) events.end = status;
  });
}

void StreamCall::tell_closing() {
  note([](StreamEvents& events) { events.closing = true; });
}

void StreamCall::OnCancel() {
  note([](StreamEvents& events) { events.broken = true; });
}

void StreamCall::OnWriteDone(bool ok) {
  bool asking = false;
  {
    const std::scoped_lock lock(mutex_);
    if (!ok) events_.broken = true;
    asking = asking_;
  }
  if (ok) written(asking);
  write_on();
}

void StreamCall::OnDone() {
  std::shared_ptr<StreamCall> self;
  {
    const std::scoped_lock lock(mutex_);
    done_ = true;
    opening_alarm_.Cancel();
    draining_alarm_.Cancel();
    self = std::move(self_);
  }
  count_as_opened();
  board_.streams.remove(this);
  over();
}

void StreamCall::start_draining() {
  if (draining_ || done_) return;
  draining_ = true;
  std::chrono::milliseconds timeout = board_.draining_timeout;
  if (board_.closing) {
    const auto rest = board_.closing_until.load() - Clock::now();
    timeout = std::max(timeout, std::chrono::ceil<std::chrono::milliseconds>(rest));
  }
  try {
    draining_alarm_.Set(after(timeout), [weak = weak_from_this()](bool late) {
      const std::shared_ptr<StreamCall> call = late ? weak.lock() : nullptr;
      if (!call) return;
      const std::scoped_lock lock(call->mutex_);
      if (!call->done_) call->context_->TryCancel();
    });
  } catch (const std::bad_alloc&) {
    context_->TryCancel();
  }
}

// ---- Writing: all of this with write ownership ----

void StreamCall::write_on() {
  while (true) {
    try {
      StreamEvents now;
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
      owns_write_ = false;
      return;
    }
  }
}

/// Starts a write. `last`: the stream ends with it.
bool StreamCall::send_bytes(grpc::ByteBuffer& bytes, bool input_over, bool last) {
  {
    const std::scoped_lock lock(mutex_);
    asking_ = input_over;
    if (last) start_draining();
  }
  if (last) {
    StartWriteAndFinish(&bytes, grpc::WriteOptions(), grpc::Status::OK);
  } else {
    StartWrite(&bytes);
  }
  return true;
}

/// Write ownership is not released after this. Once gRPC has the end, the call must not be used.
bool StreamCall::end(const grpc::Status& status) {
  leave_all(status);
  count_as_opened();  // before the client can know, and open its next
  {
    const std::scoped_lock lock(mutex_);
    start_draining();
  }
  Finish(status);
  return true;
}

}  // namespace tocsin::service
