#include "app/check/episode_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "app/check/contact_words.h"
#include "app/check/distance/episode_depths.h"
#include "app/cli/text_table.h"
#include "app/cli/words.h"
#include "io/report/option_names.h"

namespace tocsin::app {
namespace {

constexpr int kWidestLongName = 40;  // of a name with its avatar's name

using Episodes = std::vector<const io::Episode*>;

const char* frames_heading(const Job& job) { return job.several() ? "Instants" : "Frames"; }
const char* deepest_heading(const Job& job) { return job.several() ? "At instant" : "At frame"; }

/// "105", or "105-106" for a moment between two frames.
std::string deepest_frame_cell(const io::Episode& episode) {
  if (!episode.deepest) return {};
  return span_cell(episode.deepest->frames);
}

std::string seconds_cell(double seconds) { return fmt::format("{:.3f} s", seconds); }

bool is_deeper(const io::Episode* a, const io::Episode* b) { return depth_of(*a) > depth_of(*b); }

/// "... and 10 more".
std::string rest_line(std::size_t rows, bool all) {
  if (all || rows <= kMostRows) return {};
  return fmt::format("... and {} more (--all shows them)\n",
                     grouped(static_cast<std::int64_t>(rows - kMostRows)));
}

std::size_t shown(std::size_t rows, bool all) { return all ? rows : std::min(rows, kMostRows); }

std::string single_rows(const Job& job, const Episodes& episodes, bool all) {
  const int widest = job.pairs_links() ? kWidestLongName : kWidestName;
  TextTable table({{frames_heading(job), Align::kRight},
                   {"First touch", Align::kRight},
                   {"Lasts", Align::kRight},
                   {"Depth", Align::kRight},
                   {deepest_heading(job), Align::kRight},
                   {"Link", Align::kLeft, widest},
                   {job.pairs_links() ? "Object or link" : "Object", Align::kLeft, widest},
                   {"Status", Align::kLeft},
                   {"x", Align::kRight},
                   {"y", Align::kRight},
                   {"z (m)", Align::kRight}});
  for (std::size_t i = 0; i < shown(episodes.size(), all); ++i) {
    const io::Episode& episode = *episodes[i];
    const Contact& contact = episode.first;
    table.add({frames_cell(episode), moment(episode.first_touch), seconds_cell(episode.duration()),
               depth_cell(episode), deepest_frame_cell(episode),
               link_text(job, episode.avatar, contact.link),
               touched_text(job, episode.avatar, contact), std::string(io::name_of(contact.status)),
               fixed(contact.point.x, 2), fixed(contact.point.y, 2), fixed(contact.point.z, 2)});
  }
  return table.text() + rest_line(episodes.size(), all);
}

/// What the episodes of a group have in common, and with what.
struct GroupRow {
  std::string name;
  Episodes episodes;  ///< in order of first touch
  std::set<std::string> others;
  double seconds = 0.0;
  const io::Episode* deepest = nullptr;
};

std::vector<GroupRow> grouped_rows(const Job& job, std::span<const io::Episode> episodes,
                                   const TableWishes& wishes) {
  std::vector<GroupRow> out;
  std::map<std::string, std::size_t> known;
  for (const io::Episode& episode : episodes) {
    std::string name = link_text(job, episode.avatar, episode.first.link);
    std::string other = touched_text(job, episode.avatar, episode.first);
    if (wishes.group == GroupBy::kObject) std::swap(name, other);
    const auto [entry, is_new] = known.try_emplace(name, out.size());
    if (is_new) out.push_back({name, {}, {}, 0.0, nullptr});
    GroupRow& row = out[entry->second];
    row.episodes.push_back(&episode);
    row.others.insert(other);
  }
  for (GroupRow& row : out) {
    row.seconds = seconds_in_contact(row.episodes);
    row.deepest = *std::min_element(row.episodes.begin(), row.episodes.end(), is_deeper);
  }
  if (wishes.sort == SortBy::kLength) {
    std::stable_sort(out.begin(), out.end(),
                     [](const GroupRow& a, const GroupRow& b) { return a.seconds > b.seconds; });
  }
  if (wishes.sort == SortBy::kDepth) {
    std::stable_sort(out.begin(), out.end(), [](const GroupRow& a, const GroupRow& b) {
      return is_deeper(a.deepest, b.deepest);
    });
  }
  return out;
}

std::string group_rows(const Job& job, std::span<const io::Episode> episodes,
                       const TableWishes& wishes) {
  const bool by_object = wishes.group == GroupBy::kObject;
  const char* const touched = job.pairs_links() ? "Object or link" : "Object";
  TextTable table({{by_object ? touched : "Link", Align::kLeft, kWidestLongName},
                   {"Episodes", Align::kRight},
                   {frames_heading(job), Align::kRight},
                   {"First touch", Align::kRight},
                   {"In contact", Align::kRight},
                   {"Depth", Align::kRight},
                   {deepest_heading(job), Align::kRight},
                   {by_object ? "Links" : "Objects", Align::kLeft, kWidestLongName}});
  const auto rows = grouped_rows(job, episodes, wishes);
  for (std::size_t i = 0; i < shown(rows.size(), wishes.all); ++i) {
    const GroupRow& row = rows[i];
    std::array<std::int64_t, 2> frames = row.episodes.front()->frames;
    for (const io::Episode* const one : row.episodes) {
      frames = {std::min(frames[0], one->frames[0]), std::max(frames[1], one->frames[1])};
    }
    table.add({row.name, grouped(static_cast<std::int64_t>(row.episodes.size())),
               fmt::format("{}-{}", frames[0], frames[1]),
               moment(row.episodes.front()->first_touch), seconds_cell(row.seconds),
               depth_cell(*row.deepest), deepest_frame_cell(*row.deepest),
               row.others.size() == 1 ? *row.others.begin()
                                      : grouped(static_cast<std::int64_t>(row.others.size()))});
  }
  return table.text() + rest_line(rows.size(), wishes.all);
}

}  // namespace

std::string span_cell(const std::array<std::int64_t, 2>& frames) {
  return frames[0] == frames[1] ? fmt::format("{}", frames[0])
                                : fmt::format("{}-{}", frames[0], frames[1]);
}

double seconds_in_contact(std::span<const io::Episode* const> episodes) {
  double out = 0.0;
  double counted_until = -1.0;
  for (const io::Episode* const one : episodes) {
    const double begin = std::max(one->first_touch[1], counted_until);
    out += std::max(0.0, one->until - begin);
    counted_until = std::max(counted_until, one->until);
  }
  return out;
}

std::string frames_cell(const io::Episode& episode) { return span_cell(episode.frames); }

std::string depth_cell(const io::Episode& episode) {
  if (!episode.deepest) return {};
  return fmt::format("{}{} m", episode.deepest->through ? ">= " : "",
                     fixed(std::max(0.0, episode.deepest->depth), 3));
}

Episodes ordered(std::span<const io::Episode> episodes, SortBy sort) {
  Episodes out;
  for (const io::Episode& one : episodes) out.push_back(&one);
  if (sort == SortBy::kLength) {
    std::stable_sort(out.begin(), out.end(), [](const io::Episode* a, const io::Episode* b) {
      return a->duration() > b->duration();
    });
  }
  if (sort == SortBy::kDepth) std::stable_sort(out.begin(), out.end(), is_deeper);
  return out;
}

std::string render_episodes(const Job& job, std::span<const io::Episode> episodes,
                            const TableWishes& wishes) {
  if (wishes.group != GroupBy::kNone) return group_rows(job, episodes, wishes);
  return single_rows(job, ordered(episodes, wishes.sort), wishes.all);
}

}  // namespace tocsin::app
