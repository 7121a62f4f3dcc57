// tocsin::list_motions: what a glTF or FBX file offers to load_motion().
#include <fmt/format.h>

#include <new>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "base/text_scanner.h"
#include "base/unique_names.h"
#include "io/import/key_times.h"
#include "io/import/read_animated_scene.h"
#include "io/import/scene_skeletons.h"
#include "tocsin/io.h"

namespace tocsin {
namespace {

MotionClip describe(const io::SceneClip& clip, bool from_zero) {
  const std::vector<double> times = io::key_times(clip, from_zero);
  MotionClip out;
  out.name = clip.name;
  out.keys = static_cast<std::int64_t>(times.size());
  if (!times.empty()) out.seconds = times.back() - times.front();
  if (const auto grid = io::even_grid(times, clip.frame_time)) out.rate = 1.0 / grid->frame_time;
  return out;
}

Result<MotionContents> contents_of(const std::filesystem::path& file) {
  const std::string extension = file.extension().string();
  MotionContents out;
  const bool known = base::same_ignoring_case(extension, ".glb") ||
                     base::same_ignoring_case(extension, ".gltf") ||
                     base::same_ignoring_case(extension, ".fbx");
  if (!known) return out;
  const Result<io::AnimatedScene> scene = io::read_animated_scene(file);
  if (!scene.ok()) return scene.error();
  for (const io::SceneClip& clip : scene->clips) {
    if (!clip.tracks.empty()) out.clips.push_back(describe(clip, scene->format == "fbx"));
  }
  for (const io::SceneSkeleton& skeleton : io::scene_skeletons(*scene)) {
    out.skins.push_back({skeleton.name, static_cast<int>(skeleton.nodes.size())});
  }
  std::vector<std::string*> names;
  names.reserve(out.skins.size());
  for (MotionSkin& skin : out.skins) names.push_back(&skin.name);
  (void)base::make_distinct(names);
  return out;
}

}  // namespace

Result<MotionContents> list_motions(const std::filesystem::path& file) {
  const Error no_memory{ErrorCode::kResource, fmt::format("{}: not enough memory", file.string())};
  try {
    return contents_of(file);
  } catch (const std::bad_alloc&) {
    return no_memory;
  } catch (const std::length_error&) {  // a container that would be larger than memory can be
    return no_memory;
  }
}

}  // namespace tocsin
