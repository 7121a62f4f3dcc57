#include "app/export/shown_report.h"

#include <fmt/format.h>

#include <utility>
#include <vector>

#include "app/cli/file_kind.h"
#include "app/verify/load_recorded.h"
#include "base/json_text.h"

namespace tocsin::app {
namespace {

Error not_shown(const std::string& file, std::string_view why) {
  return {ErrorCode::kInput, fmt::format("{}: {}", file, why)};
}

/// The steps of the job by their indices.
io::StepPlaces places_of(const Job& job) {
  return [&job](std::int32_t avatar, std::int64_t step) {
    const StepList& steps = job.takes[static_cast<std::size_t>(avatar)].steps;
    const std::size_t at = position_of(steps, step);
    return io::StepPlace{at, steps[at].seconds(1.0)};
  };
}

/// Every step that a line names must be one of the job's.
Status check_steps(const ShownReport& shown) {
  for (std::size_t i = 0; i < shown.told.contacts.size(); ++i) {
    const io::ToldContact& contact = shown.told.contacts[i];
    const auto avatar = static_cast<std::size_t>(contact.pair.avatar);
    const StepList& steps = shown.job.takes[avatar].steps;
    const std::size_t at = position_of(steps, contact.step);
    if (at < steps.size() && steps[at].index() == contact.step) continue;
    return Error{ErrorCode::kInput, fmt::format("{}:{}: its takes have no step {}", shown.file,
                                                shown.report.contacts[i].number, contact.step)};
  }
  return Nothing{};
}

}  // namespace

Result<ShownReport> load_shown(const std::string& file, int threads) {
  auto report = io::read_report(file);
  if (!report) return report.error();
  if (!report->run.options.experiments.certify) {
    return not_shown(file,
                     "is one of image space (--no-certify); its contacts may be none, and are not "
                     "shown");
  }
  if (report->hash != report->hash_of_lines) {
    return not_shown(file, fmt::format("the hash of its contact lines is {}, its summary says {}: "
                                       "it was changed after it was written",
                                       report->hash_of_lines, base::printable(report->hash)));
  }
  auto told = io::read_told(*report, file);
  if (!told) return told.error();
  auto job = load_recorded(*report, file, threads);
  if (!job) return job.error();
  ShownReport out{file, std::move(report).value(), std::move(told).value(), std::move(job).value()};
  if (auto sound = check_steps(out); !sound) return sound.error();
  if (out.told.lacks_episodes) io::derive_episodes(out.told, places_of(out.job));
  return out;
}

Status refuse_shown_inputs(const char* option, const std::string& output,
                           const ShownReport& shown) {
  std::vector<std::string> inputs{shown.file};
  for (const io::InputRecord& input : shown.job.inputs) inputs.push_back(input.file);
  return refuse_overwriting(option, output, inputs);
}

std::string told_link_text(const Job& job, std::int32_t avatar, const std::string& link) {
  const JobTake& take = job.takes[static_cast<std::size_t>(avatar)];
  if (take.is_body && take.member.avatar.links().size() == 1) return take.name;
  return job.several() ? fmt::format("{} of {}", link, take.name) : link;
}

std::string told_thing_text(const Job& job, const io::ToldPair& pair) {
  if (!pair.of_links()) return pair.object;
  if (pair.other_avatar == pair.avatar) return "its own " + pair.other_link;
  return told_link_text(job, pair.other_avatar, pair.other_link);
}

}  // namespace tocsin::app
