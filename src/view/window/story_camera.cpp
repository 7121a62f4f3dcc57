#include "view/window/story_camera.h"

#include <algorithm>

#include "core/vector/vec.h"
#include "view/step_scene.h"

namespace tocsin::view {
namespace {

/// The focus of an episode's first contact, of a figure whose links begin at `first` in the
/// subject; none: it is not this figure's.
std::optional<Focus> focus_of(const StoryEpisode& episode, const StoryFigure& figure,
                              std::size_t first, const Pose& from, const Pose& to) {
  const io::ToldContact& contact = episode.told.first;
  if (contact.pair.avatar != figure.index) return std::nullopt;
  const auto links = figure.avatar.links();
  for (std::size_t i = 0; i < links.size(); ++i) {
    if (links[i].name != contact.pair.link) continue;
    const Vec3 movement = 0.5 * ((to[i].a - from[i].a) + (to[i].b - from[i].b));
    return Focus{contact.point, contact.normal, first + i, movement};
  }
  return std::nullopt;
}

}  // namespace

std::optional<View> story_view(const Story& story,
                               const std::vector<std::shared_ptr<const Sight>>& sights,
                               std::optional<std::size_t> episode, double seconds, int width,
                               int height) {
  const std::size_t room = room_at(story, seconds);
  if (room >= sights.size() || !sights[room]) return std::nullopt;
  Subject subject;
  for (const StoryFigure& figure : story.figures) {
    const StoryMoment moment = moment_at(figure, seconds);
    if (!moment.there) continue;
    const Step& step = figure.steps[moment.step];
    const double margin = margin_of(story, figure);
    const Pose from = pose_of_step(figure.avatar, step, margin, 0.0);
    const Pose to = pose_of_step(figure.avatar, step, margin, 1.0);
    if (episode) {
      const auto focus = focus_of(story.episodes[*episode], figure, subject.body.size(), from, to);
      if (focus) subject.focus = focus;
    }
    const Pose now = pose_of_step(figure.avatar, step, margin, moment.t);
    subject.body.insert(subject.body.end(), now.begin(), now.end());
  }
  if (subject.body.empty() || (episode && !subject.focus)) return std::nullopt;
  CameraWish wish;
  wish.width = width;
  wish.height = height;
  wish.zoom = episode ? 1.5 : kOverviewZoom;
  const auto view = choose_camera(subject, story.rooms[room].room, *sights[room], wish);
  if (!view) return std::nullopt;
  return *view;
}

}  // namespace tocsin::view
