// A live session: one avatar in one room. Frames come in, gapless reports go out.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "service/access/access.h"
#include "service/events/event_hub.h"
#include "service/events/step_listener.h"
#include "service/meeting/meeting_seat.h"
#include "service/metrics/metrics.h"
#include "service/records/past_session.h"
#include "service/records/recorder.h"
#include "service/rooms/room.h"
#include "service/session/batch_participant.h"
#include "service/session/delivery.h"
#include "service/session/meeting_participant.h"
#include "service/session/session_control.h"
#include "service/session/session_ending.h"
#include "service/session/session_identity.h"
#include "service/session/session_limits.h"
#include "service/session/session_problems.h"
#include "service/session/session_setup.h"
#include "service/session/session_slot.h"
#include "service/step/step_pipeline.h"
#include "service/watch/watch_hub.h"
#include "tocsin/track.h"

namespace tocsin::service {

/// Makes the recorder of a session, once its avatar is bound. `ignore`: CheckSpec::ignore with the
/// patterns of TrackOptions::ignore_rest. `first`: Recorder::create().
using MakeRecorder = std::function<Result<std::unique_ptr<Recorder>>(
    const Avatar& avatar, const std::vector<std::string>& ignore, const SceneState* first)>;

/// What a session is made from.
struct SessionParts {
  std::string id;  ///< a secret
  TrackOptions options;
  std::shared_ptr<const Room> room;
  std::shared_ptr<Principal> principal;
  SessionLimits limits;
  std::shared_ptr<StepScheduler> scheduler;
  SessionSlot slot;                            ///< released when the session is over
  std::shared_ptr<Meeting> meeting = nullptr;  ///< the room's, if the session asks to meet others
  std::uint32_t number = 0;                    ///< of the session there
  Avatar like = {};  ///< another session's: shared, if this one's is the same
  MakeRecorder record = nullptr;
  bool record_required = false;  ///< the session ends if it cannot be recorded
  /// Of a session that is taken over: the frames covered so far, from the one at which the client's
  /// reports end, and the step that begins there.
  std::vector<PastFrame> past = {};
  std::uint64_t first_step = 0;
  std::uint64_t past_tick = 0;  ///< of the meeting: that frame's
  Log log = nullptr;  ///< for errors that clients get without details; called without a lock
  std::shared_ptr<Metrics> metrics = nullptr;     ///< the service's; null: its own
  std::shared_ptr<EventHub> events = nullptr;     ///< gets its contacts; null: nobody does
  std::shared_ptr<StepListener> steps = nullptr;  ///< gets its steps; null: nobody does
  std::shared_ptr<WatchHub> watch = nullptr;      ///< of those who watch; null: nobody can
};

/// What a session has done so far, and what it holds now.
struct SessionCounts {
  std::uint64_t steps = 0;
  std::uint64_t contacts = 0;
  FrameCounts frames;
  // Now.
  SessionState state = SessionState::kOpen;
  bool attached = false;  ///< to a stream
  /// True while a run is scheduled or under way. Also true while a stream listens and there are
  /// pending frames, unsent reports, or the end of the session to send.
  bool working = false;
  std::size_t pending_frames = 0;
  std::size_t unsent_reports = 0;
  std::size_t kept_reports = 0;  ///< unsent ones included
  std::size_t kept_bytes = 0;    ///< of these, estimated
};

/// What becomes of a session when its stream is detached.
enum class Detach : std::uint8_t {
  kMayResume,  ///< pending frames are still checked, and another stream may resume it
  kForGood,    ///< no client can resume it: it ends, and nothing more is reported
};

/// This class puts the parts of a session together:
/// - SessionControl: the lock, and the one run that works for the session at a time;
/// - SessionWork: the state, the pending frames (FrameQueue), the reports and stream (Delivery);
/// - StepPipeline: the steps;
/// - MeetingParticipant, BatchParticipant: what a meeting or a device checks for the session;
/// - SessionEnding: the end.
///
/// Thread-safe. Steps run one at a time and in order: StepScheduler::schedule() is only called
/// while no run is scheduled or under way. The lock is not held while a step is checked or a record
/// is finished, nor while an outlet or a scheduler is called.
///
/// If TrackOptions::frame_seconds is set, the capture time of a frame is id x frame_seconds,
/// whatever the client sent.
///
/// The memory of a session is bounded. It holds at most:
/// - `pending_frames` frames, each twice, and its pose ahead (or two, if more would take over
///   `pending_bytes`);
/// - the frame and the pose that are being checked, and those before; memory of a pose, to be used
///   again;
/// - FrameQueue::kMostRanges ranges of ids;
/// - `kept_bytes` of reports, and two reports more, with one contact for each (link, object) pair
///   (two with TrackOptions::lookahead) and TrackOptions::most_distances: one of them may be a part
///   of the next;
/// - the skeleton, the avatar, and a byte for each pair (one more with TrackOptions::nearest, and
///   with lookahead);
/// - the detector's working memory, which depends only on the avatar and the room: of a step that
///   goes on later (otherwise it is the thread's), and with lookahead;
/// - recorded: an entry for each (link, object) pair that ever touched (io::EpisodeTracker);
/// - in a meeting: a turn, two poses, and the cards of the avatars in its kept reports.
/// Reports that were pulled belong to the stream.
class Session : public std::enable_shared_from_this<Session> {
 public:
  using Time = std::chrono::steady_clock::time_point;

