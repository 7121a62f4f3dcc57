// One avatar in one room, live: frames in, reports out, no hole between them.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "service/access.h"
#include "service/environments.h"
#include "service/frame_queue.h"
#include "service/meeting_seat.h"
#include "service/problem.h"
#include "service/recorder.h"
#include "service/report_ring.h"
#include "service/session_problems.h"
#include "service/session_setup.h"
#include "service/session_slot.h"
#include "service/step_parts.h"
#include "service/turn.h"
#include "tocsin/stream.h"
#include "tocsin/track.h"

namespace tocsin::service {

/// Where a session's answers go while a stream is attached. Must not block or throw.
///
/// What is promised: calls come one at a time, under no lock of the session's, from workers and
/// from whoever calls Session::close() or expire(), never from inside of another function of the
/// session, so an outlet may hold a lock of its own while it calls these. ready() may come before
/// attach() has returned. After detach(), after a refuse(), or after another stream was attached no
/// call begins, but one that had begun may still be running: outlets are kept alive for that, and
/// must bear it. Every function of the session may be called from inside of a call.
class Outlet {
 public:
  virtual ~Outlet() = default;
  /// There is something for Session::pull() or ended(). Several events may share one call. Nothing
  /// calls it for what was there before attach(): look once after that.
  virtual void ready() = 0;
  /// The stream must end so. Unless this is kTakenOver, what is there can still be pulled first.
  virtual void refuse(const Problem& problem) = 0;
};

/// Limits of a session; docs/service.md says why these.
struct SessionLimits {
  std::size_t pending_frames = 16;  ///< FrameQueue's capacity, at least 2
  /// Of these: a skeleton so large that they would take more has a smaller queue.
  std::size_t pending_bytes = 4 << 20;
  std::size_t kept_reports = 512;    ///< kept for a client that resumes
  std::size_t kept_bytes = 1 << 20;  ///< of these, at most, estimated
  std::size_t unsent_reports =
      64;  ///< so many (or kept_bytes) and no further step is checked: frames wait, or are skipped
  double ttl = 60.0;  ///< seconds without a stream after which it expires
  /// Seconds. A step that takes longer is given up, and its session ends: no live avatar needs as
  /// long, and a worker is lost to all others meanwhile.
  double step_seconds = 2.0;
};

/// Asks for a session's next step to be run (run_step()) by some worker, soon. Called under no lock
/// of the session's, but maybe under a lock of an outlet's: must not block, or call into sessions.
class StepScheduler {
 public:
  virtual ~StepScheduler() = default;
  virtual void schedule(const std::shared_ptr<class Session>& session) = 0;
  /// The session is over (ended, or failed): it can be forgotten.
  virtual void over(const std::shared_ptr<class Session>& session) = 0;
};

/// Makes a recorder for an avatar that was bound.
using MakeRecorder = std::function<Result<std::unique_ptr<Recorder>>(const Avatar& avatar)>;

/// What a session is made from.
struct SessionParts {
  std::string id;  ///< a secret
  TrackOptions options;
  std::shared_ptr<const Room> room;
  std::shared_ptr<Principal> principal;
  SessionLimits limits;
  std::shared_ptr<StepScheduler> scheduler;
  SessionSlot slot;                            ///< given up when the session is over
  std::shared_ptr<Meeting> meeting = nullptr;  ///< the room's, if the session asks to meet others
  std::uint32_t number = 0;                    ///< of the session there
  MakeRecorder record = nullptr;
  Log log = nullptr;  ///< of errors that clients are not told in full; called under no lock
};

/// What a session did so far, and what it holds.
struct SessionCounts {
  std::uint64_t steps = 0;
  std::uint64_t contacts = 0;
  FrameCounts frames;
  // What it holds now.
  std::size_t pending_frames = 0;
  std::size_t unsent_reports = 0;
  std::size_t kept_reports = 0;  ///< unsent ones included
  std::size_t kept_bytes = 0;    ///< of these, estimated
};

/// Thread-safe. Steps run one at a time and in order: schedule() is only called while none is
/// scheduled or running.
///
/// One that meets others takes no steps by itself: at a tick of the meeting (begin_turn()) it goes
/// on to its newest frame or stands still, the meeting finds what it meets (end_turn()), and a
/// worker the rest, as for all others. It takes no part while the turn before is not done, its
/// reports wait, it has no stream, or it is ending and nothing waits.
///
/// Frames of even sessions (TrackOptions::frame_seconds) are at id x frame_seconds: that is their
/// capture time, whatever was sent.
///
/// At most a session holds: pending_frames (and no more than pending_bytes, but two) frames, each
/// twice; the frame and pose that are being checked and those before; FrameQueue::kMostRanges
/// ranges; kept_bytes and one report more, none larger than one contact for each (link, object)
/// pair; skeleton, avatar and a byte a pair; the detector's room to work, which depends on avatar
/// and room alone. One that is recorded holds, besides, an entry for each (link, object) pair that
/// ever touched (io::EpisodeTracker), of which there are no more than SessionSetup lets a recorded
/// session have. What was pulled is the stream's. One that meets others: a turn, two poses, and the
/// cards of those that its kept reports are about.
class Session : public std::enable_shared_from_this<Session> {
 public:
  using Time = std::chrono::steady_clock::time_point;

