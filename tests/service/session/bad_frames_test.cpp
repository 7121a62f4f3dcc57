// Frames whose values cannot be used: counted, named by the step across them, refused where nothing
// may be skipped, and the end of a stream that has nothing else.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "service/session/frame_queue.h"
#include "service/session/session_fixture.h"

namespace tocsin::service::bad_frames_test {
namespace {

using test::frame_of;
using test::RandomTake;
using test::SessionRig;

PendingFrame good_frame(std::uint64_t id) { return {{id, 0.0, {}}, {}, {}}; }

Problem bad_frame(std::uint64_t id) {
  return {Refusal::kBadFrame, "frame " + std::to_string(id) + ": why"};
}

TEST(FrameQueueBad, NamesBadFramesInTheStepAcrossThem) {
  FrameQueue queue(8, true, true);
  EXPECT_FALSE(queue.pass_over(3, bad_frame(3)));  // before the first: in no step
  EXPECT_EQ(queue.offer(good_frame(4)), Offer::kTaken);
  for (const std::uint64_t id : {9U, 6U, 5U, 7U, 8U, 12U, 12U}) {
    EXPECT_FALSE(queue.pass_over(id, bad_frame(id)));
  }
  EXPECT_EQ(queue.offer(good_frame(8)), Offer::kTaken);  // again, and good
  EXPECT_EQ(queue.offer(good_frame(13)), Offer::kTaken);
  EXPECT_TRUE(queue.take()->bad.empty());
  EXPECT_EQ(queue.take()->bad, (std::vector<IdRange>{{5, 7}}));
  EXPECT_FALSE(queue.pass_over(8, bad_frame(8)));  // late
  EXPECT_EQ(queue.take()->bad, (std::vector<IdRange>{{9, 9}, {12, 12}}));
  EXPECT_EQ(queue.counts().bad, 9U);
  EXPECT_EQ(queue.first_bad(), "frame 3: why");
}

TEST(FrameQueueBad, RefusesFramesThatAreBadManyTimesInARow) {
  constexpr std::uint64_t kMost = FrameQueue::kMostBadInARow;
  FrameQueue queue(8, true, true);
  std::uint64_t id = 0;
  for (int row = 0; row < 2; ++row) {
    for (std::uint64_t i = 1; i < kMost; ++i, ++id) {
      ASSERT_FALSE(queue.pass_over(id, bad_frame(id)));
    }
    const auto refused = queue.pass_over(id, bad_frame(id));
    ASSERT_TRUE(refused);
    EXPECT_EQ(refused->refusal, Refusal::kInvalid);
    EXPECT_EQ(refused->message, "300 frames in a row cannot be used. The first: frame " +
                                    std::to_string(id - kMost + 1) + ": why");
    EXPECT_TRUE(queue.pass_over(id, bad_frame(id))) << "until one is good";
    EXPECT_EQ(queue.offer(good_frame(id++)), Offer::kTaken);
  }
  EXPECT_EQ(queue.counts().bad, 2 * (kMost - 1));
}

TEST(FrameQueueBad, WhoMayNotSkipRefusesABadFrame) {
  FrameQueue queue(8, false, true);
  EXPECT_EQ(queue.offer(good_frame(1)), Offer::kTaken);
  const auto refused = queue.pass_over(2, bad_frame(2));
  ASSERT_TRUE(refused);
  EXPECT_EQ(refused->refusal, Refusal::kInvalid);
  EXPECT_EQ(refused->message, "frame 2: why");
  EXPECT_EQ(queue.counts().bad, 0U);
}

TEST(FrameQueueBad, JoinsTheNearestBadRangesWhenThereAreTooMany) {
  FrameQueue queue(4, true, true);
  EXPECT_EQ(queue.offer(good_frame(0)), Offer::kTaken);
  ASSERT_TRUE(queue.take());
  std::uint64_t id = 1;
  for (std::size_t i = 0; i < 2 * FrameQueue::kMostRanges; ++i, id += 3) {
    ASSERT_FALSE(queue.pass_over(id, bad_frame(id)));
    ASSERT_EQ(queue.offer(good_frame(id + 1)), Offer::kTaken);
  }
  const auto next = queue.take_newest();
  ASSERT_TRUE(next);
  EXPECT_EQ(next->bad.size(), FrameQueue::kMostRanges);
  EXPECT_EQ(next->bad.front().first, 1U);
  EXPECT_EQ(next->bad.back().last, id - 3);
  std::uint64_t named = 0;
  for (std::uint64_t one = 1; one < id; one += 3) {
    named += std::any_of(next->bad.begin(), next->bad.end(),
                         [one](const IdRange& r) { return r.first <= one && one <= r.last; })
                 ? 1
                 : 0;
  }
  EXPECT_EQ(named, 2 * FrameQueue::kMostRanges);
}

class BadFrames : public test::SessionTest {};

struct BadFrame {
  const char* what;
  void (*spoil)(TrackFrame& frame);
  const char* message;
};

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

/// Frames that a session passes over if it may.
const std::vector<BadFrame>& bad_frames() {
  static const std::vector<BadFrame> kTable{
      {"NaN", [](TrackFrame& f) { f.pose[2].rotation.x = kNan; }, "joint \"joint2\""},
      {"NaN place", [](TrackFrame& f) { f.pose[0].translation.y = kNan; }, "joint \"joint0\""},
      {"not unit",
       [](TrackFrame& f) {
         f.pose[1].rotation = {1, 1, 0, 0};
       },
       "has length"},
      {"far away", [](TrackFrame& f) { f.pose[0].translation.x = 1e7; }, "beyond"},
      {"time is NaN", [](TrackFrame& f) { f.capture_time = kNan; }, "capture time"},
      {"time is huge", [](TrackFrame& f) { f.capture_time = 1e300; }, "capture time"}};
  return kTable;
}

/// The report that a check of frames `from` and `to` alone has, as the session's step `step`.
StepReport across(const RandomTake& take, const Room& room, std::int64_t from, std::int64_t to,
                  std::int64_t step) {
  std::vector<Transform> poses;
  for (const std::int64_t k : {from, to}) {
    const auto pose = take.motion.pose(k);
    poses.insert(poses.end(), pose.begin(), pose.end());
  }
  std::vector<double> times{take.motion.seconds(from), take.motion.seconds(to)};
  const auto motion = Motion::create_timed(take.motion.skeleton(), 1.0, times, poses);
  const Detector detector = Detector::make(room.environment).value();
  StepReport out = detector.check(take.avatar, motion->steps().value()[0]);
  out.step = step;
  out.frames = {step, step + 1};
  return out;
}

// The step goes from the good frame before to the good frame after, and says what it goes across:
// what it claims is about that motion, and not about what the bad frame might have been.
TEST_F(BadFrames, BadFramesArePassedOverAndNamed) {
  for (const BadFrame& bad : bad_frames()) {
    SCOPED_TRACE(bad.what);
    SessionRig rig(room_);
    ASSERT_TRUE(rig.open(options_));
    for (std::int64_t k = 0; k < 10; ++k) {
      TrackFrame frame = frame_of(take_.motion, k);
      if (k == 3 || k == 4 || k == 7) bad.spoil(frame);
      const auto refused = rig.offer(std::move(frame));
      ASSERT_FALSE(refused) << refused->message;
      rig.scheduler->run_all();
    }
    const std::vector<TrackReport> reports = rig.pull();
    const std::vector<std::int64_t> covered{0, 1, 2, 5, 6, 8, 9};
    ASSERT_EQ(reports.size(), covered.size() - 1);
    for (std::size_t i = 0; i < reports.size(); ++i) {
      const TrackReport& report = reports[i];
      const std::int64_t from = covered[i];
      const std::int64_t to = covered[i + 1];
      EXPECT_EQ(report.from.id, static_cast<std::uint64_t>(from));
      EXPECT_EQ(report.to.id, static_cast<std::uint64_t>(to));
      const StepReport want = across(take_, *room_, from, to, static_cast<std::int64_t>(i));
      EXPECT_EQ(report.result.contacts, want.contacts);
      EXPECT_EQ(report.result.safe_until, want.safe_until);
      EXPECT_TRUE(report.skipped.empty());
      const std::vector<IdRange> between{{report.from.id + 1, report.to.id - 1}};
      EXPECT_EQ(report.bad, to - from > 1 ? between : std::vector<IdRange>{});
      EXPECT_EQ(report.bad_frames, i < 2 ? 0U : i < 4 ? 2U : 3U);
      EXPECT_EQ(report.first_bad_frame.empty(), i != 2) << report.first_bad_frame;
    }
    EXPECT_EQ(reports[2].first_bad_frame.rfind("frame 3", 0), 0U) << reports[2].first_bad_frame;
    EXPECT_NE(reports[2].first_bad_frame.find(bad.message), std::string::npos)
        << reports[2].first_bad_frame;
    rig.session->finish(rig.outlet.get());
    rig.scheduler->run_all();
    const auto ended = rig.ended();
    ASSERT_TRUE(ended);
    EXPECT_EQ(ended->bad_frames, 3U);
    EXPECT_EQ(ended->first_bad_frame, reports[2].first_bad_frame);
    EXPECT_EQ(ended->skipped_frames + ended->stale_frames + ended->duplicate_frames, 0U);
  }
}

TEST_F(BadFrames, NothingButBadFramesEndsTheStream) {
  ASSERT_TRUE(open());
  TrackFrame bad = frame_of(take_.motion, 0);
  bad.pose[2].rotation.w = kNan;
  for (bad.id = 5; bad.id < 5 + FrameQueue::kMostBadInARow - 1; ++bad.id) {
    ASSERT_FALSE(rig_.offer(bad));
  }
  const auto refused = rig_.offer(bad);
  ASSERT_TRUE(refused);
  EXPECT_EQ(refused->refusal, Refusal::kInvalid);
  EXPECT_EQ(refused->message,
            "300 frames in a row cannot be used. The first: frame 5: joint \"joint2\": the "
            "rotation is not finite");
  rig_.scheduler->run_all();
  EXPECT_TRUE(rig_.pull().empty());
}

TEST_F(BadFrames, UnusableFramesLeaveItUsable) {
  std::vector<BadFrame> table = bad_frames();
  const std::size_t only_without_skipping = table.size();
  const std::vector<BadFrame> always{
      {"too few", [](TrackFrame& f) { f.pose.pop_back(); }, "5 joints, the skeleton 6"},
      {"none", [](TrackFrame& f) { f.pose.clear(); }, "0 joints, the skeleton 6"},
      {"backwards", [](TrackFrame& f) { f.capture_time = -1.0; }, "is not after frame 1"},
      {"id", [](TrackFrame& f) { f.id = std::uint64_t{1} << 53U; }, "below 2^53"}};
  table.insert(table.end(), always.begin(), always.end());
  for (const bool may_skip : {false, true}) {
    SessionRig rig(room_);
    TrackOptions options = options_;
    options.coalesce = may_skip;
    ASSERT_TRUE(rig.open(options));
    for (std::int64_t k = 0; k < 2; ++k) EXPECT_FALSE(rig.offer(frame_of(take_.motion, k)));
    for (std::size_t i = may_skip ? only_without_skipping : 0; i < table.size(); ++i) {
      const BadFrame& bad = table[i];
      TrackFrame frame = frame_of(take_.motion, 2);
      bad.spoil(frame);
      const std::string id = "frame " + std::to_string(frame.id);
      const auto refused = rig.offer(std::move(frame));
      ASSERT_TRUE(refused) << bad.what;
      EXPECT_EQ(refused->refusal, Refusal::kInvalid) << bad.what;
      EXPECT_NE(refused->message.find(bad.message), std::string::npos) << refused->message;
      EXPECT_NE(refused->message.find(id), std::string::npos) << refused->message;
    }
    for (std::int64_t k = 2; k < 10; ++k) EXPECT_FALSE(rig.offer(frame_of(take_.motion, k)));
    rig.scheduler->run_all();
    expect_same(rig.pull(), wanted(9));
    const FrameCounts counts = rig.session->counts().frames;
    EXPECT_EQ(counts.skipped + counts.stale + counts.duplicate + counts.bad, 0U);
  }
}

}  // namespace
}  // namespace tocsin::service::bad_frames_test
