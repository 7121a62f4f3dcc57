#include "app/report/page_cameras.h"

#include <algorithm>

#include "app/cli/progress.h"
#include "app/export/episode_view.h"
#include "app/export/shown_times.h"
#include "io/report/json_line.h"
#include "view/choose_camera.h"

namespace tocsin::app {
namespace {

/// Pixels of the picture that a camera is chosen for; pages have others of about this form.
constexpr int kPageWidth = 800;
constexpr int kPageHeight = 500;

void append_view(io::JsonLine& json, const Environment& room, const view::View& seen) {
  json.key("eye").array(seen.camera.eye).key("target").array(seen.camera.target);
  json.key("fov").value(seen.camera.fov_degrees).key("cut").open('[');
  for (const std::uint32_t object : seen.cut) json.value(room.objects()[object].name);
  json.close(']');
}

void append_cameras(io::JsonLine& json, const ShownReport& shown, const view::Sight& sight) {
  json.key("cameras").open('[');
  const std::size_t count = std::min(shown.told.episodes.size(), kMostCameras);
  Progress progress("choosing cameras", static_cast<std::int64_t>(count));
  for (std::size_t i = 0; i < count; ++i) {
    progress.step();
    const auto seen =
        episode_view(shown.job, shown.told.episodes[i].first, sight, kPageWidth, kPageHeight);
    if (seen) {
      json.open('{');
      append_view(json, shown.job.environment, *seen);
      json.close('}');
    } else {
      json.raw("null");
    }
  }
  json.close(']');
}

/// In the middle of each of so many equal parts of the time.
void append_overviews(io::JsonLine& json, const ShownReport& shown, const view::Sight& sight) {
  const auto [begin, end] = all_times(shown.job);
  json.key("overviews").open('[');
  for (int i = 0; i < kOverviews; ++i) {
    const double seconds = begin + (i + 0.5) / kOverviews * (end - begin);
    const auto seen = overview_of(shown.job, seconds, sight, kPageWidth, kPageHeight);
    if (!seen) continue;
    json.open('{').key("seconds").value(seconds);
    append_view(json, shown.job.environment, *seen);
    json.close('}');
  }
  json.close(']');
}

}  // namespace

std::string page_cameras(const ShownReport& shown) {
  std::string out;
  io::JsonLine json(out);
  const view::Sight sight(shown.job.environment);
  json.open('{');
  append_cameras(json, shown, sight);
  append_overviews(json, shown, sight);
  json.close('}');
  return out;
}

}  // namespace tocsin::app
