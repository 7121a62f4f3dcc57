// Malformed .poses files: each is refused with the line and the cause; one that was cut off is read
// as far as it is whole.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <random>
#include <string>

#include "io/bad_motion.h"
#include "io/poses/poses.h"

namespace tocsin::io::poses_bad_input_test {
namespace {

constexpr const char* kSmall =
    R"({"type":"motion","format":"tocsin.poses.v1","frame_time":0.5,"joints":[{"name":"hips","parent":-1,"rest":[1,0,0,0,0,1,0]},{"name":"a\"]}","parent":0,"rest":[1,0,0,0,0,0.5,0]}],"source":"x"}
{"type":"pose","tick":3,"id":7,"local":[1,0,0,0,0,1,0,1,0,0,0,0,0.5,0]}
{"type":"pose","tick":4,"id":8,"local":[1,0,0,0,0.25,1,0,0,1,0,0,0,0.5,0]}
{"type":"pose","tick":6,"id":9,"local":[1,0,0,0,0.75,1,0,0,0,1,0,0,0.5,0]}
{"type":"end","poses":3}
)";

Result<Motion> parse(std::string_view text) { return parse_poses(text, "take.poses"); }

std::string changed(const std::string& from, const std::string& to) {
  return with_change(kSmall, from, to);
}

void expect_refused(std::string_view text, int line, const std::string& phrase) {
  expect_refusal(parse(text), fmt::format("take.poses:{}:", line), phrase);
}

constexpr BadCase kHeaderCases[] = {
    {"{\"type\":\"motion\"", "{\"type\":\"pose\"", 1, "expected type \"motion\", found \"pose\""},
    {"{\"type\":\"motion\"", "x{\"type\":\"motion\"", 1, "1:1: "},
    {"\"type\":\"motion\",", "", 1, "field \"type\" is missing"},
    {"\"type\":\"motion\"", "\"type\":1", 1, "type: must be a string, is a number"},
    {"tocsin.poses.v1", "tocsin.poses.v2", 1, "found \"tocsin.poses.v2\""},
    {"\"format\":\"tocsin.poses.v1\",", "", 1, "not a .poses file"},
    {"\"frame_time\":0.5,", "", 1, "field \"frame_time\" is missing"},
    {"\"frame_time\":0.5", "\"frame_time\":0", 1, "the frame time is 0 s"},
    {"\"frame_time\":0.5", "\"frame_time\":-1", 1, "the frame time is -1 s"},
    {"\"frame_time\":0.5", "\"frame_time\":1e999", 1, "take.poses:1"},
    {"\"frame_time\":0.5", "\"frame_time\":\"0.5\"", 1, "must be a number, is a string"},
    {"\"source\":\"x\"", "\"source\":1", 1, "source: must be a string"},
    {"\"source\":\"x\"", "\"colour\":1", 1, "unknown field \"colour\" (known: type,"},
    {"\"source\":\"x\"", "\"type\":1", 1, "field \"type\" appears twice"},
    {"\"joints\":[{", "\"joints\":{\"a\":[{", 1, "take.poses:1:"},
    {"\"parent\":-1", "\"parent\":-2", 1, "joints[0].parent: must be a joint's index or -1, is -2"},
    {"\"parent\":-1", "\"parent\":0.5", 1, "is 0.5"},
    {"\"parent\":-1", "\"parent\":1e300", 1, "is 1e+300"},
    {"\"parent\":0", "\"parent\":1", 1, "its parent, 1, does not come before it"},
    {"\"parent\":0", "\"parent\":null", 1, "joints[1].parent: must be a number, is null"},
    {"\"parent\":0,", "", 1, "field \"joints[1].parent\" is missing"},
    {"\"name\":\"hips\"", "\"name\":[]", 1, "joints[0].name: must be a string, is an array"},
    {"\"name\":\"hips\"", "\"nome\":\"hips\"", 1, "unknown field \"nome\""},
    {"[1,0,0,0,0,1,0]", "[1,0,0,0,0,1]", 1, "joints[0].rest: must be 7 numbers, 7 a joint, are 6"},
    {"[1,0,0,0,0,1,0]", "[2,0,0,0,0,1,0]", 1, "its rest quaternion has length 2"},
    {"[1,0,0,0,0,1,0]", "[1,0,0,0,0,\"1\",0]", 1, "joints[0].rest[5]: must be a number"},
};

