#include "app/check/rest_overlap.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <set>
#include <string_view>
#include <utility>

#include "app/check/name_globs.h"
#include "app/cli/words.h"
#include "view/step_scene.h"

namespace tocsin::app {
namespace {

/// Patterns that --ignore-rest adds. A body with fingers has less than a hundred; more than this is
/// a skeleton at another scale than its radii, and its report would be a list of patterns.
constexpr std::size_t kMostPatterns = 4096;
constexpr std::size_t kMostNamedPairs = 10;  // pairs in a note
constexpr std::size_t kMostTakes = 5;        // takes in a note

/// Two links, by their indices, and how deep they are in each other, metres.
struct Overlap {
  std::size_t i = 0;
  std::size_t j = 0;
  double depth = 0.0;
};

/// All links in the skeleton's rest pose; none if no motion can have that pose.
view::Pose rest_pose(const Avatar& avatar, double margin) {
  std::vector<Transform> rest;
  for (const Joint& joint : avatar.skeleton().joints()) rest.push_back(joint.rest);
  const auto still = Motion::create(avatar.skeleton(), 1.0, std::move(rest));
  return still ? view::pose_of_frame(avatar, *still, 0, margin) : view::Pose();
}

/// The active pairs that overlap in the rest pose, the deepest first.
std::vector<Overlap> rest_overlaps(const JobTake& take, double margin) {
  std::vector<Overlap> out;
  if (take.member.self.none()) return out;
  const view::Pose pose = rest_pose(take.member.avatar, margin);
  for (std::size_t i = 0; i < pose.size(); ++i) {
    for (std::size_t j = i + 1; j < pose.size(); ++j) {
      if (!take.member.self.active(static_cast<std::int32_t>(i), static_cast<std::int32_t>(j)))
        continue;
      const double depth = pose[i].radius + pose[j].radius - view::axis_distance(pose[i], pose[j]);
      if (depth > 0.0) out.push_back({i, j, depth});
    }
  }
  std::stable_sort(out.begin(), out.end(),
                   [](const Overlap& a, const Overlap& b) { return a.depth > b.depth; });
  return out;
}

/// A pattern for two links that matches no pair of a link and an object; empty: there is none.
std::string pattern_for(const std::string& a, const std::string& b,
                        const std::set<std::string>& objects) {
  if (!objects.contains(b)) return literal_glob(a) + ":" + literal_glob(b);
  if (!objects.contains(a)) return literal_glob(b) + ":" + literal_glob(a);
  return {};
}

std::string pair_name(const JobTake& take, std::size_t i, std::size_t j) {
  return take.member.avatar.links()[i].name + ":" + take.member.avatar.links()[j].name;
}

/// The first few words, and how many more there are.
std::string first_of(const std::vector<std::string>& words, std::size_t most) {
  std::vector<std::string> out(
      words.begin(), words.begin() + static_cast<std::ptrdiff_t>(std::min(words.size(), most)));
  if (out.size() == words.size()) return listed(out);
  return fmt::format("{} and {} more", fmt::join(out, ", "),
                     grouped(static_cast<std::int64_t>(words.size() - most)));
}

/// The pairs of a take that --ignore-rest has left out, as text.
std::string ignored_text(const JobTake& take) {
  return fmt::format("{} left out that overlap in the rest pose: {}",
                     count_of(static_cast<std::int64_t>(take.rest_ignored.size()), "pair of links",
                              "pairs of links"),
                     first_of(take.rest_ignored, kMostNamedPairs));
}

/// The remaining overlaps at rest, as text.
std::string active_text(const JobTake& take, const std::vector<Overlap>& overlaps, bool ignored) {
  const Overlap& worst = overlaps.front();
  const auto& links = take.member.avatar.links();
  const std::string both = fmt::format("{} and {}", links[worst.i].name, links[worst.j].name);
  const std::string pattern = pair_name(take, worst.i, worst.j);
  const bool one = overlaps.size() == 1;
  std::string what =
      one ? fmt::format("{} overlap already in the rest pose", both)
          : fmt::format("{} pairs of links overlap already in the rest pose, {} the most",
                        grouped(static_cast<std::int64_t>(overlaps.size())), both);
  what += fmt::format(", by {} m", brief(worst.depth));
  if (ignored) return what + " (not left out: objects of the room have the same names)";
  return what + (one ? fmt::format(" (--ignore-rest or --ignore '{}' leaves them out)", pattern)
                     : fmt::format(" (--ignore-rest leaves all of them out, --ignore '{}' these)",
                                   pattern));
}

/// A note, and the takes that it is about.
struct Note {
  std::string option;
  std::string text;
  std::vector<std::string> files;
};

void add(std::vector<Note>& notes, const std::string& option, const std::string& text,
         const std::string& file) {
  const auto known = std::find_if(notes.begin(), notes.end(), [&](const Note& note) {
    return note.option == option && note.text == text;
  });
  if (known == notes.end()) {
    notes.push_back({option, text, {file}});
  } else if (std::find(known->files.begin(), known->files.end(), file) == known->files.end()) {
    known->files.push_back(file);
  }
}

}  // namespace

Status ignore_rest_pairs(Job& job, const CheckOptions& options) {
  if (!options.spec.self || !options.ignore_rest) return Nothing{};
  std::set<std::string> objects;
  for (const Object& object : job.environment.objects()) objects.insert(object.name);
  std::vector<std::string>& patterns = job.options.spec.ignore;
  std::set<std::string> known;
  for (const JobTake& take : job.takes) {
    for (const auto& [i, j, depth] : rest_overlaps(take, options.spec.margin)) {
      const auto& links = take.member.avatar.links();
      const std::string pattern = pattern_for(links[i].name, links[j].name, objects);
      if (!pattern.empty() && known.insert(pattern).second) patterns.push_back(pattern);
    }
    if (known.size() > kMostPatterns) {
      return Error{ErrorCode::kUsage,
                   fmt::format("--ignore-rest: {}: more than {} pairs of links overlap in the rest "
                               "pose; are the radii (--scale-radii), the unit (--motion-unit) and "
                               "the --margin right?",
                               take.file, grouped(static_cast<std::int64_t>(kMostPatterns)))};
    }
  }
  for (JobTake& take : job.takes) {
    auto left = LinkPairs::ignoring(take.member.avatar, patterns);
    if (!left) return left.error();
    for (std::size_t i = 0; i < take.member.avatar.links().size(); ++i) {
      for (std::size_t j = i + 1; j < take.member.avatar.links().size(); ++j) {
        const auto a = static_cast<std::int32_t>(i);
        const auto b = static_cast<std::int32_t>(j);
        if (!take.member.self.active(a, b) || left.value().active(a, b)) continue;
        take.rest_ignored.push_back(pair_name(take, i, j));
      }
    }
    take.member.self = std::move(left).value();
  }
  return Nothing{};
}

std::vector<std::string> rest_overlap_notes(const Job& job, bool ignored) {
  std::vector<Note> notes;
  bool any = false;
  for (const JobTake& take : job.takes) {
    if (!take.rest_ignored.empty()) {
      add(notes, "--ignore-rest", ignored_text(take), take.file);
    }
    const std::vector<Overlap> overlaps = rest_overlaps(take, job.options.spec.margin);
    if (!overlaps.empty()) add(notes, "--self", active_text(take, overlaps, ignored), take.file);
    any = any || !overlaps.empty() || !take.rest_ignored.empty();
  }
  std::vector<std::string> out;
  if (ignored && !any) {
    out.emplace_back("--ignore-rest: no links overlap in the rest pose; nothing is left out");
  }
  for (const Note& note : notes) {
    out.push_back(
        fmt::format("{}: {}: {}", note.option, first_of(note.files, kMostTakes), note.text));
  }
  return out;
}

}  // namespace tocsin::app
