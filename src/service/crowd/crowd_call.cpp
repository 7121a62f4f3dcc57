#include "service/crowd/crowd_call.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <mutex>
#include <new>
#include <span>
#include <utility>

#include "service/rpc/call_support.h"

namespace tocsin::service {

std::string CrowdCall::not_open(std::uint32_t slot) {
  return fmt::format("frames or an end of slot {}, which was not opened", slot);
}

namespace {

using Clock = std::chrono::steady_clock;

/// Slot numbers are below. More: a stream that opens one session after the other, each in another
/// slot, could keep more memory. Fewer: a larger crowd needs several streams.
constexpr std::uint32_t kMostSlots = 16'384;

/// Sessions that are scheduled together, and whose reports are written together. Smaller: more
/// writes. Larger: the first report of a group waits longer for the last: 64 steps of some 10 us.
constexpr std::size_t kGroup = 64;

/// Bytes of a message of frames for which memory is reserved. Smaller: it fits into the first block
/// of the arena. Larger: what announces more must send it first.
constexpr std::size_t kLeastReserved = 16U << 10U;
constexpr std::size_t kMostReserved = 1U << 20U;

/// Room for the columns of a message of so many bytes, in its first frames. Otherwise they grow
/// while they are parsed, and each number is copied twice.
void reserve_columns(std::size_t bytes, v1::TrackManyRequest& out) {
  if (bytes < kLeastReserved || bytes > kMostReserved) return;
  v1::SlotFrames& frames = *out.add_frames();
  // Of seven numbers of a joint four are of rotations; or nearly all.
  frames.mutable_rotations()->Reserve(static_cast<int>(bytes / sizeof(double)));
  frames.mutable_translations()->Reserve(static_cast<int>(bytes / sizeof(double) / 2));
  out.mutable_frames()->RemoveLast();  // which keeps it for the next that is added
}

v1::TrackRequest request_of(const v1::SlotOpening& opening) {
  v1::TrackRequest out;
  if (opening.has_resume()) {
    *out.mutable_resume() = opening.resume();
  } else {
    *out.mutable_open() = opening.open();
  }
  return out;
}

}  // namespace

CrowdCall::Reactor* CrowdCall::start(Switchboard& board, grpc::CallbackServerContext* context) {
  return launch(std::shared_ptr<CrowdCall>(new CrowdCall(board, context)));
}

/// A stream may be without a session for long. So streams count as sessions do.
bool CrowdCall::enter(grpc::Status& refusal) {
  const std::size_t own = std::max<std::size_t>(principal_->limits.sessions, 1);
  entered_ = board_.crowds.enter(principal_.get(), board_.engine->most_sessions(), own);
  if (entered_) return true;
  refusal = {grpc::StatusCode::RESOURCE_EXHAUSTED,
             "there are as many streams of crowds as there may be sessions (sessions)"};
  return false;
}

// ---- Reading ----

void CrowdCall::take_message(Time received) {
  v1::TrackManyRequest& request = request_.fresh();
  reserve_columns(incoming_.Length(), request);
  std::uint64_t memory = 0;
  const grpc::Status parsed = parse(incoming_, request, memory);
  if (!parsed.ok()) return refuse_with(parsed);
  if (memory > kSmallMessage) {
    auto hold = board_.memory.take(memory);
    if (!hold) return refuse_with(no_memory_status());
    hold_ = std::move(*hold);
  }
  const std::optional<std::string> problem = take(request, received);
  request_.clear();
  hold_ = {};
  if (problem) return refuse_with(to_status(Problem{Refusal::kInvalid, *problem}));
  read_on();
}

/// @return what is wrong with the message; none: nothing
std::optional<std::string> CrowdCall::take(const v1::TrackManyRequest& request, Time received) {
  for (const v1::SlotOpening& opening : request.openings()) {
    if (auto problem = open_soon(opening)) return problem;
  }
  // Reports of steps that are checked here are written together, behind the message.
  const Flush flush_at_end(*this);
  std::optional<std::string> problem;
  try {
    for (const v1::SlotFrames& frames : request.frames()) {
      if (!problem) problem = take_frames(frames, received);
    }
    for (const v1::SlotFramesF& frames : request.frames_f()) {
      if (!problem) problem = take_frames(frames, received);
    }
  } catch (const std::bad_alloc&) {  // those that have frames must run all the same
    schedule_due();
    throw;
  }
  schedule_due();
  if (problem) return problem;
  for (const std::uint32_t slot : request.ends()) {
    if (auto wrong = end_slot(slot)) return wrong;
  }
  for (const std::uint32_t slot : request.leaves()) {
    if (auto wrong = leave_slot(slot)) return wrong;
  }
  return std::nullopt;
}

/// Why no session more may be opened now.
std::optional<grpc::Status> CrowdCall::opening_limit() {
  const auto limit = [](const char* why) {
    return grpc::Status(grpc::StatusCode::RESOURCE_EXHAUSTED, why);
  };
  if (!principal_->used->opens.take(1, principal_->limits.opens_per_second, Clock::now())) {
    return limit("you open sessions too fast (opens_per_second)");
  }
  const std::scoped_lock lock(mutex_);
  if (opening_now_ <= principal_->limits.sessions) return std::nullopt;
  return limit("you open more sessions at once than you may have (sessions)");
}

std::optional<std::string> CrowdCall::open_soon(const v1::SlotOpening& opening) {
  const std::uint32_t number = opening.slot();
  if (number >= kMostSlots) return fmt::format("slot {}: slots are below {}", number, kMostSlots);
  if (!opening.has_open() && !opening.has_resume()) {
    return fmt::format("slot {}: the opening neither opens nor resumes a session", number);
  }
  const Slot slot =
      std::make_shared<CrowdSlot>(number, std::static_pointer_cast<CrowdCall>(shared_from_this()));
  slot->resumed = opening.has_resume();
  {
    const std::scoped_lock lock(mutex_);
    if (slots_.size() <= number) slots_.resize(number + 1);
    if (slots_[number] && slots_[number]->state != SlotState::kOver) {
      return fmt::format("slot {} has a session already", number);
    }
    slots_[number] = slot;
    ++open_;
    ++opening_now_;
    is_opening();
  }
  if (const auto limit = opening_limit()) {
    refuse_opening(slot, *limit);
    return std::nullopt;
  }
  auto hold = board_.memory.take(opening.SpaceUsedLong() + kSessionMemory);
  if (!hold) {
    refuse_opening(slot, no_memory_status());
    return std::nullopt;
  }
  auto request = std::make_shared<const v1::TrackRequest>(request_of(opening));
  if (is_here(board_, *request)) {
    open_now(slot, *request, TakeOver::kNever);
    return std::nullopt;
  }
  const WorkerPool::Lane lane = lane_of(*request, opening.ByteSizeLong());
  board_.admission.add(principal_.get(), lane,
                       [self = std::static_pointer_cast<CrowdCall>(shared_from_this()), slot,
                        request = std::move(request),
                        held = std::make_shared<MemoryBudget::Hold>(std::move(*hold))] {
                         self->open_now(slot, *request, TakeOver::kMay);
                       });
  return std::nullopt;
}

void CrowdCall::open_now(const Slot& slot, const v1::TrackRequest& request, TakeOver take_over) {
  {
    const std::scoped_lock lock(mutex_);
    if (left_) return;
  }
  StreamSession stream;
  TrackOpened opened;
  grpc::Status status =
      open_within_limits(board_, principal_, request, take_over, slot, stream, opened);
  if (!status.ok()) return refuse_opening(slot, status);
  bool too_late = false;
  bool ending = false;
  const std::shared_ptr<Session> session = stream.session;
  // Ended on an earlier stream: all frames had come by then, and what comes again is passed over.
  const bool ended_before = is_finishing(session->counts().state);
  {
    const std::scoped_lock lock(mutex_);
    too_late = left_ || slot->state == SlotState::kOver;
    if (!too_late) {
      slot->stream = std::move(stream);
      slot->opened = std::move(opened);
      slot->state = SlotState::kOpen;
      --opening_now_;
      ending = slot->ending;
      slot->ending = ending || ended_before;
    }
  }
  if (too_late) return leave(stream, slot.get());
  count_as_opened();
  if (ending) session->finish(slot.get());
  note([&](StreamEvents& /*events*/) {
    list(slot);
    due_ = true;
  });
}

void CrowdCall::schedule_due() {
  const std::span<const std::shared_ptr<Session>> all(due_sessions_);
  for (std::size_t i = 0; i < all.size(); i += kGroup) {
    wait_with_flush();
    const auto group = all.subspan(i, std::min(kGroup, all.size() - i));
    try {
      board_.engine->schedule(
          group,
          [self = std::static_pointer_cast<CrowdCall>(shared_from_this())] { self->flush(); });
    } catch (const std::bad_alloc&) {  // for the function
      for (const std::shared_ptr<Session>& session : group) session->schedule();
      flush();
    }
  }
  due_sessions_.clear();
}

std::optional<std::string> CrowdCall::end_slot(std::uint32_t number) {
  Slot slot;
  std::shared_ptr<Session> session;
  {
    const std::scoped_lock lock(mutex_);
    if (number < slots_.size()) slot = slots_[number];
    if (!slot) return not_open(number);
    slot->ending = true;
    if (slot->state == SlotState::kOpen) session = slot->stream.session;
  }
  if (!session) return std::nullopt;
  session->finish(slot.get());
  slot_ready(slot);  // it may have been finished before, on another stream
  return std::nullopt;
}

std::optional<std::string> CrowdCall::leave_slot(std::uint32_t number) {
  Slot slot;
  {
    const std::scoped_lock lock(mutex_);
    if (number < slots_.size()) slot = slots_[number];
  }
  if (!slot) return not_open(number);
  refuse_slot(slot, {grpc::StatusCode::CANCELLED, "the client has left the session"});
  return std::nullopt;
}

// ---- Events ----

void CrowdCall::list(const Slot& slot) {
  if (over_ || std::exchange(slot->listed, true)) return;
  listed_.push_back(slot);
}

void CrowdCall::slot_ready(const Slot& slot) {
  note_if([&](StreamEvents& /*events*/) {
    list(slot);
    if (flushes_ > 0) return false;
    due_ = true;
    return true;
  });
}

void CrowdCall::slot_refused(const Slot& slot, const Problem& problem) {
  refuse_slot(slot, to_status(problem));
}

/// The slot is open from now on, without a session: for the end that follows.
void CrowdCall::refuse_opening(const Slot& slot, const grpc::Status& status) {
  note([&](StreamEvents& /*events*/) {
    if (slot->state == SlotState::kOpening) {
      slot->state = SlotState::kOpen;
      --opening_now_;
    }
    slot->refused = status;
    list(slot);
    due_ = true;
  });
}

void CrowdCall::refuse_slot(const Slot& slot, const grpc::Status& status) {
  note([&](StreamEvents& /*events*/) {
    if (!slot->refused) slot->refused = status;
    list(slot);
    due_ = true;
  });
}

/// A flush follows.
void CrowdCall::wait_with_flush() {
  const std::scoped_lock lock(mutex_);
  ++flushes_;
}

void CrowdCall::flush() {
  note([&](StreamEvents& /*events*/) {
    --flushes_;
    due_ = true;
  });
}

void CrowdCall::over() {
  request_.clear();
  hold_ = {};
  if (entered_) board_.crowds.leave(principal_.get());
  std::vector<Slot> slots;
  std::vector<Slot> listed;
  {
    const std::scoped_lock lock(mutex_);
    over_ = true;
    slots.swap(slots_);  // they refer to the call
    listed.swap(listed_);
  }
  sending_.clear();
  for (const Slot& slot : slots) {
    if (slot) free_later(board_, std::move(slot->stream.session));
  }
}

}  // namespace tocsin::service
