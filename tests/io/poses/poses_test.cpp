// The .poses format: what is written is what comes back, to the bit.
#include "io/poses/poses.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include "support/test_folder.h"

namespace tocsin::io::poses_test {
namespace {

using Json = nlohmann::json;

Skeleton two_joints() {
  return *Skeleton::create({{"root", -1, {{}, {0, 1, 0}}}, {"hand", 0, {{0, 0, 1, 0}, {1, 0, 0}}}});
}

std::uint64_t bits(double x) { return std::bit_cast<std::uint64_t>(x); }

std::vector<std::uint64_t> bits_of(const Transform& t) {
  return {bits(t.rotation.w),    bits(t.rotation.x),    bits(t.rotation.y),   bits(t.rotation.z),
          bits(t.translation.x), bits(t.translation.y), bits(t.translation.z)};
}

void expect_same(const Motion& a, const Motion& b) {
  ASSERT_EQ(a.frame_count(), b.frame_count());
  ASSERT_EQ(a.skeleton().size(), b.skeleton().size());
  for (std::size_t i = 0; i < a.skeleton().joints().size(); ++i) {
    const Joint& p = a.skeleton().joints()[i];
    const Joint& q = b.skeleton().joints()[i];
    EXPECT_EQ(p.name, q.name);
    EXPECT_EQ(p.parent, q.parent);
    EXPECT_EQ(bits_of(p.rest), bits_of(q.rest));
  }
  EXPECT_EQ(bits(a.frame_time()), bits(b.frame_time()));
  EXPECT_EQ(a.ticks().size(), b.ticks().size());
  for (std::int64_t f = 0; f < a.frame_count(); ++f) {
    EXPECT_EQ(bits(a.seconds(f)), bits(b.seconds(f)));
    for (std::size_t j = 0; j < a.pose(f).size(); ++j) {
      EXPECT_EQ(bits_of(a.pose(f)[j]), bits_of(b.pose(f)[j])) << f << " " << j;
    }
  }
}

/// Awkward numbers in the poses.
std::vector<Transform> random_poses(int frames) {
  std::mt19937_64 random(3);
  std::normal_distribution<double> normal;
  std::vector<Transform> poses;
  for (int i = 0; i < 2 * frames; ++i) {
    Quat q{normal(random), normal(random), normal(random), normal(random)};
    const double n = 1.0 / std::sqrt(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z);
    poses.push_back({{q.w * n, q.x * n, q.y * n, q.z * n},
                     {normal(random), normal(random) * 1e-300, normal(random) * 1e5}});
  }
  poses[0] = {{1.0, -0.0, 0.0, -0.0}, {-0.0, 5e-324, -1e6}};
  return poses;
}

Motion uneven_motion() {
  std::vector<double> ticks;
  ticks.reserve(20);
  for (int k = 0; k < 20; ++k) ticks.push_back(1.7e9 + k / 90.0 + (k % 3) * 1e-3);
  return *Motion::create_timed(two_joints(), 1.0, ticks, random_poses(20));
}

std::string bytes_of(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

TEST(Poses, LinesToTheLetter) {
  EXPECT_EQ(poses_header(two_joints(), 1.0 / 30, "a \"take\"\n"),
            R"({"type":"motion","format":"tocsin.poses.v1","frame_time":0.03333333333333333,)"
            R"("joints":[{"name":"root","parent":-1,"rest":[1,0,0,0,0,1,0]},)"
            R"({"name":"hand","parent":0,"rest":[0,0,1,0,1,0,0]}],"source":"a \"take\"\n"})"
            "\n");
  const std::vector<Transform> pose{{{}, {0.5, -1, 1e-9}}, {{0, 1, 0, 0}, {}}};
  EXPECT_EQ(pose_line(pose, 0.1, 17),
            "{\"type\":\"pose\",\"tick\":0.1,\"id\":17,"
            "\"local\":[1,0,0,0,0.5,-1,1e-09,0,1,0,0,0,0,0]}\n");
  EXPECT_EQ(pose_line(std::span(pose).last(1), 3, std::nullopt),
            "{\"type\":\"pose\",\"tick\":3,\"local\":[0,1,0,0,0,0,0]}\n");
  EXPECT_EQ(poses_end(12), "{\"type\":\"end\",\"poses\":12}\n");
}

TEST(Poses, AnUnevenMotionComesBackToTheBit) {
  const test::TestFolder folder;
  const Motion motion = uneven_motion();
  const auto file = folder.path() / "take.poses";
  const auto saved = save_motion(motion, file);
  ASSERT_TRUE(saved.ok()) << saved.error().message;
  EXPECT_TRUE(saved->warnings.empty());
  const Motion back = *load_motion(file);
  expect_same(motion, back);
  EXPECT_EQ(back.source().file, file.string());
  EXPECT_EQ(back.source().format, "poses");
  EXPECT_EQ(back.source().unit_metres, 1.0);
  EXPECT_TRUE(back.source().warnings.empty());
  // And again: the same bytes.
  ASSERT_TRUE(save_motion(back, folder.path() / "again.POSES").ok());
  const std::string again = bytes_of(folder.path() / "again.POSES");
  EXPECT_EQ(again.substr(again.find('\n')), bytes_of(file).substr(bytes_of(file).find('\n')));
}

/// Another reader finds the same numbers.
TEST(Poses, IsPlainJson) {
  const test::TestFolder folder;
  const Motion motion = uneven_motion();
  ASSERT_TRUE(save_motion(motion, folder.path() / "take.poses").ok());
  std::istringstream lines(bytes_of(folder.path() / "take.poses"));
  std::string line;
  ASSERT_TRUE(std::getline(lines, line));
  EXPECT_EQ(Json::parse(line)["joints"][1]["name"], "hand");
  for (std::int64_t f = 0; f < motion.frame_count(); ++f) {
    ASSERT_TRUE(std::getline(lines, line));
    const Json pose = Json::parse(line);
    EXPECT_EQ(pose["tick"].get<double>(), motion.ticks()[static_cast<std::size_t>(f)]);
    ASSERT_EQ(pose["local"].size(), 14U);
    EXPECT_EQ(bits(pose["local"][13].get<double>()), bits(motion.pose(f)[1].translation.z));
    EXPECT_EQ(bits(pose["local"][0].get<double>()), bits(motion.pose(f)[0].rotation.w));
  }
  ASSERT_TRUE(std::getline(lines, line));
  EXPECT_EQ(Json::parse(line), (Json{{"type", "end"}, {"poses", 20}}));
  EXPECT_FALSE(std::getline(lines, line));
}

TEST(Poses, EvenTicksFromAnywhereAreAnEvenMotion) {
  const std::vector<Transform> poses = random_poses(4);
  const auto parsed = [&poses](std::vector<double> ticks) {
    std::string text = poses_header(two_joints(), 0.125, "");
    for (std::size_t k = 0; k < ticks.size(); ++k) {
      text += pose_line(std::span(poses).subspan(2 * k, 2), ticks[k], k);
    }
    return Motion(*parse_poses(text + poses_end(static_cast<std::int64_t>(ticks.size())), "t"));
  };
  const Motion even = *Motion::create(two_joints(), 0.125, poses);
  for (const double from : {0.0, 7.0, -3.0, 1e15, 0.5}) {
    expect_same(parsed({from, from + 1, from + 2, from + 3}), even);
  }
  expect_same(parsed({5}),
              *Motion::create(two_joints(), 0.125, {poses.begin(), poses.begin() + 2}));
  const Motion gap = parsed({5, 6, 8, 9});
  ASSERT_EQ(gap.ticks().size(), 4U);
  EXPECT_EQ(gap.seconds(3), 0.5);
}

TEST(Poses, EvenMotionsKeepTheirFrameTime) {
  const test::TestFolder folder;
  const Motion motion = *Motion::create(two_joints(), 1001.0 / 30000, random_poses(5));
  ASSERT_TRUE(save_motion(motion, folder.path() / "take.poses").ok());
  expect_same(motion, *load_motion(folder.path() / "take.poses"));
}

TEST(Poses, StrangeNames) {
  const test::TestFolder folder;
  const Skeleton skeleton = *Skeleton::create(
      {{"", -1, {}}, {"a\"b\\c\x01\n", 0, {}}, {"h\xC3\xA9", 1, {}}, {"\xFF", 2, {}}});
  const Motion motion = *Motion::create(skeleton, 1.0, std::vector<Transform>(4));
  const auto saved = save_motion(motion, folder.path() / "take.poses");
  ASSERT_TRUE(saved.ok());
  ASSERT_EQ(saved->warnings.size(), 1U);
  EXPECT_NE(saved->warnings[0].find("1 joints are not UTF-8"), std::string::npos);
  const Motion back = *load_motion(folder.path() / "take.poses");
  ASSERT_EQ(back.skeleton().size(), 4);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(back.skeleton().joints()[i].name, skeleton.joints()[i].name);
  }
  EXPECT_EQ(back.skeleton().joints()[3].name, "\xEF\xBF\xBD");
}

