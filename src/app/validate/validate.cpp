#include "app/validate/validate.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "app/check/load_job.h"
#include "app/cli/progress.h"
#include "app/cli/stopwatch.h"
#include "app/cli/words.h"
#include "app/validate/validate_compare.h"
#include "app/validate/validate_report.h"
#include "base/output_file.h"
#include "io/report/option_names.h"
#include "io/report/report.h"

namespace tocsin::app {
namespace {

constexpr std::string_view kValidateCommand = "tocsin validate";

ExitStatus no_verdict(const Error& error) {
  const bool interrupted = error.code == ErrorCode::kCancelled;
  print_error(kValidateCommand, interrupted ? "interrupted; no result was written" : error.message);
  return exit_status(error.code);
}

Error with_name(std::string_view name, const Error& error) {
  return {error.code, fmt::format("{}: {}", name, error.message)};
}

/// Checks before any input is read that this backend works here.
Status probe(Backend backend, const CheckOptions& asked) {
  const auto detector =
      Detector::make(Environment{}, {.backend = backend,
                                     .threads = asked.threads,
                                     .gl = asked.gl,
                                     .cuda = asked.cuda,
                                     .experiments = {.emulate = asked.experiments.emulate}});
  if (!detector) return detector.error();
  return Nothing{};
}

/// Splits the backends into those that run, the CPU first, and those that do not. Errors: of one
/// that was named.
Result<std::vector<Backend>> choose_backends(const ValidateOptions& options, Validation& out) {
  std::vector<Backend> chosen{Backend::kCpu};
  for (const Backend backend : {Backend::kGl, Backend::kCuda}) {
    const bool named = std::find(options.backends.begin(), options.backends.end(), backend) !=
                       options.backends.end();
    if (!named && !options.others) continue;
    const Status works = probe(backend, options.check);
    if (!works && named) return with_name(io::name_of(backend), works.error());
    if (works) {
      chosen.push_back(backend);
    } else {
      out.absent.push_back({backend, works.error().message});
    }
  }
  return chosen;
}

/// Builds a detector for the job with these options and runs it over all steps. `look` gets each
/// report and its number, from 0; what it takes is not counted. `record`, if not null, gets
/// the report's run line. Errors: `name` and cause.
Result<BackendRun> run_backend(const Job& job, const DetectorOptions& options,
                               const std::string& name, const std::stop_token& stop,
                               const std::function<void(std::size_t, const StepReport&)>& look,
                               std::string* record = nullptr) {
  BackendRun out;
  out.backend = options.backend;
  Stopwatch watch;
  const auto made = Detector::make(job.environment, options);
  if (!made) return with_name(name, made.error());
  const Detector& detector = *made;
  out.build_ms = watch.lap();
  out.device = detector.device_name();
  print_warnings(kValidateCommand, detector.warnings());
  if (record != nullptr) *record = io::run_line(run_record(job, detector));

  io::ReportWriter writer(report_names(job), [](std::string_view) { return true; });
  Progress progress("checking with " + name, static_cast<std::int64_t>(job.step_count()));
  double not_checking_ms = 0.0;
  std::size_t next = 0;
  const auto take = [&](const Step& step, const StepReport& report) {
    const Stopwatch aside;
    writer.step(step, report);
    out.counters += report.counters;
    look(next++, report);
    not_checking_ms += aside.milliseconds();
    progress.step();
    return true;
  };
  watch.lap();
  const Status ran = run_job(job, detector, stop, take);
  if (!ran && ran.error().code == ErrorCode::kCancelled) return ran.error();
  if (!ran) return with_name(name, ran.error());
  // The CPU's answer in its place says nothing about the device.
  if (const std::string fallback = detector.fallback(); !fallback.empty()) {
    return with_name(name, {ErrorCode::kResource, fallback});
  }
  out.check_ms = watch.milliseconds() - not_checking_ms;
  out.tally = writer.tally();
  out.hash = writer.hash();
  return out;
}

/// Runs everything, the reference first, and compares as it goes.
class Comparison {
 public:
  Comparison(const Job& job, const std::stop_token& stop, Validation& out)
      : job_(job), stop_(stop), out_(out) {}

  /// The CPU's answer, which is kept. `record` gets its run line.
  Status run_reference(std::string& record) {
    DetectorOptions options = job_.detector;
    options.backend = Backend::kCpu;
    options.experiments.surface = GlSurface::kSkin;
    reference_.reserve(job_.step_count());
    const auto keep = [this](std::size_t, const StepReport& report) {
      reference_.push_back(report);
    };
    auto run = run_backend(job_, options, "cpu", stop_, keep, &record);
    if (!run) return run.error();
    out_.exact.push_back({std::move(run).value(), {}, true});
    return Nothing{};
  }