  /// Binds the avatar and prepares the detector. Null: see `problem`: as SessionSetup::make; the
  /// record is required and cannot be begun (kFailed); the record cannot hold such a model
  /// (kInvalid).
  static std::shared_ptr<Session> create(SessionParts parts, Problem& problem);
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;
  ~Session();

  [[nodiscard]] const SessionIdentity& identity() const { return identity_; }
  /// The client's, not placed.
  [[nodiscard]] const Skeleton& skeleton() const { return pipeline_.skeleton(); }
  /// For watchers.
  [[nodiscard]] const std::shared_ptr<const WatchSubject>& subject() const { return subject_; }
  /// How it ended. Call when it is over.
  [[nodiscard]] WatchedEnd watched_end() const;
  /// SessionRecord::offer(). Call before another thread has the session.
  bool offer_record() { return pipeline_.record().offer(); }
  /// Of its files; empty: it has none. Call when the session is over.
  [[nodiscard]] std::string record_stem() const { return pipeline_.record().stem(); }
  /// True if the client has got the session's end.
  [[nodiscard]] bool is_reported() const { return reported_; }
  [[nodiscard]] SessionCounts counts() const;
  /// So far; other servers' steps included. Frames that came while the service closed are
  /// unchecked.
  [[nodiscard]] TrackCovered coverage() const;
  /// The client's address, for people; empty: no stream is attached.
  [[nodiscard]] std::string peer() const;

  // For streams.
  /// Attaches a stream whose client has the first `received` reports. A stream that was attached
  /// before is refused soon (kTakenOver). Errors: kOutOfRange: the next report is not kept any
  /// more, or is not there yet; kNotFound: the session is over.
  std::optional<Problem> attach(std::shared_ptr<Outlet> outlet, std::uint64_t received,
                                TrackOpened& opened);
  /// Call when the stream has ended. Does nothing if another stream was attached since.
  void detach(const Outlet* outlet, Detach how = Detach::kMayResume);
  /// Takes a frame of the attached stream. The caller must end the stream after an error. A refused
  /// frame changes nothing but counts. While the session closes, frames are ignored as if they had
  /// not arrived. The stream will get the end.
  std::optional<Problem> offer(const Outlet* outlet, TrackFrame frame, Time received);
  /// The same for a caller that has frames of many sessions. It calls Engine::schedule() for those
  /// for which `due` was set.
  /// Afterwards `frame` has memory of a pose, if there is some to be used again.
  std::optional<Problem> offer(const Outlet* outlet, TrackFrame&& frame, Time received, bool& due);
  /// Asks for a session (prefetch.h), which need not be there any more. Null: nothing.
  static void prefetch_it(const Session* session);
  /// Asks for what the next frame and its step need beside the session itself, which has come.
  void prefetch_behind() const;
  /// Gets the session scheduled, where offer() set `due`.
  void schedule() { control_.schedule(); }
  /// The client has closed its side. Pending frames are still checked. This is final: a stream that
  /// resumes the session later gets the reports that are left, and may send no frames.
  void finish(const Outlet* outlet);
  /// The next reports for the attached stream. They count as sent. There are up to `most`, and up
  /// to about 256 KiB, so that they fit into a message. Empty: there are none now.
  /// `more`, if given: there are more now.
  std::vector<TrackReport> pull(const Outlet* outlet, std::size_t most, bool* more = nullptr) {
    std::vector<TrackReport> out;
    pull(outlet, most, out, more);
    return out;
  }
  /// The same, in the place of what `out` has: its memory is used again.
  void pull(const Outlet* outlet, std::size_t most, std::vector<TrackReport>& out, bool* more);
  /// What is proved so far of the step of the next report, once (Delivery::set_partial). Call when
  /// pull() has nothing.
  std::optional<TrackReport> pull_partial(const Outlet* outlet);
  /// The end of the session, once: after finish(), when all reports were pulled. Then the session
  /// is over.
  std::optional<TrackEnded> ended(const Outlet* outlet);

