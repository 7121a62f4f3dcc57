// What a stream of many sessions sends: all of this with write ownership.
#include <algorithm>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "service/crowd/crowd_call.h"
#include "service/rpc/call_support.h"
#include "service/rpc/track_responses.h"
#include "wire/text.h"
#include "wire/values.h"

namespace tocsin::service {
namespace {

/// Bytes of a message (estimated) beyond which no slot more is added to it. A slot adds 16 reports,
/// and some 256 KiB, at most: gRPC's clients take messages of 4 MiB. Smaller: more writes. Larger:
/// such messages.
constexpr std::size_t kCrowdBytes = std::size_t{256} << 10U;

}  // namespace

/// What is to be said of a slot.
struct CrowdCall::News {
  std::shared_ptr<Session> session;  ///< null: none was opened
  std::optional<TrackOpened> opened;
  std::optional<grpc::Status> refused;
  bool ending = false;
};

bool CrowdCall::write_next(const StreamEvents& events) {
  if (events.broken) return end(grpc::Status::CANCELLED);
  if (events.end) return end(*events.end);
  if (events.input_over) leave_unended();
  v1::TrackManyResponse& out = response_.fresh();
  const bool tells_closing = events.closing && !closing_sent_;
  if (tells_closing) {
    closing_sent_ = true;
    out.set_closing(closing_status().error_message());
  }
  const bool something = add_listed(out);
  if (!something && !tells_closing) {
    response_.clear();
    return end_if_empty(events);
  }
  const bool serialized = serialize(out, outgoing_);
  response_.clear();
  if (!serialized) return end(not_serialized_status());
  return send_bytes(outgoing_, events.input_over);
}

void CrowdCall::written(bool /*input_over*/) {
  for (const Slot& slot : sending_) slot->stream.id_sent = true;
  sending_.clear();
  outgoing_.Clear();
}

/// There is nothing to send: ends the stream, if that is due.
bool CrowdCall::end_if_empty(const StreamEvents& events) {
  {
    const std::scoped_lock lock(mutex_);
    if (open_ > 0) return false;
  }
  if (events.input_over) return end(grpc::Status::OK);
  if (events.closing) return end(closing_status());
  return false;
}

/// False: nothing was added.
bool CrowdCall::add_listed(v1::TrackManyResponse& out) {
  {
    const std::scoped_lock lock(mutex_);
    if (!std::exchange(due_, false)) return false;
    taken_.swap(listed_);
    for (const Slot& slot : taken_) slot->listed = false;
  }
  std::size_t bytes = 0;
  std::size_t kept = 0;  // of the slots that have more, or wait for the next message
  for (std::size_t i = 0; i < taken_.size(); ++i) {
    if (bytes < kCrowdBytes && !add_slot(taken_[i], out, bytes)) continue;
    if (kept != i) taken_[kept] = std::move(taken_[i]);
    ++kept;
  }
  taken_.resize(kept);
  if (kept > 0) {
    const std::scoped_lock lock(mutex_);
    for (const Slot& slot : taken_) list(slot);
    due_ = true;
  }
  taken_.clear();
  return bytes > 0;
}

/// None: the slot is not open.
std::optional<CrowdCall::News> CrowdCall::news_of(CrowdSlot& slot) {
  const std::scoped_lock lock(mutex_);
  if (slot.state != SlotState::kOpen) return std::nullopt;
  return News{slot.stream.session, std::exchange(slot.opened, std::nullopt), slot.refused,
              slot.ending};
}

/// True: there is more to say of the slot.
bool CrowdCall::add_slot(const Slot& slot, v1::TrackManyResponse& out, std::size_t& bytes) {
  const std::optional<News> found = news_of(*slot);
  if (!found) return false;
  const News& news = *found;
  const std::size_t before = bytes;
  if (news.opened) bytes += add_opened(slot, *news.opened, out);
  if (news.session) {
    bool more = false;
    news.session->pull(slot.get(), kMostReports, pulled_, &more);
    for (const TrackReport& report : pulled_) {
      bytes += wire::add_report(slot->number, report, *slot->stream.codec, slot->told, out);
    }
    pulled_.clear();
    if (more) return true;
    if (bytes == before) {
      if (const auto partial = news.session->pull_partial(slot.get())) {
        v1::SlotReport& made = *out.add_partials();
        made.set_slot(slot->number);
        wire::to_wire(*partial, *slot->stream.codec, *made.mutable_report());
        bytes += made.ByteSizeLong();
      }
    }
  }
  if (!news.refused && !news.ending) return false;
  // Its id is not sent yet, and it could not be resumed: the end comes with the next message.
  if (news.opened) return true;
  const int ends = out.ends_size();
  if (news.refused) {
    add_refused(slot, news, out);
  } else {
    add_ended(slot, news, out);
  }
  if (out.ends_size() > ends) bytes += out.ends(ends).ByteSizeLong();
  return false;
}

std::size_t CrowdCall::add_opened(const Slot& slot, const TrackOpened& opened,
                                  v1::TrackManyResponse& out) {
  sending_.push_back(slot);
  v1::SlotOpened& made = *out.add_opened();
  made.set_slot(slot->number);
  wire::to_wire(opened, *made.mutable_opened());
  log_event(board_, *context_, slot->resumed ? "session_resumed" : "session_opened",
            principal_.get(), slot->stream.session.get());
  return made.ByteSizeLong();
}

void CrowdCall::add_refused(const Slot& slot, const News& news, v1::TrackManyResponse& out) {
  v1::SlotEnd& made = *out.add_ends();
  made.set_slot(slot->number);
  v1::SlotRefusal& refused = *made.mutable_refused();
  refused.set_code(static_cast<std::uint32_t>(news.refused->error_code()));
  wire::put_text(news.refused->error_message(), *refused.mutable_message());
  if (news.session && news.refused->error_code() == grpc::StatusCode::UNAVAILABLE) {
    wire::to_wire(news.session->coverage(), *refused.mutable_covered());
  }
  note_refusal(board_, *context_, *news.refused, principal_.get(), news.session.get());
  leave(slot->stream, slot.get());
  close(*slot);
}

/// Adds the end, if all is reported.
void CrowdCall::add_ended(const Slot& slot, const News& news, v1::TrackManyResponse& out) {
  const std::optional<TrackEnded> ended = news.session->ended(slot.get());
  if (!ended) return;
  v1::SlotEnd& made = *out.add_ends();
  made.set_slot(slot->number);
  wire::to_wire(*ended, *made.mutable_ended());
  news.session->detach(slot.get());
  log_event(board_, *context_, "session_ended", principal_.get(), news.session.get());
  close(*slot);
}

/// The slot is over.
void CrowdCall::close(CrowdSlot& slot) {
  std::shared_ptr<Session> session;
  {
    const std::scoped_lock lock(mutex_);
    slot.state = SlotState::kOver;
    --open_;
    session = std::move(slot.stream.session);
  }
  free_later(board_, std::move(session));
}

/// No more messages come: sessions that are not ended are left to be resumed.
void CrowdCall::leave_unended() {
  if (std::exchange(left_unended_, true)) return;
  for (std::size_t i = 0;; ++i) {
    Slot slot;
    {
      const std::scoped_lock lock(mutex_);
      if (i >= slots_.size()) return;
      slot = slots_[i];
      if (!slot || slot->ending || slot->refused || slot->state == SlotState::kOver) continue;
      if (slot->state == SlotState::kOpening) {  // whoever opens it leaves it
        slot->state = SlotState::kOver;
        --open_;
        --opening_now_;
        continue;
      }
    }
    leave(slot->stream, slot.get());
    close(*slot);
  }
}

void CrowdCall::leave_all(const grpc::Status& status) {
  {
    const std::scoped_lock lock(mutex_);
    left_ = true;
  }
  for (std::size_t i = 0;; ++i) {
    Slot slot;
    {
      const std::scoped_lock lock(mutex_);
      if (i >= slots_.size()) break;
      slot = slots_[i];
      if (!slot || slot->state != SlotState::kOpen) continue;
    }
    leave(slot->stream, slot.get());
  }
  note_refusal(board_, *context_, status, principal_.get());
}

}  // namespace tocsin::service
