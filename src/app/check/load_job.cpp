#include "app/check/load_job.h"

#include <fmt/format.h>
#include <tbb/info.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "app/check/bodies/job_bodies.h"
#include "app/check/job_takes.h"
#include "app/check/rest_overlap.h"
#include "app/check/robot/robot_pairs.h"
#include "app/cli/file_kind.h"
#include "base/sha256.h"
#include "detect/crowd/name_patterns.h"
#include "io/load_environment.h"

namespace tocsin::app {
namespace {

/// A report must not overwrite what it is made from.
Status check_output(const CheckOptions& options) {
  if (!options.out || *options.out == "-") return Nothing{};
  std::vector<std::string> inputs = options.environments;
  for (const Take& take : options.takes) {
    inputs.push_back(take.motion);
    inputs.push_back(take.avatar.model);
    if (take.reading.skeleton) inputs.push_back(take.reading.skeleton->string());
    if (!take.srdf.empty()) inputs.push_back(take.srdf);
    for (const HeldMesh& held : take.avatar.hold) inputs.push_back(held.mesh);
  }
  for (const BodySpec& body : options.spec.bodies) {
    inputs.push_back(body.mesh);
    if (!body.motion.empty()) inputs.push_back(body.motion);
  }
  return refuse_overwriting("--out", *options.out, inputs);
}

Status add_takes(Job& job, const CheckOptions& options) {
  for (std::size_t i = 0; i < options.takes.size(); ++i) {
    if (auto added = add_take(job, options, i); !added) return added;
  }
  if (auto added = add_bodies(job, options); !added) return added;
  name_avatars(job);
  return Nothing{};
}

/// Reads the rooms, or takes those that are read.
Status take_rooms(Job& job, const CheckOptions& options, const Rooms* known) {
  Result<Rooms> rooms = known != nullptr ? Result<Rooms>(*known) : load_rooms(options);
  if (!rooms) return rooms.error();
  job.inputs.insert(job.inputs.end(), rooms->inputs.begin(), rooms->inputs.end());
  if (known == nullptr) {
    job.warnings.insert(job.warnings.end(), rooms->warnings.begin(), rooms->warnings.end());
  }
  job.environment = std::move(rooms->environment);
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
    const auto pairs = LinkPairs::ignoring(take.member.avatar, {&pattern, 1});
    return pairs && pairs.value().matches()[0] > 0;
  });
}

Status activate_pairs(Job& job, const CheckOptions& options) {
  job.ignored.assign(options.spec.ignore.size(), 0);
  for (JobTake& take : job.takes) {
    auto active = ActivePairs::ignoring(take.member.avatar, job.environment, options.spec.ignore);
    if (!active) return of_ignore(active.error());
    add_matches(job, active->matches());
    take.member.active = std::move(active).value();
    if (!options.spec.self) continue;
    auto self = LinkPairs::ignoring(take.member.avatar, options.spec.ignore);
    if (!self) return of_ignore(self.error());
    add_matches(job, self->matches());
    take.member.self = std::move(self).value();
  }
  for (std::size_t i = 0; i < job.ignored.size(); ++i) {
    if (job.ignored[i] > 0) continue;
    const std::string& pattern = options.spec.ignore[i];
    job.warnings.push_back(fmt::format(
        "--ignore '{}' matches no pair of a link and an object{}", pattern,
        options.spec.self             ? ", and none of two links"
        : matches_links(job, pattern) ? "; pairs of links are looked at with --self only"
                                      : ""));
  }
  return Nothing{};
}

/// Says which --surface matches no object.
Status check_surfaces(Job& job, const CheckOptions& options) {
  for (const std::string& pattern : options.spec.surfaces) {
    const auto objects = job.environment.objects();
    const auto on =
        detect::matching(pattern, objects.size(),
                         [&](std::size_t i) -> const std::string& { return objects[i].name; });
    if (std::find(on.begin(), on.end(), 1) != on.end() || pattern == "*") continue;
    job.warnings.push_back(fmt::format("--surface '{}' matches no object", pattern));
  }
  return Nothing{};
}

