// The life of a session in a bad world: frames lost, late, doubled, spoilt and out of order, a slow
// server, a slow reader, streams that break; and what must hold all the same: reports join without
// a hole, and are those of a check of the very poses that were covered.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <random>
#include <set>
#include <vector>

#include "service/session/gapless_stages.h"
#include "service/session/gapless_totals.h"
#include "service/session/session_rig.h"

namespace tocsin::test::gapless {

using service::SessionCounts;

class Life {
 public:
  Life(std::uint64_t seed, const Stage& stage, Totals& totals)
      : random_(seed),
        stage_(stage),
        take_(stage.takes[random_() % stage.takes.size()]),
        rig_(stage.room),
        totals_(totals) {}

  void run() {
    choose();
    ASSERT_TRUE(rig_.open(options_)) << rig_.problem.message;
    while (next_ < take_.motion.frame_count() && !testing::Test::HasFailure()) live();
    quieten();
    finish();
    if (!testing::Test::HasFailure()) compare();
    count();
  }

 private:
  bool chance(double p) { return static_cast<double>(random_() >> 11) * 0x1p-53 < p; }
  std::size_t below(std::size_t n) { return static_cast<std::size_t>(random_() % n); }

  void choose() {
    options_ = options_of(take_);
    options_.coalesce = !chance(0.15);
    options_.spec.clearance = chance(0.2);
    options_.spec.contacts = chance(0.2) ? Contacts::kFirst : Contacts::kPairs;
    options_.spec.in_between = chance(0.3) ? InBetween::kTranslateRotate : InBetween::kScrew;
    options_.spec.margin = chance(0.3) ? 0.02 : 0.0;
    options_.stop_pose = chance(0.3);
    options_.spec.self = chance(0.4);
    if (chance(0.5)) options_.avatar.place = {{0.3, 0.0, -0.2}, 77.0};
    if (chance(0.3)) options_.frame_seconds = 1.0 / 64;
    if (chance(0.3)) options_.spec.ignore = {"link1:*", "*:object[02]"};
    rig_.limits.pending_frames = 2 + below(7);
    rig_.limits.kept_reports = 8 + below(30);
    rig_.limits.unsent_reports = 1 + below(8);
    rig_.limits.kept_bytes = chance(0.3) ? 4096 : 1 << 20;
    stride_ = chance(0.3) ? 2 + below(5) : 1;
    loss_ = chance(0.5) ? 0.0 : 0.3;
    twice_ = chance(0.5) ? 0.0 : 0.1;
    reorder_ = chance(0.5) ? 0.0 : 0.4;
    breaks_ = chance(0.5) ? 0.0 : 0.02;
    spoils_ = chance(0.6) ? 0.0 : 0.15;
    work_ = chance(0.5) ? 0.9 : 0.3;
    read_ = chance(0.5) ? 0.9 : 0.2;
    // Whose time is over at once: a unit of work in each turn.
    if (chance(0.3)) rig_.limits.step_seconds = 0.0;
    if (chance(0.4)) rig_.limits.brief_seconds = 0.0;
  }

  /// A tick of everybody's clock.
  void live() {
    if (chance(0.6)) send();
    if (chance(0.6)) deliver();
    if (chance(0.02)) worker_stalls_ = 3 + below(20);
    if (chance(0.02)) reader_stalls_ = 3 + below(40);
    if (worker_stalls_ > 0) {
      --worker_stalls_;
    } else if (chance(work_)) {
      rig_.scheduler->run_one();
    }
    if (reader_stalls_ > 0) {
      --reader_stalls_;
    } else if (chance(read_)) {
      read(1 + below(4));
    }
    if (chance(breaks_)) reconnect();
    watch();
  }

  void send() {
    if (next_ >= take_.motion.frame_count()) return;
    const std::int64_t k = next_++;
    ++totals_.sent;
    if (chance(loss_)) {
      ++totals_.lost;
      return;
    }
    flying_.push_back(k);
    if (chance(twice_)) flying_.push_back(k);
  }

  TrackFrame frame(std::int64_t k) const {
    TrackFrame out = frame_of(take_.motion, k);
    out.id = 7 + out.id * stride_;
    return out;
  }

  /// Puts a value into the frame that no pose has.
  void spoil(TrackFrame& frame) {
    Transform& joint = frame.pose[below(frame.pose.size())];
    if (chance(0.5)) {
      joint.rotation.x = std::numeric_limits<double>::quiet_NaN();
    } else {
      joint.rotation.w += 3.0;
    }
  }

