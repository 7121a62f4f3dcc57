#include "app/render/drawn_step.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <utility>

#include "io/report/report.h"

namespace tocsin::app {
namespace {

/// Checks one step of each of these takes; their contacts name takes, as those of a run do.
Result<DrawnStep> check_step(const Job& job, const Detector& detector,
                             const std::vector<std::size_t>& takes,
                             const std::vector<Step>& steps) {
  std::vector<Member> members;
  for (const std::size_t take : takes) members.push_back(job.takes[take].member);
  std::vector<StepReport> reports =
      job.several()
          ? detector.check_batch(members, steps, {.meet = true, .threads = job.options.threads})
          : std::vector<StepReport>{detector.check(members.front(), steps.front())};
  DrawnStep out;
  out.looked = steps.front().frames();
  for (std::size_t i = 0; i < takes.size(); ++i) {
    StepReport& report = reports[i];
    if (report.error) return *report.error;
    report.avatar = static_cast<std::int32_t>(takes[i]);
    for (Contact& contact : report.contacts) {
      auto* const other = std::get_if<OtherLink>(&contact.touched);
      if (other == nullptr) continue;
      const std::size_t at = job.several() ? static_cast<std::size_t>(other->avatar) : 0;
      other->avatar = static_cast<std::int32_t>(takes[at]);
    }
    out.actors.push_back({members[i].avatar, steps[i], std::move(report), {}});
  }
  return out;
}

std::int64_t first_index(const Job& job) {
  std::int64_t out = INT64_MAX;
  for (const JobTake& take : job.takes) {
    if (!take.steps.empty()) out = std::min(out, take.steps.front().index());
  }
  return out;
}

std::int64_t last_frame(const Job& job) {
  std::int64_t out = 0;
  for (const JobTake& take : job.takes) {
    if (!take.steps.empty()) out = std::max(out, take.steps.back().frames()[1]);
  }
  return out;
}

}  // namespace

bool DrawnStep::touches() const {
  return std::any_of(actors.begin(), actors.end(),
                     [](const view::Actor& actor) { return !actor.report.contacts.empty(); });
}

Result<Findings> find_all(const Job& job, const Detector& detector) {
  Findings out;
  io::ReportWriter writer(report_names(job), [](std::string_view) { return true; });
  const auto sink = [&](const Step& step, const StepReport& report) {
    for (const Contact& contact : report.contacts) {
      out.contacts.push_back({step.index(), report.avatar, contact});
    }
    return writer.step(step, report);
  };
  if (const Status ran = run_job(job, detector, {}, sink); !ran) return ran.error();
  out.episodes = writer.episodes().sorted();
  out.hash = writer.hash();
  return out;
}

Result<DrawnStep> first_step(const Job& job, const Detector& detector) {
  std::optional<std::int64_t> found;
  const auto sink = [&found](const Step& step, const StepReport& report) {
    if (!report.contacts.empty()) found = step.index();
    return report.contacts.empty();
  };
  const Status ran = run_job(job, detector, {}, sink);
  if (!found && !ran) return ran.error();
  auto out = step_at(job, detector, found.value_or(first_index(job)));
  if (out && !found) out->looked = {first_index(job), last_frame(job)};
  return out;
}

Result<DrawnStep> step_at(const Job& job, const Detector& detector, std::int64_t index) {
  std::vector<std::size_t> takes;
  std::vector<Step> steps;
  for (std::size_t i = 0; i < job.takes.size(); ++i) {
    const StepList& list = job.takes[i].steps;
    const std::size_t at = position_of(list, index);
    if (at == list.size() || list[at].index() != index) continue;
    takes.push_back(i);
    steps.push_back(list[at]);
  }
  if (takes.empty()) {
    return {ErrorCode::kUsage, fmt::format("no step begins at {}: the steps looked at lie between "
                                           "{} and {}",
                                           index, first_index(job), last_frame(job))};
  }
  return check_step(job, detector, takes, steps);
}

Result<DrawnStep> step_from(const Job& job, const Detector& detector, std::int64_t frame,
                            std::int64_t stride) {
  const std::int64_t last = job.only().motion.frame_count() - 1;
  const std::int64_t end = frame + std::min(stride, last - frame);
  const auto steps =
      job.only().motion.steps({frame, end, end - frame, job.options.spec.in_between, false});
  if (!steps) return steps.error();
  return check_step(job, detector, {0}, {steps->front()});
}

Result<DrawnStep> step_of(const Job& job, const Detector& detector, const FoundContact& found) {
  auto out = step_at(job, detector, found.step);
  if (!out) return out;
  for (std::size_t i = 0; i < out->actors.size(); ++i) {
    const StepReport& report = out->actors[i].report;
    if (report.avatar != found.avatar) continue;
    const auto same = [&found](const Contact& contact) {
      return contact.link == found.contact.link && contact.party() == found.contact.party();
    };
    const auto at = std::find_if(report.contacts.begin(), report.contacts.end(), same);
    if (at == report.contacts.end()) continue;
    out->about = view::Choice{i, static_cast<std::size_t>(at - report.contacts.begin())};
    return out;
  }
  return {ErrorCode::kResource,
          fmt::format("step {}: a contact of the check is not found again", found.step)};
}

Result<DrawnStep> step_of(const Job& job, const Detector& detector, const io::Episode& episode) {
  return step_of(job, detector, FoundContact{episode.frames[0], episode.avatar, episode.first});
}

}  // namespace tocsin::app
