#include "app/check/each/check_each.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <system_error>
#include <utility>

#include "app/check/check_run.h"
#include "app/check/csv.h"
#include "app/check/each/each_table.h"
#include "app/check/load_job.h"
#include "app/check/rest_overlap.h"
#include "app/cli/saved.h"
#include "app/cli/stopwatch.h"
#include "app/cli/words.h"
#include "base/output_file.h"
#include "base/unique_names.h"

namespace tocsin::app {
namespace {

namespace fs = std::filesystem;

/// The report of every take in the folder `out`: its name with .jsonl; takes of one name get
/// numbers.
std::vector<std::string> report_files(const CheckOptions& options) {
  std::vector<std::string> out;
  for (const Take& take : options.takes) out.push_back(fs::path(take.motion).stem().string());
  std::vector<std::string*> names;
  for (std::string& name : out) names.push_back(&name);
  base::make_distinct(names);
  for (std::string& name : out) name = (fs::path(*options.out) / (name + ".jsonl")).string();
  return out;
}

/// The folder is made where it is missing.
Status make_folder(const std::string& folder) {
  std::error_code error;
  if (fs::is_directory(folder, error)) return Nothing{};
  if (fs::exists(folder, error)) {
    return Error{
        ErrorCode::kUsage,
        fmt::format("--out: with --each a folder, of a report a take; {} is none", folder)};
  }
  if (fs::create_directory(folder, error)) return Nothing{};
  return Error{ErrorCode::kResource,
               fmt::format("cannot make the folder {}: {}", folder, error.message())};
}

/// The options of one of the takes, as if it were alone.
CheckOptions alone(const CheckOptions& options, std::size_t i, std::optional<std::string> out) {
  CheckOptions one = options;
  one.takes = {options.takes[i]};
  one.out = std::move(out);
  return one;
}

class EachCheck {
 public:
  EachCheck(const CheckCommand& command, const std::stop_token& stop)
      : command_(command), stop_(stop), rows_(command.check.takes.size()) {}

  Status open() {
    auto rooms = load_rooms(command_.check);
    if (!rooms) return rooms.error();
    rooms_ = std::move(rooms).value();
    print_warnings(kCheckCommand, rooms_.warnings);
    if (command_.check.out) {
      if (auto made = make_folder(*command_.check.out); !made) return made;
      reports_ = report_files(command_.check);
    }
    if (!command_.csv) return Nothing{};
    if (auto kept = check_csv(command_, rooms_.inputs); !kept) return kept;
    if (auto opened = csv_.open(*command_.csv); !opened) return opened;
    return csv_.write(csv_heading()) ? Status(Nothing{}) : Status(csv_.error());
  }

  /// All takes. Errors: what ends the whole check, and not one take: kResource, kCancelled,
  /// kUnavailable.
  Status run() {
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      EachRow& row = rows_[i];
      row.file = command_.check.takes[i].motion;
      auto checked = check(i, row);
      if (checked) continue;
      const Error& error = checked.error();
      if (error.code != ErrorCode::kInput && error.code != ErrorCode::kUsage) {
        return as_told(error, fmt::format("{} of {} takes were checked", i, rows_.size()));
      }
      row.refused = true;
      status_ = std::max(status_, exit_status(error.code));
      print_error(kCheckCommand, fmt::format("{} was not checked: {}", row.file, error.message));
    }
    return Nothing{};
  }

  Status finish() {
    if (command_.csv) {
      if (auto written = csv_.finish(); !written) return written;
    }
    if (command_.csv == "-") return Nothing{};
    return base::write_to_standard_output(
        render_each(rows_, rooms_.environment, command_.check, command_.table));
  }

  [[nodiscard]] ExitStatus status() const {
    const bool touched = std::any_of(rows_.begin(), rows_.end(),
                                     [](const EachRow& row) { return row.tally.contacts > 0; });
    if (status_ == kDone && command_.check.fail_on_contact && touched) return kFound;
    return status_;
  }

 private:
  Status check(std::size_t i, EachRow& row) {
    const auto report = reports_.empty() ? std::nullopt : std::optional(reports_[i]);
    Outcome outcome;
    Stopwatch watch;
    const auto job = load_job(alone(command_.check, i, report), &rooms_);
    if (!job) return job.error();
    print_warnings(kCheckCommand, job->warnings);
    for (const std::string& note : rest_overlap_notes(*job, command_.check.ignore_rest)) {
      print_note(kCheckCommand, note);
    }
    outcome.load_ms = watch.lap();
    if (!detector_) {
      Job first = *job;  // the takes are taken to be about as long as each other
      first.detector.expected_steps *= rows_.size();
      auto made = make_detector(first);
      if (!made) return made.error();
      detector_ = std::move(made).value();
    }
    outcome.build_ms = watch.lap();
    base::OutputFile file;
    if (report) {
      if (auto opened = file.open(*report); !opened) return opened;
    }
    const std::string what = fmt::format("take {} of {}", i + 1, rows_.size());
    if (auto ran = run_reported(*job, *detector_, stop_, what, report ? &file : nullptr, outcome);
        !ran) {
      return ran;
    }
    if (report) {
      if (auto written = file.finish(); !written) return written;
    }
    if (command_.csv && !csv_.write(csv_rows(*job, outcome.episodes, command_.table.sort))) {
      return csv_.error();
    }
    row = each_row(*job, outcome, command_.table);
    return Nothing{};
  }

  const CheckCommand& command_;
  const std::stop_token& stop_;
  Rooms rooms_;
  std::optional<Detector> detector_;
  std::vector<std::string> reports_;  ///< per take; empty without --out
  base::OutputFile csv_;
  std::vector<EachRow> rows_;
  ExitStatus status_ = kDone;
};

}  // namespace

ExitStatus run_check_each(const CheckCommand& command, const std::stop_token& stop) {
  EachCheck check(command, stop);
  if (const Status opened = check.open(); !opened)
    return report_failure(kCheckCommand, opened.error());
  if (const Status ran = check.run(); !ran) return report_failure(kCheckCommand, ran.error());
  if (const Status written = check.finish(); !written)
    return report_failure(kCheckCommand, written.error());
  return check.status();
}

}  // namespace tocsin::app