  void deliver() {
    if (flying_.empty()) return;
    const std::size_t i =
        chance(reorder_) ? below(std::min<std::size_t>(flying_.size(), 6)) : std::size_t{0};
    const std::int64_t k = flying_[i];
    TrackFrame frame = this->frame(k);
    const bool bad = chance(spoils_);
    if (bad) spoil(frame);
    const auto problem = rig_.offer(frame);
    if (problem) {  // without coalescing: the stream ends, and the frame comes again
      EXPECT_FALSE(options_.coalesce) << problem->message;
      EXPECT_EQ(problem->refusal, bad ? Refusal::kInvalid : Refusal::kOverloaded)
          << problem->message;
      ++totals_.refused;
      reconnect();
      return;
    }
    flying_.erase(flying_.begin() + static_cast<std::ptrdiff_t>(i));
    if (bad) {
      ++bad_delivered_;
      bad_.insert(frame.id);
      return;
    }
    ++delivered_;
    seen_[frame.id] = k;
  }

  void read(std::size_t most) {
    for (TrackReport& report : rig_.pull(most)) {
      if (in_transit_.size() > 4) arrive();
      in_transit_.push_back(std::move(report));
    }
    read_partial();
    while (!in_transit_.empty() && chance(0.7)) arrive();
  }

  /// What is proved so far is of the step that follows the reports, and never less than before.
  void read_partial() {
    auto partial = rig_.session->pull_partial(rig_.outlet.get());
    if (!partial) return;
    const std::size_t step = reports_.size() + in_transit_.size();
    EXPECT_FALSE(partial->result.complete);
    ASSERT_EQ(partial->result.step, static_cast<std::int64_t>(step));
    EXPECT_EQ(partial->names.size(), partial->result.contacts.size());
    std::vector<TrackReport>& before = partials_[step];
    if (!before.empty()) {
      EXPECT_GE(partial->result.checked_until, before.back().result.checked_until);
      EXPECT_GT(partial->timing.parts, before.back().timing.parts);
    }
    before.push_back(std::move(*partial));
    ++totals_.partials;
  }

  /// The whole report has what was told before.
  void compare_partials(std::size_t step, const TrackReport& got) {
    for (const TrackReport& partial : partials_[step]) {
      const StepReport& part = partial.result;
      EXPECT_EQ(partial.from, got.from);
      EXPECT_EQ(partial.to, got.to);
      EXPECT_EQ(partial.skipped, got.skipped);
      EXPECT_LT(partial.timing.parts, got.timing.parts);
      EXPECT_LE(part.safe_until, got.result.safe_until);
      if (options_.spec.contacts == Contacts::kFirst) {
        EXPECT_TRUE(part.contacts.empty() || part.contacts == got.result.contacts);
        continue;
      }
      std::vector<Contact> until = got.result.contacts;
      std::erase_if(until, [&](const Contact& c) { return c.toc[0] >= part.checked_until; });
      EXPECT_EQ(part.contacts, until);
      totals_.told_early += part.contacts.size();
    }
    totals_.parted += got.timing.parts > 1 ? 1 : 0;
  }

  /// The oldest report that was sent arrives at the client.
  void arrive() {
    reports_.push_back(std::move(in_transit_.front()));
    in_transit_.erase(in_transit_.begin());
    EXPECT_EQ(reports_.back().result.step, static_cast<std::int64_t>(reports_.size() - 1));
  }

  void reconnect() {
    const bool take_over = chance(0.3);
    const auto old = rig_.outlet;
    if (!take_over) {
      rig_.session->detach(old.get());
      if (chance(0.5)) rig_.scheduler->run_all();
    }
    ++(take_over ? totals_.take_overs : totals_.resumes);
    const SessionCounts counts = rig_.session->counts();
    if (reports_.size() + counts.kept_reports < counts.steps) {
      // What is on its way is not kept any more: without it there would be a hole.
      const auto refused = rig_.attach(reports_.size());
      ASSERT_TRUE(refused);
      EXPECT_EQ(refused->refusal, Refusal::kOutOfRange);
      ++totals_.out_of_range;
      while (!in_transit_.empty()) arrive();
    }
    totals_.sent_again += in_transit_.size();
    in_transit_.clear();
    const auto problem = rig_.attach(reports_.size());
    ASSERT_FALSE(problem) << problem->message;
    EXPECT_EQ(rig_.opened.next_step, reports_.size());
    if (take_over) {
      rig_.scheduler->run_all();
      ASSERT_TRUE(old->problem());
      EXPECT_EQ(old->problem()->refusal, Refusal::kTakenOver);
    }
  }

