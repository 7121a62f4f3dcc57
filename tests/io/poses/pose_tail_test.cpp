// The end of a session's .poses file, which may be cut off or damaged.
#include "io/poses/pose_tail.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <span>
#include <string>
#include <vector>

#include "io/poses/poses.h"
#include "support/test_folder.h"

namespace tocsin::io::pose_tail_test {
namespace {

class PoseTailTest : public ::testing::Test {
 protected:
  /// As the recorder writes it, of one joint.
  static std::string line(std::int64_t index) {
    const Transform local{{1, 0, 0, 0}, {0.1 * static_cast<double>(index), 1.0, 0.0}};
    return pose_line(std::span(&local, 1), static_cast<double>(index),
                     static_cast<std::uint64_t>(100 + index), {.index = index});
  }
  static std::vector<std::string> lines(std::int64_t count) {
    std::vector<std::string> out;
    for (std::int64_t i = 0; i < count; ++i) out.push_back(line(i));
    return out;
  }
  Result<PoseTail> read(const std::vector<std::string>& lines, std::int64_t first,
                        std::size_t most) const {
    const auto file = folder_.path() / "a.poses";
    std::ofstream out(file, std::ios::binary);
    out << R"({"type":"motion"})" << '\n' << R"({"type":"record"})" << '\n';
    for (const std::string& one : lines) out << one;
    out.close();
    return read_pose_tail(file, 1, first, most);
  }
  void expect_refused(const std::vector<std::string>& lines, std::int64_t first, std::size_t most,
                      const std::string& cause) const {
    const auto tail = read(lines, first, most);
    ASSERT_FALSE(tail.ok()) << tail->last.size() << " poses";
    EXPECT_NE(tail.error().message.find(cause), std::string::npos) << tail.error().message;
  }

