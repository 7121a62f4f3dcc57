// When which frame is sent: pace, loss, jitter and duplicates, the same for the same seed.
#pragma once

#include <cstdint>
#include <optional>
#include <queue>
#include <vector>

#include "make/random.h"
#include "tocsin/motion.h"

namespace tocsin::app {

/// A motion played once, or to and fro for some time: frame numbers to poses and times.
class Playback {
 public:
  /// `rate`: frames a second; none: the motion's; infinite: no pace. `seconds`: how long, 0: once.
  Playback(Motion motion, std::optional<double> rate, double seconds);

  /// How many frames there are; 2^53 without a pace for some time.
  [[nodiscard]] std::uint64_t frames() const { return frames_; }
  [[nodiscard]] bool paced() const { return paced_; }
  /// Seconds from frame to frame, on the average; 0 without a pace.
  [[nodiscard]] double period() const { return period_; }
  /// When a frame is due, seconds after the first.
  [[nodiscard]] double due(std::uint64_t frame) const;
  /// What a frame is called when it is sent: its number; its tick where ticks are whole numbers.
  [[nodiscard]] std::uint64_t id(std::uint64_t frame) const;
  /// Seconds from id to id + 1; none: capture times say when frames are.
  [[nodiscard]] std::optional<double> id_seconds() const;
  /// Seconds of the motion; goes on when it is played again.
  [[nodiscard]] double capture_time(std::uint64_t frame) const;
  [[nodiscard]] std::span<const Transform> pose(std::uint64_t frame) const;
  [[nodiscard]] const Motion& motion() const { return motion_; }

 private:
  /// Frames from the first to the first again.
  [[nodiscard]] std::uint64_t cycle() const;

  Motion motion_;
  bool paced_ = true;
  bool own_pace_ = false;    ///< the motion's
  bool whole_ticks_ = true;  ///< frames are at whole numbers of frame times
  double period_ = 0.0;
  std::uint64_t frames_ = 0;
};

/// What chance does to frames.
struct Chances {
  double loss = 0.0;        ///< probability that a frame is never sent
  double jitter = 0.0;      ///< seconds: a frame is late by up to so much, evenly distributed
  double duplicates = 0.0;  ///< probability that a frame is sent a second time, later
  std::uint64_t seed = 1;
};

/// A frame that is to be sent.
struct SendEvent {
  double due = 0.0;  ///< seconds after the start
  std::uint64_t frame = 0;
  bool again = false;      ///< the second time
  bool overtaken = false;  ///< a later frame was sent before
};

/// The frames of one avatar in the order in which they are sent. Not thread-safe.
class SendSchedule {
 public:
  /// `offset`: seconds after the start at which its first frame is due.
  SendSchedule(const Playback& playback, const Chances& chances, std::uint64_t avatar,
               double offset);

  std::optional<SendEvent> next();
  /// Frames that chance has dropped so far.
  [[nodiscard]] std::uint64_t lost() const { return lost_; }

 private:
  struct Later {
    bool operator()(const SendEvent& a, const SendEvent& b) const {
      if (a.due != b.due) return a.due > b.due;
      return a.frame != b.frame ? a.frame > b.frame : a.again && !b.again;
    }
  };
  void draw_next();

  const Playback* playback_;
  Chances chances_;
  make::Random random_;
  double offset_;
  double echo_;  ///< seconds within which a frame comes a second time
  std::uint64_t drawn_ = 0;
  std::uint64_t lost_ = 0;
  std::optional<std::uint64_t> newest_;
  std::priority_queue<SendEvent, std::vector<SendEvent>, Later> waiting_;
};

}  // namespace tocsin::app
