#include "service/watch/watch_call.h"

#include <fmt/format.h>
#include <google/protobuf/arena.h>

#include <chrono>
#include <cstddef>
#include <new>
#include <utility>
#include <variant>
#include <vector>

#include "service/rpc/call_support.h"
#include "wire/watching.h"

namespace tocsin::service {
namespace {

/// How long events are gathered after silence. Longer: watchers see later what happens. Shorter:
/// more messages, each of some 100 us.
constexpr std::chrono::milliseconds kGather{5};
/// Bytes of a message, but for its last event. Larger: the first event waits for the last one.
constexpr std::size_t kFullMessage = 128U << 10U;
/// Estimated bytes that are taken from the hub at once.
constexpr std::size_t kTaken = 1U << 20U;

/// Its room as it is now.
EnvironmentInfo room_of(const WatchSubject& subject, const Principal& watcher) {
  const std::shared_ptr<const Room> room = subject.room.lock();
  EnvironmentInfo out = room ? room->info() : subject.room_info;
  const std::string& owner = subject.room_owner;
  if (!owner.empty() && owner != watcher.name) out.name = owner + "/" + out.name;
  return out;
}

WatchedSession session_of(const WatchedNow& now, const Principal& watcher) {
  const WatchSubject& subject = *now.subject;
  WatchedSession out;
  out.session = subject.name;
  out.principal = subject.audience.principal;
  out.label = subject.label;
  out.environment = room_of(subject, watcher);
  out.avatar = subject.avatar;
  out.radius_factor = subject.avatar.radius_factor();
  out.in_between = subject.in_between;
  out.contacts = subject.contacts;
  out.margin = subject.margin;
  out.self = subject.self;
  out.meeting = subject.meeting;
  out.frame_seconds = subject.frame_seconds;
  out.attached = now.attached;
  return out;
}

}  // namespace

// ---- Beginning ----

WatchCall::Reactor* WatchCall::start(Switchboard& board, grpc::CallbackServerContext* context,
                                     const grpc::ByteBuffer& request) {
  const std::shared_ptr<WatchCall> call(new WatchCall(board, context));
  call->self_ = call;
  call->owns_write_ = true;  // no other thread has this call yet
  grpc::Status status;
  try {
    status = call->enter(request);
  } catch (const std::bad_alloc&) {
    status = out_of_memory_status();
  }
  if (status.ok()) {
    log_event(board, *context, "watch_began", call->principal_.get(), nullptr);
    call->write_on();
  } else {
    call->end(status);
  }
  return call.get();
}

grpc::Status WatchCall::enter(const grpc::ByteBuffer& request) {
  grpc::Status refusal;
  principal_ = admit(*context_, board_, refusal);
  if (!principal_) return refusal;
  v1::WatchRequest message;
  grpc::ByteBuffer bytes = request;  // shares them
  std::uint64_t memory = 0;
  if (grpc::Status parsed = parse(bytes, message, memory); !parsed.ok()) return parsed;
  auto options = wire::from_wire(message);
  if (!options) return to_status(options.error());
  poses_ = options->poses;
  WatchFilter filter{principal_->name,
                     principal_->circle(),
                     {options->sessions.begin(), options->sessions.end()},
                     {}};
  if (!options->environment.empty()) {
    std::string problem;
    const auto room = board_.engine->rooms().find(*principal_, options->environment, problem);
    if (!room) return {grpc::StatusCode::NOT_FOUND, problem};
    filter.room.emplace(room->owner, room->name);
  }
  auto hold = board_.memory.take(WatchHub::kMostWaiting);
  if (!hold) return no_memory_status();
  hold_ = std::move(*hold);
  watcher_ = board_.engine->watch().watch(std::move(filter), [weak = weak_from_this()] {
    if (const auto call = weak.lock()) call->wake();
  });
  if (watcher_) return grpc::Status::OK;
  return {grpc::StatusCode::RESOURCE_EXHAUSTED,
          fmt::format("there are as many watchers as there may be ({}, {} of them one's own)",
                      WatchHub::kMostWatchers, WatchHub::kMostOfOne)};
}

// ---- Events ----

/// Called by any thread, a session's too.
void WatchCall::wake() {
  const std::scoped_lock lock(mutex_);
  woken_ = true;
  if (owns_write_ || waits_) return;
  try {
    alarm_ = std::make_unique<grpc::Alarm>();  // one must not set itself
    alarm_->Set(std::chrono::system_clock::now() + kGather,
                [weak = weak_from_this()](bool /*due*/) {
                  if (const auto call = weak.lock()) call->go_on();
                });
    waits_ = true;
  } catch (const std::bad_alloc&) {  // the next event tries again
  }
}

void WatchCall::go_on() {
  {
    const std::scoped_lock lock(mutex_);
    waits_ = false;
    if (owns_write_) return;
    owns_write_ = true;
  }
  write_on();
}

void WatchCall::OnWriteDone(bool ok) {
  {
    const std::scoped_lock lock(mutex_);  // see StreamCall, "Threads"
    if (!ok) cancelled_ = true;
  }
  write_on();
}

void WatchCall::OnCancel() {
  {
    const std::scoped_lock lock(mutex_);
    cancelled_ = true;
  }
  go_on();
}

void WatchCall::OnDone() {
  std::shared_ptr<WatchCall> self;
  std::unique_ptr<grpc::Alarm> alarm;
  {
    const std::scoped_lock lock(mutex_);
    self = std::move(self_);
    alarm = std::move(alarm_);
  }
  watcher_.reset();
  // Not when this is destroyed: an alarm may do that after the server's end.
  const MemoryBudget::Hold held = std::move(hold_);
}

// ---- Writing: all of this with write ownership ----

void WatchCall::write_on() {
  while (true) {
    {
      const std::scoped_lock lock(mutex_);
      woken_ = false;
      if (cancelled_) break;
    }
    try {
      if (write_next()) return;
    } catch (const std::bad_alloc&) {
      return end(out_of_memory_status());
    }
    const std::scoped_lock lock(mutex_);
    if (woken_ || cancelled_) continue;
    owns_write_ = false;
    return;
  }
  end(grpc::Status::CANCELLED);
}

/// Ownership is not released after this. Once gRPC has the end, the call must not be used.
void WatchCall::end(const grpc::Status& status) {
  watcher_.reset();  // before the client can know, and watch again
  note_refusal(board_, *context_, status, principal_.get());
  Finish(status);
}

/// Starts a write, or ends the stream. False: nothing is due.
bool WatchCall::write_next() {
  // Many small messages in one: memory for them is taken, and given back, in large pieces.
  google::protobuf::Arena arena;
  Events& message = *google::protobuf::Arena::CreateMessage<Events>(&arena);
  while (message.events_size() == 0) {
    if (pack(message)) break;
    if (taken_.closed) {
      end(closing_status());
      return true;
    }
    taken_ = watcher_->take(kTaken);
    next_ = next_now_ = 0;
    const bool nothing = taken_.items.empty() && taken_.dropped == 0;
    if (!nothing || taken_.closed) continue;
    if (begun_) return false;
    break;  // the client learns that it may watch
  }
  begun_ = true;
  outgoing_.Clear();  // of the message before
  if (!serialize(message, outgoing_)) {
    end(not_serialized_status());
    return true;
  }
  StartWrite(&outgoing_);
  return true;
}

bool WatchCall::pack(Events& out) {
  std::size_t bytes = 0;
  int counted = 0;
  const auto is_full = [&] {
    for (; counted < out.events_size(); ++counted) bytes += out.events(counted).ByteSizeLong();
    return bytes >= kFullMessage;
  };
  for (; next_ < taken_.items.size(); ++next_) {
    if (is_full()) return true;
    pack_item(*taken_.items[next_], out);
    taken_.items[next_].reset();
  }
  if (taken_.dropped > 0) {
    out.add_events()->mutable_skipped()->set_events(std::exchange(taken_.dropped, 0));
    make_good(out);
  }
  for (; next_now_ < taken_.now.size(); ++next_now_) {
    if (is_full()) return true;
    const WatchedNow& now = taken_.now[next_now_];
    if (!told_.contains(now.subject->name)) describe(now, out);
  }
  return out.events_size() > 0;
}

/// After a loss: what the watcher was told and is not so any more.
void WatchCall::make_good(Events& out) {
  for (const WatchedNow& now : taken_.now) {
    const auto found = told_.find(now.subject->name);
    if (found == told_.end()) continue;
    Told& told = found->second;
    told.is_there = true;
    if (std::exchange(told.attached, now.attached) == now.attached) continue;
    v1::WatchedStream& stream = *out.add_events()->mutable_stream();
    stream.set_session(now.subject->name);
    stream.set_attached(now.attached);
  }
  for (auto at = told_.begin(); at != told_.end();) {
    if (std::exchange(at->second.is_there, false)) {
      ++at;
      continue;
    }
    out.add_events()->mutable_ended()->set_session(at->first);
    at = told_.erase(at);
  }
}

WatchCall::Told& WatchCall::describe(const WatchedNow& now, Events& out) {
  Told told;
  told.codec = std::make_shared<const wire::PoseCodec>(now.subject->avatar.skeleton());
  told.attached = now.attached;
  wire::to_wire(session_of(now, *principal_), *out.add_events()->mutable_session());
  return told_.insert_or_assign(now.subject->name, std::move(told)).first->second;
}

void WatchCall::pack_item(const WatchItem& item, Events& out) {
  const WatchSubject& subject = *item.subject;
  if (const auto* const step = std::get_if<WatchStep>(&item.what)) {
    return pack_step(item.subject, *step, out);
  }
  const auto found = told_.find(subject.name);
  if (const auto* const now = std::get_if<WatchedNow>(&item.what)) {
    if (found == told_.end()) describe(*now, out);
    return;
  }
  if (found == told_.end()) return;  // it has come and gone, and the watcher was told neither
  if (const auto* const stream = std::get_if<WatchedStream>(&item.what)) {
    if (std::exchange(found->second.attached, stream->attached) == stream->attached) return;
    v1::WatchedStream& made = *out.add_events()->mutable_stream();
    made.set_session(subject.name);
    made.set_attached(stream->attached);
    return;
  }
  WatchedEnd end = std::get<WatchedEnd>(item.what);
  end.session = subject.name;
  wire::to_wire(end, *out.add_events()->mutable_ended());
  told_.erase(found);
}

void WatchCall::pack_step(const std::shared_ptr<const WatchSubject>& subject, const WatchStep& step,
                          Events& out) {
  const auto found = told_.find(subject->name);
  Told& told = found != told_.end() ? found->second : describe({subject, true}, out);
  wire::SteppedView view{subject->name, step.report, {}, {}};
  if (step.step && poses_) {
    const auto number = static_cast<std::uint64_t>(step.report.result.step);
    if (told.next_step != number) view.from_pose = step.step->pose0();
    view.to_pose = step.step->pose1();
    told.next_step = number + 1;
  }
  wire::to_wire(view, *told.codec, *out.add_events()->mutable_step());
}

}  // namespace tocsin::service
