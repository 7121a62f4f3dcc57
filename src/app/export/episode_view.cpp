#include "app/export/episode_view.h"

#include <algorithm>
#include <cctype>
#include <string>
#include <utility>

#include "view/step_scene.h"

namespace tocsin::app {
namespace {

/// Links with "head" in their names, else none.
bool is_head(std::string name) {
  std::transform(name.begin(), name.end(), name.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return name.find("head") != std::string::npos;
}

std::optional<std::size_t> link_named(const Avatar& avatar, const std::string& name) {
  const auto links = avatar.links();
  const auto found = std::find_if(links.begin(), links.end(),
                                  [&name](const Link& link) { return link.name == name; });
  if (found == links.end()) return std::nullopt;
  return static_cast<std::size_t>(found - links.begin());
}

/// The subject of an episode's first step: all that are there, and the contact.
std::optional<view::Subject> subject_of(const Job& job, const io::ToldContact& contact) {
  view::Subject out;
  const double margin = job.options.spec.margin;
  for (std::size_t i = 0; i < job.takes.size(); ++i) {
    const JobTake& take = job.takes[i];
    const std::size_t at = position_of(take.steps, contact.step);
    if (at == take.steps.size() || take.steps[at].index() != contact.step) continue;
    const Step& step = take.steps[at];
    const Avatar& avatar = take.member.avatar;
    const view::Pose start = view::pose_of_step(avatar, step, margin, 0.0);
    const view::Pose stop = view::pose_of_step(avatar, step, margin, contact.toc[0]);
    const view::Pose end = view::pose_of_step(avatar, step, margin, 1.0);
    if (static_cast<std::size_t>(contact.pair.avatar) == i) {
      const auto link = link_named(avatar, contact.pair.link);
      if (!link) return std::nullopt;
      const auto& [a0, b0] = std::pair(start[*link].a, start[*link].b);
      const auto& [a1, b1] = std::pair(end[*link].a, end[*link].b);
      const Vec3 movement{0.5 * (a1.x - a0.x + b1.x - b0.x), 0.5 * (a1.y - a0.y + b1.y - b0.y),
                          0.5 * (a1.z - a0.z + b1.z - b0.z)};
      out.focus = view::Focus{contact.point, contact.normal, out.body.size() + *link, movement};
    }
    out.body.insert(out.body.end(), stop.begin(), stop.end());
    out.more.push_back(start);
    out.more.push_back(end);
    for (std::size_t k = 0; k < stop.size(); ++k) {
      if (is_head(avatar.links()[k].name)) out.heads.push_back(stop[k]);
    }
  }
  if (out.body.empty() || !out.focus) return std::nullopt;
  return out;
}

/// The pose of a take at a time, in its first or last one outside of it; none: it is not there.
view::Pose pose_at_time(const Job& job, const JobTake& take, double seconds) {
  if (take.steps.empty()) return {};
  std::size_t at = take.steps.size() - 1;
  while (at > 0 && take.steps[at].seconds(0.0) > seconds) --at;
  const Step& step = take.steps[at];
  const double from = step.seconds(0.0);
  const double until = step.seconds(1.0);
  const bool is_over = at + 1 == take.steps.size() && seconds > until;
  const bool goes = job.several() && job.options.absent == Absence::kGone;
  if (goes && (seconds < from || is_over)) return {};
  const double t = until > from ? std::clamp((seconds - from) / (until - from), 0.0, 1.0) : 0.0;
  return view::pose_of_step(take.member.avatar, step, job.options.spec.margin, t);
}

}  // namespace

std::optional<view::View> overview_of(const Job& job, double seconds, const view::Sight& sight,
                                      int width, int height) {
  view::Subject subject;
  for (const JobTake& take : job.takes) {
    const view::Pose pose = pose_at_time(job, take, seconds);
    subject.body.insert(subject.body.end(), pose.begin(), pose.end());
  }
  if (subject.body.empty()) return std::nullopt;
  view::CameraWish wish;
  wish.width = width;
  wish.height = height;
  wish.zoom = view::kOverviewZoom;
  const auto seen = view::choose_camera(subject, job.environment, sight, wish);
  if (!seen) return std::nullopt;
  return seen.value();
}

std::optional<view::View> episode_view(const Job& job, const io::ToldContact& first,
                                       const view::Sight& sight, int width, int height) {
  const auto subject = subject_of(job, first);
  if (!subject) return std::nullopt;
  view::CameraWish wish;
  wish.width = width;
  wish.height = height;
  wish.zoom = 1.5;
  const auto seen = view::choose_camera(*subject, job.environment, sight, wish);
  if (!seen) return std::nullopt;
  return seen.value();
}

}  // namespace tocsin::app
