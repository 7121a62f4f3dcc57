// The reports of one session: those that wait for its stream, and those that are kept in case the
// stream breaks.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <vector>

#include "service/meeting/member_card.h"
#include "tocsin/track.h"

namespace tocsin::service {

/// Reports count from 0; kept are those from first() to next() - 1, and sent() is the next to be
/// sent. Not thread-safe. Names of contacts are left out here; the cards of whom they are with are
/// kept, and counted once however many reports have them.
///
/// Bounded: what was sent is dropped, oldest first, while there are more than `most_reports` or
/// `most_bytes` (estimated), but for the last report; what was not sent never is. Whoever pushes
/// only while room() holds keeps at most max(most_reports, most_unsent) reports, and `most_bytes`
/// and one report more.
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
  /// `received`: when the frame came that the report is about. `met`: whom its contacts are with.
  void push(TrackReport report, Time received, MemberCards met = {});

  /// The next reports, up to `most` and `most_bytes` (estimated, with the longest names that their
  /// contacts can get; one report at least, if there is one), with their total times; they are sent
  /// now. `met`, if given: whom each met.
  [[nodiscard]] std::vector<TrackReport> pull(std::size_t most, std::size_t most_bytes, Time now,
                                              std::vector<MemberCards>* met = nullptr);

  /// Goes back, or on, to report `step`. False, and nothing is done, if that is not kept or not
  /// there yet.
  bool rewind(std::uint64_t step);

  [[nodiscard]] std::uint64_t first() const { return next_ - kept_.size(); }
  [[nodiscard]] std::uint64_t sent() const { return sent_; }
  [[nodiscard]] std::uint64_t next() const { return next_; }
  [[nodiscard]] std::size_t size() const { return kept_.size(); }
  [[nodiscard]] std::size_t bytes() const { return bytes_ + card_bytes_; }

 private:
  struct Kept {
    TrackReport report;
    MemberCards met;
    Time received;
    std::size_t bytes = 0;
  };
  void keep_cards(const MemberCards& met);
  void drop_cards(const MemberCards& met);
  void trim();

  std::size_t most_reports_;
  std::size_t most_bytes_;
  std::size_t most_unsent_;
  std::deque<Kept> kept_;
  std::map<const MemberCard*, std::size_t> cards_;  ///< how many reports have each
  std::size_t card_bytes_ = 0;
  std::size_t bytes_ = 0;  ///< without the cards
  std::size_t unsent_bytes_ = 0;
  std::uint64_t sent_ = 0;
  std::uint64_t next_ = 0;
};

}  // namespace tocsin::service
