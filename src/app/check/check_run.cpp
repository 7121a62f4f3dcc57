#include "app/check/check_run.h"

#include <fmt/format.h>

#include <utility>

#include "app/check/distance/episode_depths.h"
#include "app/check/distance/frame_distances.h"
#include "app/check/distance/near_pairs.h"
#include "app/check/distance/nearest_things.h"
#include "app/cli/progress.h"
#include "app/cli/stopwatch.h"
#include "app/cli/words.h"
#include "io/report/report.h"

namespace tocsin::app {
namespace {

/// Runs all steps and streams their lines; fills what the table needs.
Status run_steps(const Job& job, const Detector& detector, const std::stop_token& stop,
                 const std::string& what, io::ReportWriter& writer, base::OutputFile* report,
                 Outcome& outcome) {
  Progress progress(what, static_cast<std::int64_t>(job.step_count()));
  Stopwatch total;
  outcome.clearances.resize(job.takes.size());
  bool written = writer.run(run_record(job, detector));
  const auto sink = [&](const Step& step, const StepReport& answer) {
    const Stopwatch watch;
    written = writer.step(step, answer);
    keep_least(step, answer, outcome.clearances[static_cast<std::size_t>(answer.avatar)]);
    outcome.write_ms += watch.milliseconds();
    progress.step();
    return written;
  };
  if (written) {
    const Status ran = run_job(job, detector, stop, sink);
    if (written && !ran) return ran.error();
  }
  if (!written) return report->error();
  outcome.check_ms = total.milliseconds() - outcome.write_ms;
  return Nothing{};
}

io::Milliseconds stages(const Outcome& outcome) {
  io::Milliseconds out{{"load", outcome.load_ms},
                       {"build", outcome.build_ms},
                       {"check", outcome.check_ms},
                       {"depth", outcome.depth_ms},
                       {"write", outcome.write_ms}};
  if (outcome.near_ms) out.emplace_back("near", *outcome.near_ms);
  if (outcome.distance_ms) out.emplace_back("distance", *outcome.distance_ms);
  return out;
}

/// True if an option is set that only OpenGL's views have.
bool names_views(const GlOptions& asked) {
  const GlOptions usual;
  return asked.width != usual.width || asked.height != usual.height || asked.method != usual.method;
}

/// The lines of --nearest, and what the table needs of them.
Status tell_distances(const Job& job, const Detector& detector, const std::stop_token& stop,
                      io::ReportWriter& writer, base::OutputFile* report, Outcome& outcome) {
  if (!(job.options.nearest > 0.0)) return Nothing{};
  const Stopwatch watch;
  LeastDistances least;
  bool written = true;
  const Status found = find_distances(job, detector, stop, [&](const AskedPose&, const auto& told) {
    least.add(told);
    written = report == nullptr || writer.write_distances(told);
    return written;
  });
  if (!written) return report->error();
  if (!found) return found.error();
  outcome.distances = least.sorted();
  outcome.distance_ms = watch.milliseconds();
  return Nothing{};
}

void describe(const Detector& detector, Outcome& outcome) {
  outcome.backend = detector.backend_name();
  outcome.device = detector.device_name();
  outcome.backend_reason = detector.backend_reason();
}

}  // namespace

Result<Detector> make_detector(const Job& job) {
  auto detector = Detector::make(job.environment, job.detector);
  if (!detector) return detector;
  print_warnings(kCheckCommand, detector->warnings());
  if (detector->backend_name() != "gl" && names_views(job.options.gl)) {
    const bool cuda = detector->backend_name() == "cuda";
    print_note(kCheckCommand,
               fmt::format("--gl-size and --gl-method are for --backend gl; {} checks here",
                           cuda ? "CUDA" : "the CPU"));
  }
  return detector;
}

Status run_reported(const Job& job, const Detector& detector, const std::stop_token& stop,
                    const std::string& what, base::OutputFile* report, Outcome& outcome) {
  describe(detector, outcome);
  io::ReportWriter writer(report_names(job), [report](std::string_view line) {
    return report == nullptr || report->write(line);
  });
  if (auto ran = run_steps(job, detector, stop, what, writer, report, outcome); !ran) return ran;
  outcome.fallback = detector.fallback();
  if (!outcome.fallback.empty()) {
    print_warning(kCheckCommand,
                  fmt::format("a device did not check everything; the contacts are the same: {}",
                              outcome.fallback));
  }
  outcome.tally = writer.tally();
  outcome.hash = writer.hash();
  outcome.episodes = writer.episodes().sorted();
  Stopwatch watch;
  if (job.scene) {  // these know one room
    for (const auto& of_links : outcome.clearances) outcome.nearest.emplace_back(of_links.size());
    const bool written = report == nullptr || (writer.write_episodes(outcome.episodes) &&
                                               writer.write_summary(stages(outcome), {}));
    return written ? Nothing{} : Status(report->error());
  }
  if (auto measured = add_depths(job, detector, stop, outcome.episodes); !measured) {
    return measured;
  }
  outcome.depth_ms = watch.lap();
  auto near = find_near(job, detector, outcome.episodes, stop);
  if (!near) return near.error();
  outcome.near = std::move(near).value();
  if (job.options.near > 0.0) outcome.near_ms = watch.milliseconds();
  auto nearest = nearest_things(job, detector, outcome.clearances, outcome.episodes, stop);
  if (!nearest) return nearest.error();
  outcome.nearest = std::move(nearest).value();
  const bool written =
      report == nullptr ||
      (writer.write_episodes(outcome.episodes) && writer.write_near(outcome.near) &&
       writer.write_nearest(told_nearest(outcome.clearances, outcome.nearest)));
  if (!written) return report->error();
  if (auto told = tell_distances(job, detector, stop, writer, report, outcome); !told) return told;
  if (report != nullptr && !writer.write_summary(stages(outcome), outcome.fallback)) {
    return report->error();
  }
  return Nothing{};
}

Error as_told(const Error& error, std::string_view written) {
  if (error.code != ErrorCode::kCancelled) return error;
  return {ErrorCode::kCancelled, fmt::format("interrupted; {}", written)};
}

}  // namespace tocsin::app
