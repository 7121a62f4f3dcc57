#include "app/verify.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>
#include <utility>

#include "app/verify_report.h"
#include "app/verify_steps.h"
#include "app/words.h"
#include "gpu/gl/context.h"
#include "io/json_text.h"
#include "io/output_file.h"
#include "io/report_reader.h"
#include "tocsin/version.h"

namespace tocsin::app {
namespace {

constexpr std::string_view kCommand = "tocsin verify";
constexpr std::size_t kMostSentences = 10;

/// What was found, as text for standard output, and the status that follows from it.
struct Finding {
  std::string text;
  ExitStatus status = kDone;
};

/// A report is an input: what it asks for wrongly is its fault, not the user's.
Error as_input_error(const Error& error, const std::string& report) {
  if (error.code != ErrorCode::kUsage || error.message.starts_with(gl::kDeviceVariable)) {
    return error;
  }
  return {ErrorCode::kInput, fmt::format("{}: {}", report, error.message)};
}

std::string bullets(const std::vector<std::string>& sentences, std::size_t most) {
  std::string out;
  for (std::size_t i = 0; i < std::min(most, sentences.size()); ++i) {
    out += fmt::format("  {}\n", io::printable(sentences[i]));
  }
  if (sentences.size() > most) out += fmt::format("  ... and {} more\n", sentences.size() - most);
  return out;
}

Finding report_differences(const io::ReadReport& report,
                           const std::vector<std::string>& sentences) {
  std::string text = "The report differs from what the check says when it is run again:\n" +
                     bullets(sentences, kMostSentences + 1);
  if (report.version != kVersion) {
    text += fmt::format("It was written by Tocsin {}; this is {}.\n", io::printable(report.version),
                        kVersion);
  }
  if (!report.run.options.certify) {
    text += "It is one of image space: another device may draw pixels on a border otherwise.\n";
  }
  return {text + "Not confirmed.\n", kFound};
}

Finding report_confirmation(const Job& job, const Rerun& rerun, const Confirmation& confirmation) {
  const auto count = [](std::uint64_t n) { return grouped(static_cast<std::int64_t>(n)); };
  std::string text = fact(
      "Rerun", fmt::format("{}, {}: every line equal, hash {}", count_of(rerun.tally.steps, "step"),
                           count_of(rerun.tally.contacts, "contact"), rerun.hash));
  text +=
      fact("Oracle",
           fmt::format(
               "{} of {} x {} x {}: {} and {} looked at, {} undecided", count(confirmation.steps),
               count_of(rerun.tally.steps, "step"),
               count_of(static_cast<std::int64_t>(job.avatar.links().size()), "link"),
               count_of(static_cast<std::int64_t>(job.environment.triangles().size()), "triangle"),
               count_of(static_cast<std::int64_t>(confirmation.contacts), "contact"),
               count_of(static_cast<std::int64_t>(confirmation.free_pairs), "free pair"),
               count(confirmation.undecided)));
  if (!confirmation.refutations.empty()) {
    return {text + "The second implementation refutes:\n" +
                bullets(confirmation.refutations, kMostSentences) + "Not confirmed.\n",
            kFound};
  }
  if (!confirmation.doubts.empty()) {
    text += "Too close to call:\n" + bullets(confirmation.doubts, kMostSentences);
  }
  if (!job.options.certify) {
    text +=
        "The report is one of image space: only freedom before its times is claimed and was "
        "confirmed.\n";
  }
  if (job.options.sampled) {
    text += "The report is about sampled poses only; nothing between them is claimed.\n";
  }
  return {text + "Confirmed.\n", kDone};
}

/// Proved contacts are the same on every backend, so the CPU says whether they are right. An answer
/// of image space only a device can give again.
void choose_backend(CheckOptions& options) {
  options.backend = options.certify ? Backend::kCpu : Backend::kGl;
  options.gl.device = std::nullopt;  // counted on the machine that wrote the report
}

/// What an answer of image space claims: free before the first end of its bracket, no more.
std::vector<std::vector<Contact>> claims_of(const Job& job,
                                            std::vector<std::vector<Contact>> contacts) {
  if (job.options.certify) return contacts;
  for (std::vector<Contact>& of_step : contacts) {
    for (Contact& contact : of_step) contact.toc[1] = 1.0;
  }
  return contacts;
}

Result<Job> load_recorded(const io::ReadReport& report, const VerifyOptions& options) {
  auto recorded = recorded_options(report, options.report);
  if (!recorded) return recorded.error();
  recorded.threads = options.threads;
  choose_backend(recorded);
  auto job = load_job(recorded);
  if (!job) return as_input_error(job.error(), options.report);
  return job;
}

Result<Finding> examine(const VerifyOptions& options, const std::stop_token& stop) {
  const auto report = io::read_report(options.report);
  if (!report) return report.error();
  for (const std::string& warning : report.warnings) print_warning(kCommand, warning);
  if (!report.run.options.certify && report.run.backend != "gl") {
    return Error{ErrorCode::kInput,
                 fmt::format("{}: says that it is one of image space and that {} made it; only gl "
                             "can have",
                             options.report, io::printable(report.run.backend))};
  }
  const auto job = load_recorded(report, options);
  if (!job) return job.error();
  const Detector detector(job.environment, job.detector);
  if (detector.error()) return as_input_error(*detector.error(), options.report);

  Finding finding;
  finding.text = fmt::format("{}: written by Tocsin {} with {}\n", io::printable(options.report),
                             io::printable(report.version), io::printable(report.run.backend));
  finding.text +=
      fact("Inputs", fmt::format("{}, the ones that the report was made from (sha256)",
                                 count_of(static_cast<std::int64_t>(job.inputs.size()), "input")));
  const auto rerun = rerun_check(job, detector, stop);
  if (!rerun) return rerun.error();
  const auto different = differences(report, rerun, kMostSentences);
  Finding rest;
  if (!different.empty()) {
    rest = report_differences(report, different);
  } else {
    const double wanted = std::ceil(options.fraction * static_cast<double>(job.steps.size()));
    const auto steps =
        sample_steps(job.steps.size(), static_cast<std::size_t>(wanted), options.seed);
    const auto confirmation = confirm_steps(job, claims_of(job, rerun.contacts), steps, stop);
    if (!confirmation) return confirmation.error();
    rest = report_confirmation(job, rerun, confirmation);
  }
  return Finding{finding.text + rest.text, rest.status};
}

}  // namespace

ExitStatus run_verify(const VerifyOptions& options, const std::stop_token& stop) {
  const auto fail = [](const Error& error) {
    const bool interrupted = error.code == ErrorCode::kCancelled;
    print_error(kCommand, interrupted ? "interrupted; nothing was confirmed" : error.message);
    return exit_status(error.code);
  };
  const auto finding = examine(options, stop);
  if (!finding) return fail(finding.error());
  const Status status = io::write_to_standard_output(finding.text);
  return status ? finding.status : fail(status.error());
}

}  // namespace tocsin::app
