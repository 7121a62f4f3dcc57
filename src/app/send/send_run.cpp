#include "app/send/send_run.h"

#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <cmath>
#include <thread>
#include <utility>

#include "app/send/send_pacer.h"

namespace tocsin::app {
namespace {

// How often the supervisor looks at the sessions, if they are so many or fewer; at more less often:
// what it looks at has left the caches, and it shares the processor with what is measured.
constexpr std::chrono::milliseconds kPollInterval{5};
constexpr std::size_t kPolledTogether = 200;
// For all sessions to be opened: a server that prepares a thousand of them is busy for a while.
constexpr std::chrono::seconds kOpenTimeout{60};
// Without a single report, once nothing more is sent: longer than a step ever takes.
constexpr std::chrono::seconds kReportTimeout{30};
// For what is pending after Ctrl-C, within kSendGrace of run_command.cpp. Shorter: on a slow
// machine sessions are broken off that would have ended in order.
constexpr std::chrono::milliseconds kStopTimeout{9'000};
// Between the last session's opening and the first frame: time to start the threads that send.
constexpr std::chrono::milliseconds kStartPause{20};
// Sessions that are opened at once, and then how many a time. A server lets a principal open 1,000
// a second, and refuses more.
constexpr std::size_t kOpensAtOnce = 500;
constexpr std::size_t kOpensTogether = 50;
constexpr std::chrono::milliseconds kOpenPause{60};
// Avatars that one thread sends for. A frame takes some ten microseconds: at 90 Hz this fills a
// sixth of a core.
constexpr std::size_t kAvatarsPerPacer = 200;

double cpu_seconds() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const auto of = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_usec) * 1e-6;
  };
  return of(usage.ru_utime) + of(usage.ru_stime);
}

class Run {
 public:
  Run(const SendOptions& options, const SendPlan& plan, const std::vector<Connection>& connections,
      SendTimes& times, const std::function<void(std::uint64_t)>& progress, std::stop_token stop)
      : options_(options),
        plan_(plan),
        connections_(connections),
        times_(times),
        progress_(progress),
        stop_(std::move(stop)) {
    // Their first frames are spread over a frame's time: avatars of many do not move in step. Those
    // of one program, on one stream, do.
    const double period = options.one_stream ? 0.0 : plan.playback.period();
    for (const Connection& connection : connections) {
      if (!options.one_stream) break;
      crowds_.push_back(connection.crowd().value());
      if (plan.playback.paced()) crowds_.back().collect();
    }
    const auto avatars = static_cast<std::size_t>(options.avatars);
    for (std::size_t i = 0; i < avatars; ++i) {
      const double offset = period * static_cast<double>(i) / static_cast<double>(avatars);
      // Those of a connection follow each other, as avatars of one program do: what they send
      // together is written together.
      const std::size_t at = i * connections.size() / avatars;
      walkers_.push_back(std::make_unique<SendWalker>(plan, times, connections[at],
                                                      static_cast<int>(i), offset,
                                                      crowds_.empty() ? nullptr : &crowds_[at]));
    }
  }

  SendOutcome operator()() {
    open_all();
    const bool opened = wait_until_open();
    start_ = SendClock::now();
    if (plan_.playback.paced()) start_ += kStartPause;
    const double cpu_before = cpu_seconds();
    if (opened) {
      start_pacers();
      supervise();
    }
    pacers_.clear();
    if (opened && stop_.stop_requested()) end_early();
    SendOutcome out;
    out.cpu_seconds = cpu_seconds() - cpu_before;
    for (const auto& walker : walkers_) walker->abandon();
    gather(out);
    return out;
  }

 private:
  template <class Test>
  [[nodiscard]] bool all(const Test& test) const {
    return std::all_of(walkers_.begin(), walkers_.end(), [&](const auto& w) { return test(*w); });
  }
  [[nodiscard]] bool all_over() const {
    return all([](const SendWalker& walker) { return walker.is_over(); });
  }
  [[nodiscard]] std::uint64_t steps() const {
    std::uint64_t sum = 0;
    for (const auto& walker : walkers_) sum += walker->steps();
    return sum;
  }

