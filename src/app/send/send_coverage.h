// Checks that reports have no gap: each begins where the one before ended.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tocsin/track.h"

namespace tocsin::app {

/// Follows the reports of one session, also across streams. Not thread-safe.
class SendCoverage {
 public:
  /// True: a new report. False: a report that was sent again. Counts gaps; first_gap() describes
  /// the first one.
  bool take(const TrackReport& report);
  /// The session's end. `steps`: that the server counted.
  void end(std::uint64_t steps);

  /// The step of the next report, which is also how many there were.
  [[nodiscard]] std::uint64_t next_step() const { return next_; }
  [[nodiscard]] std::uint64_t gaps() const { return gaps_; }
  [[nodiscard]] const std::string& first_gap() const { return first_gap_; }
  [[nodiscard]] std::uint64_t sent_again() const { return again_; }
  [[nodiscard]] std::uint64_t skipped_frames() const { return skipped_; }

 private:
  void found(std::string gap);
  /// How many ids the ranges hold. A gap, and 0: they do not lie in order inside of the step.
  std::uint64_t count(const TrackReport& report, const std::vector<IdRange>& ranges,
                      std::string_view verb);

  std::uint64_t next_ = 0;
  std::optional<FrameStamp> last_;
  std::uint64_t gaps_ = 0;
  std::uint64_t again_ = 0;
  std::uint64_t skipped_ = 0;
  std::string first_gap_;
};

}  // namespace tocsin::app
