#include "app/verify/load_recorded.h"

#include <fmt/format.h>

#include <utility>

#include "app/check/load_job.h"
#include "app/verify/verify_report.h"
#include "gpu/gl/context/context.h"
#include "io/poses/record_head.h"

namespace tocsin::app {

Error as_input_error(const Error& error, const std::string& report) {
  if (error.code != ErrorCode::kUsage || error.message.starts_with(gl::kDeviceVariable)) {
    return error;
  }
  return {ErrorCode::kInput, fmt::format("{}: {}", report, error.message)};
}

Result<io::ReadReport> read_recorded(const std::string& file) {
  if (!io::is_poses(file)) return io::read_report(file);
  auto head = io::read_record_head(file);
  if (!head) return head.error();
  io::ReadReport out;
  out.version = std::move(head->version);
  out.run = std::move(head->run);
  out.unfinished = true;
  out.room_changes = head->session.room_changes;
  return out;
}

Result<Job> load_recorded(const io::ReadReport& report, const std::string& file, int threads) {
  auto recorded = recorded_options(report, file);
  if (!recorded) return recorded.error();
  recorded->threads = threads;
  recorded->backend = recorded->experiments.certify ? Backend::kCpu : Backend::kGl;
  recorded->gl.device = std::nullopt;  // counted on the machine that wrote the report
  auto job = load_job(*recorded);
  if (!job) return as_input_error(job.error(), file);
  if (auto same = check_inputs(report, job->inputs, file); !same) return same.error();
  return job;
}

}  // namespace tocsin::app
