#include "app/table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <string_view>

#include "app/text_table.h"
#include "app/words.h"
#include "io/json_text.h"
#include "io/option_names.h"

namespace tocsin::app {
namespace {

// A screenful. More rows are no longer read; the report has them all.
constexpr std::size_t kMostRows = 40;
constexpr int kWidestName = 32;  // columns

std::string take_line(const Job& job) {
  const Motion& motion = job.motion;
  return fact("Take",
              fmt::format("{}: {} at {} Hz ({} s), {}", job.inputs.front().file,
                          count_of(motion.frame_count(), "frame"), brief(1.0 / motion.frame_time()),
                          brief(motion.frame_time() * static_cast<double>(motion.frame_count())),
                          count_of(motion.skeleton().size(), "joint")));
}

std::string unit_line(const Job& job) {
  const MotionSource& source = job.motion.source();
  std::string text = fmt::format("one unit is {} m", brief(source.unit_metres));
  if (!source.unit_reason.empty()) text += fmt::format(" ({})", source.unit_reason);
  return fact("Unit", text);
}

/// Which part of a file that holds several, and what the file did not say.
std::string choice_lines(const Job& job) {
  const MotionSource& source = job.motion.source();
  std::string out;
  if (!source.clip.empty()) out += fact("Clip", source.clip);
  if (!source.skin.empty()) out += fact("Skin", source.skin);
  if (!source.skeleton_file.empty()) out += fact("Skeleton", source.skeleton_file);
  if (!source.rate_reason.empty()) out += fact("Rate", source.rate_reason);
  return out;
}

std::string avatar_line(const Job& job) {
  const bool automatic = job.options.avatar == "auto";
  std::string text =
      fmt::format("{}, {}", automatic ? "one link per bone" : job.options.avatar,
                  count_of(static_cast<std::int64_t>(job.avatar.links().size()), "link"));
  if (!job.avatar_reason.empty()) text += fmt::format(" ({})", job.avatar_reason);
  if (job.options.scale_radii != 1.0) {
    text += fmt::format(", radii times {}", brief(job.options.scale_radii));
  }
  if (job.options.margin > 0.0) text += fmt::format(", grown by {} m", brief(job.options.margin));
  return fact("Avatar", text);
}

std::string place_line(const Job& job) {
  const auto& [at, yaw] = job.options.place;
  if (at == Vec3{} && yaw == 0.0) return fact("Placed", "as recorded");
  std::string text = fmt::format("moved by ({}, {}, {}) m", brief(at.x), brief(at.y), brief(at.z));
  if (yaw != 0.0) text = fmt::format("turned by {} degrees, then {}", brief(yaw), text);
  return fact("Placed", text);
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
  for (std::size_t i = 0; i < job.options.ignore.size(); ++i) {
    out += fact(i == 0 ? "Ignored" : "",
                fmt::format("{} ({})", job.options.ignore[i],
                            count_of(static_cast<std::int64_t>(job.active.matches()[i]), "pair")));
  }
  return out;
}

std::string checked_line(const Job& job, const Outcome& outcome) {
  const auto& [first, last, stride] = job.options.frames;
  std::string range = fmt::format("frames {} to {}", grouped(first), grouped(last));
  if (stride > 1) range += fmt::format(", stride {}", grouped(stride));
  if (job.options.sampled) {
    return fact("Sampled", fmt::format("{}: {}; nothing between the poses was looked at", range,
                                       count_of(outcome.tally.steps, "single pose")));
  }
  const std::string_view between =
      job.options.in_between == InBetween::kScrew ? "screw" : "translate-rotate";
  const std::string_view how = job.options.certify ? "every moment of them" : "in image space";
  return fact("Checked", fmt::format("{}: {}, {}; {} motion in between", range,
                                     count_of(outcome.tally.steps, "step"), how, between));
}

std::string heading(const Job& job, const Outcome& outcome) {
  return take_line(job) + choice_lines(job) + unit_line(job) + avatar_line(job) + place_line(job) +
         room_lines(job) + checked_line(job, outcome);
}

std::string episode_rows(const Job& job, const Outcome& outcome) {
  const bool sampled = job.options.sampled;
  TextTable table({{"First touch", Align::kRight},
                   {"Lasts", Align::kRight},
                   {sampled ? "Poses" : "Steps", Align::kRight},
                   {"Link", Align::kLeft, kWidestName},
                   {"Object", Align::kLeft, kWidestName},
                   {"Status", Align::kLeft},
                   {"x", Align::kRight},
                   {"y", Align::kRight},
                   {"z (m)", Align::kRight}});
  const auto objects = job.environment.objects();
  for (std::size_t i = 0; i < outcome.episodes.size() && i < kMostRows; ++i) {
    const io::Episode& episode = outcome.episodes[i];
    const Contact& contact = episode.first;
    table.add({moment(episode.first_touch), fmt::format("{:.3f} s", episode.duration()),
               grouped(episode.steps),
               job.avatar.links()[static_cast<std::size_t>(contact.link)].name,
               objects[contact.object].name, std::string(io::name_of(contact.status)),
               fixed(contact.point.x, 3), fixed(contact.point.y, 3), fixed(contact.point.z, 3)});
  }
  std::string out = table.text();
  if (outcome.episodes.size() > kMostRows) {
    out += fmt::format("... and {} more (use --out FILE for all)\n",
                       grouped(static_cast<std::int64_t>(outcome.episodes.size() - kMostRows)));
  }
  return out;
}

std::string clearance_rows(const Job& job, const Outcome& outcome) {
  TextTable table({{"Link", Align::kLeft, kWidestName},
                   {"Clearance of at least", Align::kRight},
                   {"Least at", Align::kRight}});
  for (std::size_t i = 0; i < outcome.clearances.size(); ++i) {
    const LeastClearance& least = outcome.clearances[i];
    // Downwards: the shown bound is to be true, too.
    const double shown = std::max(0.0, least.metres - 0.5e-4);
    const std::string metres = !std::isfinite(least.metres) ? "nothing to touch"
                               : least.metres > 0.0         ? fmt::format("{:.4f} m", shown)
                                                            : "touches";
    table.add({job.avatar.links()[i].name, metres, fmt::format("{:.4f} s", least.seconds)});
  }
  return table.text();
}

/// What the words in the status column mean, for those that appear.
std::string status_notes(const Job& job, const Outcome& outcome) {
  std::string out;
  const auto& episodes = outcome.episodes;
  const auto begins_with = [&episodes](ContactStatus status) {
    return std::any_of(episodes.begin(), episodes.end(),
                       [status](const io::Episode& e) { return e.first.status == status; });
  };
  if (!job.options.sampled && begins_with(ContactStatus::kOverlap)) {
    out += "overlap: already touching when the step began.\n";
  }
  if (!job.options.certify && !job.options.sampled) {
    out +=
        "Every contact is an estimate of image space (--no-certify): free before its time is "
        "proved, touching is not.\n";
  } else if (begins_with(ContactStatus::kGraze)) {
    out += "graze: so close that neither touch nor freedom could be proved.\n";
  }
  if (outcome.tally.limited > 0) {
    out += fmt::format(
        "{} reached an iteration limit: what is shown was proved, a narrower answer was "
        "not found.\n",
        count_of(outcome.tally.limited, "graze"));
  }
  if (job.options.contacts == Contacts::kFirst) {
    out += "--contacts first: only the earliest contact of each step is listed.\n";
  }
  return out;
}

std::string free_sentence(const Job& job, const Outcome& outcome) {
  if (outcome.tally.steps == 0) return "Nothing was checked.\n";
  if (job.options.sampled) {
    return fmt::format("No contact at {}. This proves nothing about the motion between them.\n",
                       outcome.tally.steps == 1
                           ? std::string("the one sampled pose")
                           : fmt::format("the {} sampled poses", grouped(outcome.tally.steps)));
  }
  return fmt::format(
      "No contact, proved for every moment from {:.4f} s to {:.4f} s: {} against {}{}.\n",
      job.steps.front().seconds(0.0), job.steps.back().seconds(1.0),
      count_of(static_cast<std::int64_t>(job.avatar.links().size()), "link"),
      count_of(static_cast<std::int64_t>(job.environment.triangles().size()), "triangle"),
      job.options.ignore.empty() ? "" : ", without the ignored pairs");
}

std::string result_sentence(const Job& job, const Outcome& outcome) {
  if (outcome.episodes.empty()) return free_sentence(job, outcome);
  std::set<std::int32_t> links;
  std::set<std::uint32_t> objects;
  for (const io::Episode& episode : outcome.episodes) {
    links.insert(episode.first.link);
    objects.insert(episode.first.object);
  }
  const io::Episode& first = outcome.episodes.front();
  const std::string where = job.options.sampled ? "single pose" : "step";
  std::string out = fmt::format(
      "{} in {}: {} and {}. First: {} and {} at {}.\n",
      count_of(static_cast<std::int64_t>(outcome.episodes.size()), "episode of contact",
               "episodes of contact"),
      count_of(outcome.tally.steps, where),
      count_of(static_cast<std::int64_t>(links.size()), "link"),
      count_of(static_cast<std::int64_t>(objects.size()), "object"),
      io::printable(job.avatar.links()[static_cast<std::size_t>(first.first.link)].name),
      io::printable(job.environment.objects()[first.first.object].name), moment(first.first_touch));
  if (job.options.sampled) out += "What happens between the sampled poses was not looked at.\n";
  return out;
}

std::string closing_lines(const Job& job, const Outcome& outcome) {
  const double seconds = outcome.check_ms / 1000.0;
  const double rate = seconds > 0.0 ? static_cast<double>(outcome.tally.steps) / seconds : 0.0;
  return fmt::format(
      "Loaded in {:.2f} s, built in {:.2f} s, checked in {:.2f} s: {} steps/s with {}\n"
      "({}: {}).\n"
      "Hash of the {}: {}\n",
      outcome.load_ms / 1000.0, outcome.build_ms / 1000.0, seconds,
      rate < 10.0 ? fmt::format("{:.2g}", rate) : grouped(static_cast<std::int64_t>(rate)),
      count_of(job.options.threads, "thread"), outcome.backend, outcome.device,
      count_of(outcome.tally.contacts, "contact line"), outcome.hash);
}

}  // namespace

std::string render_heading(const Job& job) {
  Outcome outcome;
  outcome.tally.steps = static_cast<std::int64_t>(job.steps.size());
  return heading(job, outcome);
}

std::string render_table(const Job& job, const Outcome& outcome) {
  std::string out = heading(job, outcome) + '\n';
  if (!outcome.episodes.empty()) {
    out += episode_rows(job, outcome) + status_notes(job, outcome) + '\n';
  }
  if (!outcome.clearances.empty()) out += clearance_rows(job, outcome) + '\n';
  return out + result_sentence(job, outcome) + closing_lines(job, outcome);
}

}  // namespace tocsin::app