  test::TestFolder folder_;
};

TEST_F(PoseTailTest, SaysHowAPoseCame) {
  const std::vector<std::uint32_t> held{0};
  std::vector<std::string> all;
  for (std::int64_t i = 0; i < 4; ++i) {
    const Transform local{{1, 0, 0, 0}, {0.5, 1.0, 0.0}};
    all.push_back(pose_line(std::span(&local, 1), static_cast<double>(i),
                            static_cast<std::uint64_t>(i),
                            {.index = i,
                             .floats = i % 2 == 1,
                             .linked_only = i >= 2,
                             .held = std::span(held).first(i == 3 ? 1 : 0)}));
  }
  EXPECT_EQ(all[0].find("floats"), std::string::npos);
  EXPECT_EQ(all[1].find("linked_only"), std::string::npos);
  const auto tail = read(all, 0, 10);
  ASSERT_TRUE(tail.ok()) << tail.error().message;
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(tail->last[i].floats, i % 2 == 1) << i;
    EXPECT_EQ(tail->last[i].linked_only, i >= 2) << i;
    EXPECT_EQ(tail->last[i].held, i == 3 ? held : std::vector<std::uint32_t>());
    EXPECT_EQ(tail->last[i].local[0].translation.x, 0.5);
  }
  std::string wrong = all[0];
  wrong.replace(wrong.find("\"local\""), 0, "\"held\":[1],");
  expect_refused({wrong}, 0, 10, "held: there is no joint 1, or not in its place");
  // The motion's reader takes them, in any order, and refuses what they are not.
  const std::string head = poses_header(*Skeleton::create({{"a", -1, {}}}), 1.0, "") + all[0];
  const auto parse = [&](const std::string& fields) {
    return parse_poses(head + R"({"local":[1,0,0,0,0,0,0],)" + fields +
                           R"(,"tick":7,"type":"pose"})" + "\n" + poses_end(2),
                       "a.poses");
  };
  EXPECT_TRUE(parse(R"("linked_only":true,"floats":false,"held":[0])").ok());
  EXPECT_FALSE(parse(R"("held":0)").ok());
  EXPECT_FALSE(parse(R"("floats":1)").ok());
  EXPECT_FALSE(parse(R"("linked_only":"yes")").ok());
}

TEST_F(PoseTailTest, HasAllPosesFromTheFirstOn) {
  std::vector<std::string> all = lines(5000);  // more than the first window
  for (const bool ended : {false, true}) {
    if (ended) all.push_back(poses_end(5000));
    for (const std::int64_t first : {0, 1, 17, 2500, 4998, 4999, 5000, 9000}) {
      const auto tail = read(all, first, 5000);
      ASSERT_TRUE(tail.ok()) << tail.error().message;
      EXPECT_EQ(tail->poses, 5000);
      ASSERT_EQ(tail->last.size(),
                static_cast<std::size_t>(std::max(5000 - first, std::int64_t{0})));
      for (std::size_t i = 0; i < tail->last.size(); ++i) {
        const auto index = first + static_cast<std::int64_t>(i);
        EXPECT_EQ(tail->last[i].id, static_cast<std::uint64_t>(100 + index));
        EXPECT_EQ(tail->last[i].local[0].translation.x, 0.1 * static_cast<double>(index));
      }
    }
  }
}

/// What a session says of its first bad frame comes back, whatever is in it; and the motion's
/// reader takes such a line, too.
TEST_F(PoseTailTest, TheFirstBadFrameComesBack) {
  const Transform local{{1, 0, 0, 0}, {0.5, 1.0, 0.0}};
  for (const std::string& why : {std::string("frame 3: joint \"Hips\": a NaN"),
                                 std::string("back\\slash, \n, \x01 and \x7f"),
                                 std::string("joint \"\xc3\x9c\xe6\xbc\xa2\": no rotation")}) {
    const std::string one = pose_line(std::span(&local, 1), 7.0, 9,
                                      {.index = 0, .counts = {1, 2, 3, 4, 5}, .first_bad = why});
    const auto tail = read({one}, 0, 8);
    ASSERT_TRUE(tail.ok()) << tail.error().message;
    EXPECT_EQ(tail->last.at(0).first_bad, why);
    EXPECT_EQ(tail->last[0].counts, (PoseCounts{1, 2, 3, 4, 5}));
    const auto skeleton = Skeleton::create({{"root", -1, {}}});
    ASSERT_TRUE(skeleton.ok());
    const auto motion =
        parse_poses(poses_header(*skeleton, 1.0, "") + one + poses_end(1), "a.poses");
    EXPECT_TRUE(motion.ok()) << motion.error().message;
  }
  const std::string cut = pose_line(std::span(&local, 1), 7.0, 9, {.index = 0, .first_bad = "x\\"});
  std::string broken = cut;
  broken.erase(broken.find("x\\\\") + 2, 1);  // the backslash escapes the closing quote
  EXPECT_FALSE(read({broken}, 0, 8).ok());
}

/// What the last pose says of its .scene file, and nothing that is none.
TEST_F(PoseTailTest, TheLastPoseSaysHowMuchOfTheSceneIsItsOwn) {
  const Transform local{{1, 0, 0, 0}, {0.5, 1.0, 0.0}};
  const auto file = folder_.path() / "a.poses";
  const auto marked = [&](std::int64_t index, const SceneMark* mark) {
    return pose_line(std::span(&local, 1), static_cast<double>(index), 9,
                     {.index = index, .first_bad = "x", .scene = mark});
  };
  const SceneMark early{57, std::string(64, 'a')};
  const SceneMark late{std::uint64_t{1} << 40U, std::string(64, '0')};
  const std::vector<std::string> all{marked(0, &early), marked(1, &late)};
  const auto tail = read(all, 0, 8);
  ASSERT_TRUE(tail.ok()) << tail.error().message;
  EXPECT_EQ(tail->last.size(), 2U);
  EXPECT_EQ(read_scene_mark(file, 1).value(), late);
  ASSERT_TRUE(read({all[0], all[1].substr(0, all[1].size() - 1)}, 0, 8).ok());
  EXPECT_EQ(read_scene_mark(file, 1).value(), early);
  const auto skeleton = Skeleton::create({{"root", -1, {}}});
  const auto motion = parse_poses(
      poses_header(skeleton.value(), 1.0, "") + all[0] + all[1] + poses_end(2), "a.poses");
  EXPECT_TRUE(motion.ok()) << motion.error().message;
  const auto refused = [&](const std::string& last, const std::string& cause) {
    static_cast<void>(read({all[0], last}, 0, 8));  // writes the file
    const auto mark = read_scene_mark(file, 1);
    ASSERT_FALSE(mark.ok()) << mark->bytes;
    EXPECT_NE(mark.error().message.find(cause), std::string::npos) << mark.error().message;
  };
  refused(marked(1, nullptr), "does not say how much of the .scene file belongs to it");
  for (const char* const wrong : {"7", "[]", "[7]", "[-7,\"aa\"]", "[7,8]", "[7,\"aa\",1]"}) {
    refused(R"({"type":"pose","index":1,"scene":)" + std::string(wrong) + "}\n",
            "field \"scene\" is not");
  }
  EXPECT_FALSE(read_scene_mark(folder_.path() / "none.poses", 1).ok());
}

TEST_F(PoseTailTest, TooManyAreRefusedByTheLastIndexAlone) {
  const std::vector<std::string> all = lines(20);
  EXPECT_TRUE(read(all, 10, 10).ok());
  expect_refused(all, 9, 10, "has more than 10 poses from number 9 on");
  // What comes before is not even looked at.
  std::vector<std::string> damaged(5000, "{\"type\":\"pose\",damaged}\n");
  damaged.push_back(line(5000));
  expect_refused(damaged, 0, 10, "has more than 10 poses from number 0 on");
  expect_refused(all, -1, 100, "negative");
}

TEST_F(PoseTailTest, AMissingLineIsNoHole) {
  const std::vector<std::string> all = lines(10);
  for (std::size_t lost = 0; lost < 9; ++lost) {
    const std::string cause = fmt::format("pose {} is missing", lost);
    std::vector<std::string> damaged = all;
    damaged[lost].assign(damaged[lost].size(), '\0');  // with its newline: the next is lost, too
    if (lost < 8) expect_refused(damaged, 0, 20, cause);
    damaged[lost] = std::string(damaged[lost].size() - 1, '\0') + "\n";
    expect_refused(damaged, 0, 20, cause);
    EXPECT_TRUE(read(damaged, static_cast<std::int64_t>(lost) + 1, 20).ok()) << lost;
    damaged.erase(damaged.begin() + static_cast<std::ptrdiff_t>(lost));
    expect_refused(damaged, 0, 20, cause);
    damaged = all;
    damaged.insert(damaged.begin() + static_cast<std::ptrdiff_t>(lost), all[lost]);
    expect_refused(damaged, 0, 20, fmt::format("pose {} is in its place", lost));
  }
}

TEST_F(PoseTailTest, ALineWithoutEndIsRefused) {
  std::vector<std::string> all = lines(3);
  all[1].insert(all[1].size() - 2, std::string(std::size_t{1} << 20U, ' '));
  expect_refused(all, 0, 20, "a pose's line of");
}

}  // namespace
}  // namespace tocsin::io::pose_tail_test
