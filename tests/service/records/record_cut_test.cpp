// Records that were cut off anywhere: what is whole is checked as it was, and said how much it is.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <fstream>
#include <string>
#include <vector>

#include "io/poses/poses.h"
#include "io/poses/record_head.h"
#include "service/records/recorder_rig.h"

namespace tocsin::test::records::record_cut_test {
namespace {

constexpr int kPoses = 6;
constexpr int kFirst = 60;  // of the take, where something is touched

/// A short record: its poses whole, and no end.
std::string short_record(const TemporaryFolder& folder) {
  const auto room = room_of({kRoom});
  TrackOptions options = options_of(take());
  options.frame_seconds = kFrameTime;
  options.spec.margin = 0.05;
  options.spec.ignore = {"*foot:Floor*"};
  options.avatar.place = {{0.1, 0.0, 0.05}, 5.0};
  {
    Live live(folder.path(), options, *room);
    for (int k = 0; k < kPoses; ++k) {
      EXPECT_TRUE(live.cover(pose_of(kFirst + k), static_cast<std::uint64_t>(k), k).ok());
    }
  }
  return folder.read("walk.poses");
}

void cut(const TemporaryFolder& folder, const std::string& text, std::size_t bytes) {
  std::ofstream(folder.path() / "walk.poses", std::ios::binary)
      << std::string_view(text).substr(0, bytes);
}

/// Where each line ends, behind its newline.
std::vector<std::size_t> line_ends(const std::string& text) {
  std::vector<std::size_t> out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\n') out.push_back(i + 1);
  }
  return out;
}

/// Poses in the first bytes: a line is whole without its newline, too.
std::int64_t whole_poses(const std::vector<std::size_t>& ends, std::size_t bytes) {
  return std::count_if(ends.begin() + 2, ends.end(),
                       [bytes](std::size_t end) { return end - 1 <= bytes; });
}

TEST(RecordCut, AtEveryByteThereIsAnErrorOrWhatIsWhole) {
  const TemporaryFolder folder;
  const std::string text = short_record(folder);
  const std::vector<std::size_t> ends = line_ends(text);
  ASSERT_EQ(ends.size(), kPoses + 2U);
  for (std::size_t bytes = 0; bytes <= text.size(); ++bytes) {
    const auto motion = io::parse_poses(std::string_view(text).substr(0, bytes), "walk.poses");
    const std::int64_t whole = whole_poses(ends, bytes);
    ASSERT_EQ(motion.ok(), whole > 0) << bytes;
    if (!motion.ok()) {
      ASSERT_EQ(motion.error().message.rfind("walk.poses:", 0), 0U) << motion.error().message;
      continue;
    }
    ASSERT_EQ(motion->frame_count(), whole) << bytes;
    ASSERT_EQ(motion->source().warnings.size(), 1U) << bytes;
    const std::string said = whole == 1 ? "the pose before it was read"
                                        : "the " + std::to_string(whole) + " poses before it were";
    ASSERT_NE(motion->source().warnings[0].find(said), std::string::npos)
        << motion->source().warnings[0];
  }
}

TEST(RecordCut, TheHeadIsReadOnceItIsWhole) {
  const TemporaryFolder folder;
  const std::string text = short_record(folder);
  const std::size_t head = line_ends(text)[1];
  for (std::size_t bytes = 0; bytes <= head + 5; ++bytes) {
    cut(folder, text, bytes);
    const auto read = io::read_record_head(folder.path() / "walk.poses");
    ASSERT_EQ(read.ok(), bytes >= head - 1) << bytes;
    if (!read.ok()) {
      ASSERT_NE(read.error().message.find("walk.poses"), std::string::npos);
    } else {
      EXPECT_EQ(read->run.options.spec.margin, 0.05);
    }
  }
}

/// What the command says of a record cut at `bytes`.
void expect_like(const TemporaryFolder& folder, std::int64_t whole) {
  const CommandResult like =
      run_tocsin({"check", "--like", folder.full("walk.poses"), "--out", "-"});
  const CommandResult verified = run_tocsin({"verify", folder.full("walk.poses")});
  if (whole == 0) {
    EXPECT_EQ(like.status, 3) << like.err;
    EXPECT_EQ(verified.status, 3) << verified.err;
    EXPECT_NE(like.err.find("walk.poses"), std::string::npos) << like.err;
    return;
  }
  const std::string again = checked({"walk.poses", "--env", kRoom, "--margin", "0.05", "--ignore",
                                     "*foot:Floor*", "--place", "0.1,0,0.05,5"},
                                    folder.path());
  EXPECT_EQ(lines_of_type(like.out, "contact"), lines_of_type(again, "contact"));
  EXPECT_EQ(run_of(like.out)["frames"], whole);
  EXPECT_EQ(verified.status, 0) << verified.out << verified.err;
  EXPECT_NE(verified.out.find("Confirmed."), std::string::npos) << verified.out;
  for (const CommandResult* result : {&like, &verified}) {
    EXPECT_NE(result->err.find("the recording was cut off"), std::string::npos) << result->err;
  }
}

TEST(RecordCut, TheCommandsCheckWhatIsWhole) {
  const TemporaryFolder folder;
  const std::string text = short_record(folder);
  const std::vector<std::size_t> ends = line_ends(text);
  std::size_t contacts = 0;
  for (const std::size_t bytes :
       {std::size_t{0}, ends[0] / 2, ends[0], ends[1] - 20, ends[1], ends[2] - 2, ends[2] - 1,
        ends[3] + 1, ends[5] - 3, text.size()}) {
    SCOPED_TRACE(bytes);
    cut(folder, text, bytes);
    expect_like(folder, whole_poses(ends, bytes));
  }
  contacts = lines_of_type(checked({"--like", folder.full("walk.poses")}), "contact").size();
  EXPECT_GT(contacts, 0U);
}

TEST(RecordCut, LinesThatWereWrittenAreCompared) {
  const TemporaryFolder folder;
  short_record(folder);
  const std::string lines = folder.read("walk.lines");
  ASSERT_EQ(lines_of_type(lines, "contact"),
            lines_of_type(checked({"--like", folder.full("walk.poses")}), "contact"));
  ASSERT_GT(lines_of_type(lines, "contact").size(), 0U);
  const std::string file = folder.full("walk.poses");
  EXPECT_EQ(run_tocsin({"verify", file}).status, 0);
  folder.write("walk.lines", lines.substr(0, lines.size() - 7));  // cut off as well
  EXPECT_EQ(run_tocsin({"verify", file}).status, 0);
  std::string other = lines;
  other.replace(other.find("\"toc\":[") + 7, 1, "9");
  folder.write("walk.lines", other);
  const CommandResult refuted = run_tocsin({"verify", file});
  EXPECT_EQ(refuted.status, 1) << refuted.out;
  EXPECT_NE(refuted.out.find("Not confirmed."), std::string::npos) << refuted.out;
}

TEST(RecordCut, AnOtherRoomIsRefused) {
  const TemporaryFolder folder;
  const std::string wall = folder.write("wall.obj", "o W\nv -9 0 6\nv 9 0 6\nv 0 3 6\nf 1 2 3\n");
  const auto room = room_of({wall});
  {
    Live live(folder.path(), options_of(take()), *room);
    for (int k = 0; k < 3; ++k) ASSERT_TRUE(live.cover(pose_of(k), 0, k).ok());
  }
  EXPECT_EQ(run_tocsin({"verify", folder.full("walk.poses")}).status, 0);
  folder.write("wall.obj", "o W\nv -9 0 7\nv 9 0 6\nv 0 3 6\nf 1 2 3\n");
  for (const std::vector<std::string>& arguments :
       {std::vector<std::string>{"verify"}, {"check", "--like"}}) {
    std::vector<std::string> all = arguments;
    all.push_back(folder.full("walk.poses"));
    const CommandResult result = run_tocsin(all);
    EXPECT_EQ(result.status, 3);
    EXPECT_NE(result.err.find("its sha256 is"), std::string::npos) << result.err;
  }
}

TEST(RecordCut, LikeTakesNothingBesideTheRecord) {
  const TemporaryFolder folder;
  short_record(folder);
  const std::string file = folder.full("walk.poses");
  for (const std::vector<std::string>& more : std::vector<std::vector<std::string>>{
           {"--margin", "0.1"}, {"--env", kRoom}, {kTake}, {"--self"}}) {
    std::vector<std::string> all{"check", "--like", file};
    all.insert(all.end(), more.begin(), more.end());
    EXPECT_EQ(run_tocsin(all).status, 2) << more[0];
  }
  EXPECT_EQ(run_tocsin({"check", "--like", file, "--threads", "1", "--sort", "depth"}).status, 0);
  // A take without a session has no options.
  ASSERT_EQ(run_tocsin({"convert", kTake, folder.full("take.poses")}).status, 0);
  const CommandResult plain = run_tocsin({"check", "--like", folder.full("take.poses")});
  EXPECT_EQ(plain.status, 3);
  EXPECT_NE(plain.err.find("\"record\" is missing"), std::string::npos) << plain.err;
}

}  // namespace
}  // namespace tocsin::test::records::record_cut_test
