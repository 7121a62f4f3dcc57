#include "app/report/page_cameras.h"

#include <algorithm>

#include "app/cli/progress.h"
#include "app/export/episode_view.h"
#include "io/report/json_line.h"
#include "view/choose_camera.h"

namespace tocsin::app {
namespace {

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
      const auto seen = episode_view(shown.job, shown.told.episodes[i].first, sight, 800, 500);
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
