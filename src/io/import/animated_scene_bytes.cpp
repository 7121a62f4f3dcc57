#include "io/import/animated_scene_bytes.h"

#include <cstddef>
#include <cstdint>
#include <vector>

#include "io/import/child_values.h"

namespace tocsin::io {
namespace {

bool take_flag(ChildReader& reader) {
  std::uint8_t flag = 0;
  reader.take(flag);
  return flag != 0;
}

/// Enumerations are checked against the last of their values.
template <class Enum>
bool take_up_to(Enum last, ChildReader& reader, Enum& value) {
  reader.take(value);
  return value <= last;
}

/// A list that is not sent as plain bytes: its count, then what `send_one` makes of each.
template <class T, class SendOne>
void send_each(const std::vector<T>& list, base::ChildOutput& output, SendOne send_one) {
  send(output, static_cast<std::uint64_t>(list.size()));
  for (const T& one : list) send_one(one);
}

}  // namespace

void send_scene(const AnimatedScene& scene, base::ChildOutput& output) {
  send_all(output, scene.unit_metres, scene.up, scene.warnings, scene.morph_channels);
  send_each(scene.nodes, output, [&](const SceneNode& node) {
    send_all(output, node.name, node.parent, node.local, static_cast<std::uint8_t>(node.visible),
             static_cast<std::uint8_t>(node.mesh), static_cast<std::uint8_t>(node.helper));
  });
  send_each(scene.skins, output,
            [&](const SceneSkin& skin) { send_all(output, skin.name, skin.joints); });
  send_each(scene.clips, output, [&](const SceneClip& clip) {
    send_all(output, clip.name, clip.frame_time, clip.rate);
    send_each(clip.tracks, output, [&](const SceneTrack& track) {
      send_all(output, track.node, track.path, track.between, track.times, track.values);
    });
  });
}

bool take_scene(std::string_view bytes, AnimatedScene& scene) {
  ChildReader reader(bytes);
  constexpr std::uint64_t kLeast = sizeof(std::uint64_t);  // an entry's name or list has a count
  reader.take(scene.unit_metres);
  bool good = take_up_to(UpAxis::kX, reader, scene.up);
  reader.take(scene.warnings);
  reader.take(scene.morph_channels);
  scene.nodes.resize(reader.take_count(kLeast + sizeof(Affine)));
  const auto exists = [&](int node, std::size_t count) {
    return node >= 0 && static_cast<std::size_t>(node) < count;
  };
  for (std::size_t i = 0; i < scene.nodes.size(); ++i) {
    SceneNode& node = scene.nodes[i];
    reader.take(node.name);
    reader.take(node.parent);
    reader.take(node.local);
    node.visible = take_flag(reader);
    node.mesh = take_flag(reader);
    node.helper = take_flag(reader);
    good = good && (node.parent == -1 || exists(node.parent, i));
  }
  scene.skins.resize(reader.take_count(2 * kLeast));
  for (SceneSkin& skin : scene.skins) {
    reader.take(skin.name);
    reader.take(skin.joints);
    good = good && !skin.joints.empty();
    for (const int joint : skin.joints) good = good && exists(joint, scene.nodes.size());
  }
  scene.clips.resize(reader.take_count(2 * kLeast));
  for (SceneClip& clip : scene.clips) {
    reader.take(clip.name);
    reader.take(clip.frame_time);
    reader.take(clip.rate);
    clip.tracks.resize(reader.take_count(2 * kLeast));
    for (SceneTrack& track : clip.tracks) {
      reader.take(track.node);
      good = take_up_to(TrackPath::kScale, reader, track.path) && good;
      good = take_up_to(KeyInterpolation::kCubic, reader, track.between) && good;
      reader.take(track.times);
      reader.take(track.values);
      good = good && exists(track.node, scene.nodes.size()) && !track.times.empty() &&
             track.values.size() == track.width() * track.times.size();
    }
  }
  return good && reader.ok();
}

}  // namespace tocsin::io
