#include "app/send/send_pacer.h"

#include <sys/prctl.h>

#include <algorithm>
#include <cmath>
#include <queue>
#include <utility>

namespace tocsin::app {
namespace {

// Nanoseconds that the kernel may add to a sleep to save power; 50,000 if nothing is said.
constexpr unsigned long kTimerSlack = 1'000;

// How long a stop may go unnoticed.
constexpr std::chrono::milliseconds kLongestSleep{50};

// Seconds of which frames are sent together, and the frames a second from which on that is done: at
// so many it saves a wake-up.
constexpr double kTogether = 1e-3;
constexpr double kManyFrames = 2'000.0;

struct Due {
  SendEvent event;
  SendWalker* walker = nullptr;
  bool operator>(const Due& other) const { return event.due > other.event.due; }
};

SendClock::duration seconds(double value) {
  return std::chrono::duration_cast<SendClock::duration>(std::chrono::duration<double>(value));
}

}  // namespace

SendPacer::SendPacer(std::vector<SendWalker*> walkers, std::span<LiveCrowd> crowds,
                     SendTimes& times, SendClock::time_point start, double period)
    : walkers_(std::move(walkers)), crowds_(crowds), times_(times), start_(start) {
  if (static_cast<double>(walkers_.size()) > kManyFrames * period) together_ = kTogether;
  thread_ = std::thread([this] { run(); });
}

SendPacer::~SendPacer() {
  stop_ = true;
  thread_.join();
}

SendClock::time_point SendPacer::when(double due) const {
  return start_ + seconds(together_ > 0.0 ? std::ceil(due / together_) * together_ : due);
}

/// False: stopped meanwhile.
bool SendPacer::sleep_until(SendClock::time_point due) const {
  for (auto now = SendClock::now(); now < due && !stop_; now = SendClock::now()) {
    std::this_thread::sleep_until(std::min(due, now + kLongestSleep));
  }
  return !stop_;
}

void SendPacer::run() {
  prctl(PR_SET_TIMERSLACK, kTimerSlack);
  std::priority_queue<Due, std::vector<Due>, std::greater<>> queue;
  const auto draw = [&queue](SendWalker* walker) {
    if (const auto event = walker->next_event()) {
      queue.push({*event, walker});
    } else {
      walker->finish();
    }
  };
  for (SendWalker* const walker : walkers_) draw(walker);
  TrackFrame frame;
  while (!queue.empty()) {
    const Due next = queue.top();
    queue.pop();
    const auto due = start_ + seconds(next.event.due);
    if (!sleep_until(when(next.event.due))) break;
    times_.sent_late.add(std::chrono::duration<double, std::micro>(SendClock::now() - due).count());
    if (!next.walker->is_over()) next.walker->send(next.event, frame);
    draw(next.walker);
    if (!queue.empty() && when(queue.top().event.due) <= SendClock::now()) continue;
    for (LiveCrowd& crowd : crowds_) crowd.flush();
  }
  done_ = true;
}

}  // namespace tocsin::app
