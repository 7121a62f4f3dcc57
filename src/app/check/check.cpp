#include "app/check/check.h"

#include <fmt/format.h>
#include <unistd.h>

#include <utility>

#include "app/check/check_run.h"
#include "app/check/csv.h"
#include "app/check/each/check_each.h"
#include "app/check/load_job.h"
#include "app/check/rest_overlap.h"
#include "app/check/table.h"
#include "app/cli/saved.h"
#include "app/cli/stopwatch.h"
#include "app/cli/words.h"
#include "app/verify/load_recorded.h"
#include "app/verify/verify_report.h"
#include "base/output_file.h"

namespace tocsin::app {
namespace {

/// The files of a check's result. Without a report, and without episodes on standard output, that
/// gets a table.
struct Results {
  base::OutputFile report;
  base::OutputFile csv;
  base::OutputFile table;
  bool shows_table = false;
};

Status open(const CheckCommand& command, Results& results) {
  if (command.check.out) {
    if (auto opened = results.report.open(*command.check.out); !opened) return opened;
  }
  if (command.csv) {
    if (auto opened = results.csv.open(*command.csv); !opened) return opened;
  }
  results.shows_table = !command.check.out && command.csv != "-";
  return results.table.open("-");
}

Status write(base::OutputFile& file, const std::string& text) {
  if (!file.write(text)) return file.error();
  return file.finish();
}

Status finish(const CheckCommand& command, const Job& job, const Outcome& outcome,
              Results& results) {
  if (command.csv) {
    const auto text = csv_heading() + csv_rows(job, outcome.episodes, command.table.sort);
    if (auto written = write(results.csv, text); !written) return written;
  }
  if (results.shows_table) {
    return write(results.table, render_table(job, outcome, command.table));
  }
  return command.check.out ? results.report.finish() : Nothing{};
}

/// One line on a terminal for what else would end without a word.
void tell_files(const CheckCommand& command, const Outcome& outcome) {
  if (::isatty(STDERR_FILENO) != 1) return;
  if (command.check.out && *command.check.out != "-") {
    print_note(kCheckCommand,
               fmt::format("{}: {}, {}", *command.check.out, count_of(outcome.tally.steps, "step"),
                           count_of(outcome.tally.contacts, "contact")));
  }
  if (command.csv && *command.csv != "-") {
    print_note(
        kCheckCommand,
        fmt::format("{}: {}", *command.csv,
                    count_of(static_cast<std::int64_t>(outcome.episodes.size()), "episode")));
  }
}

/// What a report or record asks, run as this command says.
Result<CheckOptions> options_like(const io::ReadReport& recorded, const CheckCommand& command) {
  auto out = recorded_options(recorded, command.like);
  if (!out) return out;
  const CheckOptions& asked = command.check;
  out->backend = out->experiments.certify ? asked.backend : Backend::kGl;
  out->experiments.emulate = asked.experiments.emulate;
  out->gl = asked.gl;
  out->cuda = asked.cuda;
  out->threads = asked.threads;
  out->tree_cache = asked.tree_cache;
  out->out = asked.out;
  out->fail_on_contact = asked.fail_on_contact;
  return out;
}

Result<Job> load_like(const CheckCommand& command) {
  if (command.like.empty()) return load_job(command.check);
  const auto recorded = read_recorded(command.like);
  if (!recorded) return recorded.error();
  const auto options = options_like(*recorded, command);
  if (!options) return options.error();
  auto job = load_job(*options);
  if (!job) return as_input_error(job.error(), command.like);
  if (const Status same = check_inputs(*recorded, job->inputs, command.like); !same) {
    return same.error();
  }
  return job;
}

Result<Outcome> check_once(const CheckCommand& command, const std::stop_token& stop) {
  Outcome outcome;
  Stopwatch watch;
  const auto job = load_like(command);
  if (!job) return job.error();
  print_warnings(kCheckCommand, job->warnings);
  for (const std::string& note : rest_overlap_notes(job.value(), command.check.ignore_rest)) {
    print_note(kCheckCommand, note);
  }
  if (auto kept = check_csv(command, job->inputs); !kept) return kept.error();
  Results results;
  if (auto opened = open(command, results); !opened) return opened.error();
  outcome.load_ms = watch.lap();

  const auto detector = make_detector(*job);
  if (!detector) return detector.error();
  outcome.build_ms = watch.lap();
  const bool reports = command.check.out.has_value();
  if (auto ran = run_reported(*job, *detector, stop, "checking",
                              reports ? &results.report : nullptr, outcome);
      !ran) {
    return as_told(ran.error(), "no result was written");
  }
  if (auto written = finish(command, *job, outcome, results); !written) return written.error();
  tell_files(command, outcome);
  return outcome;
}

}  // namespace

ExitStatus run_check(const CheckCommand& command, const std::stop_token& stop) {
  if (const Status backend = check_backend(command.check); !backend)
    return report_failure(kCheckCommand, backend.error());
  if (command.each) return run_check_each(command, stop);
  const auto outcome = check_once(command, stop);
  if (!outcome) return report_failure(kCheckCommand, outcome.error());
  return command.check.fail_on_contact && outcome->tally.contacts > 0 ? kFound : kDone;
}

}  // namespace tocsin::app
