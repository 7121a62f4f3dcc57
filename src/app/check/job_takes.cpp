#include "app/check/job_takes.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <optional>
#include <system_error>
#include <utility>

#include "app/check/bodies/held_meshes.h"
#include "app/check/bodies/job_bodies.h"
#include "app/check/take_words.h"
#include "app/cli/file_kind.h"
#include "app/cli/words.h"
#include "base/unique_names.h"
#include "io/avatar/load_avatar_model.h"
#include "io/load_motion.h"
#include "tocsin/binding.h"

namespace tocsin::app {
namespace {

/// The beginning of a message about one of several takes: "b.bvh: ". Empty if there is only one.
std::string whose(const CheckOptions& options, std::size_t i) {
  return options.takes.size() == 1 ? std::string() : options.takes[i].motion + ": ";
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
void resolve_reading(MotionOptions& out, const MotionSource& source, double frame_time) {
  out.unit_metres = source.unit_metres;
  out.skeleton = std::nullopt;
  if (!source.skeleton_file.empty()) out.skeleton = source.skeleton_file;
  out.clip = source.clip;
  out.skin = source.skin;
  if (!out.rate && !source.rate_reason.empty()) out.rate = rate_of(frame_time);
}

/// A take that is being added to the job.
struct Adding {
  Job& job;
  const CheckOptions& options;
  std::size_t i;      ///< which
  const Take& asked;  ///< its options
  Take& resolved;     ///< the same, resolved
  JobTake& take;
};

Status load_motion_of(Adding& a) {
  auto motion = io::load_motion(a.asked.motion, a.asked.reading, &a.job.inputs);
  if (!motion) return motion.error();
  const MotionSource& source = motion->source();
  a.job.warnings.insert(a.job.warnings.end(), source.warnings.begin(), source.warnings.end());
  resolve_reading(a.resolved.reading, source, motion->frame_time());
  if (auto said = settle_rest_frame(a.asked, *motion, a.resolved.frames)) {
    a.job.warnings.push_back(std::move(*said));
  }
  const auto& out = a.options.out;
  if (out && *out != "-" && !source.skeleton_file.empty()) {
    auto kept = refuse_overwriting("--out", *out, {source.skeleton_file});
    if (!kept) return kept;
  }
  auto placed = motion->placed(a.asked.avatar.place);
  if (!placed) {
    return Error{ErrorCode::kUsage,
                 fmt::format("--place: {}{}", whose(a.options, a.i), placed.error().message)};
  }
  a.take.motion = std::move(placed).value();
  return Nothing{};
}

/// The avatar that is asked for; `chosen`: `--avatar auto`.
Result<BoundAvatar> bound_for(Adding& a, bool chosen) {
  const AvatarSpec& asked = a.asked.avatar;
  const Motion& motion = a.take.motion;
  if (chosen) {
    return a.options.resolved ? bind_bones(motion, asked.radii)
                              : choose_bound_avatar(motion, asked.radii);
  }
  const auto model = io::load_avatar_model(asked.model, &a.job.inputs);
  if (!model) return model.error();
  return bind_avatar(*model, motion, asked.radii);
}

/// Why `auto` took a model, for people.
std::string choice_reason(BoundBy by) {
  switch (by) {
    case BoundBy::kNames:
      return "auto: the model that binds the most links by joint names";
    case BoundBy::kSimilarNames:
      return "auto: the model that binds the most links by names like its own";
    case BoundBy::kShape:
      return "auto: the model that binds the most links by the skeleton's shape";
    case BoundBy::kBones:
      break;
  }
  return "auto: neither joint names nor shape fit a model that Tocsin ships";
}

/// What `auto` decided.
void tell_choice(Adding& a, BoundBy by) {
  a.take.avatar_reason = choice_reason(by);
  const auto* const shipped = io::embedded_avatar_model(a.take.member.avatar.name());
  if (shipped == nullptr) return;
  a.resolved.avatar.model = shipped->name;
  a.job.inputs.push_back(io::shipped_input(*shipped));
}

Status take_avatar(Adding& a) {
  const bool choose = a.asked.avatar.model == "auto";
  auto bound = bound_for(a, choose);
  if (!bound) return Error{bound.error().code, whose(a.options, a.i) + bound.error().message};
  for (const std::string& note : bound->binding.notes) {
    a.job.warnings.push_back(a.asked.motion + ": " + note);
  }
  a.take.member.avatar = bound->avatar;
  a.resolved.avatar.radii = {false, a.take.member.avatar.radius_factor()};
  if (choose) tell_choice(a, bound->binding.by);
  if (a.asked.avatar.hold.empty()) return Nothing{};
  auto holding = with_held_meshes(*bound, a.resolved.avatar.hold, a.job.inputs, a.job.warnings);
  if (!holding) return Error{holding.error().code, whose(a.options, a.i) + holding.error().message};
  a.take.member.avatar = std::move(holding).value();
  return Nothing{};
}

/// The steps of take i by itself.
Status take_own_steps(Job& job, const CheckOptions& options, std::size_t i, StepRange& range) {
  const FrameRange& frames = job.options.takes[i].frames;
  const Motion& motion = job.takes[i].motion;
  const std::int64_t last = frames.last < 0 ? motion.frame_count() - 1 : frames.last;
  range = {frames.first, last, frames.stride, options.spec.in_between, options.sampled};
  auto steps = motion.steps(range);
  if (!steps) {
    return Error{steps.error().code,
                 fmt::format("--frames: {}{}", whose(options, i), steps.error().message)};
  }
  job.takes[i].steps = std::move(steps).value();
  job.options.takes[i].frames.last = last;
  return Nothing{};
}

/// Warns of takes that never share a step, so that their avatars cannot meet. A take without any
/// step has its own warning.
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

/// Bodies come with all their frames.
Status add_parts_of_bodies(Job& job, const CheckOptions& options, std::vector<TakePart>& parts) {
  const auto add_bodies_to = [&](std::vector<TakePart>& to) {
    for (const JobTake& take : job.takes) {
      const std::int64_t last = take.motion.frame_count() - 1;
      if (!take.is_body || last < 0) continue;
      to.push_back({take.motion, {0, last, 1, options.spec.in_between, false}, take.start});
    }
  };
  std::vector<TakePart> moving = parts;
  add_bodies_to(moving);
  if (auto standing = let_bodies_stand(job, moving); !standing) return standing;
  add_bodies_to(parts);
  return Nothing{};
}

Status put_on_time_line(Job& job, const CheckOptions& options,
                        const std::vector<StepRange>& ranges) {
  std::vector<TakePart> parts;
  for (std::size_t i = 0; i < options.takes.size(); ++i) {
    parts.push_back({job.takes[i].motion, ranges[i], options.takes[i].start});
  }
  if (auto added = add_parts_of_bodies(job, options, parts); !added) return added;
  auto line = on_one_time_line(parts, options.absent);
  if (!line) {
    Error error = line.error();
    for (std::size_t i = 0; i < job.takes.size();
         ++i) {  // the message numbers takes; people know files
      const std::string take = fmt::format("take {}: ", i);
      if (!error.message.starts_with(take)) continue;
      error.message.replace(0, take.size(), job.takes[i].file + ": ");
    }
    return error;
  }
  job.instants = line->instants;
  for (std::size_t i = 0; i < job.takes.size(); ++i) {
    job.takes[i].steps = line->steps[i];
    if (!job.takes[i].steps.empty()) continue;
    job.warnings.push_back(fmt::format(
        "{}: a single frame holds no step: the avatar is nowhere (--absent stays keeps it there)",
        job.takes[i].file));
  }
  warn_of_strangers(job);
  return Nothing{};
}

}  // namespace

Status add_take(Job& job, const CheckOptions& options, std::size_t i) {
  const Take& asked = options.takes[i];
  JobTake& take = job.takes.emplace_back();
  take.file = asked.motion;
  Adding adding{job, options, i, asked, job.options.takes[i], take};
  if (auto loaded = load_motion_of(adding); !loaded) return loaded;
  return take_avatar(adding);
}

Status take_steps(Job& job, const CheckOptions& options) {
  std::vector<StepRange> ranges(options.takes.size());
  for (std::size_t i = 0; i < options.takes.size(); ++i) {
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
    if (!take.is_body) take.name = std::filesystem::path(take.file).stem().string();
    names.push_back(&take.name);
  }
  base::make_distinct(names);
}

}  // namespace tocsin::app