/// JSON says one thing in many ways.
TEST(Poses, AnyJsonWillDo) {
  const std::string plain =
      R"({"type":"motion","format":"tocsin.poses.v1","frame_time":1,"joints":[{"name":"r","parent":-1,"rest":[1,0,0,0,0,1,0]}]})"
      "\n"
      R"({"type":"pose","tick":1,"local":[1,0,0,0,0.5,1,-20]})"
      "\n"
      R"({"type":"pose","tick":2.5,"id":3,"local":[0,0,1,0,0.5,1,0]})"
      "\n"
      R"({"type":"end","poses":2})"
      "\n";
  const std::string text =
      "\xEF\xBB\xBF"
      R"({"joints": [{"rest": [1.0, 0, 0, 0e5, 0, 1, 0], "parent": -1.0, "name": "\u0072"}], )"
      R"("source": "x", "frame_time": 10e-1, "format": "tocsin.poses.v1", "type": "motion"})"
      "\r\n\r\n"
      R"({"local": [1, 0, 0, 0, 5e-1, 1.0, -2E+1], "type": "pose", "tick": 1.0})"
      "\r\n  \t\n"
      R"( { "type" : "pose" , "tick" : 2.5 , "id" : 3 , "local" : [ 0, 0, 1, 0,	0.5, 1, 0 ] } )"
      "\r\n"
      R"({"poses": 2.0, "type": "end"})";
  const auto want = parse_poses(plain, "plain");
  const auto got = parse_poses(text, "other");
  ASSERT_TRUE(want.ok()) << want.error().message;
  ASSERT_TRUE(got.ok()) << got.error().message;
  EXPECT_TRUE(got->source().warnings.empty());
  expect_same(*want, *got);
}

