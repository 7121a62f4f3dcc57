// Motions from glTF. The files are put together by hand, the positions worked out by hand.
#include "io/import/skinned_motion.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "io/import/skinned_files.h"
#include "tocsin/io.h"

namespace tocsin::io::skinned_motion_test {
namespace {

using test::Channel;
using test::expect_near;
using test::GltfParts;
using test::joint_names;
using test::joints_at;
using test::kHalf;
using test::RoomFolder;
using test::warns;

/// Armature turns Z up to Y up ((x, y, z) to (x, z, -y)) and is in centimetres. Hips at 1 m, Spine
/// half a metre above it, Spine_end 0.2 m above that; the mesh hangs beside them.
const char* const kNodes =
    R"({"name":"Armature","rotation":[-0.70710678,0,0,0.70710678],"scale":[0.01,0.01,0.01],
        "children":[1,4]},
       {"name":"Hips","translation":[0,0,100],"children":[2]},
       {"name":"Spine","translation":[0,0,50],"children":[3]},
       {"name":"Spine_end","translation":[0,0,20]},
       {"name":"Body","mesh":0,"skin":0})";
const char* const kSkin = R"({"name":"Person","joints":[1,2]})";

/// Hips goes 1 m along x and turns by 90 degrees about its z; Spine by 90 degrees about its x.
std::vector<Channel> wave(const std::vector<float>& times = {0, 0.5F, 1}) {
  return {{1, "translation", times, {0, 0, 100, 100, 0, 100, 0, 0, 100}},
          {1, "rotation", times, {0, 0, 0, 1, 0, 0, kHalf, kHalf, 0, 0, 0, 1}},
          {2, "rotation", times, {0, 0, 0, 1, kHalf, 0, 0, kHalf, 0, 0, 0, 1}}};
}

Result<Motion> read(const std::string& json, const std::string& bytes,
                    const MotionOptions& options = {}) {
  const RoomFolder folder;
  return read_skinned_motion(folder.write("take.glb", test::glb(json, bytes)), options);
}

Result<Motion> read_wave(const std::vector<Channel>& channels, const MotionOptions& options = {}) {
  GltfParts parts;
  parts.animation("Wave", channels);
  const std::string json = parts.json(kNodes, kSkin, "0");
  return read(json, parts.bytes, options);
}

// Found by an attack: assimp's keys are floats, which are 3 cm apart at 500 km.
TEST(SkinnedMotion, WhatAClipLeavesAloneIsTakenFromTheFilesOwnNumbers) {
  GltfParts parts;
  parts.animation("Turn", {{0, "rotation", {0, 0.5F}, {0, 0, 0, 1, 0, 0, kHalf, kHalf}}});
  const std::string json = parts.json(
      R"({"name":"hips","translation":[500000.14,1,0],"scale":[1.1,1.1,1.1],"children":[1]},
         {"name":"tip","rotation":[0.6,0,0,0.8],"translation":[0,0.1,0]})",
      "", "0");
  const Result<Motion> motion = read(json, parts.bytes, {1.0, UpAxis::kY});
  ASSERT_TRUE(motion.ok()) << motion.error().message;
  ASSERT_EQ(motion->frame_count(), 2);
  for (std::int64_t frame = 0; frame < 2; ++frame) {
    EXPECT_EQ(motion->pose(frame)[0].translation, (Vec3{500000.14, 1, 0})) << frame;
  }
  const std::vector<Vec3> first = joints_at(*motion, 0);
  EXPECT_NEAR(first[1].x, 500000.14, 1e-9);
  EXPECT_NEAR(first[1].y, 1.11, 1e-12);
  const std::vector<Vec3> second = joints_at(*motion, 1);
  EXPECT_NEAR(second[1].x, 500000.14 - 0.11, 1e-8);  // the key's quaternion is of floats
  // The skeleton and its first frame stand alike.
  EXPECT_EQ(motion->skeleton().joints()[0].rest.translation, motion->pose(0)[0].translation);
}

