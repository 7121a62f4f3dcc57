#include "app/check/rest_overlap.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <set>
#include <string_view>
#include <utility>

#include "app/cli/words.h"
#include "detect/crowd/rest_overlaps.h"

namespace tocsin::app {
namespace {

constexpr std::size_t kMostNamedPairs = 10;  // pairs in a note
constexpr std::size_t kMostTakes = 5;        // takes in a note

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
std::string active_text(const JobTake& take, const std::vector<detect::RestOverlap>& overlaps,
                        bool ignored) {
  const detect::RestOverlap& worst = overlaps.front();
  const auto first = static_cast<std::size_t>(worst.first);
  const auto second = static_cast<std::size_t>(worst.second);
  const auto& links = take.member.avatar.links();
  const std::string both = fmt::format("{} and {}", links[first].name, links[second].name);
  const std::string pattern = pair_name(take, first, second);
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
    const auto overlaps = detect::rest_overlaps(take.member, options.spec.margin);
    for (const std::string& one : detect::rest_patterns(take.member.avatar, overlaps, objects)) {
      if (known.insert(one).second) patterns.push_back(one);
    }
    if (known.size() > detect::kMostRestPatterns) {
      return Error{
          ErrorCode::kUsage,
          fmt::format("--ignore-rest: {}: more than {} pairs of links overlap in the rest "
                      "pose; are the radii (--scale-radii), the unit (--motion-unit) and "
                      "the --margin right?",
                      take.file, grouped(static_cast<std::int64_t>(detect::kMostRestPatterns)))};
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
    if (!take.robot_pairs.empty()) add(notes, "--self", take.robot_pairs, take.file);
    if (!take.rest_ignored.empty()) {
      add(notes, "--ignore-rest", ignored_text(take), take.file);
    }
    const auto overlaps = detect::rest_overlaps(take.member, job.options.spec.margin);
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
