#include "view/window/player.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

namespace tocsin::view {
namespace {

constexpr double kPartOfStep = 0.01;

std::optional<std::size_t> link_index(const StoryFigure& figure, const std::string& name) {
  const auto links = figure.avatar.links();
  for (std::size_t i = 0; i < links.size(); ++i) {
    if (links[i].name == name) return i;
  }
  return std::nullopt;
}

}  // namespace

Player::Player(std::shared_ptr<const Story> story) : story_(std::move(story)) {
  live_ = !story_->complete;
  now_ = story_->times[live_ ? 1 : 0];
  overview();
  if (!live_ && !story_->episodes.empty()) choose(0);
}

void Player::tell(std::shared_ptr<const Story> story) {
  std::optional<std::size_t> found;
  if (chosen_) {
    const StoryEpisode& was = story_->episodes[*chosen_];
    double least = 0.0;
    for (std::size_t i = 0; i < story->episodes.size(); ++i) {
      const StoryEpisode& is = story->episodes[i];
      if (is.told.pair() != was.told.pair()) continue;
      const double apart = std::fabs(is.told.seconds[0] - was.told.seconds[0]);
      if (found && apart >= least) continue;
      found = i;
      least = apart;
    }
  }
  chosen_ = found;
  const bool grew =
      story->figures.size() > story_->figures.size() ||
      story->rooms.front().room.triangles().size() > story_->rooms.front().room.triangles().size();
  story_ = std::move(story);
  const bool untouched = over_ == std::array<Vec3, 2>{rig_.eye(), rig_.target()};
  if (!story_->complete && grew && untouched) overview();
  if (live_) now_ = story_->times[1];
  now_ = std::clamp(now_, story_->times[0], story_->times[1]);
  const auto links = link_texts();
  const auto things = thing_texts();
  const auto gone = [](const std::string& filter, const std::vector<std::string>& all) {
    return !filter.empty() && std::find(all.begin(), all.end(), filter) == all.end();
  };
  if (gone(filters_.link, links)) filters_.link.clear();
  if (gone(filters_.thing, things)) filters_.thing.clear();
}

void Player::tick(double seconds) {
  if (live_) now_ = story_->times[1];
  if (!playing_) return;
  now_ = std::min(story_->times[1], now_ + std::max(0.0, seconds) * kSpeeds.at(speed_).factor);
  if (now_ < story_->times[1]) return;
  playing_ = false;
  live_ = !story_->complete;
}

bool Player::act(Action action) {
  return act_on_time(action) || act_on_camera(action) || act_on_list(action) ||
         act_on_shown(action);
}

bool Player::act_on_time(Action action) {
  switch (action) {
    case Action::kPlay:
      set_playing(!playing());
      return true;
    case Action::kNextContact:
      jump(1);
      return true;
    case Action::kPreviousContact:
      jump(-1);
      return true;
    case Action::kNextStep:
      step(1);
      return true;
    case Action::kPreviousStep:
      step(-1);
      return true;
    case Action::kLater:
    case Action::kEarlier:
      if (const auto in = within()) {
        seek_within(in->t + (action == Action::kLater ? kPartOfStep : -kPartOfStep));
      }
      return true;
    case Action::kSlower:
      set_speed(speed_ + 1);
      return true;
    case Action::kFaster:
      set_speed(speed_ == 0 ? 0 : speed_ - 1);
      return true;
    case Action::kBegin:
      set_playing(false);
      seek(story_->times[0]);
      return true;
    case Action::kEnd:
      set_playing(false);
      seek(story_->times[1]);
      live_ = !story_->complete;
      return true;
    default:
      return false;
  }
}

bool Player::act_on_list(Action action) {
  const auto toggle = [this](ContactStatus kind) {
    bool& shows = filters_.kinds.at(static_cast<std::size_t>(kind));
    shows = !shows;
    return true;
  };
  switch (action) {
    case Action::kHits:
      return toggle(ContactStatus::kHit);
    case Action::kOverlaps:
      return toggle(ContactStatus::kOverlap);
    case Action::kGrazes:
      return toggle(ContactStatus::kGraze);
    case Action::kLinkFilter:
      cycle(filters_.link, link_texts());
      return true;
    case Action::kThingFilter:
      cycle(filters_.thing, thing_texts());
      return true;
    case Action::kNoFilter:
      filters_ = {};
      return true;
    default:
      return false;
  }
}

bool Player::act_on_shown(Action action) {
  switch (action) {
    case Action::kRoom:
      shown_.room = !shown_.room;
      return true;
    case Action::kSweep:
      shown_.sweep = !shown_.sweep;
      return true;
    case Action::kTree:
      shown_.tree = !shown_.tree;
      return true;
    case Action::kCandidates:
      shown_.candidates = !shown_.candidates;
      return true;
    case Action::kKeys:
      shown_.keys = !shown_.keys;
      return true;
    case Action::kFollow:
      follow(followed_ ? std::nullopt : picked_ ? picked_ : link_of_chosen());
      return true;
    case Action::kCancel:
      cancel();
      return true;
    default:
      return false;
  }
}

void Player::cancel() {
  if (shown_.keys) {
    shown_.keys = false;
  } else if (followed_) {
    follow(std::nullopt);
  } else if (!tape_.empty()) {
    tape_.clear();
  } else {
    picked_.reset();
  }
}

void Player::set_speed(std::size_t speed) { speed_ = std::min(speed, kSpeeds.size() - 1); }

void Player::set_playing(bool playing) {
  live_ = playing && !story_->complete && now_ >= story_->times[1];
  playing_ = !live_ && playing && story_->times[1] > story_->times[0];
  if (playing_ && now_ >= story_->times[1]) now_ = story_->times[0];
}

void Player::seek(double seconds) {
  if (!std::isfinite(seconds)) return;
  live_ = false;
  now_ = std::clamp(seconds, story_->times[0], story_->times[1]);
}

/// Whose step is looked into where none with a contact is: what is followed or picked, else the
/// first that moves now, else the first.
const StoryFigure* Player::watched_figure() const {
  constexpr double kSlack = 1e-9;  // seconds
  const std::optional<Followed>& marked = followed_ ? followed_ : picked_;
  const StoryFigure* moving = nullptr;
  for (const StoryFigure& figure : story_->figures) {
    if (marked && marked->avatar == figure.index) return &figure;
    const bool moves = now_ >= figure.steps.front().seconds(0.0) - kSlack &&
                       now_ <= figure.steps.back().seconds(1.0) + kSlack;
    if (moves && moving == nullptr) moving = &figure;
  }
  return moving != nullptr || story_->figures.empty() ? moving : &story_->figures.front();
}

std::optional<Player::Within> Player::within() const {
  Within out;
  if (const auto c = contact_step_at(*story_, now_, chosen_)) {
    const StoryContact& contact = story_->contacts[*c];
    out.span = contact.span;
    out.frames = contact.told.frames;
    out.avatar = contact.told.pair.avatar;
    out.contact = true;
  } else if (const StoryFigure* const figure = watched_figure()) {
    const Step& step = figure->steps[moment_at(*figure, now_).step];
    out.span = {step.seconds(0.0), step.seconds(1.0)};
    out.frames = step.frames();
    out.avatar = figure->index;
  } else {
    return std::nullopt;
  }
  const double width = out.span[1] - out.span[0];
  if (!(width > 0.0)) return std::nullopt;
  out.t = std::clamp((now_ - out.span[0]) / width, 0.0, 1.0);
  return out;
}

std::string within_text(const Story& story, const Player::Within& within, double t) {
  std::string out = fmt::format("{} {} to {}, t = {:.4f}", story.instants ? "instants" : "frames",
                                within.frames[0], within.frames[1], t);
  if (story.figures.size() < 2) return within.contact ? out : out + ", no contact";
  for (const StoryFigure& figure : story.figures) {
    if (figure.index == within.avatar) out += ", of " + figure.name;
  }
  return out;
}

void Player::seek_within(double t) {
  const auto in = within();
  if (!in) return;
  set_playing(false);
  // Not quite to its end, which is the next step's begin.
  constexpr double kLast = 1.0 - 1e-7;
  seek(in->span[0] + std::clamp(t, 0.0, kLast) * (in->span[1] - in->span[0]));
}

void Player::step(int direction) {
  set_playing(false);
  constexpr double kSame = 1e-9;  // seconds
  std::optional<double> best;
  for (const StoryFigure& figure : story_->figures) {
    const std::size_t at = moment_at(figure, now_ + kSame).step;
    for (std::size_t i = at > 0 ? at - 1 : 0; i < figure.steps.size() && i <= at + 1; ++i) {
      for (const double end : {figure.steps[i].seconds(0.0), figure.steps[i].seconds(1.0)}) {
        if (direction > 0 ? end <= now_ + kSame : end >= now_ - kSame) continue;
        if (!best || (direction > 0 ? end < *best : end > *best)) best = end;
      }
    }
  }
  if (best) seek(*best);
}

std::vector<std::size_t> Player::listed() const {
  std::vector<std::size_t> out;
  for (std::size_t i = 0; i < story_->episodes.size(); ++i) {
    const StoryEpisode& e = story_->episodes[i];
    if (!filters_.link.empty() && e.link_text != filters_.link) continue;
    if (!filters_.thing.empty() && e.thing_text != filters_.thing) continue;
    if (!filters_.kinds.at(static_cast<std::size_t>(e.told.first.status))) continue;
    out.push_back(i);
  }
  return out;
}

void Player::choose(std::size_t episode) {
  if (episode >= story_->episodes.size()) return;
  chosen_ = episode;
  set_playing(false);
  follow(std::nullopt);
  seek(story_->episodes[episode].told.seconds[0]);
  wishes_camera_ = true;
}

void Player::jump(int direction) {
  const std::vector<std::size_t> rows = listed();
  if (rows.empty()) return;
  const auto count = static_cast<std::ptrdiff_t>(rows.size());
  const auto found = chosen_ ? std::find(rows.begin(), rows.end(), *chosen_) : rows.end();
  std::ptrdiff_t at = found - rows.begin();
  if (found != rows.end()) {
    at += direction;
  } else {
    const auto later = std::find_if(rows.begin(), rows.end(), [this](std::size_t i) {
      return story_->episodes[i].told.seconds[0] >= now_;
    });
    at = later - rows.begin() - (direction > 0 ? 0 : 1);
  }
  choose(rows[static_cast<std::size_t>((at % count + count) % count)]);
}

bool Player::take_camera_wish() { return std::exchange(wishes_camera_, false); }

bool Player::take_overview_wish() { return std::exchange(wishes_overview_, false); }

std::vector<std::string> Player::link_texts() const {
  std::set<std::string> out;
  for (const StoryEpisode& e : story_->episodes) out.insert(e.link_text);
  return {out.begin(), out.end()};
}

std::vector<std::string> Player::thing_texts() const {
  std::set<std::string> out;
  for (const StoryEpisode& e : story_->episodes) out.insert(e.thing_text);
  return {out.begin(), out.end()};
}

void Player::cycle(std::string& filter, const std::vector<std::string>& all) {
  const auto next = filter.empty() ? all.begin() : std::upper_bound(all.begin(), all.end(), filter);
  filter = next == all.end() ? std::string() : *next;
}

std::optional<Followed> Player::link_of_chosen() const {
  if (!chosen_) return std::nullopt;
  const io::ToldPair& pair = story_->episodes[*chosen_].told.pair();
  for (const StoryFigure& figure : story_->figures) {
    if (figure.index != pair.avatar) continue;
    if (const auto link = link_index(figure, pair.link)) return Followed{pair.avatar, *link};
  }
  return std::nullopt;
}

std::optional<Followed> Player::studied() const {
  for (const auto* const what : {&followed_, &picked_}) {
    if (*what && (*what)->avatar >= 0) return *what;
  }
  return link_of_chosen();
}

std::string Player::name_of(const Followed& what) const {
  if (what.avatar < 0) {
    const auto objects = story_->rooms[room_at(*story_, now_)].room.objects();
    return what.index < objects.size() ? objects[what.index].name : std::string();
  }
  for (const StoryFigure& figure : story_->figures) {
    if (figure.index != what.avatar || what.index >= figure.avatar.links().size()) continue;
    const std::string& link = figure.avatar.links()[what.index].name;
    if (figure.is_body && figure.avatar.links().size() == 1) return figure.name;
    return story_->figures.size() > 1 ? link + " of " + figure.name : link;
  }
  return {};
}

}  // namespace tocsin::view