TEST(SkinnedMotion, Gltf1IsRefusedWithWhatToDo) {
  const RoomFolder folder;
  const auto motion = read_skinned_motion(
      folder.write("take.gltf", R"({"asset":{"version":"1.0"},"nodes":{"a":{}}})"), {});
  ASSERT_FALSE(motion.ok());
  EXPECT_NE(
      motion.error().message.find("glTF 1.0, of which only rooms are read; write it as glTF 2.0"),
      std::string::npos)
      << motion.error().message;
}

TEST(SkinnedMotion, AnArmatureThatScalesAndTurns) {
  const Result<Motion> motion = read_wave(wave());
  ASSERT_TRUE(motion.ok()) << motion.error().message;
  EXPECT_EQ(joint_names(*motion), (std::vector<std::string>{"Hips", "Spine", "Spine_end"}));
  EXPECT_EQ(motion->skeleton().joints()[0].parent, -1);
  EXPECT_EQ(motion->skeleton().joints()[2].parent, 1);
  EXPECT_EQ(motion->frame_count(), 3);
  EXPECT_EQ(motion->frame_time(), 0.5);
  const std::vector<Vec3> rest = motion->skeleton().rest_positions();
  expect_near(rest[0], {0, 1, 0}, 1e-6, "hips at rest");
  expect_near(rest[1], {0, 1.5, 0}, 1e-6, "spine at rest");
  expect_near(rest[2], {0, 1.7, 0}, 1e-6, "end at rest");
  // Spine turns the end's (0, 0, 20) to (0, -20, 0), Hips that to (20, 0, 0): 0.2 m along x.
  const std::vector<Vec3> middle = joints_at(*motion, 1);
  expect_near(middle[0], {1, 1, 0}, 1e-6, "hips");
  expect_near(middle[1], {1, 1.5, 0}, 1e-6, "spine");
  expect_near(middle[2], {1.2, 1.5, 0}, 1e-6, "end");
  expect_near(joints_at(*motion, 2)[2], {0, 1.7, 0}, 1e-6, "end, back again");
  // Lengths are in metres in the joints' own frames.
  expect_near(motion->pose(1)[2].translation, {0, 0, 0.2}, 1e-6, "end in its parent");
  EXPECT_EQ(motion->source().format, "glb");
  EXPECT_EQ(motion->source().unit_metres, 1.0);
  EXPECT_EQ(motion->source().unit_reason, "glTF is in metres");
  EXPECT_EQ(motion->source().clip, "");
  EXPECT_EQ(motion->source().skin, "");
  EXPECT_EQ(motion->source().rate_reason, "");
  EXPECT_TRUE(motion->source().warnings.empty()) << motion->source().warnings.front();
}

TEST(SkinnedMotion, TextWithItsBufferInsideAndBeside) {
  GltfParts inside;
  inside.animation("Wave", wave());
  GltfParts probe = inside;
  (void)probe.json(kNodes, kSkin, "0");  // so that the buffer is whole
  const std::string uri = "data:application/octet-stream;base64," + test::base64(probe.bytes);
  const RoomFolder folder;
  const Result<Motion> one =
      read_skinned_motion(folder.write("inside.gltf", inside.json(kNodes, kSkin, "0", uri)), {});
  ASSERT_TRUE(one.ok()) << one.error().message;
  EXPECT_EQ(one->source().format, "gltf");
  expect_near(joints_at(*one, 1)[2], {1.2, 1.5, 0}, 1e-6, "end");

  GltfParts beside;
  beside.animation("Wave", wave());
  const auto file = folder.write("beside.gltf", beside.json(kNodes, kSkin, "0", "beside.bin"));
  EXPECT_FALSE(read_skinned_motion(file, {}).ok());
  EXPECT_TRUE(folder.write("beside.bin", beside.bytes).has_filename());
  const Result<Motion> two = read_skinned_motion(file, {});
  ASSERT_TRUE(two.ok()) << two.error().message;
  expect_near(joints_at(*two, 1)[2], {1.2, 1.5, 0}, 1e-6, "end");
}

