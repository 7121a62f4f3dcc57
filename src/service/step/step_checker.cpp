#include "service/step/step_checker.h"

#include <fmt/format.h>

#include <algorithm>
#include <new>
#include <utility>

namespace tocsin::service {

namespace {

/// A call that lasts so many budgets, and so many seconds, does not come to the end of a unit of
/// work: such a step would keep a worker. On a busy machine a short budget may last a second.
constexpr double kFarTooLong = 8.0;
constexpr std::chrono::duration<double> kLeastTooLong(10.0);

}  // namespace

StepChecker::StepChecker(Stream stream, std::chrono::duration<double> most,
                         std::chrono::duration<double> brief,
                         std::shared_ptr<const RoomDevice> device,
                         std::unique_ptr<RoomFollower> follower, bool by_turns)
    : most_(most),
      brief_most_(brief),
      device_(std::move(device)),
      stream_(std::move(stream)),
      follower_(std::move(follower)),
      by_turns_(by_turns) {}

Status StepChecker::follow_room() {
  if (!follower_) return Nothing{};
  if (!by_turns_) {
    if (Status advanced = follower_->advance(); !advanced) return advanced;
  }
  auto stream = follower_->next_stream();
  if (!stream) return stream.error();
  if (*stream) stream_ = std::move(**stream);
  return Nothing{};
}

Result<StepReport> StepChecker::answer_to(const Step& step, Time now, double& device_seconds) {
  if (!answer_ || !answer_->report) return check(step, now);
  device_seconds = answer_->seconds;
  parts_ = 1;
  StepReport out = std::move(*answer_->report);
  answer_.reset();
  return out;
}

Result<StepReport> StepChecker::check(const Step& step, Time now) {
  const bool cuts_short = brief_ && most_ > brief_most_;
  const auto most = cuts_short ? brief_most_ : most_;
  const StepBudget budget{.until = now + std::chrono::duration_cast<Time::duration>(most),
                          .stop = give_up_.get_token()};
  const bool goes_on = stream_.has_rest();
  if (!goes_on) {
    parts_ = 1;
    if (Status followed = follow_room(); !followed) return followed.error();
  } else if (!put_off_) {
    ++parts_;
  }
  since_.store(now, std::memory_order_relaxed);
  StepReport result = goes_on ? stream_.go_on(budget) : stream_.check_within(step, budget);
  since_.store(Time(), std::memory_order_relaxed);
  put_off_ = cuts_short && !result.complete;
  if (result.error) return *result.error;
  if (follower_) follower_->describe(result);
  return result;
}

void StepChecker::leave(BatchedAnswer answer) {
  try {
    answer_ = std::make_unique<BatchedAnswer>(std::move(answer));
  } catch (const std::bad_alloc&) {
    answer_.reset();
  }
}

Problem StepChecker::problem_of(const Error& error) const {
  if (error.code != ErrorCode::kCancelled) return {Refusal::kFailed, error.message};
  return {Refusal::kOverloaded,
          fmt::format("a step took far more than {} s and could not be parted: the avatar has too "
                      "large links for this room",
                      most_.count())};
}

void StepChecker::add_fallback(TrackReport& report) {
  if (!device_ || fallback_sent_ || device_->works()) return;
  report.fallback = device_->fallback();
  fallback_sent_ = true;
}

void StepChecker::watch(Time now) {
  const Time since = since_.load(std::memory_order_relaxed);
  if (since != Time() && now - since > std::max(kFarTooLong * most_, kLeastTooLong)) {
    give_up_.request_stop();
  }
}

}  // namespace tocsin::service
