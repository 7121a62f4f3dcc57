// The reports of one session, and the stream that they go to.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "service/meeting/member_card.h"
#include "service/session/problem.h"
#include "service/session/report_ring.h"
#include "service/session/session_limits.h"
#include "tocsin/track.h"

namespace tocsin::service {

/// The receiver of a session's reports while its stream is attached. Its functions must not block
/// or throw.
///
/// Calls come one at a time, and without a lock of the session. They come from workers, from
/// threads that check where they read, and from callers of Session::close() and expire(), never
/// from other functions of the session. So an outlet may hold its own lock while it calls those. An
/// outlet may call every function of the session from inside of a call.
///
/// ready() may come before attach() has returned. No call begins after detach(), after refuse(), or
/// after another stream was attached. A call that had begun may still run then. The session keeps
/// the outlet alive for that long.
class Outlet {
 public:
  virtual ~Outlet() = default;
  /// Session::pull() or ended() has something new. Several events may share one call. There is no
  /// call for what was there before attach(): call pull() once after attach().
  virtual void ready() = 0;
  /// The stream must end with this problem. Reports can still be pulled first, but for kTakenOver.
  virtual void refuse(const Problem& problem) = 0;
  /// The client's address, for people; empty: not known. Any thread may call it.
  [[nodiscard]] virtual std::string peer() const { return {}; }
};

/// At most one stream is attached. If another stream takes over, the earlier one gets kTakenOver as
/// its last call. A stream gets its end once. Calls to outlets come one at a time, without a lock.
///
/// Not thread-safe: the lock of SessionControl guards all of it. Only tell() releases that lock,
/// while it calls an outlet.
class Delivery {
 public:
  using Time = std::chrono::steady_clock::time_point;
  using Lock = std::unique_lock<std::mutex>;

  explicit Delivery(const SessionLimits& limits);

  // The stream.
  /// Attaches `outlet`. It gets the reports after the first `received`. On return, `outlet` is an
  /// object for the caller to destroy without the lock. Errors (kOutOfRange): the next report is
  /// not kept any more, or is not there yet. After an error, or std::bad_alloc, nothing has
  /// changed.
  std::optional<Problem> attach(std::shared_ptr<Outlet>& outlet, std::uint64_t received);
  /// Returns the outlet, for the caller to destroy without the lock.
  std::shared_ptr<Outlet> detach(Time now);
  [[nodiscard]] bool attached() const { return stream_ != Stream::kNone; }
  [[nodiscard]] bool attached(const Outlet* outlet) const {
    return outlet != nullptr && outlet_.get() == outlet;
  }
  /// Of the attached stream; empty: there is none.
  [[nodiscard]] std::string peer() const { return outlet_ ? outlet_->peer() : std::string(); }
  /// True if a stream is attached and has not got its end.
  [[nodiscard]] bool listens() const { return stream_ == Stream::kListens; }
  /// The last time at which a stream was attached.
  [[nodiscard]] Time detached_at() const { return detached_at_; }

  // Reports.
  /// The first report is that of step `step`; those before had so many contacts. Call before there
  /// is one.
  void begin_at(std::uint64_t step, std::uint64_t contacts) {
    ring_.begin_at(step);
    contacts_ = contacts;
  }
  /// `received`: when the frame came. `others`: the cards of the avatars in its contacts. Throws
  /// std::bad_alloc.
  void push(TrackReport&& report, Time received, MemberCards others);
  /// The next reports, up to `most` and about 256 KiB, and for each the cards of the avatars in its
  /// contacts; no list of cards if no report has any. They take the place of what is there.
  void pull(std::size_t most, std::vector<TrackReport>& out, std::vector<MemberCards>& others);
  std::vector<TrackReport> pull(std::size_t most, std::vector<MemberCards>& others) {
    std::vector<TrackReport> out;
    pull(most, out, others);
    return out;
  }
  /// What is proved so far of the step of the next report. It takes the place of what was known
  /// before, and is dropped with that report, or without a stream.
  void set_partial(TrackReport report, MemberCards others);
  /// It, once; after all reports before it.
  std::optional<TrackReport> pull_partial(MemberCards& others);
  [[nodiscard]] const ReportRing& reports() const { return ring_; }
  /// Reports wait from now on until they are released.
  void hold() { ring_.hold(); }
  void release(std::uint64_t step);
  /// ReportRing::release_unrecorded()
  std::uint64_t release_unrecorded(const std::string& why);
  [[nodiscard]] bool all_pulled() const { return ring_.sent() == ring_.next(); }
  [[nodiscard]] std::uint64_t contacts() const { return contacts_; }

  // Notifications.
  /// There are reports to pull, or the end.
  void announce() { ready_due_ = true; }
  /// The stream must end with this problem, if it listens.
  void end(Problem problem);
  /// The stream has got the end of the session by other means.
  void end_was_sent();
  /// True if tell() has something to do.
  [[nodiscard]] bool has_news() const {
    return !telling_ && (!taken_over_.empty() || end_ || ready_due_);
  }
  void tell(Lock& lock);

 private:
  enum class Stream : std::uint8_t { kNone, kListens, kEndSent };

  ReportRing ring_;
  std::uint64_t contacts_ = 0;
  std::unique_ptr<TrackReport> partial_;  ///< null: none; large, and seldom there
  MemberCards partial_others_;
  Stream stream_ = Stream::kNone;
  std::shared_ptr<Outlet> outlet_;  ///< null: kNone
  Time detached_at_;
  bool telling_ = false;        ///< a thread is in tell(), and stays until nothing is left
  bool ready_due_ = false;      ///< Outlet::ready() must be called
  std::optional<Problem> end_;  ///< Outlet::refuse() must be called with this
  std::vector<std::shared_ptr<Outlet>> taken_over_;
};

}  // namespace tocsin::service
