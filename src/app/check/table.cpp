#include "app/check/table.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>
#include <string_view>
#include <utility>

#include "app/check/contact_words.h"
#include "app/check/distance/frame_distances.h"
#include "app/check/distance/near_pairs.h"
#include "app/check/heading.h"
#include "app/check/ignore_suggestion.h"
#include "app/cli/words.h"
#include "base/json_text.h"

namespace tocsin::app {
namespace {

/// Explains the words that appear in the status column.
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
  if (!job.options.experiments.certify && !job.options.sampled) {
    out +=
        "Every contact is an estimate of image space (--no-certify): free before its time is "
        "proved, touching is not.\n";
  } else if (begins_with(ContactStatus::kGraze)) {
    out += "graze: so close that neither touch nor freedom could be proved.\n";
  }
  if (std::any_of(episodes.begin(), episodes.end(),
                  [](const io::Episode& e) { return e.deepest && e.deepest->through; })) {
    out += ">=: the link's axis crosses the surface there, so it is at least as deep as that.\n";
  }
  if (outcome.tally.limited > 0) {
    out += fmt::format(
        "{} reached an iteration limit: what is shown was proved, a narrower answer was "
        "not found.\n",
        count_of(outcome.tally.limited, "graze"));
  }
  if (job.options.spec.contacts == Contacts::kFirst) {
    out += fmt::format("--contacts first: only the earliest contact of each step{} is listed.\n",
                       job.several() ? " of each avatar" : "");
  }
  return out;
}

/// "from 0 s to 2 s"; of several takes, with a note that an avatar is absent outside its own take.
std::string proved_time(const Job& job) {
  if (!job.several()) {
    return fmt::format("from {:.4f} s to {:.4f} s", job.only().steps.front().seconds(0.0),
                       job.only().steps.back().seconds(1.0));
  }
  return fmt::format("from {:.4f} s to {:.4f} s{}", job.instants.front(), job.instants.back(),
                     job.options.absent == Absence::kGone ? " of the avatars that are there" : "");
}

/// "32 links of 2 avatars".
std::string links_text(const Job& job) {
  std::size_t links = 0;
  for (const JobTake& take : job.takes) links += take.member.avatar.links().size();
  const std::string text = count_of(static_cast<std::int64_t>(links), "link");
  return job.several() ? fmt::format("{} of {} avatars", text, job.takes.size()) : text;
}

std::string free_sentence(const Job& job, const Outcome& outcome) {
  if (outcome.tally.steps == 0) return "Nothing was checked.\n";
  if (job.options.sampled) {
    return fmt::format("No contact at {}. This proves nothing about the motion between them.\n",
                       outcome.tally.steps == 1
                           ? std::string("the one sampled pose")
                           : fmt::format("the {} sampled poses", grouped(outcome.tally.steps)));
  }
  std::string whom =
      count_of(static_cast<std::int64_t>(job.environment.triangles().size()), "triangle");
  if (job.several()) whom += " and each other";
  if (job.options.spec.self) whom += job.several() ? " and themselves" : " and each other";
  return fmt::format("No contact, proved for every moment {}: {} against {}{}.\n", proved_time(job),
                     links_text(job), whom,
                     job.options.spec.ignore.empty() ? "" : ", without the ignored pairs");
}

/// "3 links and 2 objects, 4 pairs of links".
std::string parties_text(const Job& job, const Outcome& outcome) {
  std::set<std::pair<int, std::int32_t>> links;
  std::set<std::uint32_t> objects;
  std::set<std::array<std::int32_t, 4>> pairs;
  for (const io::Episode& episode : outcome.episodes) {
    const Contact& contact = episode.first;
    if (const OtherLink* const other = contact.other()) {
      pairs.insert({episode.avatar, contact.link, other->avatar, other->link});
    } else {
      links.emplace(episode.avatar, contact.link);
      objects.insert(contact.room()->object);
    }
  }
  const auto number_of = [](std::size_t n, std::string_view one, std::string_view many) {
    return count_of(static_cast<std::int64_t>(n), one, many);
  };
  std::string of_links = number_of(pairs.size(), "pair of links", "pairs of links");
  if (job.pairs_links() && objects.empty()) return of_links;
  const std::string of_objects = fmt::format("{} and {}", number_of(links.size(), "link", "links"),
                                             number_of(objects.size(), "object", "objects"));
  return job.pairs_links() ? fmt::format("{}, {}", of_objects, of_links) : of_objects;
}

std::string result_sentence(const Job& job, const Outcome& outcome) {
  if (outcome.episodes.empty()) return free_sentence(job, outcome);
  const io::Episode& first = outcome.episodes.front();
  const std::string where = job.options.sampled ? "single pose" : "step";
  std::string out = fmt::format("{} in {}: {}. First: {} and {} at {}.\n",
                                count_of(static_cast<std::int64_t>(outcome.episodes.size()),
                                         "episode of contact", "episodes of contact"),
                                count_of(outcome.tally.steps, where), parties_text(job, outcome),
                                base::printable(link_text(job, first.avatar, first.first.link)),
                                base::printable(touched_text(job, first.avatar, first.first)),
                                moment(first.first_touch));
  if (job.options.sampled) out += "What happens between the sampled poses was not looked at.\n";
  return out;
}

std::string closing_lines(const Job& job, const Outcome& outcome) {
  const double seconds = outcome.check_ms / 1000.0;
  const double rate = seconds > 0.0 ? static_cast<double>(outcome.tally.steps) / seconds : 0.0;
  return fmt::format(
      "Loaded in {:.2f} s, built in {:.2f} s, checked in {:.2f} s: {} steps/s with {}\n"
      "({}: {}{}{}).\n"
      "Hash of the {}: {}\n",
      outcome.load_ms / 1000.0, outcome.build_ms / 1000.0, seconds,
      rate < 10.0 ? fmt::format("{:.2g}", rate) : grouped(static_cast<std::int64_t>(rate)),
      count_of(job.options.threads, "thread"), outcome.backend, outcome.device,
      outcome.backend_reason.empty() ? "" : "; auto: " + outcome.backend_reason,
      outcome.fallback.empty() ? "" : "; not for all steps, see the warning",
      count_of(outcome.tally.contacts, "contact line"), outcome.hash);
}

/// Empty if nothing was checked.
std::string clearance_rows(const Job& job, const Outcome& outcome) {
  std::vector<std::string> names;
  std::vector<LeastClearance> least;
  std::vector<NearestThing> nearest;
  for (const auto& of_avatar : outcome.nearest) {
    nearest.insert(nearest.end(), of_avatar.begin(), of_avatar.end());
  }
  for (std::size_t i = 0; i < outcome.clearances.size(); ++i) {
    for (std::size_t j = 0; j < outcome.clearances[i].size(); ++j) {
      names.push_back(link_text(job, static_cast<std::int32_t>(i), static_cast<std::int32_t>(j)));
      least.push_back(outcome.clearances[i][j]);
    }
  }
  return least.empty() ? std::string() : render_clearances(names, least, nearest);
}

}  // namespace

std::string render_table(const Job& job, const Outcome& outcome, const TableWishes& wishes) {
  std::string out = render_heading(job, outcome.tally.steps) + '\n';
  if (!outcome.episodes.empty()) {
    out += render_episodes(job, outcome.episodes, wishes) + status_notes(job, outcome) + '\n';
  }
  if (job.options.near > 0.0) out += render_near(job, outcome.near, wishes.all) + '\n';
  if (job.options.nearest > 0.0) {
    out += render_distances(job, outcome.distances, wishes.all) + '\n';
  }
  if (const std::string least = clearance_rows(job, outcome); !least.empty()) out += least + '\n';
  return out + result_sentence(job, outcome) + ignore_suggestion(job, outcome.episodes) +
         closing_lines(job, outcome);
}

}  // namespace tocsin::app
