// Bad glTF and FBX motions: an error that names the file and what is wrong, never a crash or a
// hang.
#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "io/import/skinned_files.h"
#include "io/import/skinned_motion.h"
#include "tocsin/io.h"

namespace tocsin::io::skinned_bad_input_test {
namespace {

using test::Channel;
using test::GltfParts;
using test::RoomFolder;

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kInf = std::numeric_limits<float>::infinity();

const char* const kTwoNodes =
    R"({"name":"Hips","children":[1]},{"name":"Spine","translation":[0,1,0]})";
const char* const kOneSkin = R"({"name":"Person","joints":[0,1]})";

Channel rising(const std::vector<float>& times = {0, 1}) {
  return {0, "translation", times, {0, 0, 0, 0, 1, 0}};
}

/// The error for these bytes, which must begin with the file's name; without it.
std::string error_of(const std::string& name, const std::string& bytes) {
  const RoomFolder folder;
  const auto file = folder.write(name, bytes);
  const Result<Motion> motion = read_skinned_motion(file, {});
  EXPECT_FALSE(motion.ok());
  EXPECT_EQ(motion.error().code, ErrorCode::kInput);
  const std::string begin = file.string() + ": ";
  const std::string& message = motion.error().message;
  EXPECT_EQ(message.rfind(begin, 0), 0U) << message;
  EXPECT_LT(message.size(), begin.size() + 700);
  return message.size() > begin.size() ? message.substr(begin.size()) : "";
}

std::string error_of(const std::vector<Channel>& channels, const std::string& nodes = kTwoNodes,
                     const std::string& skins = kOneSkin, const std::string& roots = "0") {
  GltfParts parts;
  if (!channels.empty()) parts.animation("Clip", channels);
  const std::string json = parts.json(nodes, skins, roots);
  return error_of("take.glb", test::glb(json, parts.bytes));
}

/// The error of a whole good file in which `from` is replaced by `to`.
std::string error_with(const std::string& from, const std::string& to) {
  GltfParts parts;
  parts.animation("Clip", {rising()});
  std::string json = parts.json(kTwoNodes, kOneSkin, "0");
  const std::size_t at = json.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  if (at != std::string::npos) json.replace(at, from.size(), to);
  return error_of("take.glb", test::glb(json, parts.bytes));
}

TEST(SkinnedBadInput, Keys) {
  struct Case {
    Channel channel;
    const char* error;
  };
  const std::string where = "clip \"Clip\", joint \"Hips\", ";
  for (const Case& one : std::vector<Case>{
           {rising({0, 0}), "translation, key 1: its time, 0 s, does not come after"},
           {rising({1, 0.5F}), "translation, key 1: its time, 0.5 s, does not come after"},
           {rising({0, kNan}), "translation, key 1: its time is not finite"},
           {rising({-kInf, 0}), "translation, key 0: its time is not finite"},
           {{0, "translation", {0, 1}, {0, 0, 0, 0, kNan, 0}},
            "translation, key 1: its value is not finite"},
           {{0, "scale", {0, 1}, {1, 1, 1, 1, kInf, 1}}, "scale, key 1: its value is not finite"},
           {{0, "rotation", {0, 1}, {0, 0, 0, 1, 0, 0, 0, 0}},
            "rotation, key 1: its quaternion is no rotation"}}) {
    EXPECT_EQ(error_of({one.channel}).substr(0, (where + one.error).size()), where + one.error);
  }
}

TEST(SkinnedBadInput, JointsThatAreNoRigidBodies) {
  const std::string cause = "it is mirrored, flattened or not finite";
  EXPECT_EQ(error_of({{0, "scale", {0, 1}, {1, 1, 1, 1, 0, 1}}}),
            "clip \"Clip\", frame 1, joint \"Hips\": " + cause);
  EXPECT_EQ(
      error_of({rising()}, R"({"name":"Hips","scale":[1,-1,1],"children":[1]},{"name":"Spine"})"),
      "at rest, joint \"Hips\": " + cause);
  EXPECT_NE(
      error_of({{0, "translation", {0, 1}, {0, 0, 0, 3e7F, 0, 0}}}).find("frame 1, joint \"Hips\""),
      std::string::npos);
}

TEST(SkinnedBadInput, NothingToRead) {
  EXPECT_EQ(error_of({}), "holds no animation");
  EXPECT_EQ(error_of({}, R"({"name":"Floor","mesh":0})", ""), "holds no animation");
  // What moves is not in the scene, or is no node at all.
  EXPECT_EQ(error_of({{2, "translation", {0, 1}, {0, 0, 0, 0, 1, 0}}},
                     R"({"name":"A"},{"name":"B"},{"name":"C"})", "", "0"),
            "holds no animation");
  EXPECT_EQ(error_with(R"("path":"translation")", R"("path":"weights")"), "holds no animation");
  EXPECT_EQ(error_with(R"("target":{"node":0,)", R"("target":{)"), "holds no animation");
}

TEST(SkinnedBadInput, References) {
  EXPECT_NE(
      error_with(R"("joints":[0,1])", R"("joints":[0,7])").find("a joint that does not exist"),
      std::string::npos);
  EXPECT_NE(error_with(R"("joints":[0,1])", R"("joints":[0,-1])").find("a joint that does not"),
            std::string::npos);
  EXPECT_NE(error_with(R"("target":{"node":0)", R"("target":{"node":9)")
                .find("clip \"Clip\", channel 0: its node does not exist"),
            std::string::npos);
  EXPECT_NE(error_with(R"("sampler":0)", R"("sampler":3)").find("its sampler does not exist"),
            std::string::npos);
  EXPECT_NE(error_with(R"("input":0)", R"("input":44)").find("its input does not exist"),
            std::string::npos);
  EXPECT_NE(error_with(R"("bufferView":0)", R"("bufferView":44)").find("its bufferView does not"),
            std::string::npos);
  EXPECT_NE(error_of({rising(), rising()}).find("moves the translation of node \"Hips\" again"),
            std::string::npos);
  EXPECT_EQ(error_of({rising()}, R"({"children":[1]},{"children":[0]})"),
            "node 0 lies below itself");
}

TEST(SkinnedBadInput, ANodeInTwoPlacesIsCalledAsInTheFile) {
  EXPECT_EQ(error_of({{2, "translation", {0, 1}, {0, 0, 0, 0, 1, 0}}},
                     R"({"name":"Hips","children":[1,2]},{"name":"Spine","children":[2]},)"
                     R"({"name":"Arm","translation":[0,1,0]})",
                     R"({"name":"Person","joints":[0,1]})"),
            "the node \"Arm\" stands in several places: cannot tell which is meant");
}

TEST(SkinnedBadInput, AccessorsAndBuffers) {
  EXPECT_NE(error_with(R"("count":2,"type":"SCALAR")", R"("count":3,"type":"SCALAR")")
                .find("the numbers of its times and values do not go together"),
            std::string::npos);
  EXPECT_NE(error_with(R"("type":"SCALAR")", R"("type":"VEC2")").find("the wrong type"),
            std::string::npos);
  EXPECT_NE(error_with("5126", "5122").find("its keys are not floats"), std::string::npos);
  EXPECT_NE(error_with(R"("byteLength":8)",
                       R"("byteLength":8,"extensions":{"EXT_meshopt_compression":{}})")
                .find("compressed"),
            std::string::npos);
  // Whatever assimp makes of these, it is an error.
  error_with(R"("byteOffset":8)", R"("byteOffset":4000000000)");
  error_with(R"("byteLength":8)", R"("byteLength":1)");
  error_with(R"("nodes":[{)", R"("nodes":[7,{)");
  error_with(R"("version":"2.0")", R"("version":"3.0")");
  error_with(R"("scenes":[{"nodes":[0]}])", R"("scenes":[{"nodes":[99]}])");
}

TEST(SkinnedBadInput, CountsThatTheFileCannotHold) {
  GltfParts parts;
  parts.animation("Clip", {rising()});
  std::string json = parts.json(kTwoNodes, kOneSkin, "0");
  for (std::size_t at = json.find(R"("count":2)"); at != std::string::npos;
       at = json.find(R"("count":2)", at)) {
    json.replace(at, 9, R"("count":900000000)");
  }
  error_of("take.glb", test::glb(json, parts.bytes));
}

TEST(SkinnedBadInput, FramesOutOfProportion) {
  // Keys a tenth of a millisecond apart, and one in a month.
  EXPECT_NE(error_of({{0, "translation", {0, 1e-4F}, {0, 0, 0, 0, 1, 0}},
                      {1, "translation", {0, 3e6F}, {0, 0, 0, 0, 1, 0}}})
                .find("out of proportion to the file"),
            std::string::npos);
}

/// A chain of nodes of which the first moves and the last is the only joint; keys that are not
/// evenly spaced, so that it is sampled at 60 Hz.
std::string chain(int nodes, float seconds, GltfParts& parts) {
  parts.animation("Clip", {{0, "translation", {0, 0.013F, seconds}, {0, 0, 0, 0, 1, 0, 0, 2, 0}}});
  std::string all;
  for (int i = 0; i + 1 < nodes; ++i) all += R"({"children":[)" + std::to_string(i + 1) + "]},";
  return parts.json(all + "{}", R"({"joints":[)" + std::to_string(nodes - 1) + "]}", "0");
}

TEST(SkinnedBadInput, NodesAboveTheJointsCountAsWork) {
  // 4.2 million frames of one joint, below 480 nodes: two milliards of steps in a file of 15 kB.
  GltfParts parts;
  const std::string json = chain(480, 70'000.0F, parts);
  const auto begin = std::chrono::steady_clock::now();
  const std::string error = error_of("take.glb", test::glb(json, parts.bytes));
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(60));
  EXPECT_NE(
      error.find("frames of 1 joints, with 480 nodes that move them, are out of proportion to "
                 "the file; a lower --rate makes fewer"),
      std::string::npos)
      << error;
}

TEST(SkinnedBadInput, AStillTakeOfSomeMinutesIsNoBadInput) {
  GltfParts parts;
  const std::string json = chain(100, 300.0F, parts);
  const RoomFolder folder;
  const Result<Motion> motion =
      read_skinned_motion(folder.write("take.glb", test::glb(json, parts.bytes)), {});
  ASSERT_TRUE(motion.ok()) << motion.error().message;
  EXPECT_EQ(motion->frame_count(), 18'001);
}

TEST(SkinnedBadInput, EveryTruncation) {
  GltfParts parts;
  parts.animation("Clip", {rising()});
  const std::string json = parts.json(kTwoNodes, kOneSkin, "0");
  const std::string glb = test::glb(json, parts.bytes);
  GltfParts probe;
  probe.animation("Clip", {rising()});
  (void)probe.json(kTwoNodes, kOneSkin, "0");
  const std::string uri = "data:application/octet-stream;base64," + test::base64(probe.bytes);
  GltfParts again;
  again.animation("Clip", {rising()});
  const std::string gltf = again.json(kTwoNodes, kOneSkin, "0", uri);
  // The last bytes are those of a mesh that is not looked at.
  for (std::size_t size = 0; size + 40 < glb.size(); size += 23) {
    error_of("take.glb", glb.substr(0, size));
  }
  for (std::size_t size = 0; size < gltf.size(); size += 23) {
    error_of("take.gltf", gltf.substr(0, size));
  }
}

TEST(SkinnedBadInput, OtherFilesOfThoseNames) {
  for (const std::string name : {"take.glb", "take.gltf", "take.fbx"}) {
    for (const std::string& bytes :
         {std::string(), std::string(" "), std::string("hello, world\n"), std::string(1000, '\0'),
          std::string("[1,2,3]"), std::string("{}"), std::string("{\"nodes\":{}}")}) {
      EXPECT_NE(error_of(name, bytes), "");
    }
  }
  EXPECT_NE(read_skinned_motion("no_such.glb", {}).error().message.find("no_such.glb"),
            std::string::npos);
}

}  // namespace
}  // namespace tocsin::io::skinned_bad_input_test
