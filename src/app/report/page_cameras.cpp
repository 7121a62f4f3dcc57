#include "app/report/page_cameras.h"

#include <algorithm>
#include <cctype>
#include <optional>
#include <utility>

#include "app/cli/progress.h"
#include "io/report/json_line.h"
#include "view/choose_camera.h"
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
std::optional<view::Subject> subject_of(const ShownReport& shown, const io::ToldContact& contact) {
  view::Subject out;
  const double margin = shown.job.options.spec.margin;
  for (std::size_t i = 0; i < shown.job.takes.size(); ++i) {
    const JobTake& take = shown.job.takes[i];
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

void append_camera(io::JsonLine& json, const Environment& room, const view::View& seen) {
  json.open('{').key("eye").array(seen.camera.eye).key("target").array(seen.camera.target);
  json.key("fov").value(seen.camera.fov_degrees).key("cut").open('[');
  for (const std::uint32_t object : seen.cut) json.value(room.objects()[object].name);
  json.close(']').close('}');
}

}  // namespace

std::string page_cameras(const ShownReport& shown) {
  std::string out;
  io::JsonLine json(out);
  json.open('[');
  const std::size_t count = std::min(shown.told.episodes.size(), kMostCameras);
  if (count > 0) {
    const view::Sight sight(shown.job.environment);
    Progress progress("choosing cameras", static_cast<std::int64_t>(count));
    for (std::size_t i = 0; i < count; ++i) {
      progress.step();
      const auto subject = subject_of(shown, shown.told.episodes[i].first);
      view::CameraWish wish;
      wish.width = 800;
      wish.height = 500;
      wish.zoom = 1.5;
      const auto seen = subject ? view::choose_camera(*subject, shown.job.environment, sight, wish)
                                : Result<view::View>(ErrorCode::kUsage, "");
      if (seen) {
        append_camera(json, shown.job.environment, *seen);
      } else {
        json.raw("null");
      }
    }
  }
  json.close(']');
  return out;
}

}  // namespace tocsin::app
