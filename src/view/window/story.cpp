#include "view/window/story.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <unordered_map>
#include <utility>

namespace tocsin::view {
namespace {

/// Seconds by which a time may miss the end of a step and still be in it: rounding.
constexpr double kSlack = 1e-9;

double end_of(const StoryContact& contact) {
  return std::max(contact.span[1], contact.told.seconds[1]);
}

std::size_t place_of_link(const Story& story, const StoryLane& lane) {
  for (const StoryFigure& figure : story.figures) {
    if (figure.index != lane.avatar) continue;
    const auto links = figure.avatar.links();
    for (std::size_t i = 0; i < links.size(); ++i) {
      if (links[i].name == lane.link) return i;
    }
  }
  return 0;
}

std::string lane_name(const Story& story, std::int32_t avatar, const std::string& link) {
  for (const StoryFigure& figure : story.figures) {
    if (figure.index != avatar) continue;
    const bool whole = figure.is_body && figure.avatar.links().size() == 1;
    if (whole || link.empty()) return figure.name;
    return story.figures.size() > 1 ? link + " of " + figure.name : link;
  }
  return link;
}

/// When each live avatar that is not over ends, by its index.
using LastTimes = std::unordered_map<std::int32_t, double>;

LastTimes last_times(const Story& story) {
  LastTimes out;
  for (const StoryFigure& figure : story.figures) {
    if (figure.stays) out.emplace(figure.index, figure.steps.back().seconds(1.0));
  }
  return out;
}

struct NamedCount {
  std::string_view name;
  std::uint64_t LiveCounts::*count;
};
constexpr std::array kCounts{NamedCount{"sessions", &LiveCounts::sessions},
                             NamedCount{"running", &LiveCounts::running},
                             NamedCount{"elsewhere", &LiveCounts::elsewhere},
                             NamedCount{"ended", &LiveCounts::ended},
                             NamedCount{"steps", &LiveCounts::steps},
                             NamedCount{"contacts", &LiveCounts::contacts},
                             NamedCount{"late", &LiveCounts::late},
                             NamedCount{"duplicate", &LiveCounts::duplicate},
                             NamedCount{"skipped", &LiveCounts::skipped},
                             NamedCount{"bad", &LiveCounts::bad},
                             NamedCount{"missed", &LiveCounts::missed},
                             NamedCount{"kept_steps", &LiveCounts::kept_steps},
                             NamedCount{"dropped_steps", &LiveCounts::dropped_steps},
                             NamedCount{"dropped_contacts", &LiveCounts::dropped_contacts},
                             NamedCount{"connections", &LiveCounts::connections},
                             NamedCount{"losses", &LiveCounts::losses},
                             NamedCount{"rooms", &LiveCounts::rooms}};

double time_of(const LastTimes& last, std::int32_t avatar, double seconds) {
  const auto found = last.find(avatar);
  return found == last.end() ? seconds : std::min(seconds, found->second);
}

}  // namespace

std::optional<std::uint64_t> count_named(const LiveCounts& counts, std::string_view name) {
  for (const NamedCount& one : kCounts) {
    if (one.name == name) return counts.*one.count;
  }
  return std::nullopt;
}

void for_each_count(const LiveCounts& counts,
                    const std::function<void(std::string_view name, std::uint64_t count)>& visit) {
  for (const NamedCount& one : kCounts) visit(one.name, counts.*one.count);
}

std::string count_names() {
  std::string out;
  for (const NamedCount& one : kCounts) {
    out += out.empty() ? "" : ", ";
    out += one.name;
  }
  return out;
}

double margin_of(const Story& story, const StoryFigure& figure) {
  return figure.margin.value_or(story.margin);
}

double own_time(const StoryFigure& figure, double seconds) {
  return figure.stays ? std::min(seconds, figure.steps.back().seconds(1.0)) : seconds;
}

std::vector<std::size_t> marks_at(const Story& story, double seconds) {
  const LastTimes last = last_times(story);
  std::vector<std::size_t> out;
  for (std::size_t i = 0; i < story.marks.size(); ++i) {
    const StoryMark& mark = story.marks[i];
    if (mark.seconds[0] - kSlack > seconds) break;  // in order of begin
    const double at = time_of(last, mark.avatar, seconds);
    if (at >= mark.seconds[0] - kSlack && at <= mark.seconds[1] + kSlack) out.push_back(i);
  }
  return out;
}

std::vector<std::size_t> contacts_at(const Story& story, double seconds) {
  const LastTimes last = last_times(story);
  std::vector<std::size_t> out;
  for (std::size_t i = 0; i < story.contacts.size(); ++i) {
    const StoryContact& c = story.contacts[i];
    if (c.told.seconds[1] - kSlack > seconds) break;  // in order of touch
    const double at = time_of(last, c.told.pair.avatar, seconds);
    if (at >= c.told.seconds[1] - kSlack && at <= end_of(c) + kSlack) out.push_back(i);
  }
  return out;
}

std::optional<std::size_t> contact_step_at(const Story& story, double seconds,
                                           std::optional<std::size_t> chosen) {
  std::optional<std::size_t> best;
  int best_rank = -1;
  for (std::size_t i = 0; i < story.contacts.size(); ++i) {
    const StoryContact& c = story.contacts[i];
    if (c.span[0] - kSlack > seconds || seconds > c.span[1] + kSlack) continue;
    const bool own = chosen && c.episode == *chosen;
    // A step that begins now comes before the one that ends now, as in moment_at().
    const bool goes_on = seconds < c.span[1] - kSlack;
    const int rank = (own ? 2 : 0) + (goes_on ? 1 : 0);
    if (rank > best_rank) {
      best = i;
      best_rank = rank;
    }
  }
  return best;
}

StoryMoment moment_at(const StoryFigure& figure, double seconds) {
  const StepList& steps = figure.steps;
  const auto after =
      std::upper_bound(steps.begin(), steps.end(), seconds,
                       [](double s, const Step& step) { return s < step.seconds(0.0); });
  StoryMoment out;
  out.there = !figure.goes || (seconds >= steps.front().seconds(0.0) - kSlack &&
                               (figure.stays || seconds <= steps.back().seconds(1.0) + kSlack));
  if (after == steps.begin()) return out;
  out.step = static_cast<std::size_t>(after - steps.begin()) - 1;
  const Step& step = steps[out.step];
  const double begin = step.seconds(0.0);
  const double width = step.seconds(1.0) - begin;
  const bool pose = step.frames()[0] == step.frames()[1];
  out.t = !pose && width > 0.0 ? std::clamp((seconds - begin) / width, 0.0, 1.0) : 0.0;
  return out;
}

std::size_t room_at(const Story& story, double seconds) {
  std::size_t out = 0;
  while (out + 1 < story.rooms.size() && story.rooms[out + 1].from <= seconds + kSlack) ++out;
  return out;
}

void make_lanes(Story& story) {
  using Key = std::pair<std::int32_t, std::string>;
  std::map<Key, StoryLane> lanes;
  for (StoryLane& lane : story.lanes) {
    if (!lane.clearance.empty()) lanes[{lane.avatar, lane.link}].clearance = lane.clearance;
  }
  const auto both = [&lanes](const io::ToldPair& pair, const auto& add) {
    add(lanes[{pair.avatar, pair.link}]);
    if (pair.of_links()) add(lanes[{pair.other_avatar, pair.other_link}]);
  };
  for (const StoryFigure& figure : story.figures) {
    if (figure.live) lanes[{figure.index, {}}].marks = {};
  }
  for (std::size_t i = 0; i < story.marks.size(); ++i) {
    lanes[{story.marks[i].avatar, {}}].marks.push_back(i);
  }
  for (std::size_t i = 0; i < story.episodes.size(); ++i) {
    both(story.episodes[i].told.pair(), [i](StoryLane& lane) { lane.episodes.push_back(i); });
  }
  for (std::size_t i = 0; i < story.contacts.size(); ++i) {
    both(story.contacts[i].told.pair, [i](StoryLane& lane) { lane.contacts.push_back(i); });
  }
  story.lanes.clear();
  for (auto& [key, lane] : lanes) {
    lane.avatar = key.first;
    lane.link = key.second;
    lane.name = lane_name(story, key.first, key.second);
    story.lanes.push_back(std::move(lane));
  }
  std::stable_sort(story.lanes.begin(), story.lanes.end(),
                   [&story](const StoryLane& p, const StoryLane& q) {
                     return std::pair(p.avatar, place_of_link(story, p)) <
                            std::pair(q.avatar, place_of_link(story, q));
                   });
  story.links = 0;
  for (const StoryFigure& figure : story.figures) story.links += figure.avatar.links().size();
}

}  // namespace tocsin::view