  /// Binds the avatar, prepares the detector. Problems: as SessionSetup::make; the record cannot be
  /// begun (kFailed), or not with such a model (kInvalid).
  static std::shared_ptr<Session> create(SessionParts parts, Problem& problem);

  [[nodiscard]] const std::string& id() const { return id_; }
  [[nodiscard]] const Room& room() const { return *room_; }
  [[nodiscard]] const Principal& principal() const { return *principal_; }

  /// Attaches a stream, after `received` reports that its client has; a stream that was attached
  /// before is refused (kTakenOver), soon. Errors: kOutOfRange: these reports are not kept any more
  /// (or not there yet); kNotFound: the session is over.
  std::optional<Problem> attach(std::shared_ptr<Outlet> outlet, std::uint64_t received,
                                TrackOpened& opened);
  /// The stream is gone, however it ended; nothing if another was attached since. What is pending
  /// is still checked.
  void detach(const Outlet* outlet);

  /// A frame of the attached stream. Errors end the stream; the session is as it was before the
  /// frame, but for counts. While the session closes frames are not looked at, as if they had not
  /// arrived any more: the stream will be told.
  std::optional<Problem> offer(const Outlet* outlet, TrackFrame frame, Time received);
  /// As detach(), and nobody can ever resume the session: it ends without being reported.
  void abandon(const Outlet* outlet);
  /// The client has closed its side: what is pending is still checked. Final: a stream that resumes
  /// the session later gets what is left, and no frames are taken.
  void finish(const Outlet* outlet);

  /// The next reports for the attached stream, up to `most` (and about 256 KiB, so that they fit
  /// into a message); they count as sent. Empty: none for now.
  std::vector<TrackReport> pull(const Outlet* outlet, std::size_t most);
  /// Once everything is reported and pulled after finish(): the end, once. The session is over
  /// then.
  std::optional<TrackEnded> ended(const Outlet* outlet);

  // For the meeting, one tick at a time. After a begin_turn() that is not kAway end_turn() must
  // follow.
  /// `step`: what it does at the tick, of kMoves.
  TurnKind begin_turn(const TickNumbers& tick, Step& step);
  void end_turn(Met met);
  /// Its avatar as others meet it: radii grown by the margin.
  [[nodiscard]] const Avatar& thick() const { return meets_->thick; }

  /// For a worker: checks one step, or finishes the record. `batch`: how many were handed out
  /// together.
  void run_step(std::uint32_t batch);
  /// How long the next run_step() may take, seconds: a maximum over those before, outlets' work
  /// included, that fades slowly; of a batch, the step's share. Infinite: nobody knows (a large
  /// avatar's first step), or the record will be finished, which nothing else does on a worker. To
  /// be asked before a step that was scheduled runs.
  [[nodiscard]] double expected_seconds() const { return expected_seconds_.load(); }
  /// Gives the step that is being checked up if it has taken too long.
  void watch(Time now);

