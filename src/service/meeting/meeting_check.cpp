#include "service/meeting/meeting_check.h"

#include <algorithm>
#include <utility>

#include "service/rooms/room.h"

namespace tocsin::service {
namespace {

using Clock = std::chrono::steady_clock;

/// A check in which no member was too costly may take so many times as long as the longest of late.
constexpr double kAllowance = 2.0;

/// A detector of an empty room. The sessions check the room themselves: here only the members
/// count.
Result<Detector> empty_room(DetectorOptions options) {
  options.tree_cache.clear();  // there is no tree worth keeping
  return Detector::make(Environment(), options);
}

std::optional<Detector> empty_room_on(const std::shared_ptr<RoomDevice>& device) {
  if (!device || !device->works()) return std::nullopt;
  // What was measured in a room tells nothing of pairs of links.
  if (device->options().backend == Backend::kAuto) return std::nullopt;
  auto out = empty_room(device->options());
  if (!out) return std::nullopt;
  return std::move(out).value();
}

bool all_checked(std::span<const StepReport> reports) {
  return std::none_of(reports.begin(), reports.end(),
                      [](const StepReport& report) { return report.error.has_value(); });
}

}  // namespace

bool was_given_up(std::span<const StepReport> reports) {
  return std::any_of(reports.begin(), reports.end(), [](const StepReport& report) {
    return report.error && report.error->code == ErrorCode::kCancelled;
  });
}

MeetingCheck::MeetingCheck(const Room& room, const MeetingLimits& limits)
    : limits_(limits),
      detector_(empty_room(room.detector.options()).value()),
      room_device_(room.device),
      device_(empty_room_on(room_device_)),
      allowed_(limits.check_seconds) {}

std::vector<StepReport> MeetingCheck::ask(const Detector& detector, std::span<const Member> members,
                                          std::span<const Step> steps, double allowed) {
  const Time start = Clock::now();
  RunOptions options{.meet = true, .threads = 1};
  {
    const std::lock_guard lock(mutex_);
    give_up_ = std::stop_source();
    until_ =
        start + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(allowed));
    options.stop = give_up_.get_token();
    if (stopped_ || !(allowed > 0.0)) give_up_.request_stop();
  }
  std::vector<StepReport> reports = detector.check_batch(members, steps, options);
  const std::lock_guard lock(mutex_);
  until_.reset();
  return reports;
}

/// What a device cannot do makes no member too costly. The other detector is asked then, with its
/// own time.
std::vector<StepReport> MeetingCheck::ask_device(std::span<const Member> members,
                                                 std::span<const Step> steps, double allowed) {
  if (!device_ || !room_device_->works()) return {};
  if (rest_ticks_ > 0) {
    --rest_ticks_;
    return {};
  }
  std::vector<StepReport> reports = ask(*device_, members, steps, allowed);
  room_device_->update(*device_);
  if (all_checked(reports)) return reports;
  rest_ticks_ = limits_.rest_ticks;
  return {};
}

std::vector<StepReport> MeetingCheck::check(std::span<const Member> members,
                                            std::span<const Step> steps, double allowed) {
  if (auto found = ask_device(members, steps, allowed); !found.empty()) return found;
  const Time start = Clock::now();
  std::vector<StepReport> reports = ask(detector_, members, steps, allowed);
  const double taken = std::chrono::duration<double>(Clock::now() - start).count();
  if (allowed > allowed_ && !was_given_up(reports)) {
    allowed_ = std::clamp(kAllowance * taken, limits_.check_seconds,
                          std::max(limits_.check_seconds, limits_.most_check_seconds));
  }
  return reports;
}

void MeetingCheck::watch(Time now) {
  const std::lock_guard lock(mutex_);
  if (until_ && now > *until_) give_up_.request_stop();
}

void MeetingCheck::stop() {
  const std::lock_guard lock(mutex_);
  stopped_ = true;
  give_up_.request_stop();
}

bool MeetingCheck::stopped() const {
  const std::lock_guard lock(mutex_);
  return stopped_;
}

}  // namespace tocsin::service
