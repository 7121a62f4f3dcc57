// VMC's messages byte by byte, from protocol.vmc.info's table of addresses and types.
#include "mocap/vmc.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>
#include <string>

#include "core/vector/vec.h"
#include "mocap/bytes_of.h"
#include "mocap/human_bones.h"
#include "mocap/osc.h"

namespace tocsin::mocap::vmc_test {
namespace {

using test::bytes_of;

// position (0.5, 1, -2), quaternion x, y, z, w = (0.5, 0.5, -0.5, 0.5): all exact in a float.
const std::string kSeven =
    "3f 00 00 00 3f 80 00 00 c0 00 00 00 3f 00 00 00 3f 00 00 00 bf 00 00 00 3f 00 00 00";
const std::string kHips =
    "'/VMC/Ext/Bone/Pos' 00 00 00 ',sfffffff' 00 00 00 'Hips' 00 00 00 00" + kSeven;

TEST(Vmc, TurnsUnitysAxes) {
  std::uint64_t unknown = 0;
  const auto read = read_vmc(bytes_of(kHips), unknown);
  ASSERT_TRUE(read.ok()) << read.error().message;
  ASSERT_EQ(read->size(), 1U);
  EXPECT_EQ((*read)[0].bone, find_human_bone("Hips"));
  EXPECT_EQ((*read)[0].at.translation, (Vec3{-0.5, 1.0, -2.0}));
  EXPECT_EQ((*read)[0].at.rotation, (Quat{0.5, 0.5, -0.5, 0.5}));
  EXPECT_EQ(unknown, 0U);
}

/// Unity's frame is ours seen in a mirror: a point turned there and then mirrored is the mirrored
/// point turned here.
TEST(Vmc, TheTurnIsThatOfAMirror) {
  const Quat unity{0.1, 0.7, -0.5, 0.5};  // w, x, y, z; its length is 1
  const Vec3 point{0.3, -1.1, 0.7};
  // A quaternion's formula for a turned vector is the same in either handedness.
  const Vec3 turned = core::rotate(unity, point);
  const Quat here{unity.w, unity.x, -unity.y, -unity.z};
  const Vec3 mirrored = core::rotate(here, {-point.x, point.y, point.z});
  EXPECT_NEAR(mirrored.x, -turned.x, 1e-15);
  EXPECT_NEAR(mirrored.y, turned.y, 1e-15);
  EXPECT_NEAR(mirrored.z, turned.z, 1e-15);
}

TEST(Vmc, ReadsRootTimeAndABundle) {
  const std::string packet = bytes_of(
      "'#bundle' 00 00 00 00 00 00 00 00 01"
      // 20 bytes of address, 12 of tags, 8 of name, 28 of numbers; 2.1 has six more numbers, which
      // are left out here
      "00 00 00 44 '/VMC/Ext/Root/Pos' 00 00 00 ',sfffffff' 00 00 00 'root' 00 00 00 00" +
      kSeven + "00 00 00 14 '/VMC/Ext/T' 00 00 ',f' 00 00 41 20 00 00");
  std::uint64_t unknown = 0;
  const auto read = read_vmc(packet, unknown);
  ASSERT_TRUE(read.ok()) << read.error().message;
  ASSERT_EQ(read->size(), 2U);
  EXPECT_EQ((*read)[0].kind, VmcMessage::Kind::kRoot);
  EXPECT_EQ((*read)[1].kind, VmcMessage::Kind::kTime);
  EXPECT_EQ((*read)[1].time, 10.0);
}

TEST(Vmc, CountsWhatItDoesNotKnow) {
  std::uint64_t unknown = 0;
  const auto say = [&](const char* address) { return read_vmc(osc_message(address, {}), unknown); };
  EXPECT_TRUE(say("/VMC/Ext/OK").ok());
  EXPECT_TRUE(say("/VMC/Ext/Blend/Val").ok());
  EXPECT_TRUE(say("/VMC/Ext/Blend/Apply").ok());
  EXPECT_EQ(unknown, 0U);
  EXPECT_TRUE(say("/VMC/Ext/Midi/Note").ok());
  EXPECT_EQ(unknown, 1U);
  std::string tail = kHips;
  tail.replace(tail.find("'Hips'"), 6, "'Tail'");
  EXPECT_TRUE(read_vmc(bytes_of(tail), unknown).ok());
  EXPECT_EQ(unknown, 2U);
}

TEST(Vmc, RefusesWhatIsMalformed) {
  std::uint64_t unknown = 0;
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const auto bone = [](float x, float w) {
    const std::array<OscArgument, 8> values{
        std::string_view("Head"), x, 0.F, 0.F, 0.F, 0.F, 0.F, w};
    return osc_message("/VMC/Ext/Bone/Pos", values);
  };
  EXPECT_TRUE(read_vmc(bone(0.F, 1.F), unknown).ok());
  EXPECT_FALSE(read_vmc(bone(nan, 1.F), unknown).ok());
  EXPECT_FALSE(read_vmc(bone(0.F, 0.F), unknown).ok());
  EXPECT_FALSE(read_vmc(bone(0.F, nan), unknown).ok());
  EXPECT_FALSE(read_vmc(osc_message("/VMC/Ext/T", {}), unknown).ok());
  const std::array<OscArgument, 1> text{std::string_view("now")};
  EXPECT_FALSE(read_vmc(osc_message("/VMC/Ext/T", text), unknown).ok());
  const std::array<OscArgument, 2> few{std::string_view("Head"), 1.F};
  EXPECT_FALSE(read_vmc(osc_message("/VMC/Ext/Bone/Pos", few), unknown).ok());
}

/// Sends messages one by one, as some senders do.
struct Sender {
  VmcDecoder decoder{standard_offsets()};
  std::vector<MocapFrame> frames;
  double now = 0.0;

