#include "wire/crowds.h"

#include <fmt/format.h>

#include <cmath>

#include "wire/limits.h"

namespace tocsin::wire {
namespace {

/// Bytes of a row of FreeSteps, at most.
constexpr std::size_t kRowBytes = 48;

void add_free(std::uint32_t slot, const TrackReport& report, v1::FreeSteps& out) {
  out.add_slots(slot);
  out.add_steps(static_cast<std::uint64_t>(report.result.step));
  out.add_to_ids(report.to.id);
  out.add_to_times(report.to.capture_time);
  out.add_waited(static_cast<float>(report.timing.waited));
  out.add_checked(static_cast<float>(report.timing.checked));
  out.add_total(static_cast<float>(report.timing.total));
}

}  // namespace

void SlotTold::tell(const TrackReport& report) {
  begun = true;
  to = report.to;
  stale = report.stale_frames;
  duplicate = report.duplicate_frames;
  bad = report.bad_frames;
}

bool is_free(const TrackReport& report, const SlotTold& told) {
  const StepReport& result = report.result;
  return told.begun && told.to == report.from && result.complete && result.contacts.empty() &&
         result.safe_until >= 1.0 && result.clearances.empty() && report.distances.empty() &&
         report.more_distances == 0 && !report.ahead && report.held.empty() &&
         report.skipped.empty() && report.bad.empty() && report.stop_pose.empty() && !report.tick &&
         !report.room && report.fallback.empty() && report.first_bad_frame.empty() &&
         !report.unrecorded && report.record_ended.empty() && report.timing.parts <= 1 &&
         report.stale_frames == told.stale && report.duplicate_frames == told.duplicate &&
         report.bad_frames == told.bad;
}

std::size_t add_report(std::uint32_t slot, const TrackReport& report, const PoseCodec& poses,
                       SlotTold& told, v1::TrackManyResponse& out) {
  const bool free = is_free(report, told);
  told.tell(report);
  if (free) {
    add_free(slot, report, *out.mutable_free());
    return kRowBytes;
  }
  v1::SlotReport& made = *out.add_reports();
  made.set_slot(slot);
  to_wire(report, poses, *made.mutable_report());
  return made.report().ByteSizeLong();
}

bool is_even(const v1::FreeSteps& free) {
  const int rows = free.slots_size();
  return free.steps_size() == rows && free.to_ids_size() == rows && free.to_times_size() == rows &&
         free.waited_size() == rows && free.checked_size() == rows && free.total_size() == rows;
}

Result<TrackReport> free_report(const v1::FreeSteps& free, int row, SlotTold& told) {
  const std::uint64_t step = free.steps(row);
  if (!told.begun || step >= kIdLimit || free.to_ids(row) >= kIdLimit ||
      !std::isfinite(free.to_times(row))) {
    return {ErrorCode::kInput,
            fmt::format("slot {}: free step {} to frame {} at {} s", free.slots(row), step,
                        free.to_ids(row), free.to_times(row))};
  }
  TrackReport out;
  out.from = told.to;
  out.to = {free.to_ids(row), free.to_times(row)};
  out.result.step = static_cast<std::int64_t>(step);
  out.result.frames = {out.result.step, out.result.step + 1};
  out.result.safe_until = 1.0;
  out.safe_until_time = out.to.capture_time;
  out.stale_frames = told.stale;
  out.duplicate_frames = told.duplicate;
  out.bad_frames = told.bad;
  out.timing = {static_cast<double>(free.waited(row)), static_cast<double>(free.checked(row)),
                static_cast<double>(free.total(row)), 1, 1};
  told.to = out.to;
  return out;
}

}  // namespace tocsin::wire
