// How a session ends: by its client, by time, by the server, by a full disk; and its record.
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "service/session/session_fixture.h"

namespace tocsin::service::session_end_test {
namespace {

using test::Clock;
using test::frame_of;
using test::SessionRig;
using test::SessionTest;

TEST_F(SessionTest, EndsOnceAfterEverything) {
  ASSERT_TRUE(open());
  offer(0, 9);
  EXPECT_FALSE(rig_.offer(frame_of(take_.motion, 5)));  // twice
  EXPECT_FALSE(rig_.ended());
  rig_.session->finish(rig_.outlet.get());
  const auto refused = rig_.offer(frame_of(take_.motion, 10));
  ASSERT_TRUE(refused);
  EXPECT_EQ(refused->refusal, Refusal::kInvalid);
  EXPECT_FALSE(rig_.ended());
  rig_.scheduler->run_all();
  EXPECT_FALSE(rig_.ended()) << "not everything was pulled";
  const int before = rig_.outlet->ready_calls();
  EXPECT_GT(before, 0);
  std::size_t contacts = 0;
  const auto reports = rig_.pull();
  for (const TrackReport& report : reports) contacts += report.result.contacts.size();
  EXPECT_EQ(rig_.principal->used->sessions, 1U);
  EXPECT_EQ(room_->sessions, 1U);
  const auto ended = rig_.ended();
  ASSERT_TRUE(ended);
  EXPECT_EQ(ended->steps, 9U);
  EXPECT_EQ(ended->contacts, contacts);
  EXPECT_EQ(ended->duplicate_frames, 1U);
  EXPECT_EQ(ended->record, "");
  EXPECT_FALSE(rig_.ended()) << "it ends once";
  EXPECT_EQ(rig_.scheduler->ended().size(), 1U);
  EXPECT_EQ(rig_.principal->used->sessions, 0U);
  EXPECT_EQ(room_->sessions, 0U);
  EXPECT_EQ(*rig_.slots, 0U);
  EXPECT_EQ(rig_.session->counts().state, SessionState::kOver);
  const auto gone = rig_.attach(9);
  ASSERT_TRUE(gone);
  EXPECT_EQ(gone->refusal, Refusal::kNotFound);
}

// The time of every turn is over at once: a unit of work in each.
TEST_F(SessionTest, ClosedInTheMidstOfAStepItsFrameIsUnchecked) {
  rig_.limits.step_seconds = 0.0;
  ASSERT_TRUE(open());
  offer(0, 1);
  rig_.scheduler->run_all();
  ASSERT_EQ(rig_.pull().size(), 1U);
  offer(2, 4);
  ASSERT_TRUE(rig_.scheduler->run_one());
  const auto partial = rig_.session->pull_partial(rig_.outlet.get());
  ASSERT_TRUE(partial) << "the step is done at once: this tests nothing";
  EXPECT_EQ(partial->to.id, 2U);
  EXPECT_EQ(rig_.session->counts().pending_frames, 2U);
  rig_.session->close();
  rig_.scheduler->run_all();
  const TrackCovered covered = rig_.session->coverage();
  EXPECT_EQ(covered.steps, 1U);
  ASSERT_TRUE(covered.to);
  EXPECT_EQ(covered.to->id, 1U);
  EXPECT_EQ(covered.unchecked_frames, 3U);
}

TEST_F(SessionTest, ItsEndWaitsForAStepInParts) {
  rig_.limits.step_seconds = 0.0;
  ASSERT_TRUE(open());
  offer(0, 1);
  rig_.session->finish(rig_.outlet.get());
  int runs = 0;
  while (rig_.scheduler->run_one()) ++runs;
  EXPECT_GT(runs, 5);
  expect_same(rig_.pull(), wanted(1));
  const auto ended = rig_.ended();
  ASSERT_TRUE(ended);
  EXPECT_EQ(ended->steps, 1U);
  EXPECT_EQ(ended->parted_steps, 1U);
}

TEST_F(SessionTest, TheEndIsAnnounced) {
  ASSERT_TRUE(open());
  rig_.session->finish(rig_.outlet.get());
  rig_.scheduler->run_all();
  EXPECT_EQ(rig_.outlet->ready_calls(), 1);
  const auto ended = rig_.ended();
  ASSERT_TRUE(ended);
  EXPECT_EQ(ended->steps, 0U);
}

TEST_F(SessionTest, AFinishedSessionCanStillBeResumed) {
  ASSERT_TRUE(open());
  offer(0, 9);
  rig_.session->finish(rig_.outlet.get());
  rig_.scheduler->run_all();
  rig_.session->detach(rig_.outlet.get());
  ASSERT_FALSE(rig_.attach(4));
  EXPECT_TRUE(rig_.offer(frame_of(take_.motion, 10)));
  EXPECT_EQ(rig_.pull().size(), 5U);
  EXPECT_TRUE(rig_.ended());
}

TEST_F(SessionTest, ExpiresWithoutAStream) {
  rig_.limits.ttl = 10.0;
  ASSERT_TRUE(open());
  EXPECT_EQ(rig_.opened.session_ttl, 10.0);
  const auto later = [](int seconds) { return Clock::now() + std::chrono::seconds(seconds); };
  EXPECT_FALSE(rig_.session->expire(later(1000)));
  offer(0, 3);
  rig_.session->detach(rig_.outlet.get());
  EXPECT_FALSE(rig_.session->expire(later(11))) << "a step is due";
  rig_.scheduler->run_all();
  EXPECT_FALSE(rig_.session->expire(later(9)));
  EXPECT_FALSE(rig_.attach(0));
  EXPECT_FALSE(rig_.session->expire(later(1000)));
  rig_.session->detach(rig_.outlet.get());
  EXPECT_TRUE(rig_.session->expire(later(11)));
  EXPECT_EQ(rig_.principal->used->sessions, 0U);
  EXPECT_EQ(rig_.attach(0)->refusal, Refusal::kNotFound);
}

TEST_F(SessionTest, AStreamThatIsGoneCannotFinish) {
  ASSERT_TRUE(open());
  offer(0, 3);
  rig_.scheduler->run_all();
  const auto gone = rig_.outlet;
  rig_.session->detach(gone.get());
  rig_.session->finish(gone.get());
  ASSERT_FALSE(rig_.attach(2));
  rig_.session->finish(gone.get());
  EXPECT_FALSE(rig_.offer(test::frame_of(take_.motion, 4))) << "frames are still taken";
}

TEST_F(SessionTest, CanBeAbandoned) {
  ASSERT_TRUE(open());
  offer(0, 3);
  rig_.session->detach(rig_.outlet.get(), Detach::kForGood);
  rig_.scheduler->run_all();
  EXPECT_EQ(rig_.scheduler->ended().size(), 1U);
  EXPECT_EQ(rig_.principal->used->sessions, 0U);
  EXPECT_EQ(rig_.attach(0)->refusal, Refusal::kNotFound);
}

TEST_F(SessionTest, ClosesAndStillGivesWhatItHas) {
  ASSERT_TRUE(open());
  offer(0, 9);
  for (int i = 0; i < 5; ++i) rig_.scheduler->run_one();
  rig_.session->close();
  ASSERT_TRUE(rig_.outlet->problem());
  EXPECT_EQ(rig_.outlet->problem()->refusal, Refusal::kClosing);
  rig_.scheduler->run_all();
  EXPECT_EQ(rig_.pull().size(), 4U);
  EXPECT_EQ(rig_.session->counts().steps, 4U);
  EXPECT_EQ(rig_.session->counts().pending_frames, 5U);
  EXPECT_EQ(rig_.principal->used->sessions, 0U);
}

TEST_F(SessionTest, DrainingLooksAtNoMoreFrames) {
  ASSERT_TRUE(open());
  offer(0, 4);
  rig_.session->drain();
  offer(5, 9);
  rig_.scheduler->run_all();
  EXPECT_EQ(rig_.session->counts().steps, 4U);
  EXPECT_TRUE(rig_.session->counts().working) << "its reports are not taken";
  EXPECT_EQ(rig_.pull().size(), 4U);
  EXPECT_FALSE(rig_.session->counts().working);
}

constexpr const char* kFullDisk = "cannot write /srv/records/take.poses: No space left on device";

/// A recorder that fails when it should.
class FakeRecorder : public Recorder {
 public:
  explicit FakeRecorder(std::vector<std::string>& log, int fails_at) : log_(log), left_(fails_at) {}
  using Recorder::pose;
  Status pose(const TrackFrame& frame, double tick,
              const service::PassedOver& /*passed*/) override {
    return note("pose " + std::to_string(frame.id) + " of " + std::to_string(frame.pose.size()) +
                (tick == frame.capture_time ? "" : " at another time"));
  }
  Status step(const Step& step, const StepReport& report) override {
    EXPECT_EQ(step.index(), report.step);
    return note("step " + std::to_string(step.index()));
  }
  Status finish() override { return note("finish"); }
  [[nodiscard]] std::string shown() const override { return "/srv/records/take.poses"; }