  // For workers, and for DeviceQueue.
  /// Checks one step, or finishes the record. `batch`: number of steps that were submitted
  /// together.
  void run_step(std::uint32_t batch);
  /// The same on a thread that others wait for (Engine::run_here): of a step that takes longer
  /// than SessionLimits::brief_seconds a worker does the rest.
  /// `memory`, if given and empty, gets that of a pose that the step has done with: it is still in
  /// this processor's caches.
  void run_briefly(Time now = std::chrono::steady_clock::now(),
                   std::vector<Transform>* memory = nullptr);
  /// The forecast for the scheduled run. Call before it runs. `seconds` is a slowly decaying
  /// maximum over earlier runs, with the work of outlets; of a batch, the step's share counts. It
  /// is infinite before a large avatar's first step, and if the run finishes the record.
  [[nodiscard]] RunForecast forecast() const { return control_.forecast(); }
  /// Null: the CPU checks all of its steps.
  [[nodiscard]] BatchParticipant* batch() const { return batch_.get(); }

  // For the service.
  /// Cancels the step that is being checked if it has taken too long.
  void watch(Time now) { pipeline_.checker().watch(now); }
  /// Ignores further frames. Pending frames are still checked.
  void drain();
  /// Ends the session if it has had no stream for its time to live and nothing runs; returns
  /// whether it did. A worker finishes the record soon. Until then the session is not over.
  bool expire(Time now);
  /// Checks no more steps. The attached stream is refused (kClosing). A worker finishes the record
  /// soon.
  void close();
  /// The same, with another problem; reports that are there can still be pulled. Nobody can resume
  /// the session.
  void end(Problem problem);
  /// When it began here.
  [[nodiscard]] Time since() const { return since_; }
  /// Finishes the record, if that was not done. Call after close(), when no worker will call
  /// run_step() again.
  void settle();

 private:
  using Lock = SessionControl::Lock;

  Session(SessionParts parts, SessionSetup setup, MeetingSeat seat, SessionRecord record,
          std::optional<Member> lent);

  /// Checks the frames again that the client has no reports of. Call before any other thread knows
  /// the session.
  std::optional<Problem> go_on_from(std::vector<PastFrame> past, std::uint64_t step);
  std::optional<Problem> meet_on_from(PastFrame past, std::uint64_t step, std::uint64_t tick);
  std::optional<Problem> take_frame(const Outlet* outlet, TrackFrame&& frame, Time received,
                                    bool& due);
  /// Call without the lock.
  void tell_listeners(const StepOutcome& outcome);
  /// Adds the names of what a report has as numbers. `others`: the cards of the avatars in it.
  void name_things(TrackReport& report, const MemberCards& others) const;
  /// What watchers will be told of a step, if there are some: a copy. `report`: with its counts.
  /// Call under the lock, by the run.
  void note_for_watchers(const TrackReport& report, const std::optional<Step>& step,
                         const MemberCards& others, Time received);
  /// Tells them, without the lock, which is released meanwhile. By the run.
  void tell_watchers(Lock& lock);
  /// Reports so far are released once their poses are on the disk. Call under the lock, by the run.
  void sync_reports();
  /// Reports before this one may be sent, or (an error) never will be as recorded ones.
  void reports_synced(std::uint64_t step, const Status& status);
  /// The record ends, if the disk failed. Call under the lock, by the run.
  void take_lost_record();
  /// Sets what a report says of the session so far. Call under the lock.
  void set_counts(TrackReport& report);
  /// Call under the lock.
  void take_outcome(StepOutcome&& outcome);
  /// Call under the lock. It is released while the step is checked.
  void check_next(Lock& lock, std::uint32_t batch, Time now);
  void run(std::uint32_t batch, Time start, std::vector<Transform>* memory);

  const Time since_ = std::chrono::steady_clock::now();
  const SessionIdentity identity_;
  const std::shared_ptr<StepScheduler> scheduler_;
  const std::chrono::duration<double> ttl_;
  const std::shared_ptr<Metrics> metrics_;
  const std::shared_ptr<EventHub> events_;
  const std::shared_ptr<StepListener> steps_;
  const std::shared_ptr<WatchHub> watch_;
  SessionControl control_;
  StepPipeline pipeline_;
  const std::unique_ptr<MeetingParticipant> meets_;  ///< null: no meeting
  const std::unique_ptr<BatchParticipant> batch_;
  SessionEnding ending_;
  std::vector<Transform> spare_;  ///< memory of a pose, for the next frame; under the lock
  std::uint64_t ignored_ = 0;     ///< frames that came while it closed; under the lock
  const bool record_required_;
  /// Under the lock: reports wait for the disk; why the disk failed, and the steps that say so.
  bool holds_ = false;
  std::string unsynced_;
  std::uint64_t unsynced_steps_ = 0;
  std::uint64_t parted_steps_ = 0;  ///< that took more than one budget; under the lock
  const std::shared_ptr<const WatchSubject> subject_;
  WatchMark mark_;                ///< of watch_; of the run
  std::vector<WatchStep> noted_;  ///< for watchers; of the run
  std::atomic<bool> reported_{false};
};

}  // namespace tocsin::service
