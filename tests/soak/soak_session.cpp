#include "soak/soak_session.h"

#include <fmt/format.h>

#include <cmath>
#include <utility>

namespace tocsin::test {
namespace {

/// A number from a number: which frames are lost must be known again when reports come.
std::uint64_t mixed(std::uint64_t v) {
  v += 0x9E3779B97F4A7C15U;
  v = (v ^ (v >> 30U)) * 0xBF58476D1CE4E5B9U;
  v = (v ^ (v >> 27U)) * 0x94D049BB133111EBU;
  return v ^ (v >> 31U);
}

double capture_time(std::uint64_t id) { return 100.0 + static_cast<double>(id) / 30.0; }

}  // namespace

void World::note_latency(double microseconds) {
  const double octave = std::log2(std::max(1.0, microseconds));
  const auto at = std::min<std::size_t>(127, static_cast<std::size_t>(octave * 4.0));
  ++latencies[at];
}

double World::latency(double share) const {
  std::uint64_t all = 0;
  for (const auto& count : latencies) all += count;
  std::uint64_t below = 0;
  for (std::size_t i = 0; i < latencies.size(); ++i) {
    below += latencies[i];
    if (static_cast<double>(below) >= share * static_cast<double>(all)) {
      return std::exp2(static_cast<double>(i + 1) / 4.0);
    }
  }
  return 0.0;
}

SoakSession::SoakSession(World& world, std::string name, const TrackOptions& options,
                         const Manners& manners, std::uint64_t seed)
    : world_(world),
      name_(std::move(name)),
      options_(options),
      manners_(manners),
      random_(seed),
      first_pose_(random_() % 1'000'000),
      seed_(seed),
      live_(*LiveMotion::create(options.skeleton, options.avatar.place)),
      checker_(world.detector.with_options(detector_options(options.spec)).value(),
               *Avatar::create(world.avatar.name(), live_.skeleton(),
                               {world.avatar.links().begin(), world.avatar.links().end()})) {}

void SoakSession::mistake(const std::string& what) {
  world_.mistakes.add(fmt::format("{}: step {}: {}", name_, steps_, what));
  state_ = State::kFailed;
}

bool SoakSession::start(const Connection& connection) {
  inbox_ = std::make_shared<Inbox>();
  TrackHandler handler;
  handler.opened = [inbox = inbox_](const TrackOpened& opened) {
    const std::lock_guard lock(inbox->mutex);
    inbox->opened = opened;
  };
  handler.report = [inbox = inbox_](TrackReport report) {
    const std::lock_guard lock(inbox->mutex);
    inbox->reports.push_back(std::move(report));
  };
  handler.over = [inbox = inbox_](StreamEnd end, const TrackEnded& ended, const Error& error) {
    const std::lock_guard lock(inbox->mutex);
    inbox->over = true;
    inbox->end = end;
    inbox->ended = ended;
    inbox->error = error;
  };
  auto stream = id_.empty() ? connection.track(options_, std::move(handler))
                            : connection.resume(id_, steps_, options_.skeleton, std::move(handler));
  if (!stream.ok()) {
    mistake("cannot be opened: " + stream.error().message);
    return false;
  }
  ++(id_.empty() ? world_.counts.opened : world_.counts.resumed);
  stream_ = std::move(stream).value();
  state_ = State::kOpening;
  return true;
}

void SoakSession::tick() {
  if (state_ == State::kOpening || state_ == State::kStreaming) take_news();
  if (state_ == State::kStreaming && !finishing_) send_due();
}

void SoakSession::abandon() {
  stream_.abandon();
  stream_.wait(std::chrono::seconds(10));
  abandoned_ = true;
  take_news();
  abandoned_ = false;
  stream_ = {};
  if (state_ == State::kFailed || state_ == State::kClosing) return;
  due_.clear();
  unbroken_ = false;
  // Broken before the answer came: nobody knows its id.
  state_ = id_.empty() ? State::kGone : State::kBroken;
  ++world_.counts.abandoned;
}

void SoakSession::finish() {
  if (state_ != State::kStreaming) return;
  // If the stream is over already, its end says why.
  finishing_ = stream_.finish().ok();
}

void SoakSession::send_due() {
  const Clock::time_point now = Clock::now();
  owed_ += std::chrono::duration<double>(now - last_due_).count() * manners_.rate;
  last_due_ = now;
  std::uniform_real_distribution<double> share;
  for (; owed_ >= 1.0; owed_ -= 1.0) {
    const std::uint64_t id = next_id_++;
    if (is_lost(id)) continue;
    const auto late = [&] {
      return std::chrono::duration_cast<Clock::duration>(
          std::chrono::duration<double>(share(random_) * manners_.jitter));
    };
    due_.emplace(now + late(), id);
    if (share(random_) < manners_.twice) due_.emplace(now + late(), id);
  }
  std::vector<TrackFrame> frames;
  while (!due_.empty() && due_.begin()->first <= now) {
    const std::uint64_t id = due_.begin()->second;
    due_.erase(due_.begin());
    frames.push_back({id, capture_time(id), pose(id)});
  }
  if (frames.empty()) return;
  if (!stream_.send(frames).ok()) return;  // the stream is over: its end says why
  sent_ += frames.size();
  world_.counts.frames += frames.size();
}

void SoakSession::take_news() {
  std::optional<TrackOpened> opened;
  std::vector<TrackReport> reports;
  bool over = false;
  {
    const std::lock_guard lock(inbox_->mutex);
    std::swap(opened, inbox_->opened);
    std::swap(reports, inbox_->reports);
    over = inbox_->over;
  }
  if (opened) check(*opened);
  for (const TrackReport& report : reports) {
    if (state_ == State::kFailed) return;
    check(report);
  }
  if (over && state_ != State::kFailed) look_at_end(inbox_->end, inbox_->ended, inbox_->error);
}

void SoakSession::check(const TrackOpened& opened) {
  if (state_ == State::kOpening) state_ = State::kStreaming;
  last_due_ = Clock::now();
  if (opened.next_step != steps_) {
    mistake(fmt::format("goes on at step {}, {} are here", opened.next_step, steps_));
  }
  if (!id_.empty() && opened.session_id != id_) mistake("has another id");
  id_ = opened.session_id;
}

void SoakSession::check(const TrackReport& report) {
  if (static_cast<std::uint64_t>(report.result.step) != steps_) {
    return mistake(fmt::format("report of step {}", report.result.step));
  }
  if (covered_ && !(report.from == *covered_)) {
    return mistake(
        fmt::format("a hole: from frame {}, covered was {}", report.from.id, covered_->id));
  }
  for (const FrameStamp& stamp : {report.from, report.to}) {
    if (stamp.id >= next_id_ || is_lost(stamp.id) || stamp.capture_time != capture_time(stamp.id)) {
      return mistake(fmt::format("frame {} was never sent", stamp.id));
    }
  }
  if (report.to.id <= report.from.id) return mistake("goes backwards");
  std::uint64_t after = report.from.id;
  for (const IdRange& range : report.skipped) {
    if (range.first <= after || range.last >= report.to.id) {
      return mistake(fmt::format("skipped frames {} to {}", range.first, range.last));
    }
    after = range.last;
    for (std::uint64_t id = range.first; id <= range.last; ++id) skipped_ += is_lost(id) ? 0 : 1;
  }
  if (!covered_) (void)step_to(report.from.id);
  const StepReport wanted = checker_.check(step_to(report.to.id));
  if (report.result.contacts != wanted.contacts || report.result.safe_until != wanted.safe_until ||
      report.result.clearances != wanted.clearances) {
    return mistake(fmt::format("{} contacts from {} to {}, not the {} of the Detector",
                               report.result.contacts.size(), report.from.id, report.to.id,
                               wanted.contacts.size()));
  }
  if (report.stop_pose.empty() != (!options_.stop_pose || wanted.contacts.empty())) {
    return mistake("a stop pose is missing, or too much");
  }
  covered_ = report.to;
  ++steps_;
  contacts_ += wanted.contacts.size();
  ++world_.counts.reports;
  world_.counts.contacts += wanted.contacts.size();
  for (const IdRange& range : report.skipped) world_.counts.skipped += range.last - range.first + 1;
  world_.note_latency(report.timing.total);
}

void SoakSession::look_at_end(StreamEnd end, const TrackEnded& ended, const Error& error) {
  stream_ = {};
  due_.clear();
  switch (end) {
    case StreamEnd::kEnded:
      if (!finishing_) return mistake("ended, unasked");
      if (ended.steps != steps_ || ended.contacts != contacts_) {
        return mistake(fmt::format("ended with {} steps and {} contacts, {} and {} came",
                                   ended.steps, ended.contacts, steps_, contacts_));
      }
      if (const std::uint64_t accounted = steps_ + (covered_ ? 1 : 0) + ended.skipped_frames +
                                          ended.stale_frames + ended.duplicate_frames;
          unbroken_ && covered_ && accounted != sent_) {
        return mistake(fmt::format("{} frames were sent, {} accounted for", sent_, accounted));
      }
      state_ = State::kEnded;
      ++world_.counts.ended;
      return;
    case StreamEnd::kClosing:
      state_ = State::kClosing;
      ++world_.counts.told;
      return;
    case StreamEnd::kBroken:
      state_ = id_.empty() ? State::kGone : State::kBroken;
      unbroken_ = false;
      if (!abandoned_) ++world_.counts.lost;
      return;
    case StreamEnd::kRefused:
      break;
  }
  if (id_.empty() || unbroken_) return mistake("refused: " + error.message);
  // Came back too late.
  const bool outrun = error.message.find("kept") != std::string::npos;
  ++(outrun ? world_.counts.outrun : world_.counts.expired);
  state_ = State::kGone;
}

std::vector<Transform> SoakSession::pose(std::uint64_t id) const {
  // To and fro: no leap at the end of the take.
  const auto frames = static_cast<std::uint64_t>(world_.take.frame_count());
  const std::uint64_t turn = (first_pose_ + id) % (2 * frames - 2);
  const std::uint64_t at = turn < frames ? turn : 2 * frames - 2 - turn;
  const auto pose = world_.take.pose(static_cast<std::int64_t>(at));
  return {pose.begin(), pose.end()};
}

bool SoakSession::is_lost(std::uint64_t id) const {
  return static_cast<double>(mixed(seed_ ^ id) % 10'000) < manners_.loss * 10'000.0;
}

Step SoakSession::step_to(std::uint64_t id) {
  std::vector<Transform> taken = pose(id);
  if (!live_.take(taken).ok()) mistake("our own pose is none");
  return live_.next(std::move(taken), capture_time(id), options_.spec.in_between).value();
}

}  // namespace tocsin::test
