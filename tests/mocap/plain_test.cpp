// tocsin.udp.v1 byte by byte, from docs/reference/live-protocols.md.
#include "mocap/plain.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "mocap/bytes_of.h"

namespace tocsin::mocap::plain_test {
namespace {

using test::bytes_of;

// Stream 0x04030201; 2 joints, 1 position; sequence 258; time 1.5; (1, 0, 0, 0), (0.5, 0.5, -0.5,
// 0.5); (1, 2, -4). The least significant byte is first.
const std::string kPlainHead =
    "'TOCSINU1' 01 02 03 04 02 00 01 00 02 01 00 00 00 00 00 00 00 00 00 00 00 00 f8 3f";
const std::string kRotations =
    "00 00 80 3f 00 00 00 00 00 00 00 00 00 00 00 00"
    "00 00 00 3f 00 00 00 3f 00 00 00 bf 00 00 00 3f";
const std::string kPosition = "00 00 80 3f 00 00 00 40 00 00 80 c0";

TEST(Plain, Reads) {
  const auto read = read_plain(bytes_of(kPlainHead + kRotations + kPosition));
  ASSERT_TRUE(read.ok()) << read.error().message;
  EXPECT_EQ(read->stream, 0x04030201U);
  EXPECT_EQ(read->sequence, 258U);
  EXPECT_EQ(read->time, 1.5);
  ASSERT_EQ(read->rotations.size(), 2U);
  EXPECT_EQ(read->rotations[1], (Quat{0.5, 0.5, -0.5, 0.5}));
  ASSERT_EQ(read->positions.size(), 1U);
  EXPECT_EQ(read->positions[0], (Vec3{1.0, 2.0, -4.0}));
}

TEST(Plain, Writes) {
  const PlainFrame frame{0x04030201, 258, 1.5, {{}, {0.5, 0.5, -0.5, 0.5}}, {{1.0, 2.0, -4.0}}};
  EXPECT_EQ(write_plain(frame), bytes_of(kPlainHead + kRotations + kPosition));
}

TEST(Plain, RefusesWhatIsMalformed) {
  const std::string sound = kPlainHead + kRotations + kPosition;
  const auto with = [&](std::size_t byte, const char* bytes) {
    std::string out = bytes_of(sound);
    const std::string other = bytes_of(bytes);
    return out.replace(byte, other.size(), other);
  };
  EXPECT_TRUE(read_plain(with(0, "'T'")).ok());
  for (const std::string& bytes : {std::string(), bytes_of(kPlainHead), bytes_of(sound + "00"),
                                   bytes_of(sound).substr(0, 75), with(0, "'X'"), with(12, "03 00"),
                                   with(14, "00 00"), with(16, "00 00 00 00 00 00 20 00"),  // 2^53
                                   with(24, "00 00 00 00 00 00 f0 7f"),  // infinite
                                   with(32, "00 00 81 3f"),              // |q| = 1.0078
                                   with(32, "00 00 c0 7f"), with(64, "00 00 80 7f")}) {
    EXPECT_FALSE(read_plain(bytes).ok());
  }
}

Skeleton two_joints() {
  return Skeleton::create({{"root", -1, {}}, {"arm", 0, {{}, {0.0, 0.25, 0.0}}}}).value();
}

struct PlainReceiver {
  PlainDecoder decoder{two_joints()};
  std::vector<MocapFrame> frames;
  void take(std::uint32_t stream, std::uint64_t sequence, std::size_t rotations = 2,
            std::size_t positions = 1) {
    take_at(stream, sequence, 0.5 * static_cast<double>(sequence), rotations, positions);
  }
  void take_at(std::uint32_t stream, std::uint64_t sequence, double time, std::size_t rotations = 2,
               std::size_t positions = 1) {
    const std::vector<Vec3> places(positions, Vec3{1.0, 2.0, 3.0});
    decoder.take(write_plain({stream, sequence, time, std::vector<Quat>(rotations), places}), 0.0,
                 frames);
  }
};

TEST(PlainFrames, HaveTheSkeletonsOffsets) {
  PlainReceiver r;
  r.take(1, 0);
  ASSERT_EQ(r.frames.size(), 1U);
  EXPECT_TRUE(r.frames[0].begins);
  EXPECT_EQ(r.frames[0].pose[0].translation, (Vec3{1.0, 2.0, 3.0}));
  EXPECT_EQ(r.frames[0].pose[1].translation, (Vec3{0.0, 0.25, 0.0}));
  r.take(1, 1, 2, 2);
  EXPECT_EQ(r.frames[1].pose[1].translation, (Vec3{1.0, 2.0, 3.0}));
}

TEST(PlainFrames, LostAndLateOnesAreCounted) {
  PlainReceiver r;
  for (const std::uint64_t n : {0U, 1U, 5U, 3U, 6U}) r.take(9, n);
  EXPECT_EQ(r.frames.size(), 5U);
  EXPECT_EQ(r.decoder.counts().missed, 3U);
  EXPECT_EQ(r.decoder.counts().late, 1U);
  r.take(10, 0);
  EXPECT_TRUE(r.frames.back().begins);
  EXPECT_EQ(r.decoder.counts().streams, 2U);
}

/// Without another stream number, too: else all its frames would be late.
TEST(PlainFrames, OfASenderThatIsStartedAgainBeginAStream) {
  for (const double time : {0.0, 31.0}) {  // its clock begins anew, or goes on
    PlainReceiver r;
    r.take_at(9, 1000, 30.0);
    r.take_at(9, 999, 29.5);   // late
    r.take_at(9, 1000, 30.0);  // double
    EXPECT_EQ(r.decoder.counts().late, 2U);
    EXPECT_EQ(r.decoder.counts().streams, 1U);
    r.take_at(9, 0, time);
    EXPECT_TRUE(r.frames.back().begins);
    r.take_at(9, 1, time + 0.01);
    EXPECT_FALSE(r.frames.back().begins);
    EXPECT_EQ(r.decoder.counts().streams, 2U);
    EXPECT_EQ(r.decoder.counts().late, 2U);
  }
}

TEST(PlainFrames, OfAnotherSkeletonAreMalformed) {
  PlainReceiver r;
  r.take(1, 0, 3, 1);
  r.take(1, 0, 2, 0);
  r.take(1, 0, 1, 1);
  EXPECT_TRUE(r.frames.empty());
  EXPECT_EQ(r.decoder.counts().malformed, 3U);
  EXPECT_NE(r.decoder.fault().find("2 joints"), std::string::npos);
}

}  // namespace
}  // namespace tocsin::mocap::plain_test
