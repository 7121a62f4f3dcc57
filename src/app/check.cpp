#include "app/check.h"

#include <fmt/format.h>
#include <unistd.h>

#include <string_view>
#include <utility>

#include "app/job.h"
#include "app/progress.h"
#include "app/stopwatch.h"
#include "app/table.h"
#include "app/words.h"
#include "io/output_file.h"
#include "io/report.h"

namespace tocsin::app {
namespace {

constexpr std::string_view kCommand = "tocsin check";

ExitStatus fail(const Error& error) {
  print_error(kCommand, error.message);
  return exit_status(error.code);
}

/// The least proved clearance of each link, so far.
void gather_clearances(const Step& step, const StepReport& report,
                       std::vector<LeastClearance>& least) {
  const bool is_first = least.empty();
  least.resize(report.clearances.size());
  for (std::size_t i = 0; i < report.clearances.size(); ++i) {
    if (is_first || report.clearances[i] < least[i].metres) {
      least[i] = {report.clearances[i], step.seconds(0.0)};
    }
  }
}

/// Runs all steps and streams their lines; fills what the table needs.
Status run_steps(const Job& job, const Detector& detector, const std::stop_token& stop,
                 io::ReportWriter& writer, io::OutputFile& output, Outcome& outcome) {
  Progress progress("checking", static_cast<std::int64_t>(job.steps.size()));
  Stopwatch total;
  bool written = writer.run(run_record(job, detector));
  std::size_t next = 0;
  const auto sink = [&](const StepReport& report) {
    const Stopwatch watch;
    const Step& step = job.steps[next++];
    written = writer.step(step, report);
    gather_clearances(step, report, outcome.clearances);
    outcome.write_ms += watch.milliseconds();
    progress.step();
    return written;
  };
  if (written) {
    const RunOptions run{job.options.threads, job.active, stop};
    const Status ran = detector.run(job.avatar, job.steps, run, sink);
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
Status write_result(const Job& job, io::ReportWriter& writer, io::OutputFile& output,
                    const Outcome& outcome) {
  if (!job.options.out) {
    if (!output.write(render_table(job, outcome))) return output.error();
  } else if (!writer.summary(stages(outcome), outcome.fallback)) {
    return output.error();
  }
  return output.finish();
}

/// True if something is asked for that only OpenGL's views have.
bool names_views(const GlOptions& asked) {
  const GlOptions usual;
  return asked.width != usual.width || asked.height != usual.height || asked.method != usual.method;
}

}  // namespace

ExitStatus run_check(const CheckOptions& options, const std::stop_token& stop) {
  if (const Status backend = check_backend(options.backend); !backend) return fail(backend.error());

  Outcome outcome;
  Stopwatch watch;
  const auto job = load_job(options);
  if (!job) return fail(job.error());
  print_warnings(kCommand, job.warnings);
  io::OutputFile output;
  if (const Status opened = output.open(options.out.value_or("-")); !opened) {
    return fail(opened.error());
  }
  outcome.load_ms = watch.lap();

  const Detector detector(job.environment, job.detector);
  if (detector.error()) return fail(*detector.error());
  print_warnings(kCommand, detector.warnings());
  if (detector.backend_name() == "cpu" && names_views(options.gl)) {
    print_note(kCommand, "--gl-size and --gl-method are for --backend gl; the CPU checks here");
  }
  outcome.build_ms = watch.lap();
  outcome.backend = detector.backend_name();
  outcome.device = detector.device_name();

  // Without --out the lines are made all the same, for their hash and counts, and go nowhere.
  const auto write_line = [&output, &options](std::string_view line) {
    return !options.out || output.write(line);
  };
  io::ReportWriter writer(link_names(job.avatar), object_names(job.environment), write_line);
  if (const Status ran = run_steps(job, detector, stop, writer, output, outcome); !ran) {
    if (ran.error().code == ErrorCode::kCancelled) {
      return fail({ErrorCode::kCancelled, "interrupted; no result was written"});
    }
    return fail(ran.error());
  }
  outcome.fallback = detector.fallback();
  if (!outcome.fallback.empty()) {
    print_warning(kCommand, fmt::format("the device was given up on the way, and the CPU checked "
                                        "the rest, with the same contacts: {}",
                                        outcome.fallback));
  }
  outcome.tally = writer.tally();
  outcome.episodes = writer.episodes().sorted();
  outcome.hash = writer.hash();
  if (const Status written = write_result(job, writer, output, outcome); !written) {
    return fail(written.error());
  }
  if (options.out && *options.out != "-" && ::isatty(STDERR_FILENO) == 1) {
    print_note(kCommand,
               fmt::format("{}: {}, {}", *options.out, count_of(outcome.tally.steps, "step"),
                           count_of(outcome.tally.contacts, "contact")));
  }
  return options.fail_on_contact && outcome.tally.contacts > 0 ? kFound : kDone;
}

}  // namespace tocsin::app
