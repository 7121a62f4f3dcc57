#include "io/episodes.h"

#include <algorithm>
#include <tuple>

namespace tocsin::io {

void EpisodeTracker::add(const Step& step, const StepReport& report, int avatar) {
  const std::int64_t now = steps_added_++;
  for (const Contact& contact : report.contacts) {
    const auto [entry, is_new] = open_.try_emplace({avatar, {contact.link, contact.object}});
    Open& open = entry->second;
    if (is_new || open.last_step + 1 < now) {
      open.episode = episodes_.size();
      Episode& episode = episodes_.emplace_back();
      episode.avatar = avatar;
      episode.first = contact;
      episode.frames = step.frames();
      episode.first_touch = {step.seconds(contact.toc[0]), step.seconds(contact.toc[1])};
    }
    Episode& episode = episodes_[open.episode];
    episode.frames[1] = step.frames()[1];
    episode.until = step.seconds(1.0);
    episode.steps += 1;
    episode.proved = episode.proved || contact.status != ContactStatus::kGraze;
    open.last_step = now;
  }
}

std::vector<Episode> EpisodeTracker::sorted() const {
  std::vector<Episode> out = episodes_;
  std::sort(out.begin(), out.end(), [](const Episode& a, const Episode& b) {
    return std::tie(a.first_touch, a.avatar, a.first.link, a.first.object) <
           std::tie(b.first_touch, b.avatar, b.first.link, b.first.object);
  });
  return out;
}

}  // namespace tocsin::io
