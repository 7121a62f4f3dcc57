// Counters of the service, for `/metrics`. docs/reference/monitoring.md
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "service/metrics/count.h"
#include "service/metrics/live_metrics.h"
#include "service/session/frame_queue.h"
#include "tocsin/track.h"

namespace tocsin::service {

/// What a histogram has counted: `counts[i]` values above bound i - 1, and at most bound i; the
/// last ones are above all bounds.
template <std::size_t kBounds>
struct HistogramValues {
  std::array<std::uint64_t, kBounds + 1> counts{};
  std::uint64_t sum = 0;  ///< of all values
};

/// Counts whole numbers by size. Thread-safe.
template <std::size_t kBounds>
class Histogram {
 public:
  /// `bounds`: ascending; lives longer.
  explicit Histogram(const std::array<std::uint64_t, kBounds>& bounds) : bounds_(bounds) {}

  void add(std::uint64_t value) {
    std::size_t i = 0;
    while (i < kBounds && value > bounds_[i]) ++i;
    counts_[i].add();
    sum_.add(value);
  }
  [[nodiscard]] HistogramValues<kBounds> values() const {
    HistogramValues<kBounds> out;
    for (std::size_t i = 0; i <= kBounds; ++i) out.counts[i] = counts_[i].value();
    out.sum = sum_.value();
    return out;
  }
  [[nodiscard]] const std::array<std::uint64_t, kBounds>& bounds() const { return bounds_; }

 private:
  const std::array<std::uint64_t, kBounds>& bounds_;
  std::array<Count, kBounds + 1> counts_;
  Count sum_;
};

/// Nanoseconds: 10 us to 1 s, three a decade. A step takes some 10 us, a frame at 90 Hz 11 ms.
inline constexpr std::array<std::uint64_t, 16> kTimeBounds{
    10'000,      25'000,      50'000,      100'000,      250'000,    500'000,
    1'000'000,   2'500'000,   5'000'000,   10'000'000,   25'000'000, 50'000'000,
    100'000'000, 250'000'000, 500'000'000, 1'000'000'000};
/// Steps. The default of --batch-size is 256.
inline constexpr std::array<std::uint64_t, 11> kBatchBounds{1,  2,   4,   8,   16,  32,
                                                            64, 128, 256, 512, 1024};
using TimeHistogram = Histogram<kTimeBounds.size()>;
using BatchHistogram = Histogram<kBatchBounds.size()>;

/// Why a call was refused, or its stream ended, by the server. As gRPC's statuses.
enum class RefusalCause : std::uint8_t {
  kAuthentication,
  kInvalid,
  kLimit,
  kForbidden,
  kNotFound,
  kOutOfRange,
  kTakenOver,
  kClosing,
  kDeadline,
  kFailed,
};
inline constexpr std::size_t kRefusalCauses = 10;

/// Why a client was not authenticated.
enum class AuthenticationFault : std::uint8_t {
  kNoToken,
  kWrongToken,
  kSeveralTokens,
  kCertificate,  ///< it names nobody
};
inline constexpr std::size_t kAuthenticationFaults = 4;

/// What a service has done since its start. Shared by the engine, its sessions and its calls.
/// Thread-safe.
struct Metrics {
  // Frames, by fate. What was received is in one of these, or pending, or was ended with its
  // session.
  Count covered_frames;
  Count skipped_frames;
  Count stale_frames;
  Count duplicate_frames;
  Count bad_frames;
  Count refused_frames;
  Count ignored_frames;  ///< came while the service closed
  // Steps. Each has a report.
  Count steps;
  Count contacts;
  TimeHistogram waited{kTimeBounds};   ///< from the frame's arrival to the step's beginning
  TimeHistogram checked{kTimeBounds};  ///< the step, with its record; on a device its whole batch
  TimeHistogram total{kTimeBounds};  ///< from the frame's arrival until the stream takes the report
  BatchHistogram batches{kBatchBounds};  ///< steps, and ends of sessions, handed out together
  Count unrecorded_steps;                ///< of sessions whose record has ended
  Count ended_records;                   ///< that could not be written any more
  Count parted_steps;                    ///< that took more than one budget
  Count partial_reports;                 ///< what was proved of them at the end of each budget
  // Sessions.
  Count opened;
  Count resumed;
  Count expired;
  Count taken_over;  ///< from records that another server left
  // Rooms.
  Count room_changes;  ///< that took effect
  Count room_edits;    ///< in them
  // Motion capture.
  std::array<LiveMetrics, kLiveProtocols> live;  ///< by LiveProtocol
  // Calls.
  std::array<Count, kRefusalCauses> refusals;  ///< by RefusalCause
  std::array<Count, kAuthenticationFaults> authentication_faults;

  void add_refusal(RefusalCause cause) { refusals[static_cast<std::size_t>(cause)].add(); }
  void add_fault(AuthenticationFault fault) {
    authentication_faults[static_cast<std::size_t>(fault)].add();
  }
  /// Adds a step that has a report.
  void add_step(const TrackTiming& timing, std::size_t found);
  /// Adds what a queue has counted since `before`.
  void add_frames(const FrameCounts& before, const FrameCounts& now);
};

/// Nanoseconds, at least 0, for a histogram.
std::uint64_t nanoseconds_of(double microseconds);

}  // namespace tocsin::service