TEST(Poses, OptionsThatMeanNothingToIt) {
  const test::TestFolder folder;
  const auto file = folder.path() / "take.poses";
  ASSERT_TRUE(save_motion(uneven_motion(), file).ok());
  const auto refused = [&file](const MotionOptions& options, const std::string& phrase) {
    const auto motion = load_motion(file, options);
    EXPECT_FALSE(motion.ok());
    EXPECT_EQ(motion.error().code, ErrorCode::kUsage);
    EXPECT_NE(motion.error().message.find(phrase), std::string::npos) << motion.error().message;
  };
  refused({.unit_metres = 0.01}, "--motion-unit: a .poses is in metres, Y up");
  refused({.up = UpAxis::kZ}, "--motion-up: a .poses is in metres, Y up");
  refused({.skeleton = "a.asf"}, "--skeleton");
  refused({.rate = 30.0}, "a .poses says its own");
  refused({.clip = "walk"}, "--clip");
  refused({.skin = "body"}, "--skin");
  EXPECT_TRUE(load_motion(file, {.unit_metres = 1.0}).ok());  // what a report of it says
}

TEST(Poses, WhatCannotBeWritten) {
  const test::TestFolder folder;
  EXPECT_EQ(save_motion(Motion(), folder.path() / "a.poses").error().code, ErrorCode::kInput);
  EXPECT_EQ(save_motion(uneven_motion(), folder.path() / "no" / "a.poses").error().code,
            ErrorCode::kResource);
  const auto bvh = save_motion(uneven_motion(), folder.path() / "a.bvh");
  ASSERT_FALSE(bvh.ok());
  EXPECT_EQ(bvh.error().code, ErrorCode::kInput);
  EXPECT_EQ(bvh.error().message,
            (folder.path() / "a.bvh").string() +
                ": the frames are not evenly spaced, and a .bvh knows only one frame time; write a "
                ".glb or a .poses");
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

/// The document and the buffer of a .glb.
std::pair<Json, std::string> glb_parts(const std::string& bytes) {
  const auto size_at = [&bytes](std::size_t at) {
    std::uint32_t size = 0;
    std::memcpy(&size, bytes.data() + at, 4);
    return std::size_t{size};
  };
  const std::size_t json = size_at(12);
  return {Json::parse(bytes.substr(20, json)), bytes.substr(20 + json + 8, size_at(20 + json))};
}

TEST(Poses, AGlbHasTheRealTimes) {
  const test::TestFolder folder;
  const Motion motion =
      *Motion::create_timed(two_joints(), 0.5, {10, 11, 13.5, 14}, random_poses(4));
  ASSERT_TRUE(save_motion(motion, folder.path() / "a.glb").ok());
  const auto [json, buffer] = glb_parts(bytes_of(folder.path() / "a.glb"));
  const Json& animation = json["animations"][0];
  EXPECT_FALSE(animation.contains("extras"));
  const Json& input = json["accessors"][animation["samplers"][0]["input"].get<std::size_t>()];
  EXPECT_EQ(input["count"], 4);
  EXPECT_EQ(input["max"][0], 2.0);
  const std::size_t at = json["bufferViews"][input["bufferView"].get<std::size_t>()]["byteOffset"];
  std::array<float, 4> times{};
  std::memcpy(times.data(), buffer.data() + at, sizeof times);
  EXPECT_EQ(times, (std::array<float, 4>{0.0F, 0.5F, 1.75F, 2.0F}));

  const Motion even = *Motion::create(two_joints(), 0.5, random_poses(4));
  ASSERT_TRUE(save_motion(even, folder.path() / "b.glb").ok());
  EXPECT_EQ(glb_parts(bytes_of(folder.path() / "b.glb")).first["animations"][0]["extras"],
            (Json{{"frame_time", 0.5}}));

  const Motion close = *Motion::create_timed(two_joints(), 1.0, {0, 1, 1 + 1e-12}, random_poses(3));
  const auto refused = save_motion(close, folder.path() / "c.glb");
  ASSERT_FALSE(refused.ok());
  EXPECT_NE(refused.error().message.find("cannot tell frames 1 and 2"), std::string::npos)
      << refused.error().message;
}

}  // namespace
}  // namespace tocsin::io::poses_test
