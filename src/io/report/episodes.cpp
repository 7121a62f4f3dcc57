#include "io/report/episodes.h"

#include <algorithm>
#include <utility>

namespace tocsin::io {

EpisodeTracker::Pair EpisodeTracker::pair_of(int avatar, const Contact& contact) {
  return {avatar, contact.link, contact.party()};
}

void EpisodeTracker::add(const Step& step, const StepReport& report) {
  const int avatar = report.avatar;
  const std::int64_t now = steps_added_[avatar]++;
  for (const Contact& contact : report.contacts) {
    const auto [entry, is_new] = open_.try_emplace(pair_of(avatar, contact));
    Open& open = entry->second;
    const bool begins = is_new || open.last_step + 1 < now;
    open.last_step = now;
    count_ += begins ? 1 : 0;
    if (keep_ == Keep::kCount) continue;
    if (begins) {
      open.episode = episodes_.size();
      Episode& episode = episodes_.emplace_back();
      episode.avatar = avatar;
      episode.first = contact;
      episode.begin = step;
      episode.frames = step.frames();
      episode.first_touch = {step.seconds(contact.toc[0]), step.seconds(contact.toc[1])};
    }
    Episode& episode = episodes_[open.episode];
    episode.frames[1] = step.frames()[1];
    episode.until = step.seconds(1.0);
    episode.steps += 1;
    episode.proved = episode.proved || contact.status != ContactStatus::kGraze;
  }
}

std::vector<Episode> EpisodeTracker::sorted() const {
  std::vector<Episode> out = episodes_;
  std::sort(out.begin(), out.end(), [](const Episode& a, const Episode& b) {
    return std::pair(a.first_touch, pair_of(a.avatar, a.first)) <
           std::pair(b.first_touch, pair_of(b.avatar, b.first));
  });
  return out;
}

}  // namespace tocsin::io