  Status run_exact(Backend backend) {
    DetectorOptions options = job_.detector;
    options.backend = backend;
    options.experiments.surface = GlSurface::kSkin;
    ExactRow row;
    const auto compare = [&](std::size_t i, const StepReport& report) {
      compare_exact(reference_[i], report, row.differences);
    };
    auto run = run_backend(job_, options, std::string(io::name_of(backend)), stop_, compare);
    if (!run) return run.error();
    row.run = std::move(run).value();
    row.equal = !row.differences.any() && row.run.hash == out_.reference().run.hash;
    out_.exact.push_back(std::move(row));
    return Nothing{};
  }

  Status run_image(const std::pair<int, int>& size) {
    DetectorOptions options = job_.detector;
    options.backend = Backend::kGl;
    options.experiments.certify = false;
    options.clearance = false;  // clearances are proved: image space has none
    std::tie(options.gl.width, options.gl.height) = size;
    options.experiments.surface = out_.surface;
    ImageRow row;
    row.size = size;
    const auto compare = [&](std::size_t i, const StepReport& report) {
      compare_image(reference_[i], report, options.contacts, row.differences);
    };
    const auto name = fmt::format("gl in image space at {}x{}", size.first, size.second);
    auto run = run_backend(job_, options, name, stop_, compare);
    if (!run) return run.error();
    row.run = std::move(run).value();
    out_.image.push_back(std::move(row));
    return Nothing{};
  }

 private:
  const Job& job_;
  std::stop_token stop_;
  Validation& out_;
  std::vector<StepReport> reference_;
};

Status run_all(const Job& job, const std::vector<Backend>& backends, const ValidateOptions& options,
               const std::stop_token& stop, Validation& out, std::string& record) {
  Comparison comparison(job, stop, out);
  if (Status ran = comparison.run_reference(record); !ran) return ran;
  for (const Backend backend : backends) {
    if (backend == Backend::kCpu) continue;
    if (Status ran = comparison.run_exact(backend); !ran) return ran;
    if (backend != Backend::kGl || out.has_meshes) continue;
    for (const auto& size : options.sizes) {
      if (Status ran = comparison.run_image(size); !ran) return ran;
    }
  }
  return Nothing{};
}

/// A link of an avatar has a shape.
bool has_meshes(const Job& job) {
  return std::any_of(job.takes.begin(), job.takes.end(), [](const JobTake& take) {
    const auto links = take.member.avatar.links();
    return std::any_of(links.begin(), links.end(), [](const Link& l) { return !l.shape.empty(); });
  });
}

Status write_result(const Job& job, const Validation& validation, const std::string& record,
                    base::OutputFile& output) {
  const std::string text = job.options.out ? validation_json(job, validation, record)
                                           : render_validation(job, validation);
  if (!output.write(text)) return output.error();
  return output.finish();
}

}  // namespace

ExitStatus run_validate(const ValidateOptions& options, const std::stop_token& stop) {
  Validation validation;
  validation.surface = options.check.experiments.surface;
  const auto backends = choose_backends(options, validation);
  if (!backends) return no_verdict(backends.error());
  if (stop.stop_requested()) return no_verdict({ErrorCode::kCancelled, {}});

  const auto job = load_job(options.check);
  if (!job) return no_verdict(job.error());
  print_warnings(kValidateCommand, job->warnings);
  validation.has_meshes = has_meshes(*job);
  base::OutputFile output;
  if (const Status opened = output.open(options.check.out.value_or("-")); !opened) {
    return no_verdict(opened.error());
  }

  std::string record;
  const Status ran = run_all(*job, *backends, options, stop, validation, record);
  if (!ran) return no_verdict(ran.error());
  if (const Status written = write_result(*job, validation, record, output); !written) {
    return no_verdict(written.error());
  }
  const bool sound = holds(validation);
  const bool to_file = options.check.out && *options.check.out != "-";
  if (options.check.out && (!sound || (to_file && ::isatty(STDERR_FILENO) == 1))) {
    for (const Judgement& j : verdict(*job, validation)) print_note(kValidateCommand, j.sentence);
  }
  return sound ? kDone : kFound;
}

}  // namespace tocsin::app