  /// Memory is bounded at any time.
  void watch() {
    const SessionCounts counts = rig_.session->counts();
    EXPECT_LE(counts.pending_frames, rig_.limits.pending_frames);
    // What waits again after a resume was kept before: it comes on top.
    const std::size_t most = std::max(rig_.limits.kept_reports, rig_.limits.unsent_reports);
    EXPECT_LE(counts.kept_reports, most);
    EXPECT_LE(counts.kept_bytes, rig_.limits.kept_bytes + kLargestReport);
    totals_.most_waiting = std::max<std::uint64_t>(totals_.most_waiting, counts.pending_frames);
    totals_.most_kept = std::max<std::uint64_t>(totals_.most_kept, counts.kept_reports);
    totals_.most_bytes = std::max<std::uint64_t>(totals_.most_bytes, counts.kept_bytes);
  }

  /// The network delivers what it still has, nobody stalls any more.
  void quieten() {
    while (!flying_.empty() && !testing::Test::HasFailure()) {
      deliver();
      rig_.scheduler->run_one();
      read(10);
      watch();
    }
  }

  void finish() {
    rig_.session->finish(rig_.outlet.get());
    for (int i = 0; i < 10'000 && !ended_; ++i) {
      rig_.scheduler->run_all();
      read(3);
      ended_ = rig_.ended();
    }
    const SessionCounts left = rig_.session->counts();
    ASSERT_TRUE(ended_) << left.steps << " steps, waiting " << left.pending_frames << ", unsent "
                        << left.unsent_reports << ", kept " << left.kept_reports;
    while (!in_transit_.empty()) arrive();
    EXPECT_FALSE(rig_.outlet->problem());
  }

  void compare() {
    std::vector<std::int64_t> covered;  // frames of the take
    if (!reports_.empty()) covered.push_back(seen_.at(reports_.front().from.id));
    std::uint64_t skipped = 0;
    for (std::size_t i = 0; i < reports_.size(); ++i) {
      const TrackReport& report = reports_[i];
      if (i > 0) {
        ASSERT_EQ(report.from, reports_[i - 1].to);
      }
      ASSERT_LT(report.from.id, report.to.id);
      ASSERT_EQ(report.result.step, static_cast<std::int64_t>(i));
      ASSERT_TRUE(seen_.contains(report.to.id));
      covered.push_back(seen_.at(report.to.id));
      std::uint64_t last = report.from.id;
      for (const IdRange& range : report.skipped) {
        ASSERT_LT(last, range.first);
        last = range.last;
        for (std::uint64_t id = range.first; id <= range.last; ++id, ++skipped) {
          ASSERT_TRUE(seen_.contains(id)) << "skipped, but never delivered";
        }
      }
      ASSERT_LT(last, report.to.id);
      compare_bad(report);
    }
    EXPECT_EQ(ended_->bad_frames, bad_delivered_);
    EXPECT_EQ(ended_->first_bad_frame.empty(), bad_delivered_ == 0);
    EXPECT_EQ(ended_->steps, reports_.size());
    EXPECT_EQ(ended_->skipped_frames, skipped);
    // Every frame that was delivered is covered or counted, once.
    const std::uint64_t taken = reports_.empty() ? covered_without_reports() : covered.size();
    EXPECT_EQ(delivered_, taken + skipped + ended_->stale_frames + ended_->duplicate_frames);
    totals_.covered += taken;
    if (!reports_.empty()) compare_with_check(covered);
  }

  /// The step names bad frames between its two; where they come in order, all of them.
  void compare_bad(const TrackReport& report) {
    std::set<std::uint64_t> named;
    std::uint64_t last = report.from.id;
    for (const IdRange& range : report.bad) {
      ASSERT_LT(last, range.first);
      last = range.last;
      for (std::uint64_t id = range.first; id <= range.last; ++id) {
        ASSERT_TRUE(bad_.contains(id)) << "a bad frame that never came";
        named.insert(id);
      }
    }
    ASSERT_LT(last, report.to.id);
    totals_.named_bad += named.size();
    if (reorder_ > 0.0 || twice_ > 0.0) return;
    const std::set<std::uint64_t> between(bad_.upper_bound(report.from.id),
                                          bad_.lower_bound(report.to.id));
    EXPECT_EQ(named, between);
  }

  /// One pose makes no step.
  [[nodiscard]] std::uint64_t covered_without_reports() const { return seen_.empty() ? 0 : 1; }

