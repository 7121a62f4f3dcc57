// The reports of one session, and the stream that they go to.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "service/meeting/member_card.h"
#include "service/session/problem.h"
#include "service/session/report_ring.h"
#include "service/session/session_limits.h"
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

/// At most one stream is attached; a stream that another took over from is told so, and nothing
/// after that. A stream is told its end once. Calls to outlets come one at a time, in no lock.
///
/// Not thread-safe: SessionControl's lock guards all of it. tell() alone opens that lock, while it
/// calls an outlet.
class Delivery {
 public:
  using Time = std::chrono::steady_clock::time_point;
  using Lock = std::unique_lock<std::mutex>;

  explicit Delivery(const SessionLimits& limits);

  // The stream.
  /// Attaches `outlet`, which goes on after `received` reports; a stream that was attached before
  /// will be told. `outlet` is then what the caller should destroy without the lock. Errors
  /// (kOutOfRange), which change nothing: these reports are not kept any more, or not there yet.
  /// Throws std::bad_alloc, and nothing has happened.
  std::optional<Problem> attach(std::shared_ptr<Outlet>& outlet, std::uint64_t received);
  /// What was attached, to be destroyed without the lock.
  std::shared_ptr<Outlet> detach(Time now);
  [[nodiscard]] bool attached() const { return stream_ != Stream::kNone; }
  [[nodiscard]] bool attached(const Outlet* outlet) const {
    return outlet != nullptr && outlet_.get() == outlet;
  }
  /// True if a stream is attached that was not told its end.
  [[nodiscard]] bool listens() const { return stream_ == Stream::kListens; }
  /// When there was a stream last.
  [[nodiscard]] Time detached_at() const { return detached_at_; }

  // Reports.
  /// `received`: when the frame came. `met`: whom its contacts are with. Throws std::bad_alloc.
  void push(TrackReport report, Time received, MemberCards met);
  /// The next reports, up to `most` and about 256 KiB, and whom each met.
  std::vector<TrackReport> pull(std::size_t most, std::vector<MemberCards>& met);
  [[nodiscard]] const ReportRing& reports() const { return ring_; }
  [[nodiscard]] bool all_pulled() const { return ring_.sent() == ring_.next(); }
  [[nodiscard]] std::uint64_t contacts() const { return contacts_; }

  // What the stream is told.
  /// There is something to pull, or the end.
  void announce() { ready_due_ = true; }
  /// The stream that listens must end so.
  void end(Problem problem);
  /// The stream was told the end of its session by other means.
  void end_is_told();
  /// True if tell() has something to do.
  [[nodiscard]] bool has_news() const {
    return !telling_ && (!taken_over_.empty() || end_ || ready_due_);
  }
  void tell(Lock& lock);

 private:
  enum class Stream : std::uint8_t { kNone, kListens, kToldItsEnd };

  ReportRing ring_;
  std::uint64_t contacts_ = 0;
  Stream stream_ = Stream::kNone;
  std::shared_ptr<Outlet> outlet_;  ///< null: kNone
  Time detached_at_;
  bool telling_ = false;        ///< somebody is in tell(), and goes on until nothing is left
  bool ready_due_ = false;      ///< the stream must be told that there is something for it
  std::optional<Problem> end_;  ///< that the stream must be told
  std::vector<std::shared_ptr<Outlet>> taken_over_;
};

}  // namespace tocsin::service
