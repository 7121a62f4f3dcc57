// One avatar in one room, live: frames in, reports out, no hole between them.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "service/access/access.h"
#include "service/meeting/meeting_seat.h"
#include "service/records/recorder.h"
#include "service/rooms/room.h"
#include "service/session/batch_participant.h"
#include "service/session/delivery.h"
#include "service/session/meeting_participant.h"
#include "service/session/session_control.h"
#include "service/session/session_ending.h"
#include "service/session/session_limits.h"
#include "service/session/session_problems.h"
#include "service/session/session_setup.h"
#include "service/session/session_slot.h"
#include "service/session/step_pipeline.h"
#include "tocsin/track.h"

namespace tocsin::service {

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
  // What it is and holds now.
  SessionState state = SessionState::kOpen;
  bool attached = false;  ///< to a stream
  /// A step is due or runs, or there is a stream that was not told its end, and frames wait for it,
  /// or reports, or the session's end.
  bool working = false;
  std::size_t pending_frames = 0;
  std::size_t unsent_reports = 0;
  std::size_t kept_reports = 0;  ///< unsent ones included
  std::size_t kept_bytes = 0;    ///< of these, estimated
};

/// What becomes of a session that a stream leaves.
enum class Parting : std::uint8_t {
  kMayResume,  ///< what is pending is still checked, and another stream may take over
  kForGood,    ///< nobody can ever resume it: it ends without being reported
};

/// Its parts do the work: SessionControl has the lock, the state and the frames that wait; Delivery
/// the reports and the stream; StepPipeline the steps; MeetingParticipant and BatchParticipant what
/// others check for it; SessionEnding its end. This class puts them together.
///
/// Thread-safe. Steps run one at a time and in order: StepScheduler::schedule() is only called
/// while none is scheduled or running. Nothing that takes long, and no call to others, is done
/// under the lock.
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
  [[nodiscard]] SessionCounts counts() const;

  // For streams.
  /// Attaches a stream, after `received` reports that its client has; a stream that was attached
  /// before is refused (kTakenOver), soon. Errors: kOutOfRange: these reports are not kept any more
  /// (or not there yet); kNotFound: the session is over.
  std::optional<Problem> attach(std::shared_ptr<Outlet> outlet, std::uint64_t received,
                                TrackOpened& opened);
  /// The stream is gone, however it ended; nothing if another was attached since.
  void detach(const Outlet* outlet, Parting parting = Parting::kMayResume);
  /// A frame of the attached stream. Errors end the stream; the session is as it was before the
  /// frame, but for counts. While the session closes frames are not looked at, as if they had not
  /// arrived any more: the stream will be told.
  std::optional<Problem> offer(const Outlet* outlet, TrackFrame frame, Time received);
  /// The client has closed its side: what is pending is still checked. Final: a stream that resumes
  /// the session later gets what is left, and no frames are taken.
  void finish(const Outlet* outlet);
  /// The next reports for the attached stream, up to `most` (and about 256 KiB, so that they fit
  /// into a message); they count as sent. Empty: none for now.
  std::vector<TrackReport> pull(const Outlet* outlet, std::size_t most);
  /// Once everything is reported and pulled after finish(): the end, once. The session is over
  /// then.
  std::optional<TrackEnded> ended(const Outlet* outlet);

  // For workers, and for the device's line.
  /// Checks one step, or finishes the record. `batch`: how many were handed out together.
  void run_step(std::uint32_t batch);
  /// Of the run that is scheduled. Its seconds are a maximum over those before, outlets' work
  /// included, that fades slowly; of a batch, the step's share. They are infinite before a large
  /// avatar's first step, and if the record will be finished, which nothing else does on a worker.
  /// To be asked before the run.
  [[nodiscard]] RunForecast forecast() const { return control_.forecast(); }
  /// Null: the CPU checks all of its steps.
  [[nodiscard]] BatchParticipant* batch() const { return batch_.get(); }

  // For the service.
  /// Gives the step that is being checked up if it has taken too long.
  void watch(Time now) { pipeline_.checker().watch(now); }
  /// No more frames are looked at; what waits is still checked.
  void drain();
  /// If it has had no stream for its time to live, and nothing runs: ends it for good and returns
  /// true. A record is finished by a worker, soon; until then it is not over.
  bool expire(Time now);
  /// No more steps: the attached stream is refused (kClosing). A record is finished by a worker,
  /// soon.
  void close();
  /// After close(), and when no worker will call run_step() again: finishes the record if nobody
  /// has.
  void settle();

 private:
  using Lock = SessionControl::Lock;

  Session(SessionParts parts, SessionSetup setup, MeetingSeat seat,
          std::unique_ptr<Recorder> recorder, std::optional<Member> lent);

  void fill(TrackOpened& opened) const;
  /// Under the lock, which is open while the step is checked.
  void check_next(Lock& lock, std::uint32_t batch);
  /// Under the lock.
  void take_outcome(StepOutcome outcome);

  const std::string id_;
  const std::shared_ptr<const Room> room_;
  const std::shared_ptr<Principal> principal_;
  const std::shared_ptr<StepScheduler> scheduler_;
  const std::chrono::duration<double> ttl_;
  const std::vector<std::string> warnings_;
  const Avatar avatar_;
  const std::string cpu_;  ///< that checks where no device does
  SessionControl control_;
  StepPipeline pipeline_;
  const std::unique_ptr<MeetingParticipant> meets_;  ///< null: it meets nobody
  const std::unique_ptr<BatchParticipant> batch_;
  SessionEnding ending_;
};

}  // namespace tocsin::service
