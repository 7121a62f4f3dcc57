// The schedule of frames: pace, loss, jitter and duplicates, the same for the same seed.
#pragma once

#include <cstdint>
#include <optional>
#include <queue>
#include <vector>

#include "app/cli/options.h"
#include "make/random.h"
#include "tocsin/motion.h"

namespace tocsin::app {

/// Frames of a motion, played once or to and fro for some time. Maps the number of a played frame
/// to its pose and times.
class Playback {
 public:
  /// `rate`: frames a second; none: the motion's; infinite: no pace. `seconds`: how long, 0: once.
  /// `range`: which frames of the motion; frames first, first + stride, ... and last are played.
  /// Precondition: Motion::steps takes the range.
  Playback(Motion motion, std::optional<double> rate, double seconds, FrameRange range = {});

  /// How many frames there are; 2^53 without a pace for some time.
  [[nodiscard]] std::uint64_t frames() const { return frames_; }
  [[nodiscard]] bool paced() const { return paced_; }
  /// Seconds from frame to frame, on the average; 0 without a pace.
  [[nodiscard]] double period() const { return period_; }
  /// When a frame is due, seconds after the first.
  [[nodiscard]] double due(std::uint64_t frame) const;
  /// What a frame is called when it is sent: its number in the motion, or its tick where frames are
  /// at whole ticks. Numbers go on when the motion is played again.
  [[nodiscard]] std::uint64_t id(std::uint64_t frame) const;
  /// The motion's own step between the frames of these ids, as `tocsin check` has it; for a motion
  /// that is played once. Errors (kInput): ids of no two frames in order.
  [[nodiscard]] Result<Step> step(std::uint64_t from, std::uint64_t to) const;
  /// A number for the frame of this id. Frames that follow each other have different numbers, but
  /// perhaps those beside the motion's end, where it turns back.
  [[nodiscard]] std::uint64_t slot(std::uint64_t id) const;
  /// Seconds from id to id + 1; none: capture times say when frames are.
  [[nodiscard]] std::optional<double> id_seconds() const;
  /// Seconds of the motion; goes on when it is played again.
  [[nodiscard]] double capture_time(std::uint64_t frame) const;
  [[nodiscard]] std::span<const Transform> pose(std::uint64_t frame) const;
  [[nodiscard]] const Motion& motion() const { return motion_; }
  /// Which frames of the motion; `last` is its number.
  [[nodiscard]] const FrameRange& range() const { return range_; }
  /// True: every frame of the motion is played.
  [[nodiscard]] bool whole() const;
  /// How many frames the range has.
  [[nodiscard]] std::uint64_t once() const;
  /// The motion's number of frame k of the range, 0 <= k < once().
  [[nodiscard]] std::int64_t frame_at(std::uint64_t k) const;
  /// Frames from the first to the first again, to and fro.
  [[nodiscard]] std::uint64_t cycle() const;

 private:
  /// What the motion's frame is called the first time.
  [[nodiscard]] std::uint64_t name_of(std::int64_t frame) const;
  /// The motion's frame that is called so; none: there is none.
  [[nodiscard]] std::optional<std::int64_t> frame_named(std::uint64_t name) const;

  Motion motion_;
  FrameRange range_;
  bool paced_ = true;
  bool own_pace_ = false;    ///< the motion's
  bool whole_ticks_ = true;  ///< frames are at whole numbers of frame times
  double period_ = 0.0;
  std::uint64_t frames_ = 0;
};

/// Random disturbances of frames.
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
  /// `offset`: seconds after the start at which its first frame is due. `first`: which frame that
  /// is; as many follow as if it were 0.
  SendSchedule(const Playback& playback, const Chances& chances, std::uint64_t avatar,
               double offset, std::uint64_t first = 0);

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
  /// Seconds after the start.
  [[nodiscard]] double due(std::uint64_t frame) const;

  const Playback* playback_;
  Chances chances_;
  make::Random random_;
  double offset_;
  double echo_;  ///< seconds within which a frame comes a second time
  std::uint64_t first_;
  std::uint64_t drawn_ = 0;  ///< how many frames, from the first on
  std::uint64_t lost_ = 0;
  std::optional<std::uint64_t> newest_;
  std::priority_queue<SendEvent, std::vector<SendEvent>, Later> pending_;
};

}  // namespace tocsin::app
