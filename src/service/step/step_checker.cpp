#include "service/step/step_checker.h"

#include <fmt/format.h>

#include <utility>

namespace tocsin::service {

StepChecker::StepChecker(Stream stream, std::chrono::duration<double> most,
                         std::shared_ptr<const RoomDevice> device)
    : most_(most), device_(std::move(device)), stream_(std::move(stream)) {}

Result<StepReport> StepChecker::answer_to(const Step& step, double& device_seconds) {
  if (!answer_ || !answer_->report) return check(step);
  device_seconds = answer_->seconds;
  StepReport out = std::move(*answer_->report);
  answer_.reset();
  return out;
}

Result<StepReport> StepChecker::check(const Step& step) {
  since_ = std::chrono::steady_clock::now();
  StepReport result = stream_.check(step, give_up_.get_token());
  since_ = Time();
  if (result.error) return *result.error;
  return result;
}

Problem StepChecker::problem_of(const Error& error) const {
  if (error.code != ErrorCode::kCancelled) return {Refusal::kFailed, error.message};
  return {Refusal::kOverloaded,
          fmt::format("a step took more than {} s: the avatar has too many or too thick links for "
                      "this room, or moves too far at once",
                      most_.count())};
}

void StepChecker::add_fallback(TrackReport& report) {
  if (!device_ || fallback_sent_ || device_->works()) return;
  report.fallback = device_->fallback();
  fallback_sent_ = true;
}

void StepChecker::watch(Time now) {
  const Time since = since_;
  if (since != Time() && now - since > most_) give_up_.request_stop();
}

}  // namespace tocsin::service
