#include "app/check/job.h"

#include <algorithm>
#include <span>

namespace tocsin::app {

std::size_t Job::step_count() const {
  std::size_t out = 0;
  for (const JobTake& take : takes) out += take.steps.size();
  return out;
}

std::size_t position_of(const StepList& steps, std::int64_t index) {
  const auto found =
      std::lower_bound(steps.begin(), steps.end(), index,
                       [](const Step& step, std::int64_t wanted) { return step.index() < wanted; });
  return static_cast<std::size_t>(found - steps.begin());
}

io::RunRecord run_record(const Job& job, const Detector& detector) {
  const JobTake& first = job.takes.front();
  io::RunRecord run;
  run.backend = detector.backend_name();
  run.device = detector.device_name();
  run.choice = detector.backend_reason();
  run.certified = !job.options.sampled && job.options.experiments.certify;
  run.inputs = job.inputs;
  run.options = job.options;
  run.frames = first.motion.frame_count();
  run.frame_time = first.motion.frame_time();
  run.unit_metres = first.motion.source().unit_metres;
  run.links = io::link_names(first.member.avatar);
  run.objects = job.environment.objects().size();
  run.triangles = job.environment.triangles().size();
  // Depths and what is nearest are not looked for in a room that changes.
  if (job.scene) return run;
  run.tells = {std::string(io::kTellsEpisodes)};
  if (job.options.spec.clearance) run.tells.emplace_back(io::kTellsNearest);
  if (!job.several()) return run;
  for (const JobTake& take : job.takes) {
    run.avatars.push_back({take.file, take.member.avatar.name(), io::link_names(take.member.avatar),
                           take.motion.frame_count(), take.motion.frame_time(),
                           take.motion.source().unit_metres});
  }
  run.time_line = {job.instants.size(), job.instants.front(), job.instants.back()};
  return run;
}

io::ReportNames report_names(const Job& job) {
  io::ReportNames names;
  for (const JobTake& take : job.takes) names.links.push_back(io::link_names(take.member.avatar));
  names.objects = job.scene ? job.scene->names : io::object_names(job.environment);
  return names;
}

SceneReplay replay_of(const Job& job) {
  const JobTake& take = job.only();
  return SceneReplay({job.environment, job.detector, *job.scene, take.steps, take.member,
                      job.options.spec.ignore});
}

namespace {

Status run_scene(const Job& job, const std::stop_token& stop, const StepSink& sink) {
  SceneReplay replay = replay_of(job);
  const StepList& steps = job.only().steps;
  bool goes_on = true;
  while (goes_on && !replay.done()) {
    const auto run = replay.next();
    if (!run) return run.error();
    std::size_t at = run->first;
    const Status ran = run->detector.run(
        run->member, std::span(steps).subspan(run->first, run->count),
        {.threads = job.options.threads, .stop = stop}, [&](const StepReport& answer) {
          StepReport report = answer;
          replay.number_objects(*run, report);
          goes_on = sink(steps[at++], report);
          return goes_on;
        });
    if (!ran) return ran;
  }
  return Nothing{};
}

}  // namespace

Status run_job(const Job& job, const Detector& detector, const std::stop_token& stop,
               const StepSink& sink) {
  if (job.scene) return run_scene(job, stop, sink);
  std::vector<std::size_t> next(job.takes.size(), 0);
  const auto take = [&](const StepReport& report) {
    const auto avatar = static_cast<std::size_t>(report.avatar);
    return sink(job.takes[avatar].steps[next[avatar]++], report);
  };
  if (!job.several()) {
    return detector.run(job.only().member, job.only().steps,
                        {.threads = job.options.threads, .stop = stop}, take);
  }
  std::vector<Member> members;
  std::vector<StepList> steps;
  for (const JobTake& one : job.takes) {
    members.push_back(one.member);
    steps.push_back(one.steps);
  }
  return detector.run(members, steps, {true, job.options.threads, stop}, take);
}

}  // namespace tocsin::app