  // For the device's line, in the place of a run_step() that was scheduled. run_step() must follow:
  // after begin_batched() if that is not kJoins, else after end_batched().
  /// True if what was scheduled is a step that the room's device may check: as expected_seconds().
  [[nodiscard]] bool joins_batch() const { return joins_batch_.load(); }
  /// Null: the CPU checks all of its steps.
  [[nodiscard]] BatchGroup* group() const { return batching_ ? batching_->group.get() : nullptr; }
  /// `out`: what is to be checked, of kJoins.
  BatchPart begin_batched(BatchedStep& out);
  void end_batched(Member member, BatchedAnswer answer);

  /// No more frames are looked at; what waits is still checked.
  void drain();
  /// Frames that wait.
  [[nodiscard]] std::size_t pending() const;
  /// True if a step is due or runs, or there is a stream that was not told its end, and frames wait
  /// for it, or reports, or the session's end.
  [[nodiscard]] bool working() const;
  [[nodiscard]] bool attached() const;
  [[nodiscard]] SessionCounts counts() const;

  /// True if it has had no stream for its time to live, or is over, and nothing runs.
  [[nodiscard]] bool expired(Time now) const;
  /// If it has had no stream for its time to live, and nothing runs: ends it for good and returns
  /// true. A record is finished by a worker, soon; until then it is not over.
  bool expire(Time now);
  /// True once it has ended (however), its record is finished and its slot free.
  [[nodiscard]] bool over() const;
  /// No more steps: the attached stream is refused (kClosing). A record is finished by a worker,
  /// soon.
  void close();
  /// After close(), and when no worker will call run_step() again: finishes the record if nobody
  /// has.
  void settle();

 private:
  Session(SessionParts parts, SessionSetup setup, MeetingSeat seat,
          std::unique_ptr<Recorder> recorder);

  /// A step's outcome: a report, or none (the first pose), or a problem.
  struct Outcome {
    std::optional<TrackReport> report;
    std::optional<Problem> problem;
    MemberCards met = {};  ///< whom the report's contacts are with
  };
  /// What one that meets others has besides. All but the seat: whoever runs a step.
  struct Meets {
    MeetingSeat seat;
    Avatar thick;
    std::vector<Transform> standing = {};  ///< the last covered pose as LiveMotion::take() left it
    std::vector<Transform> raw = {};       ///< the same as it came, if it is recorded
    std::uint64_t last_tick = 0;           ///< at which it had a turn
    std::optional<Turn> turn = std::nullopt;
  };
  using Lock = std::unique_lock<std::mutex>;

  // In the order of a step; by the worker that runs it, without the lock.
  void begin(BegunStep& begun);
  Outcome check(BegunStep& begun, std::uint32_t batch);
  Outcome check_unguarded(BegunStep& begun, std::uint32_t batch);
  /// What the device has found, else check_step(). `device_seconds`: of the device's batch.
  Result<StepReport> answer_to(const Step& step, double& device_seconds);
  Result<StepReport> check_step(const Step& step);
  std::optional<Problem> prepare(Turn& turn);
  std::optional<Problem> prepare_unguarded(Turn& turn);
  Outcome check_away(const Turn& turn, std::uint32_t batch);
  Outcome check_turn(Turn& turn, std::uint32_t batch);
  std::optional<Problem> record(const TrackFrame& frame, double tick, const Step* step,
                                const StepReport* result);
  TrackReport report_on(const NextFrame& next, StepReport result) const;
  /// In the first report after the device was given up.
  void say_fallback(TrackReport& report);
  [[nodiscard]] Problem unchecked(const Error& error) const;
  void remember(TrackFrame frame);