TEST(SkinnedMotion, UnitAndUpAxisAsTold) {
  const Result<Motion> told = read_wave(wave(), {.unit_metres = 0.1, .up = UpAxis::kZ});
  ASSERT_TRUE(told.ok()) << told.error().message;
  // (1.2, 1.5, 0) becomes (1.2, 0, -1.5), a tenth of it.
  expect_near(joints_at(*told, 1)[2], {0.12, 0, -0.15}, 1e-7, "end");
  expect_near(told->skeleton().rest_positions()[2], {0, 0, -0.17}, 1e-7, "end at rest");
  EXPECT_EQ(told->source().unit_reason, "as told");
  EXPECT_EQ(read_wave(wave(), {.unit_metres = -1.0}).error().code, ErrorCode::kUsage);
}

TEST(SkinnedMotion, SeveralClipsAreToldApartByName) {
  GltfParts parts;
  parts.animation("Wave", wave());
  parts.animation("", {{1, "translation", {0, 0.25F}, {0, 0, 100, 0, 0, 200}}});
  parts.animation("Wave", {{1, "translation", {0, 1}, {0, 0, 100, 0, 0, 300}}});
  const std::string json = parts.json(kNodes, kSkin, "0");
  const Result<Motion> none = read(json, parts.bytes);
  EXPECT_EQ(none.error().code, ErrorCode::kInput);
  EXPECT_NE(none.error().message.find("holds several clips; say which with --clip: \"Wave\", "
                                      "\"clip 1\", \"Wave@2\""),
            std::string::npos)
      << none.error().message;
  const Result<Motion> other = read(json, parts.bytes, {.clip = "Dance"});
  EXPECT_NE(other.error().message.find("has no clip \"Dance\"; it has \"Wave\", \"clip 1\""),
            std::string::npos)
      << other.error().message;
  const Result<Motion> nameless = read(json, parts.bytes, {.clip = "clip 1"});
  ASSERT_TRUE(nameless.ok()) << nameless.error().message;
  EXPECT_EQ(nameless->source().clip, "clip 1");
  EXPECT_EQ(nameless->frame_time(), 0.25);
  expect_near(joints_at(*nameless, 1)[0], {0, 2, 0}, 1e-6, "hips");
  const Result<Motion> second = read(json, parts.bytes, {.clip = "Wave@2"});
  ASSERT_TRUE(second.ok()) << second.error().message;
  expect_near(joints_at(*second, 1)[0], {0, 3, 0}, 1e-6, "hips");
}

/// Two people, and a cape on the first's back: three skins, two skeletons.
const char* const kTwo =
    R"({"name":"A","translation":[0,1,0],"children":[1,2]},{"name":"A_head","translation":[0,0.6,0]},
       {"name":"A_cape","translation":[0,0,-0.2]},
       {"name":"B","translation":[5,1,0],"children":[4]},{"name":"B_head","translation":[0,0.5,0]})";
const char* const kTwoSkins =
    R"({"name":"First","joints":[0,1]},{"name":"Cape","joints":[2]},{"name":"Second","joints":[3,4]})";

