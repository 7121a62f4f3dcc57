// What watchers are told goes over the wire whole; what no server sends is refused.
#include "wire/watching.h"

#include <gtest/gtest.h>

#include <limits>
#include <string>

#include "wire/parts.h"

namespace tocsin::test::watching_test {
namespace {

WatchedSession example() {
  const auto skeleton =
      Skeleton::create({{"hips", -1, {{}, {0, 1, 0}}}, {"hand", 0, {{}, {0.5, 0, 0}}}}).value();
  WatchedSession out;
  out.session = "0123456789ab";
  out.principal = "ann";
  out.label = "x";
  out.environment.name = "bob/house";
  out.environment.version = 7;
  Link palm = link_of_shape("palm", 1, Shape::box({0.1, 0.1, 0.1}, 0.01).value());
  out.avatar =
      Avatar::create("two", skeleton, {{"body", 0, {0, 0, 0}, {0, 1, 0}, 0.25, {}}, palm}).value();
  out.in_between = InBetween::kTranslateRotate;
  out.contacts = Contacts::kFirst;
  out.margin = 0.125;
  out.self = true;
  out.meeting = MeetingInfo{90.0, 3};
  out.frame_seconds = 0.01;
  out.attached = true;
  out.radius_factor = 1.5;
  return out;
}

TEST(Watching, ASessionComesBackAsItWas) {
  const WatchedSession session = example();
  v1::WatchedSession message;
  wire::to_wire(session, message);
  const auto read = wire::from_wire(message);
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(read->session, session.session);
  EXPECT_EQ(read->principal, "ann");
  EXPECT_EQ(read->label, "x");
  EXPECT_EQ(read->environment.name, "bob/house");
  EXPECT_EQ(read->environment.version, 7U);
  EXPECT_EQ(read->in_between, session.in_between);
  EXPECT_EQ(read->contacts, session.contacts);
  EXPECT_EQ(read->margin, 0.125);
  EXPECT_EQ(read->radius_factor, 1.5);
  EXPECT_TRUE(read->self);
  EXPECT_TRUE(read->attached);
  EXPECT_EQ(read->meeting->member, 3U);
  EXPECT_EQ(read->meeting->rate, 90.0);
  EXPECT_EQ(read->frame_seconds, 0.01);
  EXPECT_FALSE(read->shapes_left_out);
  ASSERT_EQ(read->avatar.links().size(), 2U);
  EXPECT_EQ(read->avatar.name(), "two");
  EXPECT_EQ(read->avatar.links()[0].b, (Vec3{0, 1, 0}));
  EXPECT_EQ(read->avatar.links()[0].radius, 0.25);
  EXPECT_EQ(read->avatar.links()[1].joint, 1);
  EXPECT_EQ(read->avatar.links()[1].shape.features().size(), 12U);
  EXPECT_EQ(read->avatar.links()[1].shape.radius(), 0.01);
  EXPECT_EQ(read->avatar.links()[1].radius, session.avatar.links()[1].radius);
}

TEST(Watching, WhatNoServerSendsIsRefused) {
  v1::WatchedSession good;
  wire::to_wire(example(), good);
  const auto refusal = [](const v1::WatchedSession& message) {
    const auto read = wire::from_wire(message);
    EXPECT_FALSE(read);
    return read ? std::string() : read.error().message;
  };
  v1::WatchedSession bad = good;
  bad.mutable_links(1)->set_joint(2);
  EXPECT_EQ(refusal(bad), "session 0123456789ab: link 1: there is no joint 2");
  bad = good;
  bad.mutable_links(0)->set_radius(std::numeric_limits<double>::quiet_NaN());
  EXPECT_NE(refusal(bad).find("body"), std::string::npos);
  bad = good;
  bad.mutable_skeleton()->mutable_joints(1)->set_parent(5);
  EXPECT_NE(refusal(bad).find("skeleton"), std::string::npos);
  bad = good;
  bad.set_margin(std::numeric_limits<double>::infinity());
  EXPECT_NE(refusal(bad).find("not finite"), std::string::npos);

  const wire::PoseCodec codec(example().avatar.skeleton());
  v1::WatchedStep step;
  step.set_session("s");
  EXPECT_FALSE(wire::from_wire(step, codec)) << "no report";
  step.mutable_report()->mutable_from()->set_id(1);
  step.mutable_report()->mutable_to()->set_id(2);
  EXPECT_TRUE(wire::from_wire(step, codec));
  step.mutable_to_pose()->add_rotations(1.0);
  const auto read = wire::from_wire(step, codec);
  ASSERT_FALSE(read);
  EXPECT_NE(read.error().message.find("1 numbers for rotations"), std::string::npos)
      << read.error().message;
}

TEST(Watching, ObjectsComeBackAndOthersAreRefused) {
  const auto room =
      Environment::create({{"a", {{9, 9, 9}, {0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{3, 1, 2}}},
                           {"none", {}, {}},
                           {"b", {{0, 0, 1}, {1, 0, 1}, {0, 1, 1}}, {{0, 1, 2}, {2, 1, 0}}}})
          .value();
  wire::ObjectPacker packer(room);
  const auto heads = wire::heads_of(packer, {});
  ASSERT_EQ(heads.size(), 3U);
  EXPECT_EQ(heads[0].bytes, 8U + 3 * 12 + 12) << "the corner that no triangle uses is left out";
  EXPECT_EQ(heads[1].bytes, 8U);
  const std::string bytes = packer.pack(0);
  EXPECT_EQ(wire::hash_of(bytes), heads[0].sha256);
  const auto back = wire::unpack_object("a", bytes);
  ASSERT_TRUE(back);
  EXPECT_EQ(back->vertices, (std::vector<Vec3f>{{0, 1, 0}, {0, 0, 0}, {1, 0, 0}}));
  EXPECT_EQ(back->triangles, (std::vector<TriangleIndices>{{0, 1, 2}}));
  EXPECT_EQ(packer.pack(0), bytes) << "again";
  EXPECT_FALSE(wire::unpack_object("a", bytes.substr(1)));
  EXPECT_FALSE(wire::unpack_object("a", "short"));
  EXPECT_FALSE(wire::hash_from("short"));
  EXPECT_EQ(*wire::hash_from(wire::text_of(heads[0].sha256)), heads[0].sha256);
  // Of RFC 6234: abc.
  EXPECT_EQ(wire::hash_of("abc")[0], 0xbaU);
  EXPECT_EQ(wire::hash_of("abc")[31], 0xadU);
}

}  // namespace
}  // namespace tocsin::test::watching_test
