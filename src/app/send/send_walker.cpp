#include "app/send/send_walker.h"

#include <algorithm>
#include <utility>

#include "core/vector/vec.h"

namespace tocsin::app {
namespace {

// Attempts to go on after a stream broke, the n-th after 2^n times the first pause, or the longest.
/// With these pauses nine seconds in all: a server that is started again reads its rooms first.
constexpr int kMostTries = 8;
constexpr std::chrono::milliseconds kLongestPause{2000};
constexpr std::chrono::milliseconds kFirstPause{100};

// Frames of one message without a pace. More would make the server wait for the first of them.
constexpr std::size_t kMostTogether = 8;

TrackOptions track_of(const SendPlan& plan, int number) {
  TrackOptions out = plan.track;
  out.avatar.place.translation = out.avatar.place.translation + plan.offset(number);
  return out;
}

double microseconds(SendClock::duration duration) {
  return std::chrono::duration<double, std::micro>(duration).count();
}

}  // namespace

Vec3 SendPlan::offset(int number) const {
  return {apart * (number % columns), 0.0, apart * (number / columns)};
}

std::uint64_t SendPlan::first_frame(int number) const {
  return static_cast<std::uint64_t>(stagger * number);
}

SendWalker::SendWalker(const SendPlan& plan, SendTimes& times, const Connection& connection,
                       int number, double offset, const LiveCrowd* crowd)
    : plan_(plan),
      track_(track_of(plan, number)),
      times_(times),
      connection_(connection),
      crowd_(crowd),
      schedule_(plan.playback, plan.chances, static_cast<std::uint64_t>(number), offset,
                plan.first_frame(number)),
      // The first avatar's lines stand for all, if all are found to be equal.
      contacts_(plan.track.frame_seconds, number == 0),
      batch_(kMostTogether) {
  if (plan.take_lines) contacts_.set_take(plan.playback);
  contacts_.set_lookahead(plan.track.lookahead);
  if (auto live = LiveMotion::create(track_.skeleton, track_.avatar.place)) {
    live_ = std::move(live).value();
  }
}

// ---- The stream ----

TrackHandler SendWalker::handler() {
  return {
      .opened = [this](const TrackOpened& opened) { on_opened(opened); },
      .report = [this](const TrackReport& report) { on_report(report); },
      .closing = [this](const TrackCovered& covered) { closing_covered_ = covered; },
      .over = [this](StreamEnd end, const TrackEnded& ended,
                     const Error& error) { on_over(end, ended, error); },
      .partial = [this](const TrackReport& part) { parted_ += part.timing.parts == 1 ? 1 : 0; }};
}

void SendWalker::open() { start_stream(); }

void SendWalker::start_stream() {
  const auto begin = [this](const auto& from) {
    return opened_.session_id.empty()
               ? from.track(track_, handler())
               : from.resume(opened_.session_id, coverage_.next_step(), track_.skeleton, handler());
  };
  auto session = crowd_ != nullptr ? begin(*crowd_) : begin(connection_);
  if (!session) {
    error_ = session.error();
    end_ = StreamEnd::kRefused;
    over_ = true;
    return;
  }
  LiveSession old = std::move(session).value();
  const std::lock_guard lock(mutex_);
  std::swap(session_, old);  // the old one, over by now, is destroyed without the lock
  attached_ = true;
}

void SendWalker::on_opened(const TrackOpened& opened) {
  if (opened_.session_id.empty() && opened.meeting) {
    contacts_.set_tick_rate(opened.meeting->rate);
  }
  opened_ = opened;
  const std::lock_guard lock(mutex_);
  // What went down with an earlier stream is sent again, unless it arrived.
  while (!outstanding_.empty()) {
    const SendEvent& event = outstanding_.back().event;
    if (!opened.covered || id_of(event) > opened.covered->id) resend_.push_front(event);
    outstanding_.pop_back();
  }
  waiting_ = 0;
  open_ = true;
}

void SendWalker::on_report(const TrackReport& report) {
  if (!coverage_.take(report)) return;
  last_report_ = SendClock::now();
  closing_.reset();
  closing_covered_.reset();
  steps_ = coverage_.next_step();
  // A step that stands still for a tick is about no frame of ours.
  if (report.to != report.from) add_times(report);
  stale_ = report.stale_frames;
  duplicates_ = report.duplicate_frames;
  bad_ = report.bad_frames;
  if (!report.first_bad_frame.empty()) first_bad_ = report.first_bad_frame;
  if (!report.fallback.empty()) fallback_ = report.fallback;
  if (!report.record_ended.empty()) record_ended_ = report.record_ended;
  unrecorded_ += report.unrecorded ? 1 : 0;
  held_ += report.held.size();
  if (const Status taken = contacts_.take(report); !taken) error_ = taken.error();
  if (plan_.playback.paced()) return;
  const std::lock_guard lock(mutex_);
  while (!outstanding_.empty() && id_of(outstanding_.front().event) <= report.to.id) {
    waiting_ -= outstanding_.front().waits ? 1 : 0;
    outstanding_.pop_front();
  }
  top_up();
}

void SendWalker::add_times(const TrackReport& report) {
  const Stamp& stamp = stamps_[plan_.playback.slot(report.to.id) % kStamps];
  const auto sent = stamp.sent.load(std::memory_order_relaxed);
  if (sent != 0 && stamp.frame.load(std::memory_order_relaxed) == report.to.id) {
    const SendClock::time_point at{SendClock::duration(sent)};
    times_.round_trip.add(microseconds(last_report_ - at));
  }
  times_.total.add(report.timing.total);
  times_.waited.add(report.timing.waited);
  times_.checked.add(report.timing.checked);
}

void SendWalker::on_over(StreamEnd end, const TrackEnded& ended, const Error& error) {
  const bool was_open = open_.exchange(false);
  end_ = end;
  error_ = error;
  ended_ = ended;
  if (end == StreamEnd::kEnded) {
    coverage_.end(ended.steps);
    stale_ = ended.stale_frames;
    duplicates_ = ended.duplicate_frames;
    bad_ = ended.bad_frames;
    first_bad_ = ended.first_bad_frame;
  }
  // A server that was started again may not know the session. Without a report yet, a new one
  // leaves no hole between reports. If that is refused too, it is over.
  const bool forgotten = end == StreamEnd::kRefused && !was_open && coverage_.next_step() == 0 &&
                         !opened_.session_id.empty();
  if (forgotten) opened_ = {};
  const bool left = end == StreamEnd::kClosing && !opened_.session_id.empty();
  if (left) closing_ = error;
  if (end == StreamEnd::kBroken || left || forgotten) {
    broken_ = true;  // the next server may go on
  } else {
    over_ = true;
  }
}

// ---- The supervisor's ----

/// After a stream broke: pauses, then resumes the session, or opens one if there is none yet.
void SendWalker::go_on(SendClock::time_point now) {
  if (!pausing_) {
    if (steps_ != steps_at_try_) tries_ = 0;
    pausing_ = true;
    try_at_ = now + std::min(kFirstPause * (1 << tries_), kLongestPause);
    return;
  }
  if (now < try_at_) return;
  pausing_ = false;
  if (tries_++ == kMostTries) {
    if (closing_) {  // what ended it, not that nobody answered then
      end_ = StreamEnd::kClosing;
      error_ = *closing_;
    }
    over_ = true;
    return;
  }
  steps_at_try_ = steps_;
  broken_ = false;
  finished_ = false;
  {
    const std::lock_guard lock(mutex_);
    counts_.resumed += opened_.session_id.empty() ? 0 : 1;
    attached_ = false;
  }
  start_stream();
}

void SendWalker::attend(SendClock::time_point now) {
  if (over_) return;
  if (broken_) return go_on(now);
  if (!open_) return;
  const std::lock_guard lock(mutex_);
  if (!plan_.playback.paced()) top_up();
  if (finish_wanted_ && !finished_) {
    finished_ = true;
    (void)session_.finish();  // a stream that is over says so to the handler
  }
}

void SendWalker::abandon() {
  LiveSession session;
  {
    const std::lock_guard lock(mutex_);
    std::swap(session, session_);
  }
  session = LiveSession();  // waits for the handler's end
  over_ = true;
}

// ---- Frames ----

const TrackFrame& SendWalker::frame_of(const SendEvent& event, TrackFrame& out) const {
  const auto pose = plan_.playback.pose(event.frame);
  out.id = id_of(event);
  out.capture_time = plan_.playback.capture_time(event.frame);
  out.pose.assign(pose.begin(), pose.end());
  plan_.tracker.turn(event.frame, out.pose);
  out.floats = plan_.floats;
  out.linked_only = plan_.linked_only;
  return out;
}

void SendWalker::stamp(const SendEvent& event) {
  if (event.again) return;
  Stamp& stamp = stamps_[plan_.playback.slot(id_of(event)) % kStamps];
  stamp.frame.store(id_of(event), std::memory_order_relaxed);
  stamp.sent.store(SendClock::now().time_since_epoch().count(), std::memory_order_relaxed);
}

void SendWalker::count(const SendEvent& event) {
  (event.again ? counts_.again : counts_.sent) += 1;
  counts_.overtaken += event.overtaken ? 1 : 0;
}

void SendWalker::send(const SendEvent& event, TrackFrame& frame) {
  const std::lock_guard lock(mutex_);
  if (open_ && attached_) {
    frame_of(event, frame);
    stamp(event);
    if (session_.send(std::span(&frame, 1))) return count(event);
  }
  counts_.unsent += event.again ? 0 : 1;
}

std::optional<SendEvent> SendWalker::next_to_send() {
  if (resend_.empty()) return schedule_.next();
  const SendEvent event = resend_.front();
  resend_.pop_front();
  return event;
}

bool SendWalker::waits(const TrackFrame& frame) {
  if (!live_) return true;
  checked_ = frame.pose;
  plan_.tracker.forgive(checked_);
  return live_->take(checked_).ok();
}

/// Without a pace: sends what the server has room for, so that nothing is skipped. Under the lock.
void SendWalker::top_up() {
  if (!open_ || !attached_ || finish_wanted_) return;
  // The first frame is reported with the second: a window of one would never open.
  const std::size_t window = std::max<std::size_t>(opened_.max_pending_frames, 2);
  while (window - std::min(window, waiting_) >= std::max<std::size_t>(window / 4, 1)) {
    std::size_t count_now = 0;
    const std::size_t most = std::min(window - waiting_, kMostTogether);
    for (; count_now < most; ++count_now) {
      const bool is_new = resend_.empty();
      const auto event = next_to_send();
      if (!event) {
        finish_wanted_ = true;
        break;
      }
      frame_of(*event, batch_[count_now]);
      stamp(*event);
      if (is_new) count(*event);
      outstanding_.push_back({*event, waits(batch_[count_now])});
      waiting_ += outstanding_.back().waits ? 1 : 0;
    }
    if (count_now > 0 && !session_.send(std::span(batch_).first(count_now))) return;
    if (finish_wanted_) return;
  }
}

SendCounts SendWalker::counts() const {
  const std::lock_guard lock(mutex_);
  SendCounts out = counts_;
  out.lost = schedule_.lost();
  return out;
}

}  // namespace tocsin::app
