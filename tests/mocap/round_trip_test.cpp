// What is written is read: poses, once they were rounded to 32-bit floats, come out bit for bit.
#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

#include "core/vector/vec.h"
#include "mocap/human_bones.h"
#include "mocap/vmc.h"
#include "mocap/xsens.h"

namespace tocsin::mocap::round_trip_test {
namespace {

class Poses {
 public:
  Transform next() {
    return {core::normalized({number(), number(), number(), number()}),
            {number(), number(), number()}};
  }

 private:
  double number() { return std::uniform_real_distribution<double>(-1.0, 1.0)(random_); }
  std::mt19937_64 random_{20261126};
};

double rounded(double x) { return static_cast<double>(static_cast<float>(x)); }

Transform as_sent(const Transform& at) {
  const Quat& q = at.rotation;
  const Vec3& p = at.translation;
  return {{rounded(q.w), rounded(q.x), rounded(q.y), rounded(q.z)},
          {rounded(p.x), rounded(p.y), rounded(p.z)}};
}

TEST(RoundTrip, VmcKeepsEveryBit) {
  Poses poses;
  VmcDecoder decoder;
  std::vector<std::vector<Transform>> sent;
  std::vector<MocapFrame> got;
  for (int i = 0; i < 20; ++i) {
    std::vector<VmcBone> bones;
    const Transform root = poses.next();
    std::vector<Transform> pose{as_sent(root)};
    for (int bone = 0; bone < static_cast<int>(kHumanBones); ++bone) {
      bones.push_back({bone, poses.next()});
      pose.push_back(as_sent(bones.back().at));
    }
    const auto packets = write_vmc(root, bones, 0.5 + i / 64.0);
    EXPECT_GT(packets.size(), 3U);
    for (const std::string& packet : packets) {
      EXPECT_LE(packet.size(), 1400U);
      decoder.take(packet, 0.0, got);
    }
    sent.push_back(pose);
  }
  ASSERT_EQ(got.size(), sent.size());
  for (std::size_t i = 0; i < got.size(); ++i) {
    EXPECT_EQ(got[i].time, 0.5 + static_cast<double>(i) / 64.0);
    EXPECT_EQ(got[i].pose, sent[i]) << "frame " << i;
  }
  EXPECT_EQ(decoder.counts().malformed + decoder.counts().unknown + decoder.counts().held, 0U);
}

TEST(RoundTrip, XsensKeepsTheSegmentsPlaces) {
  Poses poses;
  XsensDecoder decoder;
  for (std::uint32_t i = 0; i < 20; ++i) {
    std::vector<XsensSegment> segments;
    for (std::uint32_t id = 1; id <= 63; ++id) segments.push_back({id, poses.next()});
    XsensHeader header;
    header.sample = i;
    header.milliseconds = 10 * i;
    header.body = kXsensBody;
    header.fingers = 40;
    std::vector<MocapFrame> got;
    const auto packets = write_xsens(header, segments);
    ASSERT_EQ(packets.size(), 2U);
    for (const std::string& packet : packets) decoder.take(packet, 0.0, got);
    ASSERT_EQ(got.size(), 1U);
    const auto joints = decoder.skeleton().joints();
    std::vector<Transform> world;
    for (std::size_t j = 0; j < joints.size(); ++j) {
      const Transform& own = got[0].pose[j];
      if (joints[j].parent < 0) {
        world.push_back(own);
      } else {
        const Transform& above = world[static_cast<std::size_t>(joints[j].parent)];
        world.push_back({above.rotation * own.rotation,
                         core::rotate(above.rotation, own.translation) + above.translation});
      }
      const Transform sent = as_sent(segments[j].at);
      const Vec3 off = world[j].translation - sent.translation;
      // Some ten roundings of 2^-53 for each of at most twelve joints of a chain, each within 4 m.
      EXPECT_LT(core::norm(off), 1e-13);
      const Vec3 tip{0.3, 0.2, -0.1};
      const Vec3 turned =
          core::rotate(world[j].rotation, tip) - core::rotate(core::normalized(sent.rotation), tip);
      EXPECT_LT(core::norm(turned), 1e-13);
    }
  }
}

}  // namespace
}  // namespace tocsin::mocap::round_trip_test
