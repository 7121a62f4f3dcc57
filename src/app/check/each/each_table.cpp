#include "app/check/each/each_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "app/check/contact_words.h"
#include "app/check/distance/episode_depths.h"
#include "app/check/distance/frame_distances.h"
#include "app/check/distance/near_pairs.h"
#include "app/cli/text_table.h"
#include "app/cli/words.h"
#include "base/json_text.h"

namespace tocsin::app {
namespace {

std::int64_t number(std::size_t n) { return static_cast<std::int64_t>(n); }

std::string contact_cell(const EachRow& row) {
  if (row.refused) return "refused";
  if (row.tally.steps == 0) return "no step";
  return row.episodes == 0 ? "none" : grouped(number(row.episodes));
}

namespace fs = std::filesystem;

/// True if all takes lie in one folder, which need not be told in every row then.
bool in_one_folder(const std::vector<EachRow>& rows) {
  const fs::path folder = fs::path(rows.front().file).parent_path();
  return std::all_of(rows.begin(), rows.end(), [&folder](const EachRow& row) {
    return fs::path(row.file).parent_path() == folder;
  });
}

/// "10 in takes, each alone in the room".
std::string takes_text(const std::vector<EachRow>& rows) {
  const std::string folder = fs::path(rows.front().file).parent_path().string();
  const bool tell = in_one_folder(rows) && !folder.empty();
  return fmt::format("{}{}, each alone in the room", grouped(number(rows.size())),
                     tell ? " in " + folder : "");
}

/// Takes without contact last.
bool is_deeper_row(const EachRow* a, const EachRow* b) {
  if ((a->episodes == 0) != (b->episodes == 0)) return b->episodes == 0;
  return a->depth > b->depth;
}

std::string rows_text(const std::vector<EachRow>& rows, const TableWishes& wishes) {
  const bool one_folder = in_one_folder(rows);
  std::vector<const EachRow*> shown;
  for (const EachRow& row : rows) shown.push_back(&row);
  if (wishes.sort == SortBy::kLength) {
    std::stable_sort(shown.begin(), shown.end(),
                     [](const EachRow* a, const EachRow* b) { return a->seconds > b->seconds; });
  }
  if (wishes.sort == SortBy::kDepth) {
    std::stable_sort(shown.begin(), shown.end(), is_deeper_row);
  }
  TextTable table({{"Take", Align::kLeft, kWidestName},
                   {"Steps", Align::kRight},
                   {"Episodes", Align::kRight},
                   {"In contact", Align::kRight},
                   {"Depth", Align::kRight},
                   {"Frames", Align::kRight},
                   {"First touch", Align::kRight},
                   {"Link", Align::kLeft, kWidestName},
                   {"Object", Align::kLeft, kWidestName}});
  const std::size_t most = wishes.all ? shown.size() : std::min(shown.size(), kMostRows);
  for (std::size_t i = 0; i < most; ++i) {
    const EachRow& row = *shown[i];
    table.add({one_folder ? fs::path(row.file).filename().string() : row.file,
               row.refused ? "" : grouped(row.tally.steps), contact_cell(row),
               row.episodes == 0 ? "" : fmt::format("{:.3f} s", row.seconds), row.deepest,
               row.frames, row.first_touch, row.link, row.touched});
  }
  std::string out = table.text();
  if (most < shown.size()) {
    out +=
        fmt::format("... and {} more (--all shows them)\n", grouped(number(shown.size() - most)));
  }
  return out;
}

std::string sentence(const std::vector<EachRow>& rows, const CheckOptions& options) {
  const auto count = [&rows](const auto& holds) {
    return static_cast<std::int64_t>(std::count_if(rows.begin(), rows.end(), holds));
  };
  const auto touching = count([](const EachRow& row) { return row.episodes > 0; });
  const auto refused = count([](const EachRow& row) { return row.refused; });
  const auto empty = count([](const EachRow& row) { return !row.refused && row.tally.steps == 0; });
  const std::int64_t free = number(rows.size()) - touching - refused - empty;
  std::int64_t steps = 0;
  for (const EachRow& row : rows) steps += row.tally.steps;
  const bool proved = !options.sampled && options.experiments.certify;
  std::string out =
      fmt::format("{}, {}: {} in contact, {} without{}", count_of(number(rows.size()), "take"),
                  count_of(steps, options.sampled ? "single pose" : "step"), grouped(touching),
                  grouped(free), proved ? ", proved for every moment" : "");
  if (empty > 0) out += fmt::format("; {} without a step", grouped(empty));
  if (refused > 0) out += fmt::format("; {} refused, as told above", grouped(refused));
  return out + ".\n";
}

/// What is near in each take, take by take; nothing without --near and --nearest.
std::string near_text(const std::vector<EachRow>& rows) {
  std::string out;
  for (const EachRow& row : rows) {
    if (row.near.empty()) continue;
    out += fmt::format("{}: {}\n", base::printable(row.file), row.near);
  }
  return out;
}

}  // namespace

EachRow each_row(const Job& job, const Outcome& outcome, const TableWishes& wishes) {
  EachRow row;
  if (job.options.near > 0.0) row.near = render_near(job, outcome.near, wishes.all);
  if (job.options.nearest > 0.0) row.near += render_distances(job, outcome.distances, wishes.all);
  row.file = job.only().file;
  row.tally = outcome.tally;
  row.episodes = outcome.episodes.size();
  row.hash = outcome.hash;
  if (outcome.episodes.empty()) return row;
  row.seconds = seconds_in_contact(ordered(outcome.episodes, SortBy::kTime));
  const io::Episode& deepest = *ordered(outcome.episodes, SortBy::kDepth).front();
  row.depth = depth_of(deepest);
  row.deepest = depth_cell(deepest);
  const io::Episode& first = outcome.episodes.front();
  row.frames = frames_cell(first);
  row.first_touch = moment(first.first_touch);
  row.link = link_text(job, first.avatar, first.first.link);
  row.touched = touched_text(job, first.avatar, first.first);
  return row;
}

std::string render_each(const std::vector<EachRow>& rows, const Environment& room,
                        const CheckOptions& options, const TableWishes& wishes) {
  std::string out =
      fact("Room", fmt::format("{}: {}, {}", listed(options.environments),
                               count_of(number(room.objects().size()), "object"),
                               count_of(number(room.triangles().size()), "triangle"))) +
      fact("Takes", takes_text(rows));
  out += '\n' + rows_text(rows, wishes) + '\n' + near_text(rows) + sentence(rows, options);
  if (options.out) out += fmt::format("A report of each: {}\n", base::printable(*options.out));
  return out;
}

}  // namespace tocsin::app