TEST(SkinnedMotion, SkinsThatHangTogetherAreOneSkeleton) {
  GltfParts parts;
  parts.animation("Both", {{0, "translation", {0, 1}, {0, 1, 0, 0, 2, 0}},
                           {3, "translation", {0, 1}, {5, 1, 0, 5, 3, 0}}});
  parts.animation("OnlyB", {{4, "rotation", {0, 1}, {0, 0, 0, 1, 0, 0, kHalf, kHalf}}});
  const std::string json = parts.json(kTwo, kTwoSkins, "0,3");
  const Result<Motion> none = read(json, parts.bytes, {.clip = "Both"});
  EXPECT_NE(none.error().message.find("say which with --skin: \"First\", \"Second\""),
            std::string::npos)
      << none.error().message;
  const Result<Motion> wrong = read(json, parts.bytes, {.clip = "Both", .skin = "Third"});
  EXPECT_NE(wrong.error().message.find("has no skeleton \"Third\"; it has \"First\", \"Second\""),
            std::string::npos)
      << wrong.error().message;
  for (const char* name : {"First", "Cape", "A"}) {
    const Result<Motion> first = read(json, parts.bytes, {.clip = "Both", .skin = name});
    ASSERT_TRUE(first.ok()) << first.error().message;
    EXPECT_EQ(joint_names(*first), (std::vector<std::string>{"A", "A_head", "A_cape"}));
    expect_near(joints_at(*first, 1)[1], {0, 2.6, 0}, 1e-6, name);
    EXPECT_EQ(first->source().skin, "First");
  }
  const Result<Motion> second = read(json, parts.bytes, {.clip = "Both", .skin = "B"});
  EXPECT_EQ(joint_names(*second), (std::vector<std::string>{"B", "B_head"}));
  const Result<Motion> moved = read(json, parts.bytes, {.clip = "OnlyB"});
  ASSERT_TRUE(moved.ok()) << moved.error().message;
  EXPECT_EQ(moved->source().skin, "Second");
}

TEST(SkinnedMotion, NodesInBetweenAndEndNodesBelongToIt) {
  // Twist is no joint but carries Hand; Grip and its Tip show nothing, Sword does.
  const char* const nodes =
      R"({"name":"Scene","translation":[0,1,0],"children":[1]},
         {"name":"Arm","children":[2]},{"name":"Twist","translation":[0.1,0,0],"children":[3]},
         {"name":"Hand","translation":[0.2,0,0],"children":[4,6]},
         {"name":"Grip","translation":[0.05,0,0],"children":[5]},{"name":"Tip","translation":[0.05,0,0]},
         {"name":"Holder","children":[7]},{"name":"Sword","mesh":0})";
  GltfParts parts;
  parts.animation("Turn", {{2, "rotation", {0, 1}, {0, 0, 0, 1, 0, 0, kHalf, kHalf}}});
  const std::string json = parts.json(nodes, R"({"joints":[3,1]})", "0");
  const Result<Motion> motion = read(json, parts.bytes);
  ASSERT_TRUE(motion.ok()) << motion.error().message;
  EXPECT_EQ(joint_names(*motion),
            (std::vector<std::string>{"Arm", "Twist", "Hand", "Grip", "Tip"}));
  expect_near(joints_at(*motion, 1)[4], {0.1, 1.3, 0}, 1e-6, "tip");
}

TEST(SkinnedMotion, WithoutSkinsWhatMovesIsTheSkeleton) {
  const char* const nodes =
      R"({"name":"Root","children":[1]},{"name":"Body","translation":[0,1,0],"children":[2,3]},
         {"name":"Left","translation":[1,0,0]},{"name":"Right","translation":[-1,0,0]},{"name":"Lamp"})";
  GltfParts parts;
  parts.animation("Flap", {{2, "translation", {0, 1}, {1, 0, 0, 1, 1, 0}},
                           {3, "translation", {0, 1}, {-1, 0, 0, -1, 1, 0}}});
  const std::string json = parts.json(nodes, "", "0,4");
  const Result<Motion> motion = read(json, parts.bytes);
  ASSERT_TRUE(motion.ok()) << motion.error().message;
  EXPECT_EQ(joint_names(*motion), (std::vector<std::string>{"Body", "Left", "Right"}));
  expect_near(joints_at(*motion, 1)[2], {-1, 2, 0}, 1e-6, "right");
}

