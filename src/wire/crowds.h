// Reports of many sessions in one message. This code runs for every step.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "tocsin/result.h"
#include "tocsin/track.h"
#include "tocsin/v1/collision.pb.h"
#include "wire/reports.h"

namespace tocsin::wire {

/// What the last report of a slot said, on this stream: a free step after it says the same. One for
/// the server, one for the client.
struct SlotTold {
  bool begun = false;  ///< there was a report
  FrameStamp to;       ///< of the last step
  std::uint64_t stale = 0;
  std::uint64_t duplicate = 0;
  std::uint64_t bad = 0;

  void tell(const TrackReport& report);
};

/// True if a row of FreeSteps says all that the report says (but for Timing.batch).
bool is_free(const TrackReport& report, const SlotTold& told);

/// Adds the next report of a slot: to the free steps, if it is free, or as it is.
/// @return bytes that it takes, estimated.
std::size_t add_report(std::uint32_t slot, const TrackReport& report, const PoseCodec& poses,
                       SlotTold& told, v1::TrackManyResponse& out);

/// True if all columns have a value for each row.
bool is_even(const v1::FreeSteps& free);

/// The report that a row stands for. Errors (kInput): values that no server sends; the slot's first
/// step, which is never left out.
Result<TrackReport> free_report(const v1::FreeSteps& free, int row, SlotTold& told);

}  // namespace tocsin::wire