/// What a record tells of its room.
Status take_scene(Job& job, const CheckOptions& options) {
  if (!options.scene) return Nothing{};
  if (job.several()) {
    return Error{ErrorCode::kInput, fmt::format("{}: is of one avatar, and there are {}",
                                                *options.scene, job.takes.size())};
  }
  // Both would be of the room as its files have it.
  if (options.near > 0.0 || options.nearest > 0.0) {
    return Error{ErrorCode::kInput,
                 fmt::format("{}: tells of a room that changes, in which {} is not answered",
                             *options.scene, options.near > 0.0 ? "\"near\"" : "\"nearest\"")};
  }
  auto hash = base::sha256_file(*options.scene);
  if (!hash) return hash.error();
  auto scene = load_recorded_scene(*options.scene, options.scene_bytes, job.environment);
  if (!scene) return scene.error();
  job.inputs.push_back({"scene", *options.scene, std::move(hash).value()});
  job.scene = std::make_shared<const RecordedScene>(std::move(scene).value());
  if (options.backend == Backend::kGl || options.backend == Backend::kCuda) {
    job.warnings.emplace_back("the CPU checks a room that changes: no device can do that yet");
  }
  job.detector.backend = Backend::kCpu;
  return Nothing{};
}

/// As asked, with what is decided without any input.
void resolve_plain_options(Job& job, const CheckOptions& options) {
  job.options = options;
  if (options.threads <= 0) job.options.threads = tbb::info::default_concurrency();
  job.detector = detector_options(options.spec, {.backend = options.backend,
                                                 .tree_cache = options.tree_cache,
                                                 .threads = job.options.threads,
                                                 .gl = options.gl,
                                                 .cuda = options.cuda,
                                                 .experiments = options.experiments});
}

}  // namespace

Status check_backend(const CheckOptions& options) {
  const Backend backend = options.backend;
  if (backend == Backend::kGl) return Nothing{};  // opening a device takes as long as the inputs do
  // Opened once, CUDA is open until the process ends: the time is not lost.
  const auto probe = Detector::make(Environment{}, {.backend = backend,
                                                    .threads = options.threads,
                                                    .cuda = options.cuda,
                                                    .experiments = options.experiments});
  if (!probe && probe.error().code == ErrorCode::kUnavailable) return probe.error();
  return Nothing{};
}

Result<Rooms> load_rooms(const CheckOptions& options) {
  Rooms out;
  std::vector<Environment> parts;
  for (const std::string& file : options.environments) {
    auto part = io::load_environment(file, options.room, io::FolderGuard::anywhere(), &out.inputs);
    if (!part) return part.error();
    out.warnings.insert(out.warnings.end(), part->warnings().begin(), part->warnings().end());
    parts.push_back(std::move(part).value());
  }
  auto merged = Environment::merge(parts);
  if (!merged) return merged.error();
  out.environment = std::move(merged).value();
  return out;
}

Result<Job> load_job(const CheckOptions& options, const Rooms* rooms) {
  Job job;
  resolve_plain_options(job, options);
  if (auto status = check_output(options); !status) return status.error();
  const auto read_rooms = [rooms](Job& into, const CheckOptions& asked) {
    return take_rooms(into, asked, rooms);
  };
  using Stage = std::function<Status(Job&, const CheckOptions&)>;
  for (const Stage& stage : {Stage(add_takes), Stage(take_steps), Stage(read_rooms),
                             Stage(take_scene), Stage(activate_pairs), Stage(check_surfaces),
                             Stage(ignore_robot_pairs), Stage(ignore_rest_pairs)}) {
    if (auto status = stage(job, options); !status) return status.error();
  }
  job.detector.expected_steps = job.step_count();
  return job;
}

}  // namespace tocsin::app