TEST(SkinnedMotion, NamesThatAreMissingOrRepeat) {
  const char* const nodes =
      R"({"translation":[0,1,0],"children":[1,2]},{"name":"Arm","translation":[1,0,0]},
         {"name":"Arm","translation":[-1,0,0]})";
  GltfParts parts;
  parts.animation("", {{2, "translation", {0, 1}, {-1, 0, 0, -1, 1, 0}}});
  const std::string json = parts.json(nodes, R"({"joints":[0,1,2]})", "0");
  const Result<Motion> motion = read(json, parts.bytes);
  ASSERT_TRUE(motion.ok()) << motion.error().message;
  EXPECT_EQ(joint_names(*motion), (std::vector<std::string>{"node 0", "Arm", "Arm@2"}));
  expect_near(joints_at(*motion, 1)[1], {1, 1, 0}, 1e-6, "the arm that stays");
  expect_near(joints_at(*motion, 1)[2], {-1, 2, 0}, 1e-6, "the arm that moves");
  EXPECT_TRUE(warns(*motion, "\"Arm\" is now \"Arm@2\""));
}

TEST(SkinnedMotion, UnevenKeysAreSampled) {
  const Result<Motion> motion = read_wave(wave({0, 0.3F, 1}));
  ASSERT_TRUE(motion.ok()) << motion.error().message;
  EXPECT_EQ(motion->frame_count(), 61);
  EXPECT_EQ(motion->frame_time(), 1.0 / 60.0);
  EXPECT_NE(motion->source().rate_reason, "");
  EXPECT_TRUE(warns(*motion, "3 times that are not evenly spaced (0.3 to 0.7 s apart)"));
  expect_near(joints_at(*motion, 18)[2], {1.2, 1.5, 0}, 1e-5, "at the middle key");
  expect_near(joints_at(*motion, 60)[2], {0, 1.7, 0}, 1e-6, "at the last key");
  // Ten frames after the start: 5/9 of 90 degrees.
  const double angle = 5.0 / 9.0 * std::acos(0.0);
  const double x = 5.0 / 9.0;
  expect_near(joints_at(*motion, 10)[2],
              {x + 0.2 * std::sin(angle) * std::sin(angle), 1.5 + 0.2 * std::cos(angle),
               0.2 * std::sin(angle) * std::cos(angle)},
              1e-5, "between keys");
}

TEST(SkinnedMotion, ARateAsTold) {
  const Result<Motion> motion = read_wave(wave(), {.rate = 4.0});
  ASSERT_TRUE(motion.ok()) << motion.error().message;
  EXPECT_EQ(motion->frame_count(), 5);
  EXPECT_EQ(motion->frame_time(), 0.25);
  EXPECT_EQ(motion->source().rate_reason, "as told");
  // Half way: both turn by 45 degrees. (0, 0, 20) -> (0, -h, h) -> (h/s, -h/s, h), h = 20 / s.
  expect_near(joints_at(*motion, 1)[2], {0.5 + 0.1, 1.5 + 0.1 * std::sqrt(2.0), 0.1}, 1e-6, "end");
  EXPECT_FALSE(warns(*motion, "left out"));
  const Result<Motion> odd = read_wave(wave(), {.rate = 1.5});
  EXPECT_EQ(odd->frame_count(), 2);
  EXPECT_TRUE(warns(*odd, "the last 0.333 s are shorter than a frame and left out"));
  for (const double rate : {0.0, -1.0, 1e300, std::nan("")}) {
    EXPECT_EQ(read_wave(wave(), {.rate = rate}).error().code, ErrorCode::kUsage) << rate;
  }
  EXPECT_NE(read_wave(wave(), {.rate = 1e8}).error().message.find("out of proportion"),
            std::string::npos);
}

