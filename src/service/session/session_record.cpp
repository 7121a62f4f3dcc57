#include "service/session/session_record.h"

#include <exception>
#include <filesystem>
#include <new>
#include <utility>

namespace tocsin::service {

SessionRecord::SessionRecord(std::unique_ptr<Recorder> recorder, bool required, Log log,
                             std::string lost)
    : recorder_(std::move(recorder)),
      required_(required),
      log_(std::move(log)),
      lost_(std::move(lost)) {}

std::optional<Problem> SessionRecord::give_up(Problem problem) {
  if (required_) return problem;
  lost_ = std::move(problem.message);
  return std::nullopt;
}

std::optional<Problem> SessionRecord::add(const TrackFrame& frame, double tick, const Step* step,
                                          const StepReport* result, const PassedOver& passed) {
  if (recorder_ && lost_.empty()) {
    Status status = recorder_->pose(frame, tick, passed);
    if (status && step != nullptr && result != nullptr) status = recorder_->step(*step, *result);
    if (!status) {
      if (auto problem = give_up(record_problem(status.error(), log_))) return problem;
    }
  }
  if (!lost_.empty() && step != nullptr) ++lost_steps_;
  return std::nullopt;
}

std::optional<Problem> SessionRecord::add_room(const detect::SceneNews& news) {
  if (!recorder_ || !lost_.empty()) return std::nullopt;
  const Status status = recorder_->room(news);
  return status ? std::nullopt : give_up(record_problem(status.error(), log_));
}

bool SessionRecord::offer() {
  if (!recorder_ || !lost_.empty()) return false;
  const Status offered = recorder_->offer();
  if (!offered && log_) {
    log_("another server cannot take a session over: " + offered.error().message);
  }
  return offered.ok();
}

void SessionRecord::lose(const std::string& why, std::uint64_t steps) {
  if (recorder_) recorder_->give_up();
  lost_steps_ += steps;
  if (!lost_.empty()) return;
  lost_ = why;
  told_ = steps > 0;
}

void SessionRecord::mark(TrackReport& report) {
  if (lost_.empty()) return;
  report.unrecorded = true;
  if (!std::exchange(told_, true)) report.record_ended = lost_;
}

std::optional<Problem> SessionRecord::finish() {
  if (!lost_.empty()) return std::nullopt;
  try {
    if (const Status finished = recorder_->finish(); !finished) {
      return give_up(record_problem(finished.error(), log_));
    }
    return std::nullopt;
  } catch (const std::bad_alloc&) {
    return out_of_memory();
  } catch (const std::exception& error) {
    return unforeseen_problem(error, log_);
  }
}

std::string SessionRecord::shown() const {
  return recorder_ ? std::filesystem::path(recorder_->shown()).filename().string() : std::string();
}

std::string SessionRecord::stem() const { return std::filesystem::path(shown()).stem().string(); }

}  // namespace tocsin::service