 private:
  Status note(std::string what) {
    log_.push_back(std::move(what));
    if (left_-- == 0) return {ErrorCode::kResource, kFullDisk};
    return Nothing{};
  }
  std::vector<std::string>& log_;
  int left_;
};

MakeRecorder recorder_into(std::vector<std::string>& log, int fails_at = -1) {
  return
      [&log, fails_at](const Avatar& avatar, const auto& /*ignore*/, const SceneState* /*first*/) {
        EXPECT_EQ(avatar.links().size(), 5U);
        return Result<std::unique_ptr<Recorder>>(std::make_unique<FakeRecorder>(log, fails_at));
      };
}

TEST_F(SessionTest, RecordsWhatItCovered) {
  std::vector<std::string> log;
  ASSERT_TRUE(rig_.open(options_, recorder_into(log)));
  offer(0, 2);
  rig_.session->finish(rig_.outlet.get());
  rig_.scheduler->run_all();
  const std::vector<std::string> want{"pose 0 of 6", "pose 1 of 6", "step 0",
                                      "pose 2 of 6", "step 1",      "finish"};
  EXPECT_EQ(log, want);
  rig_.pull();
  EXPECT_EQ(rig_.ended()->record, "take.poses");
}

TEST_F(SessionTest, FinishesItsRecordHoweverItEnds) {
  const auto finishes = [&](void (*end)(SessionRig & rig)) {
    std::vector<std::string> log;
    SessionRig rig(room_);
    rig.limits.ttl = 0.0;
    ASSERT_TRUE(rig.open(options_, recorder_into(log)));
    EXPECT_FALSE(rig.offer(frame_of(take_.motion, 0)));
    end(rig);
    rig.session->settle();
    EXPECT_EQ(std::count(log.begin(), log.end(), "finish"), 1);
  };
  finishes([](SessionRig& rig) { rig.session->close(); });
  finishes([](SessionRig& rig) { rig.session->close(), rig.scheduler->run_all(); });
  finishes([](SessionRig& rig) { rig.scheduler->run_all(), rig.session->close(); });
  finishes([](SessionRig& rig) {
    rig.session->detach(rig.outlet.get());
    rig.scheduler->run_all();
    EXPECT_TRUE(rig.session->expire(Clock::now()));
  });
}

TEST_F(SessionTest, ADiskThatIsFullEndsTheRecordAndNotTheSession) {
  for (int fails_at = 0; fails_at < 6; ++fails_at) {
    SCOPED_TRACE(fails_at);
    std::vector<std::string> log;
    SessionRig rig(room_);
    ASSERT_TRUE(rig.open(options_, recorder_into(log, fails_at)));
    for (std::int64_t k = 0; k < 3; ++k) rig.offer(frame_of(take_.motion, k));
    rig.session->finish(rig.outlet.get());
    rig.scheduler->run_all();
    EXPECT_FALSE(rig.outlet->problem());
    EXPECT_EQ(rig.log, std::vector<std::string>{std::string("a session's record: ") + kFullDisk});
    EXPECT_EQ(log.size(), static_cast<std::size_t>(fails_at) + 1) << "nothing more is written";
    const std::vector<TrackReport> reports = rig.pull();
    expect_same(reports, wanted(2));
    // Calls 0 to 5: pose, pose, step, pose, step, finish.
    const std::size_t first_lost = fails_at <= 2 ? 0 : fails_at <= 4 ? 1 : 2;
    for (std::size_t i = 0; i < reports.size(); ++i) {
      EXPECT_EQ(reports[i].unrecorded, i >= first_lost) << i;
      EXPECT_EQ(reports[i].record_ended,
                i == first_lost ? "the record cannot be written: No space left on device" : "");
    }
    const auto ended = rig.ended();
    ASSERT_TRUE(ended);
    EXPECT_EQ(ended->steps, 2U);
    EXPECT_EQ(ended->unrecorded_steps, 2U - first_lost);
  }
}

TEST_F(SessionTest, ARecordThatIsRequiredAndFailsEndsThisSessionOnly) {
  for (int fails_at = 0; fails_at < 6; ++fails_at) {
    std::vector<std::string> log;
    SessionRig rig(room_);
    rig.record_required = true;
    ASSERT_TRUE(rig.open(options_, recorder_into(log, fails_at)));
    for (std::int64_t k = 0; k < 3; ++k) rig.offer(frame_of(take_.motion, k));
    rig.session->finish(rig.outlet.get());
    rig.scheduler->run_all();
    ASSERT_TRUE(rig.outlet->problem()) << fails_at;
    EXPECT_EQ(rig.outlet->problem()->refusal, Refusal::kFailed);
    EXPECT_EQ(rig.outlet->problem()->message,
              "the record cannot be written: No space left on device");
    EXPECT_EQ(rig.log, std::vector<std::string>{std::string("a session's record: ") + kFullDisk});
    EXPECT_FALSE(rig.ended());
    EXPECT_EQ(rig.scheduler->ended().size(), 1U);
    EXPECT_EQ(rig.principal->used->sessions, 0U);
  }
  ASSERT_TRUE(open());
  offer(0, 9);
  rig_.scheduler->run_all();
  expect_same(rig_.pull(), wanted(9));
}

/// Something that nobody foresaw.
class ThrowingRecorder : public FakeRecorder {
 public:
  explicit ThrowingRecorder(std::vector<std::string>& log) : FakeRecorder(log, -1) {}
  using Recorder::pose;
  Status pose(const TrackFrame& /*frame*/, double /*tick*/,
              const service::PassedOver& /*passed*/) override {
    throw std::runtime_error("/srv/secret is odd");
  }
};

TEST_F(SessionTest, ClientsAreToldNoPaths) {
  struct Case {
    Error error;
    Refusal refusal;
    const char* told;
  };
  rig_.record_required = true;
  const std::vector<Case> table{
      {{ErrorCode::kResource, kFullDisk},
       Refusal::kFailed,
       "the record cannot be written: No space left on device"},
      {{ErrorCode::kResource, "cannot write /srv/a: b/c"},
       Refusal::kFailed,
       "the record cannot be written"},
      {{ErrorCode::kResource, "cannot write /srv/a: Input/output error"},
       Refusal::kFailed,
       "the record cannot be written: Input/output error"},
      {{ErrorCode::kUsage, "/srv/records is odd"},
       Refusal::kFailed,
       "the record cannot be written"},
      {{ErrorCode::kInput, "the avatar model cannot be recorded: take.avatar.json: no name"},
       Refusal::kInvalid,
       "the record: the avatar model cannot be recorded: take.avatar.json: no name"}};
  for (const Case& one : table) {
    EXPECT_FALSE(rig_.open(options_, [&](const Avatar& /*avatar*/, const auto& /*ignore*/,
                                         const SceneState* /*first*/) {
      return Result<std::unique_ptr<Recorder>>(one.error);
    }));
    EXPECT_EQ(rig_.problem.refusal, one.refusal);
    EXPECT_EQ(rig_.problem.message, one.told);
  }
  EXPECT_EQ(rig_.log.size(), 4U) << "what the client was told in full needs no line";

  std::vector<std::string> recorded;
  ASSERT_TRUE(rig_.open(
      options_, [&](const Avatar& /*avatar*/, const auto& /*ignore*/, const SceneState* /*first*/) {
        return Result<std::unique_ptr<Recorder>>(std::make_unique<ThrowingRecorder>(recorded));
      }));
  offer(0, 0);
  rig_.scheduler->run_all();
  ASSERT_TRUE(rig_.outlet->problem());
  EXPECT_EQ(rig_.outlet->problem()->refusal, Refusal::kFailed);
  EXPECT_EQ(rig_.outlet->problem()->message, "an error inside of the server");
  EXPECT_EQ(rig_.log.back(), "a session: /srv/secret is odd");
}

TEST_F(SessionTest, WithoutARecordItIsOpenedAndSaysSo) {
  ASSERT_TRUE(rig_.open(
      options_, [](const Avatar& /*avatar*/, const auto& /*ignore*/, const SceneState* /*first*/) {
        return Result<std::unique_ptr<Recorder>>(Error{ErrorCode::kResource, kFullDisk});
      }));
  ASSERT_FALSE(rig_.opened.warnings.empty());
  EXPECT_EQ(rig_.opened.warnings.back(),
            "the session is not recorded: the record cannot be written: No space left on device");
  offer(0, 2);
  rig_.session->finish(rig_.outlet.get());
  rig_.scheduler->run_all();
  const std::vector<TrackReport> reports = rig_.pull();
  expect_same(reports, wanted(2));
  for (const TrackReport& report : reports) EXPECT_TRUE(report.unrecorded);
  EXPECT_EQ(rig_.ended()->unrecorded_steps, 2U);
}

// A record that is long takes long to finish: a worker does it, in a run of its own.
TEST_F(SessionTest, FinishesItsRecordInASlowRun) {
  const auto finishes = [&](bool (*end)(SessionRig & rig)) {
    std::vector<std::string> log;
    SessionRig rig(room_);
    rig.limits.ttl = 0.0;
    ASSERT_TRUE(rig.open(options_, recorder_into(log)));
    EXPECT_FALSE(rig.offer(frame_of(take_.motion, 0)));
    const bool is_idle = end(rig);
    if (!is_idle) {
      EXPECT_LT(rig.session->forecast().seconds, 1e6);  // as long as the run before took
      EXPECT_TRUE(rig.scheduler->run_one());
    }
    EXPECT_EQ(std::count(log.begin(), log.end(), "finish"), 0);
    EXPECT_NE(rig.session->counts().state, SessionState::kOver);
    EXPECT_GT(rig.session->forecast().seconds, 1e9);
    EXPECT_TRUE(rig.scheduler->run_one());
    EXPECT_EQ(std::count(log.begin(), log.end(), "finish"), 1);
    EXPECT_TRUE(rig.scheduler->idle());
  };
  finishes([](SessionRig& rig) { return rig.session->finish(rig.outlet.get()), false; });
  finishes([](SessionRig& rig) {
    return rig.session->detach(rig.outlet.get(), Detach::kForGood), false;
  });
  finishes([](SessionRig& rig) { return rig.session->close(), false; });
  finishes([](SessionRig& rig) {
    rig.scheduler->run_all();
    return rig.session->finish(rig.outlet.get()), true;
  });
  finishes([](SessionRig& rig) { return rig.scheduler->run_all(), rig.session->close(), true; });
  finishes([](SessionRig& rig) {
    rig.session->detach(rig.outlet.get());
    rig.scheduler->run_all();
    EXPECT_TRUE(rig.session->expire(Clock::now()));
    EXPECT_FALSE(rig.session->expire(Clock::now())) << "it is on its way";
    EXPECT_EQ(rig.attach(0)->refusal, Refusal::kNotFound);
    return true;
  });
}

TEST_F(SessionTest, OneThatHasEndedDoesNotExpire) {
  rig_.limits.ttl = 0.0;
  ASSERT_TRUE(open());
  rig_.session->detach(rig_.outlet.get(), Detach::kForGood);
  rig_.scheduler->run_all();
  EXPECT_EQ(rig_.session->counts().state, SessionState::kOver);
  EXPECT_FALSE(rig_.session->expire(Clock::now()));
}

}  // namespace
}  // namespace tocsin::service::session_end_test