TEST(SkinnedMotion, StepsHoldAndSplinesAreTakenAsStraight) {
  std::vector<Channel> step = wave();
  step[0].interpolation = "STEP";
  const Result<Motion> held = read_wave(step, {.rate = 4.0});
  ASSERT_TRUE(held.ok()) << held.error().message;
  expect_near(joints_at(*held, 1)[0], {0, 1, 0}, 1e-6, "still at the first key");
  expect_near(joints_at(*held, 2)[0], {1, 1, 0}, 1e-6, "at the second");
  EXPECT_FALSE(warns(*held, "straight"));

  std::vector<Channel> spline = wave();
  spline[0].interpolation = "CUBICSPLINE";  // tangent, value, tangent
  spline[0].values = {0,   0, 0, 0, 0, 100, 7, 7, 7, 7,   7, 7, 100, 0,
                      100, 7, 7, 7, 7, 7,   7, 0, 0, 100, 0, 0, 0};
  const Result<Motion> keys = read_wave(spline);
  ASSERT_TRUE(keys.ok()) << keys.error().message;
  expect_near(joints_at(*keys, 1)[0], {1, 1, 0}, 1e-6, "at the second key");
  EXPECT_FALSE(warns(*keys, "straight"));
  const Result<Motion> between = read_wave(spline, {.rate = 4.0});
  expect_near(joints_at(*between, 1)[0], {0.5, 1, 0}, 1e-6, "half way");
  EXPECT_TRUE(warns(*between, "taken as straight there: 1 of"));
}

TEST(SkinnedMotion, FrameTimesComeBackFromFloats) {
  const auto frame_time = [](double seconds, int frames, const std::string& more = "") {
    std::vector<float> times;
    std::vector<float> values;
    for (int k = 0; k < frames; ++k) {
      times.push_back(static_cast<float>(0.5 + k * seconds));  // does not begin at 0
      values.insert(values.end(), {0, 0, static_cast<float>(k)});
    }
    GltfParts parts;
    parts.animation("Wave", {{1, "translation", times, values}}, more);
    const std::string json = parts.json(kNodes, kSkin, "0");
    const Result<Motion> motion = read(json, parts.bytes);
    EXPECT_EQ(motion->frame_count(), frames) << seconds << motion.error().message;
    EXPECT_TRUE(motion->source().rate_reason.empty());
    return motion->frame_time();
  };
  for (const double rate : {24.0, 30.0, 60.0, 100.0, 120.0, 240.0}) {
    for (const int frames : {2, 10, 3000}) EXPECT_EQ(frame_time(1.0 / rate, frames), 1.0 / rate);
  }
  EXPECT_EQ(frame_time(0.0083333, 3000), 0.0083333);
  EXPECT_EQ(frame_time(0.0417, 100), 0.0417);
  // Digits that floats do not hold are told beside the keys; what disagrees with them is not.
  EXPECT_EQ(frame_time(0.0417083750417, 100, R"(,"extras":{"frame_time":0.0417083750417})"),
            0.0417083750417);
  EXPECT_EQ(frame_time(0.25, 10, R"(,"extras":{"frame_time":0.2501})"), 0.25);
}

TEST(SkinnedMotion, KeysMayBeSparseOnTheirGrid) {
  std::vector<Channel> channels = wave({0, 0.1F, 0.2F});
  channels.push_back({3, "translation", {0, 1}, {0, 0, 20, 0, 0, 30}});  // Spine_end
  channels.push_back({2, "translation", {0.123F}, {0, 0, 50}});  // one key: no time of its own
  const Result<Motion> motion = read_wave(channels);
  ASSERT_TRUE(motion.ok()) << motion.error().message;
  EXPECT_EQ(motion->frame_count(), 11);
  EXPECT_EQ(motion->frame_time(), 0.1);
  expect_near(joints_at(*motion, 5)[2], {0, 1.75, 0}, 1e-6, "half way");
}

TEST(SkinnedMotion, OneKeyIsOneFrame) {
  const Result<Motion> motion = read_wave({{1, "translation", {0}, {0, 0, 300}}});
  ASSERT_TRUE(motion.ok()) << motion.error().message;
  EXPECT_EQ(motion->frame_count(), 1);
  expect_near(joints_at(*motion, 0)[0], {0, 3, 0}, 1e-6, "hips");
}

