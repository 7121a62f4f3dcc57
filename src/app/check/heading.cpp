#include "app/check/heading.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <vector>

#include "app/check/take_words.h"
#include "app/cli/open_edges.h"
#include "app/cli/words.h"
#include "detect/crowd/name_patterns.h"
#include "detect/step/solid_objects.h"
#include "scene/solid/edges.h"

namespace tocsin::app {
namespace {

std::string take_line(const Job& job, std::size_t i) {
  const JobTake& take = job.takes[i];
  const std::string text =
      fmt::format("{}: {} {}, {}", take.file, count_of(take.motion.frame_count(), "frame"),
                  rate_text(take.motion), count_of(take.motion.skeleton().size(), "joint"));
  return fact("Take", job.several() ? fmt::format("{}; below: {}", text, take.name) : text);
}

std::string unit_line(const JobTake& take) {
  const MotionSource& source = take.motion.source();
  std::string text = fmt::format("one unit is {} m", brief(source.unit_metres));
  if (!source.unit_reason.empty()) text += fmt::format(" ({})", source.unit_reason);
  return fact("Unit", text);
}

/// The chosen clip and skin, and values that the file does not have.
std::string choice_lines(const JobTake& take) {
  const MotionSource& source = take.motion.source();
  std::string out;
  if (!source.clip.empty()) out += fact("Clip", source.clip);
  if (!source.skin.empty()) out += fact("Skin", source.skin);
  if (!source.skeleton_file.empty()) out += fact("Skeleton", source.skeleton_file);
  if (!source.rate_reason.empty()) out += fact("Rate", source.rate_reason);
  return out;
}

std::string shape_text(const Link& link) {
  return count_of(static_cast<std::int64_t>(link.shape.features().size()), "triangle");
}

/// The links with shapes, one a line; those that are held, with their joint.
std::string shape_lines(const Avatar& avatar, const std::vector<HeldMesh>& held) {
  std::string out;
  const std::size_t first_held = avatar.links().size() - held.size();
  for (std::size_t i = 0; i < avatar.links().size(); ++i) {
    const Link& link = avatar.links()[i];
    if (link.shape.empty()) continue;
    const std::string& joint =
        avatar.skeleton().joints()[static_cast<std::size_t>(link.joint)].name;
    out += fact(i < first_held ? "Mesh" : "Holds",
                fmt::format("{}: {}, on joint {}", link.name, shape_text(link), joint));
  }
  return out;
}

std::string avatar_line(const Job& job, std::size_t i) {
  const JobTake& take = job.takes[i];
  const AvatarSpec& avatar = job.options.takes[i].avatar;
  const bool automatic = avatar.model == "auto";
  std::string text =
      fmt::format("{}, {}", automatic ? "one link per bone" : avatar.model,
                  count_of(static_cast<std::int64_t>(take.member.avatar.links().size()), "link"));
  if (!take.avatar_reason.empty()) text += fmt::format(" ({})", take.avatar_reason);
  const double factor = avatar.radii.factor;
  if (factor != 1.0) text += fmt::format(", radii times {}", brief(factor));
  if (job.options.spec.margin > 0.0)
    text += fmt::format(", grown by {} m", brief(job.options.spec.margin));
  return fact("Avatar", text) + shape_lines(take.member.avatar, avatar.hold);
}

/// A body, what moves it and when.
std::string body_line(const JobTake& take) {
  const Motion& motion = take.motion;
  const auto links = take.member.avatar.links();
  std::string text = take.name;
  for (const Link& link : links) {
    text += links.size() == 1 ? fmt::format(", {}", shape_text(link))
                              : fmt::format(", {}: {}", link.name, shape_text(link));
  }
  if (motion.source().file.empty()) return fact("Body", text + ", stands still");
  const double last = motion.seconds(motion.frame_count() - 1);
  return fact("Body",
              fmt::format("{}, moved by {}: {}, {:.4f} s to {:.4f} s", text, take.file,
                          count_of(motion.frame_count(), "frame"), take.start, take.start + last));
}

std::string place_line(const Placement& place) {
  const auto& [at, yaw] = place;
  if (at == Vec3{} && yaw == 0.0) return fact("Placed", "as recorded");
  std::string text = fmt::format("moved by ({}, {}, {}) m", brief(at.x), brief(at.y), brief(at.z));
  if (yaw != 0.0) text = fmt::format("turned by {} degrees, then {}", brief(yaw), text);
  return fact("Placed", text);
}

/// Of several takes: which frames are when on the time line.
std::string frames_line(const Job& job, std::size_t i) {
  const Take& take = job.options.takes[i];
  const Motion& motion = job.takes[i].motion;
  return fact("Frames", fmt::format("{}: {:.4f} s to {:.4f} s", frames_text(take.frames),
                                    take.start + motion.seconds(take.frames.first),
                                    take.start + motion.seconds(take.frames.last)));
}

/// Which pairs of links of one avatar are checked.
std::string self_lines(const Job& job) {
  std::string out;
  for (const JobTake& take : job.takes) {
    std::string text = count_of(static_cast<std::int64_t>(take.member.self.size()),
                                "pair of its own links", "pairs of its own links");
    if (const auto left_out = static_cast<std::int64_t>(take.rest_ignored.size()); left_out > 0) {
      text += fmt::format(", without {} that {} in the rest pose", grouped(left_out),
                          left_out == 1 ? "overlaps" : "overlap");
    }
    out += fact(out.empty() ? "Self" : "",
                job.several() ? fmt::format("{}: {}", take.name, text) : text);
  }
  return out;
}

/// An object and what is open about it.
std::string open_text(const Environment& room, std::uint32_t object) {
  const Object& o = room.objects()[object];
  return fmt::format("{} ({})", o.name, open_edges(scene::count_edges(room, o)));
}

/// " and 6 more (tocsin info)"; empty where the first is all.
std::string more_text(const std::vector<std::uint32_t>& objects) {
  if (objects.size() == 1) return {};
  return fmt::format(" and {} more (tocsin info)",
                     grouped(static_cast<std::int64_t>(objects.size() - 1)));
}

bool is_surface(const std::vector<std::string>& surfaces, const std::string& name) {
  return std::any_of(surfaces.begin(), surfaces.end(), [&name](const std::string& glob) {
    return detect::matching(glob, 1, [&](std::size_t) -> const std::string& { return name; })[0] !=
           0;
  });
}

/// Which objects are solid, and which cannot be.
std::string solid_line(const Job& job) {
  const Environment& room = job.environment;
  const std::vector<std::string>& surfaces = job.detector.surfaces;
  if (std::find(surfaces.begin(), surfaces.end(), "*") != surfaces.end()) return {};
  const scene::Solids& solids = scene::solids_of(room);
  const detect::SolidObjects solid(room, surfaces);
  std::int64_t count = 0;
  std::vector<std::uint32_t> open;
  std::vector<std::uint32_t> inward;
  for (std::uint32_t i = 0; i < room.objects().size(); ++i) {
    if (solid.is_solid(i)) ++count;
    if (!solids.closed(i) && room.objects()[i].triangle_count > 0) open.push_back(i);
    const std::string& name = room.objects()[i].name;
    if (solids.closed(i) && !solids.solid(i) && !is_surface(surfaces, name)) inward.push_back(i);
  }
  std::string text =
      fmt::format("{} of {}", grouped(count),
                  count_of(static_cast<std::int64_t>(room.objects().size()), "object"));
  if (!open.empty()) {
    text += fmt::format("; not closed: {}{}", open_text(room, open.front()), more_text(open));
  }
  std::string out = fact("Solid", text);
  if (inward.empty()) return out;
  const std::string& first = room.objects()[inward.front()].name;
  // It has no inside: what stands in a hollow room touches its walls only.
  out += fact("Inward", fmt::format("{}{}: closed, and faces inward: a room, free inside. If it is "
                                    "a solid, flip its faces; if not, --surface ends this line",
                                    first, more_text(inward)));
  return out;
}

std::string room_lines(const Job& job) {
  std::vector<std::string> files;
  for (const auto& input : job.inputs) {
    if (input.role == "environment") files.push_back(input.file);
  }
  const auto& room = job.environment;
  std::string out =
      fact("Room",
           fmt::format("{}: {}, {}", listed(files),
                       count_of(static_cast<std::int64_t>(room.objects().size()), "object"),
                       count_of(static_cast<std::int64_t>(room.triangles().size()), "triangle")));
  out += solid_line(job);
  if (job.options.spec.self) out += self_lines(job);
  for (std::size_t i = 0; i < job.ignored.size(); ++i) {
    out += fact(i == 0 ? "Ignored" : "",
                fmt::format("{} ({})", job.options.spec.ignore[i],
                            count_of(static_cast<std::int64_t>(job.ignored[i]), "pair")));
  }
  return out;
}

std::string time_line_line(const Job& job) {
  return fact("Time line",
              fmt::format("{} from {:.4f} s to {:.4f} s; outside its own an avatar {}",
                          count_of(static_cast<std::int64_t>(job.instants.size()), "instant"),
                          job.instants.front(), job.instants.back(),
                          job.options.absent == Absence::kGone ? "is not there" : "stands still"));
}

std::string checked_line(const Job& job, std::int64_t steps) {
  const std::string range = frames_text(job.options.takes.front().frames);
  if (job.options.sampled) {
    return fact("Sampled", fmt::format("{}: {}; nothing between the poses was looked at", range,
                                       count_of(steps, "single pose")));
  }
  const std::string_view between =
      job.options.spec.in_between == InBetween::kScrew ? "screw" : "translate-rotate";
  const std::string_view how =
      job.options.experiments.certify ? "every moment of them" : "in image space";
  const std::string what =
      job.several() ? fmt::format("{} of {} avatars", count_of(steps, "step"), job.takes.size())
                    : fmt::format("{}: {}", range, count_of(steps, "step"));
  return fact("Checked", fmt::format("{}, {}; {} motion in between", what, how, between));
}

}  // namespace

std::string render_heading(const Job& job, std::int64_t steps) {
  std::string out;
  for (std::size_t i = 0; i < job.options.takes.size(); ++i) {
    const JobTake& take = job.takes[i];
    out += take_line(job, i) + choice_lines(take) + unit_line(take) + avatar_line(job, i) +
           place_line(job.options.takes[i].avatar.place);
    if (job.several()) out += frames_line(job, i);
  }
  for (const JobTake& take : job.takes) {
    if (take.is_body) out += body_line(take);
  }
  out += room_lines(job);
  if (job.several()) out += time_line_line(job);
  return out + checked_line(job, steps);
}

}  // namespace tocsin::app
