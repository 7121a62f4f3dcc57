#include "app/view/check_shown.h"

#include <optional>
#include <sstream>
#include <string_view>
#include <utility>

#include "app/check/distance/episode_depths.h"
#include "app/cli/progress.h"
#include "io/report/report.h"

namespace tocsin::app {

Result<ShownReport> check_shown(Job job, const std::string& name, const std::stop_token& stop,
                                bool progress) {
  const auto detector = Detector::make(job.environment, job.detector);
  if (!detector) return detector.error();
  std::stringstream text;
  io::ReportWriter writer(report_names(job), [&text](std::string_view line) {
    text << line;
    return static_cast<bool>(text);
  });
  std::optional<Progress> line;
  if (progress) line.emplace("checking", static_cast<std::int64_t>(job.step_count()));
  writer.run(run_record(job, *detector));
  const Status ran = run_job(job, *detector, stop, [&](const Step& step, const StepReport& report) {
    if (line) line->step();
    return writer.step(step, report);
  });
  if (!ran) return ran.error();
  auto episodes = writer.episodes().sorted();
  if (!job.scene) {
    if (auto measured = add_depths(job, *detector, stop, episodes); !measured) {
      return measured.error();
    }
  }
  if (!writer.write_episodes(episodes) || !writer.write_summary({}, detector->fallback())) {
    return {ErrorCode::kResource, "out of memory"};
  }
  auto report = io::read_report(text, name);
  if (!report) return report.error();
  auto told = io::read_told(*report, name);
  if (!told) return told.error();
  return ShownReport{name, std::move(report).value(), std::move(told).value(), std::move(job)};
}

}  // namespace tocsin::app
