// MVN's datagrams byte by byte, from its protocol specification, 2.4.1 and 2.5.
#include "mocap/xsens.h"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "core/vector/vec.h"
#include "mocap/bytes.h"
#include "mocap/bytes_of.h"

namespace tocsin::mocap::xsens_test {
namespace {

using test::bytes_of;

// Sample 0x01020304, datagram 2, the last; 1 item; 90,000 ms; character 5; 23 body segments, 1
// prop, 40 of fingers; 32 bytes of payload.
const std::string kXsensHead = "01 02 03 04 82 01 00 01 5f 90 05 17 01 28 00 00 00";
// Segment 7; position (1, 2, 4), all exact.
const std::string kPlace = "00 00 00 07 3f 80 00 00 40 00 00 00 40 80 00 00";

TEST(Xsens, ReadsQuaternions) {
  // w, x, y, z = (0.5, -0.5, 0.5, 0.5)
  const auto read = read_xsens(bytes_of("'MXTP02'" + kXsensHead + "20" + kPlace +
                                        "3f 00 00 00 bf 00 00 00 3f 00 00 00 3f 00 00 00"));
  ASSERT_TRUE(read.ok()) << read.error().message;
  const XsensHeader& h = read->header;
  EXPECT_EQ(h.type, 2);
  EXPECT_EQ(h.sample, 0x01020304U);
  EXPECT_EQ(h.datagram, 2);
  EXPECT_TRUE(h.last);
  EXPECT_EQ(h.items, 1);
  EXPECT_EQ(h.milliseconds, 90'000U);
  EXPECT_EQ(h.character, 5);
  EXPECT_EQ(h.body, 23);
  EXPECT_EQ(h.props, 1);
  EXPECT_EQ(h.fingers, 40);
  ASSERT_EQ(read->segments.size(), 1U);
  EXPECT_EQ(read->segments[0].id, 7U);
  // Z up, X ahead: (x, y, z) becomes (y, z, x).
  EXPECT_EQ(read->segments[0].at.translation, (Vec3{2.0, 4.0, 1.0}));
  EXPECT_EQ(read->segments[0].at.rotation, (Quat{0.5, 0.5, 0.5, -0.5}));
}

TEST(Xsens, ReadsEulerAnglesInCentimetres) {
  // 90 degrees about x, then 90 about y, then 0 about z: Ry Rx.
  const auto read = read_xsens(
      bytes_of("'MXTP01'" + kXsensHead + "1c" + kPlace + "42 b4 00 00 42 b4 00 00 00 00 00 00"));
  ASSERT_TRUE(read.ok()) << read.error().message;
  ASSERT_EQ(read->segments.size(), 1U);
  const Transform& at = read->segments[0].at;
  EXPECT_EQ(at.translation, (Vec3{0.01, 0.02, 0.04}));
  // Rx takes y to z, Ry takes z to x.
  const Vec3 y = core::rotate(at.rotation, {0.0, 1.0, 0.0});
  EXPECT_NEAR(y.x, 1.0, 1e-15);
  EXPECT_NEAR(y.y, 0.0, 1e-15);
  EXPECT_NEAR(y.z, 0.0, 1e-15);
}

TEST(Xsens, EulerAnglesAreEigens) {
  for (int i = 0; i < 50; ++i) {
    const float x = static_cast<float>(std::fmod(37.0 * i, 360.0) - 180.0);
    const float y = static_cast<float>(std::fmod(11.0 * i, 180.0) - 90.0);
    const float z = static_cast<float>(std::fmod(53.0 * i, 360.0) - 180.0);
    std::string bytes = bytes_of("'MXTP01'" + kXsensHead + "1c" + kPlace);
    for (const float angle : {x, y, z}) append_big_float(bytes, angle);
    const auto read = read_xsens(bytes);
    ASSERT_TRUE(read.ok()) << read.error().message;
    const auto radians = [](float degrees) {
      return static_cast<double>(degrees) * std::numbers::pi / 180.0;
    };
    using Eigen::AngleAxisd;
    using Eigen::Vector3d;
    const Eigen::Quaterniond expected = AngleAxisd(radians(z), Vector3d::UnitZ()) *
                                        AngleAxisd(radians(y), Vector3d::UnitY()) *
                                        AngleAxisd(radians(x), Vector3d::UnitX());
    const Quat& q = read->segments[0].at.rotation;
    const double same = std::fabs(q.w * expected.w() + q.x * expected.x() + q.y * expected.y() +
                                  q.z * expected.z());
    EXPECT_NEAR(same, 1.0, 1e-14);
  }
}

TEST(Xsens, UnitsAreAsTold) {
  const std::string bytes = bytes_of("'MXTP02'" + kXsensHead + "20" + kPlace +
                                     "3f 80 00 00 00 00 00 00 00 00 00 00 00 00 00 00");
  const auto centimetres = read_xsens(bytes, {0.01, false});
  EXPECT_EQ(centimetres->segments[0].at.translation, (Vec3{0.02, 0.04, 0.01}));
  const auto y_up = read_xsens(bytes, {std::nullopt, true});
  EXPECT_EQ(y_up->segments[0].at.translation, (Vec3{1.0, 2.0, 4.0}));
}

TEST(Xsens, OtherTypesSayNoPose) {
  const auto read = read_xsens(bytes_of("'MXTP25'" + kXsensHead + "0c '12:00:00.000'"));
  ASSERT_TRUE(read.ok());
  EXPECT_TRUE(read->segments.empty());
}

TEST(Xsens, RefusesWhatIsMalformed) {
  const std::string q = "3f 80 00 00 00 00 00 00 00 00 00 00 00 00 00 00";
  const std::string sound = "'MXTP02'" + kXsensHead + "20" + kPlace + q;
  EXPECT_TRUE(read_xsens(bytes_of(sound)).ok());
  for (const std::string& bytes :
       {std::string(), bytes_of("'MXTP02'"), bytes_of("'MXTQ02'" + kXsensHead + "20" + kPlace + q),
        bytes_of("'MXTPab'" + kXsensHead + "20" + kPlace + q), bytes_of(sound + "00"),
        bytes_of(sound).substr(0, 55),
        bytes_of("'MXTP02'" + kXsensHead + "21" + kPlace + q),  // another payload
        bytes_of("'MXTP02'" + kXsensHead + "20" + kPlace +
                 "00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00"),
        bytes_of("'MXTP02'" + kXsensHead + "20 00 00 00 07 7f c0 00 00 40 00 00 00 40 80 00 00" +
                 q),
        bytes_of("'MXTP01'" + kXsensHead + "1c" + kPlace +
                 "7f 80 00 00 00 00 00 00 00 00 00 00")}) {
    EXPECT_FALSE(read_xsens(bytes).ok());
  }
}

// ---- Frames ----

struct Spec {
  std::uint32_t sample = 0;
  std::uint32_t milliseconds = 0;
  int body = 23;
  int props = 0;
  int fingers = 0;
  float lift = 0.F;  // of the pelvis, and all with it
};

/// One datagram of a sample: segments `first` to `last`, both included, from 1. Segment i stands at
/// (0.1 i, 0, lift + 1), not turned.
std::string datagram(const Spec& spec, int counter, bool is_last, int first, int last) {
  std::string out = "MXTP02";
  append_big<4>(out, spec.sample);
  append_big<1>(out, static_cast<std::uint64_t>(counter) | (is_last ? 0x80U : 0U));
  append_big<1>(out, static_cast<std::uint64_t>(last - first + 1));
  append_big<4>(out, spec.milliseconds);
  append_big<1>(out, 0);
  for (const int n : {spec.body, spec.props, spec.fingers})
    append_big<1>(out, static_cast<std::uint64_t>(n));
  append_big<2>(out, 0);
  append_big<2>(out, static_cast<std::uint64_t>(32 * (last - first + 1)));
  for (int i = first; i <= last; ++i) {
    append_big<4>(out, static_cast<std::uint64_t>(i));
    for (const float x : {0.1F * static_cast<float>(i), 0.F, spec.lift + 1.F, 1.F, 0.F, 0.F, 0.F}) {
      append_big_float(out, x);
    }
  }
  return out;
}

struct XsensReceiver {
  XsensDecoder decoder;
  std::vector<MocapFrame> frames;
  void take(const std::string& bytes) { decoder.take(bytes, 0.0, frames); }
  void sample(std::uint32_t number, std::uint32_t milliseconds, float lift = 0.F) {
    take(datagram({number, milliseconds, 23, 0, 0, lift}, 0, true, 1, 23));
  }
};

TEST(XsensFrames, AreSamples) {
  XsensReceiver r;
  r.sample(100, 1000);
  r.sample(101, 1016, 0.5F);
  ASSERT_EQ(r.frames.size(), 2U);
  EXPECT_TRUE(r.frames[0].begins);
  EXPECT_EQ(r.frames[1].id, 101U);
  EXPECT_EQ(r.frames[1].time, 1.016);
  const Skeleton& body = r.decoder.skeleton();
  ASSERT_EQ(body.size(), 23);
  EXPECT_EQ(body.joints()[9].name, "RightForeArm");
  EXPECT_EQ(body.joints()[9].parent, 8);
  EXPECT_EQ(body.joints()[19].name, "LeftUpperLeg");
  EXPECT_EQ(body.joints()[19].parent, 0);
  // MVN's x is our z, its z our y. The forearm is 0.1 ahead of the upper arm.
  EXPECT_EQ(r.frames[1].pose[0].translation, (Vec3{0.0, 1.5, static_cast<double>(0.1F)}));
  EXPECT_NEAR(r.frames[1].pose[9].translation.z, 0.1, 1e-6);
  EXPECT_EQ(r.frames[1].pose[9].translation.y, 0.0);
}

TEST(XsensFrames, OfSeveralDatagramsInAnyOrder) {
  XsensReceiver r;
  const Spec spec{7, 10, 23, 1, 40};
  r.take(datagram(spec, 1, true, 44, 64));
  EXPECT_TRUE(r.frames.empty());
  r.take(datagram(spec, 0, false, 1, 43));
  ASSERT_EQ(r.frames.size(), 1U);
  const Skeleton& body = r.decoder.skeleton();
  ASSERT_EQ(body.size(), 64);
  EXPECT_EQ(body.joints()[23].name, "Prop1");
  EXPECT_EQ(body.joints()[23].parent, -1);
  EXPECT_EQ(body.joints()[24].name, "LeftCarpus");
  EXPECT_EQ(body.joints()[24].parent, body.find("LeftHand"));
  EXPECT_EQ(body.joints()[63].name, "RightFifthDP");
  EXPECT_EQ(body.joints()[44].parent, body.find("RightHand"));
}

TEST(XsensFrames, ThatLackADatagramAreDroppedAndCounted) {
  XsensReceiver r;
  r.sample(0, 0);
  r.take(datagram({1, 10}, 0, false, 1, 12));  // its second never comes
  for (std::uint32_t i = 2; i < 12; ++i) r.take(datagram({i, 10 * i}, 0, false, 1, 12));
  EXPECT_EQ(r.frames.size(), 1U);
  EXPECT_GE(r.decoder.counts().incomplete, 6U);
  r.sample(12, 120);
  EXPECT_EQ(r.frames.size(), 2U);
  EXPECT_EQ(r.decoder.counts().missed, 11U);
}

TEST(XsensFrames, LostLateAndDoubledOnesAreCounted) {
  XsensReceiver r;
  r.sample(0, 0);
  r.sample(3, 30);
  r.sample(2, 20);
  r.sample(3, 30);
  r.sample(4, 40);
  ASSERT_EQ(r.frames.size(), 4U);
  EXPECT_EQ(r.frames[2].id, 2U);
  EXPECT_EQ(r.frames[2].time, 0.020);
  EXPECT_EQ(r.decoder.counts().missed, 2U);
  EXPECT_EQ(r.decoder.counts().late, 2U);
}

TEST(XsensFrames, CountOnOverTheCountersEnd) {
  XsensReceiver r;
  r.sample(0xffffffff, 1000);
  r.sample(0, 1010);
  r.sample(1, 1020);
  ASSERT_EQ(r.frames.size(), 3U);
  EXPECT_EQ(r.frames[2].id, (std::uint64_t{1} << 32U) + 1);
  EXPECT_FALSE(r.frames[1].begins);
  EXPECT_EQ(r.decoder.counts().missed, 0U);
}

TEST(XsensFrames, ACounterThatGoesFarBackBeginsAnew) {
  XsensReceiver r;
  r.sample(5000, 50'000);
  r.sample(0, 0);
  r.sample(1, 10);
  ASSERT_EQ(r.frames.size(), 3U);
  EXPECT_TRUE(r.frames[1].begins);
  EXPECT_EQ(r.frames[1].id, 0U);
  EXPECT_EQ(r.decoder.counts().streams, 2U);
}

TEST(XsensFrames, ATimeCodeThatGoesFarBackBeginsAnew) {
  XsensReceiver r;
  r.sample(100, 50'000);
  r.sample(99, 49'000);  // late
  r.sample(50, 48'999);
  ASSERT_EQ(r.frames.size(), 3U);
  EXPECT_FALSE(r.frames[1].begins);
  EXPECT_TRUE(r.frames[2].begins);
  EXPECT_EQ(r.frames[2].id, 50U);
}

TEST(XsensFrames, ATimeCodeThatStandsStillIsCounted) {
  XsensReceiver r;
  for (std::uint32_t i = 0; i < 3; ++i) r.sample(i, 0);
  ASSERT_EQ(r.frames.size(), 3U);
  EXPECT_LT(r.frames[0].time, r.frames[1].time);
  EXPECT_LT(r.frames[1].time, r.frames[2].time);
  EXPECT_EQ(r.decoder.counts().untimed, 2U);
}

TEST(XsensFrames, OfNoBodyAreMalformed) {
  XsensReceiver r;
  r.take(datagram({0, 0}, 0, true, 1, 22));
  r.take(datagram({1, 0}, 0, true, 2, 24));
  r.take(datagram({2, 0}, 20, false, 1, 23));
  EXPECT_TRUE(r.frames.empty());
  EXPECT_EQ(r.decoder.counts().malformed, 3U);
}

}  // namespace
}  // namespace tocsin::mocap::xsens_test
