// One avatar of `tocsin send`: its session, its frames and its reports.
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "app/send/send_contacts.h"
#include "app/send/send_coverage.h"
#include "app/send/send_histogram.h"
#include "app/send/send_schedule.h"
#include "app/send/send_tracker.h"
#include "tocsin/client.h"
#include "tocsin/live_motion.h"

namespace tocsin::app {

using SendClock = std::chrono::steady_clock;

/// Shared by all avatars.
struct SendPlan {
  TrackOptions track;
  Playback playback;
  Chances chances;
  /// Where avatar `number` stands, from where the first does: metres.
  [[nodiscard]] Vec3 offset(int number) const;
  double apart = 0.0;  ///< metres; a square grid
  int columns = 1;     ///< of it
  /// The frame that avatar `number` begins with.
  [[nodiscard]] std::uint64_t first_frame(int number) const;
  double stagger = 0.0;  ///< frames from the first one of an avatar to that of the next
  /// What the radii of a model that is a file were multiplied with; none: the server does that.
  std::optional<double> bound_factor;
  /// Contacts have the lines of the take (SendContacts::set_take), not of the session's record.
  bool take_lines = false;
  bool floats = false;       ///< TrackFrame::floats
  bool linked_only = false;  ///< TrackFrame::linked_only
  SendTracker tracker;       ///< turns each pose of the take into what is sent
};

/// Over all avatars.
struct SendTimes {
  SendHistogram round_trip;  ///< from handing a frame over for sending to its step's report
  SendHistogram total;       ///< the rest as the server says: TrackTiming
  SendHistogram waited;
  SendHistogram checked;
  SendHistogram sent_late;  ///< how far the sender lagged behind its schedule
};

/// Frames of one avatar.
struct SendCounts {
  std::uint64_t sent = 0;       ///< the first time
  std::uint64_t again = 0;      ///< the second time
  std::uint64_t lost = 0;       ///< by chance
  std::uint64_t overtaken = 0;  ///< of the sent ones: after a later frame
  std::uint64_t unsent = 0;     ///< due while there was no stream, or it took no more
  std::uint64_t resumed = 0;    ///< streams, after one broke
};

/// Thread-safe as noted. The supervisor is one thread; frames come from one more.
class SendWalker {
 public:
  /// `crowd`: whose stream it shares; null: it has a stream of its own.
  SendWalker(const SendPlan& plan, SendTimes& times, const Connection& connection, int number,
             double offset, const LiveCrowd* crowd = nullptr);
  SendWalker(const SendWalker&) = delete;
  SendWalker& operator=(const SendWalker&) = delete;
  ~SendWalker() = default;

  // For the supervisor.
  void open();
  /// Resumes a broken stream, or begins or ends sending, if that is due.
  void attend(SendClock::time_point now);
  /// No more frames than those that were sent.
  void finish() { finish_wanted_ = true; }
  /// Breaks the stream; is_over() from now on.
  void abandon();

  // For the thread that keeps the pace.
  std::optional<SendEvent> next_event() { return schedule_.next(); }
  /// `frame`: memory, to be used again with the next walker: each one's own would have left the
  /// caches.
  void send(const SendEvent& event, TrackFrame& frame);

  // For any thread.
  [[nodiscard]] bool is_open() const { return open_; }
  [[nodiscard]] bool is_over() const { return over_; }
  [[nodiscard]] std::uint64_t steps() const { return steps_; }

  // Once it is over and abandon() was called.
  [[nodiscard]] const TrackOpened& opened() const { return opened_; }
  [[nodiscard]] const SendCoverage& coverage() const { return coverage_; }
  [[nodiscard]] const SendContacts& contacts() const { return contacts_; }
  [[nodiscard]] SendCounts counts() const;
  [[nodiscard]] std::uint64_t stale_frames() const { return stale_; }
  [[nodiscard]] std::uint64_t duplicate_frames() const { return duplicates_; }
  [[nodiscard]] std::uint64_t bad_frames() const { return bad_; }
  /// The first bad frame and the cause; empty: the server told of none.
  [[nodiscard]] const std::string& first_bad_frame() const { return first_bad_; }
  /// Why the server's device failed meanwhile; empty: it did not.
  [[nodiscard]] const std::string& fallback() const { return fallback_; }
  /// Why the server's record of the session ended early; empty: it did not, or there is none.
  [[nodiscard]] const std::string& record_ended() const { return record_ended_; }
  [[nodiscard]] std::uint64_t unrecorded() const { return unrecorded_; }
  /// Joints that the tracker had lost, of all frames that steps end at.
  [[nodiscard]] std::uint64_t held() const { return held_; }
  /// Steps that took more than the server's budget for one.
  [[nodiscard]] std::uint64_t parted() const { return parted_; }
  [[nodiscard]] const TrackEnded& ended() const { return ended_; }
  /// What a server that shut down said at last; none: no server did, or the next one went on.
  [[nodiscard]] const std::optional<TrackCovered>& closing_covered() const {
    return closing_covered_;
  }
  /// How its last stream ended; kBroken if it was abandoned.
  [[nodiscard]] StreamEnd end() const { return end_; }
  /// Why, if it was not as it should.
  [[nodiscard]] const Error& error() const { return error_; }
  [[nodiscard]] SendClock::time_point last_report() const { return last_report_; }

