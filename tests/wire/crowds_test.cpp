// Reports of many sessions in one message: a free step's row stands for all that its report says.
#include "wire/crowds.h"

#include <gtest/gtest.h>

#include <functional>
#include <vector>

#include "wire/dump.h"
#include "wire/random_values.h"
#include "wire/through_wire.h"

namespace tocsin::test::crowds_test {
namespace {

using Take = std::function<void(TrackReport& to, const TrackReport& from)>;

/// What a step may have to say. With it, its report is no row.
const std::vector<Take>& sayings() {
  static const std::vector<Take> all{
      [](TrackReport& to, const TrackReport& from) { to.from = from.from; },
      [](TrackReport& to, const TrackReport& from) { to.skipped = from.skipped; },
      [](TrackReport& to, const TrackReport& from) { to.bad = from.bad; },
      [](TrackReport& to, const TrackReport& from) { to.bad_frames = from.bad_frames; },
      [](TrackReport& to, const TrackReport& from) { to.first_bad_frame = from.first_bad_frame; },
      [](TrackReport& to, const TrackReport& from) { to.fallback = from.fallback; },
      [](TrackReport& to, const TrackReport& from) {
        to.result.contacts = from.result.contacts;
        to.names = from.names;
      },
      [](TrackReport& to, const TrackReport& from) {
        to.result.safe_until = from.result.safe_until;
      },
      [](TrackReport& to, const TrackReport& from) {
        to.result.clearances = from.result.clearances;
      },
      [](TrackReport& to, const TrackReport& from) { to.stop_pose = from.stop_pose; },
      [](TrackReport& to, const TrackReport& from) {
        to.distances = from.distances;
        to.distance_objects = from.distance_objects;
      },
      [](TrackReport& to, const TrackReport& from) { to.more_distances = from.more_distances; },
      [](TrackReport& to, const TrackReport& from) { to.ahead = from.ahead; },
      [](TrackReport& to, const TrackReport& from) { to.held = from.held; },
      [](TrackReport& to, const TrackReport& from) { to.stale_frames = from.stale_frames; },
      [](TrackReport& to, const TrackReport& from) { to.duplicate_frames = from.duplicate_frames; },
      [](TrackReport& to, const TrackReport& from) { to.timing.parts = from.timing.parts; },
      [](TrackReport& to, const TrackReport& from) { to.tick = from.tick; },
      [](TrackReport& to, const TrackReport&) {
        to.room = RoomVersions{3, 4, true};
      },
      [](TrackReport& to, const TrackReport&) { to.unrecorded = true; },
      [](TrackReport& to, const TrackReport&) { to.record_ended = "the disk is full"; }};
  return all;
}

/// The step after the last one, of which there is nothing to say but when.
TrackReport free_after(const wire::SlotTold& told, RandomValues& random) {
  TrackReport out;
  out.from = told.to;
  out.to = {random.whole(1000), static_cast<double>(random.whole(1000))};
  out.result.step = static_cast<std::int64_t>(random.whole(1000));
  out.result.frames = {out.result.step, out.result.step + 1};
  out.result.safe_until = 1.0;
  out.safe_until_time = out.to.capture_time;
  out.stale_frames = told.stale;
  out.duplicate_frames = told.duplicate;
  out.bad_frames = told.bad;
  out.timing = {0.5, 2.0, 8.0, 1, 1};  // floats
  return out;
}

TEST(CrowdReports, ARowIsWhatItsReportSays) {
  RandomValues random(7);
  const Skeleton skeleton = random.skeleton(4);
  const wire::PoseCodec codec(skeleton);
  wire::SlotTold server;
  wire::SlotTold client;
  std::size_t rows = 0;
  constexpr int kReports = 2000;
  for (int i = 0; i < kReports; ++i) {
    TrackReport report = free_after(server, random);
    if (random.coin()) {
      // One at a time: nothing else may be what makes it say more.
      const auto which = random.whole(sayings().size());
      sayings()[which](report, random.report(skeleton));
    }
    v1::TrackManyResponse message;
    wire::add_report(3, report, codec, server, message);
    const bool is_row = message.reports_size() == 0;
    ASSERT_EQ(message.free().slots_size(), is_row ? 1 : 0);
    ASSERT_TRUE(wire::is_even(message.free()));
    const auto back = is_row ? wire::free_report(message.free(), 0, client)
                             : wire::from_wire(sent(message.reports(0).report()), codec);
    ASSERT_TRUE(back.ok()) << back.error().message;
    if (!is_row) client.tell(back.value());
    EXPECT_EQ(dump(back.value()), dump(report));
    rows += is_row ? 1U : 0U;
  }
  EXPECT_GT(rows, kReports / 5);
  EXPECT_LT(rows, kReports * 4 / 5);
}

}  // namespace
}  // namespace tocsin::test::crowds_test
