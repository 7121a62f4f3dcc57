#include "client/lasting_stream.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <new>
#include <utility>
#include <vector>

#include "client/opening.h"

namespace tocsin::detail {
namespace {

using std::chrono::milliseconds;

/// Before the first new stream, and at most. Shorter: a server that starts is asked more often.
constexpr milliseconds kFirstPause{50};
constexpr milliseconds kLongestPause{1'000};

Error over_error() { return {ErrorCode::kResource, "the session is over"}; }

}  // namespace

LastingStream::LastingStream(StreamSource source, TrackOptions options, LastingHandler handler,
                             const ReconnectOptions& reconnect)
    : source_(std::move(source)),
      options_(std::move(options)),
      handler_(std::move(handler)),
      reconnect_(reconnect),
      supervisor_([this] { run(); }) {}

LastingStream::~LastingStream() {
  {
    const std::scoped_lock lock(mutex_);
    stopped_ = true;
  }
  changed_.notify_all();
  supervisor_.join();
  stream_ = LiveSession();  // waits for its handler
}

// ---- For the program ----

Status LastingStream::send(std::span<const TrackFrame> frames) {
  for (const TrackFrame& frame : frames) {
    const auto joints = static_cast<std::size_t>(options_.skeleton.size());
    if (Status fits = check_joints(frame, joints); !fits) return fits;
  }
  const std::scoped_lock lock(mutex_);
  if (finishing_) return Error{ErrorCode::kUsage, "the session was finished"};
  if (over_ || stopped_) return over_error();
  if (ready_) {
    // What a closed stream does not take is sent again on the next; one that is too slow takes no
    // more.
    if (Status sent = stream_.send(frames); !sent && !stream_.is_closed()) return sent;
  }
  kept_.insert(kept_.end(), frames.begin(), frames.end());
  while (kept_.size() > std::max<std::size_t>(reconnect_.kept_frames, 1)) kept_.pop_front();
  return Nothing{};
}

Status LastingStream::finish() {
  const std::scoped_lock lock(mutex_);
  if (over_ || stopped_) return finishing_ ? Status(Nothing{}) : Status(over_error());
  if (!std::exchange(finishing_, true) && ready_) (void)stream_.finish();
  return Nothing{};
}

bool LastingStream::wait(milliseconds timeout) {
  Lock lock(mutex_);
  return changed_.wait_for(lock, timeout, [this] { return told_; });
}

// ---- The supervisor ----

void LastingStream::run() {
  begin_stream();
  Lock lock(mutex_);
  while (true) {
    changed_.wait(lock, [this] { return stopped_ || over_ || broken_ || opened_; });
    if (stopped_ || over_) return;
    if (opened_) {
      send_again(lock);
      continue;
    }
    if (Clock::now() >= latest_.value()) return give_up(lock, end_, error_);
    if (!pause(lock)) return;
    broken_ = false;
    lock.unlock();
    begin_stream();
    lock.lock();
  }
}

/// False: it is to stop.
bool LastingStream::pause(Lock& lock) {
  const milliseconds now = std::exchange(pause_, std::min(2 * pause_, kLongestPause));
  return !changed_.wait_for(lock, now, [this] { return stopped_; });
}

void LastingStream::begin_stream() {
  std::string id;
  std::uint64_t received = 0;
  {
    const std::scoped_lock lock(mutex_);
    id = session_id_;
    received = steps_;
  }
  auto begun = id.empty() ? source_.track(options_, stream_handler(false))
                          : source_.resume(id, received, options_.skeleton, stream_handler(true));
  if (!begun) {
    Lock lock(mutex_);
    return give_up(lock, StreamEnd::kRefused, begun.error());
  }
  LiveSession old = std::move(begun).value();
  const std::scoped_lock lock(mutex_);
  std::swap(stream_, old);  // the old one is over by now: it ends without the lock
}

/// What the server does not have yet, or is not known to have.
void LastingStream::send_again(Lock& /*lock*/) {
  opened_ = false;
  const auto is_missing = [this](const TrackFrame& f) { return !there_ || f.id > there_->id; };
  // A stream that is over tells so.
  try {
    std::vector<TrackFrame> missing;
    std::copy_if(kept_.begin(), kept_.end(), std::back_inserter(missing), is_missing);
    (void)stream_.send(missing);  // one call: many could be too many that wait
  } catch (const std::bad_alloc&) {
    for (const TrackFrame& frame : kept_) {
      if (is_missing(frame)) (void)stream_.send({&frame, 1});
    }
  }
  ready_ = !broken_;
  if (finishing_) (void)stream_.finish();
}

void LastingStream::give_up(Lock& lock, StreamEnd end, const Error& error) {
  if (over_) return;
  over_ = true;
  lock.unlock();
  tell_over(end, {}, error);
  lock.lock();
}

// ---- The streams ----

TrackHandler LastingStream::stream_handler(bool resumes) {
  TrackHandler out;
  out.opened = [this](const TrackOpened& opened) { on_opened(opened); };
  out.report = [this](TrackReport report) { on_report(std::move(report)); };
  out.closing = handler_.closing;
  out.partial = [this](TrackReport report) { on_partial(std::move(report)); };
  out.over = [this, resumes](StreamEnd end, const TrackEnded& ended, const Error& error) {
    on_over(resumes, end, ended, error);
  };
  return out;
}

void LastingStream::on_opened(const TrackOpened& opened) {
  if (handler_.opened) handler_.opened(opened);
  {
    const std::scoped_lock lock(mutex_);
    session_id_ = opened.session_id;
    there_ = opened.covered;
    opened_ = true;
    latest_.reset();
    pause_ = kFirstPause;
  }
  changed_.notify_all();
}

void LastingStream::on_report(TrackReport report) {
  std::optional<TrackHole> hole;
  {
    const std::scoped_lock lock(mutex_);
    if (over_) return;
    const auto step = static_cast<std::uint64_t>(report.result.step);
    if (step < steps_) return;  // it was told before
    if (step > steps_ || (last_ && report.from != *last_)) hole = TrackHole{last_, report.from};
    steps_ = step + 1;
    last_ = report.to;
    forget_covered(report.to.id);
  }
  if (hole && handler_.hole) handler_.hole(*hole);
  if (handler_.report) handler_.report(std::move(report));
}

void LastingStream::on_partial(TrackReport report) {
  {
    const std::scoped_lock lock(mutex_);
    // Of a step that was told before, or after a hole, of which the report tells.
    if (over_ || static_cast<std::uint64_t>(report.result.step) != steps_) return;
    if (last_ && report.from != *last_) return;
  }
  if (handler_.partial) handler_.partial(std::move(report));
}

/// The frame at which the reports end is kept: a new session begins there.
void LastingStream::forget_covered(std::uint64_t id) {
  std::erase_if(kept_, [id](const TrackFrame& frame) { return frame.id < id; });
}

void LastingStream::on_over(bool resumed, StreamEnd end, const TrackEnded& ended,
                            const Error& error) {
  std::optional<TrackHole> hole;
  bool is_end = false;
  {
    const std::scoped_lock lock(mutex_);
    const bool was_open = opened_ || ready_;
    ready_ = opened_ = false;
    end_ = end;
    error_ = error;
    // The server does not have the session any more: a new one begins where the reports end.
    const bool forgotten = end == StreamEnd::kRefused && resumed && !was_open;
    is_end = end == StreamEnd::kEnded || (end == StreamEnd::kRefused && !forgotten);
    if (forgotten) {
      session_id_.clear();
      steps_ = 0;
    }
    if (end == StreamEnd::kEnded && ended.steps != steps_) hole = TrackHole{last_, std::nullopt};
    if (over_) return;
    over_ = is_end;
    broken_ = !is_end;
    if (!latest_) {
      latest_ = Clock::now() + reconnect_.patience;
      pause_ = kFirstPause;
    }
  }
  if (hole && handler_.hole) handler_.hole(*hole);
  if (is_end) return tell_over(end, ended, error);
  changed_.notify_all();
}

void LastingStream::tell_over(StreamEnd end, const TrackEnded& ended, const Error& error) {
  if (handler_.over) handler_.over(end, ended, error);
  {
    const std::scoped_lock lock(mutex_);
    told_ = true;
  }
  changed_.notify_all();
}

}  // namespace tocsin::detail
