// The reports of one session: unsent ones, and sent ones that are kept in case the stream breaks.
#pragma once

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "service/meeting/member_card.h"
#include "service/schedule/prefetch.h"
#include "service/schedule/ring.h"
#include "tocsin/track.h"

namespace tocsin::service {

/// Of memory, about, without names.
std::size_t bytes_of(const TrackReport& report);

/// Reports are numbered from 0. Kept are those from first() to next() - 1; sent() is the next to be
/// sent. Reports have no names of contacts here. They have the cards of the avatars in their
/// contacts; the bytes of a card count once, however many reports have it. Not thread-safe.
///
/// Bounded: while there are more than `most_reports` or `most_bytes` (estimated), the oldest sent
/// report is dropped, but never the last report, and never an unsent one. If push() is only called
/// while room() is true, there are at most max(most_reports, most_unsent) reports, of at most
/// `most_bytes` and one report more.
class ReportRing {
 public:
  using Time = std::chrono::steady_clock::time_point;

  ReportRing(std::size_t most_reports, std::size_t most_bytes, std::size_t most_unsent)
      : most_reports_(most_reports), most_bytes_(most_bytes), most_unsent_(most_unsent) {}

  /// True if another report may be pushed.
  [[nodiscard]] bool room() const {
    if (sent_ == next_) return most_unsent_ > 0;
    return next_ - sent_ < most_unsent_ && unsent_bytes_ + card_bytes_ < most_bytes_;
  }
  /// True if all reports here take less than `most_bytes`.
  [[nodiscard]] bool fits() const { return bytes() < most_bytes_; }
  /// The first report has this number. Call before push().
  void begin_at(std::uint64_t step) { sent_ = next_ = released_ = step; }
  /// Reports from now on are only pulled once they are released.
  void hold() { holds_ = true; }
  /// Releases the reports before this one.
  void release(std::uint64_t step) { released_ = std::max(released_, std::min(step, next_)); }
  /// Releases all, and says in those that were held that they are not recorded, in the first one
  /// why. @return how many those are
  std::uint64_t release_unrecorded(const std::string& why);
  [[nodiscard]] bool has_released() const { return sent_ < released(); }
  /// The pose at which the sent reports end; none: nothing was covered, or it is not kept.
  [[nodiscard]] std::optional<FrameStamp> sent_to() const;
  /// `received`: when the report's frame was received. `others`: the cards of the avatars
  /// in its contacts.
  void push(TrackReport&& report, Time received, MemberCards others = {});

  /// Asks for the memory of the next report (prefetch.h).
  void prefetch_next() const;

  /// The next reports, with their total times. They count as sent. There are up to `most`, and up
  /// to `most_bytes`, estimated with the longest names of contacts; but one at least, if there is
  /// one. `others`, if given: the cards for each report.
  [[nodiscard]] std::vector<TrackReport> pull(std::size_t most, std::size_t most_bytes, Time now,
                                              std::vector<MemberCards>* others = nullptr) {
    std::vector<TrackReport> out;
    pull(most, most_bytes, now, out, others);
    return out;
  }
  /// The same, in the place of what `out` and `others` have: their memory is used again. `others`
  /// stays empty if no report has cards.
  void pull(std::size_t most, std::size_t most_bytes, Time now, std::vector<TrackReport>& out,
            std::vector<MemberCards>* others);

  /// Makes report `step` the next to be sent. False, and nothing changes, if it is not kept any
  /// more or not there yet.
  bool rewind(std::uint64_t step);

  [[nodiscard]] std::uint64_t first() const { return next_ - kept_.size(); }
  [[nodiscard]] std::uint64_t sent() const { return sent_; }
  [[nodiscard]] std::uint64_t next() const { return next_; }
  [[nodiscard]] std::size_t size() const { return kept_.size(); }
  [[nodiscard]] std::size_t bytes() const { return bytes_ + card_bytes_; }

 private:
  /// The counts of a free step's report. One that does not fit is kept whole.
  struct Small {
    static constexpr std::size_t kCounts = 15;
    std::array<std::uint32_t, kCounts> counts = {};

    /// False: a count does not fit.
    bool set(const TrackReport& report);
    void put(TrackReport& out) const;
  };
  struct Whole {
    TrackReport report;
    MemberCards others;
    std::size_t bytes = 0;
  };
  /// Most reports are of free steps. All that one of these says takes two cache lines: a session's
  /// are out of the caches when its next report comes, and a crowd has many sessions.
  struct alignas(kCacheLine) Kept {
    std::unique_ptr<Whole> whole;  ///< null: it is what follows
    Time received;
    FrameStamp stamp_from;
    FrameStamp stamp_to;
    double waited = 0.0;
    double checked = 0.0;
    Small small;

    [[nodiscard]] const FrameStamp& from() const { return whole ? whole->report.from : stamp_from; }
    [[nodiscard]] const FrameStamp& to() const { return whole ? whole->report.to : stamp_to; }
    [[nodiscard]] std::size_t bytes() const { return whole ? whole->bytes : sizeof(Kept); }
  };
  static_assert(sizeof(Kept) == 2 * kCacheLine);
  static bool is_free(const TrackReport& report);
  static bool set_row(const TrackReport& report, Kept& out);
  static void put_row(const Kept& row, TrackReport& out);
  void keep_cards(const MemberCards& others);
  void drop_cards(const MemberCards& others);
  /// True if the oldest is sent, and there would be too much with `more` reports.
  [[nodiscard]] bool is_over(std::size_t more) const;
  void drop_oldest();
  void trim();
  [[nodiscard]] std::uint64_t released() const { return holds_ ? released_ : next_; }

  bool holds_ = false;
  std::uint64_t released_ = 0;  ///< while it holds: the first report that may not be sent yet
  std::size_t most_reports_;
  std::size_t most_bytes_;
  std::size_t most_unsent_;
  Ring<Kept> kept_;
  std::map<const MemberCard*, std::size_t> cards_;  ///< how many reports have each
  std::size_t card_bytes_ = 0;
  std::size_t bytes_ = 0;  ///< without the cards
  std::size_t unsent_bytes_ = 0;
  std::uint64_t sent_ = 0;
  std::uint64_t next_ = 0;
};

}  // namespace tocsin::service
