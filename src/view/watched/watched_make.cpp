// What was received, as a story.
#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <tuple>

#include "view/watched/watched_story.h"
#include "view/window/story_camera.h"

namespace tocsin::view {
namespace {

std::string counted(std::uint64_t number, const char* what) {
  return fmt::format("{} {}{}", number, what, number == 1 ? "" : "s");
}

/// Of an episode: what stays the same in it.
using LivePair = std::tuple<std::int32_t, std::string, std::string, std::int32_t, std::string>;

LivePair pair_of(const io::ToldPair& pair) {
  return {pair.avatar, pair.link, pair.object, pair.other_avatar, pair.other_link};
}

/// Puts episodes and contacts in the order that a story has them in.
void sort_story(Story& story) {
  std::vector<std::size_t> order(story.episodes.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&story](std::size_t p, std::size_t q) {
    return story.episodes[p].told.first.seconds < story.episodes[q].told.first.seconds;
  });
  std::vector<std::size_t> place(order.size());
  std::vector<StoryEpisode> sorted(order.size());
  for (std::size_t i = 0; i < order.size(); ++i) {
    place[order[i]] = i;
    sorted[i] = std::move(story.episodes[order[i]]);
  }
  story.episodes = std::move(sorted);
  for (StoryContact& contact : story.contacts) contact.episode = place[contact.episode];
  std::stable_sort(story.contacts.begin(), story.contacts.end(),
                   [](const StoryContact& p, const StoryContact& q) {
                     return p.told.seconds[1] < q.told.seconds[1];
                   });
  for (std::size_t i = 0; i < story.contacts.size(); ++i) {
    story.episodes[story.contacts[i].episode].told.contacts.push_back(i);
  }
  std::stable_sort(
      story.marks.begin(), story.marks.end(),
      [](const StoryMark& p, const StoryMark& q) { return p.seconds[0] < q.seconds[0]; });
}

}  // namespace

std::vector<std::string> WatchedStory::lines() const {
  std::vector<std::string> out;
  if (!shown_) {
    out.emplace_back("no session yet");
  } else {
    out.push_back(fmt::format("{} in {}, {} over", counted(counts_.running, "session"),
                              shown_->name, counts_.ended));
  }
  if (counts_.elsewhere > 0) {
    out.back() += fmt::format("; {} in other rooms: --env shows them", counts_.elsewhere);
  }
  out.push_back(fmt::format("frames: {} late, {} twice, {} skipped, {} bad", counts_.late,
                            counts_.duplicate, counts_.skipped, counts_.bad));
  out.push_back(fmt::format("kept: {}; dropped: {} older, {}; missed: {}",
                            counted(counts_.kept_steps, "step"), counts_.dropped_steps,
                            counted(counts_.dropped_contacts, "contact"), counts_.missed));
  if (!problem_.empty()) out.push_back(problem_);
  return out;
}

std::string WatchedStory::summary() const {
  std::string out;
  for (const auto& [key, session] : sessions_) {
    if (session.over || !is_shown(session)) continue;
    out += (out.empty() ? "" : ", ") + session.name;
  }
  // Names last: of many sessions the window cuts them.
  return fmt::format("{}; {}, {} so far{}", counted(counts_.running, "session"),
                     counted(counts_.steps, "step"), counted(counts_.contacts, "contact"),
                     out.empty() ? "" : ": " + out);
}

/// Episodes of what is kept: one whose begin was dropped begins where the kept begins.
void WatchedStory::add_episodes(Story& story) const {
  struct Open {
    std::size_t episode = 0;
    std::int64_t step = 0;
  };
  std::map<LivePair, Open> open;
  const bool several = story.figures.size() > 1;
  const auto name_of = [&story](std::int32_t avatar) {
    for (const StoryFigure& figure : story.figures) {
      if (figure.index == avatar) return figure.name;
    }
    return std::string();
  };
  for (const auto& [key, session] : sessions_) {
    for (const KeptContact& kept : session.contacts) {
      StoryContact& contact = story.contacts.emplace_back(kept.contact);
      const io::ToldContact& told = contact.told;
      const auto [entry, is_new] = open.try_emplace(pair_of(told.pair));
      Open& last = entry->second;
      if (is_new || told.step > last.step + 1) {
        last.episode = story.episodes.size();
        StoryEpisode& begun = story.episodes.emplace_back();
        begun.told.first = told;
        begun.told.frames = told.frames;
        begun.told.seconds[0] = told.seconds[1];
        const std::string own = session.name;
        begun.link_text = several ? fmt::format("{} of {}", told.pair.link, own) : told.pair.link;
        begun.thing_text = told.pair.object;
        if (told.pair.of_links()) {
          const std::string other = name_of(told.pair.other_avatar);
          begun.thing_text = several && !other.empty()
                                 ? fmt::format("{} of {}", told.pair.other_link, other)
                                 : told.pair.other_link;
        }
      }
      io::ToldEpisode& episode = story.episodes[last.episode].told;
      if (is_new || told.step != last.step) ++episode.steps;
      last.step = told.step;
      episode.frames[1] = told.frames[1];
      episode.seconds[1] = contact.span[1];
      contact.episode = last.episode;
      if (told.pair.of_links() || rooms_.empty()) continue;
      const auto& numbers = rooms_[room_at(story, contact.span[0])].numbers;
      const auto found = numbers.find(told.pair.object);
      if (found != numbers.end()) contact.object = found->second;
    }
  }
  sort_story(story);
}

void WatchedStory::add_cameras(Story& story) const {
  std::vector<std::shared_ptr<const Sight>> sights;
  for (const KeptRoom& room : rooms_) sights.push_back(room.sight);
  sights.resize(story.rooms.size());
  // They are called by whoever has the story.
  const Story* const self = &story;
  story.camera = [self, sights](std::size_t episode, int width, int height) {
    return story_view(*self, sights, episode, self->episodes[episode].told.seconds[0], width,
                      height);
  };
  story.overview = [self, sights](double seconds, int width, int height) {
    return story_view(*self, sights, std::nullopt, seconds, width, height);
  };
}

std::shared_ptr<const Story> WatchedStory::make() const {
  const auto story = std::make_shared<Story>();
  story->title = shown_ ? fmt::format("{}, room {}", server_, shown_->name) : server_;
  story->verdict = connected_ ? "LIVE" : "LOST";
  story->summary = summary();
  story->complete = false;
  story->times = {newest_, newest_};
  for (const auto& [key, session] : sessions_) {
    if (session.steps.empty()) continue;
    StoryFigure& figure = story->figures.emplace_back();
    figure.name = session.name;
    figure.index = session.index;
    figure.avatar = session.told.avatar;
    figure.steps.assign(session.steps.begin(), session.steps.end());
    figure.margin = session.told.margin;
    figure.live = true;
    figure.goes = true;
    figure.stays = !session.over;
    if (session.over) {
      figure.state = session.cause.empty() ? "over" : "over: " + session.cause;
    } else if (!session.told.attached) {
      figure.state = "no stream";
    }
    story->times[0] = std::min(story->times[0], session.steps.front().seconds(0.0));
    story->marks.insert(story->marks.end(), session.marks.begin(), session.marks.end());
  }
  std::stable_sort(story->figures.begin(), story->figures.end(),
                   [](const StoryFigure& p, const StoryFigure& q) { return p.index < q.index; });
  for (const KeptRoom& room : rooms_) story->rooms.push_back(room.room);
  if (story->rooms.empty()) story->rooms.emplace_back();
  add_episodes(*story);
  make_lanes(*story);
  add_cameras(*story);
  return story;
}

}  // namespace tocsin::view
