#include "app/job.h"

#include <fmt/format.h>
#include <tbb/info.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <system_error>
#include <utility>

#include "app/file_kind.h"
#include "io/embedded_avatar_models.h"
#include "io/referenced_files.h"
#include "io/sha256.h"

namespace tocsin::app {
namespace {

/// A report must not overwrite what it is made from.
Status check_output(const CheckOptions& options) {
  if (!options.out || *options.out == "-") return Nothing{};
  std::vector<std::string> inputs = options.environments;
  inputs.push_back(options.motion);
  inputs.push_back(options.avatar);
  if (options.reading.skeleton) inputs.push_back(options.reading.skeleton->string());
  return refuse_overwriting("--out", *options.out, inputs);
}

/// Adds an input with the hash of its bytes.
Status add_input(Job& job, std::string role, const std::string& file) {
  const auto hash = io::sha256_file(file);
  if (!hash) return hash.error();
  job.inputs.push_back({std::move(role), file, hash.value()});
  return Nothing{};
}

/// Adds what a file that was read keeps in others.
Status add_buffers(Job& job, const std::string& file) {
  for (std::string& buffer : io::referenced_files(file)) {
    // The reader passes over a buffer that nothing uses; a pipe would hang here.
    std::error_code error;
    const auto status = std::filesystem::status(buffer, error);
    if (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status)) {
      return Error{ErrorCode::kInput,
                   fmt::format("{}: its buffer {} is not a regular file", file, buffer)};
    }
    if (auto added = add_input(job, "buffer", buffer); !added) return added;
  }
  return Nothing{};
}

/// The shortest rate, Hz, whose frame time this is: 29.97, not 29.969999999999995.
double rate_of(double frame_time) {
  double rate = 1.0 / frame_time;
  for (int digits = 1; digits < 17; ++digits) {
    const std::string text = fmt::format("{:.{}g}", rate, digits);
    double shorter = 0.0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), shorter);
    if (error == std::errc() && 1.0 / shorter == frame_time) return shorter;
  }
  return rate;
}

/// What was decided while reading the motion, so that it can be read in the same way again.
void resolve_reading(io::ReportOptions& out, const MotionSource& source, double frame_time) {
  const auto unless_empty = [](const std::string& text) {
    return text.empty() ? std::nullopt : std::optional<std::string>(text);
  };
  out.motion_unit = source.unit_metres;
  out.skeleton = unless_empty(source.skeleton_file);
  out.clip = unless_empty(source.clip);
  out.skin = unless_empty(source.skin);
  if (!out.rate && !source.rate_reason.empty()) out.rate = rate_of(frame_time);
}

Status load_motion_into(Job& job, const CheckOptions& options) {
  auto motion = load_motion(options.motion, options.reading);
  if (!motion) return motion.error();
  const MotionSource source = motion.source();
  job.warnings.insert(job.warnings.end(), source.warnings.begin(), source.warnings.end());
  resolve_reading(job.options, source, motion.frame_time());
  if (options.out && *options.out != "-" && !source.skeleton_file.empty()) {
    auto kept = refuse_overwriting("--out", *options.out, {source.skeleton_file});
    if (!kept) return kept;
  }
  auto placed = motion.placed(options.place);
  if (!placed) return Error{ErrorCode::kUsage, "--place: " + placed.error().message};
  job.motion = std::move(placed).value();
  if (auto added = add_input(job, "motion", options.motion); !added) return added;
  if (auto added = add_buffers(job, options.motion); !added) return added;
  if (source.skeleton_file.empty()) return Nothing{};
  return add_input(job, "skeleton", source.skeleton_file);
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
  auto avatar = !choose ? Avatar::bind(load_avatar_model(options.avatar), skeleton, options.radii)
                : options.resolved ? Avatar::automatic(skeleton, options.radii)
                                   : choose_avatar(skeleton, options.radii);
  if (!avatar) return avatar.error();
  job.avatar = std::move(avatar).value();
  job.options.scale_radii = job.avatar.radius_factor();
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
  o.rate = options.reading.rate;
  o.motion_up = options.reading.up;
  o.env_up = options.room.up;
  o.env_scale = options.room.scale;
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
  o.certify = options.certify;
  o.gl = options.gl;
  o.tree_cache = options.tree_cache;
  o.out = options.out;
  o.fail_on_contact = options.fail_on_contact;
  job.detector = {options.backend,   options.contacts,   options.margin, options.tolerance,
                  options.clearance, options.tree_cache, options.gl,     options.certify};
}

}  // namespace

Status check_backend(Backend backend) {
  if (backend == Backend::kGl) return Nothing{};  // opening a device takes as long as the inputs do
  const Detector probe(Environment{}, {.backend = backend});
  if (probe.error() && probe.error()->code == ErrorCode::kUnavailable) return *probe.error();
  return Nothing{};
}

Result<Job> load_job(const CheckOptions& options) {
  Job job;
  resolve_plain_options(job, options);
  if (auto status = check_output(options); !status) return status.error();
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
  run.certified = !job.options.sampled && job.options.certify;
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
