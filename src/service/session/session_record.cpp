#include "service/session/session_record.h"

#include <exception>
#include <filesystem>
#include <new>
#include <utility>

namespace tocsin::service {

SessionRecord::SessionRecord(std::unique_ptr<Recorder> recorder, Log log)
    : recorder_(std::move(recorder)), log_(std::move(log)) {}

std::optional<Problem> SessionRecord::add(const TrackFrame& frame, double tick, const Step* step,
                                          const StepReport* result, const PassedOver& passed) {
  if (!recorder_) return std::nullopt;
  if (const Status status = recorder_->pose(frame, tick, passed); !status) {
    return record_problem(status.error(), log_);
  }
  if (step == nullptr || result == nullptr) return std::nullopt;
  if (const Status status = recorder_->step(*step, *result); !status) {
    return record_problem(status.error(), log_);
  }
  return std::nullopt;
}

std::optional<Problem> SessionRecord::finish() {
  try {
    if (const Status finished = recorder_->finish(); !finished) {
      return record_problem(finished.error(), log_);
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

}  // namespace tocsin::service