  std::optional<Problem> take(PendingFrame& pending) const;
  void schedule_now();

  bool let_go(const Outlet* outlet, bool for_good);

  // Under the lock; those that take it open it while they do what may take long.
  std::optional<Problem> refused(const TrackFrame& frame, Offer offer) const;
  void accept(Outcome outcome, Time received);
  void run_turn(Lock& lock, std::uint32_t batch);
  void fail(Problem problem);
  void finish_record(Lock& lock);
  void wind_up(Lock& lock);
  /// The same if nothing runs. A record is left to a worker: true if the caller must call
  /// schedule_now() once it has unlocked.
  bool wind_up_idle(Lock& lock);
  void tell(Lock& lock);
  [[nodiscard]] bool may_step() const;
  [[nodiscard]] bool may_turn() const;
  [[nodiscard]] bool has_work() const;
  /// True if the caller must call schedule_now() once it has unlocked.
  bool claim_work();
  void claim();
  [[nodiscard]] bool must_record() const;
  /// The next frame, into begun_. There must be one.
  void take_next();
  /// After a run of run_step(): how long, and whether it checked the motion to a pose.
  void learn(double seconds, bool checked);
  [[nodiscard]] bool expired_locked(Time now) const;
  void fill(TrackOpened& opened) const;
  [[nodiscard]] ContactNames names_of(const Contact& contact, const MemberCards& met) const;

  const std::string id_;
  const TrackOptions options_;  ///< without the skeleton and the model
  const std::shared_ptr<const Room> room_;
  const std::shared_ptr<Principal> principal_;
  const std::shared_ptr<StepScheduler> scheduler_;
  const std::chrono::duration<double> ttl_;
  const std::vector<std::string> warnings_;
  const Avatar avatar_;
  const LiveMotion plain_;
  const std::string cpu_;   ///< that checks where no device does
  const bool keeps_poses_;  ///< as they came, for the record and for stop poses
  const Log log_;
  std::atomic<double> expected_seconds_{0.0};  ///< these two: written by claim() only
  std::atomic<bool> joins_batch_{false};
  const std::chrono::duration<double> most_step_;
  std::stop_source give_up_;            ///< the step that is being checked, and all after it
  std::atomic<Time> checking_since_{};  ///< the clock's epoch: nothing is being checked

  // Whoever runs a step; the lock hands it on. take() is asked by all.
  const std::unique_ptr<Batching> batching_;  ///< null: the room has no device for it
  std::optional<BegunStep> begun_;            ///< and not ended yet
  LiveMotion live_;
  Stream stream_;
  const std::unique_ptr<Recorder> recorder_;
  const std::unique_ptr<Meets> meets_;  ///< null: it meets nobody
  TrackFrame last_;  ///< the last covered frame; its pose only where stop poses are asked for

  mutable std::mutex mutex_;
  SessionSlot slot_;
  FrameQueue queue_;
  ReportRing ring_;
  std::uint64_t contacts_ = 0;
  std::shared_ptr<Outlet> outlet_;
  Time detached_at_;
  // What outlets are to be told.
  bool telling_ = false;
  bool ready_due_ = false;
  std::optional<Problem> end_;  ///< the attached outlet's
  bool refused_ = false;        ///< the attached outlet was told its end
  std::vector<std::shared_ptr<Outlet>> taken_over_;
  // How far it is.
  double taken_seconds_ = 0.0;  ///< by runs so far, fading; infinite: not known yet
  bool record_due_ = false;     ///< and is what the run is for that is scheduled, or runs
  bool busy_ = false;           ///< a step is scheduled or runs
  bool draining_ = false;       ///< frames are not looked at
  bool finishing_ = false;
  bool done_ = false;      ///< finishing, and everything is checked and recorded
  bool recorded_ = false;  ///< the record is finished, or being finished
  bool closing_ = false;   ///< no more steps: ended, failed, expired or closed
  bool over_ = false;      ///< the same, and the record is finished
};

}  // namespace tocsin::service
