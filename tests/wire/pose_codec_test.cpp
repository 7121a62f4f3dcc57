// Frames and their poses: there and back to the bit, short where they can be, and what is refused.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "support/scenes/odd_numbers.h"
#include "wire/dump.h"
#include "wire/random_values.h"
#include "wire/reports.h"
#include "wire/through_wire.h"

namespace tocsin::test::pose_codec_test {
namespace {

/// Two roots with one child each; the children at 1 m and at -0 m.
Skeleton two_roots() {
  return *Skeleton::create({{"a", -1, {{}, {0, 1, 0}}},
                            {"a1", 0, {{}, {1, 0, 0}}},
                            {"b", -1, {{}, {0, 2, 0}}},
                            {"b1", 2, {{}, {-0.0, 0, 0}}}});
}

std::vector<Transform> at_rest(const Skeleton& skeleton) {
  std::vector<Transform> pose;
  for (const Joint& joint : skeleton.joints()) pose.push_back(joint.rest);
  return pose;
}

TEST(PoseCodec, FramesComeBackToTheBit) {
  RandomValues random(5);
  TrackFrame back;  // used again, as a stream does
  for (int i = 0; i < 2000; ++i) {
    const Skeleton skeleton = random.skeleton(30);
    const wire::PoseCodec codec(skeleton);
    const TrackFrame frame = random.frame(skeleton);
    v1::Frame message;
    codec.to_wire(frame, message);
    const Status read = codec.from_wire(sent(message), back);
    ASSERT_TRUE(read.ok()) << read.error().message;
    EXPECT_EQ(dump(back), dump(frame));
  }
}

TEST(PoseCodec, ValuesAreNotLookedAt) {
  const wire::PoseCodec codec(two_roots());
  TrackFrame frame{7, 1.0, at_rest(two_roots())};
  frame.pose[1].rotation.x = -kNan;
  frame.pose[2].translation.y = std::numeric_limits<double>::infinity();
  frame.pose[3].rotation = {0, 0, 0, 0};
  v1::Frame message;
  codec.to_wire(frame, message);
  TrackFrame back;
  ASSERT_TRUE(codec.from_wire(sent(message), back).ok());
  EXPECT_EQ(dump(back), dump(frame));
}

/// One codec may serve several sessions where it does the same for all, to the sign of a zero.
TEST(PoseCodec, IsLikeOneThatDoesTheSame) {
  const std::vector<std::uint32_t> linked{0, 1};
  const wire::PoseCodec codec(two_roots(), linked);
  EXPECT_TRUE(wire::PoseCodec(two_roots(), linked).is_like(codec));
  EXPECT_FALSE(wire::PoseCodec(two_roots()).is_like(codec));
  const auto changed = [](const auto& change) {
    const Skeleton skeleton = two_roots();
    std::vector<Joint> joints(skeleton.joints().begin(), skeleton.joints().end());
    change(joints);
    return *Skeleton::create(std::move(joints));
  };
  const auto zero = [](auto& joints) { joints[3].rest.translation.x = 0.0; };
  const auto turn = [](auto& joints) { joints[2].rest.rotation = {0.0, 0.0, 0.0, 1.0}; };
  const auto cut = [](auto& joints) { joints[1].parent = -1; };
  const auto less = [](auto& joints) { joints.pop_back(); };
  EXPECT_FALSE(wire::PoseCodec(changed(zero), linked).is_like(codec));
  EXPECT_FALSE(wire::PoseCodec(changed(turn), linked).is_like(codec));
  EXPECT_FALSE(wire::PoseCodec(changed(cut), linked).is_like(codec));
  EXPECT_FALSE(wire::PoseCodec(changed(less), linked).is_like(codec));
  TrackerPoses world;
  world.world = true;
  wire::PoseCodec tracked(two_roots(), linked);
  tracked.set_tracker(world);
  EXPECT_FALSE(tracked.is_like(codec));
}

TEST(PoseCodec, LeavesOutWhatTheRestSays) {
  const wire::PoseCodec codec(two_roots());
  std::vector<Transform> pose = at_rest(two_roots());
  pose[0].translation = {5, 6, 7};
  pose[2].translation = {8, 9, 10};
  v1::Pose message;
  codec.to_wire(pose, message);
  EXPECT_EQ(message.rotations_size(), 16);
  EXPECT_EQ(std::vector<double>(message.translations().begin(), message.translations().end()),
            (std::vector<double>{5, 6, 7, 8, 9, 10}));

  // Another zero is another pose.
  pose[3].translation.x = 0.0;
  codec.to_wire(pose, message);
  EXPECT_EQ(message.translations_size(), 12);
  EXPECT_FALSE(std::signbit(message.translations(9)));
}

TEST(PoseCodec, RootsAloneLeaveOthersAtRest) {
  const wire::PoseCodec codec(two_roots());
  v1::Pose message;
  for (int i = 0; i < 4; ++i) {
    for (const double v : {1.0, 0.0, 0.0, 0.0}) message.add_rotations(v);
  }
  for (const double v : {5.0, 6.0, 7.0, 8.0, 9.0, 10.0}) message.add_translations(v);
  std::vector<Transform> pose(99);
  ASSERT_TRUE(codec.from_wire(message, pose).ok());
  ASSERT_EQ(pose.size(), 4U);
  EXPECT_EQ(pose[0].translation, (Vec3{5, 6, 7}));
  EXPECT_EQ(pose[1].translation, (Vec3{1, 0, 0}));
  EXPECT_EQ(pose[2].translation, (Vec3{8, 9, 10}));
  EXPECT_TRUE(std::signbit(pose[3].translation.x));
}

TEST(PoseCodec, RefusesCountsThatFitNoPose) {
  const wire::PoseCodec codec(two_roots());
  struct Case {
    int rotations;
    int translations;
    const char* phrase;
  };
  for (const Case& c : {
           Case{0, 0, "frame 3: 0 numbers for rotations; the skeleton's 4 joints need 16"},
           Case{15, 12, "15 numbers for rotations"},
           Case{12, 12, "12 numbers for rotations"},
           Case{17, 12, "17 numbers for rotations"},
           Case{2'000'000, 12, "2000000 numbers for rotations"},
           Case{16, 0,
                "frame 3: 0 numbers for translations; the skeleton's 4 joints need 12, its "
                "2 without a parent alone 6"},
           Case{16, 3, "3 numbers for translations"},
           Case{16, 9, "9 numbers for translations"},
           Case{16, 13, "13 numbers for translations"},
       }) {
    v1::Frame message;
    message.set_id(3);
    for (int i = 0; i < c.rotations; ++i) message.mutable_pose()->add_rotations(0.5);
    for (int i = 0; i < c.translations; ++i) message.mutable_pose()->add_translations(0.5);
    TrackFrame frame;
    expect_refused(codec.from_wire(message, frame), c.phrase, c.phrase);
    EXPECT_TRUE(frame.pose.empty());
  }
}

/// Numbers that are floats come back to the bit; others as the nearest float.
TEST(PoseCodec, FloatsAreWidenedExactly) {
  RandomValues random(6);
  std::size_t rounded = 0;
  for (int i = 0; i < 500; ++i) {
    const Skeleton skeleton = random.skeleton(20);
    const wire::PoseCodec codec(skeleton);
    TrackFrame frame = random.frame(skeleton);
    frame.floats = true;
    v1::FrameF message;
    codec.to_wire(frame, message);
    const bool rests = message.pose().translations_size() < static_cast<int>(3 * frame.pose.size());
    TrackFrame back;
    ASSERT_TRUE(codec.from_wire(sent(message), back).ok());
    EXPECT_TRUE(back.floats);
    const auto narrow = [&](double& value) {
      const double near = static_cast<double>(static_cast<float>(value));
      rounded += near == value ? 0U : 1U;
      value = near;
    };
    for (auto* const pose : {&frame.pose, &frame.ahead}) {
      for (std::size_t k = 0; k < pose->size(); ++k) {
        Transform& joint = (*pose)[k];
        for (double* const x :
             {&joint.rotation.w, &joint.rotation.x, &joint.rotation.y, &joint.rotation.z}) {
          narrow(*x);
        }
        // Those that are left out are the skeleton's.
        if (rests && skeleton.joints()[k].parent >= 0) continue;
        for (double* const x : {&joint.translation.x, &joint.translation.y, &joint.translation.z}) {
          narrow(*x);
        }
      }
    }
    EXPECT_EQ(dump(back), dump(frame));
    // Widened numbers are floats: they come back as they are.
    codec.to_wire(back, message);
    TrackFrame again;
    ASSERT_TRUE(codec.from_wire(sent(message), again).ok());
    EXPECT_EQ(dump(again), dump(back));
  }
  EXPECT_GT(rounded, 1000U);
}

/// Joints that are left out are as at rest; all others are what was sent.
TEST(PoseCodec, LeavesOutJointsThatNoLinkHangsOn) {
  RandomValues random(8);
  std::size_t left_out = 0;
  for (int i = 0; i < 1000; ++i) {
    const Skeleton skeleton = random.skeleton(20);
    const auto joints = skeleton.joints();
    std::vector<std::uint32_t> linked;
    std::vector<bool> is_linked(joints.size());
    for (std::size_t k = joints.size(); k-- > 0;) {  // those above are linked, too
      if (random.whole(4) == 0) is_linked[k] = true;
      if (is_linked[k] && joints[k].parent >= 0) {
        is_linked[static_cast<std::size_t>(joints[k].parent)] = true;
      }
    }
    for (std::size_t k = 0; k < joints.size(); ++k) {
      if (is_linked[k]) linked.push_back(static_cast<std::uint32_t>(k));
    }
    wire::PoseCodec client(skeleton);
    const wire::PoseCodec server(skeleton, linked);
    TrackFrame frame = random.frame(skeleton);
    frame.linked_only = true;
    v1::Frame message;
    client.to_wire(frame, message);  // it does not know them yet
    EXPECT_EQ(message.pose().rotations_size(), static_cast<int>(4 * joints.size()));
    client.set_linked(linked);
    client.to_wire(frame, message);
    TrackFrame back;
    const Status read = server.from_wire(sent(message), back);
    ASSERT_TRUE(read.ok()) << read.error().message;
    EXPECT_EQ(back.linked_only, !linked.empty() && linked.size() < joints.size());
    TrackFrame want = frame;
    for (auto* const pose : {&want.pose, &want.ahead}) {
      for (std::size_t k = 0; k < pose->size(); ++k) {
        if (is_linked[k] || linked.empty()) continue;
        (*pose)[k] = joints[k].rest;
        ++left_out;
      }
    }
    EXPECT_EQ(dump(back), dump(want));
  }
  EXPECT_GT(left_out, 2000U);
}

TEST(PoseCodec, JointsOutOfOrderAreNotKnown) {
  const TrackFrame frame{3, 1.0, at_rest(two_roots()), {}, false, true};
  for (const std::vector<std::uint32_t>& linked :
       {std::vector<std::uint32_t>{1, 0}, {0, 0}, {0, 4}, {4'000'000'000}}) {
    const wire::PoseCodec codec(two_roots(), linked);
    v1::Frame message;
    codec.to_wire(frame, message);
    EXPECT_EQ(message.pose().rotations_size(), 16);
  }
  const wire::PoseCodec codec(two_roots(), std::vector<std::uint32_t>{0, 1});
  v1::Frame message;
  codec.to_wire(frame, message);
  EXPECT_EQ(message.pose().rotations_size(), 8);
  EXPECT_EQ(message.pose().translations_size(), 3);
  message.mutable_pose()->add_rotations(1.0);
  TrackFrame back;
  expect_refused(codec.from_wire(message, back),
                 "9 numbers for rotations; the skeleton's 4 joints need 16, the 2 that links hang "
                 "on alone 8",
                 "9");
}

TEST(PoseCodec, RefusesAPoseAheadThatFitsNone) {
  const wire::PoseCodec codec(two_roots());
  v1::Frame message;
  codec.to_wire({3, 1.0, at_rest(two_roots()), at_rest(two_roots())}, message);
  message.mutable_ahead()->add_rotations(1.0);
  TrackFrame frame;
  expect_refused(codec.from_wire(message, frame), "frame 3: ahead: 17 numbers for rotations", "17");
}

TEST(PoseCodec, RefusesIdsAndTimesThatAreNone) {
  const wire::PoseCodec codec(two_roots());
  v1::Frame message;
  codec.to_wire({(std::uint64_t{1} << 53U) - 1, 1e300, at_rest(two_roots())}, message);
  TrackFrame frame;
  EXPECT_TRUE(codec.from_wire(message, frame).ok());
  message.set_id(std::uint64_t{1} << 53U);
  expect_refused(codec.from_wire(message, frame), "frame 9007199254740992: ids lie below 2^53",
                 "2^53");
  message.set_id(std::numeric_limits<std::uint64_t>::max());
  expect_refused(codec.from_wire(message, frame), "ids lie below 2^53", "2^64 - 1");
  EXPECT_EQ(frame.id, (std::uint64_t{1} << 53U) - 1);
  // The session decides about the values of a frame.
  message.set_id(4);
  message.set_capture_time(kNan);
  EXPECT_TRUE(codec.from_wire(message, frame).ok());
  EXPECT_TRUE(std::isnan(frame.capture_time));
}

}  // namespace
}  // namespace tocsin::test::pose_codec_test
