#include "app/view/story_of.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "app/cli/words.h"
#include "app/export/episode_view.h"
#include "app/export/shown_times.h"
#include "io/report/option_names.h"
#include "view/window/story_camera.h"

namespace tocsin::app {
namespace {

using view::Story;

/// Triangles of all rooms that a changed one is shown as: some gigabytes.
constexpr std::size_t kMostTriangles = 20'000'000;

void add_figures(Story& story, const Job& job) {
  const bool goes = job.several() && job.options.absent == Absence::kGone;
  for (std::size_t i = 0; i < job.takes.size(); ++i) {
    const JobTake& take = job.takes[i];
    if (take.steps.empty()) continue;
    view::StoryFigure& figure = story.figures.emplace_back();
    figure.name = take.name;
    figure.index = static_cast<std::int32_t>(i);
    figure.avatar = take.member.avatar;
    figure.steps = take.steps;
    figure.is_body = take.is_body;
    figure.held = job.options.sampled;
    figure.goes = goes;
  }
}

/// The rooms that the steps of a changing one see.
Status add_rooms(Story& story, const Job& job) {
  if (!job.scene) {
    story.rooms.push_back({view::StoryRoom().from, job.environment});
    return Nothing{};
  }
  SceneReplay replay = replay_of(job);
  std::size_t triangles = 0;
  while (!replay.done()) {
    const auto run = replay.next();
    if (!run) return run.error();
    std::vector<std::uint32_t> numbers;
    auto room = replay.flat(numbers);
    if (!room) return room.error();
    const double from = job.only().steps[run->first].seconds(0.0);
    triangles += room->triangles().size();
    if (triangles > kMostTriangles) {
      story.notes.push_back(fmt::format(
          "The room changed too often to show all of it: after {} s it stays as it was.",
          fixed(from, 2)));
      break;
    }
    story.rooms.push_back(
        {story.rooms.empty() ? view::StoryRoom().from : from, std::move(room).value()});
  }
  return Nothing{};
}

/// The objects of a room by their names.
using Numbers = std::unordered_map<std::string, std::uint32_t>;
std::vector<Numbers> object_numbers(const Story& story) {
  std::vector<Numbers> out;
  for (const view::StoryRoom& one : story.rooms) {
    Numbers& numbers = out.emplace_back();
    const auto objects = one.room.objects();
    for (std::uint32_t i = 0; i < objects.size(); ++i) numbers.emplace(objects[i].name, i);
  }
  return out;
}

void add_contacts(Story& story, const ShownReport& shown) {
  const std::vector<Numbers> numbers = object_numbers(story);
  for (std::size_t e = 0; e < shown.told.episodes.size(); ++e) {
    const io::ToldEpisode& told = shown.told.episodes[e];
    story.episodes.push_back({told, told_link_text(shown.job, told.pair().avatar, told.pair().link),
                              told_thing_text(shown.job, told.pair())});
    for (const std::size_t c : told.contacts) {
      view::StoryContact& contact = story.contacts.emplace_back();
      contact.told = shown.told.contacts[c];
      contact.episode = e;
      contact.span = step_times(shown.job, contact.told.pair.avatar, contact.told.step);
      if (contact.told.pair.of_links()) continue;
      const Numbers& here = numbers[room_at(story, contact.span[0])];
      const auto found = here.find(contact.told.pair.object);
      if (found != here.end()) contact.object = found->second;
    }
  }
  std::stable_sort(story.contacts.begin(), story.contacts.end(),
                   [](const view::StoryContact& p, const view::StoryContact& q) {
                     return p.told.seconds[1] < q.told.seconds[1];
                   });
}

std::string summary_of(const ShownReport& shown) {
  const CheckSpec& spec = shown.job.options.spec;
  std::string out = fmt::format(
      "{}, {} of contact, {}; margin {} m, {}", count_of(shown.report.tally.steps, "step"),
      count_of(static_cast<std::int64_t>(shown.told.episodes.size()), "episode"),
      count_of(shown.report.tally.contacts, "contact"), brief(spec.margin),
      io::name_of(spec.in_between));
  if (!spec.ignore.empty()) {
    out += fmt::format("; {} ignored",
                       count_of(static_cast<std::int64_t>(spec.ignore.size()), "pattern"));
  }
  if (shown.job.options.sampled) out += "; only the recorded poses were checked";
  return out;
}

}  // namespace

Result<std::shared_ptr<const Story>> story_of(std::shared_ptr<const ShownReport> shown,
                                              std::shared_ptr<const view::Sight> sight) {
  const auto story = std::make_shared<Story>();
  const Job& job = shown->job;
  add_figures(*story, job);
  if (story->figures.empty()) {
    return {ErrorCode::kUsage, "a single frame holds no step: there is nothing to show"};
  }
  if (auto added = add_rooms(*story, job); !added) return added.error();
  story->title = shown->file;
  story->verdict = verdict_of(*shown);
  story->summary = summary_of(*shown);
  story->margin = job.options.spec.margin;
  story->times = all_times(job);
  story->instants = job.several();
  add_contacts(*story, *shown);
  for (auto& [lane, metres] : clearance_lanes(*shown, story->times)) {
    view::StoryLane& made = story->lanes.emplace_back();
    made.avatar = lane.first;
    made.link = lane.second;
    made.clearance = metres;
  }
  make_lanes(*story);
  if (sight) {
    story->camera = [shown, sight](std::size_t episode, int width, int height) {
      return episode_view(shown->job, shown->told.episodes[episode].first, *sight, width, height);
    };
    // In a changing room sight is of the first.
    std::vector<std::shared_ptr<const view::Sight>> sights(story->rooms.size());
    sights.front() = sight;
    story->overview = [self = story.get(), sights](double seconds, int width, int height) {
      return view::story_view(*self, sights, std::nullopt, seconds, width, height);
    };
  }
  return std::shared_ptr<const Story>(story);
}

}  // namespace tocsin::app