  void attend() {
    const auto now = SendClock::now();
    for (const auto& walker : walkers_) walker->attend(now);
    std::this_thread::sleep_for(kPollInterval * (1 + walkers_.size() / kPolledTogether));
  }

  void open_all() {
    for (std::size_t i = 0; i < walkers_.size() && !stop_.stop_requested(); ++i) {
      if (i >= kOpensAtOnce && i % kOpensTogether == 0) std::this_thread::sleep_for(kOpenPause);
      walkers_[i]->open();
    }
  }

  /// Sending starts when all are there, so that the load is what was asked for. False: interrupted,
  /// or none of them could be opened.
  bool wait_until_open() {
    const auto until = SendClock::now() + kOpenTimeout;
    while (!all([](const SendWalker& w) { return w.is_open() || w.is_over(); })) {
      if (stop_.stop_requested()) return false;
      if (SendClock::now() > until) {
        slow_ = Error{ErrorCode::kResource, "not all sessions were opened within a minute"};
        return false;
      }
      for (const auto& walker : walkers_) {
        if (!walker->is_open()) walker->attend(SendClock::now());
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    return !all_over();
  }

  void start_pacers() {
    if (!plan_.playback.paced()) return;
    const std::size_t count = std::clamp<std::size_t>(
        walkers_.size() / kAvatarsPerPacer, 1, std::max(1U, std::thread::hardware_concurrency()));
    std::vector<std::vector<SendWalker*>> shares(count);
    for (std::size_t i = 0; i < walkers_.size(); ++i) {
      shares[i % count].push_back(walkers_[i].get());
    }
    for (auto& share : shares) {
      pacers_.push_back(std::make_unique<SendPacer>(std::move(share), crowds_, times_, start_,
                                                    plan_.playback.period()));
    }
  }

  /// True once nothing more is sent.
  [[nodiscard]] bool all_sent() const {
    if (plan_.playback.paced()) {
      return std::all_of(pacers_.begin(), pacers_.end(), [](const auto& p) { return p->done(); });
    }
    return false;
  }

  void supervise() {
    std::uint64_t steps_before = 0;
    auto changed = SendClock::now();
    const bool timed = !plan_.playback.paced() && options_.seconds > 0.0;
    const auto end = start_ + std::chrono::duration_cast<SendClock::duration>(
                                  std::chrono::duration<double>(timed ? options_.seconds : 0.0));
    while (!all_over() && !stop_.stop_requested()) {
      attend();
      const auto now = SendClock::now();
      if (timed && now >= end) finish();
      const std::uint64_t steps_now = steps();
      progress_(steps_now);
      if (steps_now != steps_before || (plan_.playback.paced() && !all_sent())) {
        steps_before = steps_now;
        changed = now;
      } else if (now - changed > kReportTimeout) {
        slow_ = Error{ErrorCode::kResource, "no report came for half a minute"};
        return;
      }
    }
  }

  void finish() {
    for (const auto& walker : walkers_) walker->finish();
  }

  void end_early() {
    finish();
    const auto until = SendClock::now() + kStopTimeout;
    while (!all_over() && SendClock::now() < until) attend();
  }

  static void add_problem(SendOutcome& out, const Error& error) {
    const auto same = [&error](const Error& other) { return other.message == error.message; };
    if (error.message.empty() || std::any_of(out.problems.begin(), out.problems.end(), same)) {
      return;
    }
    out.problems.push_back(error);
  }

  static std::uint64_t& count_for(SendOutcome& out, StreamEnd end) {
    switch (end) {
      case StreamEnd::kEnded:
        return out.ended;
      case StreamEnd::kClosing:
        return out.closing;
      case StreamEnd::kBroken:
        return out.broken;
      case StreamEnd::kRefused:
        break;
    }
    return out.refused;
  }

  static void add_closed(SendOutcome& out, const std::optional<TrackCovered>& said) {
    if (!said) return;
    if (!out.closed) out.closed = TrackCovered{0, said->to, 0};
    out.closed->steps += said->steps;
    out.closed->unchecked_frames += said->unchecked_frames;
  }

  void add(SendOutcome& out, const SendWalker& walker) const {
    const bool ended = walker.end() == StreamEnd::kEnded;
    count_for(out, walker.end()) += 1;
    if (walker.end() == StreamEnd::kClosing) add_closed(out, walker.closing_covered());
    if (!ended || !walker.error().message.empty()) add_problem(out, walker.error());
    const SendCounts counts = walker.counts();
    out.frames.sent += counts.sent;
    out.frames.again += counts.again;
    out.frames.lost += counts.lost;
    out.frames.overtaken += counts.overtaken;
    out.frames.unsent += counts.unsent;
    out.frames.resumed += counts.resumed;
    const SendCoverage& coverage = walker.coverage();
    out.steps += coverage.next_step();
    out.skipped_frames += ended ? walker.ended().skipped_frames : coverage.skipped_frames();
    out.sent_again += coverage.sent_again();
    if (out.gaps == 0) out.first_gap = coverage.first_gap();
    out.gaps += coverage.gaps();
    out.stale_frames += walker.stale_frames();
    out.duplicate_frames += walker.duplicate_frames();
    out.bad_frames += walker.bad_frames();
    if (out.first_bad_frame.empty()) out.first_bad_frame = walker.first_bad_frame();
    if (out.fallback.empty()) out.fallback = walker.fallback();
    if (out.record_ended.empty()) out.record_ended = walker.record_ended();
    out.unrecorded += walker.unrecorded();
    out.held += walker.held();
    out.parted += walker.parted();
    const io::Tally& tally = walker.contacts().tally();
    out.tally.steps += tally.steps;
    out.tally.contacts += tally.contacts;
    out.tally.hit += tally.hit;
    out.tally.graze += tally.graze;
    out.tally.overlap += tally.overlap;
    out.tally.limited += tally.limited;
    out.met += walker.contacts().met();
    const SendWalker& first = *walkers_.front();
    out.all_equal = out.all_equal && tally.steps == first.contacts().tally().steps &&
                    walker.contacts().fingerprint() == first.contacts().fingerprint();
  }

  void gather(SendOutcome& out) const {
    const SendWalker& first = *walkers_.front();
    out.opened = first.opened();
    out.sessions = walkers_.size();
    out.connections = static_cast<int>(connections_.size());
    out.interrupted = stop_.stop_requested();
    auto last = start_;
    for (const auto& walker : walkers_) {
      add(out, *walker);
      last = std::max(last, walker->last_report());
    }
    out.seconds = std::chrono::duration<double>(last - start_).count();
    out.hash = first.contacts().hash();
    out.episodes = first.contacts().episodes();
    out.first_contact = first.contacts().first();
    out.clearances = first.contacts().clearances();
    out.distances = first.contacts().distances();
    out.more_distances = first.contacts().more_distances();
    out.foresight = first.contacts().foresight();
    if (slow_) out.problems.insert(out.problems.begin(), *slow_);
  }

  const SendOptions& options_;
  const SendPlan& plan_;
  const std::vector<Connection>& connections_;
  SendTimes& times_;
  const std::function<void(std::uint64_t)>& progress_;
  std::stop_token stop_;
  std::vector<LiveCrowd> crowds_;  ///< one a connection, or none; their walkers go first
  std::vector<std::unique_ptr<SendWalker>> walkers_;
  std::vector<std::unique_ptr<SendPacer>> pacers_;
  SendClock::time_point start_;
  std::optional<Error> slow_;
};

}  // namespace

std::string SendOutcome::link_name(std::int32_t link) const {
  const auto i = static_cast<std::size_t>(link);
  return i < opened.links.size() ? opened.links[i] : fmt::format("link {}", i);
}

SendOutcome run_sessions(const SendOptions& options, const SendPlan& plan,
                         const std::vector<Connection>& connections, SendTimes& times,
                         const std::function<void(std::uint64_t)>& progress,
                         const std::stop_token& stop) {
  return Run(options, plan, connections, times, progress, stop)();
}

}  // namespace tocsin::app