 private:
  /// When a frame was sent: a ring, as reports come soon or never.
  struct Stamp {
    std::atomic<std::uint64_t> frame{0};
    std::atomic<SendClock::rep> sent{0};  ///< 0: never
  };
  static constexpr std::size_t kStamps = 1024;

  TrackHandler handler();
  void go_on(SendClock::time_point now);
  void on_opened(const TrackOpened& opened);
  void on_report(const TrackReport& report);
  void add_times(const TrackReport& report);
  void on_over(StreamEnd end, const TrackEnded& ended, const Error& error);
  void start_stream();
  void top_up();
  std::optional<SendEvent> next_to_send();
  /// False if the frame is bad: a row of these gets no report.
  bool waits(const TrackFrame& frame);
  void stamp(const SendEvent& event);
  [[nodiscard]] std::uint64_t id_of(const SendEvent& event) const {
    return plan_.playback.id(event.frame);
  }
  const TrackFrame& frame_of(const SendEvent& event, TrackFrame& out) const;
  void count(const SendEvent& event);

  const SendPlan& plan_;
  const TrackOptions track_;  ///< the plan's, at this avatar's place
  SendTimes& times_;
  const Connection& connection_;
  const LiveCrowd* const crowd_;
  SendSchedule schedule_;
  std::array<Stamp, kStamps> stamps_;

  std::atomic<bool> open_{false};           ///< frames may be sent
  std::atomic<bool> broken_{false};         ///< the stream ended, and may be resumed
  std::atomic<bool> over_{false};           ///< nothing more comes
  std::atomic<bool> finish_wanted_{false};  ///< the last frame was sent
  std::atomic<std::uint64_t> steps_{0};

  // Written by the handler, one call at a time; read by others after the stream's end.
  TrackOpened opened_;
  SendCoverage coverage_;
  SendContacts contacts_;
  std::uint64_t stale_ = 0;
  std::uint64_t duplicates_ = 0;
  std::uint64_t bad_ = 0;
  std::string first_bad_;
  std::string fallback_;
  std::string record_ended_;
  std::uint64_t unrecorded_ = 0;
  std::uint64_t held_ = 0;
  std::uint64_t parted_ = 0;
  TrackEnded ended_;
  StreamEnd end_ = StreamEnd::kBroken;
  Error error_;
  std::optional<Error> closing_;                 ///< a server that shut down, and no report since
  std::optional<TrackCovered> closing_covered_;  ///< the same
  SendClock::time_point last_report_;

  // The supervisor's.
  int tries_ = 0;  ///< to go on, without a report in between
  std::uint64_t steps_at_try_ = 0;
  bool pausing_ = false;  ///< until try_at_
  bool finished_ = false;
  SendClock::time_point try_at_;

  mutable std::mutex mutex_;  ///< of what follows
  LiveSession session_;
  bool attached_ = false;  ///< session_ is that of the stream that is open, or opens
  SendCounts counts_;
  std::vector<TrackFrame> batch_;  ///< reused
  // Without a pace: frames that were sent and whose step is not reported, and those of them that
  // went down with a stream.
  struct Outstanding {
    SendEvent event;
    bool waits = true;  ///< false: the server passes it over, and it waits for no step
  };
  std::deque<Outstanding> outstanding_;
  std::size_t waiting_ = 0;  ///< of these
  std::deque<SendEvent> resend_;
  std::optional<LiveMotion> live_;  ///< the server's judgement of poses
  std::vector<Transform> checked_;  ///< reused
};

}  // namespace tocsin::app
