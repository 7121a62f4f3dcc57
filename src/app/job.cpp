#include "app/job.h"

#include <fmt/format.h>
#include <tbb/info.h>

#include <algorithm>
#include <utility>

#include "app/file_kind.h"
#include "app/job_takes.h"
#include "app/rest_overlap.h"

namespace tocsin::app {
namespace {

/// A report must not overwrite what it is made from.
Status check_output(const CheckOptions& options) {
  if (!options.out || *options.out == "-") return Nothing{};
  std::vector<std::string> inputs = options.environments;
  for (std::size_t i = 0; i < options.takes(); ++i) {
    const TakeOptions& take = options.take(i);
    inputs.push_back(take.motion);
    inputs.push_back(take.avatar);
    if (take.reading.skeleton) inputs.push_back(take.reading.skeleton->string());
  }
  return refuse_overwriting("--out", *options.out, inputs);
}

Status add_takes(Job& job, const CheckOptions& options) {
  for (std::size_t i = 0; i < options.takes(); ++i) {
    if (auto added = add_take(job, options, i); !added) return added;
  }
  name_avatars(job);
  return Nothing{};
}

Status load_environments(Job& job, const CheckOptions& options) {
  std::vector<Environment> parts;
  for (const std::string& file : options.environments) {
    auto part = load_environment(file, options.room);
    if (!part) return part.error();
    job.warnings.insert(job.warnings.end(), part.warnings().begin(), part.warnings().end());
    parts.push_back(std::move(part).value());
    if (auto added = add_input(job, "environment", file); !added) return added;
    if (auto added = add_buffers(job, file); !added) return added;
  }
  auto merged = Environment::merge(parts);
  if (!merged) return merged.error();
  job.environment = std::move(merged).value();
  return Nothing{};
}

Error of_ignore(const Error& error) { return {error.code, "--ignore: " + error.message}; }

/// Adds how many pairs each pattern switched off.
void add_matches(Job& job, std::span<const std::uint64_t> matches) {
  for (std::size_t i = 0; i < matches.size(); ++i) job.ignored[i] += matches[i];
}

/// True if a pattern that matches nothing was meant for --self.
bool matches_links(const Job& job, const std::string& pattern) {
  return std::any_of(job.takes.begin(), job.takes.end(), [&](const JobTake& take) {
    const auto pairs = LinkPairs::ignoring(take.avatar, {&pattern, 1});
    return pairs && pairs.value().matches()[0] > 0;
  });
}

Status activate_pairs(Job& job, const CheckOptions& options) {
  job.ignored.assign(options.ignore.size(), 0);
  for (JobTake& take : job.takes) {
    auto active = ActivePairs::ignoring(take.avatar, job.environment, options.ignore);
    if (!active) return of_ignore(active.error());
    add_matches(job, active.matches());
    take.active = std::move(active).value();
    if (!options.self) continue;
    auto self = LinkPairs::ignoring(take.avatar, options.ignore);
    if (!self) return of_ignore(self.error());
    add_matches(job, self.matches());
    take.self = std::move(self).value();
  }
  for (std::size_t i = 0; i < job.ignored.size(); ++i) {
    if (job.ignored[i] > 0) continue;
    const std::string& pattern = options.ignore[i];
    job.warnings.push_back(fmt::format(
        "--ignore '{}' matches no pair of a link and an object{}", pattern,
        options.self                  ? ", and none of two links"
        : matches_links(job, pattern) ? "; pairs of links are looked at with --self only"
                                      : ""));
  }
  return Nothing{};
}

void resolve_plain_options(Job& job, const CheckOptions& options) {
  io::ReportOptions& o = job.options;
  o.env_up = options.room.up;
  o.env_scale = options.room.scale;
  o.in_between = options.in_between;
  o.margin = options.margin;
  o.ignore = options.ignore;
  o.contacts = options.contacts;
  o.clearance = options.clearance;
  o.sampled = options.sampled;
  o.self = options.self;
  o.absent = options.absent;
  o.tolerance = options.tolerance;
  o.backend = options.backend;
  o.threads = options.threads > 0 ? options.threads : tbb::info::default_concurrency();
  o.certify = options.certify;
  o.gl = options.gl;
  o.cuda = options.cuda;
  o.tree_cache = options.tree_cache;
  o.out = options.out;
  o.fail_on_contact = options.fail_on_contact;
  job.detector = {options.backend,   options.contacts,  options.margin,
                  options.tolerance, options.clearance, options.tree_cache,
                  options.gl,        options.cuda,      options.certify};
}

}  // namespace

std::size_t Job::step_count() const {
  std::size_t out = 0;
  for (const JobTake& take : takes) out += take.steps.size();
  return out;
}

Status check_backend(const CheckOptions& options) {
  const Backend backend = options.backend;
  if (backend == Backend::kGl) return Nothing{};  // opening a device takes as long as the inputs do
  // Opened once, CUDA is open until the process ends: the time is not lost.
  const Detector probe(Environment{}, {.backend = backend, .cuda = options.cuda});
  if (probe.error() && probe.error()->code == ErrorCode::kUnavailable) return *probe.error();
  return Nothing{};
}

Result<Job> load_job(const CheckOptions& options) {
  Job job;
  resolve_plain_options(job, options);
  if (auto status = check_output(options); !status) return status.error();
  for (const auto stage :
       {add_takes, take_steps, load_environments, activate_pairs, ignore_rest_pairs}) {
    if (auto status = stage(job, options); !status) return status.error();
  }
  return job;
}

io::RunRecord run_record(const Job& job, const Detector& detector) {
  const JobTake& first = job.takes.front();
  io::RunRecord run;
  run.backend = detector.backend_name();
  run.device = detector.device_name();
  run.certified = !job.options.sampled && job.options.certify;
  run.inputs = job.inputs;
  run.options = job.options;
  run.frames = first.motion.frame_count();
  run.frame_time = first.motion.frame_time();
  run.unit_metres = first.motion.source().unit_metres;
  run.links = io::link_names(first.avatar);
  run.objects = job.environment.objects().size();
  run.triangles = job.environment.triangles().size();
  if (!job.several()) return run;
  for (const JobTake& take : job.takes) {
    run.avatars.push_back({take.file, take.avatar.name(), io::link_names(take.avatar),
                           take.motion.frame_count(), take.motion.frame_time(),
                           take.motion.source().unit_metres});
  }
  run.time_line = {job.instants.size(), job.instants.front(), job.instants.back()};
  return run;
}

io::ReportNames report_names(const Job& job) {
  io::ReportNames names;
  for (const JobTake& take : job.takes) names.links.push_back(io::link_names(take.avatar));
  names.objects = io::object_names(job.environment);
  return names;
}

Status run_job(const Job& job, const Detector& detector, const std::stop_token& stop,
               const StepSink& sink) {
  std::vector<std::size_t> next(job.takes.size(), 0);
  const auto take = [&](const StepReport& report) {
    const auto avatar = static_cast<std::size_t>(report.avatar);
    return sink(job.takes[avatar].steps[next[avatar]++], report);
  };
  if (!job.several()) {
    const JobTake& only = job.only();
    return detector.run(only.avatar, only.steps,
                        {job.options.threads, only.active, stop, only.self}, take);
  }
  std::vector<Member> members;
  std::vector<StepList> steps;
  for (const JobTake& one : job.takes) {
    members.push_back({one.avatar, one.active, one.self});
    steps.push_back(one.steps);
  }
  return detector.run(members, steps, {true, job.options.threads, stop}, take);
}

}  // namespace tocsin::app