  void compare_with_check(const std::vector<std::int64_t>& covered) {
    std::vector<Transform> poses;
    std::vector<double> ticks;
    for (const std::int64_t k : covered) {
      const auto pose = take_.motion.pose(k);
      poses.insert(poses.end(), pose.begin(), pose.end());
      ticks.push_back(options_.frame_seconds ? static_cast<double>(frame(k).id)
                                             : take_.motion.seconds(k));
    }
    const auto motion = Motion::create_timed(
        take_.motion.skeleton(), options_.frame_seconds.value_or(1.0), ticks, std::move(poses));
    ASSERT_TRUE(motion.ok()) << motion.error().message;
    const StepList steps = motion->placed(options_.avatar.place)
                               ->steps({.in_between = options_.spec.in_between})
                               .value();
    ASSERT_EQ(steps.size(), reports_.size());
    const Detector detector =
        Detector::make(stage_.room->environment, detector_options(options_.spec)).value();
    const auto active =
        ActivePairs::ignoring(take_.avatar, stage_.room->environment, options_.spec.ignore);
    const LinkPairs self = options_.spec.self
                               ? LinkPairs::ignoring(take_.avatar, options_.spec.ignore).value()
                               : LinkPairs();
    std::size_t i = 0;
    const Status run = detector.run(
        {take_.avatar, active.value(), self}, steps, {.threads = 1}, [&](const StepReport& want) {
          const TrackReport& got = reports_[i];
          EXPECT_TRUE(got.result.complete);
          compare_partials(i, got);
          EXPECT_EQ(got.result.contacts, want.contacts);
          EXPECT_EQ(got.result.safe_until, want.safe_until);
          EXPECT_EQ(got.result.clearances, want.clearances);
          EXPECT_EQ(got.result.frames, want.frames);
          EXPECT_EQ(got.stop_pose.empty(), !options_.stop_pose || want.contacts.empty());
          if (!got.stop_pose.empty()) {
            EXPECT_EQ(got.stop_pose,
                      pose_between(take_.motion.pose(covered[i]), take_.motion.pose(covered[i + 1]),
                                   options_.spec.in_between, want.safe_until));
            ++totals_.stop_poses;
          }
          EXPECT_EQ(got.names.size(), want.contacts.size());
          totals_.contacts += want.contacts.size();
          totals_.own_contacts += static_cast<std::uint64_t>(
              std::count_if(got.result.contacts.begin(), got.result.contacts.end(),
                            [](const Contact& c) { return c.other() && c.other()->avatar == 0; }));
          ++i;
          return !testing::Test::HasFailure();
        });
    EXPECT_TRUE(run) << run.error().message;
  }

  void count() {
    if (!ended_) return;
    ++totals_.sessions;
    totals_.delivered += delivered_;
    totals_.steps += ended_->steps;
    totals_.batched += rig_.scheduler->batched();
    totals_.put_off += rig_.scheduler->put_off();
    const auto told = std::count_if(reports_.begin(), reports_.end(),
                                    [](const auto& report) { return !report.fallback.empty(); });
    EXPECT_LE(told, 1) << "said more than once";
    totals_.fallbacks += static_cast<std::uint64_t>(told);
    totals_.skipped += ended_->skipped_frames;
    totals_.stale += ended_->stale_frames;
    totals_.duplicate += ended_->duplicate_frames;
    totals_.bad += ended_->bad_frames;
    EXPECT_LE(std::count_if(reports_.begin(), reports_.end(),
                            [](const auto& report) { return !report.first_bad_frame.empty(); }),
              1)
        << "said more than once";
    totals_.coalescing_sessions += ended_->skipped_frames > 0 ? 1 : 0;
    EXPECT_TRUE(options_.coalesce || ended_->skipped_frames == 0);
  }

  /// Bytes. Of a report in these small rooms: 8 links and their pairs, 5 objects,
  /// 8 joints.
  static constexpr std::size_t kLargestReport = 20'000;

  std::mt19937_64 random_;
  const Stage& stage_;
  const RandomTake& take_;
  SessionRig rig_;
  Totals& totals_;
  TrackOptions options_;
  double loss_ = 0.0, twice_ = 0.0, reorder_ = 0.0, breaks_ = 0.0, work_ = 1.0, read_ = 1.0;
  double spoils_ = 0.0;
  std::size_t stride_ = 1, worker_stalls_ = 0, reader_stalls_ = 0;
  std::int64_t next_ = 0;
  std::vector<std::int64_t> flying_;            ///< frames on their way to the server
  std::map<std::uint64_t, std::int64_t> seen_;  ///< id and frame of what was delivered
  std::uint64_t delivered_ = 0;
  std::set<std::uint64_t> bad_;  ///< ids of the frames that were delivered spoilt
  std::uint64_t bad_delivered_ = 0;
  std::map<std::size_t, std::vector<TrackReport>> partials_;  ///< by step
  std::vector<TrackReport> in_transit_;                       ///< on their way back
  std::vector<TrackReport> reports_;                          ///< that the client has
  std::optional<TrackEnded> ended_;
};

}  // namespace tocsin::test::gapless
