// What a session says ahead of time, against predicted poses of independent code and dense samples
// of their distances, in long double.
#include "tocsin/live/lookahead.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "service/session/predicted_motion.h"
#include "service/session/session_fixture.h"

namespace tocsin::service::lookahead_test {
namespace {

using test::frame_of;
using test::PredictedMotion;
using test::SessionRig;
using test::SessionTest;

constexpr double kAhead = 0.1;
/// Metres: what rounding in doubles may be, of motions of a few metres.
constexpr long double kRounding = 1e-9L;
constexpr int kSamples = 16;

class LookaheadTest : public SessionTest {
 protected:
  LookaheadTest() { options_.lookahead = kAhead; }

  std::vector<TrackReport> reports_of(std::int64_t last) {
    EXPECT_TRUE(open()) << rig_.problem.message;
    std::vector<TrackReport> out;
    for (std::int64_t k = 0; k <= last; ++k) {
      offer(k, k);
      rig_.scheduler->run_all();
      for (TrackReport& report : rig_.pull()) out.push_back(std::move(report));
    }
    return out;
  }
  /// The take as a session has it: frames at times, to the bit.
  [[nodiscard]] Motion timed() const {
    std::vector<Transform> poses;
    std::vector<double> ticks;
    for (std::int64_t k = 0; k < take_.motion.frame_count(); ++k) {
      const auto pose = take_.motion.pose(k);
      poses.insert(poses.end(), pose.begin(), pose.end());
      ticks.push_back(take_.motion.seconds(k));
    }
    return Motion::create_timed(take_.motion.skeleton(), 1.0, ticks, poses)
        ->placed(options_.avatar.place)
        .value();
  }
  [[nodiscard]] StepList steps() const {
    return timed().steps({.in_between = options_.spec.in_between}).value();
  }
  /// What the detector says of a step ahead.
  [[nodiscard]] std::vector<Contact> found(const Step& ahead,
                                           const DetectorOptions& options = {}) const {
    const Detector detector = Detector::make(room_->environment, options).value();
    return contacts_ahead(detector.check(take_.avatar, ahead).value().contacts);
  }
  static std::vector<Contact> told(const TrackReport& report) {
    std::vector<Contact> out;
    if (!report.ahead) return out;
    for (const ForeseenContact& one : report.ahead->contacts) out.push_back(one.contact);
    return out;
  }
};

TEST_F(LookaheadTest, PredictsWhatDenseSamplesOfTheScrewsShow) {
  const auto reports = reports_of(30);
  ASSERT_EQ(reports.size(), 30U);
  std::size_t hits = 0;
  std::size_t free = 0;
  std::size_t there = 0;
  for (const TrackReport& report : reports) {
    const std::int64_t k = report.result.step;
    const PredictedMotion motion(take_.motion.skeleton(), take_.motion.pose(k),
                                 take_.motion.pose(k + 1), take_.motion.frame_time(), kAhead);
    ASSERT_LT(motion.most_turn(), 3.0L);
    std::map<std::pair<std::int32_t, std::uint32_t>, Contact> all;
    for (const Contact& contact : told(report)) {
      EXPECT_TRUE(all.emplace(std::pair(contact.link, contact.room()->object), contact).second);
    }
    const auto links = take_.avatar.links();
    const auto objects = room_->environment.objects();
    for (std::int32_t link = 0; link < std::ssize(links); ++link) {
      for (std::uint32_t object = 0; object < objects.size(); ++object) {
        const Link& of = links[static_cast<std::size_t>(link)];
        const auto gap = [&](long double t) {
          return motion.distance(of, room_->environment, objects[object], t) - of.radius;
        };
        const auto contact = all.find({link, object});
        const bool is_told = contact != all.end();
        const long double until = is_told ? contact->second.toc[0] : 1.0L;
        if (!is_told && gap(0) <= kRounding) {
          ++there;
          continue;
        }
        for (int i = 0; i <= kSamples; ++i) {
          const long double t = until * i / kSamples;
          EXPECT_GT(gap(t), -kRounding) << "link " << link << ", object " << object << " at " << t;
        }
        if (!is_told) {
          ++free;
          continue;
        }
        EXPECT_GT(gap(0), -kRounding) << "it is there already";
        if (contact->second.status != ContactStatus::kHit) continue;
        EXPECT_LE(gap(contact->second.toc[1]), kRounding);
        ++hits;
      }
    }
  }
  EXPECT_GT(hits, 25U);
  EXPECT_GT(free, 200U);
  EXPECT_GT(there, 10U);
}

/// Only joints that links hang on are predicted: those above them, too, though no link is theirs.
TEST_F(LookaheadTest, JointsAboveALinkGoOn) {
  const AvatarModel whole = *options_.model;
  const auto links = take_.avatar.links();
  std::size_t told_of = 0;
  for (std::size_t i = 0; i < links.size(); ++i) {
    const auto joint = static_cast<std::size_t>(links[i].joint);
    if (take_.avatar.skeleton().joints()[joint].parent < 0) continue;
    options_.model->links = {whole.links[i]};
    const Avatar avatar = Avatar::bind(*options_.model, timed().skeleton()).value();
    const Detector detector = Detector::make(room_->environment, {}).value();
    const StepList all = steps();
    const std::vector<TrackReport> reports = reports_of(8);
    ASSERT_EQ(reports.size(), 8U);
    for (std::size_t k = 0; k < reports.size(); ++k) {
      const Step ahead = step_ahead(all[k], kAhead).value();
      const auto wanted = contacts_ahead(detector.check(avatar, ahead).value().contacts);
      EXPECT_EQ(told(reports[k]), wanted);
      told_of += wanted.size();
    }
  }
  EXPECT_GT(told_of, 5U);
}

TEST_F(LookaheadTest, TellsTimesNamesAndOrder) {
  options_.avatar.place = {{0.1, 0.0, 0.1}, 20.0};
  std::size_t several = 0;
  std::size_t none = 0;
  const StepList steps = this->steps();
  for (const TrackReport& report : reports_of(39)) {
    const Step& last = steps[static_cast<std::size_t>(report.result.step)];
    EXPECT_EQ(told(report), found(step_ahead(last, kAhead).value()));
    if (!report.ahead) {
      ++none;
      continue;
    }
    EXPECT_EQ(report.ahead->seconds, kAhead);
    EXPECT_FALSE(report.ahead->own_pose);
    EXPECT_TRUE(report.ahead->pose_fault.empty());
    double before = 0.0;
    for (const ForeseenContact& one : report.ahead->contacts) {
      EXPECT_EQ(one.time_to_go, one.contact.toc[0] * kAhead);
      EXPECT_GE(one.time_to_go, before);
      before = one.time_to_go;
      EXPECT_EQ(one.names.link, "link" + std::to_string(one.contact.link + 1));
      EXPECT_EQ(one.names.object, "object" + std::to_string(one.contact.room()->object));
    }
    several += report.ahead->contacts.size() > 1 ? 1 : 0;
  }
  EXPECT_GT(several, 5U);
  EXPECT_GT(none, 0U);
}

/// What has happened is told as ever.
TEST_F(LookaheadTest, ChangesNothingOfTheStep) {
  options_.spec.clearance = true;
  options_.nearest = 0.3;
  const auto with = reports_of(39);
  expect_same(with, wanted(39, {.clearance = true}));
  SessionRig plain(room_);
  options_.lookahead = 0.0;
  ASSERT_TRUE(plain.open(options_));
  for (const TrackReport& one : with) {
    for (std::int64_t k = one.result.step == 0 ? 0 : one.result.step + 1; k <= one.result.step + 1;
         ++k) {
      ASSERT_FALSE(plain.offer(frame_of(take_.motion, k)));
    }
    plain.scheduler->run_all();
    const auto reports = plain.pull();
    ASSERT_EQ(reports.size(), 1U);
    EXPECT_FALSE(reports[0].ahead);
    EXPECT_EQ(reports[0].distances, one.distances);
    EXPECT_EQ(reports[0].safe_until_time, one.safe_until_time);
  }
  EXPECT_EQ(rig_.session->counts().contacts, plain.session->counts().contacts);
}

TEST_F(LookaheadTest, OptionsReachThePrediction) {
  options_.spec.margin = 0.05;
  options_.spec.tolerance = 1e-5;
  options_.spec.in_between = InBetween::kTranslateRotate;
  options_.spec.ignore = {"link2:*"};
  std::size_t contacts = 0;
  const StepList steps = this->steps();
  for (const TrackReport& report : reports_of(30)) {
    const Step& last = steps[static_cast<std::size_t>(report.result.step)];
    auto want = found(step_ahead(last, kAhead).value(), {.margin = 0.05, .tolerance = 1e-5});
    std::erase_if(want, [](const Contact& one) { return one.link == 1; });
    EXPECT_EQ(told(report), want);
    contacts += want.size();
  }
  EXPECT_GT(contacts, 8U);
}

/// The first one that begins, though others touch already.
TEST_F(LookaheadTest, OfTheFirstContactOnlyTheFirstThatBegins) {
  options_.spec.contacts = Contacts::kFirst;
  std::size_t hidden = 0;
  std::size_t contacts = 0;
  const StepList steps = this->steps();
  for (const TrackReport& report : reports_of(30)) {
    const Step ahead =
        step_ahead(steps[static_cast<std::size_t>(report.result.step)], kAhead).value();
    auto want = found(ahead);
    if (want.size() > 1) want.resize(1);
    EXPECT_EQ(told(report), want);
    const Detector detector =
        Detector::make(room_->environment, {.contacts = Contacts::kFirst}).value();
    const auto first = detector.check(take_.avatar, ahead).value().contacts;
    hidden += !want.empty() && contacts_ahead(first).empty() ? 1 : 0;
    contacts += want.size();
  }
  EXPECT_GT(contacts, 10U);
  EXPECT_GT(hidden, 2U);
}

TEST_F(LookaheadTest, GoesToTheClientsPose) {
  options_.avatar.place = {{0.1, 0.0, 0.1}, 20.0};
  options_.lookahead = 3 * take_.motion.frame_time();
  ASSERT_TRUE(open());
  const Motion placed = timed();
  std::size_t contacts = 0;
  for (std::int64_t k = 0; k + 3 < take_.motion.frame_count(); ++k) {
    TrackFrame frame = frame_of(take_.motion, k);
    const auto ahead = take_.motion.pose(k + 3);
    frame.ahead.assign(ahead.begin(), ahead.end());
    ASSERT_FALSE(rig_.offer(std::move(frame)));
    rig_.scheduler->run_all();
    for (const TrackReport& report : rig_.pull()) {
      const StepList whole = placed.steps({.first = k, .last = k + 3, .stride = 3}).value();
      EXPECT_EQ(told(report), found(whole.front()));
      EXPECT_TRUE(!report.ahead || report.ahead->own_pose);
      contacts += told(report).size();
    }
  }
  EXPECT_GT(contacts, 20U);
}

TEST_F(LookaheadTest, APoseThatCannotBeUsedIsSaidAndCostsNoFrame) {
  ASSERT_TRUE(open());
  offer(0, 0);
  TrackFrame frame = frame_of(take_.motion, 1);
  frame.ahead = frame.pose;
  frame.ahead[2].rotation = {0.5, 0, 0, 0};
  ASSERT_FALSE(rig_.offer(frame));
  rig_.scheduler->run_all();
  const auto reports = rig_.pull();
  ASSERT_EQ(reports.size(), 1U);
  EXPECT_EQ(reports[0].bad_frames, 0U);
  ASSERT_TRUE(reports[0].ahead);
  EXPECT_FALSE(reports[0].ahead->own_pose);
  EXPECT_EQ(reports[0].ahead->pose_fault, "joint \"joint2\": the quaternion has length 0.5, not 1");
  EXPECT_EQ(told(reports[0]), found(step_ahead(steps().front(), kAhead).value()));
}

TEST_F(LookaheadTest, RefusesPosesThatNobodyAskedForOrOfOtherJoints) {
  ASSERT_TRUE(open());
  TrackFrame frame = frame_of(take_.motion, 0);
  frame.ahead.assign(3, {});
  auto problem = rig_.offer(frame);
  ASSERT_TRUE(problem);
  EXPECT_EQ(problem->refusal, Refusal::kInvalid);
  EXPECT_EQ(problem->message, "frame 0: the pose ahead has 3 joints, the skeleton 6");
  SessionRig plain(room_);
  options_.lookahead = 0.0;
  ASSERT_TRUE(plain.open(options_));
  frame.ahead = frame.pose;
  problem = plain.offer(frame);
  ASSERT_TRUE(problem);
  EXPECT_EQ(problem->refusal, Refusal::kInvalid);
  EXPECT_EQ(problem->message, "frame 0: a pose ahead, in a session without `lookahead`");
}

TEST_F(LookaheadTest, ABudgetThatEndsSaysUntilWhen) {
  rig_.limits.step_seconds = 0.0;  // each call does one unit of work
  ASSERT_TRUE(open());
  std::size_t cut = 0;
  const StepList steps = this->steps();
  for (std::int64_t k = 0; k <= 20; ++k) {
    offer(k, k);
    rig_.scheduler->run_all();
    for (const TrackReport& report : rig_.pull()) {
      const Step& last = steps[static_cast<std::size_t>(report.result.step)];
      const auto all = found(step_ahead(last, kAhead).value());
      if (!report.ahead) {
        EXPECT_TRUE(all.empty());
        continue;
      }
      // Those that begin before, as the whole check tells them.
      std::vector<Contact> want;
      for (const Contact& one : all) {
        if (one.toc[0] * kAhead < report.ahead->seconds) want.push_back(one);
      }
      EXPECT_EQ(told(report), want);
      cut += report.ahead->seconds < kAhead ? 1 : 0;
    }
  }
  EXPECT_GT(cut, 10U);
}

}  // namespace
}  // namespace tocsin::service::lookahead_test
