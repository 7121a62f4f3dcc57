// Sessions that meet in a room that changes: at a tick they go to one version of it.
#include <gtest/gtest.h>

#include "service/meeting/meeting_rig.h"
#include "service/session/changing_room.h"

namespace tocsin::changing_meeting_test {
namespace {

using test::ChangingRoom;
using test::MeetingRig;

TEST(ChangingMeeting, AllParticipantsOfATickSeeOneVersion) {
  ChangingRoom room(5);
  MeetingRig rig(room.room());
  TrackOptions options = test::pillar_options();
  options.meet = true;
  for (int i = 0; i < 3; ++i) {
    options.avatar.place.translation = {0.4 * i - 0.4, -0.9, 0.1};
    ASSERT_NE(rig.open(options), nullptr) << rig.problem.message;
  }
  std::vector<std::uint64_t> seen(3, 0);
  std::size_t motions = 0;
  std::size_t contacts = 0;
  for (std::uint64_t tick = 0; tick < 60; ++tick) {
    for (auto& visitor : rig.visitors) {
      if (tick > 0) continue;
      ASSERT_FALSE(visitor.offer({0, 0.0, {Transform{}}}));
    }
    const std::uint64_t version = room.changes();
    rig.meeting->tick(++rig.now);
    if (tick % 2 == 0) {  // before a worker comes to it
      ASSERT_NO_FATAL_FAILURE(room.change());
    }
    rig.scheduler->run_all();
    for (std::size_t i = 0; i < seen.size(); ++i) {
      for (const TrackReport& report : rig.visitors[i].pull()) {
        const RoomVersions saw = report.room.value();
        EXPECT_EQ(saw.from, seen[i]);
        EXPECT_EQ(saw.to, version) << "tick " << tick;
        seen[i] = saw.to;
        motions += saw.moves ? 1 : 0;
        for (const Contact& contact : report.result.contacts) {
          contacts += contact.room() != nullptr ? 1 : 0;
        }
      }
    }
  }
  EXPECT_GT(seen[0], 20U);
  EXPECT_GT(motions, 20U);
  EXPECT_GT(contacts, 20U);
}

}  // namespace
}  // namespace tocsin::changing_meeting_test
