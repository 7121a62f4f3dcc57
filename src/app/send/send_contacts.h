// The contacts of one session: counted, hashed, and the lines that `tocsin check` would write.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/check/distance/clearances.h"
#include "app/send/send_foresight.h"
#include "app/send/send_schedule.h"
#include "io/report/episodes.h"
#include "io/report/report.h"
#include "tocsin/live_motion.h"
#include "tocsin/result.h"
#include "tocsin/track.h"

namespace tocsin::app {

/// A link and an object where they are nearest, of all steps' ends (TrackOptions::nearest).
struct SentDistance {
  std::int32_t link = 0;
  std::string object;
  double metres = 0.0;  ///< LinkDistance::distance
  std::int64_t frame = 0;
  double seconds = 0.0;
};

/// Takes a session's reports in order. Not thread-safe. The lines are those of the session's
/// record: covered frames count from 0. Of a session that meets others, times are the ticks', and
/// what it met is not in the lines.
class SendContacts {
 public:
  /// `frame_seconds`: the session's, if it has one. `lines`: make the report's lines, for their
  /// hash, episodes and clearances; else contacts are only counted and fingerprinted, which costs a
  /// tenth.
  SendContacts(std::optional<double> frame_seconds, bool lines);
  /// Before the first report: the session meets others, at so many ticks a second.
  void set_tick_rate(double rate);
  /// Before the first report: the lines are those of the take, whose frames keep their numbers and
  /// times. `take` is played once and outlives this.
  void set_take(const Playback& take) { take_ = &take; }
  /// Before the first report: TrackOptions::lookahead.
  void set_lookahead(double seconds) { lookahead_ = seconds; }

  /// Errors: frames that are not in order.
  Status take(const TrackReport& report);

  [[nodiscard]] const io::Tally& tally() const { return tally_; }
  /// Of these contacts, those with others of a meeting.
  [[nodiscard]] std::uint64_t met() const { return met_; }
  /// Equal for sessions that reported equal contacts in equal steps between equal frames.
  [[nodiscard]] std::uint64_t fingerprint() const { return fingerprint_.value(); }
  /// Of the lines, as the report's summary has it.
  [[nodiscard]] std::string hash() const { return hash_.hex(); }
  [[nodiscard]] std::size_t episodes() const { return episodes_.count(); }
  /// The first contact's names and capture times, for people; empty while there is none.
  [[nodiscard]] const std::string& first() const { return first_; }
  /// Of every pair that was near, the nearest first.
  [[nodiscard]] std::vector<SentDistance> distances() const;
  /// That reports left out.
  [[nodiscard]] std::uint64_t more_distances() const { return more_distances_; }
  /// Empty without a lookahead.
  [[nodiscard]] const SendForesight& foresight() const { return foresight_; }
  /// Of every link; empty if the session did not ask for them.
  [[nodiscard]] const std::vector<LeastClearance>& clearances() const { return clearances_; }

 private:
  void add_fingerprint(const TrackReport& report);
  void add_lines(const Step& step, const TrackReport& report);
  void add_distances(const Step& step, const TrackReport& report);
  Result<Step> next(const FrameStamp& stamp, const std::optional<std::uint64_t>& tick);
  Result<Step> step_of(const TrackReport& report);

  const Playback* take_ = nullptr;
  std::optional<double> frame_seconds_;
  bool lines_;
  Result<LiveMotion> clock_;  ///< one joint that does not move: the steps' numbers and times
  io::Tally tally_;
  std::uint64_t met_ = 0;
  io::Fnv1a64 fingerprint_;
  io::Fnv1a64 hash_;
  io::EpisodeTracker episodes_;
  std::string first_;
  std::vector<LeastClearance> clearances_;
  std::map<std::pair<std::int32_t, std::uint32_t>, SentDistance> distances_;  ///< link, object
  std::uint64_t more_distances_ = 0;
  double lookahead_ = 0.0;  ///< seconds; 0: not asked for
  SendForesight foresight_;
};

}  // namespace tocsin::app
