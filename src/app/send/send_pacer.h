// The thread that sends frames when they are due.
#pragma once

#include <atomic>
#include <span>
#include <thread>
#include <vector>

#include "app/send/send_walker.h"

namespace tocsin::app {

/// Sends the frames of some avatars, each at its own time after `start`: deadlines are absolute, so
/// that one delay does not delay all later frames. Frames of many avatars that are due in the same
/// millisecond are sent together, at its end: waking up for each would cost several times its
/// sending, on a machine that the server may share.
class SendPacer {
 public:
  /// `period`: seconds between an avatar's frames, on the average.
  /// `crowds`: whose frames are sent when all that are due have been handed over.
  SendPacer(std::vector<SendWalker*> walkers, std::span<LiveCrowd> crowds, SendTimes& times,
            SendClock::time_point start, double period);
  SendPacer(const SendPacer&) = delete;
  SendPacer& operator=(const SendPacer&) = delete;
  /// Sends nothing more.
  ~SendPacer();

  [[nodiscard]] bool done() const { return done_; }

 private:
  void run();
  /// When frames that are due at `due`, seconds, are sent.
  [[nodiscard]] SendClock::time_point when(double due) const;
  bool sleep_until(SendClock::time_point due) const;

  std::vector<SendWalker*> walkers_;
  std::span<LiveCrowd> crowds_;
  SendTimes& times_;
  SendClock::time_point start_;
  double together_ = 0.0;  ///< seconds; 0: every frame at its own time
  std::atomic<bool> stop_{false};
  std::atomic<bool> done_{false};
  std::thread thread_;
};

}  // namespace tocsin::app