constexpr BadCase kPoseCases[] = {
    {"\"tick\":4", "\"tick\":3", 3, "tick 3 is not after the one of the pose before, 3"},
    {"\"tick\":4", "\"tick\":2", 3, "tick 2 is not after"},
    {"\"tick\":4", "\"tick\":1e300", 3, "tick 1e+300 is not between -2^53 and 2^53"},
    {"\"tick\":4", "\"tick\":nan", 3, "3:2"},
    {"\"tick\":4", "\"tick\":\"4\"", 3, "tick: must be a number, is a string"},
    {"\"tick\":4,", "", 3, "field \"tick\" is missing"},
    {"\"tick\":4", "\"tack\":4", 3,
     "unknown field \"tack\" (known: type, tick, id, index, time, skipped, bad, counts, first_bad, "
     "scene, floats, linked_only, held, local)"},
    {"\"id\":8", "\"id\":8,\"scene\":7", 3, "scene: must be an array, is a number"},
    {"\"id\":8", "\"id\":\"8\"", 3, "id: must be a number"},
    {"\"type\":\"pose\",\"tick\":4", "\"tick\":4", 3, "field \"type\" is missing"},
    {"\"type\":\"pose\",\"tick\":4", "\"type\":\"rose\",\"tick\":4", 3, "found \"rose\""},
    {"\"type\":\"pose\",\"tick\":4", "\"type\":[],\"tick\":4", 3, "found an array"},
    {",0.25,", ",0.25,1,", 3, "local: must be 14 numbers, 7 a joint, are 15"},
    {",0.25,", ",", 3, "local: must be 14 numbers, 7 a joint, are 13"},
    {",0.25,", ",inf,", 3, "take.poses:3:"},
    {",0.25,", ",null,", 3, "local[4]: must be a number, is null"},
    {",0.25,", ",.25,", 3, "take.poses:3:"},
    {",0.25,", ",00.25,", 3, "take.poses:3:"},
    {",0.25,", ",0.,", 3, "take.poses:3:"},
    {",0.25,", ",1.e5,", 3, "take.poses:3:"},
    {",0.25,", ",+1,", 3, "take.poses:3:"},
    {",0.25,", ",0x1,", 3, "take.poses:3:"},
    {",0.25,", ",1e999,", 3, "take.poses:3"},
    {",0.25,", ",2e6,", 3, "pose 1, joint \"hips\": the translation (2000000, 1, 0) m is beyond"},
    {"0,1,0,0,0,0.5,0]}\n{\"type\":\"pose\",\"tick\":6",
     "0,2,0,0,0,0.5,0]}\n{\"type\":\"pose\",\"tick\":6", 3,
     "pose 1, joint \"a\\\"]}\": the quaternion has length 2"},
    {"{\"type\":\"pose\",\"tick\":4", "[{\"type\":\"pose\",\"tick\":4", 3, "take.poses:3:"},
    {"{\"type\":\"pose\",\"tick\":4", "{\"type\":\"pose\",,\"tick\":4", 3, "take.poses:3:16: "},
    {"{\"type\":\"end\",\"poses\":3}", "[]", 5, "expected an object"},
    {"\"poses\":3", "\"poses\":2", 5, "2 poses announced, 3 read"},
    {"\"poses\":3", "\"poses\":4", 5, "4 poses announced, 3 read"},
    {"\"poses\":3", "\"poses\":\"3\"", 5, "poses: must be a number"},
    {",\"poses\":3", "", 5, "field \"poses\" is missing"},
    {"\"poses\":3}\n", "\"poses\":3}\n{\"type\":\"end\",\"poses\":3}\n", 6, "something behind"},
    {"\"poses\":3}\n", "\"poses\":3}\nx", 6, "something behind"},
};

TEST(PosesBadInput, Header) {
  ASSERT_TRUE(parse(kSmall).ok()) << parse(kSmall).error().message;
  for (const BadCase& bad : kHeaderCases) {
    SCOPED_TRACE(bad.to);
    expect_refused(changed(bad.from, bad.to), bad.line, bad.phrase);
  }
}

TEST(PosesBadInput, PosesAndEnd) {
  for (const BadCase& bad : kPoseCases) {
    SCOPED_TRACE(bad.to);
    expect_refused(changed(bad.from, bad.to), bad.line, bad.phrase);
  }
}

TEST(PosesBadInput, TicksThatCannotBeToldApart) {
  std::string text = changed("\"tick\":3", "\"tick\":-9007199254740992");
  for (const auto& [from, to] : {std::pair{"\"tick\":4", "\"tick\":9007199254740991"},
                                 std::pair{"\"tick\":6", "\"tick\":9007199254740992"}}) {
    text.replace(text.find(from), std::string_view(from).size(), to);
  }
  expect_refused(text, 4, "is not after");
}

TEST(PosesBadInput, EmptyAndNearlyEmpty) {
  expect_refused("", 1, "the file is empty");
  expect_refused("\n\n", 2, "the file is empty");
  expect_refused("\xEF\xBB\xBF", 1, "the file is empty");
  expect_refused("HIERARCHY\n", 1, "take.poses:1:");
  expect_refused("null", 1, "expected an object");
  const std::string header(kSmall, std::string_view(kSmall).find('\n') + 1);
  expect_refused(header, 1, "there are no poses");
  expect_refused(header + "{\"type\":\"end\",\"poses\":0}\n", 2, "there are no poses");
  expect_refused(
      "{\"joints\":[],\"format\":\"tocsin.poses.v1\",\"type\":\"motion\",\"frame_time\":1}", 1,
      "at least one joint");
}

