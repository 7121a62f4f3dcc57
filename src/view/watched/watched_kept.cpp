// What is kept of what came: rooms and their versions, and so many steps.
#include <algorithm>
#include <limits>
#include <utility>

#include "view/watched/watched_story.h"

namespace tocsin::view {
namespace {

constexpr std::size_t kMostRooms = 64;
constexpr std::uint64_t kMostTriangles = 20'000'000;  // of all rooms: some gigabytes

}  // namespace

std::size_t WatchedStory::kept_bytes_of(const Step& step) {
  return (step.pose0().size() + step.pose1().size()) * sizeof(Transform) + sizeof(Step);
}

void WatchedStory::see_room(const Session& session, const TrackReport& report, double begin) {
  if (!report.room || report.room->to <= wanted_version_ || !is_shown(session)) return;
  wanted_version_ = report.room->to;
  wanted_from_ = begin;
}

std::optional<MissingRoom> WatchedStory::missing_room() const {
  if (!shown_) return std::nullopt;
  if (!rooms_.empty() && rooms_.back().key == *shown_ && rooms_.back().version >= wanted_version_) {
    return std::nullopt;
  }
  for (const auto& [key, session] : sessions_) {
    if (!session.over && is_shown(session)) return MissingRoom{*shown_, wanted_version_, key};
  }
  return std::nullopt;
}

void WatchedStory::put_room(const RoomKey& key, std::uint64_t version, Environment room,
                            std::shared_ptr<const Sight> sight) {
  KeptRoom kept{key, version, {}, {}, std::move(sight)};
  if (!rooms_.empty()) kept.room.from = wanted_from_;
  const auto objects = room.objects();
  for (std::uint32_t i = 0; i < objects.size(); ++i) kept.numbers.emplace(objects[i].name, i);
  kept_triangles_ += room.triangles().size();
  kept.room.room = std::move(room);
  rooms_.push_back(std::move(kept));
  if (shown_ && key == *shown_) wanted_version_ = std::max(wanted_version_, version);
  while (rooms_.size() > 1 && (rooms_.size() > kMostRooms || kept_triangles_ > kMostTriangles)) {
    kept_triangles_ -= rooms_.front().room.room.triangles().size();
    rooms_.pop_front();
    rooms_.front().room.from = StoryRoom().from;
  }
  ++counts_.rooms;
  ++changes_;
}

void WatchedStory::put_avatar(const std::string& session, Avatar avatar) {
  const auto found = sessions_.find(session);
  if (found == sessions_.end()) return;
  found->second.told.avatar = std::move(avatar);
  ++changes_;
}

void WatchedStory::limit() {
  while (counts_.kept_steps > limits_.steps || kept_contacts_ > limits_.contacts ||
         kept_bytes_ > limits_.bytes) {
    if (!drop_oldest()) return;
  }
}

/// The oldest step of all sessions, with its contacts and marks. False: there is nothing to drop.
bool WatchedStory::drop_oldest() {
  auto oldest = sessions_.end();
  double least = std::numeric_limits<double>::infinity();
  for (auto it = sessions_.begin(); it != sessions_.end(); ++it) {
    const Session& session = it->second;
    const double begin = !session.steps.empty()      ? session.steps.front().seconds(0.0)
                         : !session.contacts.empty() ? session.contacts.front().contact.span[0]
                                                     : least;
    if (begin >= least) continue;
    least = begin;
    oldest = it;
  }
  if (oldest == sessions_.end()) return false;
  Session& session = oldest->second;
  std::int64_t number = std::numeric_limits<std::int64_t>::max();
  double end = least;
  if (!session.steps.empty()) {
    const Step& step = session.steps.front();
    number = step.index();
    end = step.seconds(1.0);
    kept_bytes_ -= kept_bytes_of(step);
    session.steps.pop_front();
    --counts_.kept_steps;
    ++counts_.dropped_steps;
  }
  while (!session.contacts.empty() && session.contacts.front().contact.told.step <= number) {
    session.contacts.pop_front();
    --kept_contacts_;
    ++counts_.dropped_contacts;
  }
  while (!session.marks.empty() && session.marks.front().seconds[1] <= end) {
    session.marks.pop_front();
  }
  if (session.over && session.steps.empty()) {
    kept_contacts_ -= session.contacts.size();
    counts_.dropped_contacts += session.contacts.size();
    sessions_.erase(oldest);
  }
  return true;
}

}  // namespace tocsin::view