  void say(const std::string& packet) { decoder.take(packet, now, frames); }
  void bone(std::string_view name, const Vec3& at) {
    const auto n = [](double x) { return static_cast<float>(x); };
    const std::array<OscArgument, 8> values{name, n(-at.x), n(at.y), n(at.z), 0.F, 0.F, 0.F, 1.F};
    say(osc_message("/VMC/Ext/Bone/Pos", values));
  }
  void time(double t) {
    const std::array<OscArgument, 1> values{static_cast<float>(t)};
    say(osc_message("/VMC/Ext/T", values));
  }
  void frame(double height, double t) {
    bone("Hips", {0.0, height, 0.0});
    bone("Head", {0.0, 0.5, 0.0});
    time(t);
  }
};

TEST(VmcFrames, EndWithTheTime) {
  Sender s;
  s.frame(1.0, 0.5);
  EXPECT_TRUE(s.frames.empty());  // the second says whether the first was whole
  s.frame(2.0, 0.75);
  ASSERT_EQ(s.frames.size(), 2U);
  EXPECT_TRUE(s.frames[0].begins);
  EXPECT_FALSE(s.frames[1].begins);
  EXPECT_EQ(s.frames[0].time, 0.5);
  EXPECT_EQ(s.frames[1].time, 0.75);
  EXPECT_EQ(s.frames[0].id, 0U);
  EXPECT_EQ(s.frames[1].id, 1U);
  ASSERT_EQ(s.decoder.skeleton().size(), 3);
  EXPECT_EQ(s.decoder.skeleton().joints()[1].name, "Hips");
  EXPECT_EQ(s.decoder.skeleton().joints()[2].name, "Head");
  EXPECT_EQ(s.decoder.skeleton().joints()[2].parent, 1);
  EXPECT_EQ(s.frames[1].pose[1].translation, (Vec3{0.0, 2.0, 0.0}));
}

TEST(VmcFrames, ThatWereJoinedInTheMiddleAreDropped) {
  Sender s;
  s.bone("Head", {0.0, 0.5, 0.0});
  s.time(0.1);
  s.frame(1.0, 0.2);
  s.frame(1.0, 0.3);
  ASSERT_EQ(s.frames.size(), 2U);
  EXPECT_EQ(s.frames[0].time, 0.2F);
  EXPECT_EQ(s.decoder.counts().incomplete, 1U);
}

TEST(VmcFrames, EndWithABoneThatIsThereAlready) {
  Sender s;
  s.frame(1.0, 0.1);
  s.frame(1.1, 0.2);
  s.bone("Hips", {0.0, 1.2, 0.0});
  s.bone("Head", {0.0, 0.5, 0.0});
  s.now = 0.01;  // its time was lost
  s.frame(1.3, 0.4);
  ASSERT_EQ(s.frames.size(), 4U);
  EXPECT_EQ(s.frames[2].pose[1].translation.y, 1.2F);
  EXPECT_GT(s.frames[2].time, s.frames[1].time);
  EXPECT_GT(s.frames[3].time, s.frames[2].time);
  EXPECT_EQ(s.decoder.counts().untimed, 1U);
}

TEST(VmcFrames, HoldBonesThatTheyLack) {
  Sender s;
  s.frame(1.0, 0.1);
  s.frame(1.1, 0.2);
  s.bone("Head", {0.0, 0.6, 0.0});
  s.time(0.3);
  ASSERT_EQ(s.frames.size(), 3U);
  EXPECT_EQ(s.frames[2].pose[1].translation.y, 1.1F);
  EXPECT_EQ(s.frames[2].pose[2].translation.y, 0.6F);
  EXPECT_EQ(s.decoder.counts().held, 1U);
}

TEST(VmcFrames, LateOnesAndCopiesAreDropped) {
  Sender s;
  s.frame(1.0, 0.1);
  s.frame(1.1, 0.2);
  s.frame(1.2, 0.3);
  s.frame(1.1, 0.2);
  s.frame(1.2, 0.3);
  s.frame(1.3, 0.4);
  EXPECT_EQ(s.frames.size(), 4U);
  EXPECT_EQ(s.decoder.counts().late, 2U);
  EXPECT_EQ(s.frames.back().time, 0.4F);
}

TEST(VmcFrames, ATimeThatGoesFarBackBeginsAnew) {
  Sender s;
  s.frame(1.0, 10.0);
  s.frame(1.1, 10.1);
  s.frame(1.2, 0.1);
  s.frame(1.3, 0.2);
  ASSERT_EQ(s.frames.size(), 4U);
  EXPECT_TRUE(s.frames[2].begins);
  EXPECT_EQ(s.frames[2].id, 0U);
  EXPECT_EQ(s.decoder.counts().streams, 2U);
}

TEST(VmcFrames, BonesWithoutPositionsHaveTheRestOffsets) {
  Sender s;
  for (const double t : {0.1, 0.2}) {
    s.bone("Hips", {0.0, 0.9, 0.0});
    for (const char* const name : {"Spine", "Head", "LeftUpperArm"}) s.bone(name, {});
    s.time(t);
  }
  ASSERT_EQ(s.frames.size(), 2U);
  const RestOffsets rest = standard_offsets();
  const auto at = [&](const char* name) {
    return rest[static_cast<std::size_t>(find_human_bone(name))];
  };
  EXPECT_EQ(s.frames[0].pose[1].translation.y, 0.9F);
  EXPECT_EQ(s.frames[0].pose[2].translation, at("Spine"));
  // Chest, upper chest and neck are not sent: the head's offset goes over them.
  const Vec3 head = at("Chest") + at("UpperChest") + at("Neck") + at("Head");
  EXPECT_NEAR(s.frames[0].pose[3].translation.y, head.y, 1e-15);
  EXPECT_NEAR(s.frames[0].pose[4].translation.x, at("LeftShoulder").x + at("LeftUpperArm").x,
              1e-15);
}

TEST(VmcFrames, AMalformedPacketChangesNothing) {
  Sender s;
  s.frame(1.0, 0.1);
  s.frame(1.1, 0.2);
  const std::array<OscArgument, 1> text{std::string_view("now")};
  // The first message of the bundle is sound.
  const std::array<OscArgument, 8> values{
      std::string_view("Hips"), 9.F, 9.F, 9.F, 0.F, 0.F, 0.F, 1.F};
  s.say(osc_bundle(
      std::array{osc_message("/VMC/Ext/Bone/Pos", values), osc_message("/VMC/Ext/T", text)}));
  s.frame(1.2, 0.3);
  ASSERT_EQ(s.frames.size(), 3U);
  EXPECT_EQ(s.frames[2].pose[1].translation.y, 1.2F);
  EXPECT_EQ(s.decoder.counts().malformed, 1U);
  EXPECT_NE(s.decoder.fault().find("/VMC/Ext/T"), std::string::npos);
}

TEST(HumanBones, AreUnitys) {
  EXPECT_EQ(human_bones().size(), kHumanBones);
  for (std::size_t i = 0; i < kHumanBones; ++i) {
    EXPECT_LT(human_bones()[i].parent, static_cast<int>(i));
    EXPECT_EQ(find_human_bone(human_bones()[i].name), static_cast<int>(i));
  }
  EXPECT_EQ(find_human_bone("leftUpperArm"), find_human_bone("LeftUpperArm"));
  EXPECT_EQ(find_human_bone("LastBone"), -1);
}

TEST(HumanBones, OffsetsOfAModelAreItsOwn) {
  std::vector<Joint> joints;
  for (const char* const name :
       {"hips", "spine", "head", "leftUpperArm", "leftLowerArm", "leftHand", "rightUpperArm",
        "rightLowerArm", "rightHand", "leftUpperLeg", "leftLowerLeg", "leftFoot", "rightUpperLeg",
        "rightLowerLeg", "rightFoot"}) {
    const int before = static_cast<int>(joints.size()) - 1;
    joints.push_back({name, before < 1 ? before : 1, {{}, {0.0, 0.25, 0.125 * before}}});
  }
  const auto rest = offsets_of(Skeleton::create(joints).value());
  ASSERT_TRUE(rest.ok()) << rest.error().message;
  const auto at = [&](const char* name) {
    return (*rest)[static_cast<std::size_t>(find_human_bone(name))];
  };
  EXPECT_EQ(at("Spine"), (Vec3{0.0, 0.25, 0.0}));
  EXPECT_EQ(at("Chest"), (Vec3{}));                 // between two that the model has
  EXPECT_EQ(at("Head"), (Vec3{0.0, 0.25, 0.125}));  // joint 2, child of joint 1
  EXPECT_EQ(at("LeftIndexDistal"),
            human_bones()[static_cast<std::size_t>(find_human_bone("LeftIndexDistal"))].rest);
  joints.pop_back();
  const auto lacks = offsets_of(Skeleton::create(joints).value());
  ASSERT_FALSE(lacks.ok());
  EXPECT_NE(lacks.error().message.find("RightFoot"), std::string::npos);
}

}  // namespace
}  // namespace tocsin::mocap::vmc_test