/// How many of a text's whole JSON lines a prefix of it has; newlines do not matter.
std::size_t whole_lines(std::string_view prefix) {
  const std::string_view text = kSmall;
  std::size_t lines = 0;
  for (std::size_t end = text.find('\n'); end != std::string_view::npos;
       end = text.find('\n', end + 1)) {
    lines += prefix.size() >= end ? 1 : 0;
  }
  return lines;
}

TEST(PosesBadInput, TruncatedAnywhere) {
  const std::string_view text = kSmall;
  for (std::size_t size = 0; size <= text.size(); ++size) {
    SCOPED_TRACE(size);
    const std::string_view prefix = text.substr(0, size);
    const std::size_t lines = whole_lines(prefix);
    const Result<Motion> motion = parse(prefix);
    if (lines < 2) {
      ASSERT_FALSE(motion.ok());
      EXPECT_TRUE(motion.error().message.starts_with("take.poses:")) << motion.error().message;
      continue;
    }
    ASSERT_TRUE(motion.ok()) << motion.error().message;
    const std::size_t poses = std::min<std::size_t>(lines - 1, 3);
    EXPECT_EQ(motion->frame_count(), static_cast<std::int64_t>(poses));
    const auto& warnings = motion->source().warnings;
    if (lines == 5) {
      EXPECT_TRUE(warnings.empty());
      continue;
    }
    ASSERT_EQ(warnings.size(), 1U);
    EXPECT_NE(warnings[0].find("was cut off"), std::string::npos) << warnings[0];
    const std::string count = poses == 1 ? "the pose before it was read"
                                         : fmt::format("the {} poses before it were read", poses);
    EXPECT_NE(warnings[0].find(count), std::string::npos) << warnings[0];
  }
}

TEST(PosesBadInput, OnlyTheLastLineMayBeCutOff) {
  // In the middle it is damage, even if it could be a beginning.
  expect_refused(changed(",0.25,1,0,0,1,0,0,0,0.5,0]}", ",0.25,1,0"), 3, "take.poses:3:");
  // And so is a last line with a newline behind it, and one that is no beginning.
  const std::string text(kSmall, std::string_view(kSmall).find("{\"type\":\"end\""));
  expect_refused(text + "{\"type\":\"en\n", 5, "take.poses:5:");
  expect_refused(text + "rubbish", 5, "take.poses:5:");
  expect_refused(text + "{\"type\":\"en\"}", 5, "found \"en\"");
  EXPECT_TRUE(parse(text + "{\"type\":\"en").ok());
}

TEST(PosesBadInput, AnyByteReplaced) {
  std::mt19937 random(7);
  const std::string small = kSmall;
  for (std::size_t i = 0; i < small.size(); ++i) {
    for (int k = 0; k < 20; ++k) {
      std::string text = small;
      text[i] = static_cast<char>(random());
      const Result<Motion> motion = parse(text);
      if (!motion.ok()) {
        EXPECT_EQ(motion.error().code, ErrorCode::kInput);
        EXPECT_TRUE(motion.error().message.starts_with("take.poses:")) << motion.error().message;
      }
    }
  }
}

TEST(PosesBadInput, BinaryNoise) {
  std::mt19937 random(8);
  const std::string header(kSmall, std::string_view(kSmall).find('\n') + 1);
  for (int k = 0; k < 100; ++k) {
    std::string noise(4096, '\0');
    for (char& c : noise) c = static_cast<char>(random());
    EXPECT_FALSE(parse(noise).ok());
    EXPECT_FALSE(parse(header + noise).ok());
  }
}

TEST(PosesBadInput, DepthAndSizeAreLimited) {
  const std::string header(kSmall, std::string_view(kSmall).find('\n') + 1);
  expect_refused(std::string(1 << 20, '['), 1, "cut off in its first line");
  expect_refused(std::string(1 << 20, '[') + "\n", 1, "nested more than");
  expect_refused("{\"a\":[[[[0]]]]}\n", 1, "nested more than 4 deep");
  std::string many = "{\"type\":\"pose\",\"tick\":1,\"local\":[";
  for (int i = 0; i < 1 << 20; ++i) many += "0,";
  expect_refused(header + many + "0]}\n", 2, "more than 6516 values");
  std::string joints = "{\"joints\":[";
  for (int i = 0; i < 300'000; ++i) joints += "0,";
  expect_refused(joints + "0]}\n", 1, "more than 200000 values");
}

TEST(PosesBadInput, ManyJointsAreWhole) {
  std::vector<Joint> joints;
  for (int i = 0; i < 16'384; ++i) joints.push_back({"j" + std::to_string(i), i - 1, {}});
  const Skeleton skeleton = *Skeleton::create(joints);
  const std::vector<Transform> pose(16'384);
  const std::string text = poses_header(skeleton, 1.0, "") + pose_line(pose, 0, {}) + poses_end(1);
  const auto motion = parse(text);
  ASSERT_TRUE(motion.ok()) << motion.error().message;
  EXPECT_EQ(motion->skeleton().size(), 16'384);
}

}  // namespace
}  // namespace tocsin::io::poses_bad_input_test
