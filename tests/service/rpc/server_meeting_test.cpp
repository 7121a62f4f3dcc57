// Sessions that meet, over a real port.
#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

#include "service/rpc/live_server.h"

namespace tocsin::server_meeting_test {
namespace {

using test::LiveServer;
using test::Stream;
using test::Walk;

v1::TrackRequest opening(const Walk& walk, const std::string& label) {
  v1::TrackRequest out = walk.open();
  out.mutable_open()->set_meet(true);
  out.mutable_open()->set_label(label);
  return out;
}

/// The first contact with somebody else that comes; the reports must join.
v1::Contact first_met(Stream& stream) {
  std::uint64_t tick = 0;
  for (int i = 0; i < 2000; ++i) {
    for (const v1::StepReport& report : stream.reports(1)) {
      EXPECT_TRUE(report.has_tick());
      EXPECT_TRUE(tick == 0 || report.tick().from() == tick);
      tick = report.tick().to();
      for (const v1::Contact& contact : report.contacts()) {
        if (contact.has_other()) return contact;
      }
    }
  }
  ADD_FAILURE() << "they never met";
  return {};
}

TEST(ServerMeeting, EachIsToldOfTheOther) {
  LiveServer live;
  const Walk walk;
  const auto stub = live.stub();
  Stream ann(*stub);
  Stream bob(*stub);
  const v1::Opened of_ann = ann.open(opening(walk, "Ann"));
  const v1::Opened of_bob = bob.open(opening(walk, "Bob"));
  EXPECT_EQ(of_ann.meeting().rate(), 120.0);
  EXPECT_NE(of_ann.meeting().member(), of_bob.meeting().member());
  // Both stand in one place.
  ASSERT_TRUE(ann.write(walk.frames(0, 0)));
  ASSERT_TRUE(bob.write(walk.frames(0, 0)));
  const v1::Contact met_by_ann = first_met(ann);
  const v1::Contact met_by_bob = first_met(bob);
  EXPECT_EQ(met_by_ann.other().member(), of_bob.meeting().member());
  EXPECT_EQ(met_by_ann.other().label(), "Bob");
  EXPECT_EQ(met_by_ann.other().link_name(),
            of_bob.links(static_cast<int>(met_by_ann.other().link())));
  EXPECT_EQ(met_by_ann.object_name(), "");
  EXPECT_EQ(met_by_bob.other().member(), of_ann.meeting().member());
  EXPECT_EQ(met_by_bob.other().label(), "Ann");
  EXPECT_EQ(met_by_ann.DebugString().find(of_bob.session_id()), std::string::npos);
}

TEST(ServerMeeting, WhatIsRefusedAtTheDoor) {
  struct Case {
    const char* what;
    grpc::StatusCode code;
    const char* phrase;
    std::function<void(v1::Open&)> spoil;
  };
  const std::vector<Case> cases{
      {"no skipping", grpc::StatusCode::INVALID_ARGUMENT, "`meet` needs `coalesce`",
       [](v1::Open& open) { open.set_coalesce(false); }},
      {"clearances", grpc::StatusCode::INVALID_ARGUMENT, "`meet` and `clearance`",
       [](v1::Open& open) { open.set_clearance(true); }},
      {"a wide margin", grpc::StatusCode::INVALID_ARGUMENT, "margin is 1000",
       [](v1::Open& open) { open.set_margin(1000.0); }},
      {"a crowd of links", grpc::StatusCode::RESOURCE_EXHAUSTED, "with `meet` the limit is 64",
       [](v1::Open& open) {
         for (int i = 0; i < 65; ++i) {
           v1::Link& link = *open.mutable_inline_model()->add_links();
           link.set_name("link" + std::to_string(i));
           link.set_joint(open.skeleton().joints(0).name());
           link.mutable_b()->mutable_offset()->set_y(1.0);
           link.set_radius(3.0);
         }
         open.mutable_inline_model()->set_name("monster");
       }},
  };
  LiveServer live;
  const Walk walk;
  const auto stub = live.stub();
  for (const Case& c : cases) {
    v1::TrackRequest request = opening(walk, "");
    c.spoil(*request.mutable_open());
    const grpc::Status status = test::refusal(*stub, request);
    EXPECT_EQ(status.error_code(), c.code) << c.what;
    EXPECT_NE(status.error_message().find(c.phrase), std::string::npos)
        << c.what << ": " << status.error_message();
  }
  EXPECT_EQ(live.engine().counts().meeting_members, 0U);
}

}  // namespace
}  // namespace tocsin::server_meeting_test
