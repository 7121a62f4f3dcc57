#include "app/job.h"

#include <fmt/format.h>
#include <tbb/info.h>

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>

#include "io/embedded_avatar_models.h"
#include "io/sha256.h"
#include "io/text_scanner.h"

namespace tocsin::app {
namespace {

bool is_bvh(const std::string& file) {
  return io::same_ignoring_case(std::filesystem::path(file).extension().string(), ".bvh");
}

bool same_file(const std::string& a, const std::string& b) {
  std::error_code error;
  return a == b || std::filesystem::equivalent(a, b, error);
}

/// Options that contradict each other or the kind of motion file.
Status check_combination(const CheckOptions& options) {
  const auto refuse = [](std::string message) {
    return Status(ErrorCode::kUsage, std::move(message));
  };
  if (options.out && *options.out != "-") {
    std::vector<std::string> inputs = options.environments;
    inputs.push_back(options.motion);
    inputs.push_back(options.avatar);
    if (options.skeleton) inputs.push_back(*options.skeleton);
    for (const std::string& input : inputs) {
      if (same_file(*options.out, input)) {
        return refuse(fmt::format("--out: {} is an input and would be overwritten", input));
      }
    }
  }
  if (is_bvh(options.motion) && options.skeleton) {
    return refuse(fmt::format(
        "--skeleton: {} holds its own skeleton; the option goes with .amc files", options.motion));
  }
  if (is_bvh(options.motion) && options.rate) {
    return refuse(
        fmt::format("--rate: {} holds its own frame time; the option is for files without one",
                    options.motion));
  }
  return Nothing{};
}

/// Adds an input with the hash of its bytes.
Status add_input(Job& job, std::string role, const std::string& file) {
  const auto hash = io::sha256_file(file);
  if (!hash) return hash.error();
  job.inputs.push_back({std::move(role), file, hash.value()});
  return Nothing{};
}

Status load_motion_into(Job& job, const CheckOptions& options) {
  auto motion = load_motion(options.motion, {options.motion_unit, options.motion_up});
  if (!motion) return motion.error();
  const auto& warnings = motion.source().warnings;
  job.warnings.insert(job.warnings.end(), warnings.begin(), warnings.end());
  job.options.motion_unit = motion.source().unit_metres;
  auto placed = motion.placed(options.place);
  if (!placed) return Error{ErrorCode::kUsage, "--place: " + placed.error().message};
  job.motion = std::move(placed).value();
  return add_input(job, "motion", options.motion);
}

/// None if Tocsin ships no model of that name.
const io::EmbeddedAvatarModel* shipped_model(const std::string& name) {
  for (const io::EmbeddedAvatarModel& model : io::embedded_avatar_models()) {
    if (model.name == name) return &model;
  }
  return nullptr;
}

Status bind_avatar(Job& job, const CheckOptions& options) {
  const Skeleton& skeleton = job.motion.skeleton();
  const bool choose = options.avatar == "auto";
  auto avatar = !choose            ? Avatar::bind(load_avatar_model(options.avatar), skeleton)
                : options.resolved ? Avatar::automatic(skeleton)
                                   : choose_avatar(skeleton);
  if (!avatar) return avatar.error();
  job.avatar = std::move(avatar).value();
  std::string& name = job.options.avatar;
  name = options.avatar;
  if (choose && shipped_model(job.avatar.name()) != nullptr) {
    name = job.avatar.name();
    job.avatar_reason = "auto: the model that binds the most links by joint names";
  } else if (choose) {
    job.avatar_reason = "auto: the joint names fit no model that Tocsin ships";
    return Nothing{};
  }
  const io::EmbeddedAvatarModel* shipped = shipped_model(name);
  if (shipped == nullptr) return add_input(job, "avatar", name);
  job.inputs.push_back({"avatar", name, io::sha256_hex(shipped->text)});
  return Nothing{};
}

Status load_environments(Job& job, const CheckOptions& options) {
  std::vector<Environment> parts;
  for (const std::string& file : options.environments) {
    auto part = load_environment(file, {options.env_scale, options.env_up});
    if (!part) return part.error();
    job.warnings.insert(job.warnings.end(), part.warnings().begin(), part.warnings().end());
    parts.push_back(std::move(part).value());
    if (auto added = add_input(job, "environment", file); !added) return added;
  }
  auto merged = Environment::merge(parts);
  if (!merged) return merged.error();
  job.environment = std::move(merged).value();
  return Nothing{};
}

Status activate_pairs(Job& job, const CheckOptions& options) {
  auto active = ActivePairs::ignoring(job.avatar, job.environment, options.ignore);
  if (!active) return Error{active.error().code, "--ignore: " + active.error().message};
  for (std::size_t i = 0; i < active.matches().size(); ++i) {
    if (active.matches()[i] > 0) continue;
    job.warnings.push_back(
        fmt::format("--ignore '{}' matches no pair of a link and an object", options.ignore[i]));
  }
  job.active = std::move(active).value();
  return Nothing{};
}

Status take_steps(Job& job, const CheckOptions& options) {
  const FrameRange& frames = options.frames;
  const std::int64_t last = frames.last < 0 ? job.motion.frame_count() - 1 : frames.last;
  auto steps =
      job.motion.steps({frames.first, last, frames.stride, options.in_between, options.sampled});
  if (!steps) return Error{steps.error().code, "--frames: " + steps.error().message};
  job.steps = std::move(steps).value();
  job.options.frames = {frames.first, last, frames.stride};
  if (job.steps.empty()) {
    job.warnings.push_back(
        "a single frame holds no step: nothing was checked (--sampled checks poses)");
  }
  return Nothing{};
}

void resolve_plain_options(Job& job, const CheckOptions& options) {
  io::ReportOptions& o = job.options;
  o.skeleton = options.skeleton;
  o.rate = options.rate;
  o.motion_up = options.motion_up;
  o.env_up = options.env_up;
  o.env_scale = options.env_scale;
  o.place = options.place;
  o.in_between = options.in_between;
  o.margin = options.margin;
  o.ignore = options.ignore;
  o.contacts = options.contacts;
  o.clearance = options.clearance;
  o.sampled = options.sampled;
  o.tolerance = options.tolerance;
  o.backend = options.backend;
  o.threads = options.threads > 0 ? options.threads : tbb::info::default_concurrency();
  o.out = options.out;
  o.fail_on_contact = options.fail_on_contact;
  job.detector = {options.backend, options.contacts, options.margin, options.tolerance,
                  options.clearance};
}

}  // namespace

Status check_backend(Backend backend) {
  const Detector probe(Environment{}, {.backend = backend});
  if (probe.error() && probe.error()->code == ErrorCode::kUnavailable) return *probe.error();
  return Nothing{};
}

Result<Job> load_job(const CheckOptions& options) {
  Job job;
  resolve_plain_options(job, options);
  if (auto status = check_combination(options); !status) return status.error();
  for (const auto stage :
       {load_motion_into, bind_avatar, take_steps, load_environments, activate_pairs}) {
    if (auto status = stage(job, options); !status) return status.error();
  }
  return job;
}

io::RunRecord run_record(const Job& job, const Detector& detector) {
  io::RunRecord run;
  run.backend = detector.backend_name();
  run.device = detector.device_name();
  run.certified = !job.options.sampled;
  run.inputs = job.inputs;
  run.options = job.options;
  run.frames = job.motion.frame_count();
  run.frame_time = job.motion.frame_time();
  run.unit_metres = job.motion.source().unit_metres;
  run.links = link_names(job.avatar);
  run.objects = job.environment.objects().size();
  run.triangles = job.environment.triangles().size();
  return run;
}

std::vector<std::string> link_names(const Avatar& avatar) {
  std::vector<std::string> out;
  for (const Link& link : avatar.links()) out.push_back(link.name);
  return out;
}

std::vector<std::string> object_names(const Environment& environment) {
  std::vector<std::string> out;
  for (const Object& object : environment.objects()) out.push_back(object.name);
  return out;
}

}  // namespace tocsin::app
