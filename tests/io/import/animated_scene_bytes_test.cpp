// Scenes on their way from a child process: what comes out is what went in, and damaged bytes never
// make a scene that cannot be worked with.
#include "io/import/animated_scene_bytes.h"

#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include "io/import/clip_sampler.h"
#include "io/import/key_times.h"
#include "io/import/scene_skeletons.h"

namespace tocsin::io::animated_scene_bytes_test {
namespace {

/// Three nodes, one skin, one clip with tracks of every path and interpolation.
AnimatedScene small_scene() {
  AnimatedScene scene;
  scene.unit_metres = 0.01;
  scene.up = UpAxis::kX;
  scene.warnings = {"first", "second"};
  scene.nodes.resize(3);
  for (int i = 0; i < 3; ++i) {
    SceneNode& node = scene.nodes[static_cast<std::size_t>(i)];
    node.name = std::string("node ") + static_cast<char>('A' + i);
    node.parent = i - 1;
    node.local.origin.x = 0.5 * i;
  }
  scene.nodes[1].helper = true;
  scene.nodes[2].visible = true;
  scene.nodes[2].mesh = true;
  scene.skins = {{"body", {0, 2}}};
  SceneClip clip;
  clip.name = "walk";
  clip.frame_time = 0.25;
  clip.rate = 30.0;
  clip.tracks = {
      {0, TrackPath::kTranslation, KeyInterpolation::kLinear, {0, 1}, {0, 0, 0, 1, 2, 3}},
      {1, TrackPath::kRotation, KeyInterpolation::kStep, {0.5}, {1, 0, 0, 0}},
      {2, TrackPath::kScale, KeyInterpolation::kCubic, {0, 1}, {1, 1, 1, 2, 2, 2}}};
  scene.clips = {clip};
  return scene;
}

/// What a child sends of it.
std::string bytes_of(const AnimatedScene& scene) {
  const base::LimitedWork work{"take.glb", "test", std::chrono::minutes(1),
                               std::uint64_t{1} << 28U};
  const Result<base::ChildBytes> sent =
      base::run_limited(work, [&](base::ChildOutput& output) -> Status {
        send_scene(scene, output);
        return Nothing{};
      });
  EXPECT_TRUE(sent.ok());
  return std::string(sent->view());
}

/// Does with a scene what the readers do; gives a number so that nothing is left out.
double work_with(const AnimatedScene& scene) {
  double sum = 0.0;
  std::vector<int> nodes;
  for (const SceneSkeleton& skeleton : scene_skeletons(scene)) {
    nodes.insert(nodes.end(), skeleton.nodes.begin(), skeleton.nodes.end());
  }
  for (const SceneClip& clip : scene.clips) {
    sum += static_cast<double>(key_times(clip, true).size());
    if (!key_fault(scene, clip).empty()) continue;
    ClipSampler sampler(scene, clip, nodes);
    for (const double time : {-1.0, 0.0, 0.75, 9.0}) {
      sampler.go_to(time);
      for (const int node : nodes) sum += sampler.world(node).origin.x;
    }
  }
  return sum;
}

TEST(AnimatedSceneBytes, GivesWhatWasSent) {
  const AnimatedScene sent = small_scene();
  AnimatedScene scene;
  ASSERT_TRUE(take_scene(bytes_of(sent), scene));
  EXPECT_EQ(scene.up, UpAxis::kX);
  EXPECT_EQ(scene.warnings, sent.warnings);
  ASSERT_EQ(scene.nodes.size(), 3U);
  EXPECT_EQ(scene.nodes[2].parent, 1);
  EXPECT_EQ(scene.nodes[2].local.origin.x, 1.0);
  EXPECT_TRUE(scene.nodes[1].helper);
  EXPECT_TRUE(scene.nodes[2].visible);
  EXPECT_TRUE(scene.nodes[2].mesh);
  EXPECT_FALSE(scene.nodes[1].mesh);
  ASSERT_EQ(scene.clips.size(), 1U);
  ASSERT_EQ(scene.clips[0].tracks.size(), 3U);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(scene.clips[0].tracks[i].path, sent.clips[0].tracks[i].path);
    EXPECT_EQ(scene.clips[0].tracks[i].between, sent.clips[0].tracks[i].between);
    EXPECT_EQ(scene.clips[0].tracks[i].times, sent.clips[0].tracks[i].times);
    EXPECT_EQ(scene.clips[0].tracks[i].values, sent.clips[0].tracks[i].values);
  }
  // The clip holds B and C at the origin of what they hang on; A moves by 0.75.
  EXPECT_GT(work_with(scene), 0.75);
}

TEST(AnimatedSceneBytes, WhatCannotBeIsRefused) {
  using Change = void (*)(AnimatedScene&);
  for (const Change change : std::vector<Change>{
           [](AnimatedScene& scene) { scene.up = static_cast<UpAxis>(3); },
           [](AnimatedScene& scene) { scene.nodes[1].parent = 1; },
           [](AnimatedScene& scene) { scene.nodes[1].parent = -2; },
           [](AnimatedScene& scene) { scene.skins[0].joints[1] = 3; },
           [](AnimatedScene& scene) { scene.skins[0].joints.clear(); },
           [](AnimatedScene& scene) { scene.clips[0].tracks[0].node = 3; },
           [](AnimatedScene& scene) { scene.clips[0].tracks[0].node = -1; },
           [](AnimatedScene& scene) { scene.clips[0].tracks[0].path = static_cast<TrackPath>(3); },
           [](AnimatedScene& scene) {
             scene.clips[0].tracks[0].between = static_cast<KeyInterpolation>(3);
           },
           [](AnimatedScene& scene) {
             scene.clips[0].tracks[0].times.clear();
             scene.clips[0].tracks[0].values.clear();
           },
           [](AnimatedScene& scene) { scene.clips[0].tracks[1].values.pop_back(); }}) {
    AnimatedScene damaged = small_scene();
    change(damaged);
    AnimatedScene scene;
    EXPECT_FALSE(take_scene(bytes_of(damaged), scene));
  }
}

TEST(AnimatedSceneBytes, DamagedBytesDoNoHarm) {
  const std::string bytes = bytes_of(small_scene());
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    AnimatedScene scene;
    EXPECT_FALSE(take_scene(std::string_view(bytes).substr(0, size), scene)) << size;
  }
  int taken = 0;
  for (std::size_t at = 0; at < bytes.size(); ++at) {
    std::string damaged = bytes;
    for (const int value : {0x00, 0x01, 0x02, 0x03, 0x7F, 0x80, 0xFE, 0xFF}) {
      damaged[at] = static_cast<char>(value);
      AnimatedScene scene;
      if (!take_scene(damaged, scene)) continue;
      ++taken;
      (void)work_with(scene);
    }
  }
  EXPECT_GT(taken, 0);  // names and numbers may be anything
}

}  // namespace
}  // namespace tocsin::io::animated_scene_bytes_test
