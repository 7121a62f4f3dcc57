#include "app/check/check.h"

#include <fmt/format.h>
#include <unistd.h>

#include <string_view>
#include <utility>

#include "app/check/load_job.h"
#include "app/check/rest_overlap.h"
#include "app/check/table.h"
#include "app/cli/progress.h"
#include "app/cli/saved.h"
#include "app/cli/stopwatch.h"
#include "app/cli/words.h"
#include "base/output_file.h"
#include "io/report/report.h"

namespace tocsin::app {
namespace {

constexpr std::string_view kCheckCommand = "tocsin check";

/// Runs all steps and streams their lines; fills what the table needs.
Status run_steps(const Job& job, const Detector& detector, const std::stop_token& stop,
                 io::ReportWriter& writer, base::OutputFile& output, Outcome& outcome) {
  Progress progress("checking", static_cast<std::int64_t>(job.step_count()));
  Stopwatch total;
  outcome.clearances.resize(job.takes.size());
  bool written = writer.run(run_record(job, detector));
  const auto sink = [&](const Step& step, const StepReport& report) {
    const Stopwatch watch;
    written = writer.step(step, report);
    keep_least(step, report, outcome.clearances[static_cast<std::size_t>(report.avatar)]);
    outcome.write_ms += watch.milliseconds();
    progress.step();
    return written;
  };
  if (written) {
    const Status ran = run_job(job, detector, stop, sink);
    if (written && !ran) return ran.error();
  }
  if (!written) return output.error();
  outcome.check_ms = total.milliseconds() - outcome.write_ms;
  return Nothing{};
}

io::Milliseconds stages(const Outcome& outcome) {
  return {{"load", outcome.load_ms},
          {"build", outcome.build_ms},
          {"check", outcome.check_ms},
          {"write", outcome.write_ms}};
}

/// Ends the report, or prints the table.
Status write_result(const Job& job, io::ReportWriter& writer, base::OutputFile& output,
                    const Outcome& outcome) {
  if (!job.options.out) {
    if (!output.write(render_table(job, outcome))) return output.error();
  } else if (!writer.summary(stages(outcome), outcome.fallback)) {
    return output.error();
  }
  return output.finish();
}

/// True if an option is set that only OpenGL's views have.
bool names_views(const GlOptions& asked) {
  const GlOptions usual;
  return asked.width != usual.width || asked.height != usual.height || asked.method != usual.method;
}

}  // namespace

ExitStatus run_check(const CheckOptions& options, const std::stop_token& stop) {
  if (const Status backend = check_backend(options); !backend)
    return report_failure(kCheckCommand, backend.error());

  Outcome outcome;
  Stopwatch watch;
  const auto job = load_job(options);
  if (!job) return report_failure(kCheckCommand, job.error());
  print_warnings(kCheckCommand, job->warnings);
  for (const std::string& note : rest_overlap_notes(job.value(), options.ignore_rest)) {
    print_note(kCheckCommand, note);
  }
  base::OutputFile output;
  if (const Status opened = output.open(options.out.value_or("-")); !opened) {
    return report_failure(kCheckCommand, opened.error());
  }
  outcome.load_ms = watch.lap();

  const auto made = Detector::make(job->environment, job->detector);
  if (!made) return report_failure(kCheckCommand, made.error());
  const Detector& detector = *made;
  print_warnings(kCheckCommand, detector.warnings());
  if (detector.backend_name() != "gl" && names_views(options.gl)) {
    const bool cuda = detector.backend_name() == "cuda";
    print_note(kCheckCommand,
               fmt::format("--gl-size and --gl-method are for --backend gl; {} checks here",
                           cuda ? "CUDA" : "the CPU"));
  }
  outcome.build_ms = watch.lap();
  outcome.backend = detector.backend_name();
  outcome.device = detector.device_name();
  outcome.backend_reason = detector.backend_reason();

  // Without --out the lines are made too, for their hash and counts, and are dropped.
  const auto write_line = [&output, &options](std::string_view line) {
    return !options.out || output.write(line);
  };
  io::ReportWriter writer(report_names(*job), write_line);
  if (const Status ran = run_steps(*job, detector, stop, writer, output, outcome); !ran) {
    if (ran.error().code == ErrorCode::kCancelled) {
      return report_failure(kCheckCommand,
                            {ErrorCode::kCancelled, "interrupted; no result was written"});
    }
    return report_failure(kCheckCommand, ran.error());
  }
  outcome.fallback = detector.fallback();
  if (!outcome.fallback.empty()) {
    print_warning(kCheckCommand,
                  fmt::format("a device did not check everything; the contacts are the same: {}",
                              outcome.fallback));
  }
  outcome.tally = writer.tally();
  outcome.episodes = writer.episodes().sorted();
  outcome.hash = writer.hash();
  if (const Status written = write_result(*job, writer, output, outcome); !written) {
    return report_failure(kCheckCommand, written.error());
  }
  if (options.out && *options.out != "-" && ::isatty(STDERR_FILENO) == 1) {
    print_note(kCheckCommand,
               fmt::format("{}: {}, {}", *options.out, count_of(outcome.tally.steps, "step"),
                           count_of(outcome.tally.contacts, "contact")));
  }
  return options.fail_on_contact && outcome.tally.contacts > 0 ? kFound : kDone;
}

}  // namespace tocsin::app