TEST(SkinnedMotion, AScaleThatChangesIsTold) {
  std::vector<Channel> channels = wave();
  channels.push_back({1, "scale", {0, 1}, {1, 1, 1, 1, 1, 2}});
  const Result<Motion> motion = read_wave(channels);
  ASSERT_TRUE(motion.ok()) << motion.error().message;
  EXPECT_TRUE(warns(*motion, "scales joints, by up to 2 times"));
  expect_near(joints_at(*motion, 2)[1], {0, 2, 0}, 1e-6, "the spine, twice as far up");
  channels.back().values = {1, 1, 1, 1, 1, -1};
  const Result<Motion> mirrored = read_wave(channels);
  EXPECT_NE(mirrored.error().message.find("clip \"Wave\", frame 1, joint \"Hips\": it is mirrored"),
            std::string::npos)
      << mirrored.error().message;
}

TEST(SkinnedMotion, AClipThatMovesNoJointIsTold) {
  const Result<Motion> camera = read_wave({{4, "translation", {0, 1}, {0, 0, 0, 1, 0, 0}}});
  ASSERT_TRUE(camera.ok()) << camera.error().message;
  EXPECT_TRUE(warns(*camera, "moves none of the skeleton's joints"));
}

TEST(SkinnedMotion, ANodeAboveTheSkeletonCarriesIt) {
  const Result<Motion> motion = read_wave({{0, "translation", {0, 1}, {0, 0, 0, 3, 0, 0}},
                                           {0, "scale", {0}, {0.01F, 0.01F, 0.01F}},
                                           {0, "rotation", {0}, {-kHalf, 0, 0, kHalf}}});
  ASSERT_TRUE(motion.ok()) << motion.error().message;
  EXPECT_EQ(joint_names(*motion).front(), "Hips");
  EXPECT_TRUE(motion->source().warnings.empty()) << motion->source().warnings.front();
  expect_near(joints_at(*motion, 1)[0], {3, 1, 0}, 1e-6, "hips");
}

TEST(ListMotions, ClipsAndSkeletons) {
  GltfParts parts;
  parts.animation("Even", {{0, "translation", {0, 0.1F, 0.2F}, {0, 1, 0, 0, 2, 0, 0, 3, 0}}});
  parts.animation(
      "", {{0, "translation", {0, 0.1F, 0.3F, 0.37F}, {0, 1, 0, 0, 2, 0, 0, 3, 0, 0, 4, 0}}});
  const std::string json = parts.json(kTwo, kTwoSkins, "0,3");
  const RoomFolder folder;
  const Result<MotionContents> list =
      list_motions(folder.write("take.GLB", test::glb(json, parts.bytes)));
  ASSERT_TRUE(list.ok()) << list.error().message;
  ASSERT_EQ(list->clips.size(), 2U);
  EXPECT_EQ(list->clips[0].name, "Even");
  EXPECT_NEAR(list->clips[0].seconds, 0.2, 1e-6);
  EXPECT_EQ(list->clips[0].keys, 3);
  EXPECT_EQ(list->clips[0].rate, 10.0);
  EXPECT_EQ(list->clips[1].name, "clip 1");
  EXPECT_EQ(list->clips[1].keys, 4);
  EXPECT_EQ(list->clips[1].rate, 0.0);
  ASSERT_EQ(list->skins.size(), 2U);
  EXPECT_EQ(list->skins[0].name, "First");
  EXPECT_EQ(list->skins[0].joints, 3);
  EXPECT_EQ(list->skins[1].joints, 2);
  EXPECT_FALSE(list_motions("no_such_file.glb").ok());
  EXPECT_TRUE(list_motions("take.bvh")->clips.empty());
}

}  // namespace
}  // namespace tocsin::io::skinned_motion_test
