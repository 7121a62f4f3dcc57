#include "app/job_takes.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <optional>
#include <system_error>
#include <utility>

#include "app/file_kind.h"
#include "app/words.h"
#include "io/embedded_avatar_models.h"
#include "io/referenced_files.h"
#include "io/sha256.h"
#include "scene/unique_names.h"

namespace tocsin::app {
namespace {

/// What a message about one of several takes begins with: "b.bvh: ". Empty if there is one.
std::string whose(const CheckOptions& options, std::size_t i) {
  return options.takes() == 1 ? std::string() : options.take(i).motion + ": ";
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
void resolve_reading(io::ReportTake& out, const MotionSource& source, double frame_time) {
  const auto unless_empty = [](const std::string& text) {
    return text.empty() ? std::nullopt : std::optional<std::string>(text);
  };
  out.motion_unit = source.unit_metres;
  out.skeleton = unless_empty(source.skeleton_file);
  out.clip = unless_empty(source.clip);
  out.skin = unless_empty(source.skin);
  if (!out.rate && !source.rate_reason.empty()) out.rate = rate_of(frame_time);
}

/// A take on its way into the job.
struct Adding {
  Job& job;
  const CheckOptions& options;
  std::size_t i;             ///< which
  const TakeOptions& asked;  ///< its options
  io::ReportTake& resolved;  ///< the same, resolved
  JobTake& take;
};

Status load_motion_of(Adding& a) {
  auto motion = load_motion(a.asked.motion, a.asked.reading);
  if (!motion) return motion.error();
  const MotionSource& source = motion.source();
  a.job.warnings.insert(a.job.warnings.end(), source.warnings.begin(), source.warnings.end());
  resolve_reading(a.resolved, source, motion.frame_time());
  const auto& out = a.options.out;
  if (out && *out != "-" && !source.skeleton_file.empty()) {
    auto kept = refuse_overwriting("--out", *out, {source.skeleton_file});
    if (!kept) return kept;
  }
  auto placed = motion.placed(a.asked.place);
  if (!placed) {
    return Error{ErrorCode::kUsage,
                 fmt::format("--place: {}{}", whose(a.options, a.i), placed.error().message)};
  }
  a.take.motion = std::move(placed).value();
  if (auto added = add_input(a.job, "motion", a.asked.motion); !added) return added;
  if (auto added = add_buffers(a.job, a.asked.motion); !added) return added;
  if (source.skeleton_file.empty()) return Nothing{};
  return add_input(a.job, "skeleton", source.skeleton_file);
}

/// None if Tocsin ships no model of that name.
const io::EmbeddedAvatarModel* shipped_model(const std::string& name) {
  for (const io::EmbeddedAvatarModel& model : io::embedded_avatar_models()) {
    if (model.name == name) return &model;
  }
  return nullptr;
}

Status bind_avatar(Adding& a) {
  const Skeleton& skeleton = a.take.motion.skeleton();
  const TakeOptions& asked = a.asked;
  const bool choose = asked.avatar == "auto";
  auto avatar = !choose ? Avatar::bind(load_avatar_model(asked.avatar), skeleton, asked.radii)
                : a.options.resolved ? Avatar::automatic(skeleton, asked.radii)
                                     : choose_avatar(skeleton, asked.radii);
  if (!avatar) {
    return Error{avatar.error().code, whose(a.options, a.i) + avatar.error().message};
  }
  a.take.avatar = std::move(avatar).value();
  a.resolved.scale_radii = a.take.avatar.radius_factor();
  std::string& name = a.resolved.avatar;
  name = asked.avatar;
  if (choose && shipped_model(a.take.avatar.name()) != nullptr) {
    name = a.take.avatar.name();
    a.take.avatar_reason = "auto: the model that binds the most links by joint names";
  } else if (choose) {
    a.take.avatar_reason = "auto: the joint names fit no model that Tocsin ships";
    return Nothing{};
  }
  const io::EmbeddedAvatarModel* shipped = shipped_model(name);
  if (shipped == nullptr) return add_input(a.job, "avatar", name);
  a.job.inputs.push_back({"avatar", name, io::sha256_hex(shipped->text)});
  return Nothing{};
}

/// The steps of take i by itself.
Status take_own_steps(Job& job, const CheckOptions& options, std::size_t i, StepRange& range) {
  const FrameRange& frames = options.take(i).frames;
  const Motion& motion = job.takes[i].motion;
  const std::int64_t last = frames.last < 0 ? motion.frame_count() - 1 : frames.last;
  range = {frames.first, last, frames.stride, options.in_between, options.sampled};
  auto steps = motion.steps(range);
  if (!steps) {
    return Error{steps.error().code,
                 fmt::format("--frames: {}{}", whose(options, i), steps.error().message)};
  }
  job.takes[i].steps = std::move(steps).value();
  io::ReportTake& resolved = i == 0 ? job.options : job.options.others[i - 1];
  resolved.frames = {frames.first, last, frames.stride};
  return Nothing{};
}

/// Warns of takes that never share a step: nobody can meet an avatar that is not there. A take
/// without any step has a warning of its own.
void warn_of_strangers(Job& job) {
  constexpr std::size_t kMostNamed = 3;
  std::vector<std::string> strangers;
  for (std::size_t i = 0; i < job.takes.size(); ++i) {
    for (std::size_t j = i + 1; j < job.takes.size(); ++j) {
      const StepList& a = job.takes[i].steps;
      const StepList& b = job.takes[j].steps;
      if (a.empty() || b.empty()) continue;
      const bool meet =
          a[0].index() <= b[b.size() - 1].index() && b[0].index() <= a[a.size() - 1].index();
      if (!meet) strangers.push_back(job.takes[i].file + " and " + job.takes[j].file);
    }
  }
  for (std::size_t k = 0; k < std::min(strangers.size(), kMostNamed); ++k) {
    job.warnings.push_back(fmt::format("{} are never there at the same time", strangers[k]));
  }
  if (strangers.size() <= kMostNamed) return;
  job.warnings.push_back(fmt::format(
      "nor are the takes of {}", count_of(static_cast<std::int64_t>(strangers.size() - kMostNamed),
                                          "more pair", "more pairs")));
}

Status put_on_time_line(Job& job, const CheckOptions& options,
                        const std::vector<StepRange>& ranges) {
  std::vector<TakePart> parts;
  for (std::size_t i = 0; i < job.takes.size(); ++i) {
    parts.push_back({job.takes[i].motion, ranges[i], options.take(i).start});
  }
  auto line = on_one_time_line(parts, options.absent);
  if (!line) {
    Error error = line.error();
    for (std::size_t i = 0; i < job.takes.size(); ++i) {  // it counts takes; people know files
      const std::string take = fmt::format("take {}: ", i);
      if (error.message.starts_with(take)) error.message.replace(0, take.size(), whose(options, i));
    }
    return error;
  }
  job.instants = line.instants;
  for (std::size_t i = 0; i < job.takes.size(); ++i) {
    job.takes[i].steps = line.steps[i];
    if (!job.takes[i].steps.empty()) continue;
    job.warnings.push_back(fmt::format(
        "{}a single frame holds no step: the avatar is nowhere (--absent stays keeps it there)",
        whose(options, i)));
  }
  warn_of_strangers(job);
  return Nothing{};
}

}  // namespace

Status add_input(Job& job, std::string role, const std::string& file) {
  const auto hash = io::sha256_file(file);
  if (!hash) return hash.error();
  job.inputs.push_back({std::move(role), file, hash.value()});
  return Nothing{};
}

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

Status add_take(Job& job, const CheckOptions& options, std::size_t i) {
  const TakeOptions& asked = options.take(i);
  io::ReportTake& resolved = i == 0 ? job.options : job.options.others.emplace_back();
  JobTake& take = job.takes.emplace_back();
  take.file = asked.motion;
  resolved.rate = asked.reading.rate;
  resolved.motion_up = asked.reading.up;
  resolved.place = asked.place;
  resolved.start = asked.start;
  Adding adding{job, options, i, asked, resolved, take};
  if (auto loaded = load_motion_of(adding); !loaded) return loaded;
  return bind_avatar(adding);
}

Status take_steps(Job& job, const CheckOptions& options) {
  std::vector<StepRange> ranges(job.takes.size());
  for (std::size_t i = 0; i < job.takes.size(); ++i) {
    if (auto taken = take_own_steps(job, options, i, ranges[i]); !taken) return taken;
  }
  if (job.several()) return put_on_time_line(job, options, ranges);
  if (job.takes.front().steps.empty()) {
    job.warnings.push_back(
        "a single frame holds no step: nothing was checked (--sampled checks poses)");
  }
  return Nothing{};
}

void name_avatars(Job& job) {
  std::vector<std::string*> names;
  for (JobTake& take : job.takes) {
    take.name = std::filesystem::path(take.file).stem().string();
    names.push_back(&take.name);
  }
  scene::make_distinct(names);
}

}  // namespace tocsin::app
